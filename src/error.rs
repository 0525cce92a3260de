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
    pub fn new(path: impl Into<PathBuf>, reason: impl Into<String>) -> SeedRefused {
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
