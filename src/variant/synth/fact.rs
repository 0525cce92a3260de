//! Facts for optimisers: conditions that hold in every visit and from which something
//! follows. That a mixture of values has some value is true, too, but nobody can use it.

use super::{Spread, Synth, View};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp};
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Facts tried before any condition is taken.
const TRIES: u32 = 6;

impl<R: Rng> Synth<'_, R> {
    /// A condition that holds in every visit.
    pub(crate) fn fact(&mut self, view: &View) -> Expr {
        let found = (0..TRIES).find_map(|_| {
            let scalar = view.scalars.choose(self.rng)?.read.clone();
            let spread = view.world.spread(self.types, &scalar).ok()?;
            let fact = match self.rng.random_range(0..6) {
                0 => self.bound_of(&scalar, &spread, false),
                1 => self.bound_of(&scalar, &spread, true),
                2 => Expr::logical(
                    LogicalOp::And,
                    self.bound_of(&scalar, &spread, false),
                    self.bound_of(&scalar, &spread, true),
                ),
                3 => self.fixed_bits_of(&scalar, &spread),
                4 => self.relation(view, scalar)?,
                _ => self.listed(&scalar, &spread),
            };
            (view.world.truth(self.types, &fact) == Some(true)).then_some(fact)
        });
        found.unwrap_or_else(|| self.predicate(view, true))
    }

    fn constant_like(&self, spread: &Spread, math: i128) -> Expr {
        Value::new(spread.kind.promoted(), math, self.types.target).into()
    }

    /// `x >= least` or `x <= most`, perhaps with some room.
    fn bound_of(&mut self, scalar: &Expr, spread: &Spread, is_upper: bool) -> Expr {
        let room = i128::from(self.rng.random_range(0..3) * self.rng.random_range(0..9));
        let (op, math) = if is_upper {
            (BinaryOp::Le, spread.max() + room)
        } else {
            (BinaryOp::Ge, spread.min() - room)
        };
        Expr::binary(op, scalar.clone(), self.constant_like(spread, math))
    }

    /// `(x & mask) == bits`.
    fn fixed_bits_of(&mut self, scalar: &Expr, spread: &Spread) -> Expr {
        let first = spread.min();
        let differing = spread
            .values
            .iter()
            .fold(0, |bits, math| bits | (math ^ first));
        let mask = i128::from(self.rng.random::<u8>() | 1) & !differing;
        let masked = Expr::binary(
            BinaryOp::BitAnd,
            scalar.clone(),
            self.constant_like(spread, mask),
        );
        Expr::binary(
            BinaryOp::Eq,
            masked,
            self.constant_like(spread, first & mask),
        )
    }

    /// A comparison of two scalars.
    fn relation(&mut self, view: &View, left: Expr) -> Option<Expr> {
        let right = view.scalars.choose(self.rng)?.read.clone();
        if left == right {
            return None;
        }
        let ops = [
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Ne,
            BinaryOp::Gt,
            BinaryOp::Ge,
        ];
        let relations = ops.map(|op| Expr::binary(op, left.clone(), right.clone()));
        let holds = |fact: &&Expr| view.world.truth(self.types, fact) == Some(true);
        relations.iter().find(holds).cloned()
    }

    /// `x == a || x == b`.
    fn listed(&mut self, scalar: &Expr, spread: &Spread) -> Expr {
        let equals = spread.values.iter().take(3).map(|math| {
            let constant = self.constant_like(spread, *math);
            Expr::binary(BinaryOp::Eq, scalar.clone(), constant)
        });
        let any = equals.reduce(|all, one| Expr::logical(LogicalOp::Or, all, one));
        any.unwrap_or(Expr::int(1))
    }
}
