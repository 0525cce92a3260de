//! How a child ended.

use rustix::process::Signal;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// By itself, or by us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    Exited(i32),
    /// By a signal of its own, such as SIGSEGV or SIGABRT, or its CPU limit (SIGXCPU).
    Signalled(i32),
    /// We ended it: no end within the time limit.
    TimedOut,
    /// We ended it: the machine was so busy that it had too little CPU time in which to end.
    Starved,
    /// We ended it: more output than allowed.
    TooMuchOutput,
    /// We ended it: more processes in its group than allowed.
    TooManyProcesses,
}

impl Ending {
    pub fn is_success(self) -> bool {
        self == Ending::Exited(0)
    }

    /// Whether it did not end in the time it was given, by its own fault or not.
    pub(crate) fn is_late(self) -> bool {
        matches!(self, Ending::TimedOut | Ending::Starved)
    }

    /// What the status of a child that ended by itself says.
    pub(super) fn of(status: ExitStatus) -> Ending {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, Some(signal)) => Ending::Signalled(signal),
            (None, None) => Ending::Exited(-1),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ending::Exited(status) => write!(f, "exit status {status}"),
            Ending::Signalled(signal) => match signal_name(signal) {
                Some(name) => f.write_str(name),
                None => write!(f, "signal {signal}"),
            },
            Ending::TimedOut => f.write_str("no end in time"),
            Ending::Starved => f.write_str("no end in time on a busy machine"),
            Ending::TooMuchOutput => f.write_str("more output than allowed"),
            Ending::TooManyProcesses => f.write_str("more processes than allowed"),
        }
    }
}

/// The names of the signals that end programs.
fn signal_name(signal: i32) -> Option<&'static str> {
    let names = [
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::KILL, "SIGKILL"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::SYS, "SIGSYS"),
        (Signal::TERM, "SIGTERM"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
    ];
    let found = names.iter().find(|(named, _)| named.as_raw() == signal);
    found.map(|(_, name)| *name)
}
