//! A seed, or a text made of it, built and run the one way that shows it nothing
//! new: under the seed's own file name, as `./program`, in a directory of its own.

use super::{Build, Compiler};
use crate::process::{Command, Ending, Outcome};
use crate::seed::{Input, Seed};
use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

/// The name of every compiled program, so that `argv[0]` tells nothing.
const EXECUTABLE: &str = "./program";

/// What a run showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Where texts take the place of a seed.
#[derive(Debug)]
pub struct Stage<'s> {
    pub seed: &'s Seed,
    /// Unoptimised, with the flags of the seed, and where its own includes are.
    pub flags: Vec<OsString>,
}

impl<'s> Stage<'s> {
    pub fn new(seed: &'s Seed) -> Result<Stage<'s>> {
        let mut flags = vec![OsString::from("-O0")];
        flags.extend_from_slice(&seed.flags);
        let beside = seed
            .path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let beside = fs::canonicalize(beside.unwrap_or(Path::new(".")))
            .context("finding the seed's directory")?;
        let mut include = OsString::from("-I");
        include.push(beside);
        flags.push(include);
        Ok(Stage { seed, flags })
    }

    /// Builds a text in `directory` with further flags and objects; a compiler that
    /// fails is told in words.
    pub fn build(
        &self,
        compiler: &Compiler,
        directory: &Path,
        flags: &[OsString],
        text: &[u8],
        objects: &[&OsStr],
    ) -> Result<Result<(), String>> {
        let name = self.seed.path.file_name().unwrap_or(OsStr::new("seed.c"));
        fs::write(directory.join(name), text).context("writing a program")?;
        let all: Vec<OsString> = self.flags.iter().chain(flags).cloned().collect();
        // The bare name, which `__FILE__` shows; but one that starts with a dash
        // would be an option.
        let mut dashed = OsString::from("./");
        dashed.push(name);
        let source = match name.as_encoded_bytes().starts_with(b"-") {
            true => dashed.as_os_str(),
            false => name,
        };
        let inputs: Vec<&OsStr> = [source]
            .into_iter()
            .chain(objects.iter().copied())
            .collect();
        let job = Build {
            flags: &all,
            output: OsStr::new(EXECUTABLE),
            inputs: &inputs,
            libraries: &["-lm"],
        };
        compiler
            .build(directory, &job)
            .context("starting a compiler")
    }

    /// The command that runs what was built in `directory` on one input.
    pub fn command(&self, directory: &Path, input: &Input) -> Command {
        let command = Command::new(directory.join(EXECUTABLE))
            .own_name(EXECUTABLE)
            .directory(directory)
            .args(&input.arguments);
        match &input.stdin {
            Some(file) => command.stdin(file),
            None => command,
        }
    }
}

impl From<Outcome> for Behaviour {
    fn from(outcome: Outcome) -> Behaviour {
        Behaviour {
            ending: outcome.ending,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
        }
    }
}
