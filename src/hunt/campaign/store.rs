//! What a campaign has done, in one SQLite file that is written as things happen.
//!
//! Whatever is in it is true: a seed or variant is marked as done only after everything
//! that belongs to it is written. A process that is killed loses at most the work in
//! progress, which is then repeated from the start and gives the same rows.

use super::Shard;
use super::aside::SetAside;
use super::flags::FlagPool;
use super::kinds::{BY, by_kind};
use super::schema;
use super::settings::Settings;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Doubt, Finding, UNFINISHED};
use crate::lab::toolchain::Config;
use crate::variant::generate::Feature;
use crate::variant::replay::VariantRecord;
use crate::variant::strategy::{ProposalTally, Trace};
use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The store's file in a campaign's directory.
pub(crate) const FILE: &str = "campaign.db";

/// Changes when older stores can no longer be read.
const FORMAT: u32 = 2;

/// The name of all configs that compile programs as two files.
pub(crate) const TWO_FILES: &str = "two files";

/// The name of all configs whose programs record how they access volatile variables.
pub(crate) const ACCESSES: &str = "volatile accesses";

/// What a campaign is, fixed when it begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Mestra.
    pub mestra: String,
    /// With everything filled in that was determined at the start.
    pub settings: Settings,
    pub configs: Vec<Config>,
    /// The trusted compilers with their versions.
    pub trusted: Vec<String>,
    /// The flag of the version of C that seeds are compiled as if they name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// The compilers that also get flags by dice, and which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flag_pools: Vec<FlagPool>,
    /// Whether programs are also divided into two files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub two_files: bool,
    /// Whether accesses to volatile variables are compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile: bool,
    /// What compiling a kilobyte costs under each config, in milliseconds of CPU time, for
    /// campaigns that learn where their time should go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<f64>,
    /// What each config, then each that gets flags by dice, lacks of what own programs and
    /// variants may have. Older versions did not say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Vec<Feature>>,
    /// The version of our own generator, if it makes seeds: another makes others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<u32>,
}

impl Header {
    /// How many configs a program meets, drawn ones included.
    pub(super) fn ways(&self) -> usize {
        let others = usize::from(self.two_files) + usize::from(self.volatile);
        self.configs.len() + self.flag_pools.len() + others
    }

    /// Whether it says what compilers lack, if that is needed to make seeds: what an older
    /// version wrote does not.
    pub(super) fn tells_what_is_lacking(&self) -> bool {
        let all = self.configs.len() + self.flag_pools.len();
        self.generator.is_none() || self.lacks.len() == all
    }
}

/// An open store. Usable from many threads.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
    pub directory: PathBuf,
}

/// What a config made of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub config: String,
    pub verdict: Verdict,
    /// Why it is not a finding although the verdict is not the same.
    pub dismissed: Option<Doubt>,
    /// What the compiler made, if it made anything.
    pub made: Option<Made>,
}

/// Figures of an object file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    pub compile: Duration,
    pub bytes: usize,
    pub hash: u64,
    /// Bytes of memory that the compiler had at most; not kept.
    pub peak: u64,
}

/// What a compiler has made of a program, as far as it matters for where time should go.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShapedRun {
    pub(super) seed: u64,
    pub(super) is_of_variant: bool,
    /// Empty for all that a seed costs besides.
    pub(super) config: String,
    pub(super) cost: f64,
    pub(super) shapes: Vec<u32>,
    pub(super) findings: u32,
}

impl Store {
    /// Refuses a directory in which a campaign was begun.
    pub(super) fn expect_none(directory: &Path) -> Result<()> {
        ensure!(
            Store::find(directory).is_err(),
            "{} already contains a campaign; continue it with --resume, or choose another --out",
            directory.display()
        );
        Ok(())
    }

    /// Begins a campaign in a directory that contains none. The file gets its name when all of
    /// the beginning is in it, so that a full disk leaves nothing that looks like a campaign.
    pub fn create(directory: &Path, header: &Header, shard: Shard) -> Result<Store> {
        Store::expect_none(directory)?;
        // What is there now is empty: earlier versions began under the final name.
        remove(directory, FILE);
        let path = directory.join(FILE);
        let unfinished = format!("{UNFINISHED}{FILE}");
        let new = directory.join(&unfinished);
        remove(directory, &unfinished);
        let begin = || -> Result<Connection> {
            // Without a write-ahead log, which would have to be renamed, too.
            let mut connection = Connection::open(&new)?;
            let transaction = connection.transaction()?;
            transaction.execute_batch(schema::FIRST)?;
            transaction.execute_batch(schema::LATER)?;
            set(&transaction, "format", &FORMAT.to_string())?;
            set(&transaction, "header", &serde_json::to_string(header)?)?;
            set(&transaction, "shard", &shard.to_string())?;
            transaction.commit()?;
            connection.close().map_err(|(_, error)| error)?;
            fs::rename(&new, &path)?;
            connect(&path)
        };
        let connection = begin().with_context(|| format!("creating {}", path.display()));
        let connection = connection.inspect_err(|_| {
            remove(directory, &unfinished);
            remove(directory, FILE);
        })?;
        Ok(Store {
            connection: Mutex::new(connection),
            directory: directory.to_owned(),
        })
    }

    /// The file of a campaign that was begun.
    pub(crate) fn find(directory: &Path) -> Result<PathBuf> {
        let path = directory.join(FILE);
        ensure!(
            path.is_file() && !is_empty(&path),
            "{} does not contain a campaign",
            directory.display()
        );
        Ok(path)
    }

    /// Opens the store of a campaign that was begun.
    pub fn open(directory: &Path) -> Result<(Store, Header)> {
        let path = Store::find(directory)?;
        let connection = connect(&path)?;
        let read = || -> Result<Option<(String, String)>> {
            let mut get = connection.prepare("SELECT value FROM meta WHERE key = ?")?;
            let mut get = |key: &str| get.query_row([key], |row| row.get(0)).optional();
            Ok(get("format")?.zip(get("header")?))
        };
        let found = read().with_context(|| format!("reading {}", path.display()))?;
        let Some((format, header)) = found else {
            bail!("{} is not a campaign's database", path.display());
        };
        ensure!(
            format == FORMAT.to_string(),
            "{} was made by another version of mestra (format {format}, this one reads {FORMAT}); \
             use that version, or start a new campaign",
            path.display()
        );
        let add_tables = connection.execute_batch(schema::LATER);
        add_tables.with_context(|| format!("writing to {}", path.display()))?;
        let header =
            serde_json::from_str(&header).with_context(|| format!("reading {}", path.display()))?;
        let store = Store {
            connection: Mutex::new(connection),
            directory: directory.to_owned(),
        };
        Ok((store, header))
    }

    /// Which shard of the campaign this is.
    pub fn shard(&self) -> Result<Shard> {
        let query = "SELECT value FROM meta WHERE key = 'shard'";
        let text: String = self.connection().query_row(query, [], |row| row.get(0))?;
        text.parse()
    }

    pub(super) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic elsewhere rolls its transaction back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, what: impl FnOnce(&Transaction<'_>) -> Result<()>) -> Result<()> {
        let mut connection = self.connection();
        let write = || -> Result<()> {
            let transaction = connection.transaction()?;
            what(&transaction)?;
            transaction.commit()?;
            Ok(())
        };
        write().with_context(|| format!("writing to {}", self.directory.join(FILE).display()))
    }

    /// Begins a seed, or begins it again.
    pub fn begin_seed(&self, number: u64, name: &str, origin: &str) -> Result<()> {
        self.write(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO seeds VALUES (?, ?, ?, 'working', NULL, NULL)",
                params![number, name, origin],
            )?;
            Ok(())
        })
    }

    /// The seed has no part in the campaign any longer.
    pub fn set_aside(&self, number: u64, reason: &SetAside) -> Result<()> {
        self.end_seed(number, "set aside", Some(&reason.to_stored()?), None)
    }

    pub fn finish_seed(&self, number: u64, points: usize) -> Result<()> {
        self.end_seed(number, "done", None, Some(points))
    }

    fn end_seed(
        &self,
        number: u64,
        state: &str,
        reason: Option<&str>,
        points: Option<usize>,
    ) -> Result<()> {
        self.write(|transaction| {
            transaction.execute(
                "UPDATE seeds SET state = ?, reason = ?, points = ? WHERE number = ?",
                params![state, reason, points, number],
            )?;
            Ok(())
        })
    }

    /// The seeds that need no more work.
    pub fn finished_seeds(&self) -> Result<BTreeSet<u64>> {
        let connection = self.connection();
        let mut query = connection.prepare("SELECT number FROM seeds WHERE state <> 'working'")?;
        let numbers = query.query_map([], |row| row.get(0))?;
        Ok(numbers.collect::<Result<_, _>>()?)
    }

    /// The variants of a seed that all configs have seen.
    pub(crate) fn finished_variants(&self, seed: u64) -> Result<BTreeSet<u32>> {
        let connection = self.connection();
        let mut query = connection
            .prepare("SELECT number FROM variants WHERE seed = ? AND finished IS NOT NULL")?;
        let numbers = query.query_map([seed], |row| row.get(0))?;
        Ok(numbers.collect::<Result<_, _>>()?)
    }

    /// Begins a variant and forgets what an earlier attempt left.
    pub fn begin_variant(&self, seed: u64, record: &VariantRecord, traces: &[Trace]) -> Result<()> {
        let record_bytes = deflate(record)?;
        let number = record.variant;
        let kinds = by_kind(record, traces);
        let steps = traces.iter().flat_map(|trace| &trace.accepted);
        let accepted = steps.clone().filter(|accepted| **accepted).count();
        let chain = (!traces.is_empty()).then(|| (steps.count(), accepted));
        self.write(|transaction| {
            forget(transaction, seed, number)?;
            transaction.execute(
                "INSERT OR REPLACE INTO variants VALUES (?, ?, ?, ?, ?, ?, NULL)",
                params![
                    seed,
                    number,
                    record.all_mutations().count(),
                    record_bytes,
                    chain.map(|(steps, _)| steps),
                    chain.map(|(_, accepted)| accepted),
                ],
            )?;
            let insert = "INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?)";
            for (kind, (made, ProposalTally { proposed, accepted })) in kinds {
                let row = params![seed, number, kind, made, proposed, accepted];
                transaction.execute(insert, row)?;
            }
            let maker = format!("{BY}{}", record.strategy);
            transaction.execute(insert, params![seed, number, maker, 1, 0, 0])?;
            Ok(())
        })
    }

    /// Forgets what an earlier attempt at the seed itself left.
    pub(crate) fn begin_baseline(&self, seed: u64) -> Result<()> {
        self.write(|transaction| forget(transaction, seed, 0))
    }

    /// All configs have seen the variant. Its record stays only if one of them failed: it
    /// would be nine tenths of the store, and it follows from the plan.
    pub fn finish_variant(&self, seed: u64, variant: u32, since: Duration) -> Result<()> {
        self.write(|transaction| {
            transaction.execute(
                "UPDATE variants SET record = x'' WHERE seed = ?1 AND number = ?2 AND NOT EXISTS
                     (SELECT 1 FROM runs
                      WHERE runs.seed = ?1 AND variant = ?2 AND verdict <> ?3)",
                params![seed, variant, VerdictKind::Same.name()],
            )?;
            count_futile(transaction, seed, variant)?;
            transaction.execute(
                "UPDATE variants SET finished = ? WHERE seed = ? AND number = ?",
                params![since.as_secs_f64(), seed, variant],
            )?;
            Ok(())
        })
    }

    /// Writes what a config made of a program, and the finding or suspicion if it is one.
    pub fn add_run(
        &self,
        seed: u64,
        variant: u32,
        run: &Run,
        finding: Option<&Finding>,
    ) -> Result<()> {
        self.write(|transaction| {
            let made = run.made;
            let dismissed = run.dismissed.as_ref().map(Doubt::to_stored);
            transaction.execute(
                "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    seed,
                    variant,
                    run.config,
                    run.verdict.kind.name(),
                    run.verdict.signature,
                    dismissed.transpose()?,
                    made.map(|made| made.compile.as_micros() as i64),
                    made.map(|made| made.bytes),
                    made.map(|made| format!("{:016x}", made.hash)),
                ],
            )?;
            if let Some(finding) = finding
                && let Some(standing) = finding.standing.kind()
            {
                transaction.execute(
                    "INSERT OR REPLACE INTO suspicions VALUES (?, ?, ?, ?, ?, ?)",
                    params![
                        finding.id,
                        seed,
                        variant,
                        run.config,
                        standing.name(),
                        serde_json::to_string(finding)?,
                    ],
                )?;
            } else if let Some(finding) = finding {
                transaction.execute(
                    "INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?, ?, ?)",
                    params![
                        finding.id,
                        seed,
                        variant,
                        run.config,
                        finding.verdict.kind.name(),
                        finding.verdict.signature,
                        serde_json::to_string(finding)?,
                    ],
                )?;
            }
            Ok(())
        })
    }

    /// Writes what a config has made of a program.
    pub(super) fn add_shapes(
        &self,
        seed: u64,
        variant: u32,
        config: &str,
        cost: f64,
        shapes: &BTreeSet<u32>,
    ) -> Result<()> {
        let bytes: Vec<u8> = shapes
            .iter()
            .flat_map(|shape| shape.to_le_bytes())
            .collect();
        self.write(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO shapes VALUES (?, ?, ?, ?, ?)",
                params![seed, variant, config, cost, bytes],
            )?;
            Ok(())
        })
    }

    /// What was made of some seeds and their variants, in order.
    pub(super) fn shaped_runs(&self, first: u64, last: u64) -> Result<Vec<ShapedRun>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT seed, variant > 0, config, cost, shapes,
                 (SELECT count(*) FROM findings WHERE findings.seed = made.seed
                    AND (findings.variant = made.variant AND findings.config = made.config
                      OR made.config = '' AND findings.config NOT IN
                           (SELECT config FROM shapes WHERE seed = made.seed)))
             FROM shapes AS made WHERE seed BETWEEN ? AND ? ORDER BY seed, variant, config",
        )?;
        let rows = query.query_map([first, last], |row| {
            let bytes: Vec<u8> = row.get(4)?;
            let (shapes, _) = bytes.as_chunks::<4>();
            Ok(ShapedRun {
                seed: row.get(0)?,
                is_of_variant: row.get(1)?,
                config: row.get(2)?,
                cost: row.get(3)?,
                shapes: shapes.iter().copied().map(u32::from_le_bytes).collect(),
                findings: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds CPU time to stages.
    pub fn add_timings(&self, spent: &[(&str, Duration)]) -> Result<()> {
        self.write(|transaction| {
            for (stage, time) in spent.iter().filter(|(_, time)| !time.is_zero()) {
                transaction.execute(
                    "INSERT INTO timings VALUES (?1, ?2)
                     ON CONFLICT (stage) DO UPDATE SET micros = micros + ?2",
                    params![stage, time.as_micros() as i64],
                )?;
            }
            Ok(())
        })
    }

    /// How long the campaign had been running when its last variant was finished.
    pub(crate) fn worked(&self) -> Result<Duration> {
        let connection = self.connection();
        let seconds: Option<f64> =
            connection.query_row("SELECT max(finished) FROM variants", [], |row| row.get(0))?;
        Ok(Duration::from_secs_f64(seconds.unwrap_or(0.0).max(0.0)))
    }
}

/// Whether a file is a database that nothing was ever committed to. One that cannot be read is
/// not: whoever opens it will say why.
fn is_empty(path: &Path) -> bool {
    let count = || -> rusqlite::Result<u64> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
    };
    count() == Ok(0)
}

/// Removes a store with all files that SQLite has put beside it.
pub(super) fn remove(directory: &Path, name: &str) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(directory.join(format!("{name}{end}")));
    }
}

fn connect(path: &Path) -> Result<Connection> {
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A committed row survives our own end, and a power cut leaves the file whole.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.busy_timeout(Duration::from_secs(10))?;
        Ok(connection)
    };
    open().with_context(|| format!("opening {}", path.display()))
}

fn set(transaction: &Transaction<'_>, key: &str, value: &str) -> rusqlite::Result<usize> {
    transaction.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [key, value])
}

fn forget(transaction: &Transaction<'_>, seed: u64, variant: u32) -> Result<()> {
    for table in ["runs", "findings", "suspicions", "kinds", "shapes"] {
        let delete = format!("DELETE FROM {table} WHERE seed = ? AND variant = ?");
        transaction.execute(&delete, params![seed, variant])?;
    }
    Ok(())
}

/// Keeps with the strategy of a variant how many of its objects were compared with those of
/// the seed, and how many are the same: nothing can be learned from these.
fn count_futile(transaction: &Transaction<'_>, seed: u64, variant: u32) -> Result<()> {
    let (compared, equal): (u64, u64) = transaction.query_row(
        "SELECT count(*), coalesce(sum(own.object_hash = of_seed.object_hash), 0)
         FROM runs AS own JOIN runs AS of_seed
             ON of_seed.seed = own.seed AND of_seed.variant = 0 AND of_seed.config = own.config
         WHERE own.seed = ? AND own.variant = ?
             AND own.object_hash IS NOT NULL AND of_seed.object_hash IS NOT NULL",
        params![seed, variant],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    transaction.execute(
        "UPDATE kinds SET proposed = ?, accepted = ?
         WHERE seed = ? AND variant = ? AND kind GLOB ?",
        params![compared, equal, seed, variant, format!("{BY}*")],
    )?;
    Ok(())
}

fn deflate(record: &VariantRecord) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&serde_json::to_vec(record)?)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_without_a_beginning_is_no_campaign() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::write(path.join(FILE), "").unwrap();
        assert!(Store::find(path).is_err());
        // As an earlier version left it on a full disk.
        fs::remove_file(path.join(FILE)).unwrap();
        drop(connect(&path.join(FILE)).unwrap());
        assert_ne!(fs::metadata(path.join(FILE)).unwrap().len(), 0);
        assert!(Store::open(path).is_err());
        drop(Store::create(path, &Header::default(), Shard::default()).unwrap());
        assert!(Store::open(path).is_ok());
        let again = Store::create(path, &Header::default(), Shard::default());
        let error = again.unwrap_err().to_string();
        assert!(error.contains("already contains a campaign"), "{error}");
    }

    #[test]
    fn a_damaged_database_is_never_taken_for_an_empty_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::write(path.join(FILE), "no database at all, but somebody's work").unwrap();
        assert!(Store::find(path).is_ok());
        assert!(Store::create(path, &Header::default(), Shard::default()).is_err());
        assert!(path.join(FILE).exists());
    }

    #[test]
    fn a_store_that_cannot_be_made_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nowhere");
        assert!(Store::create(&path, &Header::default(), Shard::default()).is_err());
        fs::create_dir(&path).unwrap();
        // A directory in the way of the final name.
        fs::create_dir(path.join(FILE)).unwrap();
        assert!(Store::create(&path, &Header::default(), Shard::default()).is_err());
        let left: Vec<_> = fs::read_dir(&path).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
