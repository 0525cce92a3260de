//! How sure it is that a failure is the compiler's.

use super::verdict::Verdict;
use crate::hunt::verify::Witness;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a failure that is kept counts as.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Standing {
    /// A finding: everything that could be asked was.
    #[default]
    Confirmed,
    /// It is not seen if a rule about memory does not hold, and the program may break that
    /// rule in this line of the seed. No sanitizer can tell whose fault it is.
    PossibleAliasing {
        line: usize,
        #[serde(default)]
        rule: AliasRule,
    },
    /// It is not known whether it is one.
    Unchecked { reason: Unchecked },
}

/// What compilers may believe of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AliasRule {
    /// That it is accessed by its own type, unless `-fno-strict-aliasing` is given.
    #[default]
    Types,
    /// That what a `restrict` pointer reaches is reached by no other.
    Restrict,
}

/// Why a suspicion could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Unchecked {
    /// The accused compiler's build of the seed cannot be observed.
    NotObservable { reason: String },
    /// The seed fails as well when the accused compiler builds it to be observed: the same
    /// fault, or something open that no rule knows.
    FailsWhenObserved { verdict: Verdict },
    /// A trusted build of the program did not end in time.
    OutOfTime { witness: Witness },
    /// Compilers disagree on the seed without optimisation, and no side has more weight.
    NoMajority {
        one: Vec<String>,
        other: Vec<String>,
    },
    /// Compilers disagree on the seed without optimisation, each family as one, and C leaves
    /// the order of evaluation open in this line.
    OpenOrder { line: usize },
    /// Compilers disagree on the seed without optimisation, each family as one, and a
    /// bit-field in this line has other types in other families.
    WideField { line: usize },
    /// Compilers disagree on the seed without optimisation, and an enumerator in this line has
    /// other types in other versions.
    WideEnumerator { line: usize },
    /// Compilers disagree on the seed without optimisation, each family as one, and they number
    /// the lines of the macro's call in this line differently.
    LineNumber { line: usize },
    /// A vector in this line may hold what C leaves undefined, and no sanitizer tells.
    Vector { line: usize },
    /// Compilers disagree on the seed without optimisation, each family as one, and clang
    /// says of a word of the program that it does not take it.
    OtherDialect { warning: String },
    /// The program names macros that compilers and flags change, and the accused compiler
    /// does not show what it makes of them.
    NotPreprocessed,
    /// The machine was so busy that it cannot be told whether the compiler or the program
    /// ever ends.
    BusyMachine,
    /// A file of the compiler's met a limit of ours or a full disk.
    NoRoom,
    /// It is wrong each time, and differently, though the program is known to do one thing.
    WrongAnew,
}

/// Failures that are kept apart from findings, by what is open about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandingKind {
    PossibleAliasing,
    Unchecked,
}

impl Standing {
    pub(crate) fn is_confirmed(&self) -> bool {
        *self == Standing::Confirmed
    }

    /// What it is kept apart as; `None` for a finding.
    pub(crate) fn kind(&self) -> Option<StandingKind> {
        match self {
            Standing::Confirmed => None,
            Standing::PossibleAliasing { .. } => Some(StandingKind::PossibleAliasing),
            Standing::Unchecked { .. } => Some(StandingKind::Unchecked),
        }
    }
}

impl StandingKind {
    pub(crate) const ALL: [StandingKind; 2] =
        [StandingKind::PossibleAliasing, StandingKind::Unchecked];

    /// As it is written in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StandingKind::PossibleAliasing => "possible-aliasing",
            StandingKind::Unchecked => "unchecked",
        }
    }

    /// What one of them is called.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            StandingKind::PossibleAliasing => "possible aliasing violation",
            StandingKind::Unchecked => "unchecked suspicion",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Confirmed => f.write_str("confirmed"),
            Standing::PossibleAliasing {
                line,
                rule: AliasRule::Types,
            } => write!(
                f,
                "possible aliasing violation: right with -fno-strict-aliasing, and line {line} of \
                 the seed takes memory for that of another type"
            ),
            Standing::PossibleAliasing {
                line,
                rule: AliasRule::Restrict,
            } => write!(
                f,
                "possible aliasing violation: right without the word restrict, which is in line \
                 {line} of the seed"
            ),
            Standing::Unchecked { reason } => write!(f, "unchecked: {reason}"),
        }
    }
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unchecked::NotObservable { reason } => write!(
                f,
                "the compiler's build of the seed cannot be observed: {reason}"
            ),
            Unchecked::FailsWhenObserved { verdict } => write!(
                f,
                "the compiler's build of the seed fails, too, when it is observed: {verdict}"
            ),
            Unchecked::OutOfTime { witness } => {
                write!(f, "{witness} builds a program that does not end in time")
            }
            Unchecked::NoMajority { one, other } => {
                let (one, other) = (one.join(", "), other.join(", "));
                write!(
                    f,
                    "{one} and {other} disagree, and there is no other compiler to ask"
                )
            }
            Unchecked::OpenOrder { line } => write!(
                f,
                "compilers of one family agree on the seed, and those of others may evaluate \
                 line {line} in another order"
            ),
            Unchecked::WideField { line } => write!(
                f,
                "compilers of one family agree on the seed, and to those of others the bit-field \
                 in line {line} has another type"
            ),
            Unchecked::WideEnumerator { line } => write!(
                f,
                "compilers disagree on the seed without optimisation, and to some of them the \
                 enumerator in line {line}, which no int holds, has another type"
            ),
            Unchecked::LineNumber { line } => write!(
                f,
                "compilers of one family agree on the seed, and those of others may give the \
                 macro's call in line {line} another line number"
            ),
            Unchecked::Vector { line } => write!(
                f,
                "no sanitizer checks the lanes of the vector in line {line} of the seed, which may \
                 be undefined"
            ),
            Unchecked::OtherDialect { warning } => write!(
                f,
                "compilers of one family agree on the seed, and clang does not know all of its \
                 words: {warning}"
            ),
            Unchecked::NotPreprocessed => f.write_str(
                "the program names macros that compilers change, and this one does not show \
                 what it makes of them",
            ),
            Unchecked::BusyMachine => {
                f.write_str("the machine was too busy to see whether it ends in time")
            }
            Unchecked::WrongAnew => {
                f.write_str("it is wrong each time that it runs, but each time in another way")
            }
            Unchecked::NoRoom => {
                f.write_str("a file of the compiler's met the limit for files, or the disk is full")
            }
        }
    }
}
