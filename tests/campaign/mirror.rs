//! Campaigns whose directory has a copy elsewhere.

use super::{Place, campaign, command, ends_with, files, results, rows, store, with_findings};
use std::fs;
use std::path::Path;

#[test]
fn a_campaign_goes_on_from_its_copy_on_another_machine() {
    let place = Place::new();
    let arguments = with_findings(&place, 2);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let whole = place.path("whole");
    ends_with(&campaign(&whole, &arguments), 2);
    let [here, there, shared] = ["here", "there", "shared"].map(|name| place.path(name));
    arguments.extend(["--sync", shared.to_str().unwrap(), "--sync-every", "1s"]);
    ends_with(&campaign(&here, &arguments), 2);
    assert_eq!(results(&shared), results(&whole));
    let findings = |out: &Path| files(&out.join("findings"));
    assert!(findings(&shared) == findings(&whole));

    // As if the first machine had died half-way, and the second had never seen the campaign.
    let undone = "DELETE FROM seeds WHERE number = 2;
         DELETE FROM variants WHERE seed = 2; DELETE FROM runs WHERE seed = 2;
         DELETE FROM kinds WHERE seed = 2; DELETE FROM findings WHERE seed = 2;";
    store(&shared).execute_batch(undone).unwrap();
    ends_with(&campaign(&there, &arguments), 2);
    for out in [&there, &shared] {
        assert_eq!(results(out), results(&whole));
        assert!(findings(out) == findings(&whole));
    }

    // What is further counts: back on the first machine, whose directory is behind, or
    // was damaged.
    let done = "SELECT count(*) FROM seeds WHERE state = 'done'";
    store(&here).execute_batch(undone).unwrap();
    ends_with(
        &campaign(&here, &[&arguments[..], &["--time", "1s"]].concat()),
        2,
    );
    assert_eq!(rows(&here, done), ["2"]);
    fs::write(here.join("campaign.db"), "not a database").unwrap();
    ends_with(&campaign(&here, &arguments), 2);
    assert_eq!(results(&here), results(&whole));

    // The copy is a part like any other, and nobody works in it.
    let merged = place.path("merged");
    let outcome = command(&[Path::new("merge"), &merged, &shared])
        .run()
        .unwrap();
    ends_with(&outcome, 2);
    assert_eq!(results(&merged), results(&whole));
}
