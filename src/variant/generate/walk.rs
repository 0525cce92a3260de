//! Loops that walk over arrays with pointers, proved by running them.

use super::Author;
use super::ledger::Address;
use super::names::{Holder, KnownVariable};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;

/// Most turns of such a loop.
const TURNS: u64 = 40;

impl Author<'_> {
    /// A pointer from one element of an array to another, up or down, or two side by side.
    pub(super) fn walking_loop(&mut self) {
        let Some((array, len)) = self.some_array().filter(|(_, len)| *len > 1) else {
            return self.assign();
        };
        let start = self.dice.random_range(0..len - 1);
        let end = self.dice.random_range(start + 1..=len.min(start + TURNS));
        match self.dice.random_range(0..3) {
            0 => self.walk_up(&array, start, end),
            1 => self.walk_down(&array, start, end),
            _ => self.walk_both(&array, start, end),
        }
    }

    /// `for (p = a + start; p < a + end; p++)`.
    fn walk_up(&mut self, array: &KnownVariable, start: u64, end: u64) {
        let mark = self.bookmark();
        let Some((pointer, element)) = self.walker(array, start) else {
            return;
        };
        let body = self.walked(element);
        let op = [BinaryOp::Lt, BinaryOp::Ne][self.dice.random_range(0..2)];
        let first = Expr::assign(pointer.clone(), moved(array, start));
        let condition = Expr::binary(op, pointer.clone(), moved(array, end));
        let step = Expr::step(StepOp::PreIncrement, pointer);
        self.run_loop(&mark, body, |body| {
            Stmt::for_loop(first.clone(), condition.clone(), step.clone(), body)
        });
    }

    /// `p = a + end; while (p != a + start) { --p; … }`.
    fn walk_down(&mut self, array: &KnownVariable, start: u64, end: u64) {
        let mark = self.bookmark();
        let Some((pointer, element)) = self.walker(array, end - 1) else {
            return;
        };
        let mut body = vec![Stmt::Expr(Expr::step(
            StepOp::PreDecrement,
            pointer.clone(),
        ))];
        body.extend(self.walked(element));
        let first = Stmt::Expr(Expr::assign(pointer.clone(), moved(array, end)));
        let condition = Expr::binary(BinaryOp::Ne, pointer, moved(array, start));
        self.run_loop(&mark, body, |body| {
            let walk = Stmt::while_loop(condition.clone(), body);
            Stmt::Block(vec![first.clone(), walk])
        });
    }

    /// `for (n = …, d = a + start, s = b + other; n > 0; n--) { *d++ = … *s …; s++; }`.
    fn walk_both(&mut self, array: &KnownVariable, start: u64, end: u64) {
        let turns = end - start;
        let from = self.some_array().filter(|(_, len)| *len >= turns);
        let Some((from, len)) = from else {
            return self.walk_up(array, start, end);
        };
        let mark = self.bookmark();
        let other = self.dice.random_range(0..=len - turns);
        let (to, from_walker) = (self.walker(array, start), self.walker(&from, other));
        let (Some((target, mut written)), Some((source, read))) = (to, from_walker) else {
            return self.go_back(&mark);
        };
        let counter = self.table_counter(IntKind::Int, turns as i64);
        written.expr = Expr::step(StepOp::PostIncrement, target.clone()).deref();
        let mut leaves = vec![read];
        leaves.extend(self.plain_holder());
        let old = std::mem::replace(&mut self.guesses, leaves);
        let value = self.expression();
        self.guesses = old;
        self.common = super::common::CommonRing::default();
        let body = vec![
            Stmt::Expr(Expr::assign(written.expr, value.expr)),
            Stmt::Expr(Expr::step(StepOp::PreIncrement, source.clone())),
        ];
        let begin = [
            Stmt::Expr(Expr::assign(target, moved(array, start))),
            Stmt::Expr(Expr::assign(source, moved(&from, other))),
        ];
        let first = Expr::assign(counter.expr.clone(), Expr::int(turns as i32));
        let condition = Expr::binary(BinaryOp::Gt, counter.expr.clone(), Expr::int(0));
        let step = Expr::step(StepOp::PostDecrement, counter.expr);
        self.run_loop(&mark, body, |body| {
            let walk = Stmt::for_loop(first.clone(), condition.clone(), step.clone(), body);
            let mut items = begin.to_vec();
            items.push(walk);
            Stmt::Block(items)
        });
    }

    /// Statements about what the pointer points to, as it is in the first turn.
    fn walked(&mut self, element: Holder) -> Vec<Stmt> {
        let (mut leaves, mut targets) = (vec![element.clone()], vec![element.clone()]);
        if let Some(holder) = self.plain_holder() {
            leaves.push(holder.clone());
            targets.push(holder);
        }
        if self.percent(30) {
            targets.swap_remove(0);
            targets.push(element.clone());
        }
        let count = self.dice.random_range(1..=2);
        self.guessed_statements(leaves, &targets, count, &element)
    }

    /// A new pointer that nothing else names, and what it points to in the first turn.
    fn walker(&mut self, array: &KnownVariable, at: u64) -> Option<(Expr, Holder)> {
        let Type::Array { of, .. } = &array.ty else {
            return None;
        };
        let kind = of.int_kind()?;
        let name = self.fresh("w");
        let var = Var {
            name: name.as_str().into(),
            ty: (**of).clone().pointer(),
        };
        self.ledger.add_object(&name, var.ty.clone())?;
        self.declare_bare(&var);
        let element = Holder {
            expr: Expr::Var(var.clone()).deref(),
            kind,
            bits: None,
            address: Address::Fixed(array.object()?, at as u32),
        };
        Some((Expr::Var(var), element))
    }
}

/// `array + index`, or the array itself for 0.
fn moved(array: &KnownVariable, index: u64) -> Expr {
    match index {
        0 => array.expr(),
        _ => Expr::binary(BinaryOp::Add, array.expr(), Expr::int(index as i32)),
    }
}
