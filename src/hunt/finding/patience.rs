//! How long and with how much memory things may run before they count as failed.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits of compilers and programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patience {
    pub compile: Duration,
    pub run: Duration,
    /// Bytes of address space of a compiler.
    pub compile_memory: u64,
    /// Bytes of address space of a program.
    pub run_memory: u64,
    /// Bytes of stack of a program. A variant's frames are larger than its seed's,
    /// so it gets more: deep recursion is no difference.
    pub stack: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            compile: Duration::from_secs(60),
            run: Duration::from_secs(10),
            compile_memory: 8 << 30,
            run_memory: 4 << 30,
            stack: 8 << 20,
        }
    }
}

impl Patience {
    /// Twice the time, for a second try on a machine that is left alone.
    pub fn doubled(self) -> Patience {
        Patience {
            compile: self.compile * 2,
            run: self.run * 2,
            ..self
        }
    }

    /// With the stack that variants get.
    pub fn for_variants(self) -> Patience {
        Patience {
            stack: 512 << 20,
            ..self
        }
    }
}
