//! A value and the state around it, so that neither is had without the other.

use super::super::{Synth, View};
use super::unsigned;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;

impl<R: Rng> Synth<'_, R> {
    /// The value of an expression, in the unsigned type that it is computed in, by way of
    /// something that has one value in all visits.
    pub(super) fn entangled(&mut self, view: &View, carrier: &Expr) -> Option<Expr> {
        let fixed = self.fixed(view)?;
        self.entangled_with(view, carrier, fixed)
    }

    /// The same with an expression that was shown to have this value in every visit.
    pub(crate) fn entangled_with(
        &mut self,
        view: &View,
        carrier: &Expr,
        fixed: (Expr, Value),
    ) -> Option<Expr> {
        use BinaryOp::{Add, BitXor, Eq, Ne, Sub};
        let kind = self.types.type_of(carrier).ok()?.int_kind()?;
        let kind = unsigned(kind);
        let carrier = self.as_kind(carrier.clone(), kind);
        let (expr, value) = self.folded(fixed, kind);
        let target = self.types.target;
        // A carrier of 0 would hide what it is multiplied by, so it is moved away first.
        let offset = i128::from(self.rng.random_range(1000..i32::MAX));
        let constant = |math| Expr::from(Value::new(kind, math, target));
        let join = Expr::binary;
        let moved = || join(Add, carrier.clone(), constant(offset));
        let back = |moved| join(Sub, moved, constant(offset));
        Some(match self.rng.random_range(0..12) {
            0 | 1 => back(join(
                BitXor,
                join(BitXor, moved(), expr),
                constant(value.math()),
            )),
            2 | 3 => join(
                Sub,
                join(Add, expr, moved()),
                constant(value.math() + offset),
            ),
            4 => join(
                Add,
                join(Sub, moved(), expr),
                constant(value.math() - offset),
            ),
            5 => join(
                Sub,
                constant(value.math() - offset),
                join(Sub, expr, moved()),
            ),
            6 => {
                let other = self.expression(view);
                let other = self.as_kind(other, kind);
                Expr::conditional(join(Ne, expr, value.into()), other, carrier)
            }
            7 => {
                let other = self.expression(view);
                let other = self.as_kind(other, kind);
                Expr::conditional(join(Eq, expr, value.into()), carrier, other)
            }
            8 | 9 => back(self.turned(kind, moved(), expr, value)),
            _ => back(self.multiplied(kind, moved(), expr, value)),
        })
    }

    /// As wide as the given unsigned type: of more bits, the upper ones are folded into the
    /// lower ones, so that none is lost.
    fn folded(&mut self, (expr, value): (Expr, Value), kind: IntKind) -> (Expr, Value) {
        let target = self.types.target;
        let (from, to) = (value.kind().bits(target), kind.bits(target));
        if from == to && value.kind() == kind {
            return (expr, value);
        }
        let (mut folded, mut math) = (expr.clone(), value.math());
        if from > to {
            let upper = Expr::binary(BinaryOp::Shr, expr, Expr::int(to as i32));
            folded = Expr::binary(BinaryOp::BitXor, folded, upper);
            math ^= math >> to;
        }
        (self.as_kind(folded, kind), Value::new(kind, math, target))
    }

    /// Multiplied by an odd number and by its inverse, one of them not to be seen.
    fn multiplied(&mut self, kind: IntKind, carrier: Expr, expr: Expr, value: Value) -> Expr {
        let target = self.types.target;
        let odd = 2 * self.rng.random_range(1..1000_u64) + 1;
        let constant = |math: i128| Expr::from(Value::new(kind, math, target));
        let mend = constant(value.math() ^ i128::from(odd));
        let hidden = Expr::binary(BinaryOp::BitXor, expr, mend);
        let product = Expr::binary(BinaryOp::Mul, carrier, hidden);
        Expr::binary(BinaryOp::Mul, product, constant(inverse(odd).into()))
    }

    /// Rotated there and back, by an amount that is not to be seen.
    fn turned(&mut self, kind: IntKind, carrier: Expr, expr: Expr, value: Value) -> Expr {
        let target = self.types.target;
        let width = kind.bits(target) as i32;
        let by = self.rng.random_range(1..width);
        let rotated = |value: &Expr, left: Expr, right: Expr| {
            let up = Expr::binary(BinaryOp::Shl, value.clone(), left);
            let down = Expr::binary(BinaryOp::Shr, value.clone(), right);
            Expr::binary(BinaryOp::BitOr, up, down)
        };
        let there = rotated(&carrier, Expr::int(by), Expr::int(width - by));
        let mend = Value::new(kind, value.math() - i128::from(width - by), target);
        let back = Expr::binary(BinaryOp::Sub, expr, mend.into());
        rotated(&there, back, Expr::int(by))
    }
}

/// The number whose product with an odd one is 1, modulo two to the 64.
fn inverse(odd: u64) -> u64 {
    // Each round doubles the bits that are right; an odd number is its own inverse in
    // the lowest three.
    (0..5).fold(odd, |found, _| {
        let error = odd.wrapping_mul(found);
        found.wrapping_mul(2_u64.wrapping_sub(error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_an_inverse() {
        for odd in [1, 3, 5, 999, u64::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }
}
