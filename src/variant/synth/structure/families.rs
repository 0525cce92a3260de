//! Families of related linear expressions: the same products in several sums, compared
//! with each other. What reassociation, common subexpressions and known bits work on.

use super::Pieces;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

impl<R: Rng> Synth<'_, R> {
    /// `u = k1 * a + k2 * b`, `v = k1 * a - k2 * b + k3`, and what their order decides.
    pub(super) fn family(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let (a, b) = (self.operand(pieces), self.operand(pieces));
        // Signed types of 64 bits have room for many products of narrower values;
        // unsigned ones wrap.
        let kind = *[
            IntKind::UInt,
            IntKind::ULong,
            IntKind::LongLong,
            IntKind::Int,
        ]
        .choose(self.rng)?;
        let factors = [self.extreme(kind), self.extreme(kind), self.extreme(kind)];
        let mut items = Vec::new();
        let mut sums = Vec::new();
        for number in 0..self.rng.random_range(2..=4) {
            let product = |factor: &Expr, value: &Expr| {
                let value = value.clone().cast(kind);
                Expr::binary(BinaryOp::Mul, factor.clone(), value)
            };
            let op = if self.rng.random() {
                BinaryOp::Add
            } else {
                BinaryOp::Sub
            };
            let first = product(factors.choose(self.rng)?, &a);
            let second = product(factors.choose(self.rng)?, &b);
            let mut sum = Expr::binary(op, first, second);
            if self.one_in(3) {
                sum = Expr::binary(BinaryOp::Add, sum, self.extreme(kind));
            }
            let (var, declaration) = self.fresh(&format!("v{number}"), kind, Some(sum));
            items.push(declaration);
            sums.push(var);
        }
        let comparisons = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ne];
        let (one, two) = (sums.choose(self.rng)?.clone(), sums[0].clone());
        let question = Expr::binary(*comparisons.choose(self.rng)?, one.clone(), two.clone());
        let wrapped = |expr: Expr| expr.cast(IntKind::ULongLong);
        let difference = Expr::binary(BinaryOp::Sub, wrapped(one.clone()), wrapped(two.clone()));
        let both = Expr::binary(BinaryOp::BitXor, one, two);
        if self.rng.random() {
            let value = Expr::conditional(question, difference, wrapped(both));
            items.push(self.deliver(pieces, value)?);
        } else {
            let yes = Stmt::Block(vec![self.deliver(pieces, difference)?]);
            let no = Stmt::Block(vec![self.deliver(pieces, both)?]);
            items.push(Stmt::if_else(question, yes, no));
        }
        Some(Stmt::Block(items))
    }

    /// A constant at or next to an edge: of a type, of a power of two, of zero.
    fn extreme(&mut self, kind: IntKind) -> Expr {
        let target = self.types.target;
        let power = 1_i128 << self.rng.random_range(0..kind.bits(target) - 1);
        let edge = match self.rng.random_range(0..6) {
            0 => kind.max(target),
            1 => kind.min(target),
            2 | 3 => power,
            4 => -power,
            _ => 0,
        };
        let math = edge + self.rng.random_range(-2..=2);
        Value::new(kind, math, target).into()
    }
}
