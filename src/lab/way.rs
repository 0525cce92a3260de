//! How a program is built and run.

use super::process::{Limits, Purpose, STRETCH};
use super::toolchain::{Compiler, Config, Runner, SecondUnit};
use crate::source::units::UNIT;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

/// The compiler, its flags, what runs the program, and the limits on both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub compiler: Compiler,
    /// They precede those of the program itself.
    pub flags: Vec<OsString>,
    /// The value of `-fsanitize=`, if any.
    pub sanitizer: Option<&'static str>,
    pub runner: Runner,
    /// Who compiles the second of two files, if there are two.
    pub second: Option<SecondUnit>,
    pub patience: Patience,
    /// Counts all CPU time under one heading instead of compile, link and run.
    pub purpose: Option<Purpose>,
    /// Lets no other child of ours run meanwhile.
    pub is_alone: bool,
    /// Lets the program have process numbers as others do, which differ from run to run.
    pub shares_pids: bool,
}

/// How long, in CPU time or asleep, and with how much memory things may run before they
/// count as failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patience {
    pub compile: Duration,
    pub run: Duration,
    /// Bytes of address space of a compiler.
    pub compile_memory: u64,
    /// Bytes of address space of a program. Not applied to sanitized programs, which
    /// reserve terabytes.
    pub run_memory: u64,
    /// Bytes of stack of a program. A variant's frames are larger than its seed's,
    /// so it gets more: running out of stack is not a difference.
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
    /// For builds by trusted compilers: clang with UBSan takes over a minute for a large
    /// instrumented program when the machine is busy.
    pub(crate) fn trusting(run: Duration) -> Patience {
        Patience {
            compile: Duration::from_secs(180),
            run,
            run_memory: 8 << 30,
            ..Patience::default()
        }
    }

    /// Twice the time, for a second try on a machine that is left alone.
    pub(crate) fn doubled(self) -> Patience {
        Patience {
            compile: self.compile * 2,
            run: self.run * 2,
            ..self
        }
    }

    /// With the stack that variants get.
    pub(crate) fn for_variants(self) -> Patience {
        Patience {
            stack: 512 << 20,
            ..self
        }
    }
}

/// The sanitizer that tells of memory which nobody has written.
pub(super) const MEMORY: &str = "memory";

impl Way {
    /// As a campaign's config does it.
    pub fn of(config: &Config, patience: Patience) -> Way {
        Way {
            compiler: config.compiler.clone(),
            flags: config.flags.iter().map(OsString::from).collect(),
            sanitizer: None,
            runner: config.runner.clone(),
            second: config.second.clone(),
            patience,
            purpose: None,
            is_alone: false,
            shares_pids: false,
        }
    }

    /// Without optimisation.
    pub fn plain(compiler: Compiler, patience: Patience) -> Way {
        Way::of(&Config::new(compiler, &["-O0"]), patience)
    }

    /// Without optimisation and with a sanitizer, which slows a program down, two to three
    /// times mostly. Longer waits are in vain: a program with a `malloc` of its own may wait
    /// for itself for ever.
    pub(crate) fn sanitized(
        compiler: Compiler,
        sanitizer: &'static str,
        patience: Patience,
    ) -> Way {
        let patience = Patience {
            run: patience.run * 4,
            ..patience
        };
        Way {
            sanitizer: Some(sanitizer),
            ..Way::plain(compiler, patience)
        }
    }

    /// With all CPU time counted under one heading.
    pub(crate) fn counted_as(self, purpose: Purpose) -> Way {
        Way {
            purpose: Some(purpose),
            ..self
        }
    }

    /// The way of one of two files.
    pub(super) fn of_unit(&self, second: Option<&SecondUnit>) -> Way {
        let mut way = Way {
            second: None,
            ..self.clone()
        };
        if let Some(second) = second {
            way.compiler = second.compiler.clone();
            way.flags = second.flags.iter().map(OsString::from).collect();
        }
        let number = 1 + u32::from(second.is_some());
        way.flags.push(format!("-D{UNIT}={number}").into());
        way
    }

    pub fn is_sanitizer(&self) -> bool {
        self.sanitizer.is_some()
    }

    /// Whether it tells of memory that is read and was never written.
    pub(crate) fn sees_unwritten(&self) -> bool {
        self.sanitizer == Some(MEMORY)
    }

    /// Whether nothing is linked: the compiler runs programs itself, or nobody does.
    pub(super) fn makes_no_program(&self) -> bool {
        matches!(self.runner, Runner::InProcess(_) | Runner::CompileOnly)
    }

    pub(super) fn compile_limits(&self) -> Limits {
        Limits {
            wall: self.patience.compile,
            stretch: STRETCH,
            memory: Some(self.patience.compile_memory),
            ..Limits::default()
        }
    }

    /// Whether a sanitizer is linked in, to judge programs or to be judged itself.
    pub(crate) fn is_sanitized(&self) -> bool {
        let is_sanitizer = |flag: &OsString| flag.as_encoded_bytes().starts_with(b"-fsanitize");
        self.is_sanitizer() || self.flags.iter().any(is_sanitizer)
    }

    pub(super) fn run_limits(&self) -> Limits {
        let is_sanitized = self.is_sanitized();
        Limits {
            wall: self.patience.run,
            stretch: STRETCH,
            memory: (!is_sanitized).then_some(self.patience.run_memory),
            stack: self.patience.stack,
            ..Limits::default()
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.compiler.name)?;
        for flag in &self.flags {
            write!(f, " {}", flag.to_string_lossy())?;
        }
        match self.sanitizer {
            Some(sanitizer) => write!(f, " -fsanitize={sanitizer}"),
            None => Ok(()),
        }
    }
}
