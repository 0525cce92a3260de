//! `mestra report`: a campaign's findings, for people and for programs.

use super::print;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ReportCommand;
use crate::hunt::report::{self, Figures};
use crate::lab::words::plural;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) fn report(options: &ReportCommand) -> Result<ExitCode> {
    let figures = Figures::read(&options.campaign, &options.known)?;
    let directory = options.output.as_ref().unwrap_or(&options.campaign);
    fs::create_dir_all(directory)
        .with_context(|| format!("making the directory {}", directory.display()))?;
    report::write(&figures, directory)?;
    if options.json {
        print(|out| writeln!(out, "{}", serde_json::to_string(&figures)?))?
    } else {
        show(&figures, directory)?
    }
    Ok(match figures.new_buckets().next() {
        None => ExitCode::without_findings(&figures.totals),
        Some(_) => ExitCode::Findings,
    })
}

/// A line for each bucket that is new, and where the page is.
pub(super) fn show(figures: &Figures, directory: &Path) -> Result<()> {
    print(|out| {
        for bucket in figures.new_buckets() {
            let smallest = &bucket.findings[0].id;
            writeln!(
                out,
                "{} × {} (see {smallest})",
                bucket.findings.len(),
                bucket.key
            )?;
        }
        let new = figures.new_buckets().count();
        let of_kind = plural(new, "new bucket");
        let known = match figures.buckets.len() - new {
            0 => String::new(),
            known => format!(", {known} known"),
        };
        let page = directory.join(report::file::PAGE);
        writeln!(out, "{of_kind}{known}: {}", page.display())
    })
}
