//! The check that a variant is one: it does what its seed does under compilers
//! we trust, and sanitizers have nothing to say about it.

mod objection;
mod sound;
mod trial;

pub use objection::{Exclusion, Objection, Stream, Witness};
pub use sound::Soundness;
pub use trial::{Problem, Setup};

use crate::error::{Disagreement, SeedRefused};
use crate::lab::toolchain::{Behaviour, Compiler, Family};
use crate::source::seed::Seed;
use anyhow::Result;
use rayon::prelude::*;
use std::fmt;
use std::time::Duration;
use trial::Trials;

/// What every compiler takes that works at all: there is no memory sanitizer for
/// `-m32`, say.
const LEAST_PROGRAM: &[u8] = b"int main(void) { return 0; }\n";

/// Compares variants with one seed.
#[derive(Debug)]
pub struct Verifier<'s> {
    trials: Trials<'s>,
    /// Each way to build, with what the seed does when built so.
    expected: Vec<(Setup, Vec<Behaviour>)>,
    notes: Vec<Note>,
}

/// A way to build that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub setup: Setup,
    pub reason: Exclusion,
}

/// What trusted compilers make of a seed.
#[derive(Debug)]
pub enum Survey<'s> {
    /// The same; variants can be compared with it.
    Agreed(Verifier<'s>),
    Split(Split),
}

/// Two trusted compilers make a seed do different things.
#[derive(Clone, Debug)]
pub struct Split {
    pub one: (Setup, Vec<Behaviour>),
    pub other: (Setup, Vec<Behaviour>),
    /// What sanitizers have to say about the seed.
    pub notes: Vec<Note>,
    /// The sanitizers that report nothing.
    pub silent: Vec<Setup>,
}

impl<'s> Verifier<'s> {
    /// Builds and runs the seed with gcc and clang, and clang's sanitizers. tcc
    /// counts where it is installed and agrees on the seed.
    ///
    /// # Errors
    /// [`SeedRefused`] if the trusted compilers reject the seed, and
    /// [`Disagreement`] if they do not agree on what it does.
    pub fn new(seed: &'s Seed, timeout: Duration) -> Result<Verifier<'s>> {
        Verifier::with_witnesses(seed, &[], timeout)
    }

    /// Asks further compilers, too, which count as tcc does.
    pub fn with_witnesses(
        seed: &'s Seed,
        witnesses: &[Compiler],
        timeout: Duration,
    ) -> Result<Verifier<'s>> {
        match Verifier::survey(seed, witnesses, timeout)? {
            Survey::Agreed(verifier) => Ok(verifier),
            Survey::Split(split) => Err(Disagreement {
                path: seed.path.clone(),
                builds: [&split.one, &split.other].map(|(setup, _)| setup.to_string()),
            }
            .into()),
        }
    }

    /// The same for callers that want to know about a disagreement more than that
    /// there is one.
    ///
    /// # Errors
    /// [`SeedRefused`] if the trusted compilers reject the seed.
    pub fn survey(seed: &'s Seed, witnesses: &[Compiler], timeout: Duration) -> Result<Survey<'s>> {
        let trials = Trials::new(seed, timeout)?;
        let mut setups = setups()?;
        // Who is asked anyway, and must agree, is no witness.
        let is_asked = |witness: &Compiler| setups.iter().any(|setup| setup.compiler == *witness);
        let further = witnesses.iter().filter(|witness| !is_asked(witness));
        let witnesses: Vec<Compiler> = further.cloned().collect();
        setups.extend(witnesses.iter().cloned().map(Setup::plain));
        let may_differ = |setup: &Setup| {
            setup.is_sanitizer()
                || setup.compiler.family == Family::Tcc
                || witnesses.contains(&setup.compiler)
        };
        let outcomes: Vec<_> = setups
            .par_iter()
            .map(|setup| trials.run(setup, &seed.source))
            .collect();
        let mut expected: Vec<(Setup, Vec<Behaviour>)> = Vec::new();
        let mut notes = Vec::new();
        let mut other = None;
        for (setup, outcome) in setups.into_iter().zip(outcomes) {
            let outcome = outcome?;
            let same = expected.first().map(|(_, lead)| lead);
            match outcome {
                Ok(seen) if setup.is_sanitizer() => match trial::report(&seen) {
                    None => expected.push((setup, seen)),
                    Some(report) => notes.push(Note {
                        setup,
                        reason: Exclusion::ReportsSeed { report },
                    }),
                },
                Ok(seen) if same.is_none_or(|lead| *lead == seen) => expected.push((setup, seen)),
                _ if may_differ(&setup) => {
                    let reason = match trials.run(&setup, LEAST_PROGRAM)? {
                        Ok(_) => Exclusion::UnusableForSeed,
                        Err(_) => Exclusion::UnsupportedFlags,
                    };
                    notes.push(Note { setup, reason });
                }
                Ok(seen) => other = Some((setup, seen)),
                Err(problem) => {
                    return Err(SeedRefused::new(&seed.path, problem.to_string()).into());
                }
            }
        }
        if let Some(other) = other {
            return Ok(Survey::Split(Split {
                one: expected.remove(0),
                other,
                notes,
                silent: expected
                    .into_iter()
                    .map(|(setup, _)| setup)
                    .filter(Setup::is_sanitizer)
                    .collect(),
            }));
        }
        Ok(Survey::Agreed(Verifier {
            trials,
            expected,
            notes,
        }))
    }

    /// What was left out, and why.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Every way to build that variants are checked in.
    pub fn setups(&self) -> impl Iterator<Item = &Setup> {
        self.expected.iter().map(|(setup, _)| setup)
    }

    /// What is wrong with a variant; nothing if it is one.
    pub fn check(&self, text: &[u8]) -> Result<Vec<Problem>> {
        let found: Vec<Result<Option<Problem>>> = self
            .expected
            .par_iter()
            .map(|(setup, expected)| {
                let problem = match self.trials.run(setup, text)? {
                    Err(problem) => Some(problem),
                    Ok(seen) => trial::compare(setup, expected, &seen),
                };
                Ok(problem.map(|problem| self.trials.without_name(problem)))
            })
            .collect();
        found.into_iter().filter_map(Result::transpose).collect()
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.setup, self.reason)
    }
}

fn setups() -> Result<Vec<Setup>> {
    let compilers = Compiler::trusted()?;
    let of = |family| compilers.iter().find(|c| c.family == family).cloned();
    let (gcc, clang) = (of(Family::Gcc), of(Family::Clang));
    let mut setups: Vec<Setup> = compilers.into_iter().map(Setup::plain).collect();
    let sanitized = |compiler: &Compiler, sanitizer| Setup {
        compiler: compiler.clone(),
        sanitizer: Some(sanitizer),
    };
    if let Some(clang) = clang {
        setups.push(sanitized(&clang, "address,undefined"));
        setups.push(sanitized(&clang, "memory"));
    }
    // It knows when a compound literal ends; clang's does not.
    if let Some(gcc) = gcc {
        setups.push(sanitized(&gcc, "address"));
    }
    Ok(setups)
}
