//! Loops: which kind comes next, and those that count and whose turns are independent.

use super::Author;
use super::expr::{LANES, Term};
use super::feature::Feature;
use super::ledger::Address;
use super::names::{Holder, KnownVariable, VariableHome};
use super::weights::{BOUNDS, LOOPS};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Positions of a loop's body; a few loops have more.
const POSITIONS: u64 = 256;
/// Loops of a hundred whose bodies are short and made of what vector units can do.
const SIMPLE: u32 = 78;
/// Loops are nested no deeper.
const DEEPEST_NEST: usize = 3;

/// How the turns of a loop depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopMode {
    /// Not at all.
    Independent,
    /// By one variable that all turns add to.
    Reduction,
    /// Turns use what earlier ones have computed.
    Carried,
    /// The data decide when it ends.
    Data,
    /// The counter starts or ends near the limits of its type.
    Far,
    /// Pointers walk over arrays.
    Walking,
}

/// Where the end of a loop comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundChoice {
    Constant,
    Input,
    Computed,
}

/// The way of a loop's counter.
struct LoopCount {
    /// Where it begins; if it goes down, where it ends.
    start: i64,
    step: i64,
    /// Whether it runs from the end to just above the start.
    down: bool,
    kind: IntKind,
    /// The other end, at each position around the loop.
    ends: Vec<i64>,
}

impl LoopCount {
    /// The number of turns at each position.
    fn turns(&self) -> Vec<u32> {
        let span = |end: &i64| (end - self.start).max(0) as u32;
        let turns = self.ends.iter().map(span);
        turns.map(|span| span.div_ceil(self.step as u32)).collect()
    }

    /// The counter in each turn of each position.
    fn values(&self) -> Vec<i64> {
        let all = self.ends.iter().zip(self.turns());
        all.flat_map(|(end, turns)| (0..turns).map(|turn| self.after(turn, *end)))
            .collect()
    }

    /// The counter after the loop, at each position.
    fn last(&self) -> Vec<i64> {
        let all = self.ends.iter().zip(self.turns());
        all.map(|(end, turns)| self.after(turns, *end)).collect()
    }

    /// The counter after so many turns at a position with this end.
    fn after(&self, turns: u32, end: i64) -> i64 {
        if self.down {
            end - i64::from(turns)
        } else {
            self.start + i64::from(turns) * self.step
        }
    }
}

impl Author<'_> {
    /// A loop, or an assignment where none fits.
    pub(super) fn some_loop(&mut self, depth: u32) {
        let features = self.policy.features;
        let nested = !self.ledger.is_outermost();
        let room = self.ledger.len() as u64 * 4 <= POSITIONS;
        if nested && (!features.has(Feature::Nests) || self.ledger.depth() >= DEEPEST_NEST || !room)
        {
            return self.assign();
        }
        let mode = self
            .policy
            .draw_where(&LOOPS, &mut self.dice, |mode| match mode {
                LoopMode::Independent | LoopMode::Reduction => features.has(Feature::Loops),
                LoopMode::Carried => !nested && features.has(Feature::Carried),
                LoopMode::Data => !nested && features.has(Feature::Searches),
                LoopMode::Far => !nested && features.has(Feature::FarCounters),
                LoopMode::Walking => {
                    let has = features.has(Feature::Pointers) && features.has(Feature::Arrays);
                    !nested && has
                }
            });
        match mode {
            Some(LoopMode::Reduction) => self.counted_loop(depth, true),
            Some(LoopMode::Independent) => self.counted_loop(depth, false),
            Some(LoopMode::Carried) => self.carried_loop(),
            Some(LoopMode::Data) => self.data_loop(),
            Some(LoopMode::Far) => self.far_loop(),
            Some(LoopMode::Walking) => self.walking_loop(),
            None => self.assign(),
        }
    }

    /// A loop whose turns do not depend on each other, except by a reduction.
    fn counted_loop(&mut self, depth: u32, reduces: bool) {
        let simple = self.simple;
        self.simple |= self.percent(SIMPLE);
        self.written_loop(depth, reduces);
        self.simple = simple;
    }

    fn written_loop(&mut self, depth: u32, reduces: bool) {
        let most = (POSITIONS / self.ledger.len() as u64).clamp(2, 64);
        let len = self.some_length().min(most);
        let start = [0, 0, 0, 1, 2][self.dice.random_range(0..5)];
        let Some(bound) = self.bound(start, len) else {
            return self.assign();
        };
        let bound = self.settled(bound);
        let mut frozen = Vec::new();
        bound
            .expr
            .for_each_var(&mut |var| frozen.push(var.name.clone()));
        // A loop that writes no array has something to add to.
        let total = if reduces || !self.may_write_globals() {
            self.reduction_target(&frozen)
        } else {
            None
        };
        let count = self.count(start, bound.numbers.values);
        let turns = count.turns();
        if turns.iter().sum::<u32>() == 0 {
            return self.assign();
        }
        self.stats.loops += 1;
        self.stats.statements += 1;
        let var = Var {
            name: self.fresh("i").into(),
            ty: count.kind.into(),
        };
        self.declare_bare(&var);
        self.ledger.open_loop(&turns);
        let counter = KnownVariable {
            name: var.name.clone(),
            ty: var.ty.clone(),
            storage: VariableHome::Body(self.ledger.add_local(&count.values())),
            writable: false,
            global: false,
        };
        let (locals, reduced) = (self.locals.len(), self.reduced.len());
        self.locals.push(counter.clone());
        self.open_rules(counter, frozen);
        let body = self.loop_body(depth, total.as_ref(), count.down);
        self.close_rules();
        self.reduced.truncate(reduced);
        self.locals.truncate(locals);
        self.common.forget_names([var.name.clone()].into_iter());
        self.ledger.close_loop();
        self.finish_counter(&var.name, count.kind, &count.last());
        let stmt = self.counted_stmt(&count, &Expr::Var(var), bound.expr, body);
        self.push(stmt);
    }

    /// How the counter goes from the start to the ends.
    fn count(&mut self, start: i64, ends: Vec<i64>) -> LoopCount {
        let step = [1, 1, 1, 1, 1, 1, 1, 1, 2, 3][self.dice.random_range(0..10)];
        let down = self.percent(20);
        LoopCount {
            start,
            step: if down { 1 } else { step },
            down,
            kind: self.counter_kind(),
            ends,
        }
    }

    /// The body of a loop that has just been opened.
    fn loop_body(&mut self, depth: u32, total: Option<&Holder>, down: bool) -> Stmt {
        if let Some(total) = total {
            self.guard(total);
        }
        for _ in 0..self.dice.random_range(u32::from(total.is_none())..=2) {
            self.claim_element(down);
        }
        if total.is_none() && !self.has_own_element() {
            self.claim_new_array();
        }
        let count = self.dice.random_range(1..=if self.simple { 2 } else { 4 });
        self.block_with(|author| {
            author.statements(count, depth - 1);
            if let Some(total) = total {
                author.reduce(total);
            }
        })
    }

    fn counted_stmt(&mut self, count: &LoopCount, counter: &Expr, end: Expr, body: Stmt) -> Stmt {
        let condition = |op, limit: Expr| Expr::binary(op, counter.clone(), limit);
        let start = Expr::int(count.start as i32);
        if count.down {
            return Stmt::for_loop(
                Expr::assign(counter.clone(), end),
                condition(BinaryOp::Gt, start),
                Expr::step(StepOp::PostDecrement, counter.clone()),
                body,
            );
        }
        let by = if count.step == 1 {
            let steps = [StepOp::PreIncrement, StepOp::PostIncrement];
            Expr::step(steps[self.dice.random_range(0..2)], counter.clone())
        } else {
            let step = Expr::int(count.step as i32);
            Expr::compound(BinaryOp::Add, counter.clone(), step)
        };
        let exact = count.step == 1 && count.ends.iter().all(|end| *end >= count.start);
        let op = if exact && self.percent(20) {
            BinaryOp::Ne
        } else {
            BinaryOp::Lt
        };
        Stmt::for_loop(
            Expr::assign(counter.clone(), start),
            condition(op, end),
            by,
            body,
        )
    }

    /// The bound as it is if only variables are read in every turn, else kept in a variable.
    fn settled(&mut self, bound: Term) -> Term {
        if is_plain(&bound.expr) && self.percent(70) {
            return bound;
        }
        let kind = bound.numbers.kind;
        let holder = self.start_local(kind, bound, false);
        // The loop's body must not write its own end.
        if let Some(local) = self.locals.last_mut() {
            local.writable = false;
        }
        self.read(&holder).expect("it was just written")
    }

    fn counter_kind(&mut self) -> IntKind {
        const KINDS: [IntKind; 12] = [
            IntKind::Int,
            IntKind::Int,
            IntKind::Int,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::Long,
            IntKind::ULong,
            IntKind::UInt,
            IntKind::Short,
            IntKind::UShort,
            IntKind::UChar,
        ];
        // Vector units want no counters that wrap.
        let kinds = if !self.simple {
            KINDS.len()
        } else if self.percent(LANES) {
            5
        } else {
            8
        };
        KINDS[self.dice.random_range(0..kinds)]
    }

    /// Where a loop from the start ends, at most at the length; never negative.
    fn bound(&mut self, start: i64, len: u64) -> Option<Term> {
        let len = len as i64;
        let choice = self.draw(&BOUNDS);
        if choice == BoundChoice::Constant || len - start < 3 {
            return Some(self.literal(IntKind::Int, len.into()));
        }
        if choice == BoundChoice::Input && self.may_use_globals() {
            let rows = self.ledger.table().rows();
            let least = start.max(len / 2);
            let values = (0..rows).map(|_| self.dice.random_range(least..=len));
            let values: Vec<i64> = values.collect();
            let kinds = [
                IntKind::Int,
                IntKind::UInt,
                IntKind::Long,
                IntKind::UShort,
                IntKind::UChar,
            ];
            let kind = *kinds.choose(&mut self.dice)?;
            let named = self.global_of(kind, values)?;
            // Nobody else writes it, so that the loop's end stays known to differ by row only.
            if let Some(global) = self.globals.last_mut() {
                global.named.writable = false;
            }
            let holder = self.scalar_of(&named, false)?;
            return self.read(&holder);
        }
        let term = self.small_expression();
        let span = 1 << (len - start).ilog2();
        let bent = self.bent(term, span as u64);
        let least = self.literal(IntKind::Int, (len - span + 1).into());
        self.apply(BinaryOp::Add, &bent, &least)
    }

    /// The counter after its loop, a variable like others except that nobody writes it.
    fn finish_counter(&mut self, name: &str, kind: IntKind, last: &[i64]) {
        let storage = if self.ledger.is_outermost() {
            let object = self.ledger.add_object(name, kind.into());
            VariableHome::Object(object.expect("a scalar type is complete"))
        } else {
            VariableHome::Body(self.ledger.add_local(last))
        };
        let named = KnownVariable {
            name: name.into(),
            ty: kind.into(),
            storage,
            writable: false,
            global: false,
        };
        if let Some(object) = named.object() {
            let address = Address::Fixed(object, 0);
            self.ledger.write(&address, last);
        }
        self.locals.push(named);
    }
}

/// Whether an expression consists of operators, constants and whole variables only.
fn is_plain(expr: &Expr) -> bool {
    let plain = match expr {
        Expr::Field { .. } | Expr::Index { .. } | Expr::Deref(_) | Expr::Call { .. } => false,
        Expr::Var(var) => matches!(var.ty, Type::Int(_)),
        _ => true,
    };
    plain && expr.children().into_iter().all(is_plain)
}
