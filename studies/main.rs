//! The experiments of the Hermes paper again, small but real: what a variant costs,
//! which kinds of mutations matter, and how much more of a compiler variants exercise
//! than their seeds.
//!
//! Then what becomes of single mutations: whether they survive optimisers, and whether a
//! wrong instruction in them is seen. How much programs of other variables add, how many
//! planted defects each approach finds in the same CPU time, what many machines do with a
//! campaign, by simulation, how small programs become that show planted defects, how
//! findings are sorted, and what schedules make of their time.
//!
//! Writes plots to `docs/studies/` and figures to `docs/measurements.md`. With the
//! names of studies, only those are done; `--seeds N` and `--variants N` set how many
//! seeds of each size and how many variants by each strategy there are.

#[path = "../benches/support/mod.rs"]
mod support;

mod buckets;
mod cluster;
mod corrupt;
mod coverage;
mod curves;
mod defects;
mod generator;
mod instances;
mod kill;
mod kinds;
mod observability;
mod plot;
mod reduction;
mod remarks;
mod sample;
mod schedule;
mod single;
mod survival;
mod time;

use sample::Sample;
use std::time::Instant;
use std::{env, fs};
use support::{document, machine};

type Study = (&'static str, fn(&Sample) -> String);

/// Studies of variants.
const STUDIES: [Study; 4] = [
    ("time", time::study),
    ("remarks", remarks::study),
    ("coverage", coverage::study),
    ("kinds", kinds::study),
];

/// A study that needs a number of seeds only.
type SeedStudy = (&'static str, fn(usize) -> String);

/// Studies of single mutations, of programs of other variables, of planted defects, of many
/// machines, of programs of our own, of how small programs become, of how findings are sorted,
/// and of schedules.
const OF_SEEDS: [SeedStudy; 9] = [
    ("survival", survival::study),
    ("observability", observability::study),
    ("instances", instances::study),
    ("kill", kill::study),
    ("cluster", cluster::study),
    ("generator", generator::study),
    ("reduction", reduction::study),
    ("buckets", buckets::study),
    ("schedule", schedule::study),
];

fn main() {
    if let Ok(defect) = env::var(reduction::DEFECT) {
        reduction::play_compiler(&defect);
    }
    let (mut seeds, mut variants, mut names) = (4_u32, 4, Vec::new());
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            arguments
                .next()
                .and_then(|n| n.parse().ok())
                .expect("a number")
        };
        match argument.as_str() {
            // Cargo adds this.
            "--bench" => {}
            "--seeds" => seeds = number(),
            "--variants" => variants = number(),
            _ => names.push(argument),
        }
    }
    fs::create_dir_all(document::directory().join("studies")).expect("docs/ can be written");
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    for (name, study) in OF_SEEDS {
        if is_wanted(name) {
            // As many as the three sizes of the others have together.
            report(name, || study(seeds as usize * sample::SIZES.len()));
        }
    }
    if !STUDIES.iter().any(|(name, _)| is_wanted(name)) {
        return;
    }
    let start = Instant::now();
    let sample = Sample::take(seeds as usize, variants);
    eprintln!("sample: {:.0} s", start.elapsed().as_secs_f64());
    for (name, study) in STUDIES {
        if is_wanted(name) {
            report(name, || study(&sample));
        }
    }
    let about = format!("Done on: {}.\n\n{}", machine::describe(), sample.describe());
    document::write("sample", &about);
}

/// Does a study, and writes what it says to the screen and into the document.
fn report(name: &str, study: impl FnOnce() -> String) {
    let (start, load) = (Instant::now(), machine::load());
    let text = format!("{}\nLoad average at the start: {load:.1}.\n", study());
    println!("{text}");
    document::write(name, &text);
    eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
}

/// Writes a plot for the documents.
fn draw(name: &str, svg: &str) {
    let path = document::directory()
        .join("studies")
        .join(format!("{name}.svg"));
    fs::write(path, svg).expect("docs/studies can be written");
}
