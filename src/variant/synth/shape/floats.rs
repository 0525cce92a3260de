//! Floating-point numbers that a live block changes: copies of them, and how they come back.

use super::Growing;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::variant::synth::float::{KnownFloat, real};
use crate::variant::synth::{BlockShape, KnownScalar, Synth, View};
use rand::Rng;

/// A number and the local that keeps its old value.
pub(super) struct FloatWay {
    pub(super) known: KnownFloat,
    copy: Expr,
}

impl<R: Rng> Synth<'_, R> {
    /// Declares copies of the numbers that the block may change.
    pub(super) fn float_ways(
        &mut self,
        growing: &mut Growing,
        shape: BlockShape,
    ) -> Option<Vec<FloatWay>> {
        let mut ways = Vec::new();
        for (index, known) in self.float_targets(&growing.view).into_iter().enumerate() {
            let name = self.name(&format!("f{index}"));
            let start = match shape {
                BlockShape::Guarded => real(known.kind, 1.5),
                BlockShape::Copied | BlockShape::Computed => known.lvalue.clone(),
            };
            let world = &mut growing.view.world;
            if !world.add_local(self.types, &name, known.kind, &start) {
                return None;
            }
            let declared = Stmt::declare(&name, known.kind, Some(start));
            growing.outside.push(declared);
            let copy = Expr::var(&name, known.kind);
            ways.push(FloatWay { known, copy });
        }
        Some(ways)
    }

    /// Copies behind the guard.
    pub(super) fn take_floats(&self, growing: &mut Growing, ways: &[FloatWay]) -> Option<()> {
        for way in ways {
            let take = Expr::assign(way.copy.clone(), way.known.lvalue.clone());
            growing.inside.push(growing.view.perform(self.types, take)?);
        }
        Some(())
    }

    /// The numbers as integers after the steps, for checks and the digest.
    pub(super) fn float_results(&mut self, view: &View, ways: &[FloatWay]) -> Vec<KnownScalar> {
        let mut found = Vec::new();
        for way in ways {
            let is_it = |float: &KnownFloat| float.lvalue == way.known.lvalue;
            let at = view.floats.iter().position(is_it);
            found.extend(at.and_then(|at| view.look(self.types, self.rng, at)));
        }
        found
    }

    /// The assignment that gives a number its old value again, if all that the digest has
    /// taken in is right.
    pub(super) fn float_back(
        &mut self,
        view: &mut View,
        way: &FloatWay,
        digest: &KnownScalar,
    ) -> Option<Stmt> {
        let (known, copy) = (&way.known, way.copy.clone());
        let value = match self.fixed_from(view, &digest.read) {
            Some((fixed, value)) => {
                let other = real(known.kind, f64::from(self.rng.random_range(1..=9)) * 0.25);
                let is_right = Expr::binary(BinaryOp::Eq, fixed, value.into());
                Expr::conditional(is_right, copy, other)
            }
            None => copy,
        };
        view.perform(self.types, Expr::assign(known.lvalue.clone(), value))
    }
}
