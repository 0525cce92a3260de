//! The strategies by name, and several of them together.

use super::{Athena, Hermes, Orion, Rolled, Strategy, VariantNumbers};
use crate::dice::Dice;
use crate::variant::mutation::{Prepared, Subject, Wants};
use anyhow::Result;
use clap::ValueEnum;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

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
    /// Name other variables: each such program is a seed of its own.
    Spe,
}

/// Several strategies: each variant is made by one of them.
#[derive(Debug)]
pub struct Mix {
    pub parts: Vec<Box<dyn Strategy>>,
}

/// The strategies with these names, one of them for each variant, with the settings of
/// the given two. What is no variant but another seed is not made here.
pub fn named(names: &[Name], hermes: &Hermes, athena: &Athena) -> Box<dyn Strategy> {
    let one = |name: &Name| -> Option<Box<dyn Strategy>> {
        Some(match name {
            Name::Hermes => Box::new(hermes.clone()),
            Name::Orion => Box::new(Orion { most: athena.most }),
            Name::Athena => Box::new(athena.clone()),
            Name::All => Box::new(Athena {
                hermes: Some(hermes.clone()),
                ..athena.clone()
            }),
            Name::Spe => return None,
        })
    };
    let mut parts: Vec<Box<dyn Strategy>> = names.iter().filter_map(one).collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Box::new(Mix { parts }),
    }
}

impl Strategy for Mix {
    fn name(&self) -> &'static str {
        "mix"
    }

    fn wants(&self) -> Wants {
        let parts = self.parts.iter().map(|part| part.wants());
        parts.fold(Wants::default(), |all, one| Wants {
            live: all.live || one.live,
            dead: all.dead || one.dead,
            donors: all.donors.or(one.donors),
        })
    }

    fn is_of_use(&self, prepared: &Prepared<'_>) -> bool {
        self.parts.iter().any(|part| part.is_of_use(prepared))
    }

    fn note(&self, subject: Subject<'_>) -> Option<&'static str> {
        self.parts.iter().find_map(|part| part.note(subject))
    }

    fn variant(
        &self,
        prepared: &Prepared<'_>,
        numbers: VariantNumbers,
        rng: &mut Dice,
    ) -> Result<Rolled> {
        let usable = self.parts.iter().filter(|part| part.is_of_use(prepared));
        let usable: Vec<&Box<dyn Strategy>> = usable.collect();
        match usable.choose(rng) {
            Some(part) => part.variant(prepared, numbers, rng),
            None => Ok(Rolled {
                strategy: self.name(),
                mutations: vec![],
                trace: None,
            }),
        }
    }
}
