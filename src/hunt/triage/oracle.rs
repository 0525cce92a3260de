//! The interestingness test: a text fails as the finding does, and it is a program with
//! well-defined behaviour.

use super::case::{Case, SHORT_RUN};
use super::script;
use crate::hunt::reduce::Test;
use crate::hunt::verify::Soundness;
use crate::lab::{Expectation, Patience, Stage};
use anyhow::Result;
use std::time::Duration;

/// Decides whether texts show the finding of a case.
#[derive(Debug)]
pub(crate) struct Oracle<'c> {
    case: &'c Case,
    stage: &'c Stage<'c>,
    sound: Soundness<'c>,
    patience: Patience,
}

impl<'c> Oracle<'c> {
    /// `start` is a text that fails and should behave as the finding expects.
    pub(crate) fn new(case: &'c Case, stage: &'c Stage<'c>, start: &[u8]) -> Result<Oracle<'c>> {
        let timeout = SHORT_RUN.min(case.finding.patience.run);
        let oracle = Oracle::with(case, stage, start, case.patience(), timeout)?;
        // A slow program needs the full limits.
        match oracle.witnesses() {
            0 => Oracle::patient(case, stage, start),
            _ => Ok(oracle),
        }
    }

    /// The same, with the limits of the campaign.
    pub(crate) fn patient(
        case: &'c Case,
        stage: &'c Stage<'c>,
        start: &[u8],
    ) -> Result<Oracle<'c>> {
        let patience = case.finding.patience;
        Oracle::with(case, stage, start, patience, patience.run)
    }

    fn with(
        case: &'c Case,
        stage: &'c Stage<'c>,
        start: &[u8],
        patience: Patience,
        timeout: Duration,
    ) -> Result<Oracle<'c>> {
        let (lab, clang, seed) = (&case.lab, &case.clang, &case.seed);
        let expected = case.finding.expectation();
        Ok(Oracle {
            case,
            stage,
            sound: Soundness::new(lab, clang, seed, start, &expected, timeout)?,
            patience,
        })
    }

    /// How many compilers build a start that behaves as expected.
    pub(crate) fn witnesses(&self) -> usize {
        self.sound.witnesses()
    }

    /// Whether a text passes the whole test.
    pub(crate) fn accepts(&self, text: &[u8]) -> Result<bool> {
        Ok(self.seems(text)? && self.holds(text)?)
    }

    /// What a text should do, for a failure that shows when it runs.
    pub(crate) fn behaviour(&self, text: &[u8]) -> Result<Option<Expectation>> {
        if self.is_of_a_run() {
            self.sound.glance(text)
        } else {
            Ok(None)
        }
    }

    /// The test as a script, for what this text becomes in a file of this name.
    pub(crate) fn script(&self, text: &[u8], name: &str) -> String {
        script::interestingness(self.case, self.patience, &self.sound, text, name)
    }

    fn is_of_a_run(&self) -> bool {
        self.case.finding.verdict.kind.is_of_a_run()
    }
}

impl Test for Oracle<'_> {
    fn seems(&self, text: &[u8]) -> Result<bool> {
        let (case, config) = (self.case, &self.case.finding.config);
        if !self.is_of_a_run() {
            let expected = Expectation::nothing();
            let fails = || case.fails(self.stage, config, self.patience, text, &expected);
            return Ok(self.sound.is_c(text) && fails()?);
        }
        match self.sound.glance(text)? {
            Some(expected) => case.fails(self.stage, config, self.patience, text, &expected),
            None => Ok(false),
        }
    }

    fn holds(&self, text: &[u8]) -> Result<bool> {
        if !self.is_of_a_run() {
            return self.sound.compiles(text);
        }
        match self.sound.glance(text)? {
            Some(expected) => self.sound.confirms(text, &expected),
            None => Ok(false),
        }
    }
}
