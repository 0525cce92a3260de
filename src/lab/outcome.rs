//! What building and running a text did.

use super::Behaviour;
use super::process::{Ending, Output};
use super::toolchain::{Compiler, error_line};
use crate::error::ToolMissing;
use std::time::Duration;

/// What came of a text. What it means is for others to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was built, and did this on each input. The last may be one that did not end
    /// in time; then later inputs were not tried.
    Ran(Vec<Behaviour>),
    /// The compiler failed, and nothing was run.
    Failed(BuildFailure),
}

/// A compiler or linker that did not make what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFailure {
    /// How it ended and what it said. It may claim success and have made nothing.
    pub output: Output,
    /// Whether an object was to become a program.
    pub is_of_linker: bool,
}

/// What a compiler made of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFile {
    pub bytes: Vec<u8>,
    pub wall: Duration,
    pub cpu: Duration,
    /// Bytes of memory that the compiler had at most.
    pub peak: u64,
}

impl Outcome {
    /// What the program did; nothing if it was not built.
    pub fn behaviours(&self) -> &[Behaviour] {
        match self {
            Outcome::Ran(actual) => actual,
            Outcome::Failed(_) => &[],
        }
    }

    /// Whether the machine was too busy to tell whether the compiler or the program ends.
    pub(crate) fn is_starved(&self) -> bool {
        match self {
            Outcome::Ran(actual) => actual.iter().any(|run| run.ending == Ending::Starved),
            Outcome::Failed(failure) => failure.output.ending == Ending::Starved,
        }
    }

    /// What a compiler that failed said.
    pub fn message(&self) -> &[u8] {
        match self {
            Outcome::Ran(_) => b"",
            Outcome::Failed(failure) => &failure.output.stderr,
        }
    }
}

impl BuildFailure {
    /// Whether the compiler claims to have succeeded, as `true` does, which is none.
    pub(crate) fn claims_success(&self) -> bool {
        self.output.ending.is_success()
    }

    /// The line that says what was wrong, or how the compiler ended.
    pub(crate) fn words(&self) -> String {
        let text = String::from_utf8_lossy(&self.output.stderr);
        match error_line(&text) {
            Some(line) => line.trim().to_owned(),
            None => {
                let who = if self.is_of_linker {
                    "linker"
                } else {
                    "compiler"
                };
                format!("the {who} failed: {}", self.output.ending)
            }
        }
    }

    /// The failure of a compiler that we rely on.
    ///
    /// # Errors
    /// [`ToolMissing`] if it claims success: then it is not a compiler.
    pub(crate) fn of_trusted(self, compiler: &Compiler) -> Result<BuildFailure, ToolMissing> {
        if self.claims_success() {
            return Err(ToolMissing {
                what: format!("{} reports success and has made no program", compiler.name),
                remedy: "look whether it is a compiler, or name another".into(),
            });
        }
        Ok(self)
    }
}
