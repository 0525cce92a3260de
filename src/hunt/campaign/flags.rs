//! Flags by dice: beside the levels, each gcc and clang gets a set of flags that nobody
//! chose, another one for every program.
//!
//! What may be drawn is found out when a campaign begins and kept in its plan, so that a set
//! follows from the plan and the numbers of seed and variant.

use crate::dice::{self, Dice, Draw};
use crate::lab::Lab;
use crate::lab::toolchain::{Config, Knob, LEVEL, LINK};
use anyhow::Result;
use rand::Rng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most flags of a set, the level aside. The more there are, the less each of them gets
/// to do.
const MOST: usize = 5;

/// How the flags of linking are tried.
const USUAL_LEVEL: &str = "-O2";

/// A compiler with the flags that dice may give it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlagPool {
    /// With the flags that it always gets. Its name stands for all sets together.
    pub config: Config,
    knobs: Vec<Knob>,
    /// Whether a set is a level and a sanitizer, for some programs only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_of_sanitizers: bool,
}

/// One of so many programs is given to sanitizers: they take several times as long.
const SANITIZED: u32 = 4;

impl FlagPool {
    /// The flags that a compiler knows, if there are any to choose from; `works` says
    /// whether a config can build and run a program.
    pub(super) fn find(
        lab: &Lab,
        config: &Config,
        works: impl Fn(&Config) -> Result<bool> + Sync,
    ) -> Result<Option<FlagPool>> {
        let known = lab.known_flags(config)?;
        let (of_linking, mut knobs): (Vec<Knob>, Vec<Knob>) =
            known.into_iter().partition(|knob| knob.group() == LINK);
        let tried: Vec<(Knob, bool)> = of_linking
            .into_par_iter()
            .map(|knob| {
                let with = config.with_drawn(vec![USUAL_LEVEL.into(), knob.example()]);
                works(&with).map(|works| (knob, works))
            })
            .collect::<Result<_>>()?;
        let working = tried.into_iter().filter(|(_, works)| *works);
        knobs.extend(working.map(|(knob, _)| knob));
        let levels = knobs.iter().filter(|knob| knob.group() == LEVEL).count();
        let is_of_use = 0 < levels && levels < knobs.len();
        Ok(is_of_use.then(|| FlagPool {
            config: config.clone(),
            knobs,
            is_of_sanitizers: false,
        }))
    }

    /// The sanitizers of a compiler as subjects: programs have no undefined behaviour, so
    /// none of them may report anything, at any level.
    pub(super) fn of_sanitizers(
        config: &Config,
        works: impl Fn(&Config) -> Result<bool> + Sync,
    ) -> Result<Option<FlagPool>> {
        let (levels, sanitizers) = Knob::sanitizers(config.compiler.family);
        let tried: Vec<(Knob, bool)> = sanitizers
            .into_par_iter()
            .map(|knob| {
                let with = config.with_drawn(vec![USUAL_LEVEL.into(), knob.example()]);
                works(&with).map(|works| (knob, works))
            })
            .collect::<Result<_>>()?;
        let working = tried.into_iter().filter(|(_, works)| *works);
        let working: Vec<Knob> = working.map(|(knob, _)| knob).collect();
        Ok((!working.is_empty()).then(|| FlagPool {
            config: config.clone(),
            knobs: levels.into_iter().chain(working).collect(),
            is_of_sanitizers: true,
        }))
    }

    /// The set for a variant, or for the seed itself, which is variant 0, if it gets one;
    /// `place` is that of the pool in the plan.
    pub(super) fn draw(&self, dice: u64, seed: u64, variant: u32, place: u32) -> Option<Config> {
        let mut rng = dice::generator(dice, seed, Draw::Flags { variant, place });
        let is_meant = !self.is_of_sanitizers || rng.random_ratio(1, SANITIZED);
        is_meant.then(|| self.config.with_drawn(self.draw_from(&mut rng)))
    }

    /// The flag by which the compiler optimises when it links, if it can.
    pub(super) fn link_time(&self) -> Option<String> {
        let mut flags = self.knobs.iter().map(Knob::example);
        flags.find(|flag| flag.split(' ').next() == Some("-flto"))
    }

    /// All flags with their groups.
    pub(super) fn flags(&self) -> impl Iterator<Item = (&str, String)> {
        self.knobs.iter().map(|knob| (knob.group(), knob.example()))
    }

    /// A level, then flags, each from a group by dice: a group with many flags must not
    /// crowd out the others.
    fn draw_from(&self, rng: &mut Dice) -> Vec<String> {
        let mut groups: BTreeMap<&str, Vec<&Knob>> = BTreeMap::new();
        for knob in &self.knobs {
            groups.entry(knob.group()).or_default().push(knob);
        }
        let levels = groups.remove(LEVEL).unwrap_or_default();
        let groups: Vec<Vec<&Knob>> = groups.into_values().collect();
        let mut chosen: Vec<&Knob> = Vec::new();
        chosen.extend(levels.choose(rng));
        let most = if self.is_of_sanitizers { 1 } else { MOST };
        for _ in 0..rng.random_range(1..=most) {
            let knob = groups.choose(rng).and_then(|group| group.choose(rng));
            chosen.extend(knob.filter(|knob| !chosen.contains(knob)));
        }
        chosen.into_iter().map(|knob| knob.draw(rng)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake::{self, Answer};
    use crate::lab::toolchain::Family;
    use std::collections::BTreeSet;

    fn pool(works: fn(&Config) -> Result<bool>) -> FlagPool {
        let lab = fake::lab(|_| Answer::good(""));
        let config = Config::new(fake::compiler("gcc-0", Family::Gcc), &["-m64"]);
        FlagPool::find(&lab, &config, works).unwrap().unwrap()
    }

    #[test]
    fn sets_follow_from_the_plan_and_the_numbers_of_seed_and_variant() {
        let pool = pool(|_| Ok(true));
        let kept = serde_json::to_string(&pool).unwrap();
        let read: FlagPool = serde_json::from_str(&kept).unwrap();
        let mut sets = BTreeSet::new();
        for seed in 1..=20 {
            for variant in 0..=5 {
                let config = pool.draw(7, seed, variant, 0).unwrap();
                assert_eq!(Some(config.clone()), read.draw(7, seed, variant, 0));
                assert_eq!(config.name, pool.config.name);
                assert_eq!(config.flags.last().unwrap(), "-m64");
                assert!(config.drawn[0].starts_with("-O"), "{config:?}");
                assert!((2..=1 + MOST).contains(&config.drawn.len()), "{config:?}");
                sets.insert(config.drawn);
            }
        }
        assert!(sets.len() > 115, "{} of 120", sets.len());
        assert_ne!(pool.draw(7, 1, 1, 0), pool.draw(8, 1, 1, 0));
        assert_ne!(pool.draw(7, 1, 1, 0), pool.draw(7, 1, 1, 1));
    }

    #[test]
    fn every_flag_gets_its_turn() {
        let pool = pool(|_| Ok(true));
        let mut rng = dice::generator(0, 0, Draw::Seed);
        let mut seen = BTreeSet::new();
        for _ in 0..5_000 {
            for flag in pool.draw_from(&mut rng) {
                seen.insert(flag.split(['=', ' ']).take(2).collect::<Vec<_>>().join("="));
            }
        }
        for knob in &pool.knobs {
            let flag = knob.example();
            let name = flag.split(['=', ' ']).next().unwrap();
            assert!(seen.iter().any(|seen| seen.starts_with(name)), "{flag}");
        }
    }

    #[test]
    fn a_flag_that_does_not_link_is_not_drawn() {
        let without = pool(|config| Ok(!config.flags.contains(&"-flto".into())));
        let has = |pool: &FlagPool, flag: &str| {
            let mut examples = pool.knobs.iter().map(Knob::example);
            examples.any(|example| example.starts_with(flag))
        };
        assert!(!has(&without, "-flto") && has(&without, "-fpic"));
        assert!(has(&pool(|_| Ok(true)), "-flto"));
    }

    #[test]
    fn some_programs_get_a_level_and_a_sanitizer() {
        let config = Config::new(fake::compiler("clang-0", Family::Clang), &[]);
        let works = |config: &Config| Ok(!config.flags.contains(&"-fsanitize=memory".into()));
        let pool = FlagPool::of_sanitizers(&config, works).unwrap().unwrap();
        let drawn: Vec<Vec<String>> = (1..=400)
            .filter_map(|seed| Some(pool.draw(7, seed, 0, 0)?.drawn))
            .collect();
        assert!((60..140).contains(&drawn.len()), "{}", drawn.len());
        for set in &drawn {
            let [level, sanitizer] = set.as_slice() else {
                panic!("{set:?}");
            };
            assert!(level.starts_with("-O") && sanitizer.starts_with("-fsanitize="));
            assert_ne!(sanitizer, "-fsanitize=memory");
        }
    }

    #[test]
    fn a_compiler_without_a_table_is_left_alone() {
        let lab = fake::lab(|_| Answer::good(""));
        for family in [Family::Tcc, Family::Other] {
            let config = Config::new(fake::compiler("cc", family), &[]);
            assert_eq!(FlagPool::find(&lab, &config, |_| Ok(true)).unwrap(), None);
        }
    }
}
