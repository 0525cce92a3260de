//! Cost of the donor database and of the chain, against their budgets: 200 programs
//! of Csmith in less than 20 s on two cores, 200 steps in at most 1 s a seed.

use mestra::clang::Clang;
use mestra::donor::Donors;
use mestra::mutate::Mutator;
use mestra::process::Command;
use mestra::profile::{ProfileOptions, Profiler};
use mestra::seed::Seed;
use mestra::strategy::{Athena, Hermes, Strategy};
use mestra::toolchain::Compiler;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PROGRAMS: u32 = 200;
const CHAINS: usize = 10;

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let clang = Clang::load().expect("libclang is installed");
    let programs: Vec<PathBuf> = (1..=PROGRAMS)
        .map(|number| csmith(directory.path(), number))
        .collect();
    let donors = database(&clang, &programs, directory.path());
    let tcc = Compiler::find("tcc").expect("tcc is installed");
    let athena = Athena {
        donors: Arc::new(donors),
        ..Athena::default()
    };
    let all = Athena {
        hermes: Some(Hermes::default()),
        ..athena.clone()
    };
    for strategy in [Strategy::Athena(athena), Strategy::Athena(all)] {
        let profiler = Profiler::new(vec![tcc.clone()], ProfileOptions::default());
        let mutator = Mutator {
            clang: clang.clone(),
            profiler: profiler.expect("a profiler can be made"),
            strategy,
            dice: 0,
            chain: 1,
        };
        chains(&mutator, &programs);
    }
}

fn database(clang: &Clang, programs: &[PathBuf], directory: &Path) -> Donors {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.expect("threads can be started");
    let start = Instant::now();
    let (donors, refused) = pool.install(|| Donors::build(clang, programs));
    let built = start.elapsed();
    let file = directory.join("donors.json");
    donors.save(&file).expect("the database can be saved");
    let saved = start.elapsed() - built;
    let size = std::fs::metadata(&file).map_or(0, |about| about.len());
    let start = Instant::now();
    Donors::load(&file).expect("the database can be loaded");
    println!(
        "{} donors of {} programs, {} refused: built in {:.1} s (budget 20 s), saved as {} KB \
         in {:.2} s, loaded in {:.2} s",
        donors.donors.len(),
        donors.programs,
        refused.len(),
        built.as_secs_f64(),
        size / 1024,
        saved.as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
    donors
}

/// Times one chain each for some seeds, their preparation included.
fn chains(mutator: &Mutator, programs: &[PathBuf]) {
    let mut times: Vec<Duration> = Vec::new();
    for path in programs {
        let seed = Seed::read(path, &[]).expect("csmith's programs can be read");
        // Some do not end.
        let Ok(source) = mutator.source(seed, None) else {
            continue;
        };
        let start = Instant::now();
        let made = mutator.variants(&source, [1]).filter(Result::is_ok).count();
        let time = start.elapsed();
        if made > 0 {
            times.push(time);
        }
        if times.len() == CHAINS {
            break;
        }
    }
    times.sort();
    println!(
        "{}: 200 steps take {:.0} ms at the median, {:.0} ms at most, over {} seeds (budget 1000 ms)",
        mutator.strategy.name(),
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[times.len() - 1].as_secs_f64() * 1e3,
        times.len()
    );
}

fn csmith(directory: &Path, number: u32) -> PathBuf {
    let made = Command::new("csmith")
        .args(["--no-packed-struct", "--seed", &number.to_string()])
        .directory(directory)
        .run()
        .expect("csmith is installed");
    let path = directory.join(format!("{number}.c"));
    std::fs::write(&path, made.stdout).expect("the temporary directory can be written");
    path
}
