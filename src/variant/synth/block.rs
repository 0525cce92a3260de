//! Live blocks by speculative execution: every step is run over all visits
//! before it is kept, so the values after it are known when the next is made.

use super::{KnownScalar, Site, Synth, View, World};
use crate::code::ctype::{Type, Types};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// Candidates tried for each step of a block.
const TRIES: u32 = 4;

/// More predicted values than this are checked by their bounds.
const MOST_LISTED: usize = 12;

/// What a block changes.
pub(crate) struct Plan {
    /// Scalars of the seed, each with the local that holds its value.
    pub(crate) saved: Vec<(KnownScalar, KnownScalar)>,
    temporary: KnownScalar,
    counter: Option<KnownScalar>,
}

impl<R: Rng> Synth<'_, R> {
    /// Statements that change something and are defined in every visit, at least one if
    /// the dice find any; `view` becomes the state after them.
    pub(crate) fn steps(&mut self, site: &Site<'_>, view: &mut View, plan: &Plan) -> Vec<Stmt> {
        let mut steps = Vec::new();
        let most = if site.is_hot() { 2 } else { self.sizes.steps };
        // The first step is a change; the others may be anything.
        for number in 0..self.rng.random_range(1..=most) {
            for _ in 0..TRIES {
                let candidate = match number {
                    0 => self.change(view, plan),
                    _ => self.step(view, plan, 1),
                };
                if let Ok(after) = view.world.after(self.types, &candidate) {
                    view.world = after;
                    steps.push(candidate);
                    break;
                }
            }
        }
        steps
    }

    /// Chooses what to change, and declares where it is kept.
    pub(crate) fn plan(&mut self, site: &Site<'_>, view: &mut View) -> Option<(Plan, Vec<Stmt>)> {
        let mut declarations = Vec::new();
        let mut declare = |synth: &Self, view: &mut View, role: &str, kind, start: Expr| {
            let local = KnownScalar::local(&synth.name(role), kind);
            let name = synth.name(role);
            let is_known = view.world.add_local(synth.types, &name, kind, &start);
            declarations.push(Stmt::declare(&name, kind, Some(start)));
            view.scalars.push(local.clone());
            is_known.then_some(local)
        };
        let mut saved = Vec::new();
        for (index, known) in self.targets(view).into_iter().enumerate() {
            let role = format!("b{index}");
            let copy = declare(self, view, &role, known.kind, known.lvalue.clone())?;
            saved.push((known, copy));
        }
        let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::Short];
        let kind = *kinds.choose(self.rng).expect("the list is not empty");
        let first = self.expression(view);
        let temporary = declare(self, view, "t0", kind, first)?;
        let has_counter = !site.is_hot() && self.rng.random();
        let counter = if has_counter {
            Some(declare(self, view, "i0", IntKind::Int, Expr::int(0))?)
        } else {
            None
        };
        let plan = Plan {
            saved,
            temporary,
            counter,
        };
        Some((plan, declarations))
    }

    /// Some scalars that may be written, of different types first.
    fn targets(&mut self, view: &View) -> Vec<KnownScalar> {
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
        match self.rng.random_range(0..8) {
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
                    let turns = Expr::int(self.rng.random_range(1..=6));
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
            4 => {
                let value = self.expression(view);
                let ty = self.types.type_of(&value).unwrap_or(Type::INT);
                Stmt::use_value(ty, value)
            }
            _ => self.change(view, plan),
        }
    }

    /// An assignment of any sort.
    fn change(&mut self, view: &View, plan: &Plan) -> Stmt {
        let target = self.target(plan);
        Stmt::Expr(match self.rng.random_range(0..5) {
            0 => {
                let op = *StepOp::ALL.choose(self.rng).expect("there are four");
                Expr::step(op, target)
            }
            1 | 2 => {
                let ops = &BinaryOp::ALL;
                let mut op = *ops.choose(self.rng).expect("there are sixteen");
                if !op.has_assignment() {
                    op = BinaryOp::BitXor;
                }
                Expr::compound(op, target, self.expression(view))
            }
            _ => Expr::assign(target, self.expression(view)),
        })
    }

    fn target(&mut self, plan: &Plan) -> Expr {
        match plan.saved.choose(self.rng) {
            Some((known, _)) if !self.one_in(5) => known.lvalue.clone(),
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

    /// Statements that abort if a value is not one of those predicted.
    pub(crate) fn checks(&mut self, view: &View, plan: &Plan) -> Vec<Stmt> {
        let changed = plan.saved.iter().map(|(known, _)| known);
        let mut checks = Vec::new();
        for known in changed.chain([&plan.temporary]) {
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

/// Whether the whole block, run at once, leaves the variables that it changes as they
/// were.
pub(crate) fn restores(types: &Types, start: &World, block: &Stmt, changed: &[&Expr]) -> bool {
    let Ok(end) = start.after(types, block) else {
        return false;
    };
    // Of ranges, equal bounds do not say that values are equal. That the last
    // assignments put them back is how the block is built; this sees at least that they
    // are there.
    changed
        .iter()
        .all(|scalar| end.agrees_with(start, types, scalar))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::table::Table;
    use crate::code::types::Target;

    #[test]
    fn visits_that_exchange_their_values_are_not_restored() {
        let types = Types::new(Target::LP64);
        let mut table = Table::new(2);
        table.add_values("x", IntKind::Int, vec![1, 2]);
        let world = World::from(table);
        let x = Expr::var("x", IntKind::Int);
        let set = |value: Expr| Stmt::Expr(Expr::assign(x.clone(), value));
        let exchanged = set(Expr::binary(BinaryOp::Sub, Expr::int(3), x.clone()));
        let twice = Stmt::Block(vec![exchanged.clone(), exchanged.clone()]);
        let restores = |block| restores(&types, &world, block, &[&x]);
        assert!(!restores(&exchanged));
        assert!(restores(&twice));
    }
}
