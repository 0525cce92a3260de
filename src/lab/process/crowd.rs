//! When the processes of a child and its descendants are to be counted.
//!
//! To count them means to look at all processes of the machine, so that is done now
//! and then only, or when the machine as a whole has got so many more that they may be
//! too many. A fork bomb has thousands within a tenth of a second.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::fs;
use std::time::{Duration, Instant};

/// How often the machine is asked how many there are. Most groups end before that.
pub(super) const INTERVAL: Duration = Duration::from_millis(25);

/// How often the processes of a group are counted in any case.
const COUNTING: Duration = Duration::from_millis(500);

/// The machine when a child was started.
pub(super) struct Crowd {
    tasks: Option<u64>,
    next_look: Instant,
    next_count: Instant,
}

impl Crowd {
    pub(super) fn now() -> Crowd {
        let now = Instant::now();
        Crowd {
            tasks: tasks(),
            next_look: now + INTERVAL,
            next_count: now + COUNTING,
        }
    }

    /// Whether it is time to count.
    pub(super) fn is_due(&mut self, now: Instant, limit: usize) -> bool {
        if now < self.next_look {
            return false;
        }
        self.next_look = now + INTERVAL;
        let has_grown = match (self.tasks, tasks()) {
            (Some(before), Some(now)) => now > before.saturating_add(limit as u64),
            _ => false,
        };
        if now >= self.next_count || has_grown {
            self.next_count = now + COUNTING;
            return true;
        }
        false
    }

    /// Keeps a child from forking without end even while nobody looks. The kernel
    /// counts all processes of a user, and those are no more than there are on the
    /// machine. Root is not limited.
    pub(super) fn limit(&self, child: Pid, processes: usize) {
        if let Some(tasks) = self.tasks {
            let most = Some(tasks.saturating_add(processes as u64));
            let limit = Rlimit {
                current: most,
                maximum: most,
            };
            let _ = prlimit(Some(child), Resource::Nproc, limit);
        }
    }
}

/// How many tasks the machine has.
fn tasks() -> Option<u64> {
    // "0.20 0.18 0.12 1/80 11206": those that run, and all.
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let (_, all) = text.split_ascii_whitespace().nth(3)?.split_once('/')?;
    all.parse().ok()
}
