//! How differently a compiler's optimiser treats a variant and its seed, by what
//! it says of them.
//!
//! gcc writes what it did and did not do with `-fopt-info-optall`, clang with
//! `-fsave-optimization-record`. Places are left out, since mutations move them;
//! what is left is compared as multisets.

use super::objective::Objective;
use crate::lab::process::Purpose;
use crate::lab::scratch;
use crate::lab::toolchain::{Compiler, Family, Stage};
use crate::source::program::Program;
use crate::source::seed::Seed;
use crate::variant::mutation::Mutation;
use crate::variant::replay;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;

/// The file that remarks are written to.
const FILE: &str = "remarks";

/// Remarks and how often each is made.
type Said = BTreeMap<String, usize>;

/// The distance of remarks from those on the seed.
#[derive(Debug)]
pub struct Remarks<'p> {
    stage: Stage<'p>,
    program: &'p Program,
    compiler: Compiler,
    seed: Said,
}

impl<'p> Remarks<'p> {
    pub fn new(seed: &'p Seed, program: &'p Program, compiler: Compiler) -> Result<Remarks<'p>> {
        let mut remarks = Remarks {
            stage: Stage::new(seed, Purpose::Other)?,
            program,
            compiler,
            seed: Said::new(),
        };
        remarks.seed = remarks.on(&seed.source)?;
        Ok(remarks)
    }

    /// What the compiler says of a text.
    fn on(&self, text: &[u8]) -> Result<Said> {
        let record: &[&str] = match self.compiler.family {
            Family::Gcc => &["-fopt-info-optall=remarks"],
            Family::Clang => &[
                "-fsave-optimization-record",
                "-foptimization-record-file=remarks",
            ],
            _ => bail!(
                "{} writes no optimisation remarks in a known format",
                self.compiler.name
            ),
        };
        let flags = ["-c", "-O2"].iter().chain(record).map(OsString::from);
        let flags: Vec<OsString> = flags.collect();
        let directory = scratch::directory().context("making a directory for a build")?;
        let path = directory.path();
        let built = self.stage.build(&self.compiler, path, &flags, text, &[])?;
        if let Err(error) = built {
            bail!("{} cannot compile a variant: {error}", self.compiler.name);
        }
        // The file is not there if nothing was said.
        let said = match fs::read(path.join(FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.context("reading remarks")?,
        };
        let said = String::from_utf8_lossy(&said);
        Ok(match self.compiler.family {
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
