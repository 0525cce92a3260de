//! The check that a variant is one: it does what its seed does under compilers
//! we trust, and sanitizers have nothing to say about it.

pub(crate) mod copiers;
mod meaning;
mod objection;
mod sound;
mod trial;

pub(crate) use meaning::{Unsound, meaning};
pub use objection::{Exclusion, Objection, Stream, Witness};
pub use sound::Soundness;
pub use trial::Problem;

use crate::error::{Disagreement, SeedRefused};
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Compiler, Family};
use crate::lab::{Behaviour, Expectation, Lab, Patience, Way, first_difference};
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
    expected: Vec<(Way, Expectation)>,
    notes: Vec<Note>,
    unsteady: Option<Witness>,
}

/// A way to build that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub way: Way,
    pub reason: Exclusion,
}

/// What trusted compilers make of a seed.
#[derive(Debug)]
pub enum Survey<'s> {
    /// The same; variants can be compared with it.
    Agreed(Verifier<'s>),
    Split(Box<Split>),
}

/// Two trusted compilers make a seed do different things.
#[derive(Clone, Debug)]
pub struct Split {
    pub one: (Way, Vec<Behaviour>),
    pub other: (Way, Vec<Behaviour>),
    /// What sanitizers have to say about the seed.
    pub notes: Vec<Note>,
    /// The sanitizers that report nothing.
    pub silent: Vec<Way>,
    /// See [`Verifier::unsteady`].
    pub unsteady: Option<Witness>,
}

impl<'s> Verifier<'s> {
    /// Builds and runs the seed with gcc and clang, and clang's sanitizers. tcc
    /// counts where it is installed and agrees on the seed.
    ///
    /// # Errors
    /// [`SeedRefused`] if the trusted compilers reject the seed, and
    /// [`Disagreement`] if they do not agree on what it does.
    // Used by tests only.
    pub fn new(lab: &Lab, seed: &'s Seed, timeout: Duration) -> Result<Verifier<'s>> {
        Verifier::with_witnesses(lab, seed, &[], timeout)
    }

    /// Asks further compilers, too, which count as tcc does.
    pub fn with_witnesses(
        lab: &Lab,
        seed: &'s Seed,
        witnesses: &[Compiler],
        timeout: Duration,
    ) -> Result<Verifier<'s>> {
        match Verifier::survey(lab, seed, witnesses, timeout)? {
            Survey::Agreed(verifier) => Ok(verifier),
            Survey::Split(split) => Err(Disagreement {
                path: seed.path.clone(),
                builds: [&split.one, &split.other].map(|(way, _)| way.to_string()),
                place: first_difference(&split.one.1, &split.other.1),
            }
            .into()),
        }
    }

    /// The same for callers that want to know about a disagreement more than that
    /// there is one.
    ///
    /// # Errors
    /// [`SeedRefused`] if the trusted compilers reject the seed.
    pub fn survey(
        lab: &Lab,
        seed: &'s Seed,
        witnesses: &[Compiler],
        timeout: Duration,
    ) -> Result<Survey<'s>> {
        let trials = Trials::new(lab, seed)?;
        let patience = Patience::trusting(timeout);
        let mut ways = ways(lab, patience)?;
        // Those that are asked anyway, and must agree, are not witnesses.
        let is_asked = |witness: &Compiler| ways.iter().any(|way| way.compiler == *witness);
        let further = witnesses.iter().filter(|witness| !is_asked(witness));
        let witnesses: Vec<Compiler> = further.cloned().collect();
        ways.extend(witnesses.iter().map(|witness| plain(witness, patience)));
        let may_differ = |way: &Way| {
            way.is_sanitizer()
                || way.compiler.family == Family::Tcc
                || witnesses.contains(&way.compiler)
        };
        let outcomes: Vec<_> = ways
            .par_iter()
            .map(|way| trials.run(way, &seed.source))
            .collect();
        let mut expected: Vec<(Way, Vec<Behaviour>)> = Vec::new();
        let mut notes = Vec::new();
        let mut other = None;
        for (way, outcome) in ways.into_iter().zip(outcomes) {
            let outcome = outcome?;
            let same = expected.first().map(|(_, lead)| lead);
            match outcome {
                Ok(seen) if way.is_sanitizer() && trial::has_not_started(&seen) => {
                    notes.push(Note {
                        way,
                        reason: Exclusion::NotStarted,
                    });
                }
                Ok(seen) if way.is_sanitizer() => match trial::report(&seen) {
                    None => expected.push((way, seen)),
                    Some(report) => notes.push(Note {
                        way,
                        reason: Exclusion::ReportsSeed { report },
                    }),
                },
                Ok(seen) if same.is_none_or(|lead| *lead == seen) => expected.push((way, seen)),
                _ if may_differ(&way) => {
                    let reason = match trials.run(&way, LEAST_PROGRAM)? {
                        Ok(_) => Exclusion::UnusableForSeed,
                        Err(_) => Exclusion::UnsupportedFlags,
                    };
                    notes.push(Note { way, reason });
                }
                Ok(seen) => other = Some((way, seen)),
                Err(problem) => {
                    return Err(SeedRefused::new(&seed.path, problem.to_string()).into());
                }
            }
        }
        let all: Vec<&(Way, Vec<Behaviour>)> = expected.iter().chain(&other).collect();
        let unsteady: Vec<Way> = unsteady(&all).cloned().collect();
        let first_unsteady = unsteady.first().map(Witness::from);
        if let Some(other) = other {
            return Ok(Survey::Split(Box::new(Split {
                unsteady: first_unsteady,
                one: expected.remove(0),
                other,
                notes,
                silent: expected
                    .into_iter()
                    .map(|(way, _)| way)
                    .filter(Way::is_sanitizer)
                    .collect(),
            })));
        }
        expected.retain(|(way, _)| !unsteady.contains(way));
        notes.extend(unsteady.into_iter().map(|way| Note {
            way,
            reason: Exclusion::ChangesSeed,
        }));
        let expected = expected.into_iter();
        Ok(Survey::Agreed(Verifier {
            trials,
            expected: expected
                .map(|(way, seen)| (way, Expectation::as_seed(seen)))
                .collect(),
            notes,
            unsteady: first_unsteady,
        }))
    }

    /// What was left out, and why.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// A sanitizer that reports nothing of the seed, but makes it do something else than the
    /// same compiler does without it. Objects lie elsewhere then and freed memory is not given
    /// out again, which changes nothing of what a program means.
    pub(crate) fn unsteady(&self) -> Option<&Witness> {
        self.unsteady.as_ref()
    }

    /// Every way to build that variants are checked in.
    pub(crate) fn ways(&self) -> impl Iterator<Item = &Way> {
        self.expected.iter().map(|(way, _)| way)
    }

    /// What is wrong with a variant; nothing if it is one.
    pub fn check(&self, text: &[u8]) -> Result<Vec<Problem>> {
        let found: Vec<Result<Option<Problem>>> = self
            .expected
            .par_iter()
            .map(|(way, expected)| {
                let problem = match self.trials.run(way, text)? {
                    Err(problem) => Some(problem),
                    Ok(seen) => trial::compare(way, expected, &seen),
                };
                Ok(problem.map(|problem| self.trials.without_name(problem)))
            })
            .collect();
        found.into_iter().filter_map(Result::transpose).collect()
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.way, self.reason)
    }
}

/// The sanitizers whose builds do something else than the plain one of their compiler.
fn unsteady<'w>(seen: &[&'w (Way, Vec<Behaviour>)]) -> impl Iterator<Item = &'w Way> {
    let differs = move |(way, with): &(Way, Vec<Behaviour>)| {
        let mut plain = seen.iter();
        let plain =
            plain.find(|(plain, _)| !plain.is_sanitizer() && plain.compiler == way.compiler);
        way.is_sanitizer()
            && plain.is_some_and(|(_, without)| {
                let mut pairs = with.iter().zip(without);
                pairs.any(|(a, b)| a.ending != b.ending || a.stdout != b.stdout)
            })
    };
    let found = seen.iter().copied().filter(move |pair| differs(pair));
    found.map(|(way, _)| way)
}

/// Has indices of an array at the end of a struct checked as others are, if it has more than one
/// element: a compiler takes it for one of any length otherwise.
const ALL_BOUNDS: &str = "-fstrict-flex-arrays=1";

/// The builds that must agree, plain ones first.
fn ways(lab: &Lab, patience: Patience) -> Result<Vec<Way>> {
    let compilers = Compiler::trusted()?;
    let mut ways: Vec<Way> = compilers.iter().map(|c| plain(c, patience)).collect();
    // Those of clang come first, since they see more.
    let of = |family| compilers.iter().filter(move |c| c.family == family);
    for compiler in of(Family::Clang).chain(of(Family::Gcc)) {
        let checks_all = lab.takes_flag(compiler, ALL_BOUNDS)?;
        for sanitizer in compiler.family.driver().sanitizers() {
            let way = Way::sanitized(compiler.clone(), sanitizer, patience);
            let mut way = way.counted_as(Purpose::Verify);
            if checks_all && !way.sees_unwritten() {
                way.flags.push(ALL_BOUNDS.into());
            }
            ways.push(way);
        }
    }
    Ok(ways)
}

fn plain(compiler: &Compiler, patience: Patience) -> Way {
    Way::plain(compiler.clone(), patience).counted_as(Purpose::Verify)
}
