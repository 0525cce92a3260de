//! How much more of an optimiser the programs of seeds' skeletons exercise than the seeds,
//! beside variants of the same seeds.
//!
//! The seeds are those of `corpora/skeletons`, or of the directory that `MESTRA_SEEDS`
//! names, such as GCC's torture tests from `scripts/suites.sh`: small programs, which
//! enumeration is for.

use crate::remarks::{SOURCES, Said, percent, remarks, union};
use crate::sample::strategy;
use crate::support::mutator;
use mestra::lab::process::Command;
use mestra::lab::toolchain::Compiler;
use mestra::source::seed::{Seed, seeds_in};
use mestra::variant::enumerate::{EnumerationSettings, InstanceRequest};
use mestra::variant::mutate::Mutator;
use mestra::variant::strategy::Name;
use rayon::prelude::*;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Programs of a seed by each approach, at most.
const EACH: u32 = 10;

/// What is compared, and how the table calls it.
const APPROACHES: [(Name, &str); 3] = [
    (Name::Orion, "variants by Orion"),
    (Name::Hermes, "variants by Hermes"),
    (Name::Spe, "programs of other variables"),
];

/// What compilers said of a seed, and of its programs by each approach.
struct Compared {
    seed: Said,
    made: [Vec<Said>; APPROACHES.len()],
}

pub fn study(seeds: usize) -> String {
    let directory = env::var_os("MESTRA_SEEDS").map(PathBuf::from);
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/skeletons");
    let directory = directory.unwrap_or_else(|| corpus.into());
    let files = seeds_in(&directory).expect("the seeds can be listed");
    // Neighbours in a suite are much alike.
    let step = files.len().div_ceil(seeds.max(1)).max(1);
    let files: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    let mutators = APPROACHES.map(|(name, _)| {
        let trusted = Compiler::trusted().expect("gcc and clang are installed");
        mutator(trusted, strategy(name))
    });
    let compared: Vec<Compared> = files
        .par_iter()
        .filter_map(|path| compare(&mutators, Seed::read(path, &[]).ok()?))
        .collect();
    table(&compared)
}

/// `None` if nothing can be compared, since the seed cannot be profiled.
fn compare(mutators: &[Mutator; APPROACHES.len()], seed: Seed) -> Option<Compared> {
    let source = mutators[0].source(seed.clone(), None).ok()?;
    let made = |index: usize| -> Vec<Said> {
        let (name, mutator) = (APPROACHES[index].0, &mutators[index]);
        let texts: Vec<Vec<u8>> = if name == Name::Spe {
            let request = InstanceRequest {
                most: EACH.into(),
                settings: EnumerationSettings::default(),
                dice: 0,
            };
            let instances = request.instances(&mutator.clang, &seed).unwrap_or_default();
            let texts = instances.into_iter().map(|made| made.seed.source.to_vec());
            texts.collect()
        } else {
            let variants = mutator.variants(&source, 1..=EACH).flatten();
            variants.map(|variant| variant.text).collect()
        };
        let taken = texts.iter().filter(|text| is_taken(text, &seed));
        taken.map(|text| remarks(text, &seed.flags, true)).collect()
    };
    is_taken(&seed.source, &seed).then(|| Compared {
        seed: remarks(&seed.source, &seed.flags, true),
        made: std::array::from_fn(made),
    })
}

/// Whether gcc and clang compile a text.
fn is_taken(text: &[u8], seed: &Seed) -> bool {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let file = directory.path().join("a.c");
    fs::write(&file, text).expect("the temporary directory can be written");
    let clang = mestra::lab::toolchain::newest_clang().expect("clang is installed");
    ["gcc", &clang.name].iter().all(|compiler| {
        let command = Command::new(compiler)
            .args(["-w", "-fsyntax-only"])
            .args(&seed.flags)
            .arg(&file);
        command
            .run()
            .is_ok_and(|outcome| outcome.ending.is_success())
    })
}

fn table(compared: &[Compared]) -> String {
    let mut text = format!(
        "{} seeds, and of each at most {EACH} programs by each approach. Distinct remarks over \
         all programs of a row, as above.\n\n| programs | number |",
        compared.len()
    );
    for source in SOURCES {
        let _ = write!(text, " {source} |");
    }
    text.push_str("\n|---|---:|---:|---:|---:|\n");
    text.push_str(&row("seeds", compared, &[]));
    for (index, (_, name)) in APPROACHES.iter().enumerate() {
        text.push_str(&row(&format!("and {name}"), compared, &[index]));
    }
    let all: Vec<usize> = (0..APPROACHES.len()).collect();
    text.push_str(&row("and all of these", compared, &all));
    text
}

/// What is said of the seeds and their programs by some approaches.
fn row(name: &str, compared: &[Compared], approaches: &[usize]) -> String {
    let seeds = || compared.iter().map(|one| &one.seed);
    let of = |one: &Compared| -> Vec<Said> {
        let made = approaches.iter().flat_map(|index| &one.made[*index]);
        made.cloned().collect()
    };
    let made: Vec<Said> = compared.iter().flat_map(of).collect();
    let mut text = format!("| {name} | {} |", compared.len() + made.len());
    let (base, seen) = (union(seeds()), union(seeds().chain(&made)));
    for (seen, base) in seen.iter().zip(&base) {
        let more = percent(base.len(), seen.len());
        let _ = write!(text, " {}, {more:+.1} % |", seen.len());
    }
    text.push('\n');
    text
}
