//! Cost of the donor database and of the chain.

use crate::support::{compile, cpu, csmith, lines, median, mutator, tcc};
use crate::table::{Budget, Table};
use mestra::source::seed::Seed;
use mestra::variant::donor::Donors;
use mestra::variant::mutate::Mutator;
use mestra::variant::strategy::{Athena, Hermes};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PROGRAMS: u32 = 200;
const CHAINS: usize = 8;

pub fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let programs = (1..=PROGRAMS).map(|number| csmith(directory.path(), number));
    let programs: Vec<Seed> = programs.collect();
    let donors = database(table, &programs, directory.path());
    let athena = Athena {
        donors: Arc::new(donors),
        ..Athena::default()
    };
    let all = Athena {
        hermes: Some(Hermes::default()),
        ..athena.clone()
    };
    for strategy in [athena, all] {
        let mutator = mutator(tcc(), Box::new(strategy));
        chains(table, &mutator, &programs, directory.path());
    }
}

fn database(table: &mut Table, programs: &[Seed], directory: &Path) -> Donors {
    let paths: Vec<PathBuf> = programs.iter().map(|seed| seed.path.clone()).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.expect("threads can be started");
    let clang = mestra::source::clang::Clang::load().expect("libclang is installed");
    let ((donors, refused), cost) = cpu(|| pool.install(|| Donors::build(&clang, &paths)));
    let file = directory.join("donors.json");
    let (saved, saving) = cpu(|| donors.save(&file));
    saved.expect("the database can be saved");
    let (loaded, loading) = cpu(|| Donors::load(&file));
    loaded.expect("the database can be loaded");
    table.row(
        format!("database of {PROGRAMS} programs, two cores"),
        cost.as_secs_f64() / 2.0,
        "s, CPU time / 2",
        Budget::AtMost(20.0),
    );
    table.row("donors in it", donors.donors.len() as f64, "donors", None);
    table.row("programs refused", refused.len() as f64, "programs", None);
    table.row("saving it", saving.as_secs_f64(), "s, CPU time", None);
    table.row("loading it", loading.as_secs_f64(), "s, CPU time", None);
    donors
}

/// One chain each for some seeds, its preparation included.
fn chains(table: &mut Table, mutator: &Mutator, programs: &[Seed], directory: &Path) {
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for seed in programs.iter().filter(|seed| lines(&seed.source) >= 1000) {
        // Some do not end.
        let Ok(source) = mutator.source(seed.clone(), None) else {
            continue;
        };
        let ((), plain) = cpu(|| compile(seed, directory));
        let (made, cost) = cpu(|| mutator.variants(&source, [1]).filter(Result::is_ok).count());
        if made > 0 {
            times.push(cost.as_secs_f64());
            ratios.push(cost.as_secs_f64() / plain.as_secs_f64());
        }
        if times.len() == CHAINS {
            break;
        }
    }
    let name = mutator.strategy.name();
    let most = times.iter().copied().fold(0.0, f64::max);
    table.row(
        format!("{name}: 200 steps, the slowest of {} seeds", times.len()),
        most,
        "s, CPU time",
        Budget::AtMost(1.0),
    );
    table.row(
        format!("{name}: 200 steps"),
        median(ratios),
        "× gcc -O0",
        None,
    );
}
