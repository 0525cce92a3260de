//! Hermes: changes at points that are executed, by the values seen there.
//!
//! Every sampled point that is reached and does not depend on the order of
//! evaluation gets one mutation; the dice choose its kind and its code.

use super::prepared::{Place, Prepared};
use super::weights::Weights;
use crate::variant::donor::Donors;
use crate::variant::mutation::{
    Change, FalseBlock, InsertStmt, Kind, Mutation, TrueBlock, TrueGuard,
};
use crate::variant::synth::{Sizes, Synth};
use rand::Rng;
use rand::seq::SliceRandom;
use std::sync::Arc;

/// The kinds that stand before a statement.
const BLOCKS: [Kind; 3] = [Kind::FalseBlock, Kind::TrueBlock, Kind::InsertStmt];

/// The strategy with its settings.
#[derive(Clone, Debug)]
pub struct Hermes {
    pub weights: Weights,
    pub sizes: Sizes,
    /// Mutations of one variant at most.
    pub most: usize,
    /// The chance of a live block to compare what it computes with what was predicted.
    pub checks: f64,
    /// Whether each variant has weights of its own.
    pub swarm: bool,
    /// Statements to put behind guards that never hold, besides those of the seed
    /// itself; none are put in without.
    pub donors: Option<Arc<Donors>>,
}

impl Default for Hermes {
    fn default() -> Hermes {
        Hermes {
            weights: Weights::default(),
            sizes: Sizes::default(),
            most: 400,
            checks: 0.0,
            swarm: false,
            donors: None,
        }
    }
}

impl Hermes {
    /// Rolls the mutations of one variant.
    pub(super) fn variant(
        &self,
        prepared: &Prepared<'_>,
        first: u32,
        rng: &mut impl Rng,
    ) -> Vec<Mutation> {
        let weights = self.weights_of_variant(prepared, rng);
        let mut chosen: Vec<usize> = (0..prepared.places.len()).collect();
        if chosen.len() > self.most {
            chosen.shuffle(rng);
            chosen.truncate(self.most);
            chosen.sort_unstable();
        }
        let guarded = chosen.iter().filter(|at| prepared.places[**at].takes_guard);
        let chance = chance_of_guard(weights, guarded.count(), chosen.len());
        let mut mutations = Vec::with_capacity(chosen.len());
        for at in chosen {
            let place = &prepared.places[at];
            let id = first + mutations.len() as u32;
            let wanted = match place.takes_guard && rng.random_bool(chance) {
                true => Kind::TrueGuard,
                false => weights.choose(&BLOCKS, rng).unwrap_or(Kind::TrueGuard),
            };
            // Where one kind gives nothing, the others are asked.
            let kinds = [
                wanted,
                Kind::TrueBlock,
                Kind::FalseBlock,
                Kind::TrueGuard,
                Kind::InsertStmt,
            ];
            let may = |kind: &Kind| *kind == wanted || weights.get(*kind) > 0;
            let change = kinds
                .into_iter()
                .filter(may)
                .find_map(|kind| self.change(kind, id, prepared, place, rng));
            let Some(change) = change else { continue };
            let mutation = Mutation { id, change };
            if mutation.check(place.site.program).is_ok() {
                mutations.push(mutation);
            }
        }
        mutations
    }

    fn weights_of_variant(&self, prepared: &Prepared<'_>, rng: &mut impl Rng) -> Weights {
        let mut kinds = Kind::LIVE.to_vec();
        if prepared.has_donors() {
            kinds.push(Kind::InsertStmt);
        }
        let weights = self.weights.only(&kinds);
        match self.swarm && weights.sum() > 0 {
            true => weights.swarm(rng),
            false => weights,
        }
    }

    /// A change of some kind at an executed point.
    pub(super) fn change(
        &self,
        kind: Kind,
        id: u32,
        prepared: &Prepared<'_>,
        place: &Place<'_>,
        rng: &mut impl Rng,
    ) -> Option<Change> {
        let statement = place.site.statement;
        let mut synth = Synth {
            types: &prepared.vocabulary.types,
            rng,
            sizes: self.sizes,
            number: id,
        };
        match kind {
            Kind::FalseBlock => {
                let view = place.site.view(synth.rng, self.sizes.scalars);
                let guard = synth.predicate(&view, false);
                Some(Change::FalseBlock(FalseBlock {
                    before: statement,
                    block: synth.false_block(guard, &place.around),
                }))
            }
            Kind::TrueGuard if place.takes_guard => {
                let view = place.site.view(synth.rng, self.sizes.scalars);
                let guard = synth.predicate(&view, true);
                let has_else = synth.rng.random_ratio(1, 3);
                Some(Change::TrueGuard(TrueGuard {
                    around: statement,
                    guard,
                    otherwise: has_else.then(|| synth.dead_body(&place.around)),
                }))
            }
            Kind::TrueGuard | Kind::DeleteStmt => None,
            Kind::InsertStmt => {
                let view = place.site.view(synth.rng, self.sizes.scalars);
                let guard = synth.predicate(&view, false);
                Some(Change::InsertStmt(InsertStmt {
                    before: statement,
                    guard: Some(guard),
                    graft: prepared.graft(statement, id, synth.rng)?,
                }))
            }
            Kind::TrueBlock => {
                // The dice are left alone where nothing is to be decided.
                let is_checked = self.checks > 0.0 && synth.rng.random_bool(self.checks);
                let block = synth.true_block(&place.site, is_checked)?;
                Some(Change::TrueBlock(TrueBlock {
                    before: statement,
                    block,
                }))
            }
        }
    }
}

/// Not every statement takes a guard; those that do take them more often, so that
/// guards have their share.
fn chance_of_guard(weights: Weights, guarded: usize, all: usize) -> f64 {
    let share = f64::from(weights.get(Kind::TrueGuard)) / f64::from(weights.sum().max(1));
    match guarded {
        0 => 0.0,
        _ => (share * all as f64 / guarded as f64).min(1.0),
    }
}
