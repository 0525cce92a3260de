//! How much CPU time children have used, by what they were for.
//!
//! CPU time is the process's as a whole, as the kernel counts it, so the sums
//! are, too: whoever wants the cost of a piece of work takes the difference.

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a child is for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Making seeds.
    Generate,
    /// Trusted compilers and sanitizers.
    Verify,
    /// Instrumented seeds.
    Profile,
    /// Compilers under test.
    Compile,
    /// Linking what they made.
    Link,
    /// Running what they made.
    Run,
    /// Everything again, before a finding is believed.
    Confirm,
    #[default]
    Other,
}

impl Purpose {
    pub const ALL: [Purpose; 8] = [
        Purpose::Generate,
        Purpose::Verify,
        Purpose::Profile,
        Purpose::Compile,
        Purpose::Link,
        Purpose::Run,
        Purpose::Confirm,
        Purpose::Other,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Purpose::Generate => "generate",
            Purpose::Verify => "verify",
            Purpose::Profile => "profile",
            Purpose::Compile => "compile",
            Purpose::Link => "link",
            Purpose::Run => "run",
            Purpose::Confirm => "confirm",
            Purpose::Other => "other",
        }
    }
}

static MICROS: [AtomicU64; Purpose::ALL.len()] = [const { AtomicU64::new(0) }; Purpose::ALL.len()];

pub(super) fn add(purpose: Purpose, cpu: Duration) {
    let micros = u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX);
    MICROS[purpose as usize].fetch_add(micros, Ordering::Relaxed);
}

/// What all children so far have used for a purpose.
pub fn children(purpose: Purpose) -> Duration {
    Duration::from_micros(MICROS[purpose as usize].load(Ordering::Relaxed))
}

/// What this process itself has used.
pub fn ourselves() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}
