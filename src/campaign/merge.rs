//! Uniting the parts of a campaign that machines have done by themselves.

use super::Shard;
use super::finding::{self, FINDINGS};
use super::store::{FILE, Store};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// Makes one campaign out of parts of the same plan. What two parts have done
/// both is the same, so it counts once.
///
/// # Errors
/// If the parts were not begun alike.
pub fn merge(into: &Path, parts: &[PathBuf]) -> Result<Store> {
    let mut headers = Vec::new();
    for part in parts {
        let (store, header) = Store::open(part)?;
        // Everything is in the file itself once nobody has it open.
        store.settle()?;
        headers.push((part, header));
    }
    let (first, header) = headers.first().context("there is nothing to merge")?;
    for (part, other) in &headers {
        ensure!(
            header.settings == other.settings,
            "{} and {} are parts of different campaigns",
            first.display(),
            part.display()
        );
        ensure!(
            header == other,
            "{} and {} were made with different versions of compilers or of mestra",
            first.display(),
            part.display()
        );
    }
    fs::create_dir_all(into.join(FINDINGS))
        .with_context(|| format!("making the directory {}", into.display()))?;
    let store = Store::create(into, header, Shard::default())?;
    for part in parts {
        store
            .take(&part.join(FILE))
            .with_context(|| format!("merging {}", part.display()))?;
        for directory in finding::directories(part)? {
            let name = directory.file_name().unwrap_or_default();
            copy(&directory, &into.join(FINDINGS).join(name))
                .with_context(|| format!("copying {}", directory.display()))?;
        }
    }
    Ok(store)
}

impl Store {
    /// Moves everything from the log beside the store into it.
    fn settle(&self) -> Result<()> {
        let connection = self.connection();
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Takes over all rows of another store.
    fn take(&self, other: &Path) -> Result<()> {
        let connection = self.connection();
        let path = other.to_str().context("the name is no text")?;
        connection.execute("ATTACH ? AS part", [path])?;
        let taken = connection.execute_batch(
            "BEGIN;
             INSERT OR IGNORE INTO variants SELECT * FROM part.variants;
             INSERT OR IGNORE INTO kinds SELECT * FROM part.kinds;
             INSERT OR IGNORE INTO runs SELECT * FROM part.runs;
             INSERT OR IGNORE INTO findings SELECT * FROM part.findings;
             -- What one part has begun another may have finished.
             INSERT INTO seeds SELECT * FROM part.seeds WHERE true
                 ON CONFLICT (number) DO UPDATE SET
                     state = excluded.state, reason = excluded.reason, points = excluded.points
                 WHERE seeds.state = 'working';
             INSERT INTO timings SELECT * FROM part.timings WHERE true
                 ON CONFLICT (stage) DO UPDATE SET micros = micros + excluded.micros;
             COMMIT;",
        );
        if taken.is_err() && !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK")?;
        }
        connection.execute("DETACH part", [])?;
        Ok(taken?)
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
