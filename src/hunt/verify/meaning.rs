//! Whether a program that nobody has seen before means one thing, and what that is.
//!
//! Unlike a variant it has no seed to be compared with, and unlike a candidate of a
//! reduction no start that is known to be sound. The questions go from the cheapest to the
//! dearest, and the first that speaks against the program is the last.

use super::trial::{self, Trials};
use super::{LEAST_PROGRAM, Objection, Problem, Witness, ways};
use crate::lab::process::Ending;
use crate::lab::toolchain::Family;
use crate::lab::{Behaviour, Expectation, Lab, Patience, Way};
use crate::source::clang::Clang;
use crate::source::program::complaints;
use crate::source::seed::Seed;
use anyhow::Result;
use std::time::Duration;

/// Warnings of clang that tell of undefined behaviour. Those about a program's form say
/// nothing here: filling holes with variables of the same type does not change it.
const WARNINGS: &[&str] = &[
    "uninitialized",
    "sometimes-uninitialized",
    // Reading what was never written, though nothing comes of it: no sanitizer tells.
    "conditional-uninitialized",
    "return-type",
    "return-stack-address",
    "array-bounds",
    "division-by-zero",
    "shift-count-overflow",
    "shift-count-negative",
    "shift-negative-value",
    "integer-overflow",
    "unsequenced",
    "format",
];

/// What a program calls that finds its own results wrong; that is a meaning, too.
const ABORT: Ending = Ending::Signalled(6);

/// Why a program is not taken for one with a meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unsound {
    /// It is not C, or no compiler takes it.
    Refused {
        reason: String,
    },
    /// clang warns of undefined behaviour.
    Warned {
        warning: String,
    },
    /// It ends by a signal that it does not send itself.
    EndsBy(Ending),
    ChangesFromRunToRun,
    /// Two builds do different things.
    Differs {
        one: Witness,
        other: Witness,
    },
    /// A build cannot be made, does not end, or a sanitizer reports something.
    Objected {
        witness: Witness,
        objection: Objection,
    },
}

/// Why no more questions are asked.
enum LastAnswer {
    Unsound(Unsound),
    Broken(anyhow::Error),
}

impl From<Unsound> for LastAnswer {
    fn from(unsound: Unsound) -> LastAnswer {
        LastAnswer::Unsound(unsound)
    }
}

impl From<anyhow::Error> for LastAnswer {
    fn from(error: anyhow::Error) -> LastAnswer {
        LastAnswer::Broken(error)
    }
}

/// What a program does, by everybody's word; or why nobody can say.
pub(crate) fn meaning(
    lab: &Lab,
    clang: &Clang,
    seed: &Seed,
    timeout: Duration,
) -> Result<Result<Expectation, Unsound>> {
    let ask = || -> Result<Expectation, LastAnswer> {
        warnings(clang, seed)?;
        let trials = Trials::new(lab, seed)?;
        let ways = ways(lab, Patience::trusting(timeout))?;
        let (sanitizers, plain) = ways.into_iter().partition(Way::is_sanitizer);
        let (first, expected) = plainly(&trials, &seed.source, plain)?;
        sanitized(&trials, &seed.source, sanitizers, (&first, &expected))?;
        Ok(expected)
    };
    match ask() {
        Ok(expected) => Ok(Ok(expected)),
        Err(LastAnswer::Unsound(unsound)) => Ok(Err(unsound)),
        Err(LastAnswer::Broken(error)) => Err(error),
    }
}

/// Whether clang has anything against it, which takes no more than reading it.
fn warnings(clang: &Clang, seed: &Seed) -> Result<(), Unsound> {
    let warnings = complaints(clang, &seed.path, &seed.source, &seed.flags, WARNINGS);
    let warnings = warnings.map_err(|refused| Unsound::Refused {
        reason: refused.reason.to_string(),
    })?;
    match warnings.into_iter().next() {
        Some(warning) => Err(Unsound::Warned { warning }),
        None => Ok(()),
    }
}

/// What builds without optimisation do, the quickest first, and the first of them.
fn plainly(
    trials: &Trials<'_>,
    text: &[u8],
    mut plain: Vec<Way>,
) -> Result<(Way, Expectation), LastAnswer> {
    // What a sanitized build shows, the same compiler's plain build shows too.
    plain.retain(|way| way.compiler.family != Family::Clang);
    plain.sort_by_key(|way| way.compiler.family != Family::Tcc);
    let mut known: Option<(Way, Expectation)> = None;
    for way in plain {
        let seen = match trials.run_twice(&way, text)? {
            Ok([once, again]) if once == again => once,
            Ok(_) => return Err(Unsound::ChangesFromRunToRun.into()),
            // tcc does not know all of C.
            Err(problem) if is_rejection(&problem) && way.compiler.family == Family::Tcc => {
                continue;
            }
            Err(problem) => return Err(objected(problem).into()),
        };
        if let Some(ending) = bad_ending(&seen) {
            return Err(Unsound::EndsBy(ending).into());
        }
        match &known {
            Some((_, expected)) if expected.behaviours() == seen => {}
            Some((one, _)) => return Err(differs(one, &way).into()),
            None => known = Some((way, Expectation::measured(seen))),
        }
    }
    let nobody = || Unsound::Refused {
        reason: "no compiler takes it".into(),
    };
    Ok(known.ok_or_else(nobody)?)
}

/// Whether sanitizers are silent and see the same.
fn sanitized(
    trials: &Trials<'_>,
    text: &[u8],
    sanitizers: Vec<Way>,
    (first, expected): (&Way, &Expectation),
) -> Result<(), LastAnswer> {
    for way in sanitizers {
        let problem = match trials.run(&way, text)? {
            Ok(seen) => trial::compare(&way, expected, &seen),
            // There is no memory sanitizer for `-m32`, say.
            Err(problem) if is_rejection(&problem) && !trials.builds(&way, LEAST_PROGRAM)? => None,
            Err(problem) => Some(problem),
        };
        match problem.map(|problem| trials.without_name(problem)) {
            None => {}
            Some(problem) if is_difference(&problem) => return Err(differs(first, &way).into()),
            Some(problem) => return Err(objected(problem).into()),
        }
    }
    Ok(())
}

fn differs(one: &Way, other: &Way) -> Unsound {
    Unsound::Differs {
        one: Witness::from(one),
        other: Witness::from(other),
    }
}

fn objected(problem: Problem) -> Unsound {
    Unsound::Objected {
        witness: Witness::from(&problem.way),
        objection: problem.objection,
    }
}

fn is_rejection(problem: &Problem) -> bool {
    matches!(problem.objection, Objection::DoesNotCompile { .. })
}

fn is_difference(problem: &Problem) -> bool {
    !matches!(
        problem.objection,
        Objection::DoesNotCompile { .. } | Objection::DoesNotEnd { .. } | Objection::Report { .. }
    )
}

fn bad_ending(seen: &[Behaviour]) -> Option<Ending> {
    let is_bad = |ending: &Ending| !matches!(ending, Ending::Exited(_)) && *ending != ABORT;
    seen.iter().map(|run| run.ending).find(is_bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake::{self, Answer, Moment};
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn ask(lab: &Lab, text: &str) -> Result<Expectation, Unsound> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        fs::write(&path, text).unwrap();
        let seed = Seed::read(&path, &[]).unwrap();
        let clang = Clang::load().unwrap();
        meaning(lab, &clang, &seed, Duration::from_millis(500)).unwrap()
    }

    fn unsound(text: &str) -> Unsound {
        ask(&Lab::default(), text).unwrap_err()
    }

    #[test]
    fn a_program_means_what_all_say() {
        let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void)\n{\n    puts(\"no\");\n\
                    \x20   fflush(stdout);\n    abort();\n}\n";
        let expected = ask(&Lab::default(), text).unwrap();
        let [run] = expected.behaviours() else {
            panic!("{expected:?}");
        };
        assert_eq!((run.ending, &*run.stdout), (ABORT, &b"no\n"[..]));
    }

    #[test]
    fn what_means_nothing_is_told_by_whoever_is_asked_first() {
        let warned = unsound("int main(void)\n{\n    int a;\n    return a;\n}\n");
        assert!(matches!(warned, Unsound::Warned { .. }), "{warned:?}");
        let endless = unsound("int main(void)\n{\n    volatile int a = 1;\n    while (a) { }\n}\n");
        let late = Objection::DoesNotEnd { seconds: 0.5 };
        assert!(
            matches!(&endless, Unsound::Objected { objection, .. } if *objection == late),
            "{endless:?}"
        );
        let divides = "int main(void)\n{\n    volatile int a = 0;\n    return 3 / a;\n}\n";
        assert_eq!(unsound(divides), Unsound::EndsBy(Ending::Signalled(8)));
        let shifts =
            unsound("int main(void)\n{\n    volatile int a = 33;\n    return 1 << a;\n}\n");
        assert!(
            matches!(&shifts, Unsound::Objected { objection, .. } if objection.is_report()),
            "{shifts:?}"
        );
        let ordered = "#include <stdio.h>\nint x;\nint f(void) { return x = x * 2 + 1; }\n\
                       int main(void)\n{\n    printf(\"%d %d\", f(), f());\n    return 0;\n}\n";
        let differs = unsound(ordered);
        assert!(matches!(differs, Unsound::Differs { .. }), "{differs:?}");
    }

    /// How often compilers and programs are started for a program.
    fn starts(script: fn(&Moment) -> Answer) -> usize {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let lab = fake::lab(move |moment| {
            // What compilers know is asked once for all programs.
            let is_counted = usize::from(!moment.is_probe());
            counted.fetch_add(is_counted, Ordering::SeqCst);
            script(moment)
        });
        let _ = ask(&lab, "int main(void) { return 0; }\n");
        count.load(Ordering::SeqCst)
    }

    #[test]
    fn an_answer_against_a_program_is_the_last() {
        let endless = |moment: &Moment| {
            if moment.is_run {
                Answer::hangs()
            } else {
                Answer::good("")
            }
        };
        assert_eq!(starts(endless), 2);
        let sound = starts(|_| Answer::good(""));
        let reported = starts(|moment| {
            let is_first = moment.flags.iter().any(|flag| flag.contains("undefined"));
            if moment.is_run && is_first {
                Answer::ends(Ending::Exited(0), "", "a.c:1:1: runtime error: oh\n")
            } else {
                Answer::good("")
            }
        });
        assert!(reported < sound, "{reported} of {sound}");
    }
}
