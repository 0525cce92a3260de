//! The failures that callers tell apart; everything else is an `anyhow::Error`.

use std::fmt;
use std::path::PathBuf;

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

/// A seed that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRefused {
    pub path: PathBuf,
    pub reason: String,
}

impl SeedRefused {
    pub(crate) fn new(path: impl Into<PathBuf>, reason: impl Into<String>) -> SeedRefused {
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
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, [one, other]) = (self.path.display(), &self.builds);
        write!(f, "{path}: {one} and {other} disagree on what it does")
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
