//! Loops of a few turns, with counters that start, step and end in all ways.

use super::expr::is_constant;
use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use std::sync::Arc;

impl SnippetWriter {
    /// A loop.
    pub(super) fn a_loop(&mut self, depth: u32) -> Stmt {
        if self.style == SnippetStyle::Once && self.percent(35) {
            return self.going_on(depth);
        }
        match self.dice.random_range(0..22) {
            0..13 => self.counted(depth),
            13..16 => self.going_on(depth),
            16..18 => self.consuming(depth),
            18 | 19 => self.between_values(depth),
            _ => self.do_loop(depth),
        }
    }

    /// `for (i = a; i < b; i += c)`, also backwards and with ends that are computed.
    pub(super) fn counted(&mut self, depth: u32) -> Stmt {
        let statements = self.one_of(&[1, 1, 2, 2, 3]);
        self.counted_of(|writer| (0..statements).map(|_| writer.statement(depth)).collect())
    }

    /// Such a loop over statements of some sort.
    pub(super) fn counted_of(&mut self, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Stmt {
        let (counter, kind, is_own) = self.counter();
        let turns: i128 = if self.percent(85) {
            let least = i128::from(self.style == SnippetStyle::Once);
            self.dice.random_range(least..=self.length.min(8).into())
        } else {
            self.dice.random_range(0..=40)
        };
        let step: i128 = self.one_of(&[1, 1, 1, 1, 1, 2, 3, 4, 7]);
        let start = match self.dice.random_range(0..10) {
            0..6 => 0,
            6 | 7 => self.dice.random_range(-2..=3),
            8 => self.near_number(),
            _ => {
                let near = kind.min(self.target());
                near + self.dice.random_range(0..3)
            }
        };
        let back = self.percent(30);
        let (from, to) = if back {
            (start + (turns - 1) * step, start)
        } else {
            (start, start + turns * step)
        };
        let name = Expr::Var(counter.clone());
        let (op, end) = match (back, self.dice.random_range(0..10)) {
            (false, 0..5) => (BinaryOp::Lt, to),
            (false, 5..8) => (BinaryOp::Le, to - step),
            (false, _) => (BinaryOp::Ne, to),
            (true, 0..5) => (BinaryOp::Ge, to),
            (true, 5..8) => (BinaryOp::Gt, to - step),
            (true, _) => (BinaryOp::Ne, to - step),
        };
        let start = self.loop_limit(kind, from, 20);
        let start = Expr::assign(name.clone(), start);
        let end = self.loop_limit(kind, end, 35);
        let end = if is_constant(&end) && self.percent(20) {
            self.computed_end(end)
        } else {
            end
        };
        let condition = Expr::binary(op, name.clone(), end);
        let advance = self.advance(name, step, back);
        let body = self.body_of(Some(&counter), body);
        if is_own && self.percent(60) {
            // Nobody asks for the counter later.
            self.objects.retain(|var| *var != counter);
        }
        Stmt::for_loop(start, condition, advance, body)
    }

    /// A number that a loop starts or ends with, steered so many times in a hundred.
    fn loop_limit(&mut self, kind: IntKind, number: i128, percent: u32) -> Expr {
        match i32::try_from(number) {
            Ok(number) if self.style == SnippetStyle::Once && self.percent(percent) => {
                self.steered(number)
            }
            _ => Expr::Const(Value::new(kind, number, self.target())),
        }
    }

    /// An end that the optimiser does not know at once.
    fn computed_end(&mut self, end: Expr) -> Expr {
        let Some(var) = self.plain_variable() else {
            return end;
        };
        let var = Expr::Var(var);
        match self.dice.random_range(0..3) {
            0 => var,
            1 => Expr::binary(BinaryOp::BitAnd, var, Expr::int(7)),
            _ => Expr::binary(BinaryOp::Add, var, end),
        }
    }

    /// A variable to count with and its type: one that is there, also a global, or one of the
    /// loop's own.
    fn counter(&mut self) -> (Var, IntKind, bool) {
        let there = if self.style == SnippetStyle::Once {
            60
        } else {
            30
        };
        if self.percent(there)
            && let Some(var) = self.plain_variable()
            && let Some(kind) = var.ty.int_kind()
            && kind != IntKind::Bool
        {
            return (var, kind, false);
        }
        let kind = self.counter_kind();
        (self.declare(kind, None), kind, true)
    }

    fn counter_kind(&mut self) -> IntKind {
        if self.percent(60) {
            IntKind::Int
        } else {
            self.counting_kind()
        }
    }

    fn advance(&mut self, counter: Expr, step: i128, back: bool) -> Expr {
        let op = if back { BinaryOp::Sub } else { BinaryOp::Add };
        if step == 1 {
            let steps = if back {
                [StepOp::PostDecrement, StepOp::PreDecrement]
            } else {
                [StepOp::PostIncrement, StepOp::PreIncrement]
            };
            return match self.dice.random_range(0..10) {
                0 => Expr::assign(counter.clone(), Expr::binary(op, counter, Expr::int(1))),
                1 => Expr::compound(op, counter, Expr::int(1)),
                _ => Expr::step(self.one_of(&steps), counter),
            };
        }
        Expr::compound(op, counter, Expr::int(step as i32))
    }

    /// `for (; v < c; v++)` of a variable that is there.
    fn going_on(&mut self, depth: u32) -> Stmt {
        let Some(var) = self.plain_variable() else {
            return self.assignment();
        };
        let op = self.one_of(&[
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Ne,
            BinaryOp::Gt,
            BinaryOp::Ge,
        ]);
        let back =
            matches!(op, BinaryOp::Gt | BinaryOp::Ge) || (op == BinaryOp::Ne && self.percent(50));
        let end = Expr::int(self.dice.random_range(-2..=self.length.min(8) as i32));
        let name = Expr::Var(var.clone());
        let asked = if self.percent(25) {
            // A function of the counter decides.
            let (kind, other) = (self.kind(), self.leaf());
            let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]);
            Expr::binary(op, name.clone(), other).cast(kind)
        } else {
            name.clone()
        };
        let asked = if self.style == SnippetStyle::Once && self.percent(20) {
            Expr::binary(BinaryOp::Add, self.steered(0), asked)
        } else {
            asked
        };
        let condition = Expr::binary(op, asked, end);
        let step = self.one_of(&[1, 1, 1, 2, 3]);
        let advance = self.advance(name, step, back);
        let body = self.loop_body(Some(&var), depth);
        Stmt::For {
            start: None,
            condition: Some(condition),
            step: Some(advance),
            body: Arc::new(body),
        }
    }

    /// `for (i = x; i < y; i += z)`, of which nothing is known before it runs.
    fn between_values(&mut self, depth: u32) -> Stmt {
        let (counter, _, _) = self.counter();
        let name = Expr::Var(counter.clone());
        let [start, end] = [(); 2].map(|()| self.expr(1));
        let op = self.one_of(&[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Ne, BinaryOp::Gt]);
        let step = if op == BinaryOp::Gt {
            BinaryOp::Sub
        } else {
            BinaryOp::Add
        };
        let by = if self.percent(50) {
            Expr::int(self.one_of(&[1, 1, 2, 3]))
        } else {
            self.leaf()
        };
        let condition = Expr::binary(op, name.clone(), end);
        let start = Expr::assign(name.clone(), start);
        let advance = Expr::compound(step, name, by);
        let body = self.loop_body(Some(&counter), depth);
        Stmt::for_loop(start, condition, advance, body)
    }

    /// `while (x) x >>= 1;` and its like.
    fn consuming(&mut self, depth: u32) -> Stmt {
        let Some(var) = self.plain_variable() else {
            return self.assignment();
        };
        let name = Expr::Var(var.clone());
        let small = self.dice.random_range(1..=4);
        let by = Expr::int(small);
        let less = match self.dice.random_range(0..5) {
            0 => Expr::compound(BinaryOp::Shr, name.clone(), by),
            1 => Expr::compound(BinaryOp::Div, name.clone(), Expr::int(small + 1)),
            2 => {
                let below = Expr::binary(BinaryOp::Sub, name.clone(), Expr::int(1));
                Expr::compound(BinaryOp::BitAnd, name.clone(), below)
            }
            3 => Expr::compound(BinaryOp::Sub, name.clone(), by),
            _ => Expr::compound(BinaryOp::Shl, name.clone(), by),
        };
        let condition = match self.dice.random_range(0..4) {
            0 => Expr::binary(BinaryOp::Gt, name, self.constant()),
            1 => Expr::binary(BinaryOp::Ne, name, Expr::int(0)),
            _ => name,
        };
        let body = self.loop_body(Some(&var), depth);
        let mut items = vec![body, Stmt::Expr(less)];
        if self.dice.random() {
            items.swap(0, 1);
        }
        Stmt::while_loop(condition, Stmt::Block(items))
    }

    /// `do … while (condition && --fuel > 0);`, or with a condition alone.
    fn do_loop(&mut self, depth: u32) -> Stmt {
        let body = self.loop_body(None, depth);
        let condition = self.condition(1);
        if self.percent(30) {
            return Stmt::do_loop(body, condition);
        }
        let turns = self.dice.random_range(1..=5);
        let fuel = self.declare(IntKind::Int, Some(Expr::int(turns)));
        self.objects.retain(|var| *var != fuel);
        let left = Expr::step(StepOp::PreDecrement, Expr::Var(fuel));
        let left = Expr::binary(BinaryOp::Gt, left, Expr::int(0));
        Stmt::do_loop(body, Expr::logical(LogicalOp::And, condition, left))
    }

    /// The body of a loop, which leaves its counter alone.
    fn loop_body(&mut self, counter: Option<&Var>, depth: u32) -> Stmt {
        let statements = self.one_of(&[1, 1, 2, 2, 3]);
        self.body_of(counter, |writer| {
            (0..statements).map(|_| writer.statement(depth)).collect()
        })
    }

    fn body_of(
        &mut self,
        counter: Option<&Var>,
        statements: impl FnOnce(&mut Self) -> Vec<Stmt>,
    ) -> Stmt {
        self.counters.extend(counter.cloned());
        self.breakable += 1;
        self.loops += 1;
        let body = self.block_of(statements, |_, _, _| {});
        self.loops -= 1;
        self.breakable -= 1;
        if counter.is_some() {
            self.counters.pop();
        }
        body
    }

    /// A local array whose elements are set.
    pub(super) fn local_array(&mut self) {
        let (kind, len) = (self.kind(), self.length);
        let var = self.var("a", Type::Int(kind).array(len));
        if self.percent(20) {
            // Whoever writes it first decides what it holds.
            self.declarations
                .push(Stmt::declare(&var.name, var.ty.clone(), None));
            self.objects.push(var);
            return;
        }
        let items = (0..len.min(4)).map(|_| self.constant());
        let items: Vec<Expr> = items.collect();
        self.declare_list(var, items);
    }
}
