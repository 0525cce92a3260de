//! Programs that are not in the repository, such as GCC's torture tests from
//! `scripts/suites.sh`: five variants of each do what their seed does, without and with
//! optimisation, and sanitizers find nothing in them.
//!
//! `MESTRA_SEEDS` names a directory, `MESTRA_SEED_FLAGS` the flags to compile them with,
//! and `MESTRA_SEED_PART=3/40` takes the third of forty parts, so that a long list can be
//! gone through bit by bit. With `--nocapture` there is a line for each seed that is
//! refused, and the numbers at the end.

use crate::dead::all;
use crate::hermes::{careful, variants};
use crate::support::{in_parallel, newest_clang};
use mestra::error::{Disagreement, SeedRefused};
use mestra::hunt::verify::Verifier;
use mestra::lab::toolchain::{Compiler, Config};
use mestra::lab::{Behaviour, Lab, Outcome, Patience, Stage, Way};
use mestra::source::seed::{Seed, seeds_in};
use mestra::variant::mutate::Mutator;
use mestra::variant::strategy::Hermes;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How many variants are made of each seed.
const VARIANTS: u32 = 5;

/// How long a seed may run.
const LIMIT: Duration = Duration::from_secs(5);

/// What was seen, over all seeds.
#[derive(Debug, Default)]
struct Seen {
    seeds: AtomicUsize,
    /// Not C as clang knows it, without `main`, without end, and so on.
    refused: AtomicUsize,
    variants: AtomicUsize,
}

/// The seeds that are asked for.
fn asked(root: &Path) -> Vec<PathBuf> {
    let seeds = seeds_in(root).expect("MESTRA_SEEDS can be listed");
    let part = std::env::var("MESTRA_SEED_PART").unwrap_or("1/1".into());
    let (part, of) = part.split_once('/').expect("MESTRA_SEED_PART is 3/40");
    let [part, of]: [usize; 2] = [part, of].map(|text| text.parse().expect("a number"));
    let numbered = seeds.into_iter().enumerate();
    let own = numbered.filter(|(index, _)| index % of == part - 1);
    own.map(|(_, path)| path).collect()
}

/// What a text does in the place of a seed, if it compiles.
fn run(lab: &Lab, stage: &Stage<'_>, way: &Way, text: &[u8]) -> Option<Vec<Behaviour>> {
    match lab.trial(stage, text, way).unwrap() {
        Outcome::Ran(behaviours) => Some(behaviours),
        Outcome::Failed(_) => None,
    }
}

fn variants_are_harmless(mutator: &Mutator, path: &Path, seen: &Seen) -> Result<(), String> {
    let count = |counter: &AtomicUsize| counter.fetch_add(1, Ordering::Relaxed);
    let lab = Lab::default();
    let refused = |error: anyhow::Error| {
        let is_of_seed = error.is::<SeedRefused>() || error.is::<Disagreement>();
        if !is_of_seed {
            return Err(format!("{}: {error:#}", path.display()));
        }
        println!("refused: {error:#}");
        count(&seen.refused);
        Ok(())
    };
    let flags = std::env::var("MESTRA_SEED_FLAGS").unwrap_or_default();
    let flags: Vec<OsString> = flags.split_whitespace().map(OsString::from).collect();
    let read = Seed::read(path, &flags).map_err(anyhow::Error::from);
    let source = match read.and_then(|seed| mutator.source(seed, None)) {
        Ok(source) => source,
        Err(error) => return refused(error),
    };
    let verifier = match Verifier::new(&lab, &source.seed, LIMIT) {
        Ok(verifier) => verifier,
        Err(error) => return refused(error),
    };
    count(&seen.seeds);
    let stage = Stage::new(&source.seed).unwrap();
    let patience = Patience {
        run: LIMIT,
        ..Patience::default()
    };
    let optimised = ["gcc", newest_clang()].map(|name| {
        let way = Way::of(
            &Config::new(Compiler::find(name).unwrap(), &["-O2"]),
            patience,
        );
        let expected = run(&lab, &stage, &way, &source.seed.source);
        (way, expected)
    });
    let mut problems = Vec::new();
    for variant in variants(mutator, &source, VARIANTS) {
        count(&seen.variants);
        let name = format!("{} v{}", path.display(), variant.record.variant);
        for (way, expected) in &optimised {
            let actual = run(&lab, &stage, way, &variant.text);
            if actual != *expected {
                problems.push(format!("{name}: {way}: {actual:?}, its seed: {expected:?}"));
            }
        }
        let found = verifier.check(&variant.text).unwrap();
        problems.extend(found.iter().map(|problem| format!("{name}: {problem}")));
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

#[test]
#[ignore = "needs a directory of programs in MESTRA_SEEDS"]
fn variants_of_a_directory_of_programs_do_what_their_seeds_do() {
    let Some(root) = std::env::var_os("MESTRA_SEEDS") else {
        println!("MESTRA_SEEDS is not set: nothing to do");
        return;
    };
    let mut mutator = careful(0.3, Hermes::default());
    mutator.strategy = Box::new(all());
    let seen = Seen::default();
    in_parallel(&asked(Path::new(&root)), |path| {
        variants_are_harmless(&mutator, path, &seen)
    });
    println!("{seen:?}");
}
