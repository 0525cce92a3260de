//! Merging what is damaged, still running or growing, and compacting what is done.

use super::{Place, campaign, command, ends_with, files, results, rows, store, with_findings};
use mestra::hunt::report::Figures;
use mestra::lab::process::Output;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

fn mestra(word: &str, arguments: &[&Path]) -> Output {
    let words: Vec<&Path> = [Path::new(word)]
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    command(&words).run().expect("mestra starts")
}

fn merge(out: &Path, parts: &[&Path]) -> Output {
    let arguments: Vec<&Path> = [out].into_iter().chain(parts.iter().copied()).collect();
    mestra("merge", &arguments)
}

/// The shards of a campaign of two seeds, and their directories.
fn shards(place: &Place) -> [PathBuf; 2] {
    let arguments = with_findings(place, 2);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    ["1/2", "2/2"].map(|shard| {
        let out = place.path(&shard.replace('/', "of"));
        let mut all = arguments.clone();
        all.extend(["--shard", shard]);
        ends_with(&campaign(&out, &all), 2);
        out
    })
}

/// What must be the same before and after.
fn counts(out: &Path) -> String {
    let mut figures = Figures::read(out, &[]).unwrap();
    for health in figures.totals.configs.values_mut() {
        // Medians of medians are close, and no counts.
        health.compile_time = None;
        health.code_size = None;
    }
    // Compacted seeds make one step instead of many; the last one is as high as before.
    for curves in [&mut figures.strategies, &mut figures.kinds_over_time] {
        for steps in curves.values_mut() {
            steps.drain(..steps.len().saturating_sub(1));
            // A kind that only an earlier variant had counts when the last one is done.
            steps.iter_mut().for_each(|(second, _)| *second = 0.0);
        }
    }
    serde_json::to_string_pretty(&figures).unwrap()
}

#[test]
fn a_shard_is_not_taken_for_the_whole() {
    let place = Place::new();
    let [one, two] = shards(&place);
    let before = counts(&one);
    let outcome = merge(&one, &[&two]);
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(said.contains("is shard 1/2 itself"), "{said}");
    assert_eq!(counts(&one), before);
}

#[test]
fn a_campaign_is_not_known_to_itself() {
    let place = Place::new();
    let [one, _] = shards(&place);
    let known: &[&Path] = &[Path::new("--known"), &one];
    let outcome = mestra("report", &[&[one.as_path()], known].concat());
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(
        said.contains("cannot be an earlier campaign than itself"),
        "{said}"
    );
}

#[test]
fn parts_that_are_damaged_or_running_are_skipped_and_come_later() {
    let place = Place::new();
    let [one, two] = shards(&place);
    let whole = place.path("whole");
    merge(&whole, &[&one, &two]);
    let merged = place.path("merged");

    let lock = File::open(two.join("lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    let damaged = place.path("damaged");
    fs::create_dir(&damaged).unwrap();
    let bytes = fs::read(two.join("campaign.db")).unwrap();
    fs::write(damaged.join("campaign.db"), &bytes[..bytes.len() / 2]).unwrap();
    let absent = place.path("absent");
    let outcome = merge(&merged, &[&absent, &damaged, &one, &two]);
    ends_with(&outcome, 2);
    let said = String::from_utf8(outcome.stderr).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let [no_campaign, malformed, running, missing] = lines.as_slice() else {
        panic!("{said}");
    };
    assert!(
        no_campaign.ends_with("absent does not contain a campaign"),
        "{said}"
    );
    assert!(malformed.contains("damaged: "), "{said}");
    assert!(running.ends_with("2of2: it is still running"), "{said}");
    assert!(missing.contains("shard 2/2 is missing"), "{said}");
    assert_eq!(results(&merged), results(&one));

    // Later the rest is added, and nothing twice.
    drop(lock);
    for _ in 0..2 {
        let outcome = merge(&merged, &[&one, &two]);
        ends_with(&outcome, 2);
        assert_eq!(String::from_utf8(outcome.stderr).unwrap(), "");
        assert_eq!(results(&merged), results(&whole));
        assert_eq!(counts(&merged), counts(&whole));
        assert!(files(&merged.join("findings")) == files(&whole.join("findings")));
    }
    ends_with(&merge(&merged, &[&two]), 2);
    assert_eq!(counts(&merged), counts(&whole));

    // Work that a part does later counts, and CPU time only once.
    let more = "UPDATE timings SET micros = micros + 1000000 WHERE stage = 'mestra'";
    store(&two).execute_batch(more).unwrap();
    let time = "SELECT micros FROM timings WHERE stage = 'mestra'";
    let before: i64 = rows(&merged, time)[0].parse().unwrap();
    for _ in 0..2 {
        merge(&merged, &[&two]);
        assert_eq!(rows(&merged, time), [(before + 1_000_000).to_string()]);
    }

    // Only damaged parts are nothing to merge.
    let nothing = place.path("nothing");
    ends_with(&merge(&nothing, &[&damaged]), 1);
    assert!(!nothing.exists());
}

#[test]
fn merged_campaigns_are_merged_again_with_all_their_shards() {
    let place = Place::new();
    let [one, two] = shards(&place);
    let [whole, first, both] = ["whole", "first", "both"].map(|name| place.path(name));
    merge(&whole, &[&one, &two]);
    let said = |outcome: Output| String::from_utf8(outcome.stderr).unwrap();
    assert!(said(merge(&first, &[&one])).contains("shard 2/2 is missing"));
    assert_eq!(said(merge(&both, &[&first, &two])), "");
    assert_eq!(results(&both), results(&whole));
    assert_eq!(counts(&both), counts(&whole));
    assert_eq!(said(merge(&both, &[&whole, &one, &two])), "");
    assert_eq!(counts(&both), counts(&whole));
}

#[test]
fn a_compacted_campaign_has_all_findings_and_counts() {
    let place = Place::new();
    let [one, two] = shards(&place);
    let whole = place.path("whole");
    merge(&whole, &[&one, &two]);
    let expected = counts(&whole);
    let findings = "SELECT * FROM findings ORDER BY id";
    let kept = rows(&whole, findings);
    assert!(!kept.is_empty());
    // Records stay where something failed.
    let recorded = "SELECT seed, number FROM variants WHERE length(record) > 0 ORDER BY 1, 2";
    let failed = "SELECT DISTINCT seed, variant FROM findings ORDER BY 1, 2";
    assert_eq!(rows(&whole, recorded), rows(&whole, failed));

    for _ in 0..2 {
        ends_with(&mestra("compact", &[&one]), 0);
        ends_with(&mestra("compact", &[&whole]), 0);
        assert_eq!(counts(&whole), expected);
        assert_eq!(rows(&whole, findings), kept);
    }
    let same = "SELECT count(*) FROM runs WHERE verdict = 'same'";
    assert_eq!(rows(&whole, same), ["0"]);
    assert_eq!(rows(&two, same).len(), 1);

    // Whether seeds come compacted or not, they count once.
    for (name, parts) in [("a", [&one, &two, &whole]), ("b", [&whole, &two, &one])] {
        let out = place.path(name);
        merge(&out, &parts.map(PathBuf::as_path));
        let figures = Figures::read(&out, &[]).unwrap();
        let before = Figures::read(&whole, &[]).unwrap();
        assert_eq!(figures.totals.runs, before.totals.runs);
        assert_eq!(figures.totals.findings, before.totals.findings);
        assert_eq!(figures.kinds, before.kinds);
    }
    ends_with(&campaign(&whole, &["--resume"]), 2);
    assert_eq!(rows(&whole, findings), kept);
}
