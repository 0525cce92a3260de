//! Profiles: what is recorded is what happens, and recording changes nothing.

mod order;
mod reference;
mod refusals;
mod runtime;
mod scout;
mod seeds;
mod values;

use crate::support::{lower_seed, newest_clang};
use mestra::lab::Lab;
use mestra::lab::toolchain::Compiler;
use mestra::source::program::Program;
use mestra::source::seed::Seed;
use mestra::variant::profile::{Profile, ProfileOptions, Profiler};

/// A profiler with these compilers that records at every point.
fn profiler(compilers: &[&str]) -> Profiler {
    profiler_with(
        compilers,
        ProfileOptions {
            probability: 1.0,
            ..ProfileOptions::default()
        },
    )
}

fn profiler_with(compilers: &[&str], options: ProfileOptions) -> Profiler {
    let compilers = compilers
        .iter()
        .map(|name| Compiler::find(name).unwrap())
        .collect();
    Profiler::new(Lab::default(), compilers, options).unwrap()
}

fn default_profiler() -> Profiler {
    profiler(&["gcc", newest_clang(), "tcc"])
}

/// A seed given as text, in a directory that lives as long as the first value.
fn seed(source: &str) -> (tempfile::TempDir, Seed, Program) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    std::fs::write(&path, source).unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let program = lower_seed(&seed).unwrap();
    (directory, seed, program)
}

fn profiled(source: &str) -> (Program, Profile) {
    let (_directory, seed, program) = seed(source);
    let profile = default_profiler().profile(&seed, &program).unwrap();
    (program, profile)
}
