//! Enumeration of skeletons, by the command and by the library.

mod generate;
mod holes;
mod random;

use crate::support::repository;
use mestra::lab::process::{Command, Ending, Output};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn mestra(arguments: &[&str]) -> Output {
    let mut all = vec!["enumerate"];
    all.extend(arguments);
    command(&all)
}

fn command(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .directory(data())
        .run()
        .expect("mestra starts")
}

fn data() -> PathBuf {
    repository().join("tests/data/enumerate")
}

/// The lines that a run prints, which must be successful.
#[track_caller]
fn lines(arguments: &[&str]) -> Vec<String> {
    let outcome = mestra(arguments);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(outcome.ending.is_success(), "{arguments:?}: {said}");
    let text = String::from_utf8(outcome.stdout).unwrap();
    text.lines().map(String::from).collect()
}

fn objects(arguments: &[&str]) -> Vec<Value> {
    let lines = lines(arguments);
    let parsed = lines.iter().map(|line| serde_json::from_str(line).unwrap());
    parsed.collect()
}

/// The holes, and the naive and canonical numbers of a file.
fn count(file: &str, classes: &str, scope: &str) -> (u64, String, String) {
    let arguments = [
        "--count",
        "--json",
        "--classes",
        classes,
        "--scope",
        scope,
        file,
    ];
    let object = objects(&arguments).remove(0);
    let text = |key: &str| object[key].as_str().unwrap().to_owned();
    (
        object["holes"].as_u64().unwrap(),
        text("naive"),
        text("canonical"),
    )
}

#[test]
fn files_that_realise_the_known_vectors_have_their_numbers() {
    #[rustfmt::skip]
    let vectors = [
        ("t01.c", 1, "1", "1"), ("t02.c", 6, "64", "32"), ("t03.c", 5, "3125", "52"),
        ("t04.c", 4, "81", "14"), ("t05.c", 3, "343", "5"), ("t06.c", 5, "128", "40"),
        ("t07.c", 10, "32768", "8448"), ("t08.c", 6, "512", "144"), ("t09.c", 6, "576", "180"),
        ("t10.c", 6, "900", "306"), ("t11.c", 5, "32", "8"), ("t12.c", 4, "81", "14"),
        ("t13.c", 1, "2", "2"), ("t14.c", 2, "4", "4"), ("t15.c", 8, "84375", "7639"),
        ("t16.c", 6, "4096", "656"), ("t17.c", 7, "2187", "365"),
        ("t18.c", 40, "13367494538843734067838845976576", "18565989823912965352878907599"),
        ("t19.c", 30, "784716723734800033386496", "1011568873605820974163"),
        ("declared_late.c", 3, "4", "4"),
    ];
    for (file, holes, naive, canonical) in vectors {
        let expected = (holes, naive.to_owned(), canonical.to_owned());
        assert_eq!(count(file, "paper", "program"), expected, "{file}");
    }
}

#[test]
fn exact_classes_look_at_declarations() {
    let canonical = |file, classes| count(file, classes, "function").2;
    assert_eq!(canonical("t08.c", "exact"), "512");
    assert_eq!(canonical("different_initialisers.c", "exact"), "2");
    assert_eq!(canonical("different_initialisers.c", "paper"), "1");
    assert_eq!(canonical("no_initialisers.c", "exact"), "1");
    assert_eq!(canonical("declared_late.c", "exact"), "4");
    assert_eq!(canonical("t06.c", "exact"), "40");
}

#[test]
fn functions_by_themselves_make_a_product() {
    // Each has three holes that take two globals and two locals: 20 ways.
    let (_, naive, canonical) = count("t16.c", "paper", "function");
    assert_eq!((naive.as_str(), canonical.as_str()), ("4096", "400"));
    // Exactly: the globals cannot be exchanged in one function only.
    assert_eq!(count("t16.c", "exact", "function").2, "1296");
    assert_eq!(count("t16.c", "exact", "program").2, "656");
}

#[test]
fn small_files_are_listed_with_all_their_ranks() {
    for (file, canonical) in [
        ("t03.c", 52),
        ("t06.c", 40),
        ("t09.c", 180),
        ("t15.c", 7639),
    ] {
        let listed = objects(&["--json", "--classes", "paper", file]);
        assert_eq!(
            listed.len(),
            canonical - 1,
            "the seed is left out of {file}"
        );
        let fillings: BTreeSet<String> = listed.iter().map(|o| o["filling"].to_string()).collect();
        assert_eq!(fillings.len(), canonical - 1, "{file}");
        for (rank, object) in (1..).zip(&listed) {
            assert_eq!(object["rank"], rank.to_string(), "{file}");
        }
    }
}

#[test]
fn a_list_can_begin_anywhere_and_with_the_seed() {
    let all = lines(&["--classes", "paper", "t06.c"]);
    assert!(all[0].starts_with("t06.c: holes 5, "), "{}", all[0]);
    assert_eq!(
        lines(&["--classes", "paper", "--from", "17", "-n", "3", "t06.c"])[1..],
        all[17..20]
    );
    let first = lines(&["--classes", "paper", "--from", "0", "-n", "1", "t06.c"]);
    assert_eq!(first[1], "  0: a b c d a");
    assert_eq!(
        lines(&["--classes", "paper", "--from", "39", "t06.c"]).len(),
        2
    );
    let outcome = mestra(&["--classes", "paper", "--from", "40", "t06.c"]);
    assert_eq!(outcome.ending, Ending::Exited(3));
    let said = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(
        said,
        "mestra: t06.c: has no program of rank 40; the last is 39\n"
    );
}

#[test]
fn above_the_limit_there_is_a_sample_that_the_seed_number_decides() {
    let sample = |dice: &str| objects(&["--json", "--limit", "50", "--seed", dice, "t19.c"]);
    let one = sample("1");
    assert_eq!(one.len(), 50);
    assert_eq!(one, sample("1"));
    assert_ne!(one, sample("2"));
    let rank = |object: &Value| object["rank"].as_str().unwrap().to_owned();
    let ranks: BTreeSet<String> = one.iter().map(rank).collect();
    assert_eq!(ranks.len(), 50);
    // Each of them can be made again by its rank.
    for object in &one[..3] {
        let again = objects(&["--json", "--from", &rank(object), "-n", "1", "t19.c"]);
        assert_eq!(again[0], *object);
    }
    assert_eq!(objects(&["--json", "--sample", "7", "t06.c"]).len(), 7);
}

fn files(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect()
}

#[test]
fn programs_are_written_with_records_and_a_run_goes_on_where_it_was_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().to_str().unwrap();
    let run = |more: &[&str]| {
        let mut arguments = vec!["-o", output, "--classes", "paper"];
        arguments.extend(more);
        lines(&arguments)
    };
    assert_eq!(run(&["-n", "10", "t06.c"]), ["t06.c: written 10, kept 0"]);
    assert_eq!(run(&["t06.c"]), ["t06.c: written 29, kept 10"]);
    assert_eq!(files(directory.path()).len(), 2 * 39);
    fs::remove_file(directory.path().join("t06.e5.c")).unwrap();
    assert_eq!(run(&["t06.c"]), ["t06.c: written 1, kept 38"]);
    let seed = fs::read_to_string(data().join("t06.c")).unwrap();
    let mut texts = BTreeSet::new();
    for rank in 1..40 {
        let text = fs::read_to_string(directory.path().join(format!("t06.e{rank}.c"))).unwrap();
        assert_eq!(text.len(), seed.len());
        assert_ne!(text, seed);
        texts.insert(text);
        let record = fs::read(directory.path().join(format!("t06.e{rank}.json"))).unwrap();
        let record: Value = serde_json::from_slice(&record).unwrap();
        assert_eq!(record["rank"], rank.to_string());
        assert_eq!(record["of"], "40");
        assert_eq!(record["seed"], "t06.c");
        assert_eq!(record["filling"].as_array().unwrap().len(), 5);
    }
    assert_eq!(texts.len(), 39);
}

#[test]
fn a_program_is_made_again_from_its_record() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().to_str().unwrap();
    lines(&["-o", output, "--sample", "3", "t19.c"]);
    let records = files(directory.path()).into_iter();
    let mut replayed = 0;
    for record in records.filter(|name| name.ends_with(".json")) {
        let record = directory.path().join(record);
        let again = command(&["replay", "t19.c", record.to_str().unwrap()]);
        assert!(again.ending.is_success());
        assert_eq!(again.stdout, fs::read(record.with_extension("c")).unwrap());
        let other = command(&["replay", "t18.c", record.to_str().unwrap()]);
        assert_eq!(other.ending, Ending::Exited(1));
        replayed += 1;
    }
    assert_eq!(replayed, 3);
}

#[test]
fn every_skeleton_of_the_corpora_is_in_its_table_and_has_a_fair_number_of_programs() {
    let skeletons = repository().join("corpora/skeletons");
    let table = fs::read_to_string(repository().join("corpora/README.md")).unwrap();
    let names = files(&skeletons);
    assert!(names.len() >= 30, "{names:?}");
    for name in &names {
        assert!(table.contains(&format!("| `skeletons/{name}` |")), "{name}");
    }
    let counted = objects(&["--count", "--json", skeletons.to_str().unwrap()]);
    let sizes = counted.iter().filter(|object| object.get("seed").is_some());
    for object in sizes {
        let canonical: f64 = object["canonical"].as_str().unwrap().parse().unwrap();
        assert!((10.0..1e12).contains(&canonical), "{object}");
    }
    assert_eq!(counted.len(), names.len() + 1);
}

#[test]
fn many_seeds_and_directories_are_counted_together() {
    let printed = lines(&["--count", "--classes", "paper", "--scope", "program", "."]);
    let seeds = fs::read_dir(data()).unwrap().count();
    assert_eq!(printed.len(), seeds + 3);
    let totals = &printed[seeds..];
    assert_eq!(totals[0], "refused: 0");
    assert!(
        totals[1].starts_with(&format!("all seeds: {seeds}; on average holes ")),
        "{}",
        totals[1]
    );
    assert!(
        totals[2].starts_with("at most 10000 programs: 20; "),
        "{}",
        totals[2]
    );
    let objects = objects(&["--count", "--json", "t06.c", "t03.c"]);
    assert_eq!(objects[2]["totals"]["all"]["seeds"], 2);
    assert_eq!(objects[2]["totals"]["all"]["holes"], 10);
}

#[test]
fn a_seed_without_main_is_enumerated_and_one_that_does_not_compile_refused() {
    let directory = tempfile::tempdir().unwrap();
    let seed = directory.path().join("part.c");
    fs::write(&seed, "int f(int a, int b) { return a - b; }\n").unwrap();
    assert_eq!(lines(&[seed.to_str().unwrap()]).len(), 4);
    let broken = directory.path().join("broken.c");
    fs::write(&broken, "int f(int a, int b) { return a - ; }\n").unwrap();
    let outcome = mestra(&["--count", broken.to_str().unwrap(), seed.to_str().unwrap()]);
    assert_eq!(outcome.ending, Ending::Exited(3));
    let printed = String::from_utf8(outcome.stdout).unwrap();
    assert!(printed.contains("part.c: holes 2, "), "{printed}");
    assert!(printed.contains("\nrefused: 1\n"), "{printed}");
}
