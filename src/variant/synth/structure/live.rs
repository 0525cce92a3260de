//! Structured statements that run: the pieces that a live block has.

use super::{Array, Pieces};
use crate::code::expr::Expr;
use crate::code::stmt::Stmt;
use crate::variant::synth::block::Plan;
use crate::variant::synth::{KnownScalar, Synth, View};
use rand::Rng;

/// Fewer elements than this are no array to loop over.
const FEWEST_ELEMENTS: u64 = 3;

impl<R: Rng> Synth<'_, R> {
    /// A structured statement over the scalars of a view that changes what the plan
    /// allows. Whether it is defined is for the caller to find out.
    pub(in super::super) fn live_structure(&mut self, view: &View, plan: &Plan) -> Option<Stmt> {
        let pieces = Pieces {
            operands: view
                .scalars
                .iter()
                .map(|known| known.read.clone())
                .collect(),
            targets: plan.changed().map(|known| known.lvalue.clone()).collect(),
            addressable: self.addressable(plan),
            bounds: self.bounds(view, plan.turns),
            arrays: self.arrays(view),
            written: vec![],
            turns: plan.turns,
            is_wild: false,
        };
        self.structure(&pieces)
    }

    fn addressable(&self, plan: &Plan) -> Vec<Expr> {
        let can_be = |known: &&KnownScalar| {
            let address = known.lvalue.clone().address_of();
            known.is_addressable && self.types.type_of(&address).is_ok()
        };
        let changed = plan.changed().filter(can_be);
        changed.map(|known| known.lvalue.clone()).collect()
    }

    /// The scalars that are small and positive in every visit.
    fn bounds(&self, view: &View, turns: u64) -> Vec<(Expr, u64)> {
        let bound = |known: &KnownScalar| {
            let spread = view.world.spread(self.types, &known.read).ok()?;
            let most = u64::try_from(spread.max()).ok()?;
            let is_small = spread.min() >= 1 && (2..=turns).contains(&most);
            is_small.then(|| (known.read.clone(), most))
        };
        view.scalars.iter().filter_map(bound).collect()
    }

    /// The arrays of which the view has the first elements.
    fn arrays(&self, view: &View) -> Vec<Array> {
        let mut arrays: Vec<Array> = Vec::new();
        let mut seen: Vec<(&Expr, Vec<u64>)> = Vec::new();
        for known in &view.scalars {
            let Some((base, at)) = known.element() else {
                continue;
            };
            match seen.iter_mut().find(|(other, _)| *other == base) {
                Some((_, indices)) => indices.push(at),
                None => seen.push((base, vec![at])),
            }
        }
        for (base, indices) in seen {
            let len = (0..).take_while(|at| indices.contains(at)).count() as u64;
            let first = base.clone().index(Expr::int(0));
            if len >= FEWEST_ELEMENTS && self.types.clear(first.clone()) == first {
                let base = base.clone();
                arrays.push(Array { base, len });
            }
        }
        arrays
    }
}
