//! What is said against a program, and by whom.

use crate::lab::Way;
use crate::lab::process::Ending;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A build that has something to say about a program, as it is kept in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    pub compiler: String,
    /// What `-fsanitize=` is given, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitizer: Option<String>,
}

/// What a build has against a program that should do what its seed does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Objection {
    /// The compiler rejects it.
    DoesNotCompile { message: String },
    /// It is still running after this many seconds.
    DoesNotEnd { seconds: f64 },
    /// A sanitizer reports undefined behaviour, which is a fault of the program
    /// whoever compiled it.
    Report { report: String },
    /// It ends differently on an input; inputs are counted from 1.
    EndsDifferently {
        input: usize,
        expected: Ending,
        actual: Ending,
    },
    /// A line that it prints is different.
    PrintsDifferently {
        input: usize,
        stream: Stream,
        line: usize,
        expected: String,
        actual: String,
    },
    /// One output is the beginning of the other; sizes are in bytes.
    PrintsMoreOrLess {
        input: usize,
        stream: Stream,
        expected: usize,
        actual: usize,
    },
}

/// Where a program prints to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    Output,
    StandardError,
}

/// Why a build is not asked about variants of a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// A sanitizer reports the seed itself.
    ReportsSeed { report: String },
    /// A sanitizer makes the seed do something else without reporting anything, so what variants
    /// do there was not foreseen.
    ChangesSeed,
    /// It rejects the seed, or what it builds does not end or behaves differently.
    UnusableForSeed,
    /// It cannot build the smallest program with the seed's flags.
    UnsupportedFlags,
    /// A sanitizer gave up before the program began.
    NotStarted,
}

impl Exclusion {
    /// Whether it is the seed's own fault, which then means nothing.
    pub(crate) fn is_of_seed(&self) -> bool {
        matches!(self, Exclusion::ReportsSeed { .. } | Exclusion::ChangesSeed)
    }
}

impl Objection {
    /// The line of its stream in which two outputs differ, or their sizes.
    pub(super) fn of_output(
        input: usize,
        stream: Stream,
        expected: &[u8],
        actual: &[u8],
    ) -> Objection {
        let [one, other] = [expected, actual].map(|text| text.split(|byte| *byte == b'\n'));
        let mut pairs = (1..).zip(one.zip(other));
        match pairs.find(|(_, (one, other))| one != other) {
            Some((line, (one, other))) => Objection::PrintsDifferently {
                input,
                stream,
                line,
                expected: String::from_utf8_lossy(one).into_owned(),
                actual: String::from_utf8_lossy(other).into_owned(),
            },
            None => Objection::PrintsMoreOrLess {
                input,
                stream,
                expected: expected.len(),
                actual: actual.len(),
            },
        }
    }

    /// Whether it holds even if the compiler that raises it is the one accused.
    pub fn is_report(&self) -> bool {
        matches!(self, Objection::Report { .. })
    }

    /// The same without the file name that a compiler or sanitizer puts before a line
    /// number: programs are built under their seed's name, which would mislead.
    pub(super) fn without_name(self, name: &str) -> Objection {
        let place = format!("{name}:");
        let without = |text: String| match text.strip_prefix(&place) {
            Some(rest) => format!("line {rest}"),
            None => text,
        };
        match self {
            Objection::DoesNotCompile { message } => Objection::DoesNotCompile {
                message: without(message),
            },
            Objection::Report { report } => Objection::Report {
                report: without(report),
            },
            other => other,
        }
    }
}

impl From<&Way> for Witness {
    fn from(way: &Way) -> Witness {
        Witness {
            compiler: way.compiler.name.clone(),
            sanitizer: way.sanitizer.map(str::to_owned),
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -O0", self.compiler)?;
        match &self.sanitizer {
            Some(sanitizer) => write!(f, " -fsanitize={sanitizer}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stream::Output => "output",
            Stream::StandardError => "standard error",
        })
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::DoesNotCompile { message } => write!(f, "does not compile: {message}"),
            Objection::DoesNotEnd { seconds } => write!(f, "does not end within {seconds} s"),
            Objection::Report { report } => f.write_str(report),
            Objection::EndsDifferently {
                input,
                expected,
                actual,
            } => write!(
                f,
                "on input {input}: ends with {actual}, its seed with {expected}"
            ),
            Objection::PrintsDifferently {
                input,
                stream,
                line,
                expected,
                actual,
            } => write!(
                f,
                "on input {input}: line {line} of its {stream} is {actual:?}, its seed's \
                 {expected:?}"
            ),
            Objection::PrintsMoreOrLess {
                input,
                stream,
                expected,
                actual,
            } => write!(
                f,
                "on input {input}: its {stream} has {actual} bytes, its seed's {expected}"
            ),
        }
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exclusion::ReportsSeed { report } => write!(f, "reports the seed itself: {report}"),
            Exclusion::ChangesSeed => f.write_str(
                "makes the seed itself do something else and reports nothing: it depends on where \
                 objects lie, or the like",
            ),
            Exclusion::UnusableForSeed => f.write_str("cannot be used with this seed"),
            Exclusion::NotStarted => {
                f.write_str("cannot reserve its memory here; is there a limit on address space?")
            }
            Exclusion::UnsupportedFlags => f.write_str("does not work with these flags"),
        }
    }
}
