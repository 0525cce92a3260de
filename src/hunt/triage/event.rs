//! What happens while findings are reduced, for whoever wants to show it.

use crate::hunt::finding::Reduced;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::reduce::PassDone;
use crate::variant::observer::Observer;
use anyhow::Result;
use std::path::PathBuf;
use std::time::Duration;

/// Something that has happened in the work on a finding.
#[derive(Debug)]
pub enum ReductionEvent {
    /// Before the first of so many findings, with the time that there is for all.
    Planned {
        findings: usize,
        limit: Option<Duration>,
    },
    Began {
        directory: PathBuf,
        verdict: Verdict,
    },
    /// Flags that dice chose and the failure does not need were dropped; these are left.
    FewerFlags {
        left: Vec<String>,
    },
    /// Mutations that the failure does not need were dropped.
    Shrunk {
        left: usize,
        before: usize,
        tests: usize,
    },
    /// A seed of our own was made small as a tree.
    ShrunkAsTree {
        lines: usize,
        tests: usize,
    },
    /// Nothing can be proved about the seed, so mutations stay as they are.
    NotSimplified {
        reason: String,
    },
    /// A pass of our own reducer made the text smaller.
    Pass(PassDone),
    /// The small text failed only because of short time limits.
    Retrying,
    /// Even with longer limits the small text does not fail every time.
    Unstable,
    CviseFailed {
        complaint: String,
    },
    CviseDone {
        lines: usize,
    },
    /// The pass or flag at fault is known.
    Located {
        pass: String,
    },
    Done {
        directory: PathBuf,
        reduced: Box<Reduced>,
    },
    /// The finding does not fail any more; the script shows that.
    NotReproduced {
        directory: PathBuf,
        script: String,
    },
    /// The finding cannot be worked on.
    Failed {
        directory: PathBuf,
        error: anyhow::Error,
    },
    /// Nothing more is done.
    Ended,
}

/// Passes on what our own reducer tells.
#[derive(Debug)]
pub(super) struct Passes<'o>(pub(super) &'o dyn Observer<ReductionEvent>);

impl Observer<PassDone> for Passes<'_> {
    fn observe(&self, pass: &PassDone) -> Result<()> {
        self.0.observe(&ReductionEvent::Pass(pass.clone()))
    }
}
