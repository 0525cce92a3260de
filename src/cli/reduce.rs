//! `mestra reduce`: from findings to small programs and reports.

use super::report::tell_damaged;
use super::screen::ReductionScreen;
use super::{print, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ReduceCommand;
use crate::hunt::bucket;
use crate::hunt::campaign::guard::Guard;
use crate::hunt::defects;
use crate::hunt::triage::{
    Reductions, TriageOptions, campaign_of, is_campaign, reduce_each, select,
};
use crate::lab::{Lab, interrupt, process, scratch};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long one finding may take if nobody says.
const TIME_FOR_ONE: Duration = Duration::from_secs(300);

pub(super) fn reduce(options: &ReduceCommand) -> Result<ExitCode> {
    // Before there is a second thread. Children may do here what a campaign lets them
    // do, and no more.
    process::keep_descriptors();
    process::settle_stacks();
    process::confine_children(options.allow_network);
    signals::finish_first()?;
    let mut are_whole = true;
    for named in options.findings.iter().filter(|named| is_campaign(named)) {
        let damaged = bucket::damaged(named)?;
        are_whole &= damaged.is_empty();
        tell_damaged(&damaged);
    }
    // What cannot be read may be a failure that nobody knows.
    let nothing_seen = if are_whole {
        ExitCode::Done
    } else {
        ExitCode::Unchecked
    };
    let findings = select(&options.findings, &options.known, options.alike)?;
    if options.list {
        print(|out| {
            findings
                .iter()
                .flatten()
                .try_for_each(|path| writeln!(out, "{}", path.display()))
        })?;
        return Ok(nothing_seen);
    }
    if findings.is_empty() && !options.json {
        print(|out| writeln!(out, "nothing is left to reduce"))?;
    }
    let campaigns = options.findings.iter();
    let campaigns: BTreeSet<&Path> = campaigns.filter_map(|named| campaign_of(named)).collect();
    for campaign in campaigns {
        defects::remember_findings(campaign)?;
    }
    let scratch = scratch::gather().context("making a directory for work in progress")?;
    // Ends before the directory does, so that only one of the two removes it.
    let _guard = Guard::start(scratch.path())?;
    let screen = ReductionScreen::new(options.json);
    let Reductions { seen, failed } = reduce_each(
        &Lab::default(),
        &findings,
        options.time.map(|time| Instant::now() + time),
        &TriageOptions {
            time: options.time.unwrap_or(TIME_FOR_ONE),
            with_cvise: !options.no_cvise,
            jobs: options.jobs,
            should_stop: &interrupt::is_requested,
            observer: &screen,
        },
    )?;
    Ok(match (seen, failed) {
        _ if interrupt::is_requested() => ExitCode::Interrupted,
        (_, Some(error)) => ExitCode::of_error(&error),
        (0, None) => nothing_seen,
        _ => ExitCode::Findings,
    })
}
