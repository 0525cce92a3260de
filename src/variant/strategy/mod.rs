//! Where the dice are: which mutations a variant is made of.
//!
//! A strategy is chosen once, with its settings. It prepares a profiled program
//! once, and rolls any number of variants from that.

mod athena;
mod distance;
mod hermes;
mod objective;
mod orion;
mod prepared;
mod remarks;
mod weights;

pub use athena::{Athena, Tally, Trace};
pub use distance::{Distance, Measure};
pub use hermes::Hermes;
pub use objective::{Aim, Objective};
pub use orion::Orion;
pub use prepared::{Prepared, Subject};
pub use remarks::Remarks;
pub use weights::Weights;

use crate::variant::mutation::Mutation;
use crate::variant::profile::Unreached;
use anyhow::Result;
use clap::ValueEnum;
use prepared::Wants;
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A way to make variants.
#[derive(Clone, Debug)]
pub enum Strategy {
    Hermes(Hermes),
    Orion(Orion),
    Athena(Athena),
    /// Each variant by one of these.
    Mix(Vec<Strategy>),
}

/// The strategies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Name {
    /// Change code that is executed.
    Hermes,
    /// Delete code that is not executed.
    Orion,
    /// Delete such code and put in more, by a chain that searches.
    Athena,
    /// All of this, by the same chain.
    All,
}

/// The mutations of one variant, and how they were found.
#[derive(Clone, Debug)]
pub struct Rolled {
    pub strategy: &'static str,
    pub mutations: Vec<Mutation>,
    /// How the chain went, if there was one.
    pub trace: Option<Trace>,
}

impl Strategy {
    /// The strategies of these names, for each variant one of them, with the settings
    /// of the given two.
    pub fn named(names: &[Name], hermes: &Hermes, athena: &Athena) -> Strategy {
        let one = |name: &Name| match name {
            Name::Hermes => Strategy::Hermes(hermes.clone()),
            Name::Orion => Strategy::Orion(Orion { most: athena.most }),
            Name::Athena => Strategy::Athena(athena.clone()),
            Name::All => Strategy::Athena(Athena {
                hermes: Some(hermes.clone()),
                ..athena.clone()
            }),
        };
        match names {
            [name] => one(name),
            _ => Strategy::Mix(names.iter().map(one).collect()),
        }
    }
}

impl Strategy {
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::Hermes(_) => "hermes",
            Strategy::Orion(_) => "orion",
            Strategy::Athena(athena) if athena.hermes.is_some() => "all",
            Strategy::Athena(_) => "athena",
            Strategy::Mix(_) => "mix",
        }
    }

    fn wants(&self) -> Wants {
        match self {
            Strategy::Hermes(hermes) => Wants {
                live: true,
                dead: false,
                donors: hermes.donors.clone(),
            },
            Strategy::Orion(_) => Wants {
                live: false,
                dead: true,
                donors: None,
            },
            Strategy::Athena(athena) => Wants {
                live: athena.hermes.is_some(),
                dead: true,
                donors: Some(Arc::clone(&athena.donors)),
            },
            Strategy::Mix(parts) => {
                let parts = parts.iter().map(Strategy::wants);
                parts.fold(Wants::default(), |all, one| Wants {
                    live: all.live || one.live,
                    dead: all.dead || one.dead,
                    donors: all.donors.or(one.donors),
                })
            }
        }
    }

    /// Looks at a profiled program, for any number of variants.
    pub fn prepare<'a>(&self, subject: Subject<'a>) -> Prepared<'a> {
        Prepared::new(subject, self.wants())
    }

    /// How many points it works on: those that live code can be put at, those that
    /// are never reached, or both.
    pub fn points(&self, subject: Subject<'_>) -> usize {
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

    /// Whether variants can be made at all.
    pub fn is_of_use(&self, prepared: &Prepared<'_>) -> bool {
        match self {
            Strategy::Hermes(_) => !prepared.places.is_empty(),
            Strategy::Orion(_) => !prepared.deletable.statements.is_empty(),
            Strategy::Athena(athena) => athena.is_of_use(prepared),
            Strategy::Mix(parts) => parts.iter().any(|part| part.is_of_use(prepared)),
        }
    }

    /// What a user should know of a program before variants are made of it.
    pub fn note(&self, subject: Subject<'_>) -> Option<&'static str> {
        let dead = || {
            let wants = Wants {
                dead: true,
                ..Wants::default()
            };
            Prepared::new(subject, wants)
        };
        match self {
            Strategy::Hermes(_) => subject
                .live_points()
                .next()
                .is_none()
                .then_some("no values were recorded where code could be put, so no variants"),
            Strategy::Orion(_) => dead()
                .deletable
                .statements
                .is_empty()
                .then_some("no dead code that could be deleted, so no variants"),
            Strategy::Athena(athena) => {
                let note = match athena.hermes {
                    Some(_) => "no dead code, so live mutations only",
                    None => "no dead code, so no variants",
                };
                dead().has_nothing_dead().then_some(note)
            }
            Strategy::Mix(parts) => parts.iter().find_map(|part| part.note(subject)),
        }
    }

    /// Rolls the mutations of one variant; their numbers start at `first`, or
    /// after those that names in the program carry.
    pub fn variant(
        &self,
        prepared: &Prepared<'_>,
        first: u32,
        rng: &mut impl Rng,
    ) -> Result<Rolled> {
        let number = prepared.number(first);
        let (mutations, trace) = match self {
            Strategy::Hermes(hermes) => (hermes.variant(prepared, number, rng), None),
            Strategy::Orion(orion) => (orion.variant(prepared, number, rng), None),
            Strategy::Athena(athena) => {
                let (mutations, trace) = athena.variant(prepared, number, rng)?;
                (mutations, Some(trace))
            }
            Strategy::Mix(parts) => {
                let usable = parts.iter().filter(|part| part.is_of_use(prepared));
                let usable: Vec<&Strategy> = usable.collect();
                match usable.choose(rng) {
                    Some(part) => return part.variant(prepared, first, rng),
                    None => (vec![], None),
                }
            }
        };
        Ok(Rolled {
            strategy: self.name(),
            mutations,
            trace,
        })
    }
}
