//! Reading a program in another process of ours, where libclang may crash.

use crate::cli::exit_code::ExitCode;
use crate::cli::options::ProbeCommand;
use crate::lab::Lab;
use crate::lab::process::{Command, Ending, Limits};
use crate::lab::scratch;
use crate::source::clang::Clang;
use crate::source::program::lower;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

/// What reading one program may take. Large tables need a second.
const LIMITS: Limits = Limits {
    wall: Duration::from_secs(20),
    stretch: 10,
    end: None,
    memory: Some(4 << 30),
    output: 1 << 20,
    file: 1 << 20,
    stack: 8 << 20,
    processes: 20,
};

/// Tells why a program cannot be read, if it cannot.
pub(super) fn try_elsewhere(path: &Path, source: &[u8], flags: &[OsString]) -> Result<(), String> {
    match run(path, source, flags) {
        Ok(Ending::Exited(_)) => Ok(()),
        Ok(ending) if ending.is_late() => Err(format!(
            "takes more than {} s to read",
            LIMITS.wall.as_secs()
        )),
        Ok(ending) => Err(format!(
            "is too large or nested too deeply for libclang, which ends with {ending}"
        )),
        Err(error) => Err(format!("cannot be tried: {error:#}")),
    }
}

fn run(path: &Path, source: &[u8], flags: &[OsString]) -> Result<Ending> {
    let program = env::current_exe().context("finding out our own name")?;
    let directory = scratch::directory().context("making a directory for a program")?;
    let text = directory.path().join("text");
    fs::write(&text, source).context("writing a program")?;
    let mut command = Command::new(program)
        .arg("probe")
        .arg(&text)
        .arg(path)
        .arg("--")
        .args(flags)
        .limits(LIMITS);
    if let Some(library) = env::var_os("LIBCLANG_PATH") {
        command = command.env("LIBCLANG_PATH", library);
    }
    let outcome = Lab::default()
        .run_tool(&command)
        .context("starting ourselves")?;
    Ok(outcome.ending)
}

/// What the other process does. However it ends by itself, it was not by a crash.
pub(super) fn probe(options: &ProbeCommand) -> Result<ExitCode> {
    let clang = Clang::load()?;
    let source = fs::read(&options.text).context("reading the program")?;
    // What is wrong with the program is found again by whoever asks.
    let _ = lower(&clang, &options.seed, source.into(), &options.flags);
    Ok(ExitCode::Done)
}
