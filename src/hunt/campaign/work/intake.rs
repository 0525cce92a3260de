//! Whether a seed can be used, and what it does.

use super::super::Campaign;
use super::super::aside::SetAside;
use super::super::crash;
use super::super::judge::Judge;
use super::super::seeds::Numbered;
use super::{Desk, Left};
use crate::hunt::verify::{Survey, Verifier};
use crate::lab::process::Purpose;
use crate::lab::{Expectation, Outcome, Patience, Stage};

impl Campaign<'_> {
    /// Determines what a seed does by running the lead's build twice.
    pub(super) fn desk<'a>(&'a self, numbered: &'a Numbered) -> Result<Desk<'a>, Left> {
        let stage = Stage::new(&numbered.seed)?;
        let patience = Patience {
            run: self.seed_timeout,
            ..self.patience
        };
        let judge = Judge {
            lab: &self.lab,
            config: &self.lead,
            stage: &stage,
            patience,
            purpose: Some(Purpose::Verify),
            is_alone: false,
        };
        if let Some(file) = stage.missing_input() {
            let file = file.to_string_lossy().into_owned();
            return Err(SetAside::MissingInput { file }.into());
        }
        let mut trials = Vec::new();
        for _ in 0..2 {
            match judge.trial(&numbered.seed.source)? {
                Outcome::Failed(failure) => {
                    let reason = SetAside::LeadFails {
                        config: self.lead.name.clone(),
                        verdict: crash::of_failure(&failure),
                    };
                    return Err(reason.into());
                }
                Outcome::Ran(expected) => {
                    if let Some(reason) = SetAside::of_runs(&expected, patience.run) {
                        return Err(reason.into());
                    }
                    trials.push(expected);
                }
            }
        }
        if trials[0] != trials[1] {
            return Err(SetAside::ChangesFromRunToRun.into());
        }
        Ok(Desk {
            campaign: self,
            numbered,
            stage,
            expected: Expectation::as_seed(trials.swap_remove(0)),
        })
    }
}

impl<'a> Desk<'a> {
    /// What trusted compilers and sanitizers make of the seed, if they have nothing
    /// against it.
    pub(super) fn verifier(&self) -> Result<Verifier<'a>, Left> {
        let campaign = self.campaign;
        let seed = &self.numbered.seed;
        let verifier = match Verifier::survey(self.lab(), seed, &[], campaign.seed_timeout)? {
            Survey::Agreed(verifier) => verifier,
            Survey::Split(split) => return Err(self.split(*split)?.into()),
        };
        match SetAside::of_sanitizers(verifier.notes()) {
            Some(reason) => Err(reason.into()),
            None => Ok(verifier),
        }
    }
}
