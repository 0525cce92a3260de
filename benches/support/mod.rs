//! What the benches share: Csmith's programs, a compile to compare with, and time.

#![allow(dead_code, reason = "every bench uses a part of this")]

use mestra::process::Command;
use mestra::seed::Seed;
use std::path::Path;
use std::time::{Duration, Instant};

/// The program that Csmith makes of a seed number.
pub fn csmith(directory: &Path, number: u32) -> Seed {
    let made = Command::new("csmith")
        .args(["--no-packed-struct", "--seed", &number.to_string()])
        .directory(directory)
        .run()
        .expect("csmith is installed");
    let path = directory.join(format!("csmith{number}.c"));
    std::fs::write(&path, made.stdout).expect("the temporary directory can be written");
    Seed::read(&path, &[]).expect("csmith's programs can be read")
}

pub fn lines(seed: &Seed) -> usize {
    seed.source.iter().filter(|&&byte| byte == b'\n').count()
}

/// One `gcc -O0` compile, which every cost is compared with.
pub fn compile(seed: &Seed, directory: &Path) {
    let outcome = Command::new("gcc")
        .args(["-w", "-O0"])
        .args(&seed.flags)
        .arg("-o")
        .arg(directory.join("plain"))
        .arg(&seed.path)
        .run()
        .expect("gcc is installed");
    assert!(outcome.ending.is_success());
}

/// Wall time.
pub fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// CPU time of this process, all its threads and the children it has waited for:
/// what the work would take on one core that does nothing else.
pub fn cpu(work: impl FnOnce()) -> Duration {
    let start = cpu_time();
    work();
    cpu_time() - start
}

fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has /proc");
    // The command in parentheses may hold anything; utime, stime, cutime and cstime
    // are the 12th to 15th fields after it, in hundredths of a second.
    let (_, fields) = stat
        .rsplit_once(')')
        .expect("the command is in parentheses");
    let ticks: u64 = fields
        .split_ascii_whitespace()
        .skip(11)
        .take(4)
        .map(|field| field.parse::<u64>().expect("times are numbers"))
        .sum();
    Duration::from_millis(ticks * 10)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
