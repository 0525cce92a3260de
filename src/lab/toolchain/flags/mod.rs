//! Flags that leave the meaning of a program alone, in a table for each family of
//! compilers.
//!
//! The tables are curated: whatever is drawn from them must not change what a valid program
//! does. Which flags are drawn, and when, is decided elsewhere.

mod probe;

use super::{Family, Runner};
use crate::dice::Dice;
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// A line of a table: a group, and a flag with ranges such as `{1..9}` and lists such as
/// `{a,b}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Knob(String);

/// The group of optimisation levels.
pub(crate) const LEVEL: &str = "level";

/// The group of flags that matter to linking, too.
pub(crate) const LINK: &str = "link";

/// The groups of flags for machines with AVX2 and with AVX-512, and the instructions of
/// their time.
const X86_64_V3: &str = "x86-64-v3";
const X86_64_V4: &str = "x86-64-v4";

impl Knob {
    /// The table of a family; empty if there is none.
    pub(crate) fn table(family: Family) -> Vec<Knob> {
        let text = match family {
            Family::Gcc => include_str!("gcc.txt"),
            Family::Clang => include_str!("clang.txt"),
            Family::Tcc | Family::Other => "",
        };
        let lines = text.lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(|line| Knob(line.to_owned()))
            .collect()
    }

    /// Levels, and the sanitizers of a family, each by itself.
    pub(crate) fn sanitizers(family: Family) -> (Vec<Knob>, Vec<Knob>) {
        let names: &[&str] = match family {
            Family::Gcc => &["address", "undefined"],
            Family::Clang => &["address", "undefined", "memory"],
            Family::Tcc | Family::Other => &[],
        };
        let levels = ["-O0", "-O1", "-O2", "-O3", "-Os"].iter();
        let levels = levels.map(|level| Knob(format!("{LEVEL} {level}")));
        let names = names.iter();
        let sanitizers = names.map(|name| Knob(format!("sanitize -fsanitize={name}")));
        (levels.collect(), sanitizers.collect())
    }

    pub(crate) fn group(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }

    /// The flag with its ranges and lists.
    fn pattern(&self) -> &str {
        self.0.split_once(' ').map_or("", |(_, flag)| flag)
    }

    /// The flag, with whatever the dice say where it leaves a choice.
    pub(crate) fn draw(&self, rng: &mut Dice) -> String {
        self.fill(|choice| choice.draw(rng))
    }

    /// The flag with a choice that is as good as any other.
    pub(crate) fn example(&self) -> String {
        self.fill(|choice| choice.middle())
    }

    fn fill(&self, mut choose: impl FnMut(&KnobChoice<'_>) -> String) -> String {
        let mut filled = String::new();
        let mut rest = self.pattern();
        while let Some((before, (inside, after))) = rest
            .split_once('{')
            .and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
        {
            filled.push_str(before);
            filled.push_str(&choose(&KnobChoice::of(inside)));
            rest = after;
        }
        filled + rest
    }

    /// Whether programs that are compiled with it can be run, or need not.
    fn is_for_this_machine(&self, runner: &Runner) -> bool {
        let (has_v3, has_v4) = match runner {
            Runner::CompileOnly => (true, true),
            Runner::Direct => (has_x86_64_v3(), has_x86_64_v4()),
            Runner::Through(_) | Runner::InProcess(_) => (false, false),
        };
        match self.group() {
            X86_64_V3 => has_v3,
            X86_64_V4 => has_v4,
            _ => true,
        }
    }

    /// Whether a compiler complains about the flag by name.
    fn is_named_in(&self, said: &str) -> bool {
        let example = self.example();
        let names: Vec<&str> = example
            .split(' ')
            .filter(|word| !["-mllvm", "-Xclang"].contains(word))
            .map(|word| {
                let word = word.strip_prefix("--param=").unwrap_or(word);
                word.split('=').next().unwrap_or(word)
            })
            .map(|word| word.trim_start_matches('-'))
            .collect();
        said.lines().any(|line| {
            // What it takes for a misspelling of another flag says nothing about that one.
            let line = line.split("id you mean").next().unwrap_or(line);
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-_+.".contains(c);
            let mut words = line.split(|c: char| !is_part(c));
            words.any(|word| names.contains(&word.trim_start_matches('-')))
        })
    }
}

/// What stands between braces.
enum KnobChoice<'k> {
    Number(i64, i64),
    Word(Vec<&'k str>),
}

impl KnobChoice<'_> {
    fn of(inside: &str) -> KnobChoice<'_> {
        let ends = inside.split_once("..");
        let ends = ends.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        match ends {
            Some((low, high)) => KnobChoice::Number(low, high),
            None => KnobChoice::Word(inside.split(',').collect()),
        }
    }

    fn draw(&self, rng: &mut Dice) -> String {
        match self {
            KnobChoice::Number(low, high) => rng.random_range(*low..=*high).to_string(),
            KnobChoice::Word(words) => words.choose(rng).copied().unwrap_or_default().to_owned(),
        }
    }

    fn middle(&self) -> String {
        match self {
            KnobChoice::Number(low, high) => ((low + high + 1) / 2).to_string(),
            KnobChoice::Word(words) => words[0].to_owned(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_x86_64_v3() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt") && has!("movbe")
}

#[cfg(target_arch = "x86_64")]
fn has_x86_64_v4() -> bool {
    use std::arch::is_x86_feature_detected as has;
    let is_whole = has!("avx512f") && has!("avx512bw") && has!("avx512cd");
    has_x86_64_v3() && is_whole && has!("avx512dq") && has!("avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_x86_64_v3() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn has_x86_64_v4() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{self, Draw};
    use std::collections::BTreeSet;

    /// What must never be drawn, as parts of flags.
    const FORBIDDEN: [&str; 22] = [
        "fast-math",
        "math",
        "-Ofast",
        "trapv",
        "short-enums",
        "short-wchar",
        "pack-struct",
        "reg-struct-return",
        "single-precision",
        "excess-precision",
        "fp-contract",
        "signed-zeros",
        "merge-all-constants",
        "profile",
        "openmp",
        "parallelize-loops",
        "unsigned-char",
        "allow-store-data-races",
        "strict-flex-arrays",
        "freestanding",
        "sanitize",
        "-ffinite-loops",
    ];

    fn tables() -> impl Iterator<Item = (Family, Vec<Knob>)> {
        [Family::Gcc, Family::Clang]
            .map(|family| (family, Knob::table(family)))
            .into_iter()
    }

    #[test]
    fn no_flag_of_a_table_changes_what_a_program_means() {
        for (family, table) in tables() {
            assert!(table.len() > 100, "{family:?}: {}", table.len());
            for knob in table {
                let flag = knob.pattern();
                assert!(!FORBIDDEN.iter().any(|part| flag.contains(part)), "{flag}");
            }
        }
    }

    #[test]
    fn every_line_of_a_table_is_a_group_and_a_flag_of_its_own() {
        for (_, table) in tables() {
            let mut seen = BTreeSet::new();
            for knob in &table {
                assert!(
                    knob.group()
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b == b'-')
                );
                assert!(knob.pattern().starts_with('-'), "{knob:?}");
                assert!(seen.insert(knob.pattern()), "{knob:?} is there twice");
                assert!(!knob.example().contains(['{', '}', '"']), "{knob:?}");
            }
            assert!(table.iter().filter(|knob| knob.group() == LEVEL).count() > 3);
        }
        // LLVM takes an option once.
        let mut options = BTreeSet::new();
        for knob in Knob::table(Family::Clang) {
            let words: Vec<&str> = knob.pattern().split(' ').collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "-mllvm") {
                let option = pair[1].split('=').next().unwrap().to_owned();
                assert!(options.insert(option), "{knob:?}");
            }
        }
    }

    #[test]
    fn flags_of_newer_machines_are_only_for_those_that_run_them_or_run_nothing() {
        let knob = Knob("x86-64-v4 -march=x86-64-v4".into());
        assert!(knob.is_for_this_machine(&Runner::CompileOnly));
        assert!(!knob.is_for_this_machine(&Runner::Through(vec!["emulator".into()])));
        assert_eq!(knob.is_for_this_machine(&Runner::Direct), has_x86_64_v4());
    }

    #[test]
    fn choices_are_filled_in_by_dice() {
        let knob = Knob("loop --param=a={3..5} -b={x,y}".into());
        assert_eq!(knob.example(), "--param=a=4 -b=x");
        let mut rng = dice::generator(0, 0, Draw::Seed);
        let drawn: BTreeSet<String> = (0..100).map(|_| knob.draw(&mut rng)).collect();
        assert_eq!(drawn.len(), 6, "{drawn:?}");
        assert!(drawn.contains("--param=a=5 -b=y"));
        let negative = Knob("vector -t={-2..-1}".into());
        assert!(["-t=-2", "-t=-1"].contains(&negative.draw(&mut rng).as_str()));
    }
}
