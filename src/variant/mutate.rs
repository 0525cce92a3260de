//! From a seed to its variants: parse, profile, roll, write.
//!
//! One seed is parsed and profiled once, whatever the number of variants. With
//! a chain, each variant is profiled and mutated again, as the Hermes paper's
//! loop does. Nothing here depends on other seeds, threads or the clock.

use crate::dice::{self, Draw};
use crate::error::SeedRefused;
use crate::lab::files::write_whole;
use crate::source::clang::Clang;
use crate::source::program::{Program, StatementId, lower};
use crate::source::seed::{Seed, hash_source};
use crate::source::vocabulary::Vocabulary;
use crate::variant::mutation::Mutation;
use crate::variant::profile::{Profile, Profiler};
use crate::variant::replay::{self, GivenInput, Step, VariantRecord, hash_text};
use crate::variant::strategy::{Prepared, Strategy, Subject, Trace, VariantNumbers};
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How often the dice are rolled again for a variant that would equal its seed.
const ATTEMPTS: usize = 20;

/// Makes variants of seeds. Usable from many threads.
#[derive(Debug)]
pub struct Mutator {
    pub clang: Clang,
    pub profiler: Profiler,
    pub strategy: Box<dyn Strategy>,
    /// The master seed of all dice.
    pub dice: u64,
    pub chain: Chain,
}

/// How often variants are mutated, each time on the values of what they have become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    pub steps: u32,
    /// One in so many variants is mutated more than once.
    pub one_in: u32,
}

impl Chain {
    /// Every variant is mutated once.
    pub const ONCE: Chain = Chain {
        steps: 1,
        one_in: 1,
    };

    /// How often one variant is mutated.
    fn steps_of(self, seed: u64, number: u32) -> u32 {
        let place = seed.wrapping_add(number.into());
        if place.is_multiple_of(self.one_in.max(1).into()) {
            self.steps
        } else {
            1
        }
    }
}

/// A variant and how to rebuild it.
#[derive(Clone, Debug)]
pub struct Variant {
    pub text: Vec<u8>,
    pub record: VariantRecord,
    /// How the searches for its mutations went, one for each profile.
    pub traces: Vec<Trace>,
}

/// A seed that is ready for variants.
#[derive(Debug)]
pub struct Source {
    pub seed: Seed,
    pub program: Program,
    pub profile: Profile,
    vocabulary: Vocabulary,
}

impl Mutator {
    /// Parses and profiles a seed, or takes a profile made earlier.
    pub fn source(&self, seed: Seed, profile: Option<&Path>) -> Result<Source> {
        let program = lower(
            &self.clang,
            &seed.path,
            Arc::clone(&seed.source),
            &seed.flags,
        )?;
        let profile = match profile {
            Some(file) => saved_profile(file, &seed)?,
            None => self.profiler.profile(&seed, &program)?,
        };
        let vocabulary = Vocabulary::new(&program);
        Ok(Source {
            seed,
            program,
            profile,
            vocabulary,
        })
    }

    /// Variants of a seed by their numbers, made lazily. Those that would equal the
    /// seed are left out: all of them if the strategy changes dead code only
    /// and nothing is dead; see [`Mutator::note`].
    pub fn variants<'s>(
        &'s self,
        source: &'s Source,
        numbers: impl IntoIterator<Item = u32> + 's,
    ) -> impl Iterator<Item = Result<Variant>> + 's {
        let prepared = self.prepared(source);
        let is_of_use = self.strategy.is_of_use(&prepared);
        numbers
            .into_iter()
            .filter(move |_| is_of_use)
            .map(move |number| self.variant(source, &prepared, number))
            .filter(|made| !made.as_ref().is_ok_and(Variant::is_unchanged))
    }

    /// How many points of a seed the strategy works on.
    pub(crate) fn points(&self, source: &Source) -> usize {
        self.strategy.points(source.subject())
    }

    /// What a user should know before variants are made of a seed.
    pub fn note(&self, source: &Source) -> Option<&'static str> {
        self.strategy.note(source.subject())
    }

    /// The programs that the later steps of a variant's chain were made of, profiled again,
    /// each with its mutations.
    pub(crate) fn later_steps(
        &self,
        source: &Source,
        record: &VariantRecord,
    ) -> Result<Vec<(Source, Vec<Mutation>)>> {
        let mut steps = Vec::new();
        for (at, step) in record.then.iter().enumerate() {
            let text = record.cut(at + 1).replay(&self.clang, &source.seed, None)?;
            let before = self.source(source.seed_of(&text), None)?;
            steps.push((before, step.mutations.clone()));
        }
        Ok(steps)
    }

    fn prepared<'s>(&self, source: &'s Source) -> Prepared<'s> {
        self.strategy.prepare(source.subject())
    }

    fn variant(&self, source: &Source, prepared: &Prepared<'_>, number: u32) -> Result<Variant> {
        let hash = hash_source(&source.seed.source);
        let mut next_id = 1;
        let mut traces = Vec::new();
        let mut strategy = self.strategy.name();
        let mut roll = |prepared: &Prepared<'_>, step| -> Result<Vec<Mutation>> {
            let mut rng = dice::generator(self.dice, hash, Draw::Variant { number, step });
            let numbers = VariantNumbers {
                variant: number,
                mutation: next_id,
            };
            let mut rolled = self.strategy.variant(prepared, numbers, &mut rng)?;
            // In a small program there may be no place for what the dice want.
            for _ in 0..ATTEMPTS {
                if !rolled.mutations.is_empty() {
                    break;
                }
                rolled = self.strategy.variant(prepared, numbers, &mut rng)?;
            }
            // Not every mutation leaves its number in the text.
            next_id = rolled.mutations.last().map_or(next_id, |last| last.id + 1);
            traces.extend(rolled.trace);
            strategy = rolled.strategy;
            Ok(rolled.mutations)
        };
        let mutations = roll(prepared, 0)?;
        let mut text = replay::apply(&source.program, &mutations)?;
        let mut then = Vec::new();
        for step in 1..self.chain.steps_of(hash, number) {
            let next = match self.source(source.seed_of(&text), None) {
                Ok(next) => next,
                // What cannot be profiled is as far as the chain goes.
                Err(error) if error.downcast_ref::<SeedRefused>().is_some() => break,
                Err(error) => return Err(error),
            };
            let mutations = roll(&self.prepared(&next), step)?;
            if mutations.is_empty() {
                break;
            }
            text = replay::apply(&next.program, &mutations)?;
            then.push(Step {
                source_hash: hash_text(&next.seed.source),
                mutations,
            });
        }
        let seed = &source.seed;
        let name = seed.path.file_name().unwrap_or_default();
        let flags = seed.flags.iter().map(|flag| flag.to_string_lossy());
        let record = VariantRecord {
            mestra: env!("CARGO_PKG_VERSION").into(),
            seed: name.to_string_lossy().into_owned(),
            source_hash: hash_text(&seed.source),
            flags: flags.map(String::from).collect(),
            inputs: seed.given_inputs().iter().map(GivenInput::of).collect(),
            strategy: strategy.into(),
            dice: self.dice,
            variant: number,
            mutations,
            then,
        };
        Ok(Variant {
            text,
            record,
            traces,
        })
    }
}

fn saved_profile(file: &Path, seed: &Seed) -> Result<Profile> {
    let profile = Profile::load(file)?;
    if !profile.is_of(&seed.source) {
        let what = "the profile belongs to another program, or the program has changed since";
        return Err(SeedRefused::new(&seed.path, what).into());
    }
    Ok(profile)
}

impl Source {
    fn subject(&self) -> Subject<'_> {
        Subject {
            seed: &self.seed,
            program: &self.program,
            vocabulary: &self.vocabulary,
            profile: &self.profile,
        }
    }

    /// The points that live code can be put at.
    pub fn points(&self) -> Vec<StatementId> {
        let sites = self.subject().live_points();
        sites.map(|site| site.statement).collect()
    }

    /// The seed with another text.
    fn seed_of(&self, text: &[u8]) -> Seed {
        let mut seed = self.seed.clone();
        seed.source = text.to_vec().into();
        seed
    }

    /// The points whose recorded values mutations rely on: those they stand at, and, if
    /// one stands where nothing ran, all that were never reached.
    pub fn rests_on(&self, mutations: &[Mutation]) -> Vec<StatementId> {
        let profile = &self.profile;
        let is_reached = |statement| {
            profile
                .point(statement)
                .is_some_and(|point| point.visits > 0)
        };
        let (mut points, dead): (Vec<StatementId>, Vec<StatementId>) = mutations
            .iter()
            .map(Mutation::statement)
            .partition(|&statement| is_reached(statement));
        if !dead.is_empty() {
            let unreached = profile.points.iter().filter(|point| point.visits == 0);
            points.extend(unreached.map(|point| point.statement));
        }
        points.sort_unstable();
        points.dedup();
        points
    }
}

impl Variant {
    /// Whether it equals its seed.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.mutations().next().is_none()
    }

    /// The mutations of all steps.
    pub fn mutations(&self) -> impl Iterator<Item = &Mutation> {
        self.record.all_mutations()
    }

    /// Writes `<stem>.v001.c` and its record; each file appears whole. Returns the
    /// path of the program.
    pub fn write(&self, directory: &Path, stem: &str) -> Result<PathBuf> {
        let (program, record) = files(directory, stem, self.record.variant);
        // The record first: a program that is there has one.
        write_whole(&record, &self.record.to_json()?)?;
        write_whole(&program, &self.text)?;
        Ok(program)
    }
}

/// The files of a variant: the program and its record.
fn files(directory: &Path, stem: &str, number: u32) -> (PathBuf, PathBuf) {
    let file = |end: &str| directory.join(format!("{stem}.v{number:03}.{end}"));
    (file("c"), file("json"))
}

/// Removes the variants after number `last` that a longer earlier run has left: they
/// would pass for variants of this run.
pub(crate) fn remove_further(directory: &Path, stem: &str, seed: &Seed, last: u32) -> Result<()> {
    let name = seed.path.file_name().unwrap_or_default().to_string_lossy();
    let is_ours = |number: u32, record: &Path| {
        VariantRecord::read(record).is_ok_and(|read| read.seed == name && read.variant == number)
    };
    let further: Vec<(PathBuf, PathBuf)> = (last + 1..)
        .map(|number| (number, files(directory, stem, number)))
        .take_while(|(number, (_, record))| is_ours(*number, record))
        .map(|(_, files)| files)
        .collect();
    // From the end, so that there is no gap if we are stopped.
    for (program, record) in further.iter().rev() {
        for file in [program, record] {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("removing {}", file.display()));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
