//! Building and running one text in one way, and comparing what it does.

use super::objection::{Objection, Stream, Witness};
use crate::lab::process::{Ending, Limits, Purpose};
use crate::lab::scratch;
use crate::lab::toolchain::{Behaviour, Compiler, Stage};
use crate::source::seed::Seed;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// One way to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub compiler: Compiler,
    /// What `-fsanitize=` is given, if anything.
    pub sanitizer: Option<&'static str>,
}

/// What is wrong with a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub setup: Setup,
    pub objection: Objection,
}

/// Runs texts as one seed would be.
#[derive(Debug)]
pub(super) struct Trials<'s> {
    stage: Stage<'s>,
    timeout: Duration,
}

impl Setup {
    pub(super) fn plain(compiler: Compiler) -> Setup {
        Setup {
            compiler,
            sanitizer: None,
        }
    }

    pub fn is_sanitizer(&self) -> bool {
        self.sanitizer.is_some()
    }

    fn problem(&self, objection: Objection) -> Problem {
        Problem {
            setup: self.clone(),
            objection,
        }
    }
}

impl<'s> Trials<'s> {
    pub(super) fn new(seed: &'s Seed, timeout: Duration) -> Result<Trials<'s>> {
        Ok(Trials {
            stage: Stage::new(seed, Purpose::Verify)?,
            timeout,
        })
    }

    /// What a text does on every input, or why it does nothing.
    pub(super) fn run(
        &self,
        setup: &Setup,
        text: &[u8],
    ) -> Result<std::result::Result<Vec<Behaviour>, Problem>> {
        let directory = scratch::directory().context("making a directory for a build")?;
        if let Err(message) = self.build(setup, directory.path(), text)? {
            return Ok(Err(setup.problem(Objection::DoesNotCompile { message })));
        }
        self.stage
            .expect_program(&setup.compiler, directory.path())?;
        let mut seen = Vec::new();
        for input in &self.stage.seed.inputs {
            let (wall, memory) = match setup.is_sanitizer() {
                // Sanitizers slow a program down and reserve address space.
                true => (self.timeout * 10, None),
                false => (self.timeout, Limits::default().memory),
            };
            let command = self
                .stage
                .command(directory.path(), input)
                .env("ASAN_OPTIONS", "detect_leaks=0")
                .limits(Limits {
                    wall,
                    memory,
                    ..Limits::default()
                });
            let outcome = command.run().context("running a program")?;
            if outcome.ending == Ending::TimedOut {
                let seconds = wall.as_secs_f64();
                return Ok(Err(setup.problem(Objection::DoesNotEnd { seconds })));
            }
            seen.push(Behaviour::from(outcome));
        }
        Ok(Ok(seen))
    }

    /// The problem without the name that the text was built under.
    pub(super) fn without_name(&self, problem: Problem) -> Problem {
        let name = self.stage.seed.program_name();
        Problem {
            objection: problem.objection.without_name(&name.to_string_lossy()),
            ..problem
        }
    }

    /// Whether a text can be built.
    pub(super) fn builds(&self, setup: &Setup, text: &[u8]) -> Result<bool> {
        let directory = scratch::directory().context("making a directory for a build")?;
        Ok(self.build(setup, directory.path(), text)?.is_ok())
    }

    fn build(
        &self,
        setup: &Setup,
        directory: &Path,
        text: &[u8],
    ) -> Result<std::result::Result<(), String>> {
        let mut flags: Vec<OsString> = Vec::new();
        if let Some(sanitizer) = setup.sanitizer {
            flags.push(format!("-fsanitize={sanitizer}").into());
            flags.push("-g1".into());
        }
        self.stage
            .build(&setup.compiler, directory, &flags, text, &[])
    }
}

/// What a sanitizer said first, if it said anything.
pub(super) fn report(seen: &[Behaviour]) -> Option<String> {
    seen.iter().find_map(|behaviour| {
        let text = String::from_utf8_lossy(&behaviour.stderr);
        let is_report = |line: &&str| {
            line.contains("runtime error:")
                || line.contains("ERROR: AddressSanitizer")
                || line.contains("WARNING: MemorySanitizer")
                || line.contains("UndefinedBehaviorSanitizer")
        };
        text.lines().find(is_report).map(str::to_owned)
    })
}

/// The first difference between what a seed and its variant do.
pub(super) fn compare(setup: &Setup, seed: &[Behaviour], variant: &[Behaviour]) -> Option<Problem> {
    if setup.is_sanitizer() {
        match report(variant) {
            // Instrumented frames are many times as large, and a variant's hold more
            // locals: a seed that recurses deep says nothing then.
            Some(said) if said.contains("stack-overflow") => return None,
            Some(report) => return Some(setup.problem(Objection::Report { report })),
            None => {}
        }
    }
    let pairs = (1..).zip(seed.iter().zip(variant));
    for (input, (one, other)) in pairs.filter(|(_, (one, other))| one != other) {
        let objection = if one.ending != other.ending {
            Objection::EndsDifferently {
                input,
                expected: one.ending,
                actual: other.ending,
            }
        } else if one.stdout != other.stdout {
            Objection::of_output(input, Stream::Output, &one.stdout, &other.stdout)
        } else if setup.is_sanitizer() {
            // What a sanitizer says of the seed may name lines and addresses.
            continue;
        } else {
            Objection::of_output(input, Stream::StandardError, &one.stderr, &other.stderr)
        };
        return Some(setup.problem(objection));
    }
    None
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Witness::from(self).fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.setup, self.objection)
    }
}
