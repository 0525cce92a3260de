//! `mestra mutate --strategy spe`: programs that name other variables, each a seed of its
//! own.

use crate::cli::console::Progress;
use crate::cli::options::MutateCommand;
use crate::error::SeedRefused;
use crate::hunt::instances::{FoundInstances, InstanceSearch};
use crate::lab::Lab;
use crate::variant::batch::{Batch, BatchSeed};
use crate::variant::enumerate::{EnumerationSettings, InstanceRequest};
use anyhow::Result;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;

/// What was made of all seeds.
pub(super) struct WrittenInstances {
    pub(super) seeds: Vec<BatchSeed>,
    /// How many seeds were refused.
    pub(super) refused: usize,
}

/// Writes the programs of all seeds that mean one thing.
pub(super) fn write(options: &MutateCommand, batch: &Batch<'_>) -> Result<WrittenInstances> {
    let search = InstanceSearch {
        lab: Lab::default(),
        clang: &batch.mutator.clang,
        request: InstanceRequest {
            most: options.instances,
            settings: EnumerationSettings::default(),
            dice: options.profiling.dice,
        },
    };
    let progress = Progress::new(options.seeds.len());
    let of = |path: &PathBuf| -> Result<Option<Vec<BatchSeed>>> {
        let found = batch.read(path).and_then(|seed| search.of(&seed));
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let SeedRefused { path, reason } = error.downcast()?;
                progress.complain(&format!("{}: {reason}", path.display()));
                return Ok(None);
            }
        };
        for instance in &found.sound {
            instance.write(&options.output)?;
        }
        if options.json {
            progress.data(&serde_json::to_string(&found)?)?;
        } else {
            progress.line(&as_text(&found))?;
        }
        progress.advance();
        let seeds = found.sound.into_iter().map(|instance| instance.seed);
        let seeds = seeds.map(|seed| BatchSeed::Made(Box::new(seed)));
        Ok(Some(seeds.collect()))
    };
    let found: Result<Vec<_>> = options.seeds.par_iter().map(of).collect();
    progress.finish();
    let found = found?;
    Ok(WrittenInstances {
        refused: found.iter().filter(|seeds| seeds.is_none()).count(),
        seeds: found.into_iter().flatten().flatten().collect(),
    })
}

fn as_text(found: &FoundInstances) -> String {
    let aside: usize = found.set_aside.values().sum();
    let tried = found.instances + aside;
    let mut text = format!(
        "{}: {} of {tried} programs mean one thing",
        found.seed.display(),
        found.instances
    );
    for (reason, count) in &found.set_aside {
        let _ = write!(text, "\n  set aside {count}: {reason}");
    }
    text
}
