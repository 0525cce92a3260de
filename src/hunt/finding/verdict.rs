//! What a config did with a program, as a kind and a signature.

use crate::lab::process::Ending;
use crate::lab::toolchain::Runner;
use crate::lab::{Behaviour, Expectation, accesses};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a config did with a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub kind: VerdictKind,
    /// The same for failures that look the same: a crash's message without what is
    /// peculiar to the program, the way an output differs. Empty for [`VerdictKind::Same`].
    pub signature: String,
}

/// Between two endings in a signature.
const INSTEAD: &str = " instead of ";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    Same,
    /// The program prints something else or ends with another status.
    WrongOutput,
    /// The program ends by a signal that is not expected.
    RunCrash,
    RunHang,
    /// The program accesses a volatile variable more or less often, in pieces, or in another
    /// order.
    WrongAccesses,
    /// A signal, an internal error, an assertion; also success without a result.
    CompilerCrash,
    CompilerHang,
    CompilerMemory,
    /// The compiler says that the program is not valid.
    Rejected,
}

impl VerdictKind {
    pub const ALL: [VerdictKind; 9] = [
        VerdictKind::Same,
        VerdictKind::WrongOutput,
        VerdictKind::RunCrash,
        VerdictKind::RunHang,
        VerdictKind::WrongAccesses,
        VerdictKind::CompilerCrash,
        VerdictKind::CompilerHang,
        VerdictKind::CompilerMemory,
        VerdictKind::Rejected,
    ];

    /// As it is written in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Same => "same",
            VerdictKind::WrongOutput => "wrong-output",
            VerdictKind::RunCrash => "run-crash",
            VerdictKind::RunHang => "run-hang",
            VerdictKind::WrongAccesses => "wrong-accesses",
            VerdictKind::CompilerCrash => "compiler-crash",
            VerdictKind::CompilerHang => "compiler-hang",
            VerdictKind::CompilerMemory => "compiler-memory",
            VerdictKind::Rejected => "rejected",
        }
    }

    /// Whether a program was built and run: then it is the program's behaviour that
    /// is wrong, and not the compiler that fails.
    pub fn is_of_a_run(self) -> bool {
        matches!(
            self,
            VerdictKind::WrongOutput
                | VerdictKind::RunCrash
                | VerdictKind::RunHang
                | VerdictKind::WrongAccesses
        )
    }

    /// Whether it says something about the compiler only if the program is valid.
    pub(crate) fn needs_valid_program(self) -> bool {
        self.is_of_a_run() || self == VerdictKind::Rejected
    }

    /// Whether the compiler itself fails, which it may not on any program.
    pub(crate) fn is_of_compiler(self) -> bool {
        matches!(
            self,
            VerdictKind::CompilerCrash | VerdictKind::CompilerHang | VerdictKind::CompilerMemory
        )
    }

    /// Whether a busy machine can be the cause.
    pub(crate) fn may_be_pressure(self) -> bool {
        matches!(
            self,
            VerdictKind::RunHang | VerdictKind::CompilerHang | VerdictKind::CompilerMemory
        )
    }
}

impl Verdict {
    pub fn new(kind: VerdictKind, signature: impl Into<String>) -> Verdict {
        Verdict {
            kind,
            signature: signature.into(),
        }
    }

    pub fn same() -> Verdict {
        Verdict::new(VerdictKind::Same, "")
    }

    pub fn is_same(&self) -> bool {
        self.kind == VerdictKind::Same
    }

    /// Whether two failures are likely to be one: how a program goes wrong depends on chance, but
    /// a compiler that fails tells where.
    pub(crate) fn is_like(&self, other: &Verdict) -> bool {
        self.kind == other.kind && (self.kind.is_of_a_run() || self.signature == other.signature)
    }

    /// Whether an output is wrong because the program ends with another status, and
    /// not because of what it prints.
    pub(crate) fn ends_otherwise(&self) -> bool {
        self.kind == VerdictKind::WrongOutput && self.signature.contains(INSTEAD)
    }

    /// Compares what a program did on its inputs with what it should do.
    pub(crate) fn of_runs(
        expected: &Expectation,
        actual: &[Behaviour],
        runner: &Runner,
    ) -> Verdict {
        let pairs = expected.behaviours().iter().zip(actual);
        let differing = pairs.map(|(expected, actual)| difference(expected, actual, runner));
        differing.flatten().next().unwrap_or_else(Verdict::same)
    }

    /// The same for a program that records how it accesses its volatile variables. Records
    /// count if the program does what it should otherwise.
    pub(crate) fn of_accesses(
        expected: &Expectation,
        actual: &[Behaviour],
        runner: &Runner,
    ) -> Verdict {
        let runs = accesses::without_records(actual);
        let plain = Verdict::of_runs(&expected.without_records(), &runs, runner);
        if !plain.is_same() {
            return plain;
        }
        let pairs = expected.behaviours().iter().zip(actual);
        let mut differing = pairs.filter_map(|(one, other)| accesses::difference(one, other));
        differing.next().map_or(plain, |signature| {
            Verdict::new(VerdictKind::WrongAccesses, signature)
        })
    }
}

fn difference(expected: &Behaviour, actual: &Behaviour, runner: &Runner) -> Option<Verdict> {
    if expected.ending != actual.ending {
        let ends = format!("{}{INSTEAD}{}", actual.ending, expected.ending);
        return Some(match actual.ending {
            Ending::TimedOut | Ending::Starved => {
                Verdict::new(VerdictKind::RunHang, "no end in time")
            }
            Ending::Signalled(_) | Ending::TooManyProcesses => {
                Verdict::new(VerdictKind::RunCrash, actual.ending.to_string())
            }
            Ending::Exited(_) | Ending::TooMuchOutput => {
                Verdict::new(VerdictKind::WrongOutput, ends)
            }
        });
    }
    if expected.stdout != actual.stdout {
        return Some(Verdict::new(VerdictKind::WrongOutput, "output"));
    }
    // Emulators and compilers that run programs may print messages of their own.
    let is_own = *runner == Runner::Direct;
    (is_own && expected.stderr != actual.stderr)
        .then(|| Verdict::new(VerdictKind::WrongOutput, "standard error"))
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for VerdictKind {
    type Err = String;

    fn from_str(text: &str) -> Result<VerdictKind, String> {
        let found = VerdictKind::ALL
            .into_iter()
            .find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("unknown verdict {text}"))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.signature.as_str() {
            "" => self.kind.fmt(f),
            signature => write!(f, "{}: {signature}", self.kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behaviour(ending: Ending, stdout: &str, stderr: &str) -> Behaviour {
        Behaviour {
            ending,
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn a_compiler_that_fails_elsewhere_has_another_failure() {
        let of = |kind, signature: &str| Verdict::new(kind, signature);
        let crash = of(VerdictKind::CompilerCrash, "in f, at g.cc:1");
        assert!(crash.is_like(&crash.clone()));
        assert!(!crash.is_like(&of(VerdictKind::CompilerCrash, "in h, at g.cc:2")));
        let output = of(VerdictKind::WrongOutput, "output");
        let status = of(
            VerdictKind::WrongOutput,
            "exit status 1 instead of exit status 0",
        );
        assert!(output.is_like(&status) && !output.is_like(&crash));
    }

    #[test]
    fn runs_are_told_apart() {
        let good = behaviour(Ending::Exited(0), "1\n", "");
        let verdict = |actual: Behaviour| {
            let expected = Expectation::as_seed(vec![good.clone()]);
            Verdict::of_runs(&expected, &[actual], &Runner::Direct).to_string()
        };
        assert_eq!(verdict(good.clone()), "same");
        assert_eq!(
            verdict(behaviour(Ending::Exited(0), "2\n", "")),
            "wrong-output: output"
        );
        assert_eq!(
            verdict(behaviour(Ending::Exited(1), "1\n", "")),
            "wrong-output: exit status 1 instead of exit status 0"
        );
        assert_eq!(
            verdict(behaviour(Ending::Signalled(11), "", "")),
            "run-crash: SIGSEGV"
        );
        assert_eq!(
            verdict(behaviour(Ending::TimedOut, "", "")),
            "run-hang: no end in time"
        );
        assert_eq!(
            verdict(behaviour(Ending::Exited(0), "1\n", "oops")),
            "wrong-output: standard error"
        );
    }

    #[test]
    fn names_are_read_again() {
        for kind in VerdictKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{}\"", kind.name()));
        }
    }
}
