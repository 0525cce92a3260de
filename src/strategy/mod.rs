//! Where the dice are: which mutations a variant is made of.
//!
//! A strategy is chosen once, with its settings. It prepares a profiled program
//! once, and rolls any number of variants from that.

mod hermes;
mod orion;
mod prepared;
mod weights;

pub use hermes::Hermes;
pub use orion::Orion;
pub use prepared::Prepared;
pub use weights::Weights;

use crate::mutation::Mutation;
use crate::profile::{Profile, Unreached};
use crate::program::Program;
use crate::synth::Vocabulary;
use orion::Deletable;
use prepared::Wants;
use rand::Rng;

/// A way to make variants.
#[derive(Clone, Debug)]
pub enum Strategy {
    Hermes(Hermes),
    Orion(Orion),
}

impl Strategy {
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::Hermes(_) => "hermes",
            Strategy::Orion(_) => "orion",
        }
    }

    /// Whether variants can be made at all.
    pub fn is_of_use(&self, prepared: &Prepared<'_>) -> bool {
        match self {
            Strategy::Hermes(_) => true,
            Strategy::Orion(_) => !prepared.deletable.statements.is_empty(),
        }
    }

    /// What a user should know of a program before variants are made of it.
    pub fn note(&self, program: &Program, profile: &Profile) -> Option<&'static str> {
        let unreached = Unreached::new(program, profile);
        let deletable = || Deletable::new(program, |id| unreached.is_dead(id));
        match self {
            Strategy::Hermes(_) => None,
            Strategy::Orion(_) if deletable().statements.is_empty() => {
                Some("no dead code that could be deleted, so no variants")
            }
            Strategy::Orion(_) => None,
        }
    }

    /// Looks at a profiled program, for any number of variants.
    pub fn prepare<'a>(
        &self,
        program: &'a Program,
        vocabulary: &'a Vocabulary,
        profile: &'a Profile,
    ) -> Prepared<'a> {
        let (live, dead) = match self {
            Strategy::Hermes(_) => (true, false),
            Strategy::Orion(_) => (false, true),
        };
        Prepared::new(program, vocabulary, profile, Wants { live, dead })
    }

    /// Rolls the mutations of one variant; their numbers start at `first`, or
    /// after those that names in the program carry.
    pub fn variant(
        &self,
        prepared: &Prepared<'_>,
        first: u32,
        rng: &mut impl Rng,
    ) -> Vec<Mutation> {
        let first = prepared.number(first);
        match self {
            Strategy::Hermes(hermes) => hermes.variant(prepared, first, rng),
            Strategy::Orion(orion) => orion.variant(prepared, first, rng),
        }
    }
}
