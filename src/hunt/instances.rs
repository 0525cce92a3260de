//! Programs of seeds' skeletons that mean something, for those who want them as files or as
//! seeds.

use super::campaign::aside::SetAside;
use super::verify::meaning;
use crate::lab::Lab;
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::enumerate::{Instance, InstanceRequest};
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How long a program may run. Nearly all end within milliseconds or never.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Looks for programs with a meaning.
#[derive(Debug)]
pub(crate) struct InstanceSearch<'s> {
    pub lab: Lab,
    pub clang: &'s Clang,
    pub request: InstanceRequest,
}

/// What was found of one seed.
#[derive(Debug, Serialize)]
pub(crate) struct FoundInstances {
    pub seed: PathBuf,
    #[serde(skip)]
    pub sound: Vec<Instance>,
    /// How many of the programs mean one thing.
    pub instances: usize,
    /// Of how many others nobody can say what they mean, by reason.
    pub set_aside: BTreeMap<String, usize>,
}

impl InstanceSearch<'_> {
    /// The programs of a seed that mean one thing, in the order of their ranks.
    ///
    /// # Errors
    /// [`SeedRefused`](crate::error::SeedRefused) if the seed cannot be read, or is too large to be enumerated.
    pub(crate) fn of(&self, seed: &Seed) -> Result<FoundInstances> {
        let all: Vec<Instance> = self.request.instances(self.clang, seed)?;
        let meanings: Vec<_> = all
            .par_iter()
            .map(|instance| meaning(&self.lab, self.clang, &instance.seed, TIMEOUT))
            .collect::<Result<_>>()?;
        let mut found = FoundInstances {
            seed: seed.path.clone(),
            sound: Vec::new(),
            instances: 0,
            set_aside: BTreeMap::new(),
        };
        for (instance, meaning) in all.into_iter().zip(meanings) {
            match meaning {
                Ok(_) => found.sound.push(instance),
                Err(unsound) => {
                    let reason = SetAside::from(unsound).general();
                    *found.set_aside.entry(reason).or_default() += 1;
                }
            }
        }
        found.instances = found.sound.len();
        Ok(found)
    }
}
