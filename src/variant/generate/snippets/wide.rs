//! Integers of up to 128 bits in snippets.

use super::SnippetWriter;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::wide::{WideKind, WideNumber};
use crate::variant::generate::feature::Feature;
use rand::Rng;

impl SnippetWriter {
    /// Whether snippets may have such numbers.
    pub(super) fn has_wide(&self) -> bool {
        self.has(Feature::Int128) || self.has(Feature::BitInt)
    }

    fn wide_kind(&mut self) -> WideKind {
        if self.has(Feature::BitInt) && (!self.has(Feature::Int128) || self.dice.random()) {
            let near = self.one_of(&[7, 9, 17, 24, 31, 33, 48, 63, 65, 96, 127]);
            let bits = if self.percent(60) {
                near
            } else {
                self.dice.random_range(2..=127)
            };
            return self.one_of(&[WideKind::BitInt(bits), WideKind::UBitInt(bits)]);
        }
        self.one_of(&[WideKind::Int128, WideKind::UInt128])
    }

    /// A usual number that is computed by way of wide ones.
    pub(super) fn by_wide(&mut self, depth: u32) -> Expr {
        let kind = self.wide_kind();
        let (value, kind) = self.wide_expr(kind, depth.min(3));
        match self.dice.random_range(0..10) {
            0..3 => {
                let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
                let (other, _) = self.wide_expr(kind, 0);
                Expr::binary(BinaryOp::COMPARISONS[at], value, other)
            }
            3..7 => {
                // The upper half of a product, or what a shift by a constant leaves.
                let bits = kind.bits() as i32;
                let by = if bits > 64 && self.percent(70) {
                    64
                } else {
                    self.dice.random_range(0..bits)
                };
                let upper = Expr::binary(BinaryOp::Shr, value, Expr::int(by));
                upper.cast(self.kind())
            }
            _ => value.cast(self.kind()),
        }
    }

    /// An expression whose type is the given one, or follows from it.
    fn wide_expr(&mut self, kind: WideKind, depth: u32) -> (Expr, WideKind) {
        if depth == 0 {
            let leaf = if self.percent(20) {
                let number = i128::from(self.dice.random::<i64>());
                let shift = self.dice.random_range(0..128);
                WideNumber::new(kind, number << 64 >> shift).into()
            } else {
                self.expr(1).cast(kind)
            };
            return (leaf, kind);
        }
        let (left, kind) = self.wide_expr(kind, depth - 1);
        match self.dice.random_range(0..14) {
            0 => {
                let op = self.one_of(&[UnaryOp::Minus, UnaryOp::Complement]);
                (Expr::unary(op, left), kind)
            }
            1 => {
                let other = self.wide_kind();
                (left.cast(other), other)
            }
            2..6 => {
                let op = self.one_of(&[BinaryOp::Shl, BinaryOp::Shr]);
                let bits = kind.bits() as i32;
                let count = match self.dice.random_range(0..10) {
                    0..4 => Expr::int(self.dice.random_range(0..bits)),
                    4..8 => {
                        let mask = (1 << kind.bits().ilog2()) - 1;
                        Expr::binary(BinaryOp::BitAnd, self.leaf(), Expr::int(mask))
                    }
                    _ => self.leaf(),
                };
                (Expr::binary(op, left, count), kind)
            }
            choice => {
                let ops = [
                    BinaryOp::Mul,
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::BitXor,
                    BinaryOp::BitAnd,
                    BinaryOp::BitOr,
                    BinaryOp::Div,
                    BinaryOp::Rem,
                ];
                let op = ops[choice - 6];
                let (right, _) = self.wide_expr(kind, depth - 1);
                // Operands of one type have that type in common.
                (Expr::binary(op, left, right.cast(kind)), kind)
            }
        }
    }
}
