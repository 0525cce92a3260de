//! Single mutations of Csmith's programs, by this engine and, for comparison, by an older
//! one: `MESTRA_BEFORE` names its binary. Old records replay, so all else is the same.

use crate::support::{csmith, lines, mutator};
use mestra::lab::process::Command;
use mestra::lab::toolchain::Compiler;
use mestra::source::seed::Seed;
use mestra::variant::mutate::{Mutator, Source};
use mestra::variant::mutation::{Kind, Mutation};
use mestra::variant::replay::{VariantRecord, apply};
use mestra::variant::strategy::Hermes;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::env;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Seeds of other sizes cost too much, or have too few points.
const LINES: Range<usize> = 200..1800;

/// Who makes mutations.
#[derive(Clone, Debug)]
pub struct Engine {
    pub name: &'static str,
    /// The binary, unless it is this library.
    binary: Option<PathBuf>,
}

/// The engines to compare, the older one first.
pub fn engines() -> Vec<Engine> {
    let before = env::var_os("MESTRA_BEFORE").map(|binary| Engine {
        name: "before",
        binary: Some(binary.into()),
    });
    let now = Engine {
        name: "now",
        binary: None,
    };
    before.into_iter().chain([now]).collect()
}

/// Seeds, and what makes variants of them.
pub struct Singles {
    pub sources: Vec<Source>,
    mutator: Mutator,
    directory: TempDir,
}

/// A seed with one mutation.
pub struct Single {
    pub kind: Kind,
    /// The kind, and of a live block its shape.
    pub label: String,
    /// What is put in, for kinds that put in one text.
    pub inserted: String,
    pub text: Vec<u8>,
}

impl Singles {
    /// The first seeds that can be profiled.
    pub fn take(seeds: usize) -> Singles {
        let trusted = Compiler::trusted().expect("gcc and clang are installed");
        let mut singles = Singles {
            sources: Vec::new(),
            mutator: mutator(trusted, Box::new(Hermes::default())),
            directory: tempfile::tempdir().expect("a temporary directory can be made"),
        };
        for number in 1.. {
            if singles.sources.len() == seeds {
                break;
            }
            let seed = csmith(singles.directory.path(), number);
            if LINES.contains(&lines(&seed.source)) {
                singles
                    .sources
                    .extend(singles.mutator.source(seed, None).ok());
            }
        }
        singles
    }

    /// Up to so many mutations of each kind that an engine makes in one variant of a seed.
    pub fn of(&self, engine: &Engine, source: &Source, most: usize) -> Vec<Single> {
        let mut mutations = match &engine.binary {
            Some(binary) => self.others(binary, &source.seed),
            None => {
                let made = self.mutator.variants(source, [1]);
                let made = made.map(|variant| variant.expect("a variant is made").record);
                made.flat_map(|record| record.mutations).collect()
            }
        };
        mutations.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
        let of_kind = |kind: Kind| {
            let mutations = mutations.iter();
            let mutations = mutations.filter(move |mutation| mutation.kind() == kind);
            mutations.take(most)
        };
        let chosen = Kind::ALL.into_iter().flat_map(of_kind);
        chosen
            .map(|mutation| Single {
                kind: mutation.kind(),
                label: label(mutation),
                inserted: mutation.text(),
                text: apply(&source.program, [mutation]).expect("a mutation applies alone"),
            })
            .collect()
    }

    fn others(&self, binary: &Path, seed: &Seed) -> Vec<Mutation> {
        let made = Command::new(binary)
            .args(["mutate", "-n", "1", "-o", "others", "--jobs", "1"])
            .arg(&seed.path)
            .directory(self.directory.path())
            .run()
            .expect("the other Mestra can be started");
        assert!(
            made.ending.is_success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let stem = seed.path.file_stem().expect("a seed has a name");
        let name = format!("{}.v001.json", stem.display());
        let record = self.directory.path().join("others").join(name);
        let record = VariantRecord::read(&record).expect("old records can be read");
        record.mutations
    }
}

/// The kind, with the shape that a live block's record names.
fn label(mutation: &Mutation) -> String {
    let json = serde_json::to_value(mutation).expect("mutations are data");
    let name = mutation.kind().name();
    match json["change"][name]["shape"].as_str() {
        Some(shape) => format!("{name}, {shape}"),
        None => name.into(),
    }
}
