//! Campaigns that are repeated, divided and put together again.

use super::{Place, campaign, command, ends_with, files, results, rows, store, with_findings};
use mestra::hunt::finding;
use mestra::lab::process::Output;
use std::fs;
use std::path::{Path, PathBuf};

fn merge(out: &Path, parts: &[&Path]) -> Output {
    let mut words = vec![Path::new("merge"), out];
    words.extend(parts);
    command(&words).run().expect("mestra starts")
}

fn said(outcome: &Output) -> String {
    String::from_utf8_lossy(&outcome.stderr).into_owned()
}

#[test]
fn parts_that_are_merged_are_the_whole() {
    let place = Place::new();
    place.write("seeds/broken.c", "int main(void) { return x; }\n");
    let arguments = with_findings(&place, 2);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let whole = place.path("whole");
    ends_with(&campaign(&whole, &arguments), 2);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let out = place.path(&shard.replace('/', "of"));
        let mut all = arguments.clone();
        all.extend(["--shard", shard, "--jobs", "1"]);
        campaign(&out, &all);
        out
    });
    let merged = place.path("merged");
    let outcome = merge(&merged, &parts.each_ref().map(PathBuf::as_path));
    ends_with(&outcome, 2);
    assert_eq!(said(&outcome), "");
    assert_eq!(results(&merged), results(&whole));
    assert!(results(&whole).len() > 3 + 4 + 12);
    let findings = |out: &std::path::Path| files(&out.join("findings"));
    assert!(findings(&merged) == findings(&whole));

    // A part stays one when it is resumed.
    campaign(&parts[0], &["--resume"]);
    let seeds = rows(&parts[0], "SELECT count(*) FROM seeds");
    assert_eq!(seeds, ["1"]);
    ends_with(&campaign(&parts[0], &["--resume", "--shard", "2/3"]), 1);

    // There is nothing left to do, and nothing changes.
    ends_with(&campaign(&merged, &["--resume"]), 2);
    assert_eq!(results(&merged), results(&whole));

    let other = place.path("other");
    let mut all = arguments.clone();
    all.extend(["--seed", "1", "--shard", "1/3"]);
    campaign(&other, &all);
    let outcome = merge(&place.path("mixed"), &[&parts[0], &other]);
    ends_with(&outcome, 1);
    let said = said(&outcome);
    assert!(said.contains("shards of different campaigns"), "{said}");
}

#[test]
fn what_another_part_has_finished_counts_and_not_what_was_begun() {
    let place = Place::new();
    let arguments = with_findings(&place, 1);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [begun, finished] = ["begun", "finished"].map(|name| place.path(name));
    ends_with(&campaign(&begun, &arguments), 2);
    let mut half = arguments.clone();
    half.extend(["--shard", "1/2"]);
    ends_with(&campaign(&finished, &half), 2);
    let left_over = "UPDATE seeds SET state = 'working', points = NULL;
         UPDATE variants SET finished = NULL;
         DELETE FROM runs WHERE variant = 2;
         UPDATE runs SET config = 'left over ' || config WHERE variant = 1;
         UPDATE kinds SET kind = 'left over ' || kind;
         UPDATE findings SET id = 'left over ' || id;";
    store(&begun).execute_batch(left_over).unwrap();

    for (out, parts) in [("one", [&begun, &finished]), ("two", [&finished, &begun])] {
        let out = place.path(out);
        ends_with(&merge(&out, &parts.map(PathBuf::as_path)), 2);
        assert_eq!(results(&out), results(&finished));
        let kinds = "SELECT * FROM kinds ORDER BY variant, kind";
        assert_eq!(rows(&out, kinds), rows(&finished, kinds));
        let unfinished = "SELECT count(*) FROM variants WHERE finished IS NULL";
        assert_eq!(rows(&out, unfinished), ["0"]);
    }
}

#[test]
fn a_part_that_is_there_twice_is_refused_and_one_that_is_missing_is_named() {
    let place = Place::new();
    let arguments = with_findings(&place, 1);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.extend(["--shard", "2/3"]);
    let [one, two] = ["one", "two"].map(|name| place.path(name));
    // It has no seed, so that nothing takes time.
    campaign(&one, &arguments);
    campaign(&two, &arguments);
    let again = one.join("../one");
    for (second, what) in [
        (&one, "are the same directory; name each shard once"),
        (&again, "are the same directory; name each shard once"),
        (&two, "are both shard 2/3; name only one of them"),
    ] {
        let out = place.path("refused");
        let outcome = merge(&out, &[&one, second]);
        ends_with(&outcome, 1);
        let said = said(&outcome);
        assert!(said.contains(what), "{said}");
        assert!(!out.exists());
    }
    let said = said(&merge(&place.path("some"), &[&one]));
    let lines: Vec<&str> = said.lines().collect();
    let missing = |part| format!("mestra: shard {part} is missing; its results are not counted");
    assert_eq!(lines, [missing("1/3"), missing("3/3")]);
}

#[test]
fn what_was_reduced_stays_when_its_seed_is_begun_again() {
    let place = Place::new();
    let arguments = with_findings(&place, 1);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let out = place.path("out");
    ends_with(&campaign(&out, &arguments), 2);
    // As if time had run out before the seed was done.
    let undone = "UPDATE seeds SET state = 'working'; UPDATE variants SET finished = NULL";
    store(&out).execute_batch(undone).unwrap();
    let findings = finding::directories(&out).unwrap();
    let [changed, same] = findings.as_slice() else {
        panic!("{findings:?}");
    };
    for finding in [changed, same] {
        fs::create_dir(finding.join("reduced")).unwrap();
        fs::write(finding.join("reduced/report.md"), "found").unwrap();
    }
    fs::write(changed.join("seed.c"), "int main(void) { }\n").unwrap();

    ends_with(&campaign(&out, &["--resume"]), 2);
    assert_eq!(fs::read(same.join("reduced/report.md")).unwrap(), b"found");
    // What belongs to another program does not stay.
    assert!(!changed.join("reduced").exists());
    assert_eq!(finding::directories(&out).unwrap(), findings);
}
