//! What was established before a failure was called a finding.

use crate::hunt::verify::Witness;
use crate::source::neutral::NeutralChange;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that was looked at and found to be so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    expecting = "expected a confirmation that this version knows"
)]
pub enum Confirmation {
    /// The same failure was seen this many times.
    Repeated { times: usize },
    /// It was seen again with no other child of ours running and twice the time.
    RepeatedAlone,
    /// It is seen, too, when the program is not run by the compiler itself.
    WithoutRunner,
    /// The seed is compiled correctly under the same config.
    SeedPasses,
    /// These compilers build a program that does what it should.
    CompilersAgree {
        program: ProgramRole,
        compilers: Vec<String>,
    },
    /// Two trusted compilers build programs that do different things. Earlier versions
    /// asked no others.
    CompilersDisagree {
        program: ProgramRole,
        one: String,
        other: String,
    },
    /// Without optimisation these compilers build a program that does what it should not,
    /// and the others one that does what it should.
    StandsApart {
        program: ProgramRole,
        alike: Vec<String>,
        others: Vec<String>,
    },
    /// These sanitizers report nothing.
    SanitizersSilent {
        program: ProgramRole,
        sanitizers: Vec<Witness>,
    },
    /// The accused compiler's build of the seed holds the values that the variant was
    /// made for.
    ValuesPredicted,
    /// The seed does the same under the same config with these flags and after these
    /// changes, none of which changes its meaning.
    SeedIsSteady {
        flags: Vec<String>,
        changes: Vec<NeutralChange>,
    },
    /// Without optimisation these compilers' builds access all volatile variables alike.
    AccessesAgree { compilers: Vec<String> },
    /// In the words of an earlier version, which kept no more than them.
    #[serde(untagged)]
    Untyped(String),
}

/// The program that something is said about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramRole {
    Seed,
    Variant,
}

impl Confirmation {
    /// What the builds that object to nothing in a program confirm. Nothing is said of
    /// builds that there were none of.
    pub(crate) fn of_witnesses(
        program: ProgramRole,
        witnesses: impl IntoIterator<Item = Witness>,
    ) -> Vec<Confirmation> {
        let (sanitizers, plain): (Vec<Witness>, Vec<Witness>) = witnesses
            .into_iter()
            .partition(|witness| witness.sanitizer.is_some());
        let mut established = Vec::new();
        if !plain.is_empty() {
            let compilers = plain.into_iter().map(|witness| witness.compiler).collect();
            established.push(Confirmation::CompilersAgree { program, compilers });
        }
        if !sanitizers.is_empty() {
            established.push(Confirmation::SanitizersSilent {
                program,
                sanitizers,
            });
        }
        established
    }
}

impl fmt::Display for ProgramRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProgramRole::Seed => "seed",
            ProgramRole::Variant => "variant",
        })
    }
}

impl fmt::Display for Confirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Confirmation::Repeated { times } => write!(f, "seen {times} times"),
            Confirmation::RepeatedAlone => {
                f.write_str("seen again alone on the machine, with twice the time")
            }
            Confirmation::WithoutRunner => {
                f.write_str("also seen when the compiler does not run the program itself")
            }
            Confirmation::SeedPasses => {
                f.write_str("the seed is compiled correctly under the same config")
            }
            Confirmation::CompilersAgree { program, compilers } => {
                let compilers = compilers.join(", ");
                write!(f, "trusted compilers agree on the {program}: {compilers}")
            }
            Confirmation::CompilersDisagree {
                program,
                one,
                other,
            } => write!(f, "{one} and {other} disagree on the {program}"),
            Confirmation::StandsApart {
                program,
                alike,
                others,
            } => {
                let verb = if alike.len() == 1 { "stands" } else { "stand" };
                let (alike, others) = (alike.join(", "), others.join(", "));
                write!(f, "on the {program}, {alike} {verb} alone against {others}")
            }
            Confirmation::SanitizersSilent {
                program,
                sanitizers,
            } => {
                let sanitizers: Vec<String> = sanitizers.iter().map(ToString::to_string).collect();
                let sanitizers = sanitizers.join(", ");
                write!(
                    f,
                    "sanitizers report nothing about the {program}: {sanitizers}"
                )
            }
            Confirmation::ValuesPredicted => {
                f.write_str("the compiler's own build of the seed holds the predicted values")
            }
            Confirmation::SeedIsSteady { flags, changes } => {
                let changes = changes.iter().map(ToString::to_string);
                let all: Vec<String> = flags.iter().cloned().chain(changes).collect();
                write!(f, "the seed does the same with {}", all.join(", "))
            }
            Confirmation::AccessesAgree { compilers } => {
                let compilers = compilers.join(", ");
                write!(
                    f,
                    "without optimisation, volatile variables are accessed alike by {compilers}"
                )
            }
            Confirmation::Untyped(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confirmations_of_this_and_of_earlier_versions_are_read() {
        let kept = r#"["seen 6 times",{"kind":"compilers-agree","program":"variant","compilers":["gcc","tcc"]},{"kind":"values-predicted"}]"#;
        let read: Vec<Confirmation> = serde_json::from_str(kept).unwrap();
        let texts: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "seen 6 times",
                "trusted compilers agree on the variant: gcc, tcc",
                "the compiler's own build of the seed holds the predicted values"
            ]
        );
        assert_eq!(serde_json::to_string(&read).unwrap(), kept);
    }

    #[test]
    fn nothing_is_said_of_builds_that_there_were_none_of() {
        let witness = |sanitizer: Option<&str>| Witness {
            compiler: "gcc".into(),
            sanitizer: sanitizer.map(str::to_owned),
        };
        let said = |witnesses: Vec<Witness>| {
            let said = Confirmation::of_witnesses(ProgramRole::Seed, witnesses);
            said.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(said(vec![]), [""; 0]);
        assert_eq!(
            said(vec![witness(None)]),
            ["trusted compilers agree on the seed: gcc"]
        );
        assert_eq!(
            said(vec![witness(Some("address"))]),
            ["sanitizers report nothing about the seed: gcc -O0 -fsanitize=address"]
        );
    }
}
