//! `mestra enumerate`: counting, listing or writing the programs of many skeletons.

use super::signals;
use crate::cli::console::Progress;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::EnumerateCommand;
use crate::dice::{self, Draw};
use crate::error::SeedRefused;
use crate::source::clang::Clang;
use crate::source::program::lower_part;
use crate::source::seed::{Seed, hash_source};
use crate::variant::batch::stems;
use crate::variant::donor::programs;
use crate::variant::enumerate::{
    EnumeratedFiles, EnumerationTotals, FilledFiles, SelectedFillings, Selection, Skeleton,
    SkeletonSize,
};
use anyhow::{Context, Result};
use num_bigint::BigUint;
use rayon::prelude::*;
use serde::Serialize;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What became of one seed; one line of `--json`.
#[derive(Debug, Serialize)]
struct Enumerated<'a> {
    seed: &'a Path,
    #[serde(flatten)]
    size: Option<SkeletonSize>,
    #[serde(flatten)]
    files: Option<EnumeratedFiles>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// One line of a list as JSON.
#[derive(Debug, Serialize)]
struct ListedFilling<'a> {
    seed: &'a Path,
    rank: String,
    filling: Vec<&'a str>,
}

pub(super) fn enumerate(options: &EnumerateCommand) -> Result<ExitCode> {
    signals::stop_at_once()?;
    let clang = Clang::load()?;
    let seeds = programs(&options.seeds)?;
    if let Some(output) = &options.output {
        fs::create_dir_all(output)
            .with_context(|| format!("making the directory {}", output.display()))?;
    }
    let progress = Progress::new(seeds.len());
    let totals = Mutex::new(EnumerationTotals::new(options.limit));
    let one = |(path, stem): (&Path, &str)| -> Result<()> {
        let done = refusal_aside(path, work(&clang, options, path, stem))?;
        show(&progress, options, &done)?;
        let mut totals = totals.lock().unwrap_or_else(|poison| poison.into_inner());
        match &done.size {
            Some(size) => totals.add(size),
            None => totals.refused += 1,
        }
        progress.advance();
        Ok(())
    };
    let stems = stems(&seeds);
    let seeds = seeds.iter().map(AsRef::as_ref);
    let work: Vec<(&Path, &str)> = seeds.zip(stems.iter().map(String::as_str)).collect();
    let outcome = if options.count || options.output.is_some() {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.jobs.unwrap_or(0))
            .build()
            .context("starting threads")?;
        pool.install(|| work.into_par_iter().try_for_each(one))
    } else {
        // Lists are printed as they are made, so there is one at a time.
        work.into_iter().try_for_each(one)
    };
    progress.finish();
    outcome?;
    let totals = totals
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    let has_totals = options.count && totals.all.seeds + totals.refused > 1;
    if has_totals && options.json {
        let object = serde_json::json!({ "totals": totals });
        progress.line(&object.to_string())?;
    } else if has_totals {
        progress.line(&totals.to_string())?;
    }
    Ok(match totals.refused {
        0 => ExitCode::Done,
        _ => ExitCode::SeedRefused,
    })
}

/// A refusal is an outcome, anything else that fails an error.
fn refusal_aside<'a>(path: &'a Path, outcome: Result<Enumerated<'a>>) -> Result<Enumerated<'a>> {
    let error = match outcome {
        Ok(done) => return Ok(done),
        Err(error) => error,
    };
    match error.downcast_ref::<SeedRefused>() {
        Some(refused) => Ok(Enumerated {
            seed: path,
            size: None,
            files: None,
            refused: Some(refused.reason.to_string()),
        }),
        None => Err(error.context(format!("enumerating {}", path.display()))),
    }
}

fn work<'a>(
    clang: &Clang,
    options: &EnumerateCommand,
    path: &'a Path,
    stem: &str,
) -> Result<Enumerated<'a>> {
    let seed = Seed::read(path, &options.flags)?;
    let program = lower_part(clang, &seed.path, Arc::clone(&seed.source), &seed.flags)?;
    let refused = |error: &dyn ToString| SeedRefused::new(path, error.to_string());
    let skeleton = Skeleton::new(&program, options.settings()).map_err(|e| refused(&e))?;
    let size = skeleton.size();
    let mut done = Enumerated {
        seed: path,
        size: Some(size.clone()),
        files: None,
        refused: None,
    };
    if options.count {
        return Ok(done);
    }
    if let Some(from) = options
        .from
        .as_ref()
        .filter(|rank| **rank >= size.canonical)
    {
        let last = &size.canonical - 1u32;
        let reason = format!("has no program of rank {from}; the last is {last}");
        return Err(SeedRefused::new(path, reason).into());
    }
    let mut rng = dice::generator(options.dice, hash_source(&seed.source), Draw::Filling);
    let selected = SelectedFillings::new(&skeleton, &selection(options), &mut rng);
    let selected = selected.map_err(|e| refused(&e))?;
    match &options.output {
        Some(output) => {
            let files = FilledFiles {
                seed: &seed,
                settings: options.settings(),
                directory: output,
                stem,
            };
            done.files = Some(files.write(&skeleton, selected)?);
        }
        None => list(options, path, &skeleton, selected, &size)?,
    }
    Ok(done)
}

fn selection(options: &EnumerateCommand) -> Selection {
    match (options.sample, &options.from, options.number) {
        (Some(number), ..) => Selection::Sample(number),
        (None, None, None) => Selection::UpTo(options.limit),
        (None, from, number) => Selection::Row {
            from: from.clone().unwrap_or_else(|| BigUint::from(1u32)),
            number: number.unwrap_or(options.limit),
        },
    }
}

/// Prints the names in the holes of each filling, as they are made.
fn list(
    options: &EnumerateCommand,
    path: &Path,
    skeleton: &Skeleton<'_>,
    selected: SelectedFillings<'_>,
    size: &SkeletonSize,
) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if !options.json {
        writeln!(out, "{}: {size}", path.display())?;
    }
    for filling in selected {
        let names = skeleton.names(&filling.variables);
        if options.json {
            let line = ListedFilling {
                seed: path,
                rank: filling.rank.to_string(),
                filling: names,
            };
            serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "  {}: {}", filling.rank, names.join(" "))?;
        }
    }
    out.flush()?;
    Ok(())
}

fn show(progress: &Progress, options: &EnumerateCommand, done: &Enumerated<'_>) -> Result<()> {
    let seed = done.seed.display();
    if let Some(reason) = &done.refused {
        progress.complain(&format!("{seed}: {reason}"));
    }
    let is_list = !options.count && options.output.is_none();
    if is_list {
        return Ok(());
    }
    if options.json {
        progress.line(&serde_json::to_string(done)?)?;
    } else if let Some(files) = done.files {
        let EnumeratedFiles { written, kept } = files;
        progress.line(&format!("{seed}: written {written}, kept {kept}"))?;
    } else if let Some(size) = &done.size {
        progress.line(&format!("{seed}: {size}"))?;
    }
    Ok(())
}
