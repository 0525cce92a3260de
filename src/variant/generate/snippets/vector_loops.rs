//! Loops that change a few vectors turn by turn, each by single operations: what stays in registers
//! from one turn to the next, what is computed although it may never be needed, and what a block
//! that never runs does with the same vectors is decided late, when vectors have become registers
//! of a machine that has not all of these operations.

use super::SnippetWriter;
use super::vectors::VectorBlock;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::vectors::parts;
use crate::variant::generate::weights::PLAIN;
use rand::Rng;
use std::sync::Arc;

/// Instructions that a row of such a snippet may execute.
const STEPS: u64 = 4_000;

/// A loop that is being written.
struct VectorLoop {
    vectors: VectorBlock,
    counter: Expr,
    turns: i32,
    /// What is 0 in all rows.
    never: Expr,
}

impl SnippetWriter {
    /// A test that is such a loop, or two of them one after the other.
    pub(super) fn vector_loop(&mut self) {
        self.snippet.steps = STEPS;
        let never = self.never();
        for _ in 0..self.one_of(&[1, 1, 2]) {
            let kind = self.kind();
            self.global(Type::Int(kind));
        }
        let loops = self.one_of(&[1, 1, 1, 2]);
        let body = self.block_of(
            |writer| {
                let vectors = writer.vectors();
                let mut looped = VectorLoop {
                    vectors,
                    counter: Expr::int(0),
                    turns: 1,
                    never,
                };
                let mut items = Vec::new();
                for _ in 0..loops {
                    let kind = writer.counting_kind();
                    let counter = writer.declare(kind, Some(Expr::int(0)));
                    writer.objects.pop();
                    looped.counter = Expr::Var(counter);
                    looped.turns = writer.dice.random_range(1..=6);
                    items.extend(writer.vector_turns(&looped));
                }
                items.extend(writer.vectors_kept(&looped.vectors));
                items
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    /// What the vectors of a block that are no globals hold at its end.
    pub(super) fn vectors_kept(&mut self, block: &VectorBlock) -> Vec<Stmt> {
        let mut items = Vec::new();
        for var in &block.vars {
            let is_global = self.objects.contains(var);
            if !is_global && self.percent(70) {
                let output = Expr::Var(self.output(var.ty.clone()));
                items.push(Stmt::Expr(Expr::assign(output, Expr::Var(var.clone()))));
            }
        }
        items
    }

    /// The loop, in one of the forms that a loop can have.
    fn vector_turns(&mut self, looped: &VectorLoop) -> Vec<Stmt> {
        let mut lines = Vec::new();
        for _ in 0..self.one_of(&[1, 2, 2, 2, 3, 4]) {
            lines.push(self.vector_step(looped));
        }
        let counter = looped.counter.clone();
        let step = self.one_of(&[1, 1, 1, 2, 4]);
        let end = Expr::int(step * looped.turns);
        let next = match step {
            1 => Expr::step(StepOp::PostIncrement, counter.clone()),
            _ => Expr::compound(BinaryOp::Add, counter.clone(), Expr::int(step)),
        };
        let op = self.one_of(&[BinaryOp::Ne, BinaryOp::Lt]);
        let goes_on = Expr::binary(op, counter.clone(), end);
        let form = self.dice.random_range(0..10);
        if form < 4 || !self.has(Feature::Gotos) {
            if form % 2 == 0 {
                let start = Expr::assign(counter, Expr::int(0));
                return vec![Stmt::for_loop(start, goes_on, next, Stmt::Block(lines))];
            }
            lines.push(Stmt::Expr(next));
            return vec![Stmt::do_loop(Stmt::Block(lines), goes_on)];
        }
        let again: Arc<str> = self.fresh("l").into();
        let mut items = vec![Stmt::Label(again.clone())];
        items.extend(lines);
        items.push(Stmt::Expr(next));
        if form < 8 || !self.has(Feature::Switches) {
            items.push(Stmt::if_then(goes_on, Stmt::Goto(again)));
            return items;
        }
        let end: Arc<str> = self.fresh("l").into();
        let kind = self.promoted_kind(&counter);
        let last = Value::new(kind, (step * looped.turns).into(), self.target());
        let cases = vec![
            Stmt::Case(last),
            Stmt::Goto(end.clone()),
            Stmt::Default,
            Stmt::Goto(again),
        ];
        items.push(Stmt::switch(counter, Stmt::Block(cases)));
        // A label stands before a statement.
        items.extend([Stmt::Label(end), Stmt::Empty]);
        items
    }

    /// A single operation, in every turn, in some or in none.
    fn vector_step(&mut self, looped: &VectorLoop) -> Stmt {
        let var = self.some_vector(&looped.vectors);
        let name = Expr::Var(var.clone());
        let step = match self.dice.random_range(0..12) {
            0 => {
                let lane = self.lane_index(&var.ty);
                let value = self.leaf();
                Stmt::Expr(Expr::assign(name.index(lane), value))
            }
            1 => self.lane_taken(&looped.vectors),
            2 if self.has(Feature::Bytes) => self.seen_as_other(&name, &var.ty),
            _ => {
                let value = self.changed_vector(&looped.vectors, &var);
                Stmt::Expr(Expr::assign(name, value))
            }
        };
        let asked = match self.dice.random_range(0..20) {
            0..6 => looped.never.clone(),
            6 | 7 => {
                let turn = Expr::int(self.dice.random_range(0..=looped.turns));
                Expr::binary(BinaryOp::Eq, looped.counter.clone(), turn)
            }
            8 => self.condition(1),
            _ => return step,
        };
        Stmt::if_then(asked, Stmt::Block(vec![step]))
    }

    /// What becomes of a vector in one operation.
    fn changed_vector(&mut self, block: &VectorBlock, var: &Var) -> Expr {
        let (name, ty) = (Expr::Var(var.clone()), &var.ty);
        let right = if self.percent(50) {
            name.clone()
        } else {
            self.vector_leaf(block, ty)
        };
        match self.dice.random_range(0..16) {
            0..5 => self.shuffled(ty, name, right),
            5..10 => {
                let op = self.one_of(&PLAIN);
                Expr::binary(op, name, right)
            }
            10 => {
                let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
                Expr::binary(BinaryOp::COMPARISONS[at], name, right).cast(ty.clone())
            }
            11 | 12 => {
                let op = self.one_of(&[BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Mul, BinaryOp::Div]);
                let most = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                    parts(ty).0.bits(self.target())
                } else {
                    100
                };
                let number = self.dice.random_range(1..most).into();
                Expr::binary(op, name, self.vector_of(ty, number))
            }
            _ => self.vector_expr(block, ty, 1),
        }
    }
}
