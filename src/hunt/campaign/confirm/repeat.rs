//! Whether a failure is seen again each time that it is tried.
//!
//! A program whose output is known in advance may fail in another way each time: one that was
//! compiled wrongly may read whatever is in memory. Of others, the same failure is wanted.

use super::super::judge::Judge;
use super::{Conclusion, Suspicion};
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Confirmation, Doubt, Unchecked};
use crate::lab::Outcome;
use crate::lab::process::Purpose;
use anyhow::Result;

/// How often a failure is seen again before it is believed. A compiler that fails
/// now and then, half of the time, passes for one that always does once in 2^7.
const REPEATS: usize = 5;

impl Suspicion<'_> {
    /// Repeats the trial; alone and with more time where a busy machine may be the cause.
    pub(super) fn repeat(&self, done: &mut Vec<Confirmation>) -> Result<Option<Conclusion>> {
        let judge = Judge {
            purpose: Some(Purpose::Confirm),
            ..self.judge
        };
        let patient = Judge {
            is_alone: true,
            patience: judge.patience.doubled(),
            ..judge
        };
        let may_be_pressure = self.verdict.kind.may_be_pressure();
        let mut is_patient = may_be_pressure;
        let mut times = 1;
        while times <= REPEATS {
            let judge = if is_patient { patient } else { judge };
            let again = judge.trial(self.text)?;
            if again.is_starved() {
                return Ok(Some(Conclusion::Unchecked(Unchecked::BusyMachine)));
            }
            let verdict = judge.verdict(&again, self.expected);
            let is_late = verdict.kind.may_be_pressure();
            if is_late && !is_patient && self.may_fail_as(&verdict) {
                // That it hangs now says as little as a first hang.
                is_patient = true;
                continue;
            }
            if !self.is_seen_in(&again, &verdict) {
                let doubt = if may_be_pressure {
                    Doubt::OnlyUnderLoad { verdict }
                } else {
                    Doubt::NotReproduced { verdict }
                };
                return Ok(Some(doubt.into()));
            }
            if is_late {
                done.push(Confirmation::RepeatedAlone);
                return Ok(None);
            }
            is_patient = false;
            times += 1;
        }
        done.push(Confirmation::Repeated { times });
        Ok(None)
    }

    /// Whether a trial shows the failure again.
    fn is_seen_in(&self, again: &Outcome, verdict: &Verdict) -> bool {
        // A program that was stopped has printed more or less; one that was compiled wrongly may
        // print whatever is in memory, but one that was predicted prints one thing only if it is
        // right.
        let may_vary = verdict.kind.may_be_pressure() || self.expected.is_predicted();
        self.may_fail_as(verdict) && (may_vary || again.behaviours() == self.outcome.behaviours())
    }

    /// Whether a trial that ends in this way is the same failure. Whatever is in memory may also
    /// make a program crash or never end.
    fn may_fail_as(&self, verdict: &Verdict) -> bool {
        let is_wrong_run = |verdict: &Verdict| {
            verdict.kind.is_of_a_run() && verdict.kind != VerdictKind::WrongAccesses
        };
        let may_change = self.expected.is_predicted() && is_wrong_run(self.verdict);
        *verdict == *self.verdict || may_change && is_wrong_run(verdict)
    }
}
