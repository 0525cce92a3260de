//! Compilers that take far more time or memory for a variant than for its seed: not without
//! end, so that no limit ends them, and still a fault of the compiler.
//!
//! Such a variant is judged like one on which a compiler hangs or runs out of memory, with a
//! limit of its own. It is kept in the finding, so whoever repeats or reduces it waits no longer
//! than that.

use super::super::judge::Judge;
use super::super::store::Made;
use super::Desk;
use crate::lab::process::{Ending, Output};
use crate::lab::toolchain::Config;
use crate::lab::{BuildFailure, Outcome, Patience};
use std::sync::PoisonError;
use std::time::Duration;

/// So many times as much as for the seed is too much.
const TIMES: u32 = 20;

/// Whatever takes less than this is not looked at: the times of small programs are mostly
/// those of starting the compiler.
const LEAST_TIME: Duration = Duration::from_secs(10);

/// The same for memory, in bytes.
const LEAST_MEMORY: u64 = 2 << 30;

/// A compile that took too much.
pub(super) struct BlowUp {
    /// What the compiler would have done under the limit.
    pub(super) outcome: Outcome,
    pub(super) patience: Patience,
}

impl Desk<'_> {
    /// Remembers what a config took for the seed; with drawn flags, every program has others.
    pub(super) fn note_pace(&self, config: &Config, made: Option<Made>) {
        let made = made.filter(|_| !config.is_drawn());
        let mut paces = self
            .seed_paces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        paces.extend(made.map(|made| (config.name.clone(), made)));
    }

    /// Whether a config took too much for a variant, with the limit under which it counts as
    /// one that hangs or runs out of memory.
    pub(super) fn blow_up(&self, judge: &Judge<'_>, made: Option<Made>) -> Option<BlowUp> {
        let paces = self
            .seed_paces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        too_much(paces.get(&judge.config.name)?, &made?, judge.patience)
    }
}

fn too_much(seed: &Made, variant: &Made, patience: Patience) -> Option<BlowUp> {
    let time = (seed.compile * TIMES).max(LEAST_TIME);
    let memory = (seed.peak * u64::from(TIMES)).max(LEAST_MEMORY);
    let (ending, patience) = if variant.compile > time {
        // Confirmation doubles the limit.
        let compile = time / 2;
        (
            Ending::TimedOut,
            Patience {
                compile,
                ..patience
            },
        )
    } else if variant.peak > memory {
        let compile_memory = memory;
        let patience = Patience {
            compile_memory,
            ..patience
        };
        (Ending::Signalled(libc::SIGKILL), patience)
    } else {
        return None;
    };
    let outcome = Outcome::Failed(BuildFailure {
        output: Output {
            ending,
            stdout: Vec::new(),
            stderr: Vec::new(),
            wall: variant.compile,
            cpu: variant.compile,
            peak: variant.peak,
        },
        is_of_linker: false,
    });
    Some(BlowUp { outcome, patience })
}

#[cfg(test)]
mod tests {
    use super::super::super::judge;
    use super::*;
    use crate::lab::Expectation;
    use crate::lab::toolchain::Runner;

    /// The verdict on a variant whose seed took a second and 200 megabytes, and the limits.
    fn verdict(seconds: u64, megabytes: u64) -> Option<(String, u64, u64)> {
        let made = |seconds, megabytes: u64| Made {
            compile: Duration::from_secs(seconds),
            bytes: 1,
            hash: 0,
            peak: megabytes << 20,
        };
        let found = too_much(
            &made(1, 200),
            &made(seconds, megabytes),
            Patience::default(),
        )?;
        let verdict = judge::verdict(&found.outcome, &Expectation::nothing(), &Runner::Direct);
        let BlowUp { patience, .. } = found;
        let limits = (patience.compile.as_secs(), patience.compile_memory >> 20);
        Some((verdict.to_string(), limits.0, limits.1))
    }

    #[test]
    fn twenty_times_as_much_as_for_the_seed_is_too_much() {
        assert_eq!(verdict(20, 4000), None);
        let (slow, compile, _) = verdict(21, 200).unwrap();
        assert_eq!(
            (slow.as_str(), compile),
            ("compiler-hang: no end in time", 10)
        );
        let (large, compile, memory) = verdict(3, 4001).unwrap();
        assert_eq!(large, "compiler-memory: out of memory");
        assert_eq!((compile, memory), (60, 4000));
    }
}
