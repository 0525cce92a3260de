//! Whether a text that nobody has seen before is a program with one meaning: it
//! compiles without a warning of undefined behaviour, compilers we trust agree on
//! what it does, and sanitizers have nothing to say.
//!
//! Unlike a variant, such a text has no seed to compare with. The questions are
//! asked from the cheapest to the dearest, since most texts fail early.

use super::trial::{self, Problem, Trials};
use super::{copiers, ways};
use crate::lab::process::Ending;
use crate::lab::toolchain::{Compiler, Family};
use crate::lab::{Behaviour, Expectation, Lab, Patience, Way};
use crate::source::clang::Clang;
use crate::source::program::complaints;
use crate::source::seed::Seed;
use anyhow::Result;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// Warnings of clang that tell of undefined behaviour or of a program that
/// compilers may refuse.
const WARNINGS: &[&str] = &[
    "uninitialized",
    "sometimes-uninitialized",
    // Reading what was never written, though nothing comes of it: no sanitizer tells.
    "conditional-uninitialized",
    "return-type",
    "return-stack-address",
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
    "incompatible-function-pointer-types",
    "incompatible-library-redeclaration",
    "array-bounds",
    "division-by-zero",
    "shift-count-overflow",
    "shift-count-negative",
    "integer-overflow",
    "unsequenced",
    "format",
    // Without its `=`, a designator is shorter and nobody can read it.
    "gnu-designator",
    "main",
    "main-return-type",
    "excess-initializers",
    "deprecated-non-prototype",
];

/// Fills locals with a byte that hardly any program writes. On a fresh stack every byte is zero,
/// so a string whose end was dropped seems to have one, and the memory sanitizer does not see
/// what `printf` and `strtol` read.
const FILLED_LOCALS: &str = "-ftrivial-auto-var-init=pattern";

/// Judges texts that take the place of one start.
#[derive(Debug)]
pub struct Soundness<'s> {
    clang: &'s Clang,
    seed: &'s Seed,
    trials: Trials<'s>,
    /// Plain builds, the quickest first.
    plain: Vec<Way>,
    sanitizers: Vec<Way>,
    /// Whether the memory sanitizer takes the start with the [`copiers`] behind it; not if the
    /// start defines one of them itself, say.
    sees_copies: bool,
    /// Whether a sanitizer reports the start.
    is_reported: bool,
    /// What clang warns of in the start, and how often; `None` if the start is not C.
    known: Option<BTreeMap<String, usize>>,
    /// How the start ends on each input.
    endings: Vec<Ending>,
}

impl<'s> Soundness<'s> {
    /// `start` is a text whose behaviour is known to be `expected`; what does not
    /// see it so, or complains of it, is asked no more. If nothing is expected, as of a
    /// program that only crashes a compiler, nobody is asked but clang about its form.
    pub fn new(
        lab: &Lab,
        clang: &'s Clang,
        seed: &'s Seed,
        start: &[u8],
        expected: &Expectation,
        timeout: Duration,
    ) -> Result<Soundness<'s>> {
        let trials = Trials::new(lab, seed)?;
        let mut ways = if expected.behaviours().is_empty() {
            Vec::new()
        } else {
            ways(lab, Patience::trusting(timeout))?
        };
        for way in &mut ways {
            let is_filled = way.is_sanitizer() && !way.sees_unwritten();
            if is_filled && way.compiler.family == Family::Clang {
                way.flags.push(FILLED_LOCALS.into());
            }
        }
        let watched = copiers::behind(start);
        let outcomes: Vec<(Way, Result<Agreement>)> = ways
            .into_par_iter()
            .map(|way| {
                let watched = watched.as_deref().filter(|_| way.sees_unwritten());
                let agreement = Agreement::of(&trials, &way, start, watched, expected);
                (way, agreement)
            })
            .collect();
        let (mut plain, mut sanitizers) = (Vec::new(), Vec::new());
        let (mut sees_copies, mut is_reported) = (true, false);
        for (way, agreement) in outcomes {
            let agreement = agreement?;
            sees_copies &= agreement.sees_copies;
            is_reported |= agreement.is_reported;
            match (agreement.agrees, way.is_sanitizer()) {
                (false, _) => {}
                (true, true) => sanitizers.push(way),
                (true, false) => plain.push(way),
            }
        }
        plain.sort_by_key(|way| match way.compiler.family {
            Family::Tcc => 0,
            Family::Gcc => 1,
            _ => 2,
        });
        let known = match complaints(clang, &seed.path, start, &seed.flags, WARNINGS) {
            Ok(known) => Some(counted(known)),
            Err(_) if expected.behaviours().is_empty() => None,
            Err(refused) => return Err(refused.into()),
        };
        Ok(Soundness {
            clang,
            seed,
            trials,
            plain,
            sanitizers,
            sees_copies,
            is_reported,
            known,
            endings: expected.behaviours().iter().map(|run| run.ending).collect(),
        })
    }

    /// Every way to build that is asked, plain ones first.
    pub(crate) fn ways(&self) -> impl Iterator<Item = &Way> {
        self.plain.iter().chain(&self.sanitizers)
    }

    /// What is compiled behind a text for the memory sanitizer.
    pub(crate) fn behind(&self, way: &Way, text: &[u8]) -> String {
        if way.sees_unwritten() && self.sees_copies {
            copiers::named_in(text)
        } else {
            String::new()
        }
    }

    /// Whether a sanitizer that can be asked has something to say about the start.
    pub(crate) fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// The warnings of clang that neither this text nor what comes of it may bring.
    pub(crate) fn warnings(&self, text: &[u8]) -> Vec<&'static str> {
        let is_clean = |warning: &&str| {
            let warned = self.complaints(text, &[warning]);
            warned.is_some_and(|warned| warned.is_empty())
        };
        WARNINGS.iter().copied().filter(is_clean).collect()
    }

    /// How many compilers see the start as expected.
    pub(crate) fn witnesses(&self) -> usize {
        self.plain.len()
    }

    /// A compiler that sees the start as expected and has the options of gcc and clang.
    pub(crate) fn witness_with_flags(&self) -> Option<&Compiler> {
        let mut compilers = self.plain.iter().map(|way| &way.compiler);
        compilers.find(|compiler| matches!(compiler.family, Family::Gcc | Family::Clang))
    }

    /// Whether the text is C, by its syntax and types, without suspicious warnings
    /// that the start does not have. Of a start that is not C, nothing better is asked.
    pub fn is_c(&self, text: &[u8]) -> bool {
        let Some(known) = &self.known else {
            return true;
        };
        let is_known = |(warning, times): (String, usize)| {
            let before = known.get(&warning).copied().unwrap_or_default();
            times <= before
        };
        let warned = self.complaints(text, WARNINGS);
        warned.is_some_and(|warned| counted(warned).into_iter().all(is_known))
    }

    /// What clang warns of; `None` if the text is not C.
    fn complaints(&self, text: &[u8], warnings: &[&str]) -> Option<Vec<String>> {
        let seed = self.seed;
        complaints(self.clang, &seed.path, text, &seed.flags, warnings).ok()
    }

    /// Whether compilers we trust take the text.
    pub(crate) fn compiles(&self, text: &[u8]) -> Result<bool> {
        for way in &self.plain {
            if !self.trials.builds(way, text)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the text does, by the quickest compiler; `None` if it is certainly no
    /// program with one meaning.
    pub(crate) fn glance(&self, text: &[u8]) -> Result<Option<Expectation>> {
        let Some(quickest) = self.plain.first().filter(|_| self.is_c(text)) else {
            return Ok(None);
        };
        let seen = self.trials.run(quickest, text)?.ok();
        let seen = seen.filter(|seen| self.ends_well(seen));
        Ok(seen.map(Expectation::measured))
    }

    /// Gives programs that take a glance this long from now on, if the start ends in a quarter
    /// of it. Says whether it does.
    pub(crate) fn hurry(&mut self, start: &[u8], run: Duration) -> Result<bool> {
        let Some(quickest) = self.plain.first_mut().filter(|way| run < way.patience.run) else {
            return Ok(false);
        };
        let before = std::mem::replace(&mut quickest.patience.run, run / 4);
        let is_quick = self.trials.run(quickest, start)?.is_ok();
        quickest.patience.run = if is_quick { run } else { before };
        Ok(is_quick)
    }

    /// Whether everybody else agrees with the glance. All are asked side by side, since nearly
    /// always they do.
    pub(crate) fn confirms(&self, text: &[u8], seen: &Expectation) -> Result<bool> {
        // What a sanitized build shows, the same compiler's plain build shows too.
        let is_sanitized = |way: &&Way| {
            let mut sanitizers = self.sanitizers.iter();
            sanitizers.any(|other| other.compiler == way.compiler)
        };
        let plain = self.plain.iter().skip(1).filter(|way| !is_sanitized(way));
        let ways: Vec<&Way> = plain.chain(&self.sanitizers).collect();
        let disagrees = |way: &Way| -> Result<bool> {
            let other = self.run(way, text)?;
            Ok(!other.is_ok_and(|other| is_same(way, seen, &other)))
        };
        let asked = ways.into_par_iter().map(disagrees);
        let against = asked.find_any(|answer| !matches!(answer, Ok(false)));
        Ok(!against.transpose()?.unwrap_or(false))
    }

    fn run(&self, way: &Way, text: &[u8]) -> Result<Result<Vec<Behaviour>, Problem>> {
        let is_watched = way.sees_unwritten() && self.sees_copies;
        match copiers::behind(text).filter(|_| is_watched) {
            Some(watched) => self.trials.run(way, &watched),
            None => self.trials.run(way, text),
        }
    }

    /// A signal is no meaning, unless the start ended by it.
    fn ends_well(&self, seen: &[Behaviour]) -> bool {
        seen.iter().zip(&self.endings).all(|(behaviour, start)| {
            matches!(behaviour.ending, Ending::Exited(_)) || behaviour.ending == *start
        })
    }
}

/// What a way to build makes of a start.
struct Agreement {
    agrees: bool,
    /// Whether a sanitizer has something to say about it.
    is_reported: bool,
    sees_copies: bool,
}

impl Agreement {
    /// `watched` is the start with the [`copiers`] behind it, for a way that needs them.
    fn of(
        trials: &Trials<'_>,
        way: &Way,
        start: &[u8],
        watched: Option<&[u8]>,
        expected: &Expectation,
    ) -> Result<Agreement> {
        let with = |text: &[u8], sees_copies: bool| -> Result<Agreement> {
            let seen = trials.run(way, text)?.ok();
            let is = |what: &dyn Fn(&[Behaviour]) -> bool| seen.as_deref().is_some_and(what);
            Ok(Agreement {
                agrees: is(&|seen| is_same(way, expected, seen)),
                is_reported: way.is_sanitizer() && is(&|seen| trial::report(seen).is_some()),
                sees_copies,
            })
        };
        let Some(watched) = watched else {
            return with(start, true);
        };
        let watched = with(watched, true)?;
        if watched.agrees {
            return Ok(watched);
        }
        // It defines one of them itself, or reads what it never wrote.
        let plainly = with(start, false)?;
        Ok(Agreement {
            is_reported: plainly.is_reported || watched.is_reported,
            ..plainly
        })
    }
}

fn counted(warnings: Vec<String>) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for warning in warnings {
        *counted.entry(warning).or_default() += 1;
    }
    counted
}

fn is_same(way: &Way, expected: &Expectation, seen: &[Behaviour]) -> bool {
    trial::compare(way, expected, seen).is_none() && expected.behaviours().len() == seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Asks about texts that take the place of a start that prints 97.
    fn asked<T>(start: &str, ask: impl FnOnce(&Soundness<'_>) -> T) -> T {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        fs::write(&path, start).unwrap();
        let seed = Seed::read(&path, &[]).unwrap();
        let clang = Clang::load().unwrap();
        let expected = Expectation::predicted(vec![Behaviour {
            ending: Ending::Exited(0),
            stdout: b"97\n".to_vec(),
            stderr: Vec::new(),
        }]);
        let second = Duration::from_secs(1);
        let start = start.as_bytes();
        let lab = Lab::default();
        let sound = Soundness::new(&lab, &clang, &seed, start, &expected, second).unwrap();
        assert!(sound.witnesses() > 0);
        ask(&sound)
    }

    /// Whether a text is as good as its start.
    fn is_sound(start: &str, text: &str) -> bool {
        asked(start, |sound| {
            assert!(!sound.is_reported());
            let text = text.as_bytes();
            let seen = sound.glance(text).unwrap();
            seen.is_some_and(|seen| sound.confirms(text, &seen).unwrap())
        })
    }

    fn program(before: &str, body: &str) -> String {
        format!(
            "int printf(const char *, ...);\nchar *strncpy(char *, const char *, unsigned long);\n\
             {before}int main(void)\n{{\n    char b[8], d[8];\n    b[0] = 97;\n{body}    return 0;\n}}\n"
        )
    }

    const COPY: &str = "    strncpy(d, b, 4);\n    printf(\"%d\\n\", d[0]);\n";

    #[test]
    fn a_string_that_has_lost_its_end_is_not_sound() {
        let start = program("", &format!("    b[1] = 0;\n{COPY}"));
        assert!(is_sound(&start, &start));
        // What it prints does not depend on the bytes that nobody wrote.
        let lost = program("", COPY);
        assert!(!is_sound(&start, &lost));
        // Nor does a reduction go on from where an earlier version left it.
        assert!(asked(&lost, |sound| sound.is_reported()));
    }

    #[test]
    fn a_program_with_a_copying_function_of_its_own_is_judged_by_that() {
        let own = "char *strncpy(char *to, const char *from, unsigned long n)\n\
                   { while (n--) to[n] = from[n]; return to; }\n";
        let start = program(own, COPY);
        assert!(is_sound(&start, &start));
        let unset = program(
            own,
            "    strncpy(d, b, 4);\n    printf(\"%d\\n\", d[3] > 9);\n",
        );
        assert!(!is_sound(&start, &unset));
    }

    #[test]
    fn what_the_library_prints_of_unwritten_bytes_is_seen() {
        let print = "    printf(\"%.2s\\n\", b);\n";
        let start = program(
            "",
            "    b[0] = 57, b[1] = 55;\n    printf(\"%.2s\\n\", b);\n",
        );
        assert!(is_sound(&start, &start));
        assert!(!is_sound(&start, &program("", print)));
    }
}
