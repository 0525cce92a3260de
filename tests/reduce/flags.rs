//! Flags that dice chose, and which of them a failure needs.

use super::fake::wrong_with;
use super::finding::{config, write};
use super::text::{reproduces, work};
use crate::campaign::{Place, SEED, campaign, ends_with, files, results, rows};
use mestra::hunt::finding::{self, Finding, REDUCED, Reduced};
use mestra::source::seed::Seed;
use std::fs;
use std::time::Duration;

/// Works on a finding of a compiler that is wrong where it gets all of some flags.
fn reduced(drawn: &[&str], guilty: &[&str]) -> Reduced {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let fake = wrong_with(directory.path(), "gcc", guilty);
    let mut config = config(&fake, &["-fsigned-char"]);
    config = config.with_drawn(drawn.iter().map(|&flag| flag.into()).collect());
    config.name = "gcc random flags".into();
    let finding = write(directory.path(), "f", &seed, None, &config);
    let reduced = work(&finding, Duration::from_secs(60)).unwrap();
    assert!(reproduces(&finding));
    let script = fs::read_to_string(finding.join(REDUCED).join("interesting.sh")).unwrap();
    assert!(guilty.iter().all(|flag| script.contains(flag)), "{script}");
    assert!(!script.contains("-ftracer"), "{script}");
    let report = fs::read_to_string(finding.join(REDUCED).join("report.md")).unwrap();
    assert!(report.contains("flags were drawn at random"), "{report}");
    reduced
}

#[test]
fn of_six_flags_the_two_that_matter_together_are_left() {
    let drawn = ["-O3", "-fpic", "-fno-tree-vrp", "-g", "-ftracer", "-fweb"];
    let reduced = reduced(&drawn, &["-fno-tree-vrp", "-fweb"]);
    let flags = reduced.flags.unwrap();
    assert_eq!(flags.before, drawn);
    assert_eq!(flags.after, ["-O0", "-fno-tree-vrp", "-fweb"]);
    let config = &reduced.finding.config;
    assert_eq!(
        config.flags,
        ["-O0", "-fno-tree-vrp", "-fweb", "-fsigned-char"]
    );
    assert!(
        config
            .name
            .ends_with(" -O0 -fno-tree-vrp -fweb -fsigned-char")
    );
}

#[test]
fn a_campaign_finds_what_only_other_flags_show_and_says_which() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    // About every other set has a flag of this sort.
    let fake = wrong_with(&place.path(""), "gcc", &["-f*"]);
    let out = place.path("out");
    let words = [
        "--seeds",
        seed.to_str().unwrap(),
        "--compiler",
        fake.to_str().unwrap(),
        "--flag-set=-O1",
        "--random-flags",
        "true",
        "-n",
        "2",
    ];
    ends_with(&campaign(&out, &words), 2);
    let heading = format!("{} random flags", fake.display());
    let configs = rows(&out, "SELECT DISTINCT config FROM runs ORDER BY 1");
    assert_eq!(configs, [format!("{} -O1", fake.display()), heading]);
    let found = finding::directories(&out).unwrap();
    let first = Finding::read(&found[0]).unwrap();
    assert!(first.config.drawn.len() > 1, "{:?}", first.config);
    let reduced = work(&found[0], Duration::from_secs(5)).unwrap();
    let left = reduced.flags.unwrap().after;
    assert!(left.len() == 2 && left[1].starts_with("-f"), "{left:?}");

    // The same plan gives the same sets, however the work is divided.
    let again = place.path("again");
    let mut alone = words.to_vec();
    alone.extend(["--jobs", "1"]);
    ends_with(&campaign(&again, &alone), 2);
    assert_eq!(results(&again), results(&out));
    fs::remove_dir_all(found[0].join(REDUCED)).unwrap();
    let findings = |out: &std::path::Path| files(&out.join("findings"));
    assert!(findings(&again) == findings(&out));
}
