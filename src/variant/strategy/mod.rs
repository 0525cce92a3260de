//! Strategies: which mutations a variant is made of.
//!
//! A strategy is chosen once, with its settings. It prepares a profiled program once
//! ([`Prepared`]) and makes any number of variants from that, each identified by its
//! number. Most use random numbers; one that enumerates uses the variant's number alone.
//! How a mutation of some kind is made, the kind itself knows (`mutation/`).

mod athena;
mod distance;
mod hermes;
mod mix;
mod objective;
mod orion;
mod remarks;
mod weights;

pub use crate::variant::mutation::{Prepared, Subject};
pub use athena::{Athena, ProposalTally, Trace};
pub use distance::{Distance, Measure};
pub use hermes::Hermes;
pub use mix::{Mix, Name, named};
pub use objective::{Aim, Objective};
pub use orion::Orion;
pub(crate) use weights::Weights;

use crate::dice::Dice;
use crate::variant::mutation::{Mutation, Wants};
use crate::variant::profile::Unreached;
use anyhow::Result;
use std::fmt;

/// A way to make variants.
pub trait Strategy: fmt::Debug + Send + Sync {
    fn name(&self) -> &'static str;

    /// Which parts of a program it works on.
    fn wants(&self) -> Wants;

    /// Whether variants can be made at all.
    fn is_of_use(&self, prepared: &Prepared<'_>) -> bool;

    /// What a user should know about a program before variants are made of it.
    fn note(&self, subject: Subject<'_>) -> Option<&'static str>;

    /// The mutations of one variant: the same for the same numbers and dice. The list is
    /// empty if none were found; the caller may then try again with the same numbers.
    fn variant(
        &self,
        prepared: &Prepared<'_>,
        numbers: VariantNumbers,
        rng: &mut Dice,
    ) -> Result<Rolled>;

    /// Prepares a profiled program for any number of variants.
    fn prepare<'a>(&self, subject: Subject<'a>) -> Prepared<'a> {
        Prepared::new(subject, self.wants())
    }

    /// How many points it works on: those that live code can be put at, those that
    /// are never reached, or both.
    fn points(&self, subject: Subject<'_>) -> usize {
        let Wants { live, dead, .. } = self.wants();
        let mut points = 0;
        if live {
            points += subject.live_points().count();
        }
        if dead {
            let unreached = Unreached::new(subject.program, subject.profile);
            points += unreached.points().len();
        }
        points
    }
}

/// The numbers that identify a variant and its mutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantNumbers {
    /// The variant's own number.
    pub variant: u32,
    /// The lowest number that its mutations may have.
    pub mutation: u32,
}

/// The mutations of one variant, and how they were found.
#[derive(Clone, Debug)]
pub struct Rolled {
    /// The name of the strategy that made them.
    pub strategy: &'static str,
    pub mutations: Vec<Mutation>,
    /// How the chain went, if there was one.
    pub trace: Option<Trace>,
}

/// A program prepared for its dead code only, for notes.
fn dead_code(subject: Subject<'_>) -> Prepared<'_> {
    let wants = Wants {
        dead: true,
        ..Wants::default()
    };
    Prepared::new(subject, wants)
}
