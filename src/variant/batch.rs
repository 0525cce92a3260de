//! Variants of many seeds, side by side.

use super::mutate::{Mutator, Source, Variant, remove_further};
use super::mutation::Kind;
use super::observer::Observer;
use super::strategy::Trace;
use crate::error::SeedRefused;
use crate::lab::toolchain::Family;
use crate::source::program::{Lines, NoPoint, Program, StatementId};
use crate::source::seed::Seed;
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// More reasons why there are no variants than this are not told.
const MOST_REASONS: usize = 3;

/// Seeds and what is made of each.
#[derive(Debug)]
pub(crate) struct Batch<'b> {
    pub mutator: &'b Mutator,
    pub seeds: &'b [BatchSeed],
    /// Flags for all seeds, beside their own.
    pub flags: &'b [OsString],
    /// Inputs for all seeds, in the place of their own; see [`Seed::set_inputs`].
    pub arguments: &'b [String],
    pub stdin: &'b [PathBuf],
    /// A profile made earlier, for a batch of one seed.
    pub profile: Option<&'b Path>,
    /// How many variants each seed gets.
    pub variants: u32,
    /// Where variants are written; nothing is written if `None`, and the mutations are
    /// listed instead.
    pub output: Option<&'b Path>,
}

/// A seed of a batch.
#[derive(Clone, Debug)]
pub(crate) enum BatchSeed {
    /// To be read, with the flags and inputs of the batch.
    File(PathBuf),
    /// Made of another, with flags and inputs.
    Made(Box<Seed>),
}

/// What became of one seed: an event of a batch, and one line of `mutate --json`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MutatedSeed {
    pub seed: PathBuf,
    /// The name of its variants without their numbers.
    #[serde(skip)]
    pub stem: String,
    pub points: usize,
    pub variants: Vec<MutatedVariant>,
    /// What the user should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct MutatedVariant {
    pub variant: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    pub mutations: BTreeMap<&'static str, usize>,
    /// How the searches for its mutations went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<Trace>,
    /// Its mutations one by one, if it was not written.
    #[serde(skip)]
    pub listing: Vec<ListedMutation>,
}

/// A mutation for people.
#[derive(Clone, Debug)]
pub(crate) struct ListedMutation {
    pub id: u32,
    pub kind: Kind,
    pub statement: StatementId,
    /// Line and column in the seed; later steps of a chain change another text.
    pub position: Option<(usize, usize)>,
    pub text: String,
}

/// Sums over a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BatchTotals {
    pub seeds: usize,
    pub variants: usize,
    pub mutations: usize,
    pub refused: usize,
}

impl Batch<'_> {
    /// Makes all variants on the current rayon pool; a seed that is refused does not
    /// hold up the others.
    pub(crate) fn run(&self, observer: &dyn Observer<MutatedSeed>) -> Result<BatchTotals> {
        let paths: Vec<PathBuf> = self.seeds.iter().map(|s| s.path().to_owned()).collect();
        let work: Vec<(&BatchSeed, String)> = self.seeds.iter().zip(stems(&paths)).collect();
        work.into_par_iter()
            .map(|(seed, stem)| {
                let mutated = self.mutate(seed, stem)?;
                observer.observe(&mutated)?;
                Ok(mutated.totals())
            })
            .try_reduce(BatchTotals::default, |one, other| Ok(one + other))
    }

    /// Mutates one seed; a refusal is an outcome, any other failure an error.
    fn mutate(&self, seed: &BatchSeed, stem: String) -> Result<MutatedSeed> {
        let path = seed.path();
        let mut mutated = MutatedSeed {
            seed: path.to_owned(),
            stem,
            points: 0,
            variants: vec![],
            note: None,
            refused: None,
        };
        match self.fill(seed, &mut mutated) {
            Ok(()) => Ok(mutated),
            Err(error) => match error.downcast_ref::<SeedRefused>() {
                Some(refused) => {
                    mutated.refused = Some(refused.reason.to_string());
                    Ok(mutated)
                }
                None => Err(error.context(format!("mutating {}", path.display()))),
            },
        }
    }

    /// The seed of a file as the batch wants it.
    pub(crate) fn read(&self, path: &Path) -> Result<Seed> {
        self.read_as(path, self.mutator.profiler.standard()?)
    }

    /// The same with the flag of a version of C.
    fn read_as(&self, path: &Path, standard: Option<&str>) -> Result<Seed> {
        let mut seed = Seed::read(path, self.flags)?;
        seed.set_inputs(self.arguments, self.stdin)?;
        seed.set_standard(standard);
        Ok(seed)
    }

    fn fill(&self, seed: &BatchSeed, mutated: &mut MutatedSeed) -> Result<()> {
        let path = match seed {
            BatchSeed::File(path) => path,
            BatchSeed::Made(seed) => return self.fill_with(Seed::clone(seed), mutated),
        };
        let profiler = &self.mutator.profiler;
        let likely = profiler.likely_standard();
        let filled = self.fill_with(self.read_as(path, likely)?, mutated);
        // Perhaps a compiler does not know that version of C.
        match filled {
            Err(error) if error.downcast_ref::<SeedRefused>().is_some() => {
                let known = profiler.standard()?;
                if known == likely {
                    return Err(error);
                }
                self.fill_with(self.read_as(path, known)?, mutated)
            }
            filled => filled,
        }
    }

    fn fill_with(&self, seed: Seed, mutated: &mut MutatedSeed) -> Result<()> {
        let (checked, source) = rayon::join(
            || self.mutator.profiler.check_whole(&seed, Family::Gcc),
            || self.mutator.source(seed.clone(), self.profile),
        );
        // A profile that fails says more.
        let source = source?;
        checked?;
        // Clang's front end has read all of it, but is more lenient with us.
        if source.program.has_old_habits {
            self.mutator.profiler.check_whole(&seed, Family::Clang)?;
        }
        mutated.points = self.mutator.points(&source);
        mutated.note = self.mutator.note(&source).map(str::to_owned);
        for variant in self.mutator.variants(&source, 1..=self.variants) {
            let variant = variant?;
            let file = self
                .output
                .map(|output| variant.write(output, &mutated.stem))
                .transpose()?;
            let listing = if file.is_none() {
                listing(&source, &variant)
            } else {
                vec![]
            };
            let mut mutations: BTreeMap<&'static str, usize> =
                Kind::ALL.iter().map(|kind| (kind.name(), 0)).collect();
            for mutation in variant.mutations() {
                *mutations.entry(mutation.kind().name()).or_default() += 1;
            }
            mutated.variants.push(MutatedVariant {
                variant: variant.record.variant,
                file,
                mutations,
                chains: variant.traces,
                listing,
            });
        }
        if mutated.variants.is_empty() && mutated.points == 0 {
            mutated.note = Some(no_points(&source.program).map_or_else(
                || NOTHING_RECORDED.to_owned(),
                |reasons| format!("no place for a mutation: {reasons}"),
            ));
        }
        if let Some(output) = self.output {
            let last = mutated.variants.last().map_or(0, |variant| variant.variant);
            remove_further(output, &mutated.stem, &source.seed, last)?;
        }
        Ok(())
    }
}

/// Where places exist, and none of them was recorded with values or found dead.
const NOTHING_RECORDED: &str = "no values were recorded where code could be put, and none is dead";

/// Why a program has no points, the most frequent reasons first; `None` if it has some.
fn no_points(program: &Program) -> Option<String> {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for function in &program.functions {
        let Some(definition) = &function.definition else {
            continue;
        };
        for reason in &definition.hands_off {
            let reason = format!("{}: {reason}", function.name);
            *reasons.entry(reason).or_default() += 1;
        }
    }
    for statement in &program.statements {
        match statement.insertion {
            Ok(_) => return None,
            // Their functions are named above, and what is in a body counts by itself.
            Err(NoPoint::FunctionHandsOff | NoPoint::Body) => {}
            Err(reason) => *reasons.entry(format!("a statement {reason}")).or_default() += 1,
        }
    }
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| Reverse(*count));
    let texts = reasons.into_iter().take(MOST_REASONS).map(|(text, _)| text);
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

impl BatchSeed {
    fn path(&self) -> &Path {
        match self {
            BatchSeed::File(path) => path,
            BatchSeed::Made(seed) => &seed.path,
        }
    }
}

impl MutatedSeed {
    pub(crate) fn totals(&self) -> BatchTotals {
        BatchTotals {
            seeds: 1,
            variants: self.variants.len(),
            mutations: self
                .variants
                .iter()
                .flat_map(|variant| variant.mutations.values())
                .sum(),
            refused: usize::from(self.refused.is_some()),
        }
    }
}

impl std::ops::Add for BatchTotals {
    type Output = BatchTotals;

    fn add(self, other: BatchTotals) -> BatchTotals {
        BatchTotals {
            seeds: self.seeds + other.seeds,
            variants: self.variants + other.variants,
            mutations: self.mutations + other.mutations,
            refused: self.refused + other.refused,
        }
    }
}

fn listing(source: &Source, variant: &Variant) -> Vec<ListedMutation> {
    let lines = Lines::new(&source.program.source);
    let listed = |mutation: &super::mutation::Mutation, position| ListedMutation {
        id: mutation.id,
        kind: mutation.kind(),
        statement: mutation.statement(),
        position,
        text: mutation.text(),
    };
    let record = &variant.record;
    let first = record.mutations.iter().map(|mutation| {
        let start = source.program.statement(mutation.statement()).span.start;
        listed(mutation, Some(lines.locate(start)))
    });
    let later = record.then.iter().flat_map(|step| &step.mutations);
    first
        .chain(later.map(|mutation| listed(mutation, None)))
        .collect()
}

/// A name for each seed's variants: that of its file, made unique by a number
/// where two files in different directories share one.
pub(crate) fn stems(seeds: &[PathBuf]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |path: &PathBuf| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    seeds
        .iter()
        .map(|path| {
            let stem = name(path);
            let numbered = (2..).map(|number| format!("{stem}-{number}"));
            let free = std::iter::once(stem.clone())
                .chain(numbered)
                .find(|name| taken.insert(name.clone()));
            free.unwrap_or(stem)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_one_name_get_variants_of_different_names() {
        let seeds = ["a/x.c", "b/x.c", "x-2.c", "y.c"].map(PathBuf::from);
        assert_eq!(stems(&seeds), ["x", "x-2", "x-2-2", "y"]);
    }
}
