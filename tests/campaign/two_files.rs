//! Programs divided into two files: what goes wrong only there is found, and nothing else.

use super::{Place, SEED, campaign, ends_with, rows};
use crate::reduce::text::{reproduces, work};
use mestra::hunt::finding::{self, Finding};
use mestra::lab::process::Ending;
use std::fs;
use std::time::Duration;

#[test]
fn a_compiler_that_is_wrong_about_one_of_two_files_is_found_and_the_finding_reduced() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    // Wrong about functions whose callers it does not see.
    let wrong = "case \"$*\" in *MESTRA_UNIT=1*) grep -q 'mestra_[0-9]' $source && exec gcc -DWRONG \"$@\";; esac";
    let fake = place.fake("gcc-units", "gcc", "sum = %d", wrong);
    let out = place.path("out");
    let words = ["--seeds", seed.to_str().unwrap(), "--compiler", &fake];
    let words = [
        &words[..],
        &["--compiler", "gcc", "--flag-set=-O1", "-n", "6"],
    ]
    .concat();
    let words = [&words[..], &["--two-files", "true"]].concat();
    ends_with(&campaign(&out, &words), 2);
    let wrong = "SELECT DISTINCT config, verdict FROM runs WHERE verdict <> 'same'";
    assert_eq!(rows(&out, wrong), ["two files | wrong-output"]);

    let found = finding::directories(&out).unwrap();
    let directory = &found[0];
    assert!(directory.join("units.c").is_file());
    let read = Finding::read(directory).unwrap();
    assert_eq!(read.config.compiler.name, fake);
    assert_eq!(read.config.second.unwrap().compiler.name, "gcc");
    work(directory, Duration::from_secs(6)).unwrap();
    assert!(reproduces(directory));
    let report = fs::read_to_string(directory.join("reduced/report.md")).unwrap();
    let both = ["-DMESTRA_UNIT=1 -c -o first.o units.c", "first.o second.o"];
    assert!(both.iter().all(|words| report.contains(words)), "{report}");
}

/// A campaign on clean programs: how many pairs of files did as they should, and how many
/// others accused somebody. A program that a compiler gets wrong in one file, which happens with
/// real ones, says nothing about two.
fn clean(words: &[&str]) -> (u32, u32) {
    let place = Place::new();
    let out = place.path("out");
    let ours = [
        "--compiler",
        "gcc",
        "--compiler",
        crate::support::newest_clang(),
        "--two-files",
        "true",
    ];
    let outcome = campaign(&out, &[words, &ours].concat());
    let done = [Ending::Exited(0), Ending::Exited(2)];
    assert!(done.contains(&outcome.ending), "{outcome:?}");
    let count = |query: &str| rows(&out, query)[0].parse().unwrap();
    let pairs = "SELECT count(*) FROM runs WHERE config = 'two files' AND verdict = 'same'";
    let others = "SELECT count(*) FROM runs AS pair
                  WHERE config = 'two files' AND verdict <> 'same' AND dismissed IS NULL
                    AND NOT EXISTS (SELECT * FROM runs AS whole
                                    WHERE whole.seed = pair.seed AND whole.config <> 'two files'
                                      AND whole.verdict <> 'same')";
    (count(pairs), count(others))
}

#[test]
fn clean_programs_in_two_files_accuse_nobody() {
    let words = [
        "--seeds",
        "own",
        "--count",
        "3",
        "-n",
        "2",
        "--schedule",
        "fixed",
        "--flag-set=-O2",
        "--flag-set=-O0",
    ];
    let (pairs, others) = clean(&words);
    assert!(pairs > 3 && others == 0, "{pairs} and {others}");
}

#[test]
#[ignore = "long: hundreds of programs"]
fn hundreds_of_clean_programs_in_two_files_accuse_nobody() {
    let words = [
        "--seeds",
        "own",
        "--seeds",
        "csmith",
        "--count",
        "150",
        "-n",
        "5",
        "--schedule",
        "fixed",
    ];
    let (pairs, others) = clean(&words);
    assert!(pairs > 500 && others == 0, "{pairs} and {others}");
}
