//! The version of C that compilers are asked for, since they do not mean the same one by
//! default: to gcc 15 `int f();` says that `f` has no parameters, to gcc 12 that nothing
//! is known of them.

use super::{Compiler, Config};
use crate::lab::{Lab, Patience, Way, scratch};
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::sync::PoisonError;

/// The flag that is tried first.
pub(crate) const MOST_WANTED_STANDARD: &str = "-std=gnu17";

/// The flags that are tried, the most wanted first.
const STANDARDS: [&str; 4] = [
    MOST_WANTED_STANDARD,
    "-std=gnu11",
    "-std=gnu99",
    "-std=gnu89",
];

/// Every compiler takes it, unless a flag keeps it from doing so.
const LEAST_PROGRAM: &str = "int main(void) { return 0; }\n";

impl Lab {
    /// The flag of the newest version of C that all of the compilers know; `None` if there
    /// is no such version, so that each keeps to its own.
    pub(crate) fn common_standard(&self, compilers: &[Compiler]) -> Result<Option<&'static str>> {
        let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
        let distinct = compilers.iter();
        let distinct: Vec<&Compiler> = distinct
            .filter(|compiler| seen.insert(compiler.path.clone()))
            .collect();
        for standard in STANDARDS {
            let taken: Vec<bool> = distinct
                .par_iter()
                .map(|compiler| self.takes(&Config::new((*compiler).clone(), &[standard])))
                .collect::<Result<_>>()?;
            if taken.iter().all(|is_taken| *is_taken) {
                return Ok(Some(standard));
            }
        }
        Ok(None)
    }

    /// Whether a compiler takes a flag; asked once.
    pub(crate) fn takes_flag(&self, compiler: &Compiler, flag: &'static str) -> Result<bool> {
        let known = || {
            self.known_flags
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let question = (compiler.path.clone(), flag);
        if let Some(answer) = known().get(&question).copied() {
            return Ok(answer);
        }
        let answer = self.takes(&Config::new(compiler.clone(), &[flag]))?;
        known().insert(question, answer);
        Ok(answer)
    }

    /// Whether a compiler still compiles when it is given the flags of a config.
    pub(crate) fn takes(&self, config: &Config) -> Result<bool> {
        let directory = scratch::directory().context("making a directory for a probe")?;
        let (source, object) = (OsStr::new("probe.c"), OsStr::new("probe.o"));
        fs::write(directory.path().join(source), LEAST_PROGRAM).context("writing a probe")?;
        let way = Way::of(config, Patience::default());
        let compiled = self.compile_file(directory.path(), source, object, &way)?;
        Ok(compiled.is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Family;
    use crate::lab::fake::{self, Answer, Moment};

    /// The standard that a campaign gets if `old` rejects some flags.
    fn chosen(rejects: fn(&str) -> bool) -> Option<&'static str> {
        let lab = fake::lab(move |moment: &Moment| {
            let is_unknown = moment.flags.iter().any(|flag| rejects(flag));
            if moment.compiler == "old" && is_unknown {
                Answer::fails("error: unrecognised option\n")
            } else {
                Answer::good("")
            }
        });
        let compilers = ["new", "old"].map(|name| fake::compiler(name, Family::Other));
        lab.common_standard(&compilers).unwrap()
    }

    #[test]
    fn all_compilers_get_the_newest_standard_that_each_of_them_knows() {
        assert_eq!(chosen(|_| false), Some("-std=gnu17"));
        let before_2017 = |flag: &str| flag == "-std=gnu17";
        assert_eq!(chosen(before_2017), Some("-std=gnu11"));
        assert_eq!(chosen(|flag| flag.starts_with("-std=")), None);
    }
}
