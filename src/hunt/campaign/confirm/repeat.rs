//! Whether a failure is seen again each time that it is tried.
//!
//! A program whose output is known in advance may fail in another way each time: one that was
//! compiled wrongly may read whatever is in memory. Of others, the same failure is wanted: one that
//! is wrong each time in another way is kept as unchecked.

use super::super::crash;
use super::super::judge::Judge;
use super::{Conclusion, Suspicion};
use crate::error::MachineBusy;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Confirmation, Doubt, Unchecked};
use crate::lab::Outcome;
use crate::lab::process::Purpose;
use crate::lab::toolchain::Runner;
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
        let mut is_alike = true;
        while times <= REPEATS {
            let judge = if is_patient { patient } else { judge };
            let again = judge.trial(self.text)?;
            if again.is_starved() {
                return Err(MachineBusy.into());
            }
            if let Outcome::Failed(failure) = &again
                && crash::lacked_room(failure)
            {
                return Ok(Some(Conclusion::Unchecked(Unchecked::NoRoom)));
            }
            let verdict = judge.verdict(&again, self.expected);
            let is_late = verdict.kind.may_be_pressure();
            if is_late && !is_patient && self.may_fail_as(&verdict) {
                // That it hangs now says as little as a first hang.
                is_patient = true;
                continue;
            }
            if !self.may_fail_as(&verdict) {
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
            // One that was compiled wrongly may print whatever is in memory; one that was
            // predicted prints one thing only if it is right.
            is_alike &= self.expected.is_predicted() || self.is_alike(&again);
            is_patient = false;
            times += 1;
        }
        if !is_alike {
            return Ok(Some(Conclusion::Unchecked(Unchecked::WrongAnew)));
        }
        done.push(Confirmation::Repeated { times });
        Ok(None)
    }

    /// Whether programs did the same. What else a sanitizer, an emulator or a compiler that runs
    /// programs writes on standard error holds addresses, which change from run to run.
    fn is_alike(&self, again: &Outcome) -> bool {
        let judge = &self.judge;
        let has_errors = judge.config.runner == Runner::Direct && !judge.way().is_sanitized();
        let pairs = again.behaviours().iter().zip(self.outcome.behaviours());
        again.behaviours().len() == self.outcome.behaviours().len()
            && pairs.into_iter().all(|(one, other)| {
                (one.ending, &one.stdout) == (other.ending, &other.stdout)
                    && (!has_errors || one.stderr == other.stderr)
            })
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
