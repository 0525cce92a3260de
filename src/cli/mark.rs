//! `mestra mark` and `mestra retest`: what became of defects.

use super::report::tell_damaged;
use super::{print, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{MarkCommand, RetestCommand};
use crate::hunt::defects::{RetestOutcome, mark};
use crate::hunt::retest::{self, RetestedDefect};
use crate::lab::printable::printable;
use crate::lab::toolchain::Compiler;
use crate::lab::{Lab, process};
use anyhow::Result;

pub(super) fn mark_defect(options: &MarkCommand) -> Result<ExitCode> {
    let defect = mark(&options.campaign, &options.bucket, &options.state.marked())?;
    let (name, marked) = (&defect.known_as.name, &defect.marked);
    print(|out| writeln!(out, "{name}: {marked} ({})", printable(&defect.title)))?;
    Ok(ExitCode::Done)
}

pub(super) fn retest(options: &RetestCommand) -> Result<ExitCode> {
    process::confine_programs();
    signals::stop_at_once()?;
    let compiler = Compiler::find(&options.compiler)?;
    let retested = retest::retest(&Lab::default(), &options.campaign, &compiler)?;
    tell_damaged(&retested.damaged);
    print(|out| {
        if options.json {
            return writeln!(out, "{}", serde_json::to_string(&retested)?);
        }
        for defect in &retested.defects {
            writeln!(out, "{}", printable(&shown(defect)))?;
        }
        let of = |outcome| {
            let defects = retested.defects.iter();
            defects.filter(|defect| defect.outcome == outcome).count()
        };
        writeln!(
            out,
            "{}: {} fixed, {} still failing, {} failing in another way, {} not built",
            retested.version,
            of(RetestOutcome::Fixed),
            of(RetestOutcome::StillFails),
            of(RetestOutcome::OtherFailure),
            of(RetestOutcome::CannotBuild)
        )
    })?;
    let worst = retested.defects.iter().map(|defect| defect.outcome).max();
    Ok(match worst {
        // What cannot be read was not tried.
        None | Some(RetestOutcome::Fixed) if !retested.damaged.is_empty() => ExitCode::Unchecked,
        None | Some(RetestOutcome::Fixed) => ExitCode::Done,
        Some(RetestOutcome::CannotBuild) => ExitCode::Unchecked,
        Some(RetestOutcome::OtherFailure | RetestOutcome::StillFails) => ExitCode::Findings,
    })
}

fn shown(defect: &RetestedDefect) -> String {
    let outcome = defect.outcome.words();
    let mut text = format!("{outcome}: {} [{}]", defect.title, defect.name);
    for finding in &defect.findings {
        text.push_str(&format!("\n  {}: {}", finding.id, finding.outcome.words()));
        if let Some(reason) = &finding.reason {
            text.push_str(&format!(" ({reason})"));
        }
    }
    text
}
