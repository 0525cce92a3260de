//! What verdict a text gets: it is compiled and run by one config in the place of a
//! seed, and what it does is compared with what it should do.
//!
//! Nothing is confirmed here. A campaign asks first with [`Judge::compile`] and
//! [`Judge::link`], which let equal objects be run once; whoever has one question,
//! as confirmation and reduction have, asks [`Judge::trial`].

use super::crash;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Finding, Patience};
use crate::lab::process::{Command, Ending, Limits, Outcome, Purpose};
use crate::lab::scratch;
use crate::lab::toolchain::{Behaviour, Config, EXECUTABLE, Family, Runner, Stage};
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Where an object is put.
pub const OBJECT: &str = "program.o";

/// One config at work on texts that take a seed's place.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    pub config: &'a Config,
    pub stage: &'a Stage<'a>,
    pub patience: Patience,
    /// Counts all CPU time under one heading instead of compile, link and run.
    pub purpose: Option<Purpose>,
    /// Lets no other child of ours run meanwhile.
    pub is_alone: bool,
}

/// What came of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// It was built, and did this on each input.
    Ran(Vec<Behaviour>),
    /// The compiler failed.
    Failed(Failure),
}

/// A compiler's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub verdict: Verdict,
    /// All it said.
    pub message: Vec<u8>,
}

/// What a compiler made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub bytes: Vec<u8>,
    pub wall: Duration,
    pub cpu: Duration,
}

impl Trial {
    /// The verdict, given what the text should do.
    pub fn verdict(&self, expected: &[Behaviour], runner: &Runner) -> Verdict {
        match self {
            Trial::Ran(actual) => Verdict::of_runs(expected, actual, runner),
            Trial::Failed(failure) => failure.verdict.clone(),
        }
    }

    /// What the program did; nothing if there is none.
    pub fn behaviours(&self) -> &[Behaviour] {
        match self {
            Trial::Ran(actual) => actual,
            Trial::Failed(_) => &[],
        }
    }

    /// What a compiler that failed said.
    pub fn message(&self) -> &[u8] {
        match self {
            Trial::Ran(_) => b"",
            Trial::Failed(failure) => &failure.message,
        }
    }
}

impl<'a> Judge<'a> {
    /// Whoever asks what verdict a text gets under a finding's config; the stage is
    /// that of [`Finding::seed`].
    pub fn of_finding(finding: &'a Finding, stage: &'a Stage<'a>) -> Judge<'a> {
        Judge {
            config: &finding.config,
            stage,
            patience: finding.patience,
            purpose: None,
            is_alone: false,
        }
    }
}

impl Judge<'_> {
    /// Builds a text with one call of the compiler, in a directory of its own, and
    /// runs it on every input.
    pub fn trial(&self, text: &[u8]) -> Result<Trial> {
        let directory = scratch::directory().context("making a directory for a build")?;
        let directory = directory.path();
        let source = self.stage.put(directory, text)?;
        let built = match self.config.runner {
            Runner::InProcess(_) => self.compile(directory, &source)?.map(|_| ()),
            _ => self.build(directory, &source)?,
        };
        Ok(match built {
            Ok(()) => Trial::Ran(self.run(directory, &source)?),
            Err(failure) => Trial::Failed(failure),
        })
    }

    /// Compiles a file to an object.
    pub fn compile(&self, directory: &Path, source: &OsStr) -> Result<Result<Object, Failure>> {
        remove_earlier(directory, OBJECT)?;
        let command = self
            .command(directory, Purpose::Compile)
            .args(["-c", "-o", OBJECT])
            .arg(source);
        let outcome = command.run().context("starting a compiler")?;
        Ok(match made(directory, OBJECT, &outcome)? {
            Ok(()) => Ok(Object {
                bytes: fs::read(directory.join(OBJECT)).context("reading an object")?,
                wall: outcome.wall,
                cpu: outcome.cpu,
            }),
            Err(failure) => Err(failure),
        })
    }

    /// Makes a program of the object; nothing to do for compilers that run programs
    /// themselves.
    pub fn link(&self, directory: &Path) -> Result<Result<(), Failure>> {
        if matches!(self.config.runner, Runner::InProcess(_)) {
            return Ok(Ok(()));
        }
        remove_earlier(directory, EXECUTABLE)?;
        let command = self
            .command(directory, Purpose::Link)
            .args(["-o", EXECUTABLE, OBJECT, "-lm"]);
        let outcome = command.run().context("starting a linker")?;
        made(directory, EXECUTABLE, &outcome)
    }

    /// Runs what was built on every input.
    pub fn run(&self, directory: &Path, source: &OsStr) -> Result<Vec<Behaviour>> {
        let inputs = self.stage.seed.inputs.iter();
        let runs = inputs.map(|input| {
            let command = self
                .stage
                .command_of(self.config, directory, source, input)
                .purpose(self.purpose.unwrap_or(Purpose::Run))
                .alone(self.is_alone)
                .limits(Limits {
                    wall: self.patience.run,
                    memory: Some(self.patience.run_memory),
                    stack: self.patience.stack,
                    ..Limits::default()
                });
            match command.run() {
                Ok(outcome) => Ok(Behaviour::from(outcome)),
                // What a shell would say of a file that is no program.
                Err(error) if is_no_program(&error) => Ok(Behaviour {
                    ending: Ending::Exited(126),
                    stdout: Vec::new(),
                    stderr: format!("cannot be executed: {error}\n").into(),
                }),
                Err(error) => Err(error).context("running a program"),
            }
        });
        runs.collect()
    }

    fn build(&self, directory: &Path, source: &OsStr) -> Result<Result<(), Failure>> {
        let command = self
            .command(directory, Purpose::Compile)
            .args(["-o", EXECUTABLE])
            .arg(source)
            .arg("-lm");
        let outcome = command.run().context("starting a compiler")?;
        made(directory, EXECUTABLE, &outcome)
    }

    /// The compiler with all flags.
    fn command(&self, directory: &Path, purpose: Purpose) -> Command {
        let command = Command::new(&self.config.compiler.path)
            .directory(directory)
            // What a compiler that is killed leaves behind goes with the directory.
            .env("TMPDIR", directory)
            .purpose(self.purpose.unwrap_or(purpose))
            .alone(self.is_alone)
            .limits(Limits {
                wall: self.patience.compile,
                memory: Some(self.patience.compile_memory),
                ..Limits::default()
            })
            .arg("-w")
            .args(&self.config.flags)
            .args(&self.stage.flags);
        match self.config.compiler.family {
            // It would compile again to write down what it crashed on.
            Family::Clang => command.arg("-fno-crash-diagnostics"),
            _ => command,
        }
    }
}

/// What another config made must not pass for this one's.
fn remove_earlier(directory: &Path, what: &str) -> Result<()> {
    match fs::remove_file(directory.join(what)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).context("removing what a compiler made before")
        }
        _ => Ok(()),
    }
}

/// Whether a compiler has done what it was asked for.
fn made(directory: &Path, what: &str, outcome: &Outcome) -> Result<Result<(), Failure>> {
    let failed = |verdict| {
        Ok(Err(Failure {
            verdict,
            message: outcome.stderr.clone(),
        }))
    };
    if !outcome.ending.is_success() {
        return failed(crash::of_failure(outcome));
    }
    match fs::metadata(directory.join(what)) {
        Ok(file) if file.len() > 0 => Ok(Ok(())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).context("looking for what a compiler made")
        }
        _ => failed(Verdict::new(VerdictKind::CompilerCrash, crash::NO_RESULT)),
    }
}

fn is_no_program(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::ENOEXEC | libc::EACCES | libc::ELIBBAD)
    )
}
