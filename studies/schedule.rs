//! How much new code compilers are made to write for the same CPU time, by each schedule of a
//! campaign.
//!
//! Campaigns of one job are begun and resumed in short pieces until they have had their CPU
//! time, children and all. After each piece the distinct shapes of all objects are counted, as
//! `--shapes true` keeps them: blocks of instructions without registers, numbers and addresses,
//! one in eight of all.

use rusqlite::Connection;
use std::collections::HashSet;
use std::env;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const SCHEDULES: [&str; 3] = ["spread", "fixed", "learn"];

/// Seconds of CPU for each schedule, for every seed that the other studies take.
const SECONDS_PER_SEED: f64 = 10.0;

/// Seconds on the clock of one piece.
const PIECE: &str = "15s";

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
    let mut state = State::default();
    let (mut is_begun, mut before) = (false, state);
    while state.cpu < budget {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mestra"));
        command.args(["campaign", "--no-reduce", "--jobs", "1", "--time", PIECE]);
        command.arg("--out").arg(&out);
        if is_begun {
            command.arg("--resume");
        } else {
            let clang = mestra::lab::toolchain::newest_clang().expect("clang is installed");
            command.args([
                "--schedule",
                schedule,
                "--shapes",
                "true",
                "--compiler",
                "gcc",
            ]);
            command.args(["--compiler", &clang.name, "--random-flags", "false"]);
            command.args([
                "--sanitizers",
                "false",
                "--two-files",
                "false",
                "--volatile",
                "0",
            ]);
        }
        let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        done.expect("mestra starts");
        is_begun = true;
        before = state;
        state = look(&out);
    }
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

fn look(out: &Path) -> State {
    let store = Connection::open(out.join("campaign.db")).expect("a campaign was begun");
    let count = |query: &str| {
        let count = store.query_row(query, [], |row| row.get::<_, f64>(0));
        count.expect("the store can be read")
    };
    let mut query = store
        .prepare("SELECT shapes FROM shapes")
        .expect("shapes are kept");
    let rows = query.query_map([], |row| row.get::<_, Vec<u8>>(0));
    let mut shapes: HashSet<[u8; 4]> = HashSet::new();
    for bytes in rows.expect("the store can be read") {
        shapes.extend(bytes.expect("shapes can be read").as_chunks::<4>().0);
    }
    State {
        cpu: count("SELECT sum(micros) / 1e6 FROM timings"),
        seeds: count("SELECT count(*) FROM seeds WHERE state = 'done'") as usize,
        variants: count("SELECT count(*) FROM variants WHERE finished IS NOT NULL") as usize,
        objects: count("SELECT count(object_hash) FROM runs") as usize,
        distinct: count("SELECT count(DISTINCT object_hash) FROM runs") as usize,
        shapes: shapes.len(),
    }
}
