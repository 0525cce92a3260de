//! What a campaign costs beside the compilers, and how it goes on two cores.

use crate::support::cpu;
use crate::table::{Budget, Table};
use mestra::lab::process::{Command, Limits};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Seeds and variants for the overhead, which is that of a usual campaign: ten
/// variants and five levels.
const USUAL: [&str; 4] = ["--count", "2", "-n", "10"];

/// Many short seeds for two jobs, so that neither waits long for the other at the end.
const SHORT: [&str; 6] = [
    "--count",
    "10",
    "-n",
    "1",
    "--flag-set=-O0",
    "--flag-set=-O1",
];

pub fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let clang = mestra::lab::toolchain::newest_clang().expect("clang is installed");
    let compilers = ["--compiler", "gcc", "--compiler", &clang.name];
    let usual: Vec<&str> = USUAL.into_iter().chain(compilers).collect();
    let (end, _) = campaign(directory.path(), "usual", &usual, 2);
    let overhead = end["overhead"]
        .as_f64()
        .expect("a campaign tells its overhead");
    table.row(
        "everything but compilers and compiled programs",
        overhead * 100.0,
        "% of CPU time",
        Budget::AtMost(3.0),
    );
    let short: Vec<&str> = SHORT.into_iter().chain(["--compiler", "gcc"]).collect();
    let ((_, alone), cpu_alone) = cpu(|| campaign(directory.path(), "one", &short, 1));
    let ((_, together), cpu_together) = cpu(|| campaign(directory.path(), "two", &short, 2));
    let (alone, together) = (alone.as_secs_f64(), together.as_secs_f64());
    table.row(
        "two jobs against one, wall time",
        alone / together,
        "× faster",
        Budget::AtLeast(1.9),
    );
    // On a busy machine the row above says little; these two say why.
    table.row(
        "cores that one job had",
        cpu_alone.as_secs_f64() / alone,
        "cores",
        None,
    );
    table.row(
        "cores that two jobs had",
        cpu_together.as_secs_f64() / together,
        "cores",
        None,
    );
    table.row(
        "CPU time of two jobs against one",
        cpu_together.as_secs_f64() / cpu_alone.as_secs_f64(),
        "×",
        None,
    );
}

/// Runs a campaign; its last event, and how long it took.
fn campaign(directory: &Path, name: &str, arguments: &[&str], jobs: u32) -> (Value, Duration) {
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["campaign", "--json", "--no-reduce", "--seed", "1"])
        .args(["--jobs", &jobs.to_string()])
        .args(arguments)
        .arg("-o")
        .arg(directory.join(name))
        .limits(Limits {
            wall: Duration::from_secs(1800),
            // Its own children have theirs; sanitizers reserve terabytes.
            memory: None,
            stack: 1 << 30,
            ..Limits::default()
        })
        .run()
        .expect("mestra runs");
    let events = String::from_utf8_lossy(&outcome.stdout);
    let last = events.lines().last().unwrap_or_default();
    let end: Value = serde_json::from_str(last).expect("a campaign's last line is an event");
    assert_eq!(
        end["event"],
        "end",
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
    (end, outcome.wall)
}
