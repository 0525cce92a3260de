//! Compilers that take far longer for a variant than for its seed: not endless, so that no
//! limit ends them, and still a fault of the compiler.
//!
//! Such a variant is judged like one on which a compiler hangs, with a limit of its own. It is
//! kept in the finding, so whoever repeats or reduces it waits no longer than that.

use super::super::judge::Judge;
use super::super::store::Made;
use super::Desk;
use crate::lab::process::{Ending, Output};
use crate::lab::toolchain::Config;
use crate::lab::{BuildFailure, Outcome, Patience};
use std::sync::PoisonError;
use std::time::Duration;

/// So many times as long as for the seed is too long.
const TIMES: u32 = 20;

/// Whatever takes less than this is not looked at: the times of small programs are mostly
/// those of starting the compiler.
const LEAST: Duration = Duration::from_secs(10);

impl Desk<'_> {
    /// Remembers what a config took for the seed; with drawn flags, every program has others.
    pub(super) fn note_pace(&self, config: &Config, made: Option<Made>) {
        let made = made.filter(|_| !config.is_drawn());
        let mut paces = self
            .seed_paces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        paces.extend(made.map(|made| (config.name.clone(), made.compile)));
    }

    /// The verdict on a config that took too long for a variant: an outcome, and the limit
    /// under which it counts as one that hangs. Confirmation doubles the limit.
    pub(super) fn blow_up(&self, judge: &Judge<'_>, made: Option<Made>) -> Option<Slow> {
        let paces = self
            .seed_paces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let taken = made?.compile;
        let limit = (*paces.get(&judge.config.name)? * TIMES).max(LEAST);
        (taken > limit).then(|| Slow {
            outcome: Outcome::Failed(BuildFailure {
                output: Output {
                    ending: Ending::TimedOut,
                    stdout: Vec::new(),
                    stderr: Vec::new(),
                    wall: taken,
                    cpu: taken,
                },
                is_of_linker: false,
            }),
            patience: Patience {
                compile: limit / 2,
                ..judge.patience
            },
        })
    }
}

/// A compile that took too long.
pub(super) struct Slow {
    pub(super) outcome: Outcome,
    pub(super) patience: Patience,
}
