//! How much more of an optimiser variants exercise than their seeds, by what gcc and
//! clang say that they did and did not do.
//!
//! A remark counts without its place, and without names and numbers, so that it says
//! what was done and not to what. How often a program gets one counts by powers of two,
//! as fuzzers count edges: a loop unrolled a hundred times is not one unrolled once.

use crate::draw;
use crate::plot::{Bars, grouped};
use crate::sample::{STRATEGIES, Sample};
use mestra::lab::process::Command;
use mestra::lab::toolchain::newest_clang;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Where remarks come from.
pub const SOURCES: [&str; 3] = [
    "gcc -fopt-info-optall",
    "gcc -fdump-statistics",
    "clang optimisation records",
];

/// What was said of a program, by source: how often each remark was made.
pub type Said = [BTreeMap<String, u64>; SOURCES.len()];

/// What was said of some programs, by source.
pub type Seen = [BTreeSet<(String, u32)>; SOURCES.len()];

pub fn study(sample: &Sample) -> String {
    let of = |texts: Vec<&[u8]>| -> Vec<Said> {
        texts
            .into_par_iter()
            .map(|text| remarks(text, sample.flags(), true))
            .collect()
    };
    let seeds = of(sample.seeds().collect());
    let variants: Vec<Vec<Said>> = (0..STRATEGIES.len())
        .map(|strategy| of(sample.variants(strategy).collect()))
        .collect();
    let others = of(sample.others().collect());

    let base = union(seeds.iter());
    let mut rows = Vec::new();
    for ((_, name), said) in STRATEGIES.iter().zip(&variants) {
        rows.push((
            format!("and variants by {name}"),
            said.len(),
            union(seeds.iter().chain(said)),
        ));
    }
    let everything = variants.iter().flatten();
    let count = everything.clone().count();
    rows.push((
        "and the four together".into(),
        count,
        union(seeds.iter().chain(everything)),
    ));
    rows.push((
        "and further seeds".into(),
        others.len(),
        union(seeds.iter().chain(&others)),
    ));

    let mut text = String::from(
        "Distinct remarks, each with its number of times in a program as a power of two, over \
         all programs of a row; in parentheses the kinds of remarks without their number.\n\n\
         | programs | number |",
    );
    SOURCES.iter().for_each(|source| {
        let _ = write!(text, " {source} |");
    });
    text.push_str("\n|---|---:|---:|---:|---:|\n");
    let row = |text: &mut String, name: &str, count: usize, seen: &Seen| {
        let _ = write!(text, "| {name} | {count} |");
        for (seen, base) in seen.iter().zip(&base) {
            let more = percent(base.len(), seen.len());
            let _ = write!(text, " {} ({}), {more:+.1} % |", seen.len(), kinds(seen));
        }
        text.push('\n');
    };
    row(&mut text, "seeds", seeds.len(), &base);
    let mut series = Vec::new();
    for (name, count, seen) in &rows {
        row(&mut text, name, seeds.len() + count, seen);
        let more = base
            .iter()
            .zip(seen)
            .map(|(base, seen)| percent(base.len(), seen.len()));
        series.push(Bars::of_row(name, more.collect()));
    }
    draw(
        "remarks",
        &grouped(
            "Distinct remarks, % more than of the seeds alone",
            &SOURCES,
            &series,
        ),
    );
    text.push_str("\n![More remarks than of the seeds alone](studies/remarks.svg)\n\n");
    text.push_str(&each_seed(&seeds, &variants));
    text
}

/// The mean over seeds of how much more is said of a seed and its own variants.
fn each_seed(seeds: &[Said], variants: &[Vec<Said>]) -> String {
    let mut text = String::from("For a single seed and its own variants, the mean over seeds:");
    for ((_, name), said) in STRATEGIES.iter().zip(variants) {
        let each = said.len() / seeds.len();
        let mut sums = [0.0; SOURCES.len()];
        for (seed, own) in seeds.iter().zip(said.chunks(each)) {
            let base = union(std::iter::once(seed));
            let seen = union(std::iter::once(seed).chain(own));
            for ((sum, base), seen) in sums.iter_mut().zip(&base).zip(&seen) {
                *sum += percent(base.len(), seen.len()) / seeds.len() as f64;
            }
        }
        let [info, statistics, records] = sums;
        let _ = write!(
            text,
            " {name} {info:+.0} %, {statistics:+.0} %, {records:+.0} %;"
        );
    }
    text.pop();
    text.push_str(" (in the order of the columns).\n");
    text
}

pub fn percent(base: usize, more: usize) -> f64 {
    (more as f64 / base as f64 - 1.0) * 100.0
}

fn kinds(seen: &BTreeSet<(String, u32)>) -> usize {
    let kinds: BTreeSet<&str> = seen.iter().map(|(remark, _)| remark.as_str()).collect();
    kinds.len()
}

pub fn union<'s>(programs: impl Iterator<Item = &'s Said>) -> Seen {
    let mut seen = Seen::default();
    for said in programs {
        for (seen, said) in seen.iter_mut().zip(said) {
            seen.extend(
                said.iter()
                    .map(|(remark, times)| (remark.clone(), times.ilog2())),
            );
        }
    }
    seen
}

/// What the compilers say of a text at `-O2`; of clang only if wanted.
pub fn remarks(text: &[u8], flags: &[OsString], with_clang: bool) -> Said {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let path = directory.path();
    fs::write(path.join("a.c"), text).expect("the temporary directory can be written");
    let mut said = Said::default();
    run(
        path,
        "gcc",
        flags,
        &["-fopt-info-optall=remarks", "-fdump-statistics"],
    );
    for line in read(path, "remarks").lines() {
        // `a.c:3:4: optimized: loop vectorized`
        let kinds = [": optimized: ", ": missed: ", ": note: "];
        if let Some(start) = kinds.iter().find_map(|kind| line.find(kind)) {
            *said[0].entry(general(&line[start + 2..])).or_default() += 1;
        }
    }
    let files = fs::read_dir(path).expect("the temporary directory can be read");
    let names = files
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned());
    let statistics = names.filter(|name| name.ends_with(".statistics"));
    for line in statistics.flat_map(|name| {
        read(path, &name)
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    }) {
        // `33 cddce "Statements deleted" "func_1" 3`
        let fields: Vec<&str> = line.split('"').collect();
        if let [pass, event, _, _, times] = fields[..] {
            let pass = pass.split_whitespace().last().unwrap_or_default();
            let times: u64 = times.trim().parse().unwrap_or(0);
            *said[1]
                .entry(format!("{pass} {}", general(event)))
                .or_default() += times;
        }
    }
    said[1].retain(|_, times| *times > 0);
    if let (true, Some(clang)) = (with_clang, newest_clang()) {
        let file = "-foptimization-record-file=record";
        run(
            path,
            &clang.name,
            flags,
            &["-fsave-optimization-record", file],
        );
        let mut remark = String::new();
        for line in read(path, "record").lines() {
            if let Some(kind) = line.strip_prefix("--- !") {
                remark = kind.to_owned();
            } else if line.starts_with("Pass:") || line.starts_with("Name:") {
                remark.push_str(
                    line.split_once(':')
                        .map_or("", |(_, value)| value.trim_end()),
                );
            } else if line == "..." {
                *said[2].entry(std::mem::take(&mut remark)).or_default() += 1;
            }
        }
    }
    said
}

fn run(directory: &Path, compiler: &str, own: &[OsString], flags: &[&str]) {
    let outcome = Command::new(compiler)
        .directory(directory)
        .args(["-w", "-O2", "-S", "-o", "a.s", "a.c"])
        .args(own)
        .args(flags)
        .run();
    let outcome = outcome.expect("the compiler is installed");
    assert!(
        outcome.ending.is_success(),
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
}

/// A file that is not there if nothing was said.
fn read(directory: &Path, name: &str) -> String {
    let bytes = fs::read(directory.join(name)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A remark without names and numbers: every word with a digit or an underscore.
pub fn general(remark: &str) -> String {
    let mut text = String::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut rest = remark;
    while let Some(first) = rest.chars().next() {
        let end = rest
            .find(|c| is_word(c) != is_word(first))
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let is_name = is_word(first) && word.contains(|c: char| c.is_ascii_digit() || c == '_');
        text.push_str(if is_name { "…" } else { word });
        rest = after;
    }
    text
}
