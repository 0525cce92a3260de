//! Programs of a seed's skeleton as seeds of their own.

use super::record::{FilledFiles, FillingRecord, write_program};
use super::selection::{SelectedFillings, Selection};
use super::settings::EnumerationSettings;
use super::skeleton::Skeleton;
use crate::dice::{self, Draw};
use crate::error::SeedRefused;
use crate::source::clang::Clang;
use crate::source::program::lower_part;
use crate::source::seed::{Seed, hash_source};
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// Which programs of each seed are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstanceRequest {
    /// All if there are at most so many besides the seed, otherwise a sample of so many.
    pub most: u64,
    pub settings: EnumerationSettings,
    /// The master seed of all dice.
    pub dice: u64,
}

/// A seed with other variables in some of its holes.
#[derive(Clone, Debug)]
pub struct Instance {
    pub record: FillingRecord,
    /// In the place of the seed it was made of, with its flags and inputs.
    pub seed: Seed,
}

impl InstanceRequest {
    /// The programs of a seed in the order of their ranks; the seed is not among them.
    pub fn instances(&self, clang: &Clang, seed: &Seed) -> Result<Vec<Instance>, SeedRefused> {
        let refused = |reason: String| SeedRefused::new(&seed.path, reason);
        let program = lower_part(clang, &seed.path, Arc::clone(&seed.source), &seed.flags)?;
        let skeleton = Skeleton::new(&program, self.settings);
        let skeleton = skeleton.map_err(|error| refused(error.to_string()))?;
        let stem = seed.path.file_stem().unwrap_or_default().to_string_lossy();
        let of = skeleton.product().count();
        let mut rng = dice::generator(self.dice, hash_source(&seed.source), Draw::Filling);
        let selected = SelectedFillings::new(&skeleton, &Selection::UpTo(self.most), &mut rng);
        let selected = selected.map_err(|error| refused(error.to_string()))?;
        selected
            .map(|filling| {
                let text = skeleton.text(&filling.variables);
                let text = text.map_err(|error| refused(error.to_string()))?;
                let names = skeleton.names(&filling.variables);
                let name = FilledFiles::name(&stem, &filling.rank);
                Ok(Instance {
                    record: FillingRecord::new(seed, self.settings, (&filling.rank, &of), &names),
                    seed: Seed {
                        path: seed.path.with_file_name(name),
                        source: text.into(),
                        ..seed.clone()
                    },
                })
            })
            .collect()
    }
}

impl Instance {
    /// Writes the program and its record to a directory.
    pub(crate) fn write(&self, directory: &Path) -> Result<()> {
        let program = directory.join(self.seed.path.file_name().unwrap_or_default());
        write_program(&program, &self.seed.source, &self.record)
    }
}
