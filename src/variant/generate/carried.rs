//! Loops whose turns depend on each other, whose end depends on the data, or whose counters
//! come near the limits of their type. They are written from what holds in the first turn and
//! proved by running them.

use super::Author;
use super::blocks::Bookmark;
use super::expr::Term;
use super::feature::Feature;
use super::names::{Holder, KnownVariable};
use super::weights::COMPOUND;
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Most turns of a loop that must be run.
const TURNS: i64 = 40;

impl Author<'_> {
    /// A recurrence over arrays and scalars.
    pub(super) fn carried_loop(&mut self) {
        let back = self.dice.random_range(1..=3);
        let mark = self.bookmark();
        let Some((array, len)) = self.some_array() else {
            return self.far_loop();
        };
        let end = (len as i64).min(back + TURNS);
        if end - back < 2 {
            return self.far_loop();
        }
        let counter = self.table_counter(IntKind::Int, back);
        let mut leaves = vec![counter.clone()];
        for offset in [0, -1, -back] {
            leaves.extend(self.first_element(&array, &counter, offset));
        }
        if let Some((other, other_len)) = self.some_array()
            && other_len as i64 >= end
        {
            leaves.extend(self.first_element(&other, &counter, 0));
        }
        let mut targets: Vec<Holder> = leaves[1..2].to_vec();
        for _ in 0..self.dice.random_range(0..=2) {
            if let Some(holder) = self.plain_holder() {
                leaves.push(holder.clone());
                targets.push(holder);
            }
        }
        let count = self.dice.random_range(1..=3);
        let body = self.guessed_statements(leaves, &targets, count, &counter);
        let start = Expr::assign(counter.expr.clone(), Expr::int(back as i32));
        let bound = Expr::int(end as i32);
        let condition = Expr::binary(BinaryOp::Lt, counter.expr.clone(), bound);
        let step = Expr::step(StepOp::PreIncrement, counter.expr);
        self.run_loop(&mark, body, |body| {
            Stmt::for_loop(start.clone(), condition.clone(), step.clone(), body)
        });
    }

    /// A loop whose counter starts or ends near a limit of its type.
    pub(super) fn far_loop(&mut self) {
        const KINDS: [IntKind; 8] = [
            IntKind::SChar,
            IntKind::UChar,
            IntKind::Short,
            IntKind::UShort,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
        ];
        let mark = self.bookmark();
        let kind = KINDS[self.dice.random_range(0..KINDS.len())];
        let target = self.target();
        let turns = i128::from(self.dice.random_range(2..=12));
        let step = i128::from([1, 1, 1, 2, 3, 5, 7, -1, -1, -2, -7][self.dice.random_range(0..11)]);
        let near = i128::from(self.dice.random_range(0..3));
        // The counter comes close to the limit, and does not pass it.
        let (start, end) = match (step > 0, self.dice.random::<bool>()) {
            (true, true) => (kind.min(target), kind.min(target) + turns * step),
            (true, false) => {
                let end = kind.max(target) - near;
                (end - turns * step, end)
            }
            (false, true) => (kind.max(target), kind.max(target) + turns * step),
            (false, false) => {
                let end = kind.min(target) + near;
                (end - turns * step, end)
            }
        };
        let literal = |math: i128| Expr::Const(Value::new(kind, math, target));
        let counter = self.table_counter(kind, Value::new(kind, start, target).carrier());
        let (mut leaves, mut targets) = (vec![counter.clone()], Vec::new());
        for _ in 0..self.dice.random_range(1..=2) {
            if let Some(holder) = self.plain_holder() {
                leaves.push(holder.clone());
                targets.push(holder);
            }
        }
        if targets.is_empty() {
            return self.go_back(&mark);
        }
        let count = self.dice.random_range(1..=2);
        let body = self.guessed_statements(leaves, &targets, count, &counter);
        let op = if self.percent(50) {
            BinaryOp::Ne
        } else if step > 0 {
            BinaryOp::Lt
        } else {
            BinaryOp::Gt
        };
        let first = Expr::assign(counter.expr.clone(), literal(start));
        let condition = Expr::binary(op, counter.expr.clone(), literal(end));
        let by = match step {
            1 => Expr::step(StepOp::PostIncrement, counter.expr),
            -1 => Expr::step(StepOp::PostDecrement, counter.expr),
            2.. => Expr::compound(BinaryOp::Add, counter.expr, Expr::int(step as i32)),
            _ => Expr::compound(BinaryOp::Sub, counter.expr, Expr::int(-step as i32)),
        };
        self.run_loop(&mark, body, |body| {
            Stmt::for_loop(first.clone(), condition.clone(), by.clone(), body)
        });
    }

    /// A loop that ends when the data say so.
    pub(super) fn data_loop(&mut self) {
        match self.dice.random_range(0..4) {
            0 => self.search_loop(),
            1 => self.bit_loop(),
            2 => self.euclid_loop(),
            _ => self.while_loop(),
        }
    }

    /// Looks for an element: `for (i = 0; i < n; i++) if (a[i] == key) break;`.
    fn search_loop(&mut self) {
        let Some((array, len)) = self.some_array() else {
            return self.while_loop();
        };
        let mark = self.bookmark();
        let counter = self.table_counter(IntKind::Int, 0);
        let element = self.first_element(&array, &counter, 0);
        let (Some(element), Some(object)) = (element, array.object()) else {
            return self.go_back(&mark);
        };
        let cell = self.dice.random_range(0..len as u32);
        let row = self.ledger.rows()[0];
        let seen = self
            .ledger
            .table()
            .object(object)
            .get(cell, row)
            .unwrap_or(0);
        let key = Expr::Const(Value::from_carrier(element.kind, seen));
        let ops = [BinaryOp::Eq, BinaryOp::Gt, BinaryOp::Lt, BinaryOp::Eq];
        let op = ops[self.dice.random_range(0..4)];
        let found = Expr::binary(op, element.expr.clone(), key);
        let mut items = vec![Stmt::if_then(found, Stmt::Break)];
        if self.percent(50)
            && let Some(holder) = self.plain_holder()
        {
            let leaves = vec![counter.clone(), element, holder.clone()];
            items.extend(self.guessed_statements(leaves, &[holder], 1, &counter));
        }
        let start = Expr::assign(counter.expr.clone(), Expr::int(0));
        let condition = Expr::binary(BinaryOp::Lt, counter.expr.clone(), Expr::int(len as i32));
        let step = Expr::step(StepOp::PreIncrement, counter.expr);
        self.run_loop(&mark, items, |body| {
            Stmt::for_loop(start.clone(), condition.clone(), step.clone(), body)
        });
    }

    /// Loops over the bits of a number, as they are written by hand.
    fn bit_loop(&mut self) {
        let mark = self.bookmark();
        let value = self.expression();
        let kind = if value.numbers.kind.bits(self.target()) == 64 {
            IntKind::ULong
        } else {
            IntKind::UInt
        };
        let number = self.start_local(kind, value, false);
        let zero = self.literal(IntKind::Int, 0);
        let count = self.start_local(IntKind::Int, zero, false);
        let x = || number.expr.clone();
        let one = Expr::int(1);
        let more = match self.dice.random_range(0..4) {
            0 => Expr::compound(
                BinaryOp::BitAnd,
                x(),
                Expr::binary(BinaryOp::Sub, x(), one.clone()),
            ),
            1 | 2 => Expr::compound(BinaryOp::Shr, x(), one.clone()),
            _ => Expr::compound(BinaryOp::Shl, x(), one.clone()),
        };
        let counted = match self.dice.random_range(0..3) {
            0 => Expr::step(StepOp::PostIncrement, count.expr.clone()),
            1 => Expr::compound(
                BinaryOp::Add,
                count.expr.clone(),
                Expr::binary(BinaryOp::BitAnd, x(), one.clone()).cast(IntKind::Int),
            ),
            _ => Expr::compound(
                BinaryOp::BitXor,
                count.expr.clone(),
                Expr::binary(BinaryOp::BitAnd, x(), one).cast(IntKind::Int),
            ),
        };
        let body = vec![Stmt::Expr(counted), Stmt::Expr(more)];
        let condition = if self.dice.random() {
            x()
        } else {
            Expr::binary(BinaryOp::Ne, x(), Expr::int(0))
        };
        self.run_loop(&mark, body, |body| {
            Stmt::while_loop(condition.clone(), body)
        });
    }

    /// The greatest common divisor, or another loop that ends at zero.
    fn euclid_loop(&mut self) {
        let mark = self.bookmark();
        let kind = [IntKind::UInt, IntKind::ULong, IntKind::UShort][self.dice.random_range(0..3)];
        let mut locals = Vec::new();
        for _ in 0..3 {
            let term = self.small_expression();
            locals.push(self.start_local(kind, term, false).expr);
        }
        let [a, b, t] = [0, 1, 2].map(|at| locals[at].clone());
        let assign = |to: &Expr, value: Expr| Stmt::Expr(Expr::assign(to.clone(), value));
        let remainder = Expr::binary(BinaryOp::Rem, a.clone(), b.clone());
        let body = vec![assign(&t, remainder), assign(&a, b.clone()), assign(&b, t)];
        self.run_loop(&mark, body, |body| Stmt::while_loop(b.clone(), body));
    }

    /// A loop that ends when a condition fails or its fuel is spent.
    fn while_loop(&mut self) {
        let turns = self.dice.random_range(3..=20);
        let kind = [IntKind::Int, IntKind::UInt, IntKind::UChar][self.dice.random_range(0..3)];
        let mark = self.bookmark();
        let fuel = self.table_counter(kind, turns);
        self.push(Stmt::Expr(Expr::assign(
            fuel.expr.clone(),
            Expr::int(turns as i32),
        )));
        let (mut leaves, mut targets) = (vec![fuel.clone()], Vec::new());
        for _ in 0..2 {
            if let Some(holder) = self.plain_holder() {
                leaves.push(holder.clone());
                targets.push(holder);
            }
        }
        if targets.is_empty() {
            return self.go_back(&mark);
        }
        let count = self.dice.random_range(1..=3);
        let mut body = self.guessed_statements(leaves.clone(), &targets, count, &fuel);
        let old = std::mem::replace(&mut self.guesses, leaves);
        let condition = self.condition(2, 3).expr;
        self.guesses = old;
        let spent = Expr::step(StepOp::PostDecrement, fuel.expr.clone());
        let left = Expr::binary(BinaryOp::Gt, spent, Expr::int(0));
        match self.dice.random_range(0..3) {
            0 => {
                let both = Expr::logical(LogicalOp::And, left, condition);
                self.run_loop(&mark, body, |body| Stmt::while_loop(both.clone(), body));
            }
            1 => {
                let both = Expr::logical(LogicalOp::And, condition, left);
                self.run_loop(&mark, body, |body| Stmt::do_loop(body, both.clone()));
            }
            _ => {
                body.push(Stmt::if_then(condition, Stmt::Break));
                self.run_loop(&mark, body, |body| Stmt::while_loop(left.clone(), body));
            }
        }
    }

    /// A local counter that is an object like any other, with its value in the first turn.
    pub(super) fn table_counter(&mut self, kind: IntKind, first: i64) -> Holder {
        let term = Self::term(Expr::int(0), kind, vec![first; self.ledger.len()]);
        let holder = self.new_local(kind, &term, false);
        if let Some(local) = self.locals.last_mut() {
            local.writable = false;
        }
        holder
    }

    /// An array of numbers that may be written, with its length.
    pub(super) fn some_array(&mut self) -> Option<(KnownVariable, u64)> {
        let writable = self.may_write_globals();
        let globals = self.globals.iter().map(|global| &global.named);
        let arrays: Vec<(KnownVariable, u64)> = self.locals[self.frame_start()..]
            .iter()
            .chain(globals.filter(|_| writable))
            .filter(|named| named.writable && named.object().is_some())
            .filter_map(|named| match &named.ty {
                Type::Array { of, len } if of.int_kind().is_some() => Some((named.clone(), *len)),
                _ => None,
            })
            .collect();
        arrays.choose(&mut self.dice).cloned()
    }

    /// `array[counter + offset]` as it is in the first turn.
    fn first_element(
        &mut self,
        array: &KnownVariable,
        counter: &Holder,
        offset: i64,
    ) -> Option<Holder> {
        let counter = self.read(counter)?;
        let index = match offset {
            0 => counter,
            _ => self.apply(
                BinaryOp::Sub,
                &counter,
                &self.literal(IntKind::Int, (-offset).into()),
            )?,
        };
        self.element_at(array, &[index])
    }

    /// A scalar that lies at one place, named without pointers or computed indices.
    pub(super) fn plain_holder(&mut self) -> Option<Holder> {
        let indexing = std::mem::replace(&mut self.indexing, true);
        let holder = (0..6).find_map(|_| {
            let holder = self.writable_holder()?;
            plain(&holder.expr).then_some(holder)
        });
        self.indexing = indexing;
        holder
    }

    /// Statements that write the targets, from what holds in the first turn. Nothing is run.
    pub(super) fn guessed_statements(
        &mut self,
        leaves: Vec<Holder>,
        targets: &[Holder],
        count: u32,
        counter: &Holder,
    ) -> Vec<Stmt> {
        let old = std::mem::replace(&mut self.guesses, leaves);
        let mut items = Vec::new();
        for at in 0..count {
            let target = match targets.get(at as usize) {
                Some(target) => target.clone(),
                None => match targets.choose(&mut self.dice) {
                    Some(target) => target.clone(),
                    None => counter.clone(),
                },
            };
            let term = self.expression();
            let stmt = if self.percent(40) && target.bits.is_none() {
                let op = self.draw(&COMPOUND);
                Stmt::Expr(Expr::compound(op, target.expr, term.expr))
            } else {
                Stmt::Expr(Expr::assign(target.expr, term.expr))
            };
            items.push(
                if self.percent(30) && self.policy.features.has(Feature::Choices) {
                    let condition: Term = self.condition(2, 3);
                    Stmt::if_then(condition.expr, stmt)
                } else {
                    stmt
                },
            );
        }
        self.guesses = old;
        self.common = super::common::CommonRing::default();
        items
    }

    /// Runs a loop with a body, without its last statements if they cannot be mended; if
    /// nothing is left, what was written for the loop goes as well.
    pub(super) fn run_loop(
        &mut self,
        begun: &Bookmark,
        mut body: Vec<Stmt>,
        around: impl Fn(Stmt) -> Stmt,
    ) {
        while !body.is_empty() {
            let size: usize = body.iter().map(Stmt::size).sum();
            if let Some(stmt) = self.try_run(around(Stmt::Block(body.clone()))) {
                self.spend(size as i64);
                self.stats.loops += 1;
                self.push(stmt);
                return;
            }
            body.pop();
        }
        self.go_back(begun);
    }
}

/// Whether a place has no computed parts.
pub(super) fn plain(expr: &Expr) -> bool {
    match expr {
        Expr::Var(_) => true,
        Expr::Field { base, .. } => plain(base),
        Expr::Index { base, index } => plain(base) && matches!(**index, Expr::Const(_)),
        _ => false,
    }
}
