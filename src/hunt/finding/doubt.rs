//! Why a suspicion is not believed.

use super::verdict::Verdict;
use crate::hunt::verify::{Objection, Witness};
use crate::source::neutral::NeutralChange;
use crate::source::open::OpenValue;
use crate::source::program::StatementId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason why a verdict against a compiler is not a finding, as it was established.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Doubt {
    /// Another run of the same program ended with this verdict.
    NotReproduced { verdict: Verdict },
    /// Alone on the machine and with longer limits it ended with this verdict.
    OnlyUnderLoad { verdict: Verdict },
    /// Only programs that the compiler itself runs are different.
    OnlyInProcess,
    /// The seed fails under the same config, though it did not before.
    SeedFails { verdict: Verdict },
    /// The compiler does not take the flags that were drawn together.
    FlagsConflict { verdict: Verdict },
    /// Without optimisation the two files that the program is divided into do not do what
    /// it does, or the objects of two compilers cannot be linked.
    Indivisible { verdict: Verdict },
    /// Another trusted compiler's build accesses a volatile variable otherwise than the one
    /// that the accused compiler is compared with, both without optimisation.
    AccessesVary { compiler: String },
    /// The compiler could not inline a function that is always to be inlined.
    NotInlined,
    /// The compiler finds no header of a name that others have.
    NoHeader,
    /// The seed cannot be used, as was found when it was looked at for this suspicion.
    InvalidSeed { reason: String },
    /// The variant does not do what its seed does, or has undefined behaviour.
    InvalidVariant {
        witness: Witness,
        objection: Objection,
    },
    /// The accused compiler's build of the seed cannot be observed. Earlier versions
    /// dismissed what is kept as unchecked now.
    NotObservable { reason: String },
    /// The seed fails when it is instrumented to be observed. Earlier versions dismissed
    /// what is kept as unchecked now.
    FailsWhenObserved { verdict: Verdict },
    /// The accused compiler's build of the seed holds other values than the variant
    /// was made for, as C allows.
    OtherValues {
        statements: usize,
        first: StatementId,
    },
    /// What the program does depends on a value that C or compilers leave open, in this
    /// line of the seed.
    Open { value: OpenValue, line: usize },
    /// The seed does something else under the same config with a flag that changes nothing
    /// of its meaning.
    FlagMatters { flag: String },
    /// The seed does something else under the same config after a change that changes
    /// nothing of its meaning.
    FormMatters { change: NeutralChange },
    /// The seed does something else under a sanitizer that reports nothing.
    Unsteady { witness: Witness },
    /// In the words of an earlier version, which kept no more than them.
    #[serde(untagged)]
    Untyped(String),
}

/// Doubts that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DoubtKind {
    NotReproduced,
    OnlyUnderLoad,
    OnlyInProcess,
    SeedFails,
    FlagsConflict,
    Indivisible,
    AccessesVary,
    NotInlined,
    NoHeader,
    InvalidSeed,
    InvalidVariant,
    NotObservable,
    FailsWhenObserved,
    OtherValues,
    Open,
    FlagMatters,
    FormMatters,
    Unsteady,
    Untyped,
}

impl Doubt {
    pub(crate) fn kind(&self) -> DoubtKind {
        match self {
            Doubt::NotReproduced { .. } => DoubtKind::NotReproduced,
            Doubt::OnlyUnderLoad { .. } => DoubtKind::OnlyUnderLoad,
            Doubt::OnlyInProcess => DoubtKind::OnlyInProcess,
            Doubt::SeedFails { .. } => DoubtKind::SeedFails,
            Doubt::FlagsConflict { .. } => DoubtKind::FlagsConflict,
            Doubt::Indivisible { .. } => DoubtKind::Indivisible,
            Doubt::AccessesVary { .. } => DoubtKind::AccessesVary,
            Doubt::NotInlined => DoubtKind::NotInlined,
            Doubt::NoHeader => DoubtKind::NoHeader,
            Doubt::InvalidSeed { .. } => DoubtKind::InvalidSeed,
            Doubt::InvalidVariant { .. } => DoubtKind::InvalidVariant,
            Doubt::NotObservable { .. } => DoubtKind::NotObservable,
            Doubt::FailsWhenObserved { .. } => DoubtKind::FailsWhenObserved,
            Doubt::OtherValues { .. } => DoubtKind::OtherValues,
            Doubt::Open { .. } => DoubtKind::Open,
            Doubt::FlagMatters { .. } => DoubtKind::FlagMatters,
            Doubt::FormMatters { .. } => DoubtKind::FormMatters,
            Doubt::Unsteady { .. } => DoubtKind::Unsteady,
            Doubt::Untyped(_) => DoubtKind::Untyped,
        }
    }

    /// As it is kept in a store.
    ///
    /// # Errors
    /// Never, as long as all of it can be written as JSON.
    pub(crate) fn to_stored(&self) -> serde_json::Result<String> {
        match self {
            Doubt::Untyped(text) => Ok(text.clone()),
            typed => serde_json::to_string(typed),
        }
    }

    /// What a store holds; an earlier version's text stays a text.
    pub(crate) fn from_stored(text: String) -> Doubt {
        let typed = text.starts_with('{').then(|| serde_json::from_str(&text));
        typed.and_then(Result::ok).unwrap_or(Doubt::Untyped(text))
    }
}

impl DoubtKind {
    /// What the doubts have in common, in a few words.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            DoubtKind::NotReproduced => "the failure was not reproduced",
            DoubtKind::OnlyUnderLoad => "the failure went away alone on the machine",
            DoubtKind::OnlyInProcess => "the program differs only when the compiler runs it",
            DoubtKind::SeedFails => "the seed fails as well",
            DoubtKind::FlagsConflict => "the compiler does not take such flags together",
            DoubtKind::Indivisible => "the program cannot be divided into two files",
            DoubtKind::AccessesVary => "trusted compilers access volatile variables differently",
            DoubtKind::NotInlined => "no compiler promises to inline every function",
            DoubtKind::NoHeader => "the compiler lacks a header",
            DoubtKind::InvalidSeed => "the seed is not valid",
            DoubtKind::InvalidVariant => "the variant is not valid",
            DoubtKind::NotObservable => "the build of the seed could not be observed",
            DoubtKind::FailsWhenObserved => "the seed fails when it is observed",
            DoubtKind::OtherValues => "the compiler may rightly hold other values",
            DoubtKind::Open => "the program depends on what C or compilers leave open",
            DoubtKind::FlagMatters => "the seed depends on a flag that should not matter",
            DoubtKind::FormMatters => "the seed depends on how its text is arranged",
            DoubtKind::Unsteady => "the seed depends on where objects lie, or the like",
            DoubtKind::Untyped => "other reasons, kept by an earlier version",
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::NotReproduced { verdict } => {
                write!(f, "not reproduced: another run gave {verdict}")
            }
            Doubt::OnlyUnderLoad { verdict } => {
                write!(f, "alone on the machine and with longer limits: {verdict}")
            }
            Doubt::OnlyInProcess => f.write_str("differs only when the compiler runs the program"),
            Doubt::SeedFails { verdict } => write!(f, "now the seed fails, too: {verdict}"),
            Doubt::FlagsConflict { verdict } => {
                write!(f, "does not take such flags together: {verdict}")
            }
            Doubt::Indivisible { verdict } => {
                write!(f, "the program cannot be divided into two files: {verdict}")
            }
            Doubt::AccessesVary { compiler } => write!(
                f,
                "{compiler} accesses volatile variables in yet another way, without optimisation"
            ),
            Doubt::NotInlined => f.write_str(
                "a function that is always to be inlined was not, which no compiler promises",
            ),
            Doubt::NoHeader => {
                f.write_str("the compiler finds no header of a name that others have")
            }
            Doubt::InvalidSeed { reason } => write!(f, "the seed is not valid: {reason}"),
            Doubt::InvalidVariant { witness, objection } => {
                write!(f, "the variant is not valid: {witness}: {objection}")
            }
            Doubt::NotObservable { reason } => {
                write!(
                    f,
                    "the compiler's build of the seed cannot be observed: {reason}"
                )
            }
            Doubt::FailsWhenObserved { verdict } => {
                write!(f, "the seed fails when it is observed: {verdict}")
            }
            Doubt::OtherValues {
                statements: 1,
                first,
            } => write!(
                f,
                "the compiler's build of the seed rightly holds other values at the mutated \
                 statement {first}"
            ),
            Doubt::OtherValues { statements, first } => write!(
                f,
                "the compiler's build of the seed rightly holds other values at {statements} of \
                 the mutated statements, {first} among them"
            ),
            Doubt::Open { value, line } => {
                write!(
                    f,
                    "what it does depends on {value} (line {line} of the seed)"
                )
            }
            Doubt::FlagMatters { flag } => write!(f, "the seed does something else with {flag}"),
            Doubt::FormMatters { change } => {
                write!(f, "the seed does something else after {change}")
            }
            Doubt::Unsteady { witness } => write!(
                f,
                "the seed does something else under {witness}, which reports nothing: it depends \
                 on where objects lie, or the like"
            ),
            Doubt::Untyped(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::process::Ending;

    fn doubts() -> Vec<Doubt> {
        let verdict = Verdict::same();
        let witness = Witness {
            compiler: "clang-19".into(),
            sanitizer: Some("memory".into()),
        };
        vec![
            Doubt::NotReproduced {
                verdict: verdict.clone(),
            },
            Doubt::OnlyUnderLoad {
                verdict: verdict.clone(),
            },
            Doubt::OnlyInProcess,
            Doubt::NotInlined,
            Doubt::NoHeader,
            Doubt::AccessesVary {
                compiler: "clang-19".into(),
            },
            Doubt::SeedFails {
                verdict: verdict.clone(),
            },
            Doubt::Unsteady {
                witness: witness.clone(),
            },
            Doubt::InvalidVariant {
                witness,
                objection: Objection::EndsDifferently {
                    input: 1,
                    expected: Ending::Exited(0),
                    actual: Ending::Signalled(11),
                },
            },
            Doubt::NotObservable {
                reason: "it does not end".into(),
            },
            Doubt::FailsWhenObserved { verdict },
            Doubt::OtherValues {
                statements: 2,
                first: StatementId(7),
            },
            Doubt::Open {
                value: OpenValue::Libm,
                line: 3,
            },
            Doubt::FlagMatters {
                flag: "-fno-builtin".into(),
            },
            Doubt::FormMatters {
                change: NeutralChange::FunctionOrder,
            },
            Doubt::Untyped("not the same again: same".into()),
        ]
    }

    #[test]
    fn doubts_are_kept_by_their_kind_and_read_again() {
        for doubt in doubts() {
            let kept = doubt.to_stored().unwrap();
            assert_eq!(Doubt::from_stored(kept.clone()), doubt, "{kept}");
            let kind = serde_json::to_string(&doubt.kind()).unwrap();
            let is_typed = doubt.kind() != DoubtKind::Untyped;
            assert_eq!(
                kept.contains(&format!("\"kind\":{kind}")),
                is_typed,
                "{kept}"
            );
        }
    }

    #[test]
    fn the_stored_form_does_not_change() {
        let kept = r#"{"kind":"invalid-variant","witness":{"compiler":"clang-19","sanitizer":"undefined"},"objection":{"kind":"report","report":"line 3:5: runtime error: x"}}"#;
        let doubt = Doubt::from_stored(kept.into());
        assert_eq!(
            doubt.to_string(),
            "the variant is not valid: clang-19 -O0 -fsanitize=undefined: line 3:5: runtime error: x"
        );
        assert_eq!(doubt.to_stored().unwrap(), kept);
    }

    #[test]
    fn texts_of_earlier_versions_are_kept_as_they_are() {
        for text in ["not the same again: same", "{", "12", "\"quoted\""] {
            let doubt = Doubt::from_stored(text.into());
            assert_eq!(doubt, Doubt::Untyped(text.into()));
        }
    }
}
