//! Expressions that lose nothing: a wrong operand makes a wrong value.

use super::super::{KnownScalar, Synth, View};
use super::unsigned;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// The most scalars that are mixed by choice.
const MOST: usize = 3;

impl<R: Rng> Synth<'_, R> {
    /// A mixture of some scalars, rather of those that optimisers know nothing about.
    pub(crate) fn some_mixed(&mut self, view: &View) -> Option<Expr> {
        let mut scalars: Vec<&KnownScalar> = view.scalars.iter().collect();
        scalars.shuffle(self.rng);
        let has_outside = scalars.iter().any(|known| known.is_outside);
        if has_outside || !self.one_in(5) {
            scalars.sort_by_key(|known| (!known.is_outside, !known.is_opaque));
        }
        // A variable of our own alone would have nothing to do with the seed.
        let fewest = if has_outside { 2 } else { 1 };
        let count = self.rng.random_range(fewest..=MOST);
        let chosen = scalars.into_iter().take(count);
        let chosen: Vec<Expr> = chosen.map(|known| known.read.clone()).collect();
        (!chosen.is_empty()).then(|| self.mixed(view, chosen))
    }

    /// All of these values as one number of an unsigned type. Each goes through steps
    /// that can be undone, so that a change of any one of them shows.
    pub(crate) fn mixed(&mut self, view: &View, operands: Vec<Expr>) -> Expr {
        let target = self.types.target;
        let kinds = operands.iter().map(|expr| {
            let spread = view.world.spread(self.types, expr);
            unsigned(spread.map_or(IntKind::Int, |spread| spread.kind))
        });
        let kind = kinds.max_by_key(|kind| kind.bits(target));
        let kind = kind.unwrap_or(IntKind::UInt);
        let mut operands = operands.into_iter();
        let first = self.as_kind(operands.next().unwrap_or(Expr::int(0)), kind);
        let mut mixture = self.scrambled(kind, first);
        for operand in operands {
            let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor];
            let op = *ops.choose(self.rng).expect("there are three");
            mixture = Expr::binary(op, mixture, self.as_kind(operand, kind));
            if self.rng.random() {
                mixture = self.scrambled(kind, mixture);
            }
        }
        mixture
    }

    /// One to one on the numbers of the type: multiplied by an odd number, moved, or with
    /// its upper bits folded into the lower ones.
    fn scrambled(&mut self, kind: IntKind, expr: Expr) -> Expr {
        let target = self.types.target;
        let constant = |math| Expr::from(Value::new(kind, math, target));
        match self.rng.random_range(0..4) {
            0 => expr,
            1 => {
                let odd = 2 * self.rng.random_range(1..200) + 1;
                Expr::binary(BinaryOp::Mul, expr, constant(odd))
            }
            2 => {
                let by = i128::from(self.rng.random::<i32>());
                Expr::binary(BinaryOp::Add, expr, constant(by))
            }
            _ => {
                let by = self.rng.random_range(1..kind.bits(target));
                let shifted = Expr::binary(BinaryOp::Shr, expr.clone(), Expr::int(by as i32));
                Expr::binary(BinaryOp::BitXor, expr, shifted)
            }
        }
    }
}
