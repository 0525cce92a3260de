//! `mestra report`: a campaign's findings, for people and for programs.

use super::print;
use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ReportCommand;
use crate::hunt::bucket::DamagedFinding;
use crate::hunt::defects::Novelty;
use crate::hunt::report::{self, Figures};
use crate::lab::printable::printable;
use crate::lab::words::plural;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) fn report(options: &ReportCommand) -> Result<ExitCode> {
    // A campaign that does not exist is not made.
    let new = options.output.as_ref().filter(|output| !output.exists());
    if let Some(output) = &options.output {
        fs::create_dir_all(output)
            .with_context(|| format!("making the directory {}", output.display()))?;
    }
    let directory = options.output.as_ref().unwrap_or(&options.campaign);
    let figures = report::make(&options.campaign, &options.known, directory);
    let figures = figures.inspect_err(|_| {
        // Only if it is empty.
        new.map(fs::remove_dir);
    })?;
    if options.json {
        print(|out| writeln!(out, "{}", serde_json::to_string(&figures)?))?
    } else {
        show(&figures, directory)?
    }
    Ok(match figures.new_buckets().next() {
        // What cannot be read may be something that nobody knows.
        None if !figures.damaged.is_empty() => ExitCode::Unchecked,
        None => ExitCode::without_findings(&figures.totals),
        Some(_) => ExitCode::Findings,
    })
}

/// A line for each finding that is left out.
pub(super) fn tell_damaged(damaged: &[DamagedFinding]) {
    for DamagedFinding { id, reason } in damaged {
        say(&format!("skipped {}: {}", id, reason));
    }
}

/// A line for each bucket that is new, and where the page is.
pub(super) fn show(figures: &Figures, directory: &Path) -> Result<()> {
    tell_damaged(&figures.damaged);
    print(|out| {
        for bucket in figures.new_buckets() {
            let (count, smallest) = (bucket.findings.len(), &bucket.findings[0].id);
            let back = match bucket.novelty {
                Novelty::Back => "back again: ",
                Novelty::New | Novelty::Known => "",
            };
            let (title, name) = (printable(&bucket.title), &bucket.name);
            writeln!(out, "{count} × {back}{title} [{name}] (see {smallest})")?;
        }
        let page = directory.join(report::file::PAGE);
        writeln!(out, "{}: {}", counted(figures), page.display())
    })
}

/// How many buckets are new, and how many are something else.
fn counted(figures: &Figures) -> String {
    let of = |novelty| {
        let buckets = figures.buckets.iter();
        buckets.filter(|bucket| bucket.novelty == novelty).count()
    };
    let fixed = figures.unseen.iter().filter(|defect| defect.is_fixed);
    let fixed = fixed.count();
    let mut text = plural(of(Novelty::New), "new bucket");
    for (count, what) in [
        (of(Novelty::Back), "back"),
        (of(Novelty::Known), "known"),
        (fixed, "fixed"),
        (figures.unseen.len() - fixed, "not seen"),
        (figures.suspicions.len(), "to look at in suspicions/"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
