//! `mestra generate`: programs of our own, to standard output or to files.

use super::console::say;
use super::exit_code::ExitCode;
use super::options::GenerateCommand;
use crate::lab::files;
use crate::variant::donor::everyday;
use crate::variant::generate::{
    GenerateRequest, GeneratedProgram, GenerationStats, ProgramLanguage, generate as make,
};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

pub(super) fn generate(options: &GenerateCommand) -> Result<ExitCode> {
    ensure!(
        options.count.unwrap_or(1) == 1 || options.output.is_some() || options.stats,
        "--count above 1 needs -o DIR, or --stats: several programs in one file are none"
    );
    let request = options.request();
    tell_vain(&request);
    if request.may_borrow() {
        // A number stands for one program everywhere: without libclang there is none, rather than
        // one without these functions.
        everyday()?;
    }
    let last = options.count.unwrap_or(1).checked_sub(1);
    let last = last.and_then(|more| options.number.checked_add(more));
    let last = last.context("--count: so many programs have no numbers")?;
    let numbers = options.number..=last;
    if let Some(directory) = &options.output {
        fs::create_dir_all(directory).with_context(|| format!("making {}", directory.display()))?;
    }
    let totals = Mutex::new(GenerationStats::default());
    let one = |number: u64| -> Result<GeneratedProgram> {
        let program = make(&request, number);
        if let Some(directory) = &options.output {
            write(directory, number, options.language, &program)?;
        }
        if options.stats {
            let mut totals = totals.lock().unwrap_or_else(|poison| poison.into_inner());
            totals.add(&program.stats);
        }
        Ok(program)
    };
    if options.output.is_some() || options.stats {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.jobs.unwrap_or(0))
            .build()
            .context("starting threads")?;
        pool.install(|| {
            numbers
                .into_par_iter()
                .try_for_each(|number| one(number).map(drop))
        })?;
    } else {
        let program = one(options.number)?;
        super::print(|out| out.write_all(program.text.as_bytes()))?;
    }
    if options.stats {
        let totals = totals
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner());
        super::print(|out| write!(out, "{totals}"))?;
    }
    Ok(ExitCode::Done)
}

/// A line if features were named that none of the programs has.
fn tell_vain(request: &GenerateRequest) {
    let vain = names(&request.named_in_vain());
    if !vain.is_empty() {
        let mode = names(&[request.mode]);
        let language = names(&[request.language]);
        say(&format!(
            "programs of --mode {mode} in {language} never have {vain}"
        ));
    }
}

/// Values as they are named on the command line.
fn names(values: &[impl ValueEnum]) -> String {
    let names = values.iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
    names.join(", ")
}

/// Writes a program and what it prints.
fn write(
    directory: &Path,
    number: u64,
    language: ProgramLanguage,
    program: &GeneratedProgram,
) -> Result<()> {
    let base = directory.join(format!("own{number}"));
    for (extension, text) in [
        (language.extension(), &program.text),
        ("expected", &program.output),
    ] {
        let path = base.with_extension(extension);
        files::write_whole(&path, text.as_bytes())
            .with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}
