//! Why a seed takes no part in a campaign.

use super::crash::normalised;
use crate::error::Refusal;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::verify::{Exclusion, Note, Objection, Unsound, Witness};
use crate::lab::process::Ending;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason why a seed was set aside, as it was established.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SetAside {
    /// It could not be generated or read.
    NotMade {
        reason: String,
    },
    /// A file that is its standard input cannot be read.
    MissingInput {
        file: String,
    },
    /// It is still running after this many seconds.
    DoesNotEnd {
        seconds: f64,
    },
    PrintsTooMuch,
    StartsTooManyProcesses,
    ChangesFromRunToRun,
    /// It does something else when what it does is recorded.
    ChangesWhenObserved {
        compiler: String,
    },
    /// The compiler whose build defines what a seed does fails on it.
    LeadFails {
        config: String,
        verdict: Verdict,
        /// The verdict with the names and the place that it is about; earlier versions kept
        /// none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// A trusted compiler fails on it, in these words.
    CannotCompile {
        compiler: String,
        words: String,
    },
    /// A sanitizer reports undefined behaviour.
    SanitizerReports {
        witness: Witness,
        report: String,
    },
    /// A sanitizer that works otherwise cannot build or run it.
    SanitizerUnusable {
        witness: Witness,
    },
    /// Trusted compilers make it do different things.
    CompilersDisagree {
        one: Witness,
        other: Witness,
    },
    /// clang warns of undefined behaviour.
    Warned {
        warning: String,
    },
    /// It ends by a signal that it does not send itself.
    EndsBySignal {
        ending: Ending,
    },
    /// It cannot be parsed, verified or profiled.
    Refused {
        reason: String,
    },
    /// In the words of an earlier version, which kept no more than them.
    #[serde(untagged)]
    Untyped(String),
}

impl From<Refusal> for SetAside {
    fn from(refusal: Refusal) -> SetAside {
        let plain = |compiler| Witness {
            compiler,
            sanitizer: None,
        };
        match refusal {
            Refusal::MissingInput { file } => SetAside::MissingInput { file },
            Refusal::DoesNotEnd { limit } => SetAside::DoesNotEnd {
                seconds: limit.as_secs_f64(),
            },
            Refusal::PrintsTooMuch => SetAside::PrintsTooMuch,
            Refusal::StartsTooManyProcesses => SetAside::StartsTooManyProcesses,
            Refusal::ChangesFromRunToRun => SetAside::ChangesFromRunToRun,
            Refusal::ChangesWhenObserved { compiler } => SetAside::ChangesWhenObserved { compiler },
            Refusal::CompilersDisagree { one, other, .. } => SetAside::CompilersDisagree {
                one: plain(one),
                other: plain(other),
            },
            Refusal::CannotCompile { compiler, words } => {
                SetAside::CannotCompile { compiler, words }
            }
            Refusal::Other(reason) => SetAside::Refused { reason },
        }
    }
}

impl From<Unsound> for SetAside {
    fn from(unsound: Unsound) -> SetAside {
        match unsound {
            Unsound::Refused { reason } => SetAside::Refused { reason },
            Unsound::Warned { warning } => SetAside::Warned { warning },
            Unsound::EndsBy(Ending::TooMuchOutput) => SetAside::PrintsTooMuch,
            Unsound::EndsBy(Ending::TooManyProcesses) => SetAside::StartsTooManyProcesses,
            Unsound::EndsBy(ending) => SetAside::EndsBySignal { ending },
            Unsound::ChangesFromRunToRun => SetAside::ChangesFromRunToRun,
            Unsound::Differs { one, other } => SetAside::CompilersDisagree { one, other },
            Unsound::Objected { witness, objection } => match objection {
                Objection::DoesNotEnd { seconds } => SetAside::DoesNotEnd { seconds },
                Objection::Report { report } => SetAside::SanitizerReports { witness, report },
                objection => SetAside::Refused {
                    reason: format!("{witness}: {objection}"),
                },
            },
        }
    }
}

impl SetAside {
    /// Whether a compiler that we trust does not compile it. Either it is no C program, or
    /// that compiler is wrong, and others may be as well.
    pub(super) fn is_of_compiling(&self) -> bool {
        matches!(
            self,
            SetAside::CannotCompile { .. } | SetAside::LeadFails { .. }
        )
    }

    /// What sanitizers have against a seed. One that does not support the campaign's
    /// flags at all, such as the memory sanitizer with `-m32`, says nothing about any seed.
    pub(super) fn of_sanitizers(notes: &[Note]) -> Option<SetAside> {
        let mut notes = notes.iter().filter(|note| note.way.is_sanitizer());
        notes.find_map(|note| {
            let witness = Witness::from(&note.way);
            match &note.reason {
                Exclusion::ReportsSeed { report } => Some(SetAside::SanitizerReports {
                    witness,
                    report: report.clone(),
                }),
                Exclusion::UnusableForSeed => Some(SetAside::SanitizerUnusable { witness }),
                // Suspicions of such a seed are dismissed, but crashes of compilers count.
                Exclusion::ChangesSeed => None,
                Exclusion::UnsupportedFlags | Exclusion::NotStarted => None,
            }
        })
    }

    /// The reason as others may have it: without names, paths, places such as `seed.c:3:14:`,
    /// the `==1234==` of sanitizers, and numbers of some length.
    pub(crate) fn general(&self) -> String {
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let is_place = |word: &str| {
            let mut parts = word.rsplit(':').skip(1);
            word.ends_with(':') && parts.next().is_some_and(is_number)
        };
        let text = match self {
            SetAside::LeadFails {
                config, verdict, ..
            } => format!("{config}: {verdict}"),
            other => other.to_string(),
        };
        let text = normalised(&text);
        let words = text.split(' ').filter(|word| !is_place(word));
        let words = words.map(|word| match word.rsplit_once("==") {
            Some((_, said)) => said,
            None if word.len() > 2 && is_number(word) => "…",
            None => word,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// As it is kept in a store.
    ///
    /// # Errors
    /// Never, as long as all of it can be written as JSON.
    pub(super) fn to_stored(&self) -> serde_json::Result<String> {
        match self {
            SetAside::Untyped(text) => Ok(text.clone()),
            typed => serde_json::to_string(typed),
        }
    }

    /// What a store holds; an earlier version's text stays a text.
    pub(super) fn from_stored(text: String) -> SetAside {
        let typed = text.starts_with('{').then(|| serde_json::from_str(&text));
        typed
            .and_then(Result::ok)
            .unwrap_or(SetAside::Untyped(text))
    }
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetAside::MissingInput { file } => write!(f, "its input {file} cannot be read"),
            SetAside::DoesNotEnd { seconds } => write!(f, "does not end within {seconds} s"),
            SetAside::PrintsTooMuch => f.write_str("prints too much"),
            SetAside::StartsTooManyProcesses => f.write_str("starts too many processes"),
            SetAside::ChangesFromRunToRun => f.write_str("behaves differently from run to run"),
            SetAside::ChangesWhenObserved { compiler } => {
                write!(f, "behaves differently when it is observed ({compiler})")
            }
            SetAside::LeadFails {
                config,
                said: Some(said),
                ..
            } => write!(f, "{config}: {said}"),
            SetAside::LeadFails {
                config, verdict, ..
            } => write!(f, "{config}: {verdict}"),
            SetAside::CannotCompile { compiler, words } => {
                write!(f, "{compiler} cannot compile it: {words}")
            }
            SetAside::SanitizerReports { witness, report } => {
                write!(f, "{witness} reports the seed itself: {report}")
            }
            SetAside::SanitizerUnusable { witness } => {
                write!(f, "{witness} cannot be used with this seed")
            }
            SetAside::CompilersDisagree { one, other } => {
                write!(f, "{one} and {other} disagree on what it does")
            }
            SetAside::Warned { warning } => write!(f, "clang warns: {warning}"),
            SetAside::EndsBySignal { ending } => write!(f, "ends with {ending}"),
            SetAside::NotMade { reason }
            | SetAside::Refused { reason }
            | SetAside::Untyped(reason) => f.write_str(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::finding::verdict::VerdictKind;

    fn reasons() -> Vec<SetAside> {
        let witness = Witness {
            compiler: "clang-19".into(),
            sanitizer: Some("memory".into()),
        };
        let one = Witness {
            compiler: "gcc".into(),
            sanitizer: None,
        };
        vec![
            SetAside::NotMade {
                reason: "csmith failed".into(),
            },
            SetAside::MissingInput {
                file: "in.txt".into(),
            },
            SetAside::DoesNotEnd { seconds: 1.5 },
            SetAside::PrintsTooMuch,
            SetAside::StartsTooManyProcesses,
            SetAside::ChangesFromRunToRun,
            SetAside::ChangesWhenObserved {
                compiler: "gcc".into(),
            },
            SetAside::LeadFails {
                config: "gcc -O0".into(),
                verdict: Verdict::new(VerdictKind::Rejected, "'…' undeclared"),
                said: Some("rejected: a.c:3:5: error: 'x' undeclared".into()),
            },
            SetAside::CannotCompile {
                compiler: "clang".into(),
                words: "fatal error: error in backend".into(),
            },
            SetAside::SanitizerReports {
                witness: witness.clone(),
                report: "WARNING: MemorySanitizer".into(),
            },
            SetAside::SanitizerUnusable {
                witness: witness.clone(),
            },
            SetAside::CompilersDisagree {
                one,
                other: witness,
            },
            SetAside::Warned {
                warning: "variable 'a' is uninitialized when used here".into(),
            },
            SetAside::EndsBySignal {
                ending: Ending::Signalled(11),
            },
            SetAside::Refused {
                reason: "defines no function main".into(),
            },
            SetAside::Untyped("does not end within 10 s".into()),
        ]
    }

    #[test]
    fn reasons_are_kept_by_their_kind_and_read_again() {
        for reason in reasons() {
            let kept = reason.to_stored().unwrap();
            assert_eq!(SetAside::from_stored(kept.clone()), reason, "{kept}");
            let is_typed = !matches!(reason, SetAside::Untyped(_));
            assert_eq!(kept.starts_with("{\"kind\":"), is_typed, "{kept}");
        }
    }

    #[test]
    fn a_seed_that_is_rejected_is_told_with_names_and_counted_without() {
        let rejected = reasons().remove(7);
        let told = "gcc -O0: rejected: a.c:3:5: error: 'x' undeclared";
        assert_eq!(rejected.to_string(), told);
        assert_eq!(rejected.general(), "gcc -O0: rejected: '…' undeclared");
        // As an earlier version kept it.
        let text = r#"{"kind":"lead-fails","config":"gcc -O0","verdict":{"kind":"rejected","signature":"'…' undeclared"}}"#;
        let older = SetAside::from_stored(text.into());
        assert!(matches!(older, SetAside::LeadFails { said: None, .. }));
        assert_eq!(older.to_string(), older.general());
    }

    #[test]
    fn texts_of_earlier_versions_are_kept_as_they_are() {
        for text in ["gcc -O0: rejected: no", "{", "{\"kind\":\"unknown\"}"] {
            let reason = SetAside::from_stored(text.into());
            assert_eq!(reason, SetAside::Untyped(text.into()));
            assert_eq!(reason.to_string(), text);
        }
    }
}
