//! `mestra campaign` and `mestra merge`.

use super::{print, reduce, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{CampaignCommand, GuardCommand, MergeCommand};
use crate::hunt::campaign::guard::{self, Guard};
use crate::hunt::campaign::settings::Settings;
use crate::hunt::campaign::store::{self, Store};
use crate::hunt::campaign::{Campaign, Ended, How, merge, plan};
use crate::hunt::finding::FINDINGS;
use crate::lab::files::write_whole;
use crate::lab::{interrupt, process, scratch};
use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Settings that are read without being asked for.
const SETTINGS: &str = "mestra.toml";

/// Held by whoever works in a campaign's directory.
const LOCK: &str = "lock";

/// Names the scratch directory of whoever does.
const SCRATCH: &str = "scratch";

pub(super) fn campaign(options: &CampaignCommand) -> Result<ExitCode> {
    // Before there is a second thread.
    process::keep_descriptors();
    process::make_room_for_stacks();
    if !options.allow_network {
        process::leave_network();
    }
    signals::finish_first()?;
    let out = &options.out;
    let _place = Place::take(out)?;
    clean_up_after_the_last(out)?;
    let scratch = scratch::gather().context("making a directory for work in progress")?;
    // Ends before the directory does, so that only one of the two removes it.
    let _guard = Guard::start(scratch.path())?;
    let note = out.join(SCRATCH);
    write_whole(&note, scratch.path().as_os_str().as_bytes())?;
    let ended = run(options).and_then(|ended| {
        if !options.no_reduce && !ended.is_interrupted {
            reduce::follow_up(out, after(options))?;
        }
        Ok(ended)
    });
    let _ = fs::remove_file(&note);
    let Ended {
        totals,
        is_interrupted,
    } = ended?;
    Ok(match totals.found() {
        _ if is_interrupted || interrupt::is_requested() => ExitCode::Interrupted,
        0 if totals.tested_nothing() => ExitCode::SeedRefused,
        0 => ExitCode::Done,
        _ => ExitCode::Findings,
    })
}

fn after(options: &CampaignCommand) -> reduce::How {
    reduce::How {
        time: options.reduce_time,
        // C-Vise would take all the time there is, for each finding.
        with_cvise: false,
        jobs: options.jobs,
        is_json: options.json,
    }
}

fn run(options: &CampaignCommand) -> Result<Ended> {
    let out = &options.out;
    let typed = options.settings.clone();
    let (header, store) = if options.resume {
        if let Some(file) = &options.config {
            bail!(
                "a campaign is resumed as it was begun, so {} is of no use",
                file.display()
            );
        }
        let (store, header) = Store::open(out)?;
        plan::resume(typed, &header)?;
        let (begun, asked) = (store.shard()?, options.shard);
        if asked.is_some_and(|asked| asked != begun) {
            bail!("the campaign was begun as part {begun}; resume it without --shard");
        }
        (header, store)
    } else {
        let (header, left_out) = plan::begin(typed.or(file(options)?))?;
        for config in left_out {
            eprintln!("mestra: left out: {config}");
        }
        let store = Store::create(out, &header, options.shard.unwrap_or_default())?;
        (header, store)
    };
    let how = How {
        jobs: options.jobs,
        time: options.time,
        shard: store.shard()?,
        is_json: options.json,
    };
    let campaign = Campaign::new(header, store, how).inspect_err(|_| {
        if !options.resume {
            forget(out);
        }
    })?;
    campaign.run()
}

/// The settings of the file that was named, or of the one that is there.
fn file(options: &CampaignCommand) -> Result<Settings> {
    match &options.config {
        Some(path) => Settings::read(path),
        None if Path::new(SETTINGS).is_file() => Settings::read(Path::new(SETTINGS)),
        None => Ok(Settings::default()),
    }
}

/// A campaign's directory, for nobody else. Unless a campaign has begun there, it is
/// left as it was found.
struct Place<'o> {
    out: &'o Path,
    is_new: bool,
    _lock: File,
}

impl<'o> Place<'o> {
    fn take(out: &'o Path) -> Result<Place<'o>> {
        let is_new = !out.exists();
        fs::create_dir_all(out)
            .with_context(|| format!("making the directory {}", out.display()))?;
        let path = out.join(LOCK);
        let lock = File::create(&path).with_context(|| format!("writing {}", path.display()))?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("{} is in use by another campaign", out.display());
        }
        Ok(Place {
            out,
            is_new,
            _lock: lock,
        })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if Store::find(self.out).is_ok() {
            return;
        }
        // What cannot be removed does no harm.
        let _ = fs::remove_file(self.out.join(LOCK));
        if self.is_new {
            let _ = fs::remove_dir(self.out);
        }
    }
}

/// Takes away the store of a campaign that could not begin, so that the next try can.
fn forget(out: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(out.join(format!("{}{end}", store::FILE)));
    }
    // Empty, or of somebody else.
    let _ = fs::remove_dir(out.join(FINDINGS));
}

/// If the last campaign here was killed together with its guard.
fn clean_up_after_the_last(out: &Path) -> Result<()> {
    let note = out.join(SCRATCH);
    let Ok(path) = fs::read(&note) else {
        return Ok(());
    };
    let path = PathBuf::from(std::ffi::OsString::from_vec(path));
    let is_ours = path
        .file_name()
        .is_some_and(|name| name.as_bytes().starts_with(b"mestra-"));
    if is_ours {
        guard::clean(&path).with_context(|| format!("removing {}", path.display()))?;
    }
    fs::remove_file(&note).with_context(|| format!("removing {}", note.display()))
}

pub(super) fn merge(options: &MergeCommand) -> Result<ExitCode> {
    let merged = merge::merge(&options.out, &options.parts)?;
    for shard in merged.missing {
        eprintln!("mestra: part {shard} is missing; what it has is not counted");
    }
    let totals = merged.store.totals()?;
    print(|out| writeln!(out, "{totals}"))?;
    Ok(match totals.found() {
        0 => ExitCode::Done,
        _ => ExitCode::Findings,
    })
}

pub(super) fn stand_guard(options: &GuardCommand) -> Result<ExitCode> {
    guard::stand(&options.directory).context("cleaning up")?;
    Ok(ExitCode::Done)
}
