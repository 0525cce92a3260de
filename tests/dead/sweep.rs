//! Variants of many seeds: what they do is what their seeds do, and every
//! installed compiler takes them.

use super::{all, athena, careful, orion, some_donors};
use crate::hermes::{source, variants};
use crate::support::{corpora, csmith, in_parallel, repository};
use mestra::error::SeedRefused;
use mestra::mutate::{Mutator, Source, Variant};
use mestra::process::Command;
use mestra::replay::apply;
use mestra::seed::Seed;
use mestra::strategy::{Hermes, Strategy};
use mestra::toolchain::Compiler;
use mestra::verify::Verifier;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// What a sweep saw.
#[derive(Debug, Default)]
struct Numbers {
    seeds: AtomicUsize,
    refused: AtomicUsize,
    variants: AtomicUsize,
    mutations: AtomicUsize,
    parts: AtomicUsize,
    syntax_checks: AtomicUsize,
}

/// Verifies variants of many seeds and a random part of each, lets every compiler
/// look at them, and prints how many there were.
fn sweep(strategy: Strategy, paths: &[PathBuf], count: u32) -> Numbers {
    let name = strategy.name();
    let mutator = careful(strategy);
    let compilers = installed();
    let numbers = Numbers::default();
    in_parallel(paths, |path| {
        one_seed(&mutator, &compilers, path, count, &numbers)
    });
    let names: Vec<&str> = compilers.iter().map(|c| c.name.as_str()).collect();
    println!("{name}: {numbers:?} by {}", names.join(", "));
    numbers
}

fn one_seed(
    mutator: &Mutator,
    compilers: &[Compiler],
    path: &Path,
    count: u32,
    numbers: &Numbers,
) -> Result<(), String> {
    let source = match source(mutator, path) {
        Ok(source) => source,
        // Some of Csmith's programs do not end.
        Err(error) if error.downcast_ref::<SeedRefused>().is_some() => {
            numbers.refused.fetch_add(1, Relaxed);
            return Ok(());
        }
        Err(error) => return Err(format!("{error:#}")),
    };
    let verifier = Verifier::new(&source.seed, Duration::from_secs(10))
        .map_err(|error| format!("{error:#}"))?;
    numbers.seeds.fetch_add(1, Relaxed);
    for variant in variants(mutator, &source, count) {
        let number = variant.record.variant;
        let complain = |what: String| format!("{} v{number}: {what}", path.display());
        let part = random_part(&source, &variant);
        for text in [&variant.text, &part] {
            let problems = verifier.check(text).unwrap();
            if let Some(problem) = problems.first() {
                return Err(complain(problem.to_string()));
            }
            for compiler in compilers {
                takes(compiler, &source.seed, text).map_err(complain)?;
                numbers.syntax_checks.fetch_add(1, Relaxed);
            }
        }
        numbers.variants.fetch_add(1, Relaxed);
        numbers.parts.fetch_add(1, Relaxed);
        let mutations = variant.mutations().count();
        numbers.mutations.fetch_add(mutations, Relaxed);
    }
    Ok(())
}

/// The variant with half of its mutations.
fn random_part(source: &Source, variant: &Variant) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(variant.record.variant.into());
    let some = variant.mutations().filter(|_| rng.random());
    apply(&source.program, some).unwrap()
}

/// Every gcc and clang of this machine.
fn installed() -> Vec<Compiler> {
    let names = (9..20).map(|version| format!("gcc-{version}"));
    let names = names.chain((11..30).map(|version| format!("clang-{version}")));
    let found = ["gcc".into()].into_iter().chain(names);
    found
        .filter_map(|name| Compiler::find(&name).ok())
        .collect()
}

fn takes(compiler: &Compiler, seed: &Seed, text: &[u8]) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("variant.c");
    std::fs::write(&file, text).unwrap();
    let outcome = Command::new(&compiler.path)
        .args(["-w", "-fsyntax-only"])
        .args(&seed.flags)
        .arg("-I")
        .arg(seed.path.parent().unwrap())
        .arg(&file)
        .run()
        .unwrap();
    match outcome.ending.is_success() {
        true => Ok(()),
        false => Err(format!(
            "{} does not take it: {}",
            compiler.name,
            String::from_utf8_lossy(&outcome.stderr)
        )),
    }
}

fn csmith_programs(directory: &Path, count: u32) -> Vec<PathBuf> {
    (1..=count).map(|n| csmith(directory, n)).collect()
}

#[test]
fn programs_without_what_never_runs_behave_as_before() {
    let directory = tempfile::tempdir().unwrap();
    let mut paths = csmith_programs(directory.path(), 2);
    let names = ["dead_code", "goto_into_block", "switch_duff_device"];
    paths.extend(names.map(|name| repository().join(format!("corpora/{name}.c"))));
    let numbers = sweep(orion(), &paths, 2);
    assert!(numbers.variants.load(Relaxed) >= 6, "{numbers:?}");
}

#[test]
fn programs_with_more_that_never_runs_behave_as_before() {
    let directory = tempfile::tempdir().unwrap();
    let mut paths = vec![csmith(directory.path(), 3)];
    let names = ["dead_code", "switch_fallthrough"];
    paths.extend(names.map(|name| repository().join(format!("corpora/{name}.c"))));
    for strategy in [athena(), all()] {
        let numbers = sweep(strategy, &paths, 1);
        assert!(numbers.variants.load(Relaxed) >= 3, "{numbers:?}");
    }
    let hermes = Hermes {
        donors: Some(some_donors()),
        swarm: true,
        ..Hermes::default()
    };
    sweep(Strategy::Hermes(hermes), &paths, 1);
}

/// How many Csmith programs the long tests take; 200 unless the environment says
/// otherwise.
fn long_count() -> u32 {
    let asked = std::env::var("MESTRA_TEST_SEEDS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(200)
}

fn long_sweep(strategy: Strategy) {
    let directory = tempfile::tempdir().unwrap();
    let paths = csmith_programs(directory.path(), long_count());
    sweep(strategy.clone(), &paths, 10);
    sweep(strategy, &corpora(), 5);
}

#[test]
#[ignore = "long"]
fn orion_on_two_hundred_csmith_programs_and_all_corpora() {
    long_sweep(orion());
}

#[test]
#[ignore = "long"]
fn athena_on_two_hundred_csmith_programs_and_all_corpora() {
    long_sweep(athena());
}

#[test]
#[ignore = "long"]
fn all_kinds_on_two_hundred_csmith_programs_and_all_corpora() {
    long_sweep(all());
}
