//! How differently a compiler's optimiser treats a variant and its seed, by what
//! it says of them.
//!
//! gcc writes what it did and did not do with `-fopt-info-optall`, clang with
//! `-fsave-optimization-record`. Places are left out, since mutations move them;
//! what is left is compared as multisets.

use super::objective::Objective;
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::lab::{Lab, Patience, Stage, Way};
use crate::source::program::Program;
use crate::source::seed::Seed;
use crate::variant::mutation::Mutation;
use crate::variant::replay;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::time::Duration;

/// Remarks and how often each is made.
type Said = BTreeMap<String, usize>;

/// The distance of remarks from those on the seed.
#[derive(Debug)]
pub(crate) struct Remarks<'p> {
    lab: Lab,
    stage: Stage<'p>,
    program: &'p Program,
    way: Way,
    seed: Said,
}

impl<'p> Remarks<'p> {
    pub(crate) fn new(
        lab: &Lab,
        seed: &'p Seed,
        program: &'p Program,
        compiler: &Compiler,
    ) -> Result<Remarks<'p>> {
        let config = Config::new(compiler.clone(), &["-O2"]);
        let patience = Patience::trusting(Duration::ZERO);
        let mut remarks = Remarks {
            lab: lab.clone(),
            stage: Stage::new(seed)?,
            program,
            way: Way::of(&config, patience).counted_as(Purpose::Other),
            seed: Said::new(),
        };
        remarks.seed = remarks.on(&seed.source)?;
        Ok(remarks)
    }

    /// What the compiler says of a text.
    fn on(&self, text: &[u8]) -> Result<Said> {
        let compiler = &self.way.compiler;
        let said = match self.lab.remarks(&self.stage, text, &self.way)? {
            Ok(said) => said,
            Err(failure) => {
                let words = failure.words();
                bail!("{} cannot compile a variant: {words}", compiler.name)
            }
        };
        let said = String::from_utf8_lossy(&said);
        Ok(match compiler.family {
            Family::Clang => clang_remarks(&said),
            _ => gcc_remarks(&said),
        })
    }
}

impl Objective for Remarks<'_> {
    fn score(&mut self, mutations: &[Mutation]) -> Result<f64> {
        let text = replay::apply(self.program, mutations)?;
        Ok(apart(&self.seed, &self.on(&text)?))
    }
}

/// `file:line:column: optimized: loop vectorized`: the words behind the place.
fn gcc_remarks(text: &str) -> Said {
    let mut said = Said::new();
    for line in text.lines() {
        let kinds = [": optimized: ", ": missed: ", ": note: "];
        let start = kinds.iter().find_map(|kind| line.find(kind));
        if let Some(start) = start {
            *said.entry(line[start + 2..].to_owned()).or_default() += 1;
        }
    }
    said
}

/// One YAML document for each remark: its kind, pass and name.
fn clang_remarks(text: &str) -> Said {
    let mut said = Said::new();
    let mut remark = String::new();
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("--- !") {
            remark = kind.to_owned();
        } else if line.starts_with("Pass:") || line.starts_with("Name:") {
            let value = line.split_once(':').map_or("", |(_, value)| value.trim());
            remark = format!("{remark} {value}");
        } else if line == "..." {
            *said.entry(std::mem::take(&mut remark)).or_default() += 1;
        }
    }
    said
}

/// The Jaccard distance of two multisets.
fn apart(one: &Said, other: &Said) -> f64 {
    let (mut common, mut all) = (0, 0);
    for (remark, count) in one {
        let also = other.get(remark).copied().unwrap_or(0);
        common += (*count).min(also);
        all += (*count).max(also);
    }
    let new = other
        .iter()
        .filter(|(remark, _)| !one.contains_key(*remark));
    all += new.map(|(_, count)| count).sum::<usize>();
    match all {
        0 => 0.0,
        all => 1.0 - common as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_both_compilers_are_read_without_their_places() {
        let gcc = "a.c:3:4: optimized: loop vectorized\na.c:9:1: optimized: loop vectorized\n\
                   a.c:5:2: missed: not inlined\nUnit growth: 3\n";
        let gcc = gcc_remarks(gcc);
        assert_eq!(gcc["optimized: loop vectorized"], 2);
        assert_eq!(gcc.len(), 2);
        let clang = "--- !Passed\nPass:            inline\nName:            Inlined\n\
                     DebugLoc:        { File: a.c, Line: 3 }\nFunction:        main\n...\n";
        assert_eq!(clang_remarks(clang)["Passed inline Inlined"], 1);
    }

    #[test]
    fn the_distance_is_none_for_equal_and_one_for_disjoint_remarks() {
        let said = |pairs: &[(&str, usize)]| -> Said {
            pairs
                .iter()
                .map(|(text, n)| ((*text).to_owned(), *n))
                .collect()
        };
        let one = said(&[("a", 2), ("b", 1)]);
        assert_eq!(apart(&one, &one), 0.0);
        assert_eq!(apart(&one, &said(&[("c", 1)])), 1.0);
        assert_eq!(apart(&one, &said(&[("a", 1), ("c", 1)])), 0.75);
        assert_eq!(apart(&Said::new(), &Said::new()), 0.0);
    }
}
