//! Making a store smaller: of seeds that are finished, runs that nobody asks about again are
//! replaced by their figures.
//!
//! Every finding, suspicion and dismissed failure stays, with the strategy that made its
//! variant, and so does every count. What goes are the runs in which nothing was wrong, which
//! mutations a variant had, and the records of variants without findings; they follow from the
//! plan. The median growth of variants is from then on computed from the medians of seeds, and
//! curves over time have a step for each seed.

use super::health::ratios;
use super::kinds::BY;
use super::session::Lock;
use super::store::{FILE, Store};
use crate::hunt::finding::verdict::VerdictKind;
use anyhow::{Context, Result};
use rusqlite::{Transaction, params};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compacted {
    pub seeds: u64,
    pub bytes_before: u64,
    pub bytes: u64,
}

/// The runs of one config on one seed.
#[derive(Debug, Default)]
struct ThinnedRuns {
    /// How many are removed.
    runs: u64,
    /// What the compiler made of the seed itself.
    seed: Option<(i64, i64)>,
    times: Vec<f64>,
    sizes: Vec<f64>,
}

/// Compacts the store of a campaign, except for its latest seeds.
pub(crate) fn compact(directory: &Path, keep: u64) -> Result<Compacted> {
    let path = Store::find(directory)?;
    let _lock = Lock::take(directory)?;
    let (store, _) = Store::open(directory)?;
    store.settle()?;
    let size = || -> Result<u64> { Ok(fs::metadata(&path)?.len()) };
    let bytes_before = size()?;
    let seeds = store.thin(keep)?;
    store.connection().execute_batch("VACUUM")?;
    store.settle()?;
    Ok(Compacted {
        seeds,
        bytes_before,
        bytes: size()?,
    })
}

impl Store {
    /// Returns how many seeds were compacted now and not before.
    fn thin(&self, keep: u64) -> Result<u64> {
        let mut connection = self.connection();
        let mut thin = || -> Result<u64> {
            let transaction = connection.transaction()?;
            transaction.execute_batch("CREATE TEMP TABLE old (seed INTEGER PRIMARY KEY)")?;
            transaction.execute(
                "INSERT INTO old SELECT number FROM seeds WHERE state <> 'working'
                 ORDER BY number DESC LIMIT -1 OFFSET ?",
                [keep],
            )?;
            let seeds: u64 = transaction.query_row(
                "SELECT count(DISTINCT seed) FROM runs
                 WHERE seed IN old AND verdict = ? AND dismissed IS NULL",
                [VerdictKind::Same.name()],
                |row| row.get(0),
            )?;
            thin_runs(&transaction)?;
            transaction.execute_batch(&format!(
                "CREATE TEMP TABLE makers AS
                     SELECT * FROM kinds WHERE seed IN old AND kind GLOB '{BY}*'
                         AND (seed, variant) IN (SELECT seed, variant FROM findings);
                 DELETE FROM kinds WHERE (seed, variant, kind) IN
                     (SELECT seed, variant, kind FROM makers);
                 CREATE TEMP TABLE sums AS
                     SELECT seed, 0, kind, sum(made), sum(proposed), sum(accepted)
                     FROM kinds WHERE seed IN old GROUP BY seed, kind;
                 DELETE FROM kinds WHERE seed IN old;
                 INSERT INTO kinds SELECT * FROM sums;
                 INSERT INTO kinds SELECT * FROM makers;
                 UPDATE variants SET record = x'' WHERE seed IN old
                     AND (seed, number) NOT IN (SELECT seed, variant FROM findings
                         UNION SELECT seed, variant FROM suspicions);
                 DROP TABLE makers;
                 DROP TABLE sums;
                 DROP TABLE old;",
            ))?;
            transaction.commit()?;
            Ok(seeds)
        };
        thin().with_context(|| format!("compacting {}", self.directory.join(FILE).display()))
    }
}

/// Replaces the runs of old seeds in which nothing was wrong.
fn thin_runs(transaction: &Transaction<'_>) -> Result<()> {
    let mut query = transaction.prepare(
        "SELECT seed, variant, config, verdict = ?1 AND dismissed IS NULL,
             compile_micros, object_bytes
         FROM runs WHERE seed IN old ORDER BY seed, variant, config",
    )?;
    let mut rows = query.query([VerdictKind::Same.name()])?;
    let mut current: Option<i64> = None;
    let mut configs: BTreeMap<String, ThinnedRuns> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let seed = row.get(0)?;
        if current != Some(seed) {
            put(transaction, current.replace(seed), &mut configs)?;
        }
        let thinned = configs.entry(row.get(2)?).or_default();
        thinned.runs += u64::from(row.get::<_, bool>(3)?);
        let made = row.get::<_, Option<i64>>(4)?.zip(row.get(5)?);
        if row.get::<_, u32>(1)? == 0 {
            thinned.seed = made;
        } else if let Some((time, size)) = made.zip(thinned.seed).and_then(|(v, s)| ratios(v, s)) {
            thinned.times.push(time);
            thinned.sizes.push(size);
        }
    }
    put(transaction, current, &mut configs)?;
    transaction.execute(
        "DELETE FROM runs WHERE seed IN old AND verdict = ? AND dismissed IS NULL",
        [VerdictKind::Same.name()],
    )?;
    Ok(())
}

/// Writes what stands for the runs of a seed, and forgets it.
fn put(
    transaction: &Transaction<'_>,
    seed: Option<i64>,
    configs: &mut BTreeMap<String, ThinnedRuns>,
) -> Result<()> {
    let mut insert =
        transaction.prepare_cached("INSERT INTO thinned VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (config, mut thinned) in std::mem::take(configs) {
        // Of a seed that was compacted before only what was wrong is left.
        if thinned.runs == 0 {
            continue;
        }
        let [times, sizes] = [&mut thinned.times, &mut thinned.sizes].map(|ratios| {
            ratios.sort_unstable_by(f64::total_cmp);
            (
                ratios.get(ratios.len() / 2).copied(),
                ratios.last().copied(),
            )
        });
        let measured = thinned.times.len();
        insert.execute(params![
            seed,
            config,
            thinned.runs,
            measured,
            times.0,
            times.1,
            sizes.0,
            sizes.1
        ])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::campaign::Shard;
    use crate::hunt::campaign::store::{Header, Run};
    use crate::hunt::finding::verdict::Verdict;

    #[test]
    fn a_seed_is_compacted_once() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::create(directory.path(), &Header::default(), Shard::default()).unwrap();
        let run = Run {
            config: "tcc".into(),
            verdict: Verdict::same(),
            dismissed: None,
            made: None,
        };
        store.begin_seed(1, "a.c", "a.c").unwrap();
        store.add_run(1, 0, &run, None).unwrap();
        store.finish_seed(1, 0).unwrap();
        assert_eq!(store.thin(0).unwrap(), 1);
        assert_eq!(store.thin(0).unwrap(), 0);
    }
}
