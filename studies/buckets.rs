//! How well findings are sorted into buckets: how often findings of one defect are kept apart,
//! and how often findings of several share a bucket.
//!
//! Which defect a finding is of must be known for that. Of planted ones it is the compiler that
//! was given the defect (see [`crate::reduction`]); they are found by campaigns over programs
//! of our own. Of real ones it is the section of `docs/findings.md` whose program it comes from:
//! each of those was looked into by hand, and each program is varied by single mutations, since
//! a defect that is found once says nothing of how alike its findings are.

use crate::reduction::{PLANTED, defect, patient, planted};
use crate::support::document;
use mestra::hunt::bucket::{Bucket, BucketEntry, buckets};
use mestra::hunt::finding::{self, Finding};
use mestra::lab::process::Command;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// How many findings of a defect are sorted.
const FINDINGS_OF_EACH: usize = 4;

/// How long the findings of a half are reduced, unless `MESTRA_BUCKETS_TIME` says otherwise.
const TIME: &str = "10m";

/// A finding, the defect that it is known to be of, and where it was sorted.
struct Sorted {
    defect: String,
    bucket: usize,
    /// Whether anything is known of it that could tell it from others.
    is_told: bool,
    tokens: Option<usize>,
}

pub fn study(_: usize) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let mut text = String::new();
    for (title, found) in [
        ("Planted defects", of_planted(directory.path())),
        ("Real defects of gcc", of_real(directory.path())),
    ] {
        let _ = writeln!(text, "**{title}**\n\n{}", table(&found));
    }
    text
}

/// Six wrong instructions of gcc, in programs of our own.
fn of_planted(directory: &Path) -> Vec<Sorted> {
    let compilers: BTreeMap<PathBuf, &str> = PLANTED
        .iter()
        .enumerate()
        .map(|(number, prefix)| {
            let own = directory.join(format!("planted{number}"));
            fs::create_dir(&own).expect("the directory is writable");
            (planted(&own, defect(prefix)), defect(prefix))
        })
        .collect();
    let campaign = directory.join("planted");
    let mut words = vec!["--seeds".to_owned(), "own".into(), "--count".into()];
    words.extend(["12", "--flag-set=-O2"].map(str::to_owned));
    for compiler in compilers.keys() {
        words.extend(["--compiler".into(), compiler.display().to_string()]);
    }
    run("campaign", &campaign, &words);
    sorted(&campaign, |finding| {
        compilers[&finding.config.compiler.path].to_owned()
    })
}

/// The programs of the document on which the installed gcc is wrong, and variants of them.
fn of_real(directory: &Path) -> Vec<Sorted> {
    let seeds = directory.join("seeds");
    fs::create_dir(&seeds).expect("the directory is writable");
    let document = fs::read_to_string(document::directory().join("findings.md"));
    let programs = programs(&document.expect("docs/findings.md is there"));
    for (number, (_, program)) in programs.iter().enumerate() {
        let path = seeds.join(format!("{number:02}.c"));
        fs::write(&path, program).expect("it is writable");
    }
    let words = ["-n", "6", "--max-mutations", "1", "--strategy", "hermes"].map(str::to_owned);
    let files = (0..programs.len()).map(|number| seeds.join(format!("{number:02}.c")));
    let files = files.map(|path| path.display().to_string());
    run(
        "mutate",
        &seeds,
        &words.into_iter().chain(files).collect::<Vec<_>>(),
    );
    let campaign = directory.join("real");
    let mut words = vec!["--seeds".to_owned(), seeds.display().to_string()];
    words.extend(["--flag-set=-O1", "--flag-set=-O2", "--flag-set=-O3"].map(str::to_owned));
    words.extend(["--compiler", "gcc"].map(str::to_owned));
    run("campaign", &campaign, &words);
    sorted(&campaign, |finding| {
        let number = finding.seed.file_name.split('.').next().unwrap_or_default();
        let number: usize = number.parse().expect("seeds have numbers");
        programs[number].0.clone()
    })
}

/// The programs for gcc of a document, by the titles of their sections.
fn programs(document: &str) -> Vec<(String, String)> {
    let sections = document.split("\n## ").skip(1);
    let programs = sections.filter_map(|section| {
        let (title, rest) = section.split_once('\n')?;
        let title = title.strip_prefix("gcc: ")?;
        let (_, program) = rest.split_once("```c\n")?;
        let (program, _) = program.split_once("```")?;
        Some((title.to_owned(), program.to_owned()))
    });
    programs.collect()
}

/// Runs a command of Mestra that writes to a directory.
fn run(command: &str, out: &Path, words: &[String]) {
    let common: &[&str] = match command {
        "campaign" => &["--no-reduce", "--schedule", "fixed", "-n", "1"],
        _ => &[],
    };
    let ran = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg(command)
        .args(common)
        .args(words)
        .arg("-o")
        .arg(out)
        .limits(patient())
        .run()
        .expect("Mestra can be started");
    eprintln!("buckets: {command} {:.0} s", ran.wall.as_secs_f64());
}

/// Reduces some findings of every defect, each of another program, and sorts them.
fn sorted(campaign: &Path, defect: impl Fn(&Finding) -> String) -> Vec<Sorted> {
    let mut taken: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for directory in finding::directories(campaign).expect("the campaign is there") {
        let finding = Finding::read(&directory).expect("it can be read");
        let programs = taken.entry(defect(&finding)).or_default();
        if programs.len() == FINDINGS_OF_EACH || !programs.insert(finding.seed.number) {
            fs::remove_dir_all(directory).expect("it is ours");
        }
    }
    let time = std::env::var("MESTRA_BUCKETS_TIME").unwrap_or_else(|_| TIME.into());
    let ran = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["reduce", "--no-cvise", "--time", &time])
        .arg(campaign)
        .limits(patient())
        .run()
        .expect("Mestra can be started");
    eprintln!("buckets: reduce {:.0} s", ran.wall.as_secs_f64());
    let buckets = buckets(campaign, &[])
        .expect("findings can be sorted")
        .buckets;
    let numbered = buckets.iter().enumerate();
    let findings = numbered.flat_map(|(number, bucket)| {
        eprintln!("buckets: {}", described(bucket, &defect));
        let entries = bucket.entries.iter();
        entries.map(move |entry| (number, entry))
    });
    findings
        .map(|(bucket, entry)| Sorted {
            defect: defect(&entry.finding),
            bucket,
            is_told: is_told(entry),
            tokens: entry.tokens,
        })
        .collect()
}

fn is_told(entry: &BucketEntry) -> bool {
    let shown = &entry.fingerprint;
    shown.signature.is_some() || shown.pass.is_some() || shown.is_small
}

/// A bucket in a line: its title, and what is in it.
fn described(bucket: &Bucket, defect: impl Fn(&Finding) -> String) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &bucket.entries {
        *counts.entry(defect(&entry.finding)).or_default() += 1;
    }
    format!("{}: {counts:?}", bucket.title)
}

fn table(found: &[Sorted]) -> String {
    let mut text = String::from(
        "| defect | findings | told apart | smallest, tokens | buckets | of these shared |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    let told: Vec<&Sorted> = found.iter().filter(|one| one.is_told).collect();
    let defects: BTreeSet<&String> = found.iter().map(|one| &one.defect).collect();
    for defect in &defects {
        let is_own = |one: &&Sorted| one.defect == **defect;
        let of_it: Vec<&Sorted> = told.iter().copied().filter(is_own).collect();
        let own: BTreeSet<usize> = of_it.iter().map(|one| one.bucket).collect();
        let others = || told.iter().filter(|one| one.defect != **defect);
        let is_shared = |bucket: &&usize| others().any(|one| one.bucket == **bucket);
        let least = of_it.iter().filter_map(|one| one.tokens).min();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            defect,
            found.iter().filter(is_own).count(),
            of_it.len(),
            least.map_or("–".into(), |least| least.to_string()),
            own.len(),
            own.iter().filter(is_shared).count()
        );
    }
    let _ = writeln!(text, "\n{}\n{}", pairs(&told), first(found));
    text
}

/// Pairs of findings that are sorted wrongly.
fn pairs(told: &[&Sorted]) -> String {
    let (mut of_one, mut kept_apart, mut of_two, mut merged) = (0, 0, 0, 0);
    for (number, one) in told.iter().enumerate() {
        for other in &told[number + 1..] {
            let is_together = one.bucket == other.bucket;
            if one.defect == other.defect {
                of_one += 1;
                kept_apart += usize::from(!is_together);
            } else {
                of_two += 1;
                merged += usize::from(is_together);
            }
        }
    }
    let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    format!(
        "Of {of_one} pairs of findings of one defect {kept_apart} are in two buckets \
         (under-merged: {:.0} %), of {of_two} pairs of two defects {merged} in one \
         (over-merged: {:.1} %).",
        share(kept_apart, of_one),
        share(merged, of_two)
    )
}

/// How many defects a reader sees who looks at the beginning of the list only.
fn first(found: &[Sorted]) -> String {
    let defects: BTreeSet<&String> = found.iter().map(|one| &one.defect).collect();
    let count = defects.len();
    // The first finding of a bucket is the one that is shown.
    let mut shown: BTreeMap<usize, &String> = BTreeMap::new();
    for one in found {
        shown.entry(one.bucket).or_insert(&one.defect);
    }
    let seen: BTreeSet<&&String> = shown.values().take(count).collect();
    format!(
        "The first {} of {} buckets show {} of {count} defects.",
        count.min(shown.len()),
        shown.len(),
        seen.len()
    )
}
