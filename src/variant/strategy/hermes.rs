//! Hermes: mutations at points that are executed, based on the values seen there.
//!
//! Of the sampled points that are reached and do not depend on the order of evaluation,
//! each variant draws its own, which get one mutation each; the dice choose its kind and
//! its code.

use super::weights::Weights;
use super::{Rolled, Strategy, VariantNumbers};
use crate::dice::Dice;
use crate::variant::donor::Donors;
use crate::variant::mutation::{CodeStyle, Kind, LivePlace, Maker, Prepared, Subject, Wants};
use crate::variant::synth::Sizes;
use anyhow::Result;
use rand::Rng;
use rand::seq::SliceRandom;
use std::sync::Arc;

/// Where one kind gives nothing, these are asked first: they fit nearly everywhere.
const FIRST_RESORT: [Kind; 2] = [Kind::TrueBlock, Kind::FalseBlock];

/// The strategy with its settings.
#[derive(Clone, Debug)]
pub struct Hermes {
    pub weights: Weights,
    pub sizes: Sizes,
    /// The most mutations of one variant.
    pub most: usize,
    /// The share of the recorded points that a variant is changed at, on average.
    pub share: f64,
    /// The probability that a live block compares what it computes with what was
    /// predicted.
    pub checks: f64,
    /// Whether code that never runs may have undefined behaviour on purpose: for whoever
    /// makes sure that the compiler under test comes to the values of the profile.
    pub undefined: bool,
    /// Whether each variant has weights and sizes of its own.
    pub swarm: bool,
    /// Statements to put behind guards that never hold, besides those of the seed
    /// itself; if absent, none are put in.
    pub donors: Option<Arc<Donors>>,
}

impl Default for Hermes {
    fn default() -> Hermes {
        Hermes {
            weights: Weights::default(),
            sizes: Sizes::default(),
            most: 400,
            share: 0.25,
            checks: 0.0,
            undefined: false,
            swarm: false,
            donors: None,
        }
    }
}

impl Strategy for Hermes {
    fn name(&self) -> &'static str {
        "hermes"
    }

    fn wants(&self) -> Wants {
        Wants {
            live: true,
            dead: false,
            donors: self.donors.clone(),
        }
    }

    fn is_of_use(&self, prepared: &Prepared<'_>) -> bool {
        !prepared.places.is_empty()
    }

    fn note(&self, subject: Subject<'_>) -> Option<&'static str> {
        let has_points = subject.live_points().next().is_some();
        let note = "no values were recorded where code could be put, so no variants";
        (!has_points).then_some(note)
    }

    fn variant(
        &self,
        prepared: &Prepared<'_>,
        numbers: VariantNumbers,
        rng: &mut Dice,
    ) -> Result<Rolled> {
        let first = prepared.number(numbers.mutation);
        let weights = self.weights_of_variant(prepared, rng);
        let style = self.style().of_variant(self.swarm, rng);
        let mut chosen = prepared.draw_places(self.share, rng);
        if chosen.len() > self.most {
            chosen.shuffle(rng);
            chosen.truncate(self.most);
            chosen.sort_unstable_by_key(|place| place.site.statement);
        }
        let choice = KindDice::new(weights, &chosen);
        let mut mutations = Vec::with_capacity(chosen.len());
        for place in chosen {
            let id = first + mutations.len() as u32;
            let wanted = choice.kind(place, rng);
            let may = |kind: &Kind| *kind == wanted || weights.get(*kind) > 0;
            let mut kinds = std::iter::once(wanted).chain(alternatives()).filter(may);
            let made = kinds.find_map(|kind| {
                let maker = Maker::new(prepared, style, id, rng);
                maker.live(kind, place)
            });
            mutations.extend(made.filter(|made| made.check(place.site.program).is_ok()));
        }
        Ok(Rolled {
            strategy: self.name(),
            mutations,
            trace: None,
        })
    }
}

impl Hermes {
    pub(super) fn style(&self) -> CodeStyle {
        CodeStyle {
            sizes: self.sizes,
            checks: self.checks,
            undefined: self.undefined,
        }
    }

    fn weights_of_variant(&self, prepared: &Prepared<'_>, rng: &mut Dice) -> Weights {
        let kinds: Vec<Kind> = live_kinds()
            .filter(|kind| kind.has_material(prepared))
            .collect();
        let weights = self.weights.only(&kinds);
        if self.swarm && weights.sum() > 0 {
            weights.swarm(rng)
        } else {
            weights
        }
    }
}

fn live_kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| kind.is_live())
}

/// What is asked where the kind that was wanted gives nothing.
fn alternatives() -> impl Iterator<Item = Kind> {
    let others = live_kinds().filter(|kind| !FIRST_RESORT.contains(kind));
    FIRST_RESORT.into_iter().chain(others)
}

/// Which kind a place gets, for all places of one variant.
struct KindDice {
    weights: Weights,
    /// The picky kinds, each with its chance where a statement takes it.
    picky: Vec<(Kind, f64)>,
    /// The kinds that any statement takes.
    others: Vec<Kind>,
}

impl KindDice {
    /// Not every statement takes a picky kind; those that do get it more often, so that
    /// the kind has its share over all places.
    fn new(weights: Weights, places: &[&LivePlace<'_>]) -> KindDice {
        let (picky, others): (Vec<Kind>, Vec<Kind>) =
            live_kinds().partition(|kind| kind.effect().is_picky() && weights.get(*kind) > 0);
        let mut left = weights.sum();
        let picky = picky.into_iter().map(|kind| {
            let share = f64::from(weights.get(kind)) / f64::from(left.max(1));
            left -= weights.get(kind);
            let takers = places.iter().filter(|place| place.takes(kind)).count();
            let chance = match takers {
                0 => 0.0,
                _ => (share * places.len() as f64 / takers as f64).min(1.0),
            };
            (kind, chance)
        });
        KindDice {
            weights,
            picky: picky.collect(),
            others,
        }
    }

    fn kind(&self, place: &LivePlace<'_>, rng: &mut Dice) -> Kind {
        let mut picky = self.picky.iter();
        let chosen = picky.find(|(kind, chance)| place.takes(*kind) && rng.random_bool(*chance));
        match chosen {
            Some((kind, _)) => *kind,
            None => {
                let other = self.weights.choose(&self.others, rng);
                let picky = || self.picky.first().map(|(kind, _)| *kind);
                other.or_else(picky).unwrap_or(Kind::TrueGuard)
            }
        }
    }
}
