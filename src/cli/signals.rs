//! What a command does on Ctrl-C: the message, the exit code, and which of the two
//! behaviours of [`interrupt`] it has.

use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::lab::interrupt;
use anyhow::{Context, Result};

/// For commands that run for hours: the first signal lets the work in progress finish.
pub(super) fn finish_first() -> Result<()> {
    interrupt::finish_when_asked(|| {
        say("finishing work in progress; press Ctrl-C again to stop immediately");
    })
    .context("listening for signals")
}

/// For all others.
pub(super) fn stop_at_once() -> Result<()> {
    interrupt::stop_when_asked(|| std::process::exit(ExitCode::Interrupted as i32))
        .context("listening for signals")
}
