//! Merging the shards of a campaign that were run separately.
//!
//! A few parts at a time are opened, taken over in one transaction and closed, so memory
//! does not depend on how many there are. What was taken over before is not read again:
//! a seed that is finished here is finished. So merging can be repeated while parts grow.

use super::Shard;
use super::copies;
use super::session::{self, Lock};
use super::store::{FILE, Header, Store};
use crate::hunt::finding::FINDINGS;
use crate::lab::files::is_same;
use anyhow::{Context, Result, bail, ensure};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Shards that became one campaign.
#[derive(Debug)]
pub(crate) struct Merged {
    pub store: Store,
    /// The first of the shards that are missing.
    pub missing: Vec<Shard>,
    /// The parts that could not be read, and why.
    pub skipped: Vec<(PathBuf, anyhow::Error)>,
    // Nobody else may write to the store.
    _lock: Lock,
}

/// More missing shards than this are not named.
const MOST_MISSING: usize = 8;

/// How many parts are taken over in one transaction. Shards have every n-th seed, so the rows
/// of one part go to as many places as it has seeds, and those of the next part beside them:
/// together they are written once. SQLite has ten places for attached databases.
const AT_A_TIME: usize = 8;

/// Pages that SQLite may hold in memory, in KiB: those of one transaction and the ways to
/// them. With its usual 2 MB, each part had its pages written several times over.
const PAGES_IN_MEMORY: i64 = 64 << 10;

/// How long the write-ahead log may become, in pages of 4 KiB, before it is moved into the
/// store, for which the disk is waited for. Usually that was after every part.
const LONGEST_LOG: i64 = 16 << 10;

/// Makes one campaign out of shards of the same plan, or adds them to one that was made so.
/// Work that two of them have done gave the same results, so it counts once. Parts that
/// are damaged or still running are skipped.
///
/// # Errors
/// If they were not begun with the same settings, or one of them is named twice.
pub(crate) fn merge(into: &Path, parts: &[PathBuf]) -> Result<Merged> {
    let lock = Lock::take(into)?;
    let begun = Store::find(into).is_ok();
    let mut plan = if begun {
        let (store, header) = Store::open(into)?;
        let shard = store.shard()?;
        ensure!(
            shard == Shard::default(),
            "{} is shard {shard} itself; name the directory of the whole campaign first",
            into.display()
        );
        Some((into, header))
    } else {
        None
    };
    let mut skipped = Vec::new();
    let mut good = Vec::new();
    let mut names = NamedParts::default();
    names.add(into, None)?;
    for path in parts {
        ensure!(
            !is_same(path, into),
            "{} cannot be merged into itself",
            into.display()
        );
        match inspect(path) {
            Ok((header, shard)) => {
                let (first, expected) = plan.get_or_insert_with(|| (path, header.clone()));
                ensure_alike((*first, expected), (path, &header))?;
                names.add(path, Some(shard))?;
                good.push(path);
            }
            Err(error) => skipped.push((path.clone(), error)),
        }
    }
    let Some((_, header)) = plan else {
        let (path, error) = skipped.pop().context("nothing to merge")?;
        return Err(error.context(format!("reading {}", path.display())));
    };
    fs::create_dir_all(into.join(FINDINGS))
        .with_context(|| format!("making the directory {}", into.display()))?;
    let store = if begun {
        Store::open(into)?.0
    } else {
        Store::create(into, &header, Shard::default())?
    };
    store.expect_many_rows()?;
    for some in good.chunks(AT_A_TIME) {
        let mut readings = Vec::new();
        let mut parts = Vec::new();
        for path in some {
            match session::reading(path) {
                Ok(reading) => {
                    readings.push(reading);
                    parts.push(path.as_path());
                }
                // It was resumed since we looked.
                Err(error) => skipped.push(((*path).clone(), error)),
            }
        }
        store.take(&parts)?;
    }
    let shards = store.merged_shards()?;
    Ok(Merged {
        missing: missing(&shards).take(MOST_MISSING).collect(),
        store,
        skipped,
        _lock: lock,
    })
}

/// What a part is, if it is whole and at rest.
fn inspect(path: &Path) -> Result<(Header, Shard)> {
    let _reading = session::reading(path)?;
    let (store, header) = Store::open(path)?;
    // Moves everything from the write-ahead log into the file that will be attached.
    store.settle()?;
    let verdict: String = {
        let connection = store.connection();
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?
    };
    ensure!(verdict == "ok", "it is damaged: {verdict}");
    Ok((header, store.shard()?))
}

fn ensure_alike(one: (&Path, &Header), other: (&Path, &Header)) -> Result<()> {
    let (first, second) = (one.0.display(), other.0.display());
    ensure!(
        one.1.settings == other.1.settings,
        "{first} and {second} are shards of different campaigns"
    );
    ensure!(
        one.1 == other.1,
        "{first} and {second} were made by different versions of mestra or of compilers"
    );
    Ok(())
}

/// The parts that were named so far. One that is named twice is probably a mistake for
/// another.
#[derive(Default)]
struct NamedParts<'p> {
    directories: BTreeMap<PathBuf, &'p Path>,
    shards: BTreeMap<Shard, &'p Path>,
}

impl<'p> NamedParts<'p> {
    fn add(&mut self, path: &'p Path, shard: Option<Shard>) -> Result<()> {
        let shown = path.display();
        if let Some(earlier) = self.directories.insert(fs::canonicalize(path)?, path) {
            let earlier = earlier.display();
            bail!("{earlier} and {shown} are the same directory; name each shard once");
        }
        // Merged campaigns are called whole, whatever shards they had.
        let shard = shard.filter(|&shard| shard != Shard::default());
        if let Some(shard) = shard
            && let Some(earlier) = self.shards.insert(shard, path)
        {
            let earlier = earlier.display();
            bail!("{earlier} and {shown} are both shard {shard}; name only one of them");
        }
        Ok(())
    }
}

/// The shards of the finest division of which no given shard has a seed.
pub(super) fn missing(shards: &[Shard]) -> impl Iterator<Item = Shard> {
    let of = shards.iter().map(|shard| shard.of).max().unwrap_or(0);
    (1..=of)
        .filter(move |&part| {
            let is_in = |shard: &Shard| of % shard.of == 0 && shard.has(part);
            !shards.iter().any(is_in)
        })
        .map(move |part| Shard { part, of })
}

/// Seeds of the part that are finished there and not here; of those, the seeds that were
/// begun here; and the seeds that are begun there and not finished anywhere. Here and below,
/// `part` stands for the name that it is attached under.
const COMPARE: &str = "
CREATE TEMP TABLE news AS
    SELECT number FROM part.seeds AS theirs WHERE state <> 'working' AND NOT EXISTS
        (SELECT 1 FROM main.seeds AS ours
         WHERE ours.number = theirs.number AND ours.state <> 'working');
CREATE TEMP TABLE overtaken AS
    SELECT number FROM news WHERE number IN (SELECT number FROM main.seeds);
CREATE TEMP TABLE begun AS
    SELECT number FROM part.seeds AS theirs WHERE state = 'working' AND NOT EXISTS
        (SELECT 1 FROM main.seeds AS ours
         WHERE ours.number = theirs.number AND ours.state <> 'working');
";

/// Findings have no index by seed, so this is done only where it is needed.
const FORGET_OVERTAKEN: &str = "
DELETE FROM variants WHERE seed IN (SELECT number FROM overtaken);
DELETE FROM kinds WHERE seed IN (SELECT number FROM overtaken);
DELETE FROM runs WHERE seed IN (SELECT number FROM overtaken);
DELETE FROM findings WHERE seed IN (SELECT number FROM overtaken);
DELETE FROM suspicions WHERE seed IN (SELECT number FROM overtaken);
";

const TAKE_FINISHED: &str = "
INSERT OR REPLACE INTO seeds SELECT * FROM part.seeds WHERE number IN (SELECT number FROM news);
INSERT INTO variants SELECT * FROM part.variants WHERE seed IN (SELECT number FROM news);
INSERT INTO kinds SELECT * FROM part.kinds WHERE seed IN (SELECT number FROM news);
INSERT INTO runs SELECT * FROM part.runs WHERE seed IN (SELECT number FROM news);
INSERT INTO thinned SELECT * FROM part.thinned WHERE seed IN (SELECT number FROM news);
INSERT OR REPLACE INTO findings
    SELECT * FROM part.findings WHERE seed IN (SELECT number FROM news);
INSERT OR REPLACE INTO suspicions
    SELECT * FROM part.suspicions WHERE seed IN (SELECT number FROM news);
";

/// What one part has begun another may have carried further. Of a variant that one of them
/// has finished only the rows of that one count, which may not be the same ones.
const TAKE_BEGUN: &str = "
CREATE TEMP TABLE behind AS
    SELECT ours.seed, ours.number AS variant
    FROM main.variants AS ours JOIN part.variants AS theirs USING (seed, number)
    WHERE ours.seed IN (SELECT number FROM begun)
        AND ours.finished IS NULL AND theirs.finished IS NOT NULL;
DELETE FROM variants WHERE (seed, number) IN (SELECT * FROM behind);
DELETE FROM kinds WHERE (seed, variant) IN (SELECT * FROM behind);
DELETE FROM runs WHERE (seed, variant) IN (SELECT * FROM behind);
DELETE FROM findings WHERE (seed, variant) IN (SELECT * FROM behind);
DELETE FROM suspicions WHERE (seed, variant) IN (SELECT * FROM behind);
DROP TABLE behind;
CREATE TEMP TABLE finished AS
    SELECT seed, number AS variant FROM main.variants
    WHERE seed IN (SELECT number FROM begun) AND finished IS NOT NULL;
INSERT OR IGNORE INTO seeds SELECT * FROM part.seeds WHERE number IN (SELECT number FROM begun);
INSERT OR IGNORE INTO variants
    SELECT * FROM part.variants WHERE seed IN (SELECT number FROM begun);
INSERT OR IGNORE INTO kinds SELECT * FROM part.kinds
    WHERE seed IN (SELECT number FROM begun) AND (seed, variant) NOT IN (SELECT * FROM finished);
INSERT OR IGNORE INTO runs SELECT * FROM part.runs
    WHERE seed IN (SELECT number FROM begun) AND (seed, variant) NOT IN (SELECT * FROM finished);
INSERT OR IGNORE INTO findings SELECT * FROM part.findings
    WHERE seed IN (SELECT number FROM begun) AND (seed, variant) NOT IN (SELECT * FROM finished);
INSERT OR IGNORE INTO suspicions SELECT * FROM part.suspicions
    WHERE seed IN (SELECT number FROM begun) AND (seed, variant) NOT IN (SELECT * FROM finished);
DROP TABLE finished;
";

/// CPU time grows while a part does, and is counted once: what it has beyond what was taken
/// over before. A part that was merged itself brings its own parts, and what was done
/// after that.
const TAKE_TIMINGS: &str = "
CREATE TEMP TABLE spent AS
    SELECT part, stage, sum(micros) AS micros FROM (
        SELECT part, stage, micros FROM part.merged
        UNION ALL
        SELECT own.value, '', 0 FROM part.meta AS own
        WHERE own.key = 'shard' AND NOT EXISTS (SELECT 1 FROM part.merged)
        UNION ALL
        SELECT own.value, stage, micros - (
            SELECT coalesce(sum(earlier.micros), 0) FROM part.merged AS earlier
            WHERE earlier.stage = timings.stage)
        FROM part.meta AS own, part.timings WHERE own.key = 'shard')
    GROUP BY part, stage HAVING stage = '' OR sum(micros) > 0;
INSERT INTO timings
    SELECT stage, sum(max(0, theirs.micros - coalesce(ours.micros, 0)))
    FROM spent AS theirs LEFT JOIN main.merged AS ours USING (part, stage)
    WHERE stage <> '' GROUP BY stage
    ON CONFLICT (stage) DO UPDATE SET micros = micros + excluded.micros;
INSERT INTO main.merged SELECT part, stage, micros FROM spent WHERE true
    ON CONFLICT (part, stage) DO UPDATE SET micros = max(micros, excluded.micros);
";

const DONE: &str = "
DROP TABLE IF EXISTS temp.news;
DROP TABLE IF EXISTS temp.overtaken;
DROP TABLE IF EXISTS temp.begun;
DROP TABLE IF EXISTS temp.spent;
";

impl Store {
    /// Moves everything from the write-ahead log into the store.
    pub(super) fn settle(&self) -> Result<()> {
        let connection = self.connection();
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Makes room for rows by the million.
    pub(super) fn expect_many_rows(&self) -> Result<()> {
        let connection = self.connection();
        connection.pragma_update(None, "cache_size", -PAGES_IN_MEMORY)?;
        connection.pragma_update(None, "wal_autocheckpoint", LONGEST_LOG)?;
        Ok(())
    }

    /// Takes over everything of other campaigns that is not here: all of it, or nothing.
    pub(super) fn take(&self, parts: &[&Path]) -> Result<()> {
        let connection = self.connection();
        let named: Vec<(String, &Path)> = parts
            .iter()
            .enumerate()
            .map(|(number, part)| (format!("part{number}"), *part))
            .collect();
        let attach = |(name, part): &(String, &Path)| -> Result<()> {
            let attach = format!("ATTACH ? AS {name}");
            connection.execute(&attach, [read_only(&part.join(FILE))?])?;
            Ok(())
        };
        let take_each = || -> Result<()> {
            for part in &named {
                attach(part).with_context(|| format!("opening {}", part.1.display()))?;
            }
            connection.execute_batch("BEGIN")?;
            for (name, part) in &named {
                let bring = || -> Result<()> {
                    for (directory, into) in copies::findings(part, &self.directory)? {
                        copies::bring(&directory, &into)?;
                    }
                    Ok(())
                };
                take(&connection, name)
                    // The directories that rows speak of are there before they are.
                    .and_then(|()| bring())
                    .with_context(|| format!("merging {}", part.display()))?;
            }
            connection.execute_batch("COMMIT")?;
            Ok(())
        };
        let taken = take_each();
        if taken.is_err() && !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK")?;
        }
        for (name, _) in &named {
            // One that could not be attached cannot be detached either.
            let detached = connection.execute(&format!("DETACH {name}"), []);
            if taken.is_ok() {
                detached?;
            }
        }
        taken
    }

    /// The shards that were merged into this store.
    fn merged_shards(&self) -> Result<Vec<Shard>> {
        let connection = self.connection();
        let mut query = connection.prepare("SELECT DISTINCT part FROM merged")?;
        let mut shards = BTreeSet::new();
        for shard in query.query_map([], |row| row.get::<_, String>(0))? {
            shards.insert(shard?.parse()?);
        }
        Ok(shards.into_iter().collect())
    }
}

/// The address of a store that is to be read and no more.
fn read_only(file: &Path) -> Result<String> {
    let name = file.to_str().context("the name is not valid UTF-8")?;
    // What has a meaning in addresses.
    let name = name.replace('%', "%25");
    let name = name.replace('?', "%3f").replace('#', "%23");
    Ok(format!("file:{name}?mode=ro"))
}

/// Takes over the rows of one part that is attached under a name.
fn take(connection: &Connection, name: &str) -> Result<()> {
    let is_empty = |table: &str| -> Result<bool> {
        let query = format!("SELECT NOT EXISTS (SELECT 1 FROM temp.{table})");
        Ok(connection.query_row(&query, [], |row| row.get(0))?)
    };
    let execute = |statements: &str| -> Result<()> {
        let statements = statements.replace("part.", &format!("{name}."));
        Ok(connection.execute_batch(&statements)?)
    };
    execute(COMPARE)?;
    if !is_empty("overtaken")? {
        execute(FORGET_OVERTAKEN)?;
    }
    execute(TAKE_FINISHED)?;
    if !is_empty("begun")? {
        execute(TAKE_BEGUN)?;
    }
    execute(TAKE_TIMINGS)?;
    execute(DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_not_merged_into_itself() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        drop(Store::create(path, &Header::default(), Shard::default()).unwrap());
        let error = merge(path, &[path.join(".")]).unwrap_err().to_string();
        assert!(error.ends_with(" cannot be merged into itself"), "{error}");
    }

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
