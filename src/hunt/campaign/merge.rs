//! Merging the shards of a campaign that were run separately.

use super::Shard;
use super::store::{FILE, Header, Store};
use crate::hunt::finding::{self, FINDINGS, SUSPICIONS};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// Shards that became one campaign.
#[derive(Debug)]
pub(crate) struct Merged {
    pub store: Store,
    /// The first of the shards that are missing.
    pub missing: Vec<Shard>,
}

/// More missing shards than this are not named.
const MOST_MISSING: usize = 8;

/// A shard as it was found.
struct OpenShard<'p> {
    path: &'p Path,
    header: Header,
    shard: Shard,
}

/// Makes one campaign out of shards of the same plan. Work that two of them have done
/// gave the same results, so it counts once.
///
/// # Errors
/// If they were not begun with the same settings, or one of them is named twice.
pub(crate) fn merge(into: &Path, parts: &[PathBuf]) -> Result<Merged> {
    let parts = parts.iter().map(|path| OpenShard::open(path));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let first = parts.first().context("nothing to merge")?;
    for (index, part) in parts.iter().enumerate() {
        ensure_alike(first, part)?;
        for earlier in &parts[..index] {
            ensure_different(earlier, part)?;
        }
    }
    fs::create_dir_all(into.join(FINDINGS))
        .with_context(|| format!("making the directory {}", into.display()))?;
    let store = Store::create(into, &first.header, Shard::default())?;
    for OpenShard { path, .. } in &parts {
        store
            .take(&path.join(FILE))
            .with_context(|| format!("merging {}", path.display()))?;
        for which in [FINDINGS, SUSPICIONS] {
            for directory in finding::directories_in(path, which)? {
                let name = directory.file_name().unwrap_or_default();
                copy(&directory, &into.join(which).join(name))
                    .with_context(|| format!("copying {}", directory.display()))?;
            }
        }
    }
    let shards: Vec<Shard> = parts.iter().map(|part| part.shard).collect();
    Ok(Merged {
        store,
        missing: missing(&shards).take(MOST_MISSING).collect(),
    })
}

impl OpenShard<'_> {
    fn open(path: &Path) -> Result<OpenShard<'_>> {
        let (store, header) = Store::open(path)?;
        // Moves everything from the write-ahead log into the file that will be attached.
        store.settle()?;
        let shard = store.shard()?;
        Ok(OpenShard {
            path,
            header,
            shard,
        })
    }
}

fn ensure_alike(one: &OpenShard<'_>, other: &OpenShard<'_>) -> Result<()> {
    let (first, second) = (one.path.display(), other.path.display());
    ensure!(
        one.header.settings == other.header.settings,
        "{first} and {second} are shards of different campaigns"
    );
    ensure!(
        one.header == other.header,
        "{first} and {second} were made by different versions of mestra or of compilers"
    );
    Ok(())
}

/// A shard that is named twice would count twice where figures are added up.
fn ensure_different(one: &OpenShard<'_>, other: &OpenShard<'_>) -> Result<()> {
    let (first, second) = (one.path.display(), other.path.display());
    let canonical = |part: &OpenShard<'_>| fs::canonicalize(part.path);
    ensure!(
        canonical(one)? != canonical(other)?,
        "{first} and {second} are the same directory; name each shard once"
    );
    // Merged campaigns are called whole, whatever shards they had.
    let is_whole = one.shard == Shard::default();
    ensure!(
        is_whole || one.shard != other.shard,
        "{first} and {second} are both shard {}; name only one of them",
        one.shard
    );
    Ok(())
}

/// The shards of the finest division of which no given shard has a seed.
fn missing(shards: &[Shard]) -> impl Iterator<Item = Shard> {
    let of = shards.iter().map(|shard| shard.of).max().unwrap_or(0);
    (1..=of)
        .filter(move |&part| {
            let is_in = |shard: &Shard| of % shard.of == 0 && shard.has(part);
            !shards.iter().any(is_in)
        })
        .map(move |part| Shard { part, of })
}

impl Store {
    /// Moves everything from the write-ahead log into the store.
    fn settle(&self) -> Result<()> {
        let connection = self.connection();
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Takes over all rows of another store.
    fn take(&self, other: &Path) -> Result<()> {
        let connection = self.connection();
        let path = other.to_str().context("the name is not valid UTF-8")?;
        connection.execute("ATTACH ? AS part", [path])?;
        let taken = connection.execute_batch(
            "BEGIN;
             -- What one part has begun another may have finished. Then only the rows
             -- of that one count, which may not be the same ones.
             CREATE TEMP TABLE overtaken AS
                 SELECT ours.seed, ours.number AS variant
                 FROM main.variants AS ours JOIN part.variants AS theirs USING (seed, number)
                 WHERE ours.finished IS NULL AND theirs.finished IS NOT NULL;
             DELETE FROM variants WHERE (seed, number) IN (SELECT * FROM overtaken);
             DELETE FROM kinds WHERE (seed, variant) IN (SELECT * FROM overtaken);
             DELETE FROM runs WHERE (seed, variant) IN (SELECT * FROM overtaken);
             DELETE FROM findings WHERE (seed, variant) IN (SELECT * FROM overtaken);
             DELETE FROM suspicions WHERE (seed, variant) IN (SELECT * FROM overtaken);
             DROP TABLE overtaken;
             CREATE TEMP TABLE finished AS
                 SELECT seed, number AS variant FROM main.variants WHERE finished IS NOT NULL;
             INSERT OR IGNORE INTO variants SELECT * FROM part.variants;
             INSERT OR IGNORE INTO kinds SELECT * FROM part.kinds
                 WHERE (seed, variant) NOT IN (SELECT * FROM finished);
             INSERT OR IGNORE INTO runs SELECT * FROM part.runs
                 WHERE (seed, variant) NOT IN (SELECT * FROM finished);
             INSERT OR IGNORE INTO findings SELECT * FROM part.findings
                 WHERE (seed, variant) NOT IN (SELECT * FROM finished);
             INSERT OR IGNORE INTO suspicions SELECT * FROM part.suspicions
                 WHERE (seed, variant) NOT IN (SELECT * FROM finished);
             DROP TABLE finished;
             -- The same for seeds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_that_nobody_brought_are_missing() {
        let missing = |shards: &[&str]| -> Vec<String> {
            let shards: Vec<Shard> = shards.iter().map(|text| text.parse().unwrap()).collect();
            let missing = missing(&shards);
            missing.map(|shard| shard.to_string()).collect()
        };
        assert_eq!(missing(&["3/3", "1/3", "2/3"]), [""; 0]);
        assert_eq!(missing(&["2/3"]), ["1/3", "3/3"]);
        assert_eq!(missing(&["1/1"]), [""; 0]);
        // Odd numbers are the first half of all.
        assert_eq!(missing(&["1/2", "4/4"]), ["2/4"]);
    }
}
