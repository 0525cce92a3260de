//! Building and running one text in one way, and comparing what it does.

use crate::lab::process::{Ending, Limits, Purpose};
use crate::lab::scratch;
use crate::lab::toolchain::{Behaviour, Compiler, Stage};
use crate::source::seed::Seed;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

const DOES_NOT_COMPILE: &str = "does not compile: ";

/// One way to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub compiler: Compiler,
    /// What `-fsanitize=` is given, if anything.
    pub sanitizer: Option<&'static str>,
}

/// What is wrong with a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub setup: Setup,
    pub what: String,
    /// Whether it is a sanitizer's report, which has the reason.
    pub is_report: bool,
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

    fn problem(&self, what: impl Into<String>) -> Problem {
        Problem {
            setup: self.clone(),
            what: what.into(),
            is_report: false,
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
        if let Err(error) = self.build(setup, directory.path(), text)? {
            return Ok(Err(setup.problem(format!("{DOES_NOT_COMPILE}{error}"))));
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
                let limit = wall.as_secs_f64();
                return Ok(Err(setup.problem(format!("does not end within {limit} s"))));
            }
            seen.push(Behaviour::from(outcome));
        }
        Ok(Ok(seen))
    }

    /// A text is built under its seed's name, which compilers and sanitizers then quote
    /// for places in the text.
    pub(super) fn without_name(&self, problem: Problem) -> Problem {
        let name = format!("{}:", self.stage.seed.program_name().to_string_lossy());
        let said = match problem.what.split_once(&name) {
            Some(("", place)) => format!("line {place}"),
            Some((DOES_NOT_COMPILE, place)) => format!("{DOES_NOT_COMPILE}line {place}"),
            _ => problem.what,
        };
        problem.setup.problem(said)
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
            Some(said) => {
                return Some(Problem {
                    is_report: true,
                    ..setup.problem(said)
                });
            }
            None => {}
        }
    }
    let pairs = seed.iter().zip(variant).enumerate();
    for (number, (one, other)) in pairs.filter(|(_, (one, other))| one != other) {
        let what = if one.ending != other.ending {
            format!("ends with {}, its seed with {}", other.ending, one.ending)
        } else if one.stdout != other.stdout {
            differing_line("output", &one.stdout, &other.stdout)
        } else if setup.is_sanitizer() {
            // What a sanitizer says of the seed may name lines and addresses.
            continue;
        } else {
            differing_line("standard error", &one.stderr, &other.stderr)
        };
        return Some(setup.problem(format!("on input {}: {what}", number + 1)));
    }
    None
}

fn differing_line(what: &str, seed: &[u8], variant: &[u8]) -> String {
    let mut pairs = (1..).zip(
        seed.split(|b| *b == b'\n')
            .zip(variant.split(|b| *b == b'\n')),
    );
    match pairs.find(|(_, (one, other))| one != other) {
        Some((number, (one, other))) => format!(
            "line {number} of its {what} is {:?}, its seed's {:?}",
            String::from_utf8_lossy(other),
            String::from_utf8_lossy(one)
        ),
        None => format!(
            "its {what} has {} bytes, its seed's {}",
            variant.len(),
            seed.len()
        ),
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -O0", self.compiler.name)?;
        match self.sanitizer {
            Some(sanitizer) => write!(f, " -fsanitize={sanitizer}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.setup, self.what)
    }
}
