//! `mestra mutate`: a batch of seeds, side by side.

use super::plot::{Line, plot};
use super::strategy::strategy;
use super::{profiler, signals};
use crate::cli::console::Progress;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::MutateCommand;
use crate::error::SeedRefused;
use crate::lab::files::write_whole;
use crate::source::clang::Clang;
use crate::source::program::Lines;
use crate::source::seed::Seed;
use crate::variant::mutate::{Mutator, Source, Variant, remove_further};
use crate::variant::mutation::Kind;
use crate::variant::strategy::Trace;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What became of one seed; one line of `--json`.
#[derive(Debug, Serialize)]
struct Done<'a> {
    seed: &'a Path,
    points: usize,
    variants: Vec<DoneVariant>,
    /// What the user should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

#[derive(Debug, Serialize)]
struct DoneVariant {
    variant: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    mutations: BTreeMap<&'static str, usize>,
    /// How the searches for its mutations went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chains: Vec<Trace>,
    #[serde(skip)]
    listing: Vec<String>,
}

/// Sums over a batch.
#[derive(Debug, Default)]
struct Totals {
    seeds: usize,
    variants: usize,
    mutations: usize,
    refused: usize,
}

pub(super) fn mutate(options: &MutateCommand) -> Result<ExitCode> {
    signals::stop_at_once()?;
    ensure!(
        options.profile.is_none() || options.seeds.len() == 1,
        "--profile is of one seed"
    );
    ensure!(
        options.profile.is_none() || options.chain == 1,
        "--profile is of the seed, and --chain profiles variants"
    );
    let clang = Clang::load()?;
    let mutator = Mutator {
        strategy: strategy(&options.mutating, &clang)?,
        clang,
        profiler: profiler(&options.profiling)?,
        dice: options.profiling.dice,
        chain: options.chain,
    };
    if !options.dry_run {
        fs::create_dir_all(&options.output)
            .with_context(|| format!("making the directory {}", options.output.display()))?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .context("starting threads")?;
    let stems = stems(&options.seeds);
    let work: Vec<(&PathBuf, &String)> = options.seeds.iter().zip(&stems).collect();
    let progress = Progress::new(work.len());
    let totals = Mutex::new(Totals::default());
    let lines: Mutex<Vec<Line>> = Mutex::new(Vec::new());
    let outcome = pool.install(|| {
        work.par_iter().try_for_each(|(path, stem)| {
            let done = one(&mutator, options, path, stem)?;
            show(&progress, options, &done)?;
            if options.plot.is_some() {
                let mut lines = lines.lock().unwrap_or_else(|poison| poison.into_inner());
                lines.extend(done.lines(stem));
            }
            let mut totals = totals.lock().unwrap_or_else(|poison| poison.into_inner());
            totals.add(&done);
            progress.advance();
            Ok::<(), anyhow::Error>(())
        })
    });
    progress.finish();
    outcome?;
    if let Some(file) = &options.plot {
        let mut lines = lines
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner());
        ensure!(
            !lines.is_empty(),
            "--plot needs chains: those of athena or all"
        );
        // Seeds end in any order.
        lines.sort_by(|one, other| one.name.cmp(&other.name));
        write_whole(file, plot(&lines).as_bytes())?;
    }
    let totals = totals
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    if !options.json {
        progress.line(&totals.to_string())?;
    }
    Ok(match totals.refused {
        0 => ExitCode::Done,
        _ => ExitCode::SeedRefused,
    })
}

/// Mutates one seed; a refusal is an outcome, anything else that fails an error.
fn one<'a>(
    mutator: &Mutator,
    options: &MutateCommand,
    path: &'a Path,
    stem: &str,
) -> Result<Done<'a>> {
    let mut done = Done {
        seed: path,
        points: 0,
        variants: vec![],
        note: None,
        refused: None,
    };
    match work(mutator, options, path, stem, &mut done) {
        Ok(()) => Ok(done),
        Err(error) => match error.downcast_ref::<SeedRefused>() {
            Some(refused) => {
                done.refused = Some(refused.reason.clone());
                Ok(done)
            }
            None => Err(error.context(format!("mutating {}", path.display()))),
        },
    }
}

fn work(
    mutator: &Mutator,
    options: &MutateCommand,
    path: &Path,
    stem: &str,
    done: &mut Done<'_>,
) -> Result<()> {
    let mut seed = Seed::read(path, &options.flags)?;
    seed.set_inputs(&options.profiling.arguments, &options.profiling.input)?;
    let source = mutator.source(seed, options.profile.as_deref())?;
    done.points = mutator.points(&source);
    done.note = mutator.note(&source);
    for variant in mutator.variants(&source, 1..=options.number) {
        let variant = variant?;
        let file = match options.dry_run {
            true => None,
            false => Some(variant.write(&options.output, stem)?),
        };
        let mut mutations: BTreeMap<&'static str, usize> =
            Kind::ALL.iter().map(|kind| (kind.name(), 0)).collect();
        for mutation in variant.mutations() {
            *mutations.entry(mutation.kind().name()).or_default() += 1;
        }
        done.variants.push(DoneVariant {
            variant: variant.record.variant,
            file,
            mutations,
            chains: variant.traces.clone(),
            listing: match options.dry_run {
                true => listing(&source, &variant),
                false => vec![],
            },
        });
    }
    if !options.dry_run {
        let last = done.variants.last().map_or(0, |variant| variant.variant);
        remove_further(&options.output, stem, &source.seed, last)?;
    }
    Ok(())
}

/// The mutations of a variant in words; later steps of a chain have other lines.
fn listing(source: &Source, variant: &Variant) -> Vec<String> {
    let lines = Lines::new(&source.program.source);
    let record = &variant.record;
    let first = record.mutations.iter().map(|mutation| {
        let start = source.program.statement(mutation.statement()).span.start;
        let (line, column) = lines.locate(start);
        format!(
            "  {:>4} {:<11} {line}:{column}: {}",
            mutation.id,
            mutation.kind(),
            mutation.text()
        )
    });
    let later = record.then.iter().flat_map(|step| &step.mutations);
    let later = later.map(|mutation| {
        let (id, kind) = (mutation.id, mutation.kind());
        format!(
            "  {id:>4} {kind:<11} {}: {}",
            mutation.statement(),
            mutation.text()
        )
    });
    first.chain(later).collect()
}

fn show(progress: &Progress, options: &MutateCommand, done: &Done<'_>) -> Result<()> {
    let seed = done.seed.display();
    if options.json {
        progress.line(&serde_json::to_string(done)?)?;
    }
    if let Some(reason) = &done.refused {
        progress.complain(&format!("{seed}: {reason}"));
        return Ok(());
    }
    if options.json {
        return Ok(());
    }
    let mutations: usize = done.variants.iter().map(DoneVariant::count).sum();
    let mut text = format!(
        "{seed}: {} variants, {mutations} mutations at {} points",
        done.variants.len(),
        done.points
    );
    if let Some(note) = done.note {
        text = format!("{text} ({note})");
    }
    for variant in done.variants.iter().filter(|_| options.dry_run) {
        text.push_str(&format!("\n v{:03}", variant.variant));
        for line in &variant.listing {
            text.push('\n');
            text.push_str(line);
        }
    }
    progress.line(&text)?;
    Ok(())
}

impl Done<'_> {
    /// The chains of all variants, for drawing.
    fn lines(&self, stem: &str) -> Vec<Line> {
        let chains = self.variants.iter().flat_map(|variant| {
            let name = format!("{stem}.v{:03}", variant.variant);
            variant.chains.iter().map(move |trace| Line {
                name: name.clone(),
                trace: trace.clone(),
            })
        });
        chains.collect()
    }
}

impl DoneVariant {
    fn count(&self) -> usize {
        self.mutations.values().sum()
    }
}

impl Totals {
    fn add(&mut self, done: &Done<'_>) {
        self.seeds += 1;
        self.variants += done.variants.len();
        self.mutations += done.variants.iter().map(DoneVariant::count).sum::<usize>();
        self.refused += usize::from(done.refused.is_some());
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} seeds, {} refused, {} variants, {} mutations",
            self.seeds, self.refused, self.variants, self.mutations
        )
    }
}

/// A name for each seed's variants: that of its file, made unique by a number
/// where two files in different directories share one.
fn stems(seeds: &[PathBuf]) -> Vec<String> {
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
