//! What a child may use.

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use std::time::{Duration, Instant};

/// Limits for one child; those on memory, file size and CPU time hold for each
/// process it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may take by the clock.
    pub wall: Duration,
    /// How many times as long it may take while it and all that it started have not had
    /// that much CPU time, and want it.
    pub stretch: u32,
    /// When it is ended in any case.
    pub end: Option<Instant>,
    /// Bytes of address space; sanitizers reserve terabytes and need `None`.
    pub memory: Option<u64>,
    /// Bytes of standard output and error together.
    pub output: usize,
    /// Bytes of any file it writes.
    pub file: u64,
    /// Bytes of stack.
    pub stack: u64,
    /// Processes of its group. Counted now and then, since the kernel's own limit is
    /// one for all processes of a user, and none for root.
    pub processes: usize,
}

/// How many times as long what has a task, and no budget, may take on a machine that leaves it
/// too little CPU time.
pub(crate) const STRETCH: u32 = 10;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: Duration::from_secs(60),
            stretch: 1,
            end: None,
            memory: Some(8 << 30),
            output: 16 << 20,
            file: 1 << 30,
            stack: super::stack::USUAL,
            processes: 200,
        }
    }
}

impl Limits {
    /// Sets the limits that the kernel keeps for us.
    ///
    /// The child runs already, for some microseconds. If it has ended too, there
    /// is nothing to limit, so errors do not matter.
    pub(super) fn apply(&self, child: Pid) {
        // Whoever watches it is earlier, if only by a little on a busy machine.
        let cpu = self.wall.as_secs().saturating_mul(2).saturating_add(1);
        for (resource, limit) in [
            (Resource::As, self.memory),
            (Resource::Fsize, Some(self.file)),
            (Resource::Cpu, Some(cpu)),
        ] {
            let limit = Rlimit {
                current: limit,
                maximum: limit,
            };
            let _ = prlimit(Some(child), resource, limit);
        }
        // Sanitizers read this limit when they start and write it back: they abort if
        // the maximum was lowered in between.
        let core = Rlimit {
            current: Some(0),
            maximum: getrlimit(Resource::Core).maximum,
        };
        let _ = prlimit(Some(child), Resource::Core, core);
        // Compilers raise this one for themselves, as they may.
        let stack = Rlimit {
            current: Some(self.stack),
            maximum: getrlimit(Resource::Stack).maximum,
        };
        let _ = prlimit(Some(child), Resource::Stack, stack);
    }
}
