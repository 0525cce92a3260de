//! Questions asked of the seed where no rule is complete: does it do the same under the
//! accused config if something is done to it that does not change its meaning? If not, it
//! depends on something open, and so may its variants.

use super::super::judge::Judge;
use super::open::NO_BUILTIN;
use super::{Conclusion, Suspicion};
use crate::hunt::finding::{Confirmation, Doubt};
use crate::lab::process::Purpose;
use crate::lab::{NO_CONTRACTION, Outcome};
use crate::source::neutral::NeutralChange;
use crate::variant::mutate::Source;
use anyhow::Result;

/// Flags that say how often results are rounded and who answers calls of the library. None
/// of them switches an optimisation off that must not change what a program does.
const FLAGS: [&str; 3] = [NO_CONTRACTION, "-fexcess-precision=standard", NO_BUILTIN];

impl Suspicion<'_> {
    pub(super) fn seed_is_steady(
        &self,
        source: &Source,
        done: &mut Vec<Confirmation>,
    ) -> Result<Option<Conclusion>> {
        let mut flags = Vec::new();
        let asked = FLAGS.iter().filter(|_| self.knows_flags());
        for flag in asked {
            let verdict = self.judge_with(&source.seed.source, &[flag])?;
            // A flag that the compiler does not know says nothing.
            if verdict.kind.is_of_a_run() {
                let flag = (*flag).to_owned();
                return Ok(Some(Doubt::FlagMatters { flag }.into()));
            }
            flags.extend(verdict.is_same().then(|| (*flag).to_owned()));
        }
        let mut changes = Vec::new();
        for change in NeutralChange::ALL {
            let Some(text) = change.apply(&source.program) else {
                continue;
            };
            if !self.means_the_same(&text)? {
                continue;
            }
            let verdict = self.judge_with(&text, &[])?;
            if verdict.kind.is_of_a_run() {
                return Ok(Some(Doubt::FormMatters { change }.into()));
            }
            changes.extend(verdict.is_same().then_some(change));
        }
        if !flags.is_empty() || !changes.is_empty() {
            done.push(Confirmation::SeedIsSteady { flags, changes });
        }
        Ok(None)
    }

    /// Whether the compiler whose build defines what the seed does sees no difference:
    /// a function that moves has other line numbers, which a program may print.
    fn means_the_same(&self, text: &[u8]) -> Result<bool> {
        let judge = Judge {
            config: self.lead,
            purpose: Some(Purpose::Confirm),
            ..self.judge
        };
        let outcome = judge.trial(text)?;
        let is_same = judge.verdict(&outcome, self.expected).is_same();
        Ok(matches!(outcome, Outcome::Ran(_)) && is_same)
    }
}
