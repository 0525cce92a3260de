//! The programs that all studies look at: seeds of Csmith of three sizes, variants of
//! each by each strategy, and as many further seeds.

use crate::support::{compile, cpu, csmith, lines, mutator};
use mestra::lab::toolchain::Compiler;
use mestra::source::seed::Seed;
use mestra::variant::mutate::{Mutator, Source, Variant};
use mestra::variant::strategy::{Athena, Hermes, Name, Strategy, named};
use std::ffi::OsString;
use std::ops::Range;
use std::time::Duration;
use tempfile::TempDir;

/// The strategies, and how tables call them.
pub const STRATEGIES: [(Name, &str); 4] = [
    (Name::Orion, "Orion"),
    (Name::Athena, "Athena"),
    (Name::Hermes, "Hermes"),
    (Name::All, "all"),
];

/// Sizes of seeds in lines.
pub const SIZES: [(&str, Range<usize>); 3] = [
    ("300 to 999 lines", 300..1000),
    ("1,000 to 1,999 lines", 1000..2000),
    ("2,000 lines or more", 2000..10_000),
];

pub struct Sample {
    pub subjects: Vec<Subject>,
    /// Seeds that were not mutated, as many as one strategy has made variants.
    pub further: Vec<Seed>,
    pub mutator: Mutator,
    variants: u32,
    directory: TempDir,
}

/// A seed with its variants.
pub struct Subject {
    pub source: Source,
    pub lines: usize,
    /// In the order of [`STRATEGIES`].
    pub variants: [Vec<Variant>; STRATEGIES.len()],
    /// CPU time of a `gcc -O0` compile of the seed, of parsing and profiling it, and
    /// of making the variants of each strategy.
    pub compile: Duration,
    pub profile: Duration,
    pub making: [Duration; STRATEGIES.len()],
}

impl Sample {
    /// So many seeds of each size, with so many variants by each strategy. Seeds that
    /// some strategy can do nothing with, since nothing in them is dead, are left out.
    pub fn take(seeds: usize, variants: u32) -> Sample {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let trusted = Compiler::trusted().expect("gcc and clang are installed");
        let mut sample = Sample {
            subjects: Vec::new(),
            further: Vec::new(),
            mutator: mutator(trusted, Box::new(Hermes::default())),
            variants,
            directory,
        };
        let further = SIZES.len() * seeds * variants as usize;
        for number in 1.. {
            let is_full = |(_, size): &(&str, Range<usize>)| {
                let of_size = |subject: &&Subject| size.contains(&subject.lines);
                sample.subjects.iter().filter(of_size).count() >= seeds
            };
            let open: Vec<_> = SIZES.into_iter().filter(|size| !is_full(size)).collect();
            if open.is_empty() && sample.further.len() == further {
                break;
            }
            let seed = csmith(sample.directory.path(), number);
            let count = lines(&seed.source);
            let known = SIZES.iter().any(|(_, size)| size.contains(&count));
            if open.iter().any(|(_, size)| size.contains(&count)) {
                let subject = sample.subject(seed);
                sample.subjects.extend(subject);
            } else if known && sample.further.len() < further {
                // Those that do not end matter to no compiler.
                sample.further.push(seed);
            }
        }
        sample
    }

    fn subject(&mut self, seed: Seed) -> Option<Subject> {
        let ((), compile) = cpu(|| compile(&seed, self.directory.path()));
        let (source, profile) = cpu(|| self.mutator.source(seed.clone(), None));
        // Some of Csmith's programs do not end.
        let source = source.ok()?;
        let mut subject = Subject {
            lines: lines(&seed.source),
            source,
            variants: Default::default(),
            compile,
            profile,
            making: Default::default(),
        };
        for (index, (name, _)) in STRATEGIES.iter().enumerate() {
            self.mutator.strategy = strategy(*name);
            let numbers = 1..=self.variants;
            let (made, cost) = cpu(|| {
                let made = self.mutator.variants(&subject.source, numbers);
                made.collect::<anyhow::Result<Vec<Variant>>>()
            });
            let made = made.expect("variants are made");
            if made.len() < self.variants as usize {
                return None;
            }
            subject.variants[index] = made;
            subject.making[index] = cost;
        }
        Some(subject)
    }

    /// The flags that all programs of Csmith need.
    pub fn flags(&self) -> &[OsString] {
        let first = self.subjects.first().expect("the sample is not empty");
        &first.source.seed.flags
    }

    /// The texts of seeds.
    pub fn seeds(&self) -> impl Iterator<Item = &[u8]> {
        self.subjects
            .iter()
            .map(|subject| &*subject.source.seed.source)
    }

    /// The texts of all variants by one strategy.
    pub fn variants(&self, strategy: usize) -> impl Iterator<Item = &[u8]> {
        let all = self
            .subjects
            .iter()
            .flat_map(move |subject| &subject.variants[strategy]);
        all.map(|variant| variant.text.as_slice())
    }

    /// The texts of the further seeds.
    pub fn others(&self) -> impl Iterator<Item = &[u8]> {
        self.further.iter().map(|seed| &*seed.source)
    }

    pub fn describe(&self) -> String {
        format!(
            "The sample: {} seeds of Csmith (the first of each of three sizes that can be \
             profiled and have dead code), {} variants of each by each of four strategies, \
             and {} further seeds.",
            self.subjects.len(),
            self.variants,
            self.further.len()
        )
    }
}

pub fn strategy(name: Name) -> Box<dyn Strategy> {
    named(&[name], &Hermes::default(), &Athena::default())
}
