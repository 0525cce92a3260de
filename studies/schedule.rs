//! How much new code compilers are made to write for the same CPU time, by each schedule of a
//! campaign.
//!
//! Campaigns of one job run until they have had their CPU time, children and all, and are then
//! killed; a store is true at every moment. CPU time is written down after every seed, so what
//! counts are the finished ones. Distinct shapes of their objects are counted, as
//! `--shapes true` keeps them: blocks of instructions without registers, numbers and addresses,
//! one in eight of all.

use rusqlite::{Connection, OpenFlags};
use std::collections::HashSet;
use std::env;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const SCHEDULES: [&str; 3] = ["spread", "fixed", "learn"];

/// Seconds of CPU for each schedule, for every seed that the other studies take.
const SECONDS_PER_SEED: f64 = 10.0;

/// How often the store is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// What a campaign has come to.
#[derive(Clone, Copy, Default)]
struct State {
    cpu: f64,
    seeds: usize,
    variants: usize,
    objects: usize,
    distinct: usize,
    shapes: usize,
}

pub fn study(seeds: usize) -> String {
    let budget = env::var("MESTRA_SCHEDULE_SECONDS").ok();
    let budget = budget.and_then(|seconds| seconds.parse().ok());
    let budget = budget.unwrap_or(seeds as f64 * SECONDS_PER_SEED);
    let mut text = format!(
        "Campaigns against gcc and the newest clang at all levels, without random flags, \
         sanitizers and two files, until each has had {budget:.0} s of CPU time.\n\n\
         | schedule | CPU s | seeds | variants | objects | distinct objects | distinct shapes | \
         shapes a CPU second |\n|---|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for schedule in SCHEDULES {
        let state = campaign(schedule, budget);
        let _ = writeln!(
            text,
            "| `{schedule}` | {:.0} | {} | {} | {} | {} | {} | {:.1} |",
            state.cpu,
            state.seeds,
            state.variants,
            state.objects,
            state.distinct,
            state.shapes,
            state.shapes as f64 / state.cpu,
        );
    }
    text
}

/// What a schedule makes of so many seconds of CPU.
fn campaign(schedule: &str, budget: f64) -> State {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let out = directory.path().join("out");
    let clang = mestra::lab::toolchain::newest_clang().expect("clang is installed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["campaign", "--no-reduce", "--jobs", "1", "--shapes", "true"])
        .args(["--schedule", schedule, "--compiler", "gcc"])
        .args(["--compiler", &clang.name, "--random-flags", "false"])
        .args(["--sanitizers", "false", "--two-files", "false"])
        .args(["--volatile", "0", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("mestra starts");
    let (mut before, mut state) = (State::default(), State::default());
    while state.cpu < budget {
        thread::sleep(LOOK);
        let ended = child.try_wait().expect("a child can be waited for");
        assert!(ended.is_none(), "the campaign has ended by itself");
        let now = look(&out).unwrap_or_default();
        if now.cpu > state.cpu {
            (before, state) = (state, now);
        }
    }
    child.kill().expect("a child can be killed");
    child.wait().expect("a child can be waited for");
    between(before, state, budget)
}

/// The state at a moment between two, as if everything grew evenly.
fn between(before: State, after: State, cpu: f64) -> State {
    let part = ((cpu - before.cpu) / (after.cpu - before.cpu)).clamp(0.0, 1.0);
    let at = |one: usize, other: usize| one + ((other - one) as f64 * part).round() as usize;
    State {
        cpu,
        seeds: at(before.seeds, after.seeds),
        variants: at(before.variants, after.variants),
        objects: at(before.objects, after.objects),
        distinct: at(before.distinct, after.distinct),
        shapes: at(before.shapes, after.shapes),
    }
}

/// What finished seeds have come to; `None` if the campaign has not begun.
fn look(out: &Path) -> Option<State> {
    let path = out.join("campaign.db");
    let store = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let done = "(SELECT number FROM seeds WHERE state <> 'working')";
    let count = |query: String| -> Option<f64> {
        let count = store.query_row(&query, [], |row| row.get(0));
        count.ok()?
    };
    let mut query = store
        .prepare(&format!("SELECT shapes FROM shapes WHERE seed IN {done}"))
        .ok()?;
    let rows = query.query_map([], |row| row.get::<_, Vec<u8>>(0)).ok()?;
    let mut shapes: HashSet<[u8; 4]> = HashSet::new();
    for bytes in rows {
        shapes.extend(bytes.ok()?.as_chunks::<4>().0);
    }
    let of_runs = format!("FROM runs WHERE seed IN {done}");
    Some(State {
        cpu: count("SELECT sum(micros) / 1e6 FROM timings".into())?,
        seeds: count("SELECT count(*) FROM seeds WHERE state = 'done'".into())? as usize,
        variants: count(format!(
            "SELECT count(*) FROM variants WHERE seed IN {done}"
        ))? as usize,
        objects: count(format!("SELECT count(object_hash) {of_runs}"))? as usize,
        distinct: count(format!("SELECT count(DISTINCT object_hash) {of_runs}"))? as usize,
        shapes: shapes.len(),
    })
}
