//! A reduced finding: its small program, and where the fault lies.

use super::{Finding, Located};
use crate::lab::format;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The directory of a finding's reduction.
pub const REDUCED: &str = "reduced";

/// The names of its files.
pub mod reduced_file {
    pub(crate) const REDUCTION: &str = "reduction.json";
    pub(crate) const PROGRAM: &str = "reduced.c";
    pub(crate) const SHRUNK: &str = "shrunk.c";
    pub(crate) const RECORD: &str = "shrunk.json";
    pub(crate) const TEST: &str = "interesting.sh";
    pub(crate) const REPRO: &str = "repro.sh";
    pub(crate) const REPORT: &str = "report.md";
    pub(crate) const FILING: &str = "filing.txt";
}

/// The version of `reduction.json`; changes when older files can no longer be read.
const FORMAT: u32 = 1;

/// The reduction of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduced {
    /// The finding as the small program shows it.
    pub finding: Finding,
    /// Present if it was of a variant.
    pub shrunk: Option<ShrunkSummary>,
    /// Present if dice chose flags of its config.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<FlagsSummary>,
    /// The program that was found, and the small one: lines as they are in the files, and
    /// tokens. What came from headers counts only where it is written out.
    pub lines_before: usize,
    pub lines: usize,
    #[serde(default)]
    pub tokens_before: usize,
    #[serde(default)]
    pub tokens: usize,
    /// How many texts were tested by our own reducer.
    pub tests: usize,
    /// Whether nothing more could be removed.
    pub is_finished: bool,
    /// Whether the user interrupted it.
    #[serde(default)]
    pub is_interrupted: bool,
    /// Whether C-Vise made it smaller.
    pub by_cvise: bool,
    pub located: Located,
    /// What the compiler says of its own build, which trackers ask for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub build: String,
}

/// The mutations that a failure needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShrunkSummary {
    pub before: usize,
    pub after: usize,
    /// How many of each kind are left.
    pub kinds: BTreeMap<String, usize>,
    pub tests: usize,
}

/// The flags that a failure needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagsSummary {
    /// Those that dice chose, the level first.
    pub before: Vec<String>,
    /// Those of them that are left, with the lowest level.
    pub after: Vec<String>,
    pub tests: usize,
}

impl Reduced {
    /// Reads the reduction of a finding, if there is one.
    pub fn read(directory: &Path) -> Result<Option<Reduced>> {
        let path = directory.join(REDUCED).join(reduced_file::REDUCTION);
        if !path.is_file() {
            return Ok(None);
        }
        format::read(&path, FORMAT, "a reduction").map(Some)
    }

    /// Whether it has fewer tokens than what was found. What headers declare is written out
    /// before anything is removed, so at first it may have more.
    pub(crate) fn is_smaller(&self) -> bool {
        self.tokens < self.tokens_before
    }

    /// The content of `reduction.json`.
    pub(crate) fn to_json(&self) -> Result<Vec<u8>> {
        format::to_json(self, FORMAT)
    }
}
