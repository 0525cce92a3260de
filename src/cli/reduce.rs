//! `mestra reduce`: from findings to small programs and reports.

use super::print;
use crate::exit_code::ExitCode;
use crate::options::ReduceCommand;
use crate::triage::{Case, REDUCED, Reduced, Settings, reduced_file, triage};
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Duration;

pub(super) fn reduce(options: &ReduceCommand) -> Result<ExitCode> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .context("starting threads")?;
    let mut seen = 0;
    for directory in &options.findings {
        let case = Case::open(directory)?;
        let settings = Settings {
            time: Duration::from_secs_f64(options.time),
            with_cvise: !options.no_cvise,
            should_stop: &|| false,
            tell: &|line| {
                if !options.json {
                    // What is lost if nobody reads it is no result.
                    let _ = print(|out| writeln!(out, "{line}"));
                }
            },
        };
        (settings.tell)(&format!(
            "{}: {}",
            directory.display(),
            case.finding.verdict
        ));
        match pool.install(|| triage(&case, &settings))? {
            Ok(reduced) => {
                seen += 1;
                show(options, directory, &reduced)?;
            }
            Err(unseen) => {
                eprintln!(
                    "mestra: {}: the failure is not seen any more; this script shows it, or not:\n{}",
                    directory.display(),
                    unseen.script
                );
            }
        }
    }
    Ok(match seen {
        0 => ExitCode::Done,
        _ => ExitCode::Findings,
    })
}

fn show(options: &ReduceCommand, directory: &Path, reduced: &Reduced) -> Result<()> {
    let report = directory.join(REDUCED).join(reduced_file::REPORT);
    print(|out| match options.json {
        true => writeln!(out, "{}", serde_json::to_string(reduced)?),
        false => writeln!(
            out,
            "  {} lines became {}: {}",
            reduced.lines_before,
            reduced.lines,
            report.display()
        ),
    })
}
