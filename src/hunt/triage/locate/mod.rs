//! Locating the fault in a compiler: which versions and levels fail, and which flag or
//! pass makes the difference.

mod clang;
mod gcc;

use super::case::Case;
use crate::hunt::campaign::judge::Judge;
use crate::hunt::finding::{LEVELS, Located, Tried, version_number};
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::lab::{Expectation, Outcome, Patience, Stage, Way};
use anyhow::Result;
use rayon::prelude::*;

/// A text that fails, and how it is asked about.
#[derive(Clone, Copy)]
pub(super) struct Question<'q> {
    pub(super) case: &'q Case,
    pub(super) stage: &'q Stage<'q>,
    pub(super) patience: Patience,
    pub(super) text: &'q [u8],
    /// What the text should do.
    pub(super) expected: &'q Expectation,
    /// Asked between tests; once it returns true, what is known by then is the answer.
    pub(super) should_stop: &'q (dyn Fn() -> bool + Sync),
}

impl Question<'_> {
    fn config(&self) -> &Config {
        &self.case.finding.config
    }

    fn judge<'a>(&'a self, config: &'a Config) -> Judge<'a> {
        Judge {
            config,
            patience: self.patience,
            ..Judge::of_finding(&self.case.lab, &self.case.finding, self.stage)
        }
    }

    fn fails(&self, config: &Config) -> Result<bool> {
        let Question {
            case,
            stage,
            patience,
            text,
            expected,
            ..
        } = *self;
        case.fails(stage, config, patience, text, expected)
    }

    /// Whether a config fails in this way at all: another version of a compiler
    /// crashes at another line of its own, with other words.
    fn fails_alike(&self, config: &Config) -> Result<bool> {
        let verdict = self.judge(config).judge(self.text, self.expected)?;
        Ok(verdict.kind == self.case.finding.verdict.kind)
    }

    /// Whether the accused config fails with further flags.
    fn fails_with<F: AsRef<str>>(&self, flags: impl IntoIterator<Item = F>) -> Result<bool> {
        let mut config = self.config().clone();
        let further = flags.into_iter().map(|flag| flag.as_ref().to_owned());
        config.flags.extend(further);
        self.fails(&config)
    }

    /// Whether the accused config with further flags makes of the text what it
    /// should: a flag that only breaks something else tells nothing.
    fn is_right_with(&self, flags: &[String]) -> Result<bool> {
        let mut config = self.config().clone();
        config.flags.extend_from_slice(flags);
        let judge = self.judge(&config);
        let outcome = judge.trial(self.text)?;
        let ran = matches!(outcome, Outcome::Ran(_));
        let is_of_a_run = self.case.finding.verdict.kind.is_of_a_run();
        Ok(ran && (!is_of_a_run || judge.verdict(&outcome, self.expected).is_same()))
    }

    /// What the accused compiler says, on either stream, while it compiles the text
    /// with further flags.
    fn says(&self, flags: &[&str]) -> Result<String> {
        let way = Way::of(self.config(), Patience::default());
        self.case.lab.explain(self.stage, self.text, &way, flags)
    }

    /// Locates the fault.
    pub(super) fn locate(&self) -> Result<Located> {
        if (self.should_stop)() {
            return Ok(Located::default());
        }
        let mut located = Located {
            tried: self.try_others()?,
            ..Located::default()
        };
        let own = &self.config().compiler;
        let search = match own.family {
            Family::Gcc => gcc::locate,
            Family::Clang => clang::locate,
            Family::Tcc | Family::Other => return Ok(located),
        };
        let mut of_own = located
            .tried
            .iter()
            .filter(|tried| tried.compiler == own.name);
        if of_own.any(|tried| tried.is_unoptimised() && tried.fails) {
            let step = "It fails without optimisation, too: no optimisation pass is to blame.";
            located.steps.push(step.into());
        } else if !(self.should_stop)() {
            search(self, &mut located)?;
        }
        Ok(located)
    }

    /// Other versions of the compiler, and other levels.
    fn try_others(&self) -> Result<Vec<Tried>> {
        let own = self.config();
        let mut compilers = Compiler::installed();
        let is_known = compilers.iter().any(|c| c.path == own.compiler.path);
        compilers.retain(|compiler| compiler.family == own.compiler.family);
        if !is_known {
            compilers.insert(0, own.compiler.clone());
        }
        let is_level = |flag: &&String| flag.starts_with("-O");
        let has_levels = own.compiler.family.driver().has_levels();
        let mut sets: Vec<Vec<String>> = vec![];
        for level in LEVELS.iter().filter(|_| has_levels) {
            let others = own.flags.iter().filter(|flag| !is_level(flag)).cloned();
            sets.push(std::iter::once((*level).to_owned()).chain(others).collect());
        }
        if !sets.contains(&own.flags) {
            sets.push(own.flags.clone());
        }
        let mut versions: Vec<(Compiler, String)> = compilers
            .into_iter()
            .filter_map(|compiler| {
                let version = self.case.lab.version(&compiler).ok()?;
                Some((compiler, version))
            })
            .collect();
        versions.sort_by_cached_key(|(_, version)| version_number(version));
        let asked: Vec<(&(Compiler, String), &Vec<String>)> = versions
            .iter()
            .flat_map(|version| sets.iter().map(move |flags| (version, flags)))
            .collect();
        asked
            .into_par_iter()
            // What time does not allow is not told of.
            .filter(|_| !(self.should_stop)())
            .map(|((compiler, version), flags)| {
                let config = Config {
                    name: compiler.name.clone(),
                    compiler: compiler.clone(),
                    version: version.clone(),
                    flags: flags.clone(),
                    drawn: Vec::new(),
                    runner: own.runner.clone(),
                    second: own.second.clone(),
                };
                Ok(Tried {
                    compiler: compiler.name.clone(),
                    version: version.clone(),
                    flags: flags.join(" "),
                    fails: self.fails_alike(&config)?,
                })
            })
            .collect()
    }
}
