//! Hermes: variants that must behave as their seeds, and the records they come from.

mod batch;
mod explain;
mod floats;
mod hazards;
mod inserted;
mod places;
mod pointees;
mod recall;
mod records;
mod structure;
mod variants;

use crate::support::{clang, newest_clang};
use mestra::lab::Lab;
use mestra::lab::toolchain::Compiler;
use mestra::source::seed::Seed;
use mestra::variant::mutate::{Chain, Mutator, Source, Variant};
use mestra::variant::profile::{ProfileOptions, Profiler};
use mestra::variant::strategy::Hermes;
use std::path::Path;

/// A mutator that profiles with these compilers.
pub(crate) fn mutator(compilers: &[&str], probability: f64, hermes: Hermes) -> Mutator {
    let compilers = compilers
        .iter()
        .map(|name| Compiler::find(name).unwrap())
        .collect();
    let options = ProfileOptions {
        probability,
        ..ProfileOptions::default()
    };
    Mutator {
        clang: clang(),
        profiler: Profiler::new(Lab::default(), compilers, options).unwrap(),
        strategy: Box::new(hermes),
        dice: 0,
        chain: Chain::ONCE,
    }
}

/// Profiles under all orders of evaluation that we know.
pub(crate) fn careful(probability: f64, hermes: Hermes) -> Mutator {
    mutator(&["gcc", newest_clang(), "tcc"], probability, hermes)
}

/// Hermes that changes variants at every point.
pub(crate) fn everywhere() -> Hermes {
    Hermes {
        share: 1.0,
        ..Hermes::default()
    }
}

/// Quick and at every point, for tests that do not run what they make.
pub(crate) fn quick() -> Mutator {
    mutator(&["tcc"], 1.0, everywhere())
}

pub(crate) fn source(mutator: &Mutator, path: &Path) -> Result<Source, anyhow::Error> {
    mutator.source(Seed::read(path, &[])?, None)
}

pub(crate) fn variants(mutator: &Mutator, source: &Source, count: u32) -> Vec<Variant> {
    mutator
        .variants(source, 1..=count)
        .map(|variant| variant.unwrap())
        .collect()
}

/// A seed given as text, ready for mutations, in a directory that lives as long as
/// the first value.
pub(crate) fn text_source(mutator: &Mutator, text: &str) -> (tempfile::TempDir, Source) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    std::fs::write(&path, text).unwrap();
    let source = source(mutator, &path).unwrap();
    (directory, source)
}
