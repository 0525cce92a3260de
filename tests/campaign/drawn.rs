//! Flags by dice in campaigns that are divided, put together, and begun again.

use super::{Place, SEED, campaign, command, ends_with, files, results, rows, store};
use mestra::hunt::finding::{self, Finding};
use std::fs;
use std::path::Path;

/// The words for a campaign against a gcc that crashes on every program for which dice have
/// chosen level `-O1`.
fn words(place: &Place) -> Vec<String> {
    for number in 0..2 {
        let text = SEED.replace("i < 4", &format!("i < {}", 4 + number));
        place.write(&format!("seeds/seed{number}.c"), &text);
    }
    let crash = "case \" $* \" in *' -O1 '*)\n\
                 echo \"$source:1:2: internal compiler error: in fold, at fold.cc:1\" >&2; exit 4;;\n\
                 esac";
    let fake = place.fake("gcc-drawn", "gcc", super::ANY, crash);
    let seeds = place.path("seeds");
    let words = [
        "--seeds",
        seeds.to_str().unwrap(),
        "--compiler",
        &fake,
        "--flag-set=-O0",
        "--random-flags",
        "true",
        "-n",
        "3",
    ];
    words.map(String::from).to_vec()
}

/// The flags of all findings, which dice chose.
fn drawn(out: &Path) -> Vec<Vec<String>> {
    let found = finding::directories(out).unwrap();
    let read = found.iter().map(|found| Finding::read(found).unwrap());
    read.map(|finding| finding.config.drawn).collect()
}

#[test]
fn flags_are_the_same_in_parts_and_in_a_campaign_that_is_begun_again() {
    let place = Place::new();
    let words = words(&place);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let whole = place.path("whole");
    ends_with(&campaign(&whole, &words), 2);
    let found = drawn(&whole);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|drawn| drawn[0] == "-O1" && drawn.len() > 1)
    );

    let parts = ["1/2", "2/2"].map(|shard| {
        let out = place.path(&shard.replace('/', "of"));
        campaign(&out, &[&words[..], &["--shard", shard]].concat());
        out
    });
    let merged = place.path("merged");
    let [first, second] = &parts;
    let merge = command(&[Path::new("merge"), &merged, first, second]);
    ends_with(&merge.run().unwrap(), 2);
    assert_eq!(results(&merged), results(&whole));
    let findings = |out: &Path| files(&out.join("findings"));
    assert!(findings(&merged) == findings(&whole));

    // As if it had been killed before anything was done.
    let before = results(&whole);
    let undone = "UPDATE seeds SET state = 'working'; DELETE FROM variants; DELETE FROM runs;
         DELETE FROM findings;";
    store(&whole).execute_batch(undone).unwrap();
    fs::remove_dir_all(whole.join("findings")).unwrap();
    ends_with(&campaign(&whole, &["--resume"]), 2);
    assert_eq!(results(&whole), before);
    assert!(findings(&merged) == findings(&whole));
    let conflicts = "SELECT count(*) FROM runs WHERE dismissed LIKE '%flags-conflict%'";
    assert_eq!(rows(&whole, conflicts), ["0"]);
}

#[test]
#[ignore = "long: hundreds of programs with as many sets of flags"]
fn clean_programs_under_random_flags_accuse_nobody() {
    let place = Place::new();
    let out = place.path("out");
    let words = [
        "--seeds", "own", "--seeds", "csmith", "--count", "120", "-n", "5",
    ];
    let flags = [
        "--flag-set=-O0",
        "--random-flags",
        "true",
        "--sanitizers",
        "true",
    ];
    let compilers = [
        "--compiler",
        "gcc",
        "--compiler",
        crate::support::newest_clang(),
    ];
    ends_with(
        &campaign(&out, &[&words[..], &flags, &compilers].concat()),
        0,
    );
    // Nothing may even be suspected, but sets that a compiler does not take together.
    let doubts = "SELECT DISTINCT json_extract(dismissed, '$.kind') FROM runs
         WHERE dismissed IS NOT NULL AND dismissed NOT LIKE '%flags-conflict%'";
    assert_eq!(rows(&out, doubts), [""; 0]);
}
