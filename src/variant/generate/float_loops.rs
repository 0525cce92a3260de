//! Loops over arrays of exact floating-point numbers: element by element, sums, the least and
//! the largest.

use super::Author;
use super::floats::{Label, TurnLeaves, real};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Tries to make an expression that a variable can hold.
const TRIES: u32 = 6;

impl Author<'_> {
    /// A loop over arrays of floating-point numbers.
    pub(super) fn float_loop(&mut self) {
        let made = self.float_loop_stmt();
        match made.and_then(|stmt| self.try_run(stmt)) {
            Some(stmt) => self.push(stmt),
            None => self.assign(),
        }
    }

    fn float_loop_stmt(&mut self) -> Option<Stmt> {
        let target = self.float_arrays.choose(&mut self.dice)?.clone();
        let turns = self.dice.random_range(target.len / 2..=target.len);
        let counter = self.scratch("i", &Type::INT)?;
        let leaves = TurnLeaves {
            counter: counter.clone(),
            turns,
        };
        let end = self.turns_end(turns)?;
        let around = |body: Stmt| {
            Stmt::for_loop(
                Expr::assign(counter.clone(), Expr::int(0)),
                Expr::binary(BinaryOp::Lt, counter.clone(), end),
                Expr::step(StepOp::PostIncrement, counter.clone()),
                Stmt::Block(vec![body]),
            )
        };
        if self.percent(50) {
            return self.float_reduction(&leaves, around);
        }
        let element = target.named.expr().index(counter.clone());
        for _ in 0..TRIES {
            let floats = self.dice.random_range(1..=4);
            let term = self.float_tree(floats, 0, 4, Some(&leaves));
            if term.label.within(target.label) && term.label.fits(target.kind) {
                return Some(around(Stmt::Expr(Expr::assign(element, term.expr))));
            }
        }
        let term = self.float_tree(3, 0, 4, Some(&leaves));
        if term.label.bound >= 2f64.powi(31) {
            return None;
        }
        let whole = term.expr.cast(IntKind::Int);
        let masked = Expr::binary(BinaryOp::BitAnd, whole, Expr::int(15));
        Some(around(Stmt::Expr(Expr::assign(element, masked))))
    }

    /// Where a loop of at most so many turns ends: a constant, or an input.
    fn turns_end(&mut self, turns: u64) -> Option<Expr> {
        if self.dice.random() {
            return Some(Expr::int(turns as i32));
        }
        let rows = self.ledger.table().rows();
        let least = turns as i64 / 2;
        let ends = (0..rows).map(|_| self.dice.random_range(least..=turns as i64));
        let ends = ends.collect();
        let named = self.global_of(IntKind::Int, ends)?;
        if let Some(global) = self.globals.last_mut() {
            global.named.writable = false;
        }
        Some(named.expr())
    }

    /// A sum, or the least or largest of what the turns compute, kept as an integer.
    fn float_reduction(
        &mut self,
        leaves: &TurnLeaves,
        around: impl FnOnce(Stmt) -> Stmt,
    ) -> Option<Stmt> {
        let floats = self.dice.random_range(0..=3);
        let term = self.float_tree(floats, 0, 4, Some(leaves));
        let sum = Label {
            bound: term.label.bound * leaves.turns as f64,
            ..term.label
        };
        let kind = term.kind;
        let adds = self.percent(70) && sum.fits(kind);
        let label = if adds { sum } else { term.label };
        let result = self.scratch("s", &Type::Float(kind))?;
        let body = if adds {
            let add = Stmt::Expr(Expr::compound(
                BinaryOp::Add,
                result.clone(),
                term.expr.clone(),
            ));
            match self.array_leaf(Some(leaves)) {
                Some(other) if self.percent(30) => {
                    let smaller = Expr::binary(BinaryOp::Lt, other.expr, real(kind, 0.0));
                    Stmt::if_then(smaller, add)
                }
                _ => add,
            }
        } else {
            let op = if self.dice.random() {
                BinaryOp::Lt
            } else {
                BinaryOp::Gt
            };
            let better = Expr::binary(op, term.expr.clone(), result.clone());
            let best = Expr::conditional(better, term.expr.clone(), result.clone());
            Stmt::Expr(Expr::assign(result.clone(), best))
        };
        // The grain is not lost: what is kept is a whole number.
        let whole = label.bound * f64::from(label.grain).exp2();
        let scale = if whole < 2f64.powi(31) {
            label.grain
        } else {
            0
        };
        let scale = real(kind, f64::from(scale).exp2());
        let scaled = Expr::binary(BinaryOp::Mul, result.clone(), scale);
        let holder = self.writable_holder()?;
        if holder.bits.is_some() {
            return None;
        }
        let kept = scaled.cast(if whole < 2f64.powi(31) {
            IntKind::Int
        } else {
            IntKind::Long
        });
        Some(Stmt::Block(vec![
            Stmt::Expr(Expr::assign(result, real(kind, 0.0))),
            around(body),
            Stmt::Expr(Expr::assign(holder.expr, kept)),
        ]))
    }
}
