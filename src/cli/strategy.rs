//! From options to a strategy, and `mestra donors`.

use crate::cli::console::Progress;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{DonorsCommand, Mutating, ObjectiveName};
use crate::error::SeedRefused;
use crate::lab::Lab;
use crate::lab::toolchain::Compiler;
use crate::lab::words::plural;
use crate::source::clang::Clang;
use crate::variant::donor::{Donors, programs};
use crate::variant::strategy::{Aim, Athena, Hermes, Measure, Strategy, named};
use crate::variant::synth::Sizes;
use anyhow::{Context, Result, ensure};
use std::sync::Arc;

/// The strategy that the options describe, with its donors.
pub(super) fn strategy(options: &Mutating, clang: &Clang) -> Result<Box<dyn Strategy>> {
    let most = options.max_mutations;
    let donors = if options.donors.is_empty() {
        None
    } else {
        Some(Arc::new(Donors::gather(clang, &options.donors)?))
    };
    let weights = options.weights.unwrap_or_default();
    let hermes = Hermes {
        weights,
        most,
        share: options.point_share,
        checks: f64::from(u8::from(options.check_speculation)),
        undefined: options.undefined,
        swarm: options.swarm,
        donors: donors.clone(),
        sizes: Sizes {
            predicate_depth: options.predicate_depth,
            leaves: options.expression_leaves,
            steps: options.block_steps,
            dead_depth: options.dead_depth,
            ..Sizes::default()
        },
    };
    let measure = Measure {
        alpha: options.alpha,
        beta: options.beta,
        gamma: options.gamma,
    };
    let athena = Athena {
        hermes: None,
        weights,
        swarm: options.swarm,
        most,
        donors: donors.unwrap_or_default(),
        steps: options.steps,
        sigma: options.sigma,
        aim: match options.objective {
            ObjectiveName::Distance => Aim::Distance(measure),
            ObjectiveName::Remarks => {
                Aim::Remarks(Lab::default(), Compiler::find(&options.remarks_compiler)?)
            }
        },
    };
    Ok(named(&options.strategy, &hermes, &athena))
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
    ensure!(
        !donors.donors.is_empty() || !donors.functions.is_empty(),
        "nothing of {} can be used by other programs, so {} is left as it is",
        plural(programs.len(), "program"),
        options.output.display()
    );
    donors.save(&options.output)?;
    progress.line(&format!(
        "{} and {} from {}, {} refused",
        plural(donors.donors.len(), "statement"),
        plural(donors.functions.len(), "function"),
        plural(donors.programs, "program"),
        refused.len()
    ))?;
    Ok(if refused.is_empty() {
        ExitCode::Done
    } else {
        ExitCode::SeedRefused
    })
}
