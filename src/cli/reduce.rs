//! `mestra reduce`: from findings to small programs and reports; also what follows
//! a campaign that has found something.

use super::print;
use crate::bucket;
use crate::exit_code::ExitCode;
use crate::interrupt;
use crate::options::ReduceCommand;
use crate::report::{self, Figures};
use crate::triage::{Case, REDUCED, Reduced, Settings, reduced_file, triage};
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Duration;

/// How findings are worked on, whoever asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) time: Duration,
    pub(super) with_cvise: bool,
    pub(super) jobs: Option<usize>,
    pub(super) is_json: bool,
}

pub(super) fn reduce(options: &ReduceCommand) -> Result<ExitCode> {
    interrupt::listen().context("listening for signals")?;
    let how = How {
        time: options.time,
        with_cvise: !options.no_cvise,
        jobs: options.jobs,
        is_json: options.json,
    };
    let seen = reduce_each(options.findings.iter().map(|path| path.as_path()), how)?;
    Ok(match seen {
        _ if interrupt::is_requested() => ExitCode::Interrupted,
        0 => ExitCode::Done,
        _ => ExitCode::Findings,
    })
}

/// Reduces what a campaign has found and writes its report.
pub(super) fn follow_up(campaign: &Path, how: How) -> Result<()> {
    let pending = bucket::unreduced(campaign)?;
    reduce_each(pending.iter().map(|path| path.as_path()), how)?;
    let figures = Figures::read(campaign, &[])?;
    report::write(&figures, campaign)?;
    if !how.is_json {
        super::report::show(&figures, campaign)?;
    }
    Ok(())
}

/// Works on one finding after the other, and returns how many were seen again.
fn reduce_each<'p>(findings: impl Iterator<Item = &'p Path>, how: How) -> Result<usize> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(how.jobs.unwrap_or(0))
        .build()
        .context("starting threads")?;
    let settings = Settings {
        time: how.time,
        with_cvise: how.with_cvise,
        should_stop: &interrupt::is_requested,
        tell: &|line| {
            if !how.is_json {
                // Whoever does not read on loses nothing that matters.
                let _ = print(|out| writeln!(out, "{line}"));
            }
        },
    };
    let mut seen = 0;
    for directory in findings {
        if interrupt::is_requested() {
            break;
        }
        let case = Case::open(directory)?;
        (settings.tell)(&format!(
            "{}: {}",
            directory.display(),
            case.finding.verdict
        ));
        match pool.install(|| triage(&case, &settings))? {
            Ok(reduced) => {
                seen += 1;
                show(how, directory, &reduced)?;
            }
            Err(unseen) => {
                eprintln!(
                    "mestra: {}: the failure is not seen any more; this script shows it, or not:\n{}",
                    directory.display(),
                    unseen.script
                );
            }
        }
    }
    Ok(seen)
}

fn show(how: How, directory: &Path, reduced: &Reduced) -> Result<()> {
    let report = directory.join(REDUCED).join(reduced_file::REPORT);
    print(|out| match how.is_json {
        true => writeln!(out, "{}", serde_json::to_string(reduced)?),
        false => writeln!(
            out,
            "  {} lines became {}: {}",
            reduced.lines_before,
            reduced.lines,
            report.display()
        ),
    })
}
