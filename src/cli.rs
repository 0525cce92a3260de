//! The commands: from options to work to an exit code.

use crate::clang::Clang;
use crate::exit_code::ExitCode;
use crate::options::{Command, DumpOptions, Options};
use crate::program::{Dump, lower};
use crate::seed::Seed;
use anyhow::{Context, Result};
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

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
    let outcome = match options.command {
        Command::Dump(options) => dump(&options),
    };
    match outcome {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::Done,
        Err(error) => {
            eprintln!("mestra: {error:#}");
            ExitCode::of_error(&error)
        }
    }
}

fn dump(options: &DumpOptions) -> Result<ExitCode> {
    let clang = Clang::load()?;
    let seed = Seed::read(&options.seed, &options.flags)?;
    let program = lower(&clang, &seed.path, seed.source, &seed.flags)?;
    let dump = Dump::new(&program);
    let mut out = BufWriter::new(io::stdout().lock());
    let written = if options.json {
        dump.write_json(&mut out)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"))
    } else {
        dump.write_text(&mut out)
    };
    written
        .and_then(|()| out.flush())
        .context("writing to standard output")?;
    Ok(ExitCode::Done)
}

/// Whoever read our output has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
