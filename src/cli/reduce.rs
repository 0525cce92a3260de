//! `mestra reduce`: from findings to small programs and reports; also what follows
//! a campaign that has found something.

use super::{print, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ReduceCommand;
use crate::hunt::bucket;
use crate::hunt::campaign::guard::Guard;
use crate::hunt::campaign::store;
use crate::hunt::finding::{Finding, REDUCED, Reduced, file, reduced_file};
use crate::hunt::report::{self, Figures};
use crate::hunt::triage::{Case, Settings, triage};
use crate::lab::{interrupt, process, scratch};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many findings of one config and verdict are reduced at the end of a campaign.
/// A defect that every other variant meets would take days.
const MOST_ALIKE: usize = 20;

/// How findings are worked on, whoever asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) time: Duration,
    pub(super) with_cvise: bool,
    pub(super) jobs: Option<usize>,
    pub(super) is_json: bool,
}

pub(super) fn reduce(options: &ReduceCommand) -> Result<ExitCode> {
    // Before there is a second thread. What a campaign lets its children do or keeps
    // from them, they meet here, too.
    process::keep_descriptors();
    process::make_room_for_stacks();
    if !options.allow_network {
        process::leave_network();
    }
    signals::finish_first()?;
    let findings = findings(&options.findings)?;
    if findings.is_empty() && !options.json {
        print(|out| writeln!(out, "nothing is left to reduce"))?;
    }
    let scratch = scratch::gather().context("making a directory for work in progress")?;
    // Ends before the directory does, so that only one of the two removes it.
    let _guard = Guard::start(scratch.path())?;
    let how = How {
        time: options.time,
        with_cvise: !options.no_cvise,
        jobs: options.jobs,
        is_json: options.json,
    };
    let Reducing { seen, failed } = reduce_each(&findings, how)?;
    Ok(match (seen, failed) {
        _ if interrupt::is_requested() => ExitCode::Interrupted,
        (_, Some(code)) => code,
        (0, None) => ExitCode::Done,
        _ => ExitCode::Findings,
    })
}

/// The findings that were named; a campaign stands for those that are not reduced.
fn findings(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut findings = Vec::new();
    for path in named {
        match path.join(store::FILE).is_file() {
            true => findings.extend(bucket::unreduced(path, usize::MAX)?),
            false => {
                // Better now than after an hour's work on the others.
                Finding::read(path)?;
                findings.push(path.clone());
            }
        }
    }
    Ok(findings)
}

/// Reduces what a campaign has found and writes its report.
pub(super) fn follow_up(campaign: &Path, how: How) -> Result<()> {
    let pending = bucket::unreduced(campaign, MOST_ALIKE)?;
    reduce_each(&pending, how)?;
    let left = bucket::unreduced(campaign, usize::MAX)?.len();
    if left > 0 && !how.is_json {
        let shown = campaign.display();
        print(|out| {
            writeln!(
                out,
                "{left} findings are not reduced; `mestra reduce {shown}` does it"
            )
        })?;
    }
    let figures = Figures::read(campaign, &[])?;
    report::write(&figures, campaign)?;
    if !how.is_json {
        super::report::show(&figures, campaign)?;
    }
    Ok(())
}

/// What came of working on findings.
struct Reducing {
    /// How many were seen again.
    seen: usize,
    /// The exit code of the first that could not be worked on.
    failed: Option<ExitCode>,
}

/// Works on one finding after the other. One that cannot be worked on does not keep
/// us from the others.
fn reduce_each(findings: &[PathBuf], how: How) -> Result<Reducing> {
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
    let mut reducing = Reducing {
        seen: 0,
        failed: None,
    };
    for directory in findings {
        if interrupt::is_requested() {
            break;
        }
        let worked = pool.install(|| -> Result<_> {
            let case = Case::open(directory)?;
            let verdict = &case.finding.verdict;
            (settings.tell)(&format!("{}: {verdict}", directory.display()));
            triage(&case, &settings)
        });
        match worked {
            Ok(Ok(reduced)) => {
                reducing.seen += 1;
                show(how, directory, &reduced)?;
            }
            Ok(Err(unseen)) => eprintln!(
                "mestra: {}: the failure is not seen any more. This is {}, which shows it by \
                 hand:\n\n{}",
                directory.display(),
                directory.join(file::REPRO).display(),
                unseen.script
            ),
            Err(error) => {
                let code = ExitCode::of_error(&error);
                reducing.failed.get_or_insert(code);
                if code != ExitCode::Interrupted {
                    eprintln!("mestra: {}: {error:#}", directory.display());
                }
            }
        }
    }
    Ok(reducing)
}

fn show(how: How, directory: &Path, reduced: &Reduced) -> Result<()> {
    let report = directory.join(REDUCED).join(reduced_file::REPORT);
    let is_whole = match (reduced.is_finished, reduced.is_interrupted) {
        (true, false) => "",
        (false, false) => " before its time was up",
        (_, true) => " before you wanted an end",
    };
    print(|out| match how.is_json {
        true => writeln!(out, "{}", serde_json::to_string(reduced)?),
        false => writeln!(
            out,
            "  {} lines became {}{is_whole}: {}",
            reduced.lines_before,
            reduced.lines,
            report.display()
        ),
    })
}
