//! From options to a strategy, and `mestra donors`.

use crate::clang::Clang;
use crate::console::Progress;
use crate::donor::Donors;
use crate::error::SeedRefused;
use crate::exit_code::ExitCode;
use crate::options::{DonorsCommand, Mutating, ObjectiveName, StrategyName};
use crate::strategy::{Aim, Athena, Hermes, Measure, Orion, Strategy};
use crate::toolchain::Compiler;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The strategy that the options describe, with its donors.
pub(super) fn strategy(options: &Mutating, clang: &Clang) -> Result<Strategy> {
    let most = options.max_mutations;
    let donors = match options.donors.is_empty() {
        true => None,
        false => Some(Arc::new(donors(&options.donors, clang)?)),
    };
    let hermes = Hermes {
        weights: options.weights.unwrap_or_default(),
        most,
        check_speculation: options.check_speculation,
        swarm: options.swarm,
        donors: donors.clone(),
        ..Hermes::default()
    };
    let chain = |hermes| -> Result<Strategy> {
        let Mutating {
            alpha, beta, gamma, ..
        } = *options;
        Ok(Strategy::Athena(Athena {
            hermes,
            weights: options.weights.unwrap_or_default(),
            swarm: options.swarm,
            most,
            donors: donors.unwrap_or_default(),
            steps: options.steps,
            sigma: options.sigma,
            aim: match options.objective {
                ObjectiveName::Distance => Aim::Distance(Measure { alpha, beta, gamma }),
                ObjectiveName::Remarks => Aim::Remarks(Compiler::find(&options.remarks_compiler)?),
            },
        }))
    };
    match options.strategy {
        StrategyName::Hermes => Ok(Strategy::Hermes(hermes)),
        StrategyName::Orion => Ok(Strategy::Orion(Orion { most })),
        StrategyName::Athena => chain(None),
        StrategyName::All => chain(Some(hermes)),
    }
}

/// Donors of programs, directories of programs and saved databases. Programs that
/// cannot be used are left out, unless that leaves nothing.
fn donors(paths: &[PathBuf], clang: &Clang) -> Result<Donors> {
    let is_saved = |path: &&PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    };
    let (saved, sources): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_saved);
    let mut all = Donors::build(clang, &programs(sources)?).0;
    for file in saved {
        all.merge(Donors::load(file)?);
    }
    ensure!(
        !all.donors.is_empty(),
        "no statement of --donors can be put into other programs"
    );
    Ok(all)
}

/// The C programs that paths name, those of a directory in the order of their names.
fn programs<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let about =
            fs::metadata(path).with_context(|| format!("looking for {}", path.display()))?;
        match about.is_dir() {
            true => found.extend(programs_in(path)?),
            false => found.push(path.clone()),
        }
    }
    Ok(found)
}

fn programs_in(directory: &Path) -> Result<Vec<PathBuf>> {
    let read = || format!("reading the directory {}", directory.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).with_context(read)? {
        let path = entry.with_context(read)?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

pub(super) fn collect(options: &DonorsCommand) -> Result<ExitCode> {
    let clang = Clang::load()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .context("starting threads")?;
    let programs = programs(&options.sources)?;
    let (donors, refused) = pool.install(|| Donors::build(&clang, &programs));
    let progress = Progress::new(0);
    for SeedRefused { path, reason } in &refused {
        progress.complain(&format!("{}: {reason}", path.display()));
    }
    donors.save(&options.output)?;
    progress.line(&format!(
        "{} statements of {} programs, {} refused",
        donors.donors.len(),
        donors.programs,
        refused.len()
    ))?;
    Ok(match refused.is_empty() {
        true => ExitCode::Done,
        false => ExitCode::SeedRefused,
    })
}
