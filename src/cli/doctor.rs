//! `mestra doctor`: what is installed, and what is missing for what.

use super::print;
use crate::cli::exit_code::ExitCode;
use crate::hunt::doctor::checkups;
use crate::lab::printable::printable;
use crate::lab::{Lab, process};
use anyhow::Result;

pub(super) fn doctor() -> Result<ExitCode> {
    process::confine_programs();
    let all = checkups(&Lab::default())?;
    print(|out| {
        for checkup in &all {
            let (what, used_for) = (&checkup.what, checkup.used_for);
            match &checkup.found {
                Some(found) => writeln!(out, "ok       {what}: {}", printable(found))?,
                None => {
                    let how = if checkup.is_needed {
                        "MISSING "
                    } else {
                        "optional"
                    };
                    let remedy = checkup.remedy;
                    writeln!(out, "{how} {what}: for {used_for}; install {remedy}")?;
                }
            }
        }
        Ok(())
    })?;
    let mut needed = all.iter().filter(|checkup| checkup.is_needed);
    Ok(if needed.any(|checkup| checkup.found.is_none()) {
        ExitCode::ToolMissing
    } else {
        ExitCode::Done
    })
}
