//! The reduction of findings on the screen: lines for people, or what became of each
//! finding as JSON.

use crate::cli::exit_code::ExitCode;
use crate::cli::print;
use crate::hunt::finding::{REDUCED, Reduced, file, reduced_file};
use crate::hunt::reduce::PassDone;
use crate::hunt::triage::ReductionEvent;
use crate::lab::printable::printable;
use crate::lab::words::plural;
use crate::variant::observer::Observer;
use anyhow::Result;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct ReductionScreen {
    is_json: bool,
}

impl ReductionScreen {
    pub(crate) fn new(is_json: bool) -> ReductionScreen {
        ReductionScreen { is_json }
    }
}

impl Observer<ReductionEvent> for ReductionScreen {
    fn observe(&self, event: &ReductionEvent) -> Result<()> {
        match event {
            ReductionEvent::Done { directory, reduced } => print(|out| {
                if self.is_json {
                    writeln!(out, "{}", serde_json::to_string(reduced)?)
                } else {
                    writeln!(out, "{}", printable(&outcome(directory, reduced)))
                }
            }),
            ReductionEvent::NotReproduced { directory, script } => {
                eprintln!(
                    "mestra: {}: the failure is not reproducible any more; to check, run {} by hand:\n\n\
                     {script}",
                    directory.display(),
                    directory.join(file::REPRO).display(),
                );
                Ok(())
            }
            ReductionEvent::Failed { directory, error } => {
                if ExitCode::of_error(error) != ExitCode::Interrupted {
                    let error = format!("{error:#}");
                    eprintln!("mestra: {}: {}", directory.display(), printable(&error));
                }
                Ok(())
            }
            progress => {
                if let Some(line) = as_text(progress).filter(|_| !self.is_json) {
                    // Whoever stops reading loses nothing that matters, and the result
                    // is written all the same.
                    let _ = print(|out| writeln!(out, "{line}"));
                }
                Ok(())
            }
        }
    }
}

fn as_text(event: &ReductionEvent) -> Option<String> {
    Some(match event {
        ReductionEvent::Began { directory, verdict } => {
            format!("{}: {verdict}", directory.display())
        }
        ReductionEvent::FewerFlags { left } => format!("  flags that matter: {}", left.join(" ")),
        ReductionEvent::Shrunk {
            left,
            before,
            tests,
        } => {
            let (before, tests) = (plural(*before, "mutation"), plural(*tests, "test"));
            format!("  {left} of {before} left after {tests}")
        }
        ReductionEvent::NotSimplified { reason } => {
            format!("  mutations are not simplified: the seed {reason}")
        }
        ReductionEvent::Pass(PassDone {
            pass,
            lines,
            tokens,
            tests,
        }) => format!(
            "  {}, {} after {} ({pass})",
            plural(*lines, "line"),
            plural(*tokens, "token"),
            plural(*tests, "test")
        ),
        ReductionEvent::Retrying => {
            "  the failure was only a timeout; retrying with longer limits".into()
        }
        ReductionEvent::Unstable => {
            "  the small program does not fail every time; keeping the original".into()
        }
        ReductionEvent::CviseFailed { complaint } => format!("  C-Vise failed: {complaint}"),
        ReductionEvent::CviseDone { lines } => format!("  {} (C-Vise)", plural(*lines, "line")),
        ReductionEvent::Located { pass } => format!("  located: {pass}"),
        ReductionEvent::Done { .. }
        | ReductionEvent::NotReproduced { .. }
        | ReductionEvent::Failed { .. } => return None,
    })
}

fn outcome(directory: &Path, reduced: &Reduced) -> String {
    let report = directory.join(REDUCED).join(reduced_file::REPORT);
    let ending = match (reduced.is_finished, reduced.is_interrupted) {
        (true, false) => "",
        (false, false) => " before time was up",
        (_, true) => " before the interrupt",
    };
    let before = plural(reduced.lines_before, "line");
    format!(
        "  {before} reduced to {}{ending}: {}",
        reduced.lines,
        report.display()
    )
}
