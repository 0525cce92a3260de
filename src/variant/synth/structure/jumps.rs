//! Switches that fall through, and jumps among labels of ours.

use super::Pieces;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::synth::Synth;
use rand::Rng;
use std::sync::Arc;

impl<R: Rng> Synth<'_, R> {
    /// A switch whose cases mostly fall through to the next, perhaps in a loop.
    pub(super) fn fallthrough(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let kind = self.width();
        let start = self.operand(pieces);
        let (state, declaration) = self.fresh("v0", kind, Some(start));
        let mut items = vec![declaration];
        let counter = self.counter(pieces, "n0", pieces.turns);
        let is_looped = self.rng.random();
        let value = if is_looped {
            counter.var.clone()
        } else {
            self.operand(pieces)
        };
        let mask = if self.rng.random() { 3 } else { 7 };
        let value = Expr::binary(BinaryOp::BitAnd, value, Expr::int(mask));
        let mut cases = Vec::new();
        for number in 0..self.rng.random_range(2..=4) {
            cases.push(Stmt::Case(Value::int(number)));
            let arithmetic = self.arithmetic();
            let next = self.term(pieces, arithmetic, std::slice::from_ref(&state));
            cases.push(Stmt::Expr(Expr::assign(state.clone(), next)));
            if self.one_in(3) {
                cases.push(Stmt::Break);
            }
        }
        cases.push(Stmt::Default);
        let step = self.rng.random_range(1..=9);
        let change = Expr::compound(BinaryOp::BitXor, state.clone(), Expr::int(step));
        cases.push(Stmt::Expr(change));
        let switch = Stmt::switch(value, Stmt::Block(cases));
        if is_looped {
            items.push(counter.declaration.clone());
            items.push(counter.loop_over(vec![switch]));
        } else {
            items.push(switch);
        }
        items.push(self.deliver(pieces, state)?);
        Some(Stmt::Block(items))
    }

    /// Some labelled steps and jumps between them in any direction. Each jump back takes
    /// from a supply, so that it ends.
    pub(super) fn graph(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let kind = self.width();
        let start = self.operand(pieces);
        let (state, declaration) = self.fresh("v0", kind, Some(start));
        let most = pieces.turns.clamp(2, 12) as i32;
        let supply = Expr::int(self.rng.random_range(2..=most));
        let (fuel, fuelled) = self.fresh("f0", IntKind::Int, Some(supply));
        let mut items = vec![declaration, fuelled];
        let count = self.rng.random_range(2..=4);
        let labels: Vec<Arc<str>> = (0..count).map(|_| self.label()).collect();
        for label in &labels {
            items.push(Stmt::Label(label.clone()));
            let arithmetic = self.arithmetic();
            let next = self.term(pieces, arithmetic, &[state.clone(), fuel.clone()]);
            items.push(Stmt::Expr(Expr::assign(state.clone(), next)));
            let question = self.question(pieces, std::slice::from_ref(&state));
            let to = &labels[self.rng.random_range(0..count)];
            let left = Expr::step(StepOp::PostDecrement, fuel.clone());
            let is_left = Expr::binary(BinaryOp::Gt, left, Expr::int(0));
            let jump = Stmt::if_then(is_left, Stmt::Block(vec![Stmt::Goto(to.clone())]));
            items.push(Stmt::if_then(question, Stmt::Block(vec![jump])));
        }
        items.push(self.deliver(pieces, state)?);
        Some(Stmt::Block(items))
    }

    /// A label that no other statement of the program has.
    pub(in super::super) fn label(&mut self) -> Arc<str> {
        self.labels += 1;
        self.name(&format!("l{}", self.labels)).into()
    }
}
