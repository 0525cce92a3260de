//! What verdict a text gets: it is compiled and run by one config in the place of a
//! seed, and what it does is compared with what it should do.
//!
//! Nothing is confirmed here.

use super::crash;
use crate::hunt::finding::Finding;
use crate::hunt::finding::verdict::Verdict;
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Config, Runner};
use crate::lab::{Expectation, Lab, Outcome, Patience, Stage, Way, accesses};
use anyhow::Result;

/// One config at work on texts that take a seed's place.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    pub lab: &'a Lab,
    pub config: &'a Config,
    pub stage: &'a Stage<'a>,
    pub patience: Patience,
    /// Counts all CPU time under one heading instead of compile, link and run.
    pub purpose: Option<Purpose>,
    /// Lets no other child of ours run meanwhile.
    pub is_alone: bool,
}

/// What to say of an outcome, given what the program should do.
pub fn verdict(outcome: &Outcome, expected: &Expectation, runner: &Runner) -> Verdict {
    match outcome {
        Outcome::Ran(actual) => Verdict::of_runs(expected, actual, runner),
        Outcome::Failed(failure) => crash::of_failure(failure),
    }
}

impl<'a> Judge<'a> {
    /// Whoever asks what verdict a text gets under a finding's config; the stage is
    /// that of [`Finding::seed`].
    pub fn of_finding(lab: &'a Lab, finding: &'a Finding, stage: &'a Stage<'a>) -> Judge<'a> {
        Judge {
            lab,
            config: &finding.config,
            stage,
            patience: finding.patience,
            purpose: None,
            is_alone: false,
        }
    }
}

impl Judge<'_> {
    /// How the config builds and runs programs.
    pub(crate) fn way(&self) -> Way {
        Way {
            purpose: self.purpose,
            is_alone: self.is_alone,
            ..Way::of(self.config, self.patience)
        }
    }

    /// Builds a text, as two files if the config says so, and runs it on every input.
    pub(crate) fn trial(&self, text: &[u8]) -> Result<Outcome> {
        let both = self.config.both_files(text);
        let text = both.as_deref().unwrap_or(text);
        self.lab.trial(self.stage, text, &self.way())
    }

    /// What to say of an outcome, given what the text should do.
    pub(crate) fn verdict(&self, outcome: &Outcome, expected: &Expectation) -> Verdict {
        match outcome {
            Outcome::Ran(actual) if self.config.records_accesses() => {
                Verdict::of_accesses(expected, actual, &self.config.runner)
            }
            _ => verdict(outcome, expected, &self.config.runner),
        }
    }

    /// What a text does, and how it accesses its volatile variables; `None` if not all of that
    /// is recorded, or it does not do what it should.
    pub(crate) fn recorded(
        &self,
        text: &[u8],
        expected: &Expectation,
    ) -> Result<Option<Expectation>> {
        let outcome = self.trial(text)?;
        let seen = outcome.behaviours();
        let is_good = matches!(outcome, Outcome::Ran(_))
            && accesses::are_recorded(seen)
            && self.verdict(&outcome, expected).is_same();
        Ok(is_good.then(|| expected.seen_as(seen.to_vec())))
    }

    /// Both together, for those who want nothing else.
    pub fn judge(&self, text: &[u8], expected: &Expectation) -> Result<Verdict> {
        Ok(self.verdict(&self.trial(text)?, expected))
    }
}
