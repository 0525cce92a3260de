//! A copy of a campaign's directory on storage that outlives the machine, such as a network
//! file system: work goes on with the local directory, which may be gone tomorrow.
//!
//! The copy is always whole: the store is copied by SQLite while others write to it, and
//! gets its name after all findings that it speaks of are there. The copy can be
//! merged, and a campaign can be resumed from it on another machine.

use super::copies;
use super::store::{FILE, Store};
use crate::hunt::finding::{FINDINGS, UNFINISHED};
use crate::lab::interrupt;
use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How often it is checked whether there is a reason to copy.
const TICK: Duration = Duration::from_millis(200);

/// A campaign's directory and where its copy is.
#[derive(Debug)]
pub(crate) struct Mirror {
    local: PathBuf,
    shared: PathBuf,
    interval: Duration,
    /// The findings that were copied, with the time of their last change. Reading them
    /// again every few minutes would keep a network busy.
    brought: Mutex<BTreeMap<PathBuf, SystemTime>>,
}

impl Mirror {
    pub(crate) fn new(local: &Path, shared: &Path, interval: Duration) -> Mirror {
        Mirror {
            local: local.to_owned(),
            shared: shared.to_owned(),
            interval,
            brought: Mutex::default(),
        }
    }

    /// Takes over the copy if it is further than what is here, as after a move to another
    /// machine. Returns whether a campaign was begun.
    pub(crate) fn restore(&self) -> Result<bool> {
        let Some(shared) = progress(&self.shared)? else {
            return Ok(Store::find(&self.local).is_ok());
        };
        // A store that a dying machine has damaged is replaced, too.
        let local = progress(&self.local).unwrap_or(None);
        if local.is_some_and(|local| local >= shared) {
            return Ok(true);
        }
        for (directory, into) in copies::findings(&self.shared, &self.local)? {
            fs::create_dir_all(&into)
                .with_context(|| format!("making the directory {}", into.display()))?;
            copies::bring(&directory, &into)?;
        }
        for end in ["-wal", "-shm"] {
            // Of the store that is replaced.
            let _ = fs::remove_file(self.local.join(format!("{FILE}{end}")));
        }
        let new = self.local.join(format!("{UNFINISHED}{FILE}"));
        fs::copy(self.shared.join(FILE), &new)
            .and_then(|_| fs::rename(&new, self.local.join(FILE)))
            .with_context(|| {
                format!(
                    "copying {} to {}",
                    self.shared.display(),
                    self.local.display()
                )
            })?;
        Ok(true)
    }

    /// Copies what is new.
    pub(crate) fn save(&self) -> Result<()> {
        let mut brought = self.brought.lock().unwrap_or_else(PoisonError::into_inner);
        let mut save = || -> Result<()> {
            fs::create_dir_all(self.shared.join(FINDINGS))?;
            let new = self.shared.join(format!("{UNFINISHED}{FILE}"));
            // Of a campaign that was killed while it copied.
            let _ = fs::remove_file(&new);
            let name = new.to_str().context("the name is not valid UTF-8")?;
            // With a connection of its own, so that nobody waits.
            let store = Connection::open(self.local.join(FILE))?;
            store.busy_timeout(Duration::from_secs(10))?;
            store.execute("VACUUM INTO ?", [name])?;
            for (directory, into) in copies::findings(&self.local, &self.shared)? {
                let changed = fs::metadata(&directory)?.modified()?;
                if brought.get(&directory) != Some(&changed) {
                    fs::create_dir_all(&into)?;
                    copies::bring(&directory, &into)?;
                    brought.insert(directory, changed);
                }
            }
            fs::File::open(&new)?.sync_all()?;
            fs::rename(&new, self.shared.join(FILE))?;
            Ok(())
        };
        save().with_context(|| format!("copying the campaign to {}", self.shared.display()))
    }

    /// Copies at intervals, and at once when we are asked to stop: whoever asks may not
    /// wait until the work in progress is finished.
    /// `tell` is called when copying begins to fail.
    pub(super) fn watch(&self, is_done: &AtomicBool, tell: impl Fn(anyhow::Error)) {
        let mut saved = Instant::now();
        let mut has_saved_last = false;
        let mut is_failing = false;
        while !is_done.load(Ordering::Relaxed) {
            std::thread::sleep(TICK);
            let is_last = interrupt::is_requested() && !has_saved_last;
            if is_last || saved.elapsed() >= self.interval {
                // What cannot be copied now may be copied the next time; the copy at the
                // end must succeed.
                let failure = self.save().err();
                let was_failing = std::mem::replace(&mut is_failing, failure.is_some());
                failure.filter(|_| !was_failing).into_iter().for_each(&tell);
                saved = Instant::now();
                has_saved_last |= is_last;
            }
        }
    }
}

/// How far a campaign is, if one has begun in a directory: finished seeds and variants.
fn progress(directory: &Path) -> Result<Option<(u64, u64)>> {
    let Ok(path) = Store::find(directory) else {
        return Ok(None);
    };
    let count = || -> rusqlite::Result<(u64, u64)> {
        let store = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let count = |query: &str| store.query_row(query, [], |row| row.get(0));
        Ok((
            count("SELECT count(*) FROM seeds WHERE state <> 'working'")?,
            count("SELECT count(*) FROM variants WHERE finished IS NOT NULL")?,
        ))
    };
    let counts = count().with_context(|| format!("reading {}", path.display()))?;
    Ok(Some(counts))
}
