//! How many mutations leave a trace behind an optimiser.
//!
//! Each mutation is made alone, and the executable is compared with the seed's, byte by
//! byte, without symbols: what was removed without a trace has tested the remover only.

use crate::single::{Singles, engines};
use mestra::lab::process::Command;
use mestra::lab::toolchain::newest_clang;
use mestra::source::seed::Seed;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

/// Mutations of each kind that are looked at in a seed.
const EACH: usize = 4;

const LEVELS: [&str; 2] = ["-O2", "-O3"];

/// How many there are, and how many of them each config shows.
type Tally = (usize, Vec<usize>);

pub fn study(seeds: usize) -> String {
    let singles = Singles::take(seeds);
    let clang = newest_clang().expect("clang is installed");
    let compilers = ["gcc", clang.name.as_str()];
    let configs: Vec<(&str, &str)> = compilers
        .iter()
        .flat_map(|compiler| LEVELS.map(|level| (*compiler, level)))
        .collect();
    let mut text = format!(
        "The share of single mutations of {} seeds of Csmith whose executable differs from \
         the seed's; at most {EACH} of each kind and seed.\n\n| engine | kind | number |",
        singles.sources.len()
    );
    for (compiler, level) in &configs {
        let _ = write!(text, " {compiler} {level} |");
    }
    let _ = writeln!(text, "\n|---|---|---:|{}", "---:|".repeat(configs.len()));
    for engine in engines() {
        let of_seeds: Vec<BTreeMap<String, Tally>> = singles
            .sources
            .par_iter()
            .map(|source| {
                let executable = |text: &[u8], config| executable(&source.seed, text, config);
                let plain: Vec<_> = configs
                    .iter()
                    .map(|config| executable(&source.seed.source, *config))
                    .collect();
                let mut tallies = BTreeMap::<String, Tally>::new();
                for single in singles.of(&engine, source, EACH) {
                    let shows: Vec<bool> = configs
                        .iter()
                        .zip(&plain)
                        .map(|(config, plain)| executable(&single.text, *config) != *plain)
                        .collect();
                    // A live block counts by its shape and among all live blocks.
                    let labels = [single.kind.name().to_owned(), single.label];
                    for label in BTreeSet::from(labels) {
                        let none = || (0, vec![0; configs.len()]);
                        let tally = tallies.entry(label).or_insert_with(none);
                        tally.0 += 1;
                        let counts = tally.1.iter_mut().zip(&shows);
                        counts.for_each(|(count, shows)| *count += usize::from(*shows));
                    }
                }
                tallies
            })
            .collect();
        let mut tallies = BTreeMap::<String, Tally>::new();
        for (label, (number, counts)) in of_seeds.into_iter().flatten() {
            let tally = tallies
                .entry(label)
                .or_insert_with(|| (0, vec![0; counts.len()]));
            tally.0 += number;
            let both = tally.1.iter_mut().zip(counts);
            both.for_each(|(sum, count)| *sum += count);
        }
        for (label, (number, counts)) in tallies {
            let _ = write!(text, "| {} | `{label}` | {number} |", engine.name);
            for count in counts {
                let _ = write!(text, " {:.0} % |", count as f64 * 100.0 / number as f64);
            }
            text.push('\n');
        }
    }
    text
}

/// What a compiler makes of a text, without names; `None` if it fails.
fn executable(seed: &Seed, text: &[u8], (compiler, level): (&str, &str)) -> Option<Vec<u8>> {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    fs::write(directory.path().join("a.c"), text).expect("the temporary directory is writable");
    let outcome = Command::new(compiler)
        .args([
            "-w",
            level,
            "-s",
            "-Wl,--build-id=none",
            "-o",
            "a.out",
            "a.c",
        ])
        .args(&seed.flags)
        .directory(directory.path())
        .run()
        .expect("the compiler is installed");
    assert!(
        outcome.ending.is_success(),
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
    fs::read(directory.path().join("a.out")).ok()
}
