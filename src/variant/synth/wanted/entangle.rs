//! A value and the state around it, so that neither is had without the other.

use super::super::{Synth, View};
use super::unsigned;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;

impl<R: Rng> Synth<'_, R> {
    /// The value of an expression, in the unsigned type that it is computed in, with
    /// something that changes nothing in any visit.
    pub(super) fn entangled(&mut self, view: &View, carrier: &Expr) -> Option<Expr> {
        let zero = self.zero(view)?;
        self.entangled_with(view, carrier, zero)
    }

    /// The same with an expression that was shown to be 0 in every visit.
    pub(crate) fn entangled_with(
        &mut self,
        view: &View,
        carrier: &Expr,
        zero: Expr,
    ) -> Option<Expr> {
        let kind = self.types.type_of(carrier).ok()?.int_kind()?;
        let kind = unsigned(kind);
        let value = carrier.clone().cast(kind);
        let join = |op, left, right| Expr::binary(op, left, right);
        let not = |expr| Expr::unary(UnaryOp::Complement, expr);
        let made = match self.rng.random_range(0..12) {
            0 | 1 => join(BinaryOp::BitXor, value, zero),
            2 | 3 => join(BinaryOp::Add, zero, value),
            4 => join(BinaryOp::Sub, value, zero),
            5 => join(BinaryOp::BitOr, value, zero),
            6 => not(join(BinaryOp::BitXor, zero, not(value))),
            7 => {
                let other = self.expression(view);
                Expr::conditional(zero, other.cast(kind), value)
            }
            8 => {
                let condition = self.predicate(view, true);
                let other = self.expression(view);
                let value = join(BinaryOp::BitXor, value, zero);
                Expr::conditional(condition, value, other.cast(kind))
            }
            9 => self.turned(kind, value, zero),
            _ => self.multiplied(kind, value, zero),
        };
        // A wider zero leaves bits above the value, which `_Bool` would see.
        Some(match self.types.type_of(&made) {
            Ok(ty) if ty == kind.into() => made,
            _ => made.cast(kind),
        })
    }

    /// Multiplied by an odd number and by its inverse, one of them not to be seen.
    fn multiplied(&mut self, kind: IntKind, value: Expr, zero: Expr) -> Expr {
        let target = self.types.target;
        let odd = 2 * self.rng.random_range(1..1000_u64) + 1;
        let constant = |bits: u64| Expr::from(Value::new(kind, bits.into(), target));
        let hidden = Expr::binary(BinaryOp::BitXor, zero, constant(odd));
        let product = Expr::binary(BinaryOp::Mul, value, hidden);
        Expr::binary(BinaryOp::Mul, product, constant(inverse(odd)))
    }

    /// Rotated there and back, by an amount that is not to be seen.
    fn turned(&mut self, kind: IntKind, value: Expr, zero: Expr) -> Expr {
        let width = kind.bits(self.types.target) as i32;
        let by = self.rng.random_range(1..width);
        let rotated = |value: &Expr, left: Expr, right: Expr| {
            let up = Expr::binary(BinaryOp::Shl, value.clone(), left);
            let down = Expr::binary(BinaryOp::Shr, value.clone(), right);
            Expr::binary(BinaryOp::BitOr, up, down)
        };
        let there = rotated(&value, Expr::int(by), Expr::int(width - by));
        let back = Expr::binary(BinaryOp::BitXor, zero, Expr::int(width - by));
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
