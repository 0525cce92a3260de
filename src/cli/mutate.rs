//! `mestra mutate`: a batch of seeds, side by side.

use super::screen::BatchScreen;
use super::strategy::strategy;
use super::{instances, profiler, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::MutateCommand;
use crate::lab::files::write_whole;
use crate::lab::process;
use crate::source::clang::Clang;
use crate::variant::batch::{Batch, BatchSeed};
use crate::variant::chain_plot::plot;
use crate::variant::mutate::{Chain, Mutator};
use crate::variant::strategy::Name;
use anyhow::{Context, Result, ensure};
use std::fs;

pub(super) fn mutate(options: &MutateCommand) -> Result<ExitCode> {
    process::confine_programs();
    signals::stop_at_once()?;
    ensure!(
        options.profile.is_none() || options.seeds.len() == 1,
        "--profile needs exactly one seed"
    );
    ensure!(
        options.profile.is_none() || options.chain == 1,
        "--profile cannot be combined with --chain, which profiles every variant"
    );
    let has_instances = options.mutating.strategy.contains(&Name::Spe);
    ensure!(
        !(has_instances && options.dry_run),
        "--dry-run cannot be combined with the strategy spe, which has no mutations; \
         `mestra enumerate` lists programs"
    );
    ensure!(
        !has_instances || options.profile.is_none(),
        "--profile cannot be combined with the strategy spe, which makes several seeds of one"
    );
    let clang = Clang::load()?;
    let mutator = Mutator {
        strategy: strategy(&options.mutating, &clang)?,
        clang,
        profiler: profiler(&options.profiling)?,
        dice: options.profiling.dice,
        chain: Chain {
            steps: options.chain,
            one_in: 1,
        },
    };
    let has_chains = |name: &Name| matches!(name, Name::Athena | Name::All);
    ensure!(
        options.plot.is_none() || options.mutating.strategy.iter().any(has_chains),
        "--plot needs chains, which only the strategies athena and all have"
    );
    if !options.dry_run {
        fs::create_dir_all(&options.output)
            .with_context(|| format!("making the directory {}", options.output.display()))?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .context("starting threads")?;
    let files = options.seeds.iter().cloned().map(BatchSeed::File);
    let mut seeds: Vec<BatchSeed> = files.collect();
    let batch = Batch {
        mutator: &mutator,
        seeds: &[],
        flags: &options.flags,
        arguments: &options.profiling.arguments,
        stdin: &options.profiling.input,
        profile: options.profile.as_deref(),
        variants: options.number,
        output: (!options.dry_run).then_some(options.output.as_path()),
    };
    if has_instances {
        let written = pool.install(|| instances::write(options, &batch))?;
        if options.mutating.strategy == [Name::Spe] {
            return Ok(done(written.refused));
        }
        seeds.extend(written.seeds);
    }
    let batch = Batch {
        seeds: &seeds,
        ..batch
    };
    let screen = BatchScreen::new(seeds.len(), options.json, options.plot.is_some());
    let totals = pool.install(|| batch.run(&screen));
    screen.finish();
    let totals = totals?;
    screen.show_totals(&totals)?;
    if let Some(file) = &options.plot {
        let curves = screen.into_curves();
        ensure!(
            !curves.is_empty(),
            "no chain was made, so there is nothing to plot"
        );
        write_whole(file, plot(&curves).as_bytes())?;
    }
    Ok(done(totals.refused))
}

fn done(refused: usize) -> ExitCode {
    match refused {
        0 => ExitCode::Done,
        _ => ExitCode::SeedRefused,
    }
}
