//! What is measured before anything is simulated.

use crate::support::cpu;
use mestra::hunt::campaign::Shard;
use mestra::hunt::campaign::store::{Header, Made, Run, Store};
use mestra::hunt::finding::verdict::Verdict;
use mestra::lab::process::{Command, Limits};
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds of work, by seed, and what it costs to store the results of one.
#[derive(Clone, Debug)]
pub struct Measured {
    pub seeds: Vec<f64>,
    pub store: f64,
    runs: usize,
}

impl Measured {
    /// Reads the campaign that `MESTRA_CAMPAIGN` names, or runs one with so many seeds of
    /// Csmith, of two variants each, on one core.
    pub fn take(seeds: usize) -> Measured {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let campaign = env::var_os("MESTRA_CAMPAIGN").map(PathBuf::from);
        let campaign = campaign.unwrap_or_else(|| run(directory.path(), seeds));
        let store = rusqlite::Connection::open(campaign.join("campaign.db"));
        let store = store.expect("a campaign has a database");
        // The store knows how long compilers took on each seed, and what all took
        // together.
        let mut query = store
            .prepare(
                "SELECT coalesce(sum(compile_micros), 0), count(seed) FROM seeds
                 LEFT JOIN runs ON seed = number WHERE state <> 'working' GROUP BY number",
            )
            .expect("the store has these tables");
        let rows = query
            .query_map([], |row| {
                Ok((row.get::<_, f64>(0)?, row.get::<_, usize>(1)?))
            })
            .expect("the store can be read");
        let rows: Vec<(f64, usize)> = rows.map(|row| row.expect("a row")).collect();
        let spent: f64 = store
            .query_row("SELECT sum(micros) FROM timings", [], |row| row.get(0))
            .expect("the store can be read");
        let compiling: f64 = rows.iter().map(|row| row.0).sum();
        // What was not spent on compiling for a seed is spent on all alike, also on those
        // that are set aside.
        let other = (spent - compiling).max(0.0) / rows.len() as f64;
        let runs: usize = rows.iter().map(|row| row.1).sum();
        Measured {
            seeds: rows.iter().map(|row| (row.0 + other) / 1e6).collect(),
            store: storing(runs.div_ceil(rows.len()) as u32),
            runs,
        }
    }

    pub fn mean(&self) -> f64 {
        self.seeds.iter().sum::<f64>() / self.seeds.len() as f64
    }

    pub fn describe(&self) -> String {
        let mut sorted = self.seeds.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
        format!(
            "Measured on a campaign of {} seeds and {} runs: a seed takes {:.1} s of CPU \
             time on average (median {:.1}, a tenth more than {:.1}, at most {:.1}). To store the results of \
             one takes {:.2} ms.",
            self.seeds.len(),
            self.runs,
            self.mean(),
            at(0.5),
            at(0.9),
            at(1.0),
            self.store * 1e3,
        )
    }
}

/// Runs a campaign and returns its directory.
fn run(directory: &Path, seeds: usize) -> PathBuf {
    let campaign = directory.join("campaign");
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["campaign", "--no-reduce", "--jobs", "1", "-n", "2"])
        .args(["--compiler", "gcc", "--count", &seeds.to_string()])
        .arg("--out")
        .arg(&campaign)
        .limits(Limits {
            wall: Duration::from_secs(3600),
            memory: None,
            stack: 1 << 30,
            ..Limits::default()
        })
        .run()
        .expect("mestra starts");
    campaign
}

/// Seconds to store the results of a seed with so many runs.
fn storing(runs: u32) -> f64 {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let header = Header {
        mestra: "0".into(),
        ..Header::default()
    };
    let store = Store::create(directory.path(), &header, Shard::default()).expect("a store");
    let seeds = 50;
    // CPU time, since the machine may be busy.
    let ((), spent) = cpu(|| (1..=seeds).for_each(|seed| put(&store, seed, runs)));
    spent.as_secs_f64() / seeds as f64
}

fn put(store: &Store, seed: u64, runs: u32) {
    store.begin_seed(seed, "seed.c", "csmith").expect("a row");
    for number in 0..runs {
        let run = Run {
            config: format!("gcc -O{}", number % 10),
            verdict: Verdict::same(),
            dismissed: None,
            made: Some(Made {
                compile: Duration::from_millis(200),
                bytes: 20_000,
                hash: u64::from(number),
                peak: 0,
            }),
        };
        store.add_run(seed, number / 10, &run, None).expect("a row");
    }
    store.finish_seed(seed, 40).expect("a row");
}
