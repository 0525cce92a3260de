//! Cost of variants in CPU time, as ratios to one `gcc -O0` compile of the same
//! seed in the same run: ten variants from the seed's text to files, and each one
//! more; with the default profile and with one run of tcc.

mod support;

use mestra::clang::Clang;
use mestra::mutate::{Mutator, Source};
use mestra::profile::{ProfileOptions, Profiler};
use mestra::seed::Seed;
use mestra::strategy::{Hermes, Strategy};
use mestra::toolchain::Compiler;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;
use support::{compile, cpu, csmith, lines, median};

const PROGRAMS: RangeInclusive<u32> = 1..=14;
/// The budgets are for programs of this many lines.
const LINES: RangeInclusive<usize> = 1000..=3000;
/// `/proc` counts CPU time in hundredths of a second, so everything is repeated.
const ROUNDS: u32 = 4;

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let trusted = Compiler::trusted().expect("gcc and clang are installed");
    let tcc = vec![Compiler::find("tcc").expect("tcc is installed")];
    let (default, quick) = (mutator(trusted), mutator(tcc));
    println!(
        "{:>6} {:>6} {:>10} {:>12} {:>10} {:>10}",
        "seed", "lines", "gcc -O0 ms", "ten, default", "ten, tcc", "one more"
    );
    let mut ratios: [Vec<f64>; 3] = Default::default();
    for number in PROGRAMS {
        let seed = csmith(directory.path(), number);
        // Some of Csmith's programs do not end.
        let Ok(source) = quick.source(seed.clone(), None) else {
            continue;
        };
        let is_usable = LINES.contains(&lines(&seed)) && default.source(seed.clone(), None).is_ok();
        if !is_usable {
            continue;
        }
        let [mut plain, mut full, mut light, mut more] = [Duration::ZERO; 4];
        // All take turns, so that a slow moment of the machine meets each.
        for _ in 0..ROUNDS {
            plain += cpu(|| compile(&seed, directory.path()));
            full += cpu(|| ten(&default, &seed, directory.path()));
            light += cpu(|| ten(&quick, &seed, directory.path()));
            more += cpu(|| write(&quick, &source, 11..=30, directory.path()));
        }
        let ratio = |cost: Duration| cost.as_secs_f64() / plain.as_secs_f64();
        let row = [ratio(full), ratio(light), ratio(more / 20)];
        println!(
            "{number:>6} {:>6} {:>10.0} {:>12.2} {:>10.2} {:>10.3}",
            lines(&seed),
            plain.as_secs_f64() * 1e3 / f64::from(ROUNDS),
            row[0],
            row[1],
            row[2]
        );
        for (all, one) in ratios.iter_mut().zip(row) {
            all.push(one);
        }
    }
    let [full, light, more] = ratios.map(median);
    println!("ten variants / gcc -O0 compile, default profile, median: {full:.2} (budget 2.5)");
    println!("ten variants / gcc -O0 compile, profile by tcc, median: {light:.2} (budget 1.0)");
    println!("one more variant / gcc -O0 compile, median: {more:.3} (budget 0.03)");
}

fn mutator(compilers: Vec<Compiler>) -> Mutator {
    Mutator {
        clang: Clang::load().expect("libclang is installed"),
        profiler: Profiler::new(compilers, ProfileOptions::default())
            .expect("a profiler can be made"),
        strategy: Strategy::Hermes(Hermes::default()),
        dice: 0,
        chain: 1,
    }
}

/// Ten variants from the text of a seed to files.
fn ten(mutator: &Mutator, seed: &Seed, directory: &Path) {
    let source = mutator.source(seed.clone(), None);
    write(
        mutator,
        &source.expect("it was profiled before"),
        1..=10,
        directory,
    );
}

fn write(mutator: &Mutator, source: &Source, numbers: RangeInclusive<u32>, directory: &Path) {
    for variant in mutator.variants(source, numbers) {
        let variant = variant.expect("variants are made");
        variant
            .write(directory, "variant")
            .expect("the temporary directory can be written");
    }
}
