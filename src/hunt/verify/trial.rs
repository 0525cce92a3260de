//! Trying one text in one way, and comparing what it does with what it should do.

use super::objection::{Objection, Stream};
use crate::lab::{Behaviour, Expectation, Lab, Outcome, Stage, Way};
use crate::source::seed::Seed;
use anyhow::Result;
use std::fmt;

/// What is wrong with a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How it was built.
    pub way: Way,
    pub objection: Objection,
}

/// Runs texts as one seed would be.
#[derive(Debug)]
pub(super) struct Trials<'s> {
    lab: Lab,
    stage: Stage<'s>,
}

impl Problem {
    fn new(way: &Way, objection: Objection) -> Problem {
        Problem {
            way: way.clone(),
            objection,
        }
    }
}

impl<'s> Trials<'s> {
    pub(super) fn new(lab: &Lab, seed: &'s Seed) -> Result<Trials<'s>> {
        Ok(Trials {
            lab: lab.clone(),
            stage: Stage::new(seed)?,
        })
    }

    /// What a text does on every input, or why it does nothing.
    pub(super) fn run(&self, way: &Way, text: &[u8]) -> Result<Result<Vec<Behaviour>, Problem>> {
        let outcome = self.lab.trial(&self.stage, text, way)?;
        ended(way, outcome)
    }

    /// What a text does when it is built once and run twice.
    pub(super) fn run_twice(
        &self,
        way: &Way,
        text: &[u8],
    ) -> Result<Result<[Vec<Behaviour>; 2], Problem>> {
        let space = self.lab.workspace(&self.stage, text)?;
        if let Err(failure) = self.lab.build(&space, way, &[])? {
            let ended = ended(way, Outcome::Failed(failure))?;
            return Ok(ended.map(|seen| [seen.clone(), seen]));
        }
        let once = match ended(way, Outcome::Ran(self.lab.run(&space, way)?))? {
            Ok(once) => once,
            Err(problem) => return Ok(Err(problem)),
        };
        // Other process numbers are among what may differ from run to run.
        let again = Way {
            shares_pids: true,
            ..way.clone()
        };
        let again = self.lab.run(&space, &again)?;
        Ok(Ok([once, again]))
    }

    /// The problem without the name that the text was built under.
    pub(super) fn without_name(&self, problem: Problem) -> Problem {
        let name = self.stage.seed.program_name();
        Problem {
            objection: problem.objection.without_name(&name.to_string_lossy()),
            ..problem
        }
    }

    /// Whether a text can be built.
    pub(super) fn builds(&self, way: &Way, text: &[u8]) -> Result<bool> {
        self.lab.builds(&self.stage, text, way)
    }
}

/// What a program did, unless it could not be built or did not end.
fn ended(way: &Way, outcome: Outcome) -> Result<Result<Vec<Behaviour>, Problem>> {
    let seen = match outcome {
        Outcome::Ran(seen) => seen,
        Outcome::Failed(failure) => {
            let message = failure.of_trusted(&way.compiler)?.words();
            let objection = Objection::DoesNotCompile { message };
            return Ok(Err(Problem::new(way, objection)));
        }
    };
    if seen.iter().any(|run| run.ending.is_late()) {
        let seconds = way.patience.run.as_secs_f64();
        let objection = Objection::DoesNotEnd { seconds };
        return Ok(Err(Problem::new(way, objection)));
    }
    Ok(Ok(seen))
}

/// What sanitizers say that cannot reserve their terabytes of address space, as under
/// `ulimit -v`. That has nothing to do with the program.
const NOT_STARTED: [&str; 3] = [
    "Sanitizer failed to allocate",
    "ReserveShadowMemoryRange failed",
    "Shadow memory range interleaves",
];

/// Whether a sanitizer gave up before the program began.
pub(super) fn has_not_started(seen: &[Behaviour]) -> bool {
    seen.iter().any(|behaviour| {
        let text = String::from_utf8_lossy(&behaviour.stderr);
        NOT_STARTED.iter().any(|said| text.contains(said))
    })
}

/// What a sanitizer said first, if it said anything.
pub(super) fn report(seen: &[Behaviour]) -> Option<String> {
    seen.iter().find_map(|behaviour| {
        let text = String::from_utf8_lossy(&behaviour.stderr);
        let is_report = |line: &&str| {
            line.contains("runtime error:")
                || line.contains("ERROR: AddressSanitizer")
                || line.contains("WARNING: MemorySanitizer")
                || line.contains("UndefinedBehaviorSanitizer")
        };
        text.lines().find(is_report).map(str::to_owned)
    })
}

/// The first difference between what a text does and what it should do.
pub(super) fn compare(way: &Way, expected: &Expectation, actual: &[Behaviour]) -> Option<Problem> {
    if way.is_sanitizer() {
        if has_not_started(actual) {
            return None;
        }
        match report(actual) {
            // Instrumented frames are many times as large, and a variant's hold more
            // locals: a seed that recurses deeply says nothing then.
            Some(said) if said.contains("stack-overflow") => return None,
            Some(report) => return Some(Problem::new(way, Objection::Report { report })),
            None => {}
        }
    }
    let pairs = (1..).zip(expected.behaviours().iter().zip(actual));
    for (input, (one, other)) in pairs.filter(|(_, (one, other))| one != other) {
        let objection = if one.ending != other.ending {
            Objection::EndsDifferently {
                input,
                expected: one.ending,
                actual: other.ending,
            }
        } else if one.stdout != other.stdout {
            Objection::of_output(input, Stream::Output, &one.stdout, &other.stdout)
        } else if way.is_sanitizer() {
            // What a sanitizer says of the seed may name lines and addresses.
            continue;
        } else {
            Objection::of_output(input, Stream::StandardError, &one.stderr, &other.stderr)
        };
        return Some(Problem::new(way, objection));
    }
    None
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.way, self.objection)
    }
}
