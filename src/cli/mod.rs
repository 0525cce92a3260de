//! The command line: from options to a call to an exit code, and nothing else.

mod bisect;
mod campaign;
mod cluster;
mod compilers;
pub(crate) mod console;
mod doctor;
mod enumerate;
pub mod exit_code;
mod explain;
mod generate;
mod instances;
mod manual;
mod mark;
mod missed;
mod mutate;
pub mod options;
mod probe;
mod reduce;
mod replay;
mod report;
mod screen;
mod serve;
mod signals;
mod strategy;

use crate::cli::console::{say, unless_unread};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{ChosenCommand, DumpOptions, Options, ProfileCommand, Profiling};
use crate::error::ToolMissing;
use crate::lab::Lab;
use crate::lab::process;
use crate::lab::toolchain::Compiler;
use crate::source::clang::Clang;
use crate::source::program::{Dump, lower, probe_with};
use crate::source::seed::Seed;
use crate::variant::profile::{Caps, ProfileOptions, Profiler, Report};
use anyhow::{Context, Result};
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;

/// Runs the program with these arguments, the first being its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let options = match Options::try_parse_from(arguments) {
        Ok(options) => options,
        Err(error) => {
            // A closed pipe under `--help` is not worth a message.
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::Done,
                _ => ExitCode::Usage,
            };
        }
    };
    if !matches!(options.command, ChosenCommand::Probe(_)) {
        probe_with(probe::try_elsewhere);
    }
    let outcome = match options.command {
        ChosenCommand::Dump(options) => dump(&options),
        ChosenCommand::Profile(options) => profile(&options),
        ChosenCommand::Mutate(options) => mutate::mutate(&options),
        ChosenCommand::Enumerate(options) => enumerate::enumerate(&options),
        ChosenCommand::Generate(options) => generate::generate(&options),
        ChosenCommand::Donors(options) => strategy::collect(&options),
        ChosenCommand::Reduce(options) => reduce::reduce(&options),
        ChosenCommand::Explain(options) => explain::explain_record(&options),
        ChosenCommand::Missed(options) => missed::missed(&options),
        ChosenCommand::Replay(options) => replay::replay(&options),
        ChosenCommand::Report(options) => report::report(&options),
        ChosenCommand::Retest(options) => mark::retest(&options),
        ChosenCommand::Bisect(options) => bisect::find_commit(&options),
        ChosenCommand::Serve(options) => serve::serve(&options),
        ChosenCommand::Compilers(options) => compilers::compilers(&options),
        ChosenCommand::Doctor => doctor::doctor(),
        ChosenCommand::Mark(options) => mark::mark_defect(&options),
        ChosenCommand::Verify(options) => replay::verify(&options),
        ChosenCommand::Campaign(options) => campaign::campaign(&options),
        ChosenCommand::Merge(options) => campaign::merge(&options),
        ChosenCommand::Compact(options) => campaign::compact(&options),
        ChosenCommand::Cluster(options) => cluster::cluster(&options),
        ChosenCommand::Completions(options) => manual::completions(&options),
        ChosenCommand::Man(options) => manual::man(&options),
        ChosenCommand::Guard(options) => campaign::stand_guard(&options),
        ChosenCommand::Probe(options) => probe::probe(&options),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            let code = ExitCode::of_error(&error);
            if code != ExitCode::Interrupted {
                say(&format!("{error:#}"));
            }
            code
        }
    }
}

fn dump(options: &DumpOptions) -> Result<ExitCode> {
    let clang = Clang::load()?;
    let seed = Seed::read(&options.seed, &options.flags)?;
    let program = lower(&clang, &seed.path, seed.source, &seed.flags)?;
    let dump = Dump::new(&program);
    print(|out| {
        if options.json {
            dump.write_json(&mut *out)?;
            writeln!(out)
        } else if options.expressions {
            dump.write_expressions(out)
        } else {
            dump.write_text(out)
        }
    })?;
    Ok(ExitCode::Done)
}

fn profile(options: &ProfileCommand) -> Result<ExitCode> {
    process::confine_programs();
    signals::stop_at_once()?;
    let clang = Clang::load()?;
    let profiler = profiler(&options.profiling)?;
    let mut seed = Seed::read(&options.seed, &options.flags)?;
    seed.set_inputs(&options.profiling.arguments, &options.profiling.input)?;
    seed.set_standard(profiler.standard()?);
    let program = lower(&clang, &seed.path, Arc::clone(&seed.source), &seed.flags)?;
    let profile = profiler.profile(&seed, &program)?;
    if let Some(file) = &options.save {
        profile.save(file)?;
    }
    let report = Report::new(&program, &profile);
    print(|out| {
        if options.json {
            report
                .write_json(&mut *out)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out))
        } else {
            report.write_text(out)
        }
    })?;
    Ok(ExitCode::Done)
}

/// The compilers to profile with, by the names given.
fn profiling_compilers(names: &[String]) -> Result<Vec<Compiler>, ToolMissing> {
    if names.is_empty() {
        return Compiler::trusted().map_err(|missing| ToolMissing {
            remedy: format!("{}, or choose with --profile-compiler", missing.remedy),
            ..missing
        });
    }
    names.iter().map(|name| Compiler::find(name)).collect()
}

fn profiler(options: &Profiling) -> Result<Profiler> {
    let compilers = profiling_compilers(&options.profile_compiler)?;
    let settings = ProfileOptions {
        probability: options.profile_probability,
        dice: options.dice,
        caps: Caps {
            rows: usize::from(options.profile_rows),
            ..Caps::default()
        },
        seed_timeout: Duration::from_secs_f64(options.seed_timeout),
        ..ProfileOptions::default()
    };
    Profiler::new(Lab::default(), compilers, settings)
}

/// Writes to standard output, in large pieces.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    unless_unread(written).context("writing to standard output")
}
