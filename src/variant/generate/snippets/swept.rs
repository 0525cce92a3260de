//! What loops over arrays compute with: elements at indices that follow the counter, come back
//! again and again or are elements themselves, what earlier turns have kept, and formulas of these.

use super::SnippetWriter;
use super::sweeps::Sweep;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::types::IntKind;
use crate::variant::generate::weights::{COMPARISONS, PLAIN};
use rand::Rng;

impl SnippetWriter {
    pub(super) fn sweep_condition(&mut self, sweep: &Sweep) -> Expr {
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let left = self.sweep_tree(sweep, 1);
        let right = self.sweep_leaf(sweep);
        let asked = Expr::binary(op, left, right);
        if self.percent(15) {
            let op = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
            let other = self.some_element(sweep);
            return Expr::logical(op, asked, other);
        }
        asked
    }

    /// What is stored or added up.
    pub(super) fn sweep_tree(&mut self, sweep: &Sweep, depth: u32) -> Expr {
        if depth == 0 {
            return self.sweep_leaf(sweep);
        }
        let inner = |writer: &mut Self| writer.sweep_tree(sweep, depth - 1);
        match self.dice.random_range(0..26) {
            0..9 => {
                let op = self.one_of(&PLAIN);
                Expr::binary(op, inner(self), self.sweep_leaf(sweep))
            }
            9..12 => {
                let kind = self.any_kind();
                inner(self).cast(kind)
            }
            12..15 => {
                let op = self.one_of(&[BinaryOp::Shr, BinaryOp::Shr, BinaryOp::Shl]);
                let kind =
                    self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::UInt, IntKind::Long]);
                let by = if self.percent(60) {
                    Expr::int(self.one_of(&[1, 2, 3, 4, 7, 8, 15, 16, 31]))
                } else {
                    Expr::binary(BinaryOp::BitAnd, self.some_element(sweep), Expr::int(31))
                };
                Expr::binary(op, inner(self).cast(kind), by)
            }
            15 => {
                // The distance of two elements.
                let apart = Expr::binary(
                    BinaryOp::Sub,
                    self.some_element(sweep),
                    self.some_element(sweep),
                );
                let below = Expr::binary(BinaryOp::Lt, apart.clone(), Expr::int(0));
                Expr::conditional(below, Expr::unary(UnaryOp::Minus, apart.clone()), apart)
            }
            16 | 17 => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let (left, right) = (inner(self), self.sweep_leaf(sweep));
                let asked = Expr::binary(op, left.clone(), right.clone());
                Expr::conditional(asked, left, right)
            }
            18 | 19 => {
                let condition = self.sweep_condition(sweep);
                Expr::conditional(condition, inner(self), self.sweep_leaf(sweep))
            }
            20 => self.sweep_condition(sweep),
            21 => {
                let op = self.one_of(&[UnaryOp::Minus, UnaryOp::Complement]);
                Expr::unary(op, inner(self))
            }
            22 => {
                let op = self.one_of(&[BinaryOp::Div, BinaryOp::Rem]);
                let by = self.one_of(&[2, 3, 4, 7, 8, 10, 16, 255]);
                Expr::binary(op, inner(self), Expr::int(by))
            }
            _ => self.scaled(sweep),
        }
    }

    /// The upper part of a product, perhaps rounded, or a mean.
    fn scaled(&mut self, sweep: &Sweep) -> Expr {
        let kind = self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::Long]);
        let op = self.one_of(&[BinaryOp::Mul, BinaryOp::Mul, BinaryOp::Mul, BinaryOp::Add]);
        let (left, right) = (self.scaled_leaf(sweep), self.scaled_leaf(sweep));
        let both = Expr::binary(op, left.cast(kind), right);
        let by = if self.percent(60) {
            self.one_of(&[1, 8, 14, 15, 16, 16, 17, 20, 24, 29])
        } else {
            self.dice.random_range(1..=31)
        };
        let both = if self.percent(20) {
            Expr::binary(BinaryOp::Add, both, Expr::int(1 << (by - 1)))
        } else {
            both
        };
        Expr::binary(BinaryOp::Shr, both, Expr::int(by))
    }

    fn scaled_leaf(&mut self, sweep: &Sweep) -> Expr {
        match self.dice.random_range(0..10) {
            0..4 => self.some_element(sweep),
            4..6 => {
                let at = self.dice.random_range(0..sweep.scalars.len());
                sweep.scalars[at].clone()
            }
            6..8 => sweep.counter.clone(),
            _ => self.sweep_leaf(sweep),
        }
    }

    fn sweep_leaf(&mut self, sweep: &Sweep) -> Expr {
        match self.dice.random_range(0..20) {
            0..8 => self.some_element(sweep),
            8..11 => self.recurring_element(sweep),
            11 => self.picked_element(sweep),
            12..14 => {
                let at = self.dice.random_range(0..sweep.scalars.len());
                sweep.scalars[at].clone()
            }
            14 | 15 => {
                let kind = self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::UChar]);
                sweep.counter.clone().cast(kind)
            }
            16 => match sweep.kept.first() {
                Some(kept) => Expr::Var(kept.clone()),
                None => self.constant(),
            },
            _ => self.constant(),
        }
    }

    pub(super) fn some_element(&mut self, sweep: &Sweep) -> Expr {
        let at = self.dice.random_range(0..sweep.arrays.len());
        let lane = if sweep.stride > 1 || self.percent(20) {
            self.dice.random_range(0..=sweep.stride)
        } else {
            0
        };
        self.sweep_element(sweep, at, lane)
    }

    pub(super) fn sweep_element(&self, sweep: &Sweep, array: usize, lane: i32) -> Expr {
        let index = match lane {
            0 => sweep.start.clone(),
            lane => Expr::binary(BinaryOp::Add, sweep.start.clone(), Expr::int(lane)),
        };
        sweep.arrays[array].clone().index(index)
    }

    /// An element whose number is another element.
    pub(super) fn picked_element(&mut self, sweep: &Sweep) -> Expr {
        let number = self.some_element(sweep);
        let at = self.dice.random_range(0..sweep.arrays.len());
        let mask = Expr::int(self.one_of(&[1, 3, 7]));
        let index = Expr::binary(BinaryOp::BitAnd, number, mask);
        sweep.arrays[at].clone().index(index)
    }
    /// An element that many turns come to, or turns come to in another order: every array has
    /// elements enough for the masks and periods, and one more than the loop has turns.
    pub(super) fn recurring_element(&mut self, sweep: &Sweep) -> Expr {
        let turn = sweep.turn.clone();
        let with = |op, number| Expr::binary(op, turn.clone(), Expr::int(number));
        let index = match self.dice.random_range(0..10) {
            0..3 => with(BinaryOp::BitAnd, self.one_of(&[1, 3, 3, 7])),
            3..6 => with(BinaryOp::Rem, self.one_of(&[2, 3, 4, 4, 5, 8])),
            6 => {
                let later = with(BinaryOp::Add, self.one_of(&[1, 2, 3]));
                Expr::binary(BinaryOp::BitAnd, later, Expr::int(self.one_of(&[3, 7])))
            }
            7 => with(BinaryOp::Div, self.one_of(&[2, 2, 3, 4])),
            8 => with(BinaryOp::Shr, self.one_of(&[1, 1, 2, 3])),
            _ => with(BinaryOp::BitXor, 1),
        };
        let at = self.dice.random_range(0..sweep.arrays.len());
        sweep.arrays[at].clone().index(index)
    }
}
