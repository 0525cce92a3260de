//! The failures that callers tell apart; everything else is an `anyhow::Error`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A compiler or library that Mestra cannot work without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolMissing {
    pub what: String,
    pub remedy: String,
}

impl fmt::Display for ToolMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

impl std::error::Error for ToolMissing {}

/// The machine gave a compiler or a program so little time that nothing can be said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MachineBusy;

impl fmt::Display for MachineBusy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the machine is too busy")
    }
}

impl std::error::Error for MachineBusy {}

/// A seed that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRefused {
    pub path: PathBuf,
    pub reason: Refusal,
}

/// Why a seed cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A file that is its standard input cannot be read.
    MissingInput {
        file: String,
    },
    /// It is still running after this time.
    DoesNotEnd {
        limit: Duration,
    },
    PrintsTooMuch,
    StartsTooManyProcesses,
    ChangesFromRunToRun,
    /// It does something else when what it does is recorded.
    ChangesWhenObserved {
        compiler: String,
    },
    /// Two compilers make it do different things.
    CompilersDisagree {
        one: String,
        other: String,
        /// Where they differ, in words.
        place: String,
    },
    /// A compiler fails on it, in these words.
    CannotCompile {
        compiler: String,
        words: String,
    },
    /// In the words of whoever reads, parses or generates it.
    Other(String),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Refusal {
        Refusal::Other(reason)
    }
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Refusal {
        Refusal::Other(reason.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::MissingInput { file } => write!(f, "its input {file} cannot be read"),
            Refusal::DoesNotEnd { limit } => {
                write!(f, "does not end within {} s", limit.as_secs_f64())
            }
            Refusal::PrintsTooMuch => f.write_str("prints too much"),
            Refusal::StartsTooManyProcesses => f.write_str("starts too many processes"),
            Refusal::ChangesFromRunToRun => f.write_str("behaves differently from run to run"),
            Refusal::CannotCompile { compiler, words } => {
                write!(f, "{compiler} cannot compile it: {words}")
            }
            Refusal::ChangesWhenObserved { compiler } => {
                write!(f, "behaves differently when it is observed ({compiler})")
            }
            Refusal::CompilersDisagree { one, other, place } => {
                write!(f, "{one} and {other} disagree on what it does: {place}")
            }
            Refusal::Other(reason) => f.write_str(reason),
        }
    }
}

impl SeedRefused {
    pub(crate) fn new(path: impl Into<PathBuf>, reason: impl Into<Refusal>) -> SeedRefused {
        SeedRefused {
            path: path.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for SeedRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for SeedRefused {}

/// Trusted compilers make a seed do different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub path: PathBuf,
    /// The two builds that differ.
    pub builds: [String; 2],
    /// Where they do, in words.
    pub place: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, [one, other], place) = (self.path.display(), &self.builds, &self.place);
        write!(
            f,
            "{path}: {one} and {other} disagree on what it does: {place}"
        )
    }
}

impl std::error::Error for Disagreement {}

/// A child was ended because all work is to stop immediately.
#[derive(Debug)]
pub(crate) struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}
