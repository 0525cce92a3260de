//! The exit codes of the program.

use crate::error::{Disagreement, SeedRefused, Stopped, ToolMissing};
use crate::hunt::campaign::totals::Totals;
use crate::hunt::finding::StandingKind;
use std::io;
use std::process;

/// Every exit code of the program, with its meaning in [`ExitCode::TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    Done = 0,
    Usage = 1,
    Findings = 2,
    SeedRefused = 3,
    ToolMissing = 4,
    Unchecked = 5,
    PossibleAliasing = 6,
    OurBug = 70,
    Interrupted = 130,
}

impl ExitCode {
    /// For the help text and the documentation.
    pub const TABLE: &[(ExitCode, &str)] = &[
        (ExitCode::Done, "done, nothing found"),
        (
            ExitCode::Usage,
            "wrong usage, or a file or directory cannot be written",
        ),
        (ExitCode::Findings, "findings: a compiler is wrong"),
        (ExitCode::SeedRefused, "a seed was refused"),
        (
            ExitCode::ToolMissing,
            "a needed compiler or library is missing or broken",
        ),
        (
            ExitCode::Unchecked,
            "no findings, but failures that could not be checked",
        ),
        (
            ExitCode::PossibleAliasing,
            "no findings, but failures that may be aliasing violations of the program",
        ),
        (ExitCode::OurBug, "a bug in mestra"),
        (ExitCode::Interrupted, "interrupted"),
    ];

    /// The code for what a campaign has come to.
    pub(crate) fn of_totals(totals: &Totals) -> ExitCode {
        if totals.found() > 0 {
            ExitCode::Findings
        } else {
            ExitCode::without_findings(totals)
        }
    }

    /// The same where findings do not count, for instance because all are known.
    pub(crate) fn without_findings(totals: &Totals) -> ExitCode {
        if totals.of_standing(StandingKind::Unchecked) > 0 {
            ExitCode::Unchecked
        } else if totals.of_standing(StandingKind::PossibleAliasing) > 0 {
            ExitCode::PossibleAliasing
        } else if totals.tested_nothing() {
            ExitCode::SeedRefused
        } else {
            ExitCode::Done
        }
    }

    /// The code for a command that failed.
    pub(crate) fn of_error(error: &anyhow::Error) -> ExitCode {
        if error.is::<SeedRefused>() || error.is::<Disagreement>() {
            ExitCode::SeedRefused
        } else if error.downcast_ref::<ToolMissing>().is_some() {
            ExitCode::ToolMissing
        } else if error.chain().any(is_stop) {
            ExitCode::Interrupted
        } else {
            ExitCode::Usage
        }
    }
}

/// Whether it failed only because all work was to stop immediately.
fn is_stop(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
        .is_some_and(|inner| inner.is::<Stopped>())
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> process::ExitCode {
        process::ExitCode::from(code as u8)
    }
}
