//! Who starts processes: this machine, or a script in tests.

use super::process::{Command, Output};
use std::fmt;
use std::io;

/// Runs commands to their end.
///
/// Whether a compiler is believed and what becomes of a campaign is decided from what
/// commands return, so those decisions can be tested without a process.
pub(crate) trait Executor: fmt::Debug + Send + Sync {
    /// # Errors
    /// If the command cannot be started, or all work is to stop immediately.
    fn run(&self, command: &Command) -> io::Result<Output>;

    /// Whether there was an end to keep, and it has passed: what commands have returned since
    /// then says nothing.
    fn is_late(&self) -> bool {
        false
    }
}

/// This machine. Limits, the meter of CPU time and the wait for a quiet moment are kept
/// by [`super::process`] for the whole process, because they are properties of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Host;

impl Executor for Host {
    fn run(&self, command: &Command) -> io::Result<Output> {
        command.run()
    }
}
