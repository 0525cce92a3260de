//! The reduction of findings on the screen. Of one finding, every step is told; of several
//! at a time only what became of each, with a bar below. Or events as JSON.

use super::json;
use crate::cli::console::Progress;
use crate::cli::exit_code::ExitCode;
use crate::hunt::finding::{REDUCED, Reduced, file, reduced_file};
use crate::hunt::reduce::PassDone;
use crate::hunt::triage::ReductionEvent;
use crate::lab::words::plural;
use crate::variant::observer::Observer;
use anyhow::Result;
use serde_json::json as object;
use std::path::Path;
use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct ReductionScreen {
    is_json: bool,
    /// Set before the first finding.
    shown: OnceLock<ShownWork>,
}

/// How what is done is shown.
#[derive(Debug)]
struct ShownWork {
    progress: Progress,
    is_single: bool,
}

impl ReductionScreen {
    pub(crate) fn new(is_json: bool) -> ReductionScreen {
        ReductionScreen {
            is_json,
            shown: OnceLock::new(),
        }
    }
}

impl Observer<ReductionEvent> for ReductionScreen {
    fn observe(&self, event: &ReductionEvent) -> Result<()> {
        if let ReductionEvent::Planned { findings, limit } = event {
            let total = Some(*findings as u64);
            self.shown.get_or_init(|| ShownWork {
                progress: Progress::of_phase("reducing", "findings", total, *limit),
                is_single: *findings <= 1,
            });
        }
        let Some(ShownWork {
            progress,
            is_single,
        }) = self.shown.get()
        else {
            return Ok(());
        };
        match event {
            ReductionEvent::Done { directory, reduced } => {
                progress.advance();
                if self.is_json {
                    let id = &reduced.finding.id;
                    let data = object!({"id": id, "directory": directory, "reduction": reduced});
                    progress.data(&json::line("reduced", data))?;
                } else {
                    progress.line(&outcome(directory, reduced))?;
                }
            }
            ReductionEvent::NotReproduced { directory, script } => {
                progress.advance();
                progress.complain(&format!(
                    "{}: the failure is not reproducible any more; to check, run {} by hand:\n\n\
                     {script}",
                    directory.display(),
                    directory.join(file::REPRO).display(),
                ));
            }
            ReductionEvent::Failed { directory, error } => {
                progress.advance();
                if ExitCode::of_error(error) != ExitCode::Interrupted {
                    progress.complain(&format!("{}: {error:#}", directory.display()));
                }
            }
            ReductionEvent::Ended => progress.finish(),
            other => {
                if let Some(line) = as_text(other).filter(|_| !self.is_json) {
                    progress.message(&line);
                    if *is_single {
                        // Whoever stops reading loses nothing that matters, and the
                        // result is written all the same.
                        let _ = progress.line(&line);
                    }
                }
            }
        }
        Ok(())
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
        ReductionEvent::ShrunkAsTree { lines, tests } => {
            let (lines, tests) = (plural(*lines, "line"), plural(*tests, "test"));
            format!("  {lines} after {tests} (as a tree)")
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
        ReductionEvent::Planned { .. }
        | ReductionEvent::Done { .. }
        | ReductionEvent::NotReproduced { .. }
        | ReductionEvent::Failed { .. }
        | ReductionEvent::Ended => return None,
    })
}

fn outcome(directory: &Path, reduced: &Reduced) -> String {
    let report = directory.join(REDUCED).join(reduced_file::REPORT);
    let ending = match (reduced.is_finished, reduced.is_interrupted) {
        (true, false) => "",
        (false, false) => " before time was up",
        (_, true) => " before the interrupt",
    };
    let lines = plural(reduced.lines, "line");
    let report = report.display();
    if reduced.is_smaller() {
        let before = plural(reduced.tokens_before, "token");
        let after = reduced.tokens;
        format!("  {before} reduced to {after} in {lines}{ending}: {report}")
    } else {
        let tokens = plural(reduced.tokens, "token");
        format!("  not made smaller{ending}, {tokens} in {lines}: {report}")
    }
}
