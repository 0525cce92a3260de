//! Many findings of a few defects under one limit: each defect becomes a small program. The
//! defects are wrong instructions of a gcc, so programs of one defect have little in common, and
//! all are findings of the same compiler. How they are sorted is printed, and measured by a study.

use super::fake::miscompiling;
use crate::campaign::{Place, command};
use mestra::hunt::bucket::buckets;
use mestra::hunt::finding::{self, Finding};
use mestra::lab::process::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A name, and what the compiler writes instead.
const DEFECTS: [(&str, &str); 6] = [
    ("negation", r"s/\tnegl\t/\tnotl\t/"),
    ("complement", r"s/\tnotl\t/\tnegl\t/"),
    ("sign of a char", r"s/\tmovsbl\t/\tmovzbl\t/"),
    (
        "times three",
        r"s/\tleal\t\((%r[a-z0-9]+),\1,2\)/\tleal\t(\1,\1,4)/",
    ),
    (
        "product",
        r"s/\timull\t(%[a-z0-9]+, %[a-z0-9]+)$/\taddl\t\1/",
    ),
    ("shift of a long", r"s/\tsarq\t/\tshrq\t/"),
];

const FINDINGS_OF_EACH: usize = 5;
const LIMIT: Duration = Duration::from_secs(600);

/// A compiler engineer would be content with that many.
const MOST_TOKENS: usize = 150;

/// By defect, the findings of a campaign, of which some are taken away so that each defect
/// has as many as it may.
fn found(out: &Path, compilers: &[PathBuf]) -> BTreeMap<usize, Vec<PathBuf>> {
    let mut found: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    for directory in finding::directories(out).unwrap() {
        let accused = Finding::read(&directory).unwrap().config.compiler.path;
        let defect = compilers.iter().position(|path| *path == accused).unwrap();
        let own = found.entry(defect).or_default();
        if own.len() < FINDINGS_OF_EACH {
            own.push(directory);
        } else {
            fs::remove_dir_all(directory).unwrap();
        }
    }
    found
}

fn patient() -> Limits {
    Limits {
        wall: Duration::from_secs(3600),
        memory: None,
        ..Limits::default()
    }
}

#[test]
#[ignore = "long"]
fn thirty_findings_of_six_defects_become_six_small_programs_in_ten_minutes() {
    let place = Place::new();
    let compilers: Vec<PathBuf> = (0..DEFECTS.len())
        .map(|number| miscompiling(&place.path(&format!("bin{number}")), DEFECTS[number].1))
        .collect();
    let out = place.path("out");
    let words = [
        "campaign",
        "--no-reduce",
        "--flag-set=-O2",
        "--schedule",
        "fixed",
        "-n",
        "1",
        "--seeds",
        "own",
    ];
    let mut campaign = command(&words)
        .args(["--count", "8", "--out"])
        .arg(&out)
        .limits(patient());
    for compiler in &compilers {
        campaign = campaign.arg("--compiler").arg(compiler);
    }
    campaign.run().unwrap();
    let found = found(&out, &compilers);
    for (defect, own) in &found {
        println!("{}: {} findings", DEFECTS[*defect].0, own.len());
    }
    let all: usize = found.values().map(Vec::len).sum();
    assert!(found.len() == 6 && all >= 25, "{all} findings");

    let began = Instant::now();
    let reduce = command(&["reduce", "--no-cvise", "--time", "10m"]).arg(&out);
    let said = reduce.limits(patient()).run().unwrap();
    let took = began.elapsed();
    println!("{}{took:.0?}", String::from_utf8_lossy(&said.stdout));

    let buckets = buckets(&out, &[]).unwrap().buckets;
    let defect_of = |directory: &PathBuf| {
        let mut all = found.iter();
        all.find(|(_, own)| own.contains(directory))
            .map(|(defect, _)| *defect)
    };
    println!("| defect | findings | reduced | smallest | buckets | of these shared |");
    println!("|---|---:|---:|---:|---:|---:|");
    let mut smallest = BTreeMap::new();
    for (defect, own) in &found {
        let of_it: Vec<_> = buckets
            .iter()
            .filter(|bucket| {
                bucket
                    .entries
                    .iter()
                    .any(|entry| own.contains(&entry.directory))
            })
            .collect();
        let is_shared = |bucket: &&&mestra::hunt::bucket::Bucket| {
            let entries = bucket.entries.iter();
            let defects: BTreeSet<_> = entries.filter_map(|e| defect_of(&e.directory)).collect();
            defects.len() > 1
        };
        let shared = of_it.iter().filter(is_shared).count();
        let entries = of_it.iter().flat_map(|bucket| &bucket.entries);
        let reduced: Vec<usize> = entries
            .filter(|entry| own.contains(&entry.directory))
            .filter_map(|entry| Some(entry.reduced.as_ref()?.tokens))
            .collect();
        let least = reduced.iter().copied().min();
        println!(
            "| {} | {} | {} | {least:?} | {} | {shared} |",
            DEFECTS[*defect].0,
            own.len(),
            reduced.len(),
            of_it.len(),
        );
        smallest.insert(*defect, least);
    }
    for bucket in &buckets {
        let names: Vec<&str> = bucket
            .entries
            .iter()
            .filter_map(|entry| Some(DEFECTS[defect_of(&entry.directory)?].0))
            .collect();
        println!("{}: {}", bucket.title, names.join(", "));
        let program = bucket.first().directory.join("reduced/reduced.c");
        println!("{}", fs::read_to_string(program).unwrap_or_default());
    }
    assert!(took < LIMIT + LIMIT / 20, "{took:.0?}");
    for (defect, least) in smallest {
        let name = DEFECTS[defect].0;
        assert!(
            least.is_some_and(|least| least <= MOST_TOKENS),
            "{name}: {least:?}"
        );
    }
}
