//! The steps of live blocks by speculative execution: each is run over all visits before
//! it is kept, so the values after it are known when the next is made.

use super::float::KnownFloat;
use super::{KnownScalar, Site, Synth, View};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

/// Candidates tried for each step of a block.
const TRIES: u32 = 4;

/// More predicted values than this are checked by their bounds.
const MOST_LISTED: usize = 12;

/// What the steps of a block may change.
pub(super) struct Plan {
    /// Scalars of the seed, each to hold its old value again at the end.
    pub(super) targets: Vec<KnownScalar>,
    pub(super) temporary: KnownScalar,
    pub(super) counter: Option<KnownScalar>,
    /// Floating-point numbers of the seed, likewise.
    pub(super) floats: Vec<KnownFloat>,
    /// The most turns of a loop, and elements of an array.
    pub(super) turns: u64,
}

impl Plan {
    /// All that the steps may have changed, but for the counter of loops.
    pub(super) fn changed(&self) -> impl Iterator<Item = &KnownScalar> {
        self.targets.iter().chain([&self.temporary])
    }
}

impl<R: Rng> Synth<'_, R> {
    /// Statements that change something and are defined in every visit, at least one if
    /// the dice find any; `view` becomes the state after them. If the block has changed
    /// the variables before, what they hold counts as well.
    pub(super) fn steps(
        &mut self,
        site: &Site<'_>,
        view: &mut View,
        plan: &Plan,
        was_changed: bool,
    ) -> Vec<Stmt> {
        let mut steps = Vec::new();
        let mut changed: Vec<Expr> = vec![plan.temporary.lvalue.clone()];
        if was_changed {
            changed.extend(plan.targets.iter().map(|known| known.lvalue.clone()));
        }
        let most = if site.is_hot() { 2 } else { self.sizes.steps };
        // The first step is a change; the others may be anything.
        for number in 0..self.rng.random_range(1..=most) {
            for _ in 0..TRIES {
                let candidate = match number {
                    _ if !plan.floats.is_empty() && self.one_in(3) => {
                        let int = self.target(plan);
                        self.float_step(view, &plan.floats, &int)
                    }
                    0 => self.change(view, plan),
                    _ => self.step(view, plan, 1),
                };
                let candidate = self.keeping(candidate, plan, &mut changed);
                if let Ok(after) = view.world.after(self.types, &candidate) {
                    view.world = after;
                    steps.push(candidate);
                    break;
                }
            }
        }
        steps
    }

    /// The step, so that it does not throw away what an earlier one has computed: an
    /// assignment, also as the last of several statements, keeps what its target holds.
    fn keeping(&mut self, step: Stmt, plan: &Plan, changed: &mut Vec<Expr>) -> Stmt {
        match step {
            Stmt::Expr(Expr::Assign { target, value }) => {
                let ty = self.types.type_of(&target).ok();
                if ty.is_none_or(|ty| ty.int_kind().is_none()) {
                    return Stmt::Expr(Expr::Assign { target, value });
                }
                let was_changed = changed.contains(&target);
                if !was_changed {
                    changed.push((*target).clone());
                }
                let mut is_read = false;
                if let Expr::Var(own) = &*target {
                    value.for_each_var(&mut |var| is_read |= var == own);
                }
                if !was_changed || is_read {
                    return Stmt::Expr(Expr::Assign { target, value });
                }
                let old = self.types.clear((*target).clone());
                let value = Expr::binary(BinaryOp::BitXor, (*value).clone(), old);
                Stmt::Expr(Expr::assign((*target).clone(), value))
            }
            Stmt::Block(mut items) => {
                let last = items.pop().map(|last| self.keeping(last, plan, changed));
                items.extend(last);
                *changed = plan.changed().map(|known| known.lvalue.clone()).collect();
                Stmt::Block(items)
            }
            other => {
                // It may have changed anything.
                *changed = plan.changed().map(|known| known.lvalue.clone()).collect();
                other
            }
        }
    }

    /// Some scalars that may be written, of different types first.
    pub(super) fn targets(&mut self, view: &View) -> Vec<KnownScalar> {
        let mut writable: Vec<&KnownScalar> =
            view.scalars.iter().filter(|k| k.is_writable).collect();
        writable.shuffle(self.rng);
        let mut seen = Vec::new();
        writable.sort_by_cached_key(|known| {
            let again = seen.contains(&known.kind);
            seen.push(known.kind);
            again
        });
        let count = self.rng.random_range(1..=4);
        writable.into_iter().take(count).cloned().collect()
    }

    /// A statement that changes something, or looks as if it might.
    fn step(&mut self, view: &View, plan: &Plan, depth: u32) -> Stmt {
        match self.rng.random_range(0..11) {
            0 if depth > 0 => {
                let condition = self.open_comparison(view);
                let yes = self.step(view, plan, depth - 1);
                let no = self.step(view, plan, depth - 1);
                Stmt::if_else(condition, Stmt::Block(vec![yes]), Stmt::Block(vec![no]))
            }
            1 | 2 if depth > 0 => {
                let guard = self.predicate(view, false);
                let uses = (0..self.rng.random_range(1..=3))
                    .map(|_| self.unreached(view, plan))
                    .collect();
                Stmt::if_then(guard, Stmt::Block(uses))
            }
            3 if depth > 0 => match &plan.counter {
                Some(counter) => {
                    let counter = counter.lvalue.clone();
                    let turns = self.turns(view);
                    let body = self.step(view, plan, 0);
                    Stmt::for_loop(
                        Expr::assign(counter.clone(), Expr::int(0)),
                        Expr::binary(BinaryOp::Lt, counter.clone(), turns),
                        Expr::step(StepOp::PreIncrement, counter),
                        Stmt::Block(vec![body]),
                    )
                }
                None => self.change(view, plan),
            },
            4..=6 if depth > 0 => {
                let made = self.live_structure(view, plan);
                made.unwrap_or_else(|| self.change(view, plan))
            }
            _ => self.change(view, plan),
        }
    }

    /// How often a loop turns: a number to be seen, or not.
    fn turns(&mut self, view: &View) -> Expr {
        let turns = Value::int(self.rng.random_range(1..=6));
        let hidden = if self.rng.random() {
            self.worth(view, turns)
        } else {
            None
        };
        hidden.unwrap_or(turns.into())
    }

    /// An assignment of any sort.
    pub(super) fn change(&mut self, view: &View, plan: &Plan) -> Stmt {
        let target = self.target(plan);
        Stmt::Expr(match self.rng.random_range(0..5) {
            0 => {
                let op = *StepOp::ALL.choose(self.rng).expect("there are four");
                Expr::step(op, target)
            }
            1 | 2 => {
                let op = self.assigning();
                Expr::compound(op, target, self.expression(view))
            }
            _ => Expr::assign(target, self.expression(view)),
        })
    }

    /// An operator that can stand before the `=` of an assignment.
    pub(super) fn assigning(&mut self) -> BinaryOp {
        let ops = BinaryOp::ALL.into_iter().filter(|op| op.has_assignment());
        ops.choose(self.rng).expect("there are ten")
    }

    /// How often the loops of a block turn at most: little where many visits are made,
    /// now and then enough for a vectoriser.
    pub(super) fn turns_of_block(&mut self, site: &Site<'_>) -> u64 {
        if site.is_hot() {
            3
        } else if self.one_in(8) {
            self.rng.random_range(24..=64)
        } else {
            self.rng.random_range(4..=16)
        }
    }

    fn target(&mut self, plan: &Plan) -> Expr {
        match plan.targets.choose(self.rng) {
            Some(known) if !self.one_in(5) => known.lvalue.clone(),
            _ => plan.temporary.lvalue.clone(),
        }
    }

    /// A statement under a false guard that uses the variables of the block.
    fn unreached(&mut self, view: &View, plan: &Plan) -> Stmt {
        if self.one_in(3) {
            let value = self.expression(view);
            let ty = self.types.type_of(&value).unwrap_or(Type::INT);
            return Stmt::use_value(ty, value);
        }
        let stmt = self.change(view, plan);
        match self.types.check(&stmt) {
            Ok(()) => stmt,
            Err(_) => Stmt::Expr(Expr::assign(self.target(plan), Expr::int(0))),
        }
    }

    /// A body that never runs with, mostly, a change at its start that would be seen:
    /// without one, optimisers may drop the body although they do not know its guard.
    pub(crate) fn with_effect(&mut self, view: &View, body: Stmt) -> Stmt {
        if self.one_in(12) {
            return body;
        }
        match (body, self.visible_effect(view)) {
            (Stmt::Block(mut items), Some(effect)) => {
                let is_declaration = |item: &&Stmt| matches!(item, Stmt::Declare(_));
                let at = items.iter().take_while(is_declaration).count();
                items.insert(at, effect);
                Stmt::Block(items)
            }
            (body, _) => body,
        }
    }

    /// A change that would be seen, of code that never runs: of something that changes
    /// anyway, if there is any.
    fn visible_effect(&mut self, view: &View) -> Option<Stmt> {
        let scalars = view.scalars.iter();
        let mut writable: Vec<&KnownScalar> = scalars
            .filter(|known| known.is_writable || known.is_outside)
            .collect();
        writable.shuffle(self.rng);
        // The program may never look at what it wrote to a variable that is not a sum, but
        // it cannot know who looks at ours.
        writable.sort_by_key(|known| (!known.is_sum && !known.is_outside, !known.is_static));
        let target = writable.first()?.lvalue.clone();
        let value = self.expression(view);
        let change = Stmt::Expr(if self.rng.random() {
            Expr::compound(BinaryOp::BitXor, target, value)
        } else {
            Expr::assign(target, value)
        });
        self.types.check(&change).is_ok().then_some(change)
    }

    /// Statements that abort if a value is not one of those predicted.
    pub(super) fn checks(&mut self, view: &View, plan: &Plan, others: &[KnownScalar]) -> Vec<Stmt> {
        let mut checks = Vec::new();
        for known in plan.changed().chain(others) {
            let Ok(spread) = view.world.spread(self.types, &known.read) else {
                continue;
            };
            let kind = spread.kind.promoted();
            let constant = |math| Expr::from(Value::new(kind, math, self.types.target));
            let compare = |op, math| Expr::binary(op, known.read.clone(), constant(math));
            let expected = if spread.is_exact && spread.values.len() <= MOST_LISTED {
                let listed = spread
                    .values
                    .iter()
                    .map(|&math| compare(BinaryOp::Eq, math));
                listed
                    .reduce(|all, one| Expr::logical(LogicalOp::Or, all, one))
                    .expect("a spread has a value")
            } else {
                let least = compare(BinaryOp::Ge, spread.min());
                let most = compare(BinaryOp::Le, spread.max());
                Expr::logical(LogicalOp::And, least, most)
            };
            if view.world.truth(self.types, &expected) == Some(true) {
                checks.push(Stmt::if_then(
                    Expr::unary(UnaryOp::Not, expected),
                    Stmt::Block(vec![Stmt::Abort]),
                ));
            }
        }
        checks
    }
}
