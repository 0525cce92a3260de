//! `mestra campaign`, `mestra merge` and `mestra compact`.

use super::screen::{CampaignScreen, ReductionScreen};
use super::{print, report, signals};
use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{CampaignCommand, CompactCommand, GuardCommand, MergeCommand};
use crate::hunt;
use crate::hunt::campaign::compact::{self, Compacted};
use crate::hunt::campaign::mirror::Mirror;
use crate::hunt::campaign::session::OpenCampaign;
use crate::hunt::campaign::settings::Settings;
use crate::hunt::campaign::store::Store;
use crate::hunt::campaign::{Campaign, Ended, How, damage, guard, merge};
use crate::hunt::defects::{self, sightings};
use crate::hunt::triage::{FollowUp, TriageOptions, follow_up};
use crate::lab::words::plural;
use crate::lab::{Lab, interrupt, process};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::time::{Duration, Instant};

/// Settings that are read without being asked for.
const SETTINGS: &str = "mestra.toml";

pub(super) fn campaign(options: &CampaignCommand) -> Result<ExitCode> {
    let began = Instant::now();
    // Before there is a second thread.
    process::keep_descriptors();
    process::settle_stacks();
    process::confine_children(options.allow_network);
    if let Some(missing) = process::missing_protection() {
        say(missing);
    }
    signals::finish_first()?;
    defects::check_earlier(&options.known)?;
    let session = OpenCampaign::open(&options.out)?;
    let mirror = options
        .sync
        .as_ref()
        .map(|shared| Mirror::new(&options.out, shared, options.sync_every));
    let Ended {
        totals,
        is_interrupted,
    } = run(options, &session, mirror.as_ref())
        .inspect_err(|error| tell_if_stopped(error, &WorkLeft::Hunting, options))
        .map_err(|error| damage::in_words(&options.out, error))?;
    let mut left = WorkLeft::Hunting;
    if !options.no_reduce {
        if is_interrupted {
            report_only(options)?;
        } else {
            left = WorkLeft::Reducing;
            let unreduced = reduce_findings(options, began)
                .inspect_err(|error| tell_if_stopped(error, &left, options))?;
            if unreduced == 0 {
                left = WorkLeft::None;
            }
        }
        mirror.as_ref().map_or(Ok(()), Mirror::save)?;
    }
    if is_interrupted || interrupt::is_requested() {
        tell_interrupted(&left, options);
    }
    Ok(if is_interrupted || interrupt::is_requested() {
        ExitCode::Interrupted
    } else if has_news(options)? {
        ExitCode::Findings
    } else {
        ExitCode::without_findings(&totals)
    })
}

/// What is left to do of a campaign.
#[derive(Debug)]
enum WorkLeft {
    /// Seeds, and findings to be reduced afterwards.
    Hunting,
    /// Findings that were not reduced to the end.
    Reducing,
    None,
}

impl WorkLeft {
    /// What to type to go on.
    fn command(&self, out: &Path) -> Option<String> {
        let out = out.to_string_lossy();
        let out = shlex::try_quote(&out).unwrap_or_default();
        match self {
            WorkLeft::Hunting => Some(format!("mestra campaign --resume -o {out}")),
            WorkLeft::Reducing => Some(format!("mestra reduce {out}")),
            WorkLeft::None => None,
        }
    }
}

fn tell_interrupted(left: &WorkLeft, options: &CampaignCommand) {
    match left.command(&options.out) {
        Some(command) => say(&format!("interrupted; to continue: {command}")),
        None => say("interrupted"),
    }
}

/// The same for a campaign that was stopped at once, if it has begun.
fn tell_if_stopped(error: &anyhow::Error, left: &WorkLeft, options: &CampaignCommand) {
    if ExitCode::of_error(error) == ExitCode::Interrupted && Store::find(&options.out).is_ok() {
        tell_interrupted(left, options);
    }
}

/// Whether there are findings of a defect that nobody knows, or that was fixed.
fn has_news(options: &CampaignCommand) -> Result<bool> {
    let sighted = sightings(&options.out, &options.known)?;
    let mut seen = sighted.seen.iter();
    Ok(seen.any(|(_, defect)| defect.novelty().is_news()))
}

fn run(
    options: &CampaignCommand,
    session: &OpenCampaign,
    mirror: Option<&Mirror>,
) -> Result<Ended> {
    let lab = Lab::default();
    let typed = options.settings.clone();
    let is_begun = match mirror {
        Some(mirror) => mirror.restore()?,
        None => options.resume,
    };
    let (header, store) = if options.resume || is_begun {
        ensure!(
            options.config.is_none() || !options.resume,
            "--config cannot be combined with --resume"
        );
        let asked = if options.resume {
            typed
        } else {
            typed.or(file(options)?)
        };
        session.resume(&lab, asked, options.shard)?
    } else {
        let settings = typed.or(file(options)?);
        let shard = options.shard.unwrap_or_default();
        let (header, store, left_out) = session.begin(&lab, settings, shard)?;
        let words = std::env::args_os().skip(1);
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let command = std::iter::once("mestra".to_owned()).chain(words);
        let command: Vec<String> = command.collect();
        let command = shlex::try_join(command.iter().map(String::as_str));
        store.note_command(&command.unwrap_or_default())?;
        for config in left_out {
            say(&format!("left out: {config}"));
        }
        (header, store)
    };
    let reserve = match options.time {
        Some(time) if !options.no_reduce => (time / 4).min(options.reduce_time),
        _ => Duration::ZERO,
    };
    let how = How {
        jobs: options.jobs,
        time: options.time,
        reserve,
        shard: store.shard()?,
    };
    let screen = CampaignScreen::new(options.json);
    let campaign = Campaign::new(lab, header, store, how, &screen).inspect_err(|_| {
        if !options.resume && !is_begun {
            session.forget();
        }
    })?;
    campaign.run(mirror)
}

/// Reports what was found by then.
fn report_only(options: &CampaignCommand) -> Result<()> {
    let figures = hunt::report::make(&options.out, &options.known, &options.out)?;
    if options.json {
        return Ok(());
    }
    report::show(&figures, &options.out)
}

/// Reduces what was found in the time that is left, and reports it. Returns how many findings
/// were not reduced to the end.
fn reduce_findings(options: &CampaignCommand, began: Instant) -> Result<usize> {
    let by_itself = Instant::now() + options.reduce_time;
    let deadline = match options.time {
        Some(time) => by_itself.min(began + time),
        None => by_itself,
    };
    let screen = ReductionScreen::new(options.json);
    let FollowUp { figures, unreduced } = follow_up(
        &Lab::default(),
        &options.out,
        &options.known,
        deadline,
        &TriageOptions {
            time: options.reduce_time,
            // C-Vise would take all the time there is, for each finding.
            with_cvise: false,
            jobs: options.jobs,
            should_stop: &interrupt::is_requested,
            observer: &screen,
        },
    )?;
    if options.json {
        return Ok(unreduced);
    }
    if unreduced > 0 {
        let left = plural(unreduced, "finding");
        // Who was interrupted is told at the end, where it is seen.
        let command = WorkLeft::Reducing.command(&options.out);
        let command = command.filter(|_| !interrupt::is_requested());
        let how = command.map_or_else(String::new, |command| format!("; to continue: {command}"));
        print(|screen| writeln!(screen, "{left} not reduced to the end{how}"))?;
    }
    report::show(&figures, &options.out)?;
    Ok(unreduced)
}

/// The settings of the file that was named, or of the one that is there.
fn file(options: &CampaignCommand) -> Result<Settings> {
    match &options.config {
        Some(path) => Settings::read(path),
        None if Path::new(SETTINGS).is_file() => Settings::read(Path::new(SETTINGS)),
        None => Ok(Settings::default()),
    }
}

pub(super) fn merge(options: &MergeCommand) -> Result<ExitCode> {
    let merged = merge::merge(&options.out, &options.parts)?;
    for (part, reason) in merged.skipped {
        let reason = format!("{reason:#}");
        say(&format!("skipped {}: {}", part.display(), reason));
    }
    for shard in merged.missing {
        say(&format!(
            "shard {shard} is missing; its results are not counted"
        ));
    }
    defects::unite(&options.out, &options.parts)?;
    let totals = merged.store.totals()?;
    print(|out| writeln!(out, "{totals}"))?;
    Ok(ExitCode::of_totals(&totals))
}

pub(super) fn compact(options: &CompactCommand) -> Result<ExitCode> {
    for campaign in &options.campaigns {
        let Compacted {
            seeds,
            bytes_before,
            bytes,
        } = compact::compact(campaign, options.keep)?;
        let (before, after) = (bytes_before >> 10, bytes >> 10);
        let name = campaign.display();
        print(|out| match seeds {
            0 => writeln!(out, "{name}: nothing left to compact"),
            _ => {
                let seeds = plural(seeds, "seed");
                writeln!(
                    out,
                    "{name}: {seeds} compacted, {before} KiB became {after}"
                )
            }
        })?;
    }
    Ok(ExitCode::Done)
}

pub(super) fn stand_guard(options: &GuardCommand) -> Result<ExitCode> {
    guard::stand(&options.directory).context("cleaning up")?;
    Ok(ExitCode::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_command_goes_on_with_what_is_left() {
        let command = |work: WorkLeft| work.command(Path::new("my hunt"));
        let hunting = command(WorkLeft::Hunting).unwrap();
        assert_eq!(hunting, "mestra campaign --resume -o 'my hunt'");
        assert_eq!(
            command(WorkLeft::Reducing).unwrap(),
            "mestra reduce 'my hunt'"
        );
        assert_eq!(command(WorkLeft::None), None);
    }
}
