//! Expressions in loops: over elements, counters and the program's values, of which only
//! the whole loop shows whether they are defined.

use super::Pieces;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::types::IntKind;
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

/// How operands are kept from making an expression undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// Converted to this unsigned type: nothing overflows.
    Wrapping(IntKind),
    /// Taken as they are, large ones masked: signed overflow stays unlikely.
    Small,
}

const WRAPPING: [BinaryOp; 7] = [
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
];

impl<R: Rng> Synth<'_, R> {
    pub(super) fn arithmetic(&mut self) -> Arithmetic {
        match self.rng.random_range(0..6) {
            0..=2 => Arithmetic::Wrapping(IntKind::UInt),
            3 => Arithmetic::Wrapping(IntKind::ULongLong),
            _ => Arithmetic::Small,
        }
    }

    /// An expression over all of `leaves` and perhaps more.
    pub(super) fn term(
        &mut self,
        pieces: &Pieces,
        arithmetic: Arithmetic,
        leaves: &[Expr],
    ) -> Expr {
        let mut term = None;
        for leaf in leaves {
            let operand = self.safe(arithmetic, leaf.clone());
            term = Some(match term {
                None => operand,
                Some(so_far) => self.joined(arithmetic, so_far, operand),
            });
        }
        let mut term = term.unwrap_or_else(|| self.constant());
        for _ in 0..self.rng.random_range(0..=2) {
            let more = if self.rng.random() {
                self.operand(pieces)
            } else {
                Expr::int(self.rng.random_range(1..=9))
            };
            let more = self.safe(arithmetic, more);
            term = self.joined(arithmetic, term, more);
        }
        term
    }

    /// A condition over leaves that holds in some turns and not in others.
    pub(super) fn question(&mut self, pieces: &Pieces, leaves: &[Expr]) -> Expr {
        let arithmetic = self.arithmetic();
        let left = self.term(pieces, arithmetic, leaves);
        let op = *BinaryOp::COMPARISONS
            .choose(self.rng)
            .expect("there are six");
        let right = match self.rng.random_range(0..3) {
            0 => self.operand(pieces),
            _ => Expr::int(self.rng.random_range(0..=20)),
        };
        let one = Expr::binary(op, left, right);
        if !self.one_in(4) {
            return one;
        }
        let operand = self.operand(pieces);
        let other = Expr::binary(
            BinaryOp::Ne,
            operand,
            Expr::int(self.rng.random_range(0..3)),
        );
        let op = if self.rng.random() {
            LogicalOp::And
        } else {
            LogicalOp::Or
        };
        Expr::logical(op, one, other)
    }

    fn safe(&mut self, arithmetic: Arithmetic, leaf: Expr) -> Expr {
        match arithmetic {
            Arithmetic::Wrapping(kind) => leaf.cast(kind),
            Arithmetic::Small if matches!(leaf, Expr::Const(_)) => leaf,
            Arithmetic::Small => {
                let mask = *[1, 7, 15, 31, 63].choose(self.rng).expect("there are five");
                Expr::binary(BinaryOp::BitAnd, leaf, Expr::int(mask))
            }
        }
    }

    fn joined(&mut self, arithmetic: Arithmetic, left: Expr, right: Expr) -> Expr {
        let shift = Expr::int(self.rng.random_range(1..=7));
        match self.rng.random_range(0..14) {
            0 => {
                let op = *BinaryOp::COMPARISONS
                    .choose(self.rng)
                    .expect("there are six");
                let is_less = Expr::binary(op, left.clone(), right.clone());
                Expr::conditional(is_less, left, right)
            }
            1 => {
                // A divisor that is odd is not zero.
                let op = if self.rng.random() {
                    BinaryOp::Div
                } else {
                    BinaryOp::Rem
                };
                let odd = Expr::binary(BinaryOp::BitOr, right, Expr::int(1));
                Expr::binary(op, left, odd)
            }
            2 => {
                let moved = Expr::binary(BinaryOp::Shr, left, shift);
                Expr::binary(BinaryOp::BitXor, moved, right)
            }
            3 if arithmetic != Arithmetic::Small => {
                let moved = Expr::binary(BinaryOp::Shl, left, shift);
                Expr::binary(BinaryOp::Add, moved, right)
            }
            4 => {
                let kind = *[
                    IntKind::SChar,
                    IntKind::UChar,
                    IntKind::Short,
                    IntKind::UShort,
                ]
                .choose(self.rng)
                .expect("there are four");
                let narrow = left.cast(kind);
                match arithmetic {
                    Arithmetic::Wrapping(wide) => {
                        Expr::binary(BinaryOp::Add, narrow.cast(wide), right)
                    }
                    Arithmetic::Small => Expr::binary(BinaryOp::Sub, narrow, right),
                }
            }
            5 => Expr::binary(
                BinaryOp::BitXor,
                Expr::unary(UnaryOp::Complement, left),
                right,
            ),
            _ => {
                let op = *WRAPPING.choose(self.rng).expect("there are seven");
                Expr::binary(op, left, right)
            }
        }
    }
}
