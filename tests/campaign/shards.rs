//! Campaigns that are repeated, divided and put together again.

use super::{Place, campaign, command, ends_with, files, results, rows, store, with_findings};
use mestra::campaign::finding;
use std::fs;

#[test]
fn parts_that_are_merged_are_the_whole() {
    let place = Place::new();
    place.write("seeds/broken.c", "int main(void) { return x; }\n");
    let arguments = with_findings(&place, 5);
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
    let mut words = vec!["merge", merged.to_str().unwrap()];
    words.extend(parts.iter().map(|part| part.to_str().unwrap()));
    ends_with(&command(&words).run().unwrap(), 2);
    assert_eq!(results(&merged), results(&whole));
    assert!(results(&whole).len() > 6 + 10 + 30);
    let findings = |out: &std::path::Path| files(&out.join("findings"));
    assert!(findings(&merged) == findings(&whole));

    // A part stays one when it is resumed.
    campaign(&parts[0], &["--resume"]);
    let seeds = rows(&parts[0], "SELECT count(*) FROM seeds");
    assert_eq!(seeds, ["2"]);
    ends_with(&campaign(&parts[0], &["--resume", "--shard", "2/3"]), 1);

    // There is nothing left to do, and nothing changes.
    ends_with(&campaign(&merged, &["--resume"]), 2);
    assert_eq!(results(&merged), results(&whole));

    let other = place.path("other");
    let mut all = arguments.clone();
    all.extend(["--seed", "1", "--shard", "1/3"]);
    campaign(&other, &all);
    let outcome = command(&[
        "merge",
        place.path("mixed").to_str().unwrap(),
        parts[0].to_str().unwrap(),
        other.to_str().unwrap(),
    ])
    .run()
    .unwrap();
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(said.contains("parts of different campaigns"), "{said}");
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
