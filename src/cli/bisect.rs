//! `mestra bisect`: the commit that brought a defect.

use super::{print, signals};
use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::BisectCommand;
use crate::hunt::bisect::{History, Revision, TriedRevision, bisect};
use crate::lab::printable::printable;
use crate::lab::{Lab, process};
use crate::variant::observer::Observer;
use anyhow::Result;

/// Tells of each revision.
#[derive(Debug)]
struct BisectScreen;

impl Observer<TriedRevision> for BisectScreen {
    fn observe(&self, tried: &TriedRevision) -> Result<()> {
        let word = match tried.revision {
            Revision::Good => "good",
            Revision::Bad => "bad",
            Revision::Untestable => "cannot be tested",
        };
        let (commit, left) = (&tried.commit, tried.left);
        let why = tried.problem.as_ref();
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        say(&format!("{commit:.12} {word}{why}, {left} left"));
        Ok(())
    }
}

pub(super) fn find_commit(options: &BisectCommand) -> Result<ExitCode> {
    process::settle_stacks();
    signals::stop_at_once()?;
    let history = History {
        git: options.git.clone(),
        build: options.build.clone(),
        compiler: options.compiler.clone(),
        good: options.good.clone(),
        bad: options.bad.clone(),
    };
    let culprit = bisect(&Lab::default(), &options.finding, &history, &BisectScreen)?;
    print(|out| {
        let subject = printable(&culprit.subject);
        writeln!(out, "first bad commit: {} {subject}", culprit.commit)?;
        for commit in &culprit.untestable {
            writeln!(out, "or one that could not be tested: {commit}")?;
        }
        Ok(())
    })?;
    Ok(ExitCode::Done)
}
