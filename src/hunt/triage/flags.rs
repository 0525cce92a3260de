//! Which of the flags that dice chose a failure needs, and the lowest level that it needs.

use crate::hunt::finding::FlagsSummary;
use crate::lab::toolchain::Config;
use crate::variant::delta::minimise;
use anyhow::Result;

/// The levels of gcc and clang from the lowest on.
const ASCENDING: [&str; 7] = ["-O0", "-Og", "-O1", "-Os", "-Oz", "-O2", "-O3"];

/// A config that still fails, with fewer flags.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FewerFlags {
    pub(super) config: Config,
    pub(super) tests: usize,
}

/// Leaves out drawn flags as long as `fails` holds, and lowers the level; `None` if dice
/// chose none.
pub(super) fn reduce(
    config: &Config,
    fails: impl Fn(&Config) -> Result<bool> + Sync,
    should_stop: impl Fn() -> bool,
) -> Result<Option<FewerFlags>> {
    let Some((level, others)) = config.drawn.split_first() else {
        return Ok(None);
    };
    let with = |level: &str, others: &[String]| {
        let level = std::iter::once(level.to_owned());
        config.with_drawn(level.chain(others.iter().cloned()).collect())
    };
    let needed = |level: &str, others: &[String]| {
        minimise(others, |others| fails(&with(level, others)), &should_stop)
    };
    let mut kept = needed(level, others)?;
    let mut tests = kept.tests;
    let lower = ASCENDING.iter().take_while(|lower| *lower != level);
    let mut lowest = level.as_str();
    for lower in lower {
        if should_stop() {
            break;
        }
        tests += 1;
        if fails(&with(lower, &kept.items))? {
            lowest = lower;
            // What kept a pass from running is not needed where the pass does not run.
            kept = needed(lowest, &kept.items)?;
            tests += kept.tests;
            break;
        }
    }
    Ok(Some(FewerFlags {
        config: with(lowest, &kept.items).named_by_flags(),
        tests,
    }))
}

/// What is told of the flags of a finding after they were reduced.
pub(super) fn summary(found: &Config, small: &Config, tests: usize) -> Option<FlagsSummary> {
    (!found.drawn.is_empty()).then(|| FlagsSummary {
        before: found.drawn.clone(),
        after: small.drawn.clone(),
        tests,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake::{self, Answer, Moment};
    use crate::lab::toolchain::Family;
    use crate::lab::{Lab, Outcome, Patience, Stage, Way};
    use crate::source::seed::Seed;
    use std::fs;

    /// The config that is left of one with such flags, if the script says what fails.
    fn left(drawn: &[&str], fails: fn(&Moment) -> bool) -> Config {
        let lab = fake::lab(move |moment| {
            let is_wrong = moment.is_run && fails(moment);
            Answer::good(if is_wrong { "wrong\n" } else { "right\n" })
        });
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("seed.c");
        fs::write(&path, "int main(void) { return 0; }\n").unwrap();
        let seed = Seed::read(&path, &[]).unwrap();
        let own = Config::new(fake::compiler("gcc-0", Family::Gcc), &["-m32"]);
        let config = own.with_drawn(drawn.iter().map(|&flag| flag.to_owned()).collect());
        let fails = |config: &Config| is_wrong(&lab, &seed, config);
        assert!(fails(&config).unwrap());
        let left = reduce(&config, fails, || false).unwrap().unwrap();
        assert!(fails(&left.config).unwrap());
        left.config
    }

    fn is_wrong(lab: &Lab, seed: &Seed, config: &Config) -> Result<bool> {
        let way = Way::of(config, Patience::default());
        match lab.trial(&Stage::new(seed)?, &seed.source, &way)? {
            Outcome::Ran(runs) => Ok(runs[0].stdout == b"wrong\n"),
            Outcome::Failed(_) => Ok(false),
        }
    }

    #[test]
    fn the_flags_that_matter_together_are_left() {
        let drawn = ["-O3", "-fpic", "-fweb", "-mllvm -x=3", "-ftracer", "-g"];
        let config = left(&drawn, |moment| {
            let is_optimised = moment.has("-O2") || moment.has("-O3");
            is_optimised && moment.has("-x=3") && moment.has("-fweb")
        });
        assert_eq!(config.drawn, ["-O2", "-fweb", "-mllvm -x=3"]);
        assert_eq!(config.name, "gcc-0 -O2 -fweb -mllvm -x=3 -m32");
    }

    #[test]
    fn what_the_level_alone_decides_leaves_no_flag() {
        let config = left(&["-O3", "-fweb", "-g"], |moment| moment.has("-O3"));
        assert_eq!(config.flags, ["-O3", "-m32"]);
    }

    #[test]
    fn a_flag_that_only_a_higher_level_needs_is_left_out_with_it() {
        let config = left(&["-O2", "-fno-tree-vrp", "-g"], |moment| {
            moment.has("-O1") || moment.has("-fno-tree-vrp")
        });
        assert_eq!(config.drawn, ["-O0", "-fno-tree-vrp"]);
        let config = left(&["-O2", "-fno-tree-vrp", "-g"], |moment| {
            moment.has("-O1") || moment.has("-O2") && moment.has("-fno-tree-vrp")
        });
        assert_eq!(config.drawn, ["-O1"]);
    }

    #[test]
    fn flags_that_nobody_drew_are_left_alone() {
        let config = Config::new(fake::compiler("gcc-0", Family::Gcc), &["-O2", "-fweb"]);
        assert_eq!(reduce(&config, |_| Ok(true), || false).unwrap(), None);
    }
}
