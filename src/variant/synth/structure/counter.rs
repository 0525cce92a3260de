//! Counters: a new variable that start, condition and step of a loop have in common.

use super::Pieces;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

/// A counter and how it counts.
#[derive(Clone, Debug)]
pub(in super::super) struct Counter {
    pub(in super::super) var: Expr,
    pub(in super::super) declaration: Stmt,
    start: Expr,
    condition: Expr,
    step: Expr,
    /// What it holds in the body, at least and at most.
    pub(in super::super) least: u64,
    pub(in super::super) most: u64,
}

impl Counter {
    /// `for (start; condition; step) body`.
    pub(in super::super) fn loop_over(&self, body: Vec<Stmt>) -> Stmt {
        let (start, condition, step) = (&self.start, &self.condition, &self.step);
        let body = Stmt::Block(body);
        Stmt::for_loop(start.clone(), condition.clone(), step.clone(), body)
    }

    /// The same as `start; while (condition) { body step }`, for bodies that do not
    /// continue.
    pub(in super::super) fn while_over(&self, mut body: Vec<Stmt>) -> [Stmt; 2] {
        body.push(Stmt::Expr(self.step.clone()));
        let turned = Stmt::while_loop(self.condition.clone(), Stmt::Block(body));
        [Stmt::Expr(self.start.clone()), turned]
    }

    /// The same with a test behind each turn, for counters that make one at least.
    pub(in super::super) fn do_over(&self, mut body: Vec<Stmt>) -> [Stmt; 2] {
        body.push(Stmt::Expr(self.step.clone()));
        let turned = Stmt::do_loop(Stmt::Block(body), self.condition.clone());
        [Stmt::Expr(self.start.clone()), turned]
    }
}

impl<R: Rng> Synth<'_, R> {
    /// A counter that makes up to so many turns: up or down, by one or more, its bound a
    /// constant, a variable or computed.
    pub(in super::super) fn counter(&mut self, pieces: &Pieces, role: &str, turns: u64) -> Counter {
        let kind = *[
            IntKind::Int,
            IntKind::Int,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
            IntKind::Short,
            IntKind::UChar,
        ]
        .choose(self.rng)
        .expect("the list is not empty");
        let number =
            |value: u64| Expr::from(Value::new(kind.promoted(), value.into(), self.types.target));
        let (var, declaration) = self.fresh(role, kind, None);
        let turns = turns.max(2);
        let (bound, most) = match self.rng.random_range(0..5) {
            0 => self.bound(pieces, turns),
            _ => None,
        }
        .unwrap_or_else(|| {
            let most = self.rng.random_range(2..=turns);
            (number(most), most)
        });
        if self.one_in(4) {
            // Down to one, and never below zero, which unsigned counters do not have.
            return Counter {
                start: Expr::assign(var.clone(), bound),
                condition: Expr::binary(BinaryOp::Gt, var.clone(), number(0)),
                step: Expr::step(
                    self.one_of([StepOp::PreDecrement, StepOp::PostDecrement]),
                    var.clone(),
                ),
                var,
                declaration,
                least: 1,
                most,
            };
        }
        let first = if self.one_in(4) { 1 } else { 0 };
        let by = if self.one_in(5) {
            self.rng.random_range(2..=3)
        } else {
            1
        };
        let step = match by {
            1 => Expr::step(
                self.one_of([StepOp::PreIncrement, StepOp::PostIncrement]),
                var.clone(),
            ),
            _ => Expr::compound(BinaryOp::Add, var.clone(), number(by)),
        };
        Counter {
            start: Expr::assign(var.clone(), number(first)),
            condition: Expr::binary(BinaryOp::Lt, var.clone(), bound),
            step,
            var,
            declaration,
            least: first,
            most: most - 1,
        }
    }

    /// A bound that is not a constant, and the most it can be.
    fn bound(&mut self, pieces: &Pieces, turns: u64) -> Option<(Expr, u64)> {
        let fitting = pieces.bounds.iter().filter(|(_, most)| *most <= turns);
        let fitting: Vec<&(Expr, u64)> = fitting.collect();
        match fitting.choose(self.rng) {
            Some(bound) if self.rng.random() => Some((*bound).clone()),
            _ => {
                let operand = pieces.operands.choose(self.rng)?.clone();
                let mask = if turns > 8 && self.rng.random() { 7 } else { 1 };
                let masked = Expr::binary(BinaryOp::BitAnd, operand, Expr::int(mask));
                // Of type `int`, so that counters of any type are compared with it as
                // with a constant.
                let least = Expr::int(1);
                let bound = Expr::binary(BinaryOp::Add, masked, least);
                Some((bound, mask as u64 + 1))
            }
        }
    }

    fn one_of<T: Copy, const N: usize>(&mut self, items: [T; N]) -> T {
        items[self.rng.random_range(0..N)]
    }
}
