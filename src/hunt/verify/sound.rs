//! Whether a text that nobody has seen before is a program with one meaning: it
//! compiles without a warning of undefined behaviour, compilers we trust agree on
//! what it does, and sanitizers have nothing to say.
//!
//! Unlike a variant, such a text has no seed to compare with. The questions are
//! asked from the cheapest to the dearest, since most texts fail early.

use super::trial::{self, Trials};
use super::ways;
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

/// Judges texts that take the place of one start.
#[derive(Debug)]
pub struct Soundness<'s> {
    clang: &'s Clang,
    seed: &'s Seed,
    trials: Trials<'s>,
    /// Plain builds, the quickest first.
    plain: Vec<Way>,
    sanitizers: Vec<Way>,
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
        let ways = if expected.behaviours().is_empty() {
            Vec::new()
        } else {
            ways(Patience::trusting(timeout))?
        };
        let outcomes: Vec<(Way, Result<bool>)> = ways
            .into_par_iter()
            .map(|way| {
                let outcome = trials.run(&way, start);
                let agrees =
                    outcome.map(|seen| seen.is_ok_and(|seen| is_same(&way, expected, &seen)));
                (way, agrees)
            })
            .collect();
        let (mut plain, mut sanitizers) = (Vec::new(), Vec::new());
        for (way, agrees) in outcomes {
            match (agrees?, way.is_sanitizer()) {
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
            known,
            endings: expected.behaviours().iter().map(|run| run.ending).collect(),
        })
    }

    /// Every way to build that is asked, plain ones first.
    pub(crate) fn ways(&self) -> impl Iterator<Item = &Way> {
        self.plain.iter().chain(&self.sanitizers)
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

    /// Whether everybody else agrees with the glance.
    pub(crate) fn confirms(&self, text: &[u8], seen: &Expectation) -> Result<bool> {
        // What a sanitized build shows, the same compiler's plain build shows too.
        let is_sanitized = |way: &&Way| {
            let mut sanitizers = self.sanitizers.iter();
            sanitizers.any(|other| other.compiler == way.compiler)
        };
        let plain = self.plain.iter().skip(1).filter(|way| !is_sanitized(way));
        for way in plain.chain(&self.sanitizers) {
            match self.trials.run(way, text)? {
                Ok(other) if is_same(way, seen, &other) => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// A signal is no meaning, unless the start ended by it.
    fn ends_well(&self, seen: &[Behaviour]) -> bool {
        seen.iter().zip(&self.endings).all(|(behaviour, start)| {
            matches!(behaviour.ending, Ending::Exited(_)) || behaviour.ending == *start
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
