//! A seed, or a text made of it, built and run the one way that shows it nothing
//! new: under the seed's own file name, as `./program`, in a directory of its own.

use super::{Build, Compiler, Config, Runner};
use crate::error::ToolMissing;
use crate::lab::process::{Command, Purpose};
use crate::source::seed::{Input, Seed};
use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

/// The name of every compiled program, so that `argv[0]` tells nothing.
pub const EXECUTABLE: &str = "./program";

/// Where texts take the place of a seed.
#[derive(Debug)]
pub struct Stage<'s> {
    pub seed: &'s Seed,
    /// The flags of the seed, and where its own includes are.
    pub flags: Vec<OsString>,
    /// Runs programs of another machine.
    pub runner: Runner,
    /// What building and running is for.
    pub purpose: Purpose,
}

impl<'s> Stage<'s> {
    pub fn new(seed: &'s Seed, purpose: Purpose) -> Result<Stage<'s>> {
        let mut flags = seed.flags.clone();
        let beside = seed
            .path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let beside = fs::canonicalize(beside.unwrap_or(Path::new(".")))
            .context("finding the seed's directory")?;
        let mut include = OsString::from("-I");
        include.push(beside);
        flags.push(include);
        Ok(Stage {
            seed,
            flags,
            runner: Runner::Direct,
            purpose,
        })
    }

    /// Writes a text under the seed's name and returns the name to give a compiler.
    pub fn put(&self, directory: &Path, text: &[u8]) -> Result<OsString> {
        let name = self.seed.program_name();
        fs::write(directory.join(&name), text).context("writing a program")?;
        // The bare name, which `__FILE__` shows; but one that starts with a dash
        // would be an option.
        let mut source = OsString::new();
        if name.as_encoded_bytes().starts_with(b"-") {
            source.push("./");
        }
        source.push(name);
        Ok(source)
    }

    /// Builds a text in `directory`, unoptimised unless further flags say otherwise,
    /// with further objects; a compiler that fails is told in words.
    pub fn build(
        &self,
        compiler: &Compiler,
        directory: &Path,
        flags: &[OsString],
        text: &[u8],
        objects: &[&OsStr],
    ) -> Result<Result<(), String>> {
        let source = self.put(directory, text)?;
        let unoptimised = [OsString::from("-O0")];
        let all: Vec<OsString> = unoptimised
            .iter()
            .chain(&self.flags)
            .chain(flags)
            .cloned()
            .collect();
        let inputs: Vec<&OsStr> = [source.as_os_str()]
            .into_iter()
            .chain(objects.iter().copied())
            .collect();
        let job = Build {
            flags: &all,
            output: OsStr::new(EXECUTABLE),
            inputs: &inputs,
            libraries: &["-lm"],
            purpose: self.purpose,
        };
        compiler
            .build(directory, &job)
            .context("starting a compiler")
    }

    /// Looks for the program after a build that went well.
    ///
    /// # Errors
    /// [`ToolMissing`] if there is none, as after `true`, which is no compiler.
    pub fn expect_program(&self, compiler: &Compiler, directory: &Path) -> Result<(), ToolMissing> {
        match directory.join(EXECUTABLE).is_file() {
            true => Ok(()),
            false => Err(ToolMissing {
                what: format!("{} reports success and has made no program", compiler.name),
                remedy: "look whether it is a compiler, or name another".into(),
            }),
        }
    }

    /// The command that runs what was built in `directory` on one input.
    pub fn command(&self, directory: &Path, input: &Input) -> Command {
        let program = match &self.runner {
            Runner::Through(words) => through(words),
            _ => Command::new(directory.join(EXECUTABLE)).own_name(EXECUTABLE),
        };
        self.on_input(program, directory, input)
    }

    /// The command that runs what a config has built in `directory` from a file of
    /// this name, the way its programs are run.
    pub fn command_of(
        &self,
        config: &Config,
        directory: &Path,
        source: &OsStr,
        input: &Input,
    ) -> Command {
        let command = match &config.runner {
            Runner::Direct => return self.command(directory, input),
            Runner::Through(words) => through(words),
            Runner::InProcess(options) => Command::new(&config.compiler.path)
                .arg("-w")
                .args(&config.flags)
                .args(&self.flags)
                .arg("-lm")
                .args(options)
                .arg(source),
        };
        self.on_input(command, directory, input)
    }

    fn on_input(&self, command: Command, directory: &Path, input: &Input) -> Command {
        let command = command
            .directory(directory)
            .purpose(self.purpose)
            .args(&input.arguments);
        match &input.stdin {
            Some(file) => command.stdin(file),
            None => command,
        }
    }
}

/// A command of several words that takes the program as its last.
fn through(words: &[String]) -> Command {
    let (first, others) = words.split_first().expect("a runner is a command");
    Command::new(first).args(others).arg(EXECUTABLE)
}
