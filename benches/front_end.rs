//! Cost of lowering, as a ratio to libclang's own parse in the same run.

mod support;

use mestra::clang::Clang;
use mestra::program::{check, lower};
use std::time::{Duration, Instant};
use support::{csmith, lines, median};

const PROGRAMS: u32 = 12;
const ROUNDS: usize = 7;

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let clang = Clang::load().expect("libclang is installed");
    println!(
        "{:>6} {:>7} {:>10} {:>12} {:>7}",
        "seed", "lines", "parse ms", "lowered ms", "ratio"
    );
    let mut ratios = Vec::new();
    for number in 1..=PROGRAMS {
        let seed = csmith(directory.path(), number);
        // The two take turns, so that a slow moment of the machine meets both.
        let (mut parse, mut whole) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            check(&clang, &seed.path, &seed.source, &seed.flags).expect("it compiles");
            parse = parse.min(start.elapsed());
            let start = Instant::now();
            lower(&clang, &seed.path, seed.source.clone(), &seed.flags).expect("it lowers");
            whole = whole.min(start.elapsed());
        }
        let ratio = whole.as_secs_f64() / parse.as_secs_f64();
        println!(
            "{number:>6} {:>7} {:>10.1} {:>12.1} {ratio:>7.2}",
            lines(&seed),
            parse.as_secs_f64() * 1e3,
            whole.as_secs_f64() * 1e3
        );
        ratios.push(ratio);
    }
    println!("parse and lower / parse, median: {:.2}", median(ratios));
}
