//! `mestra mutate` on many seeds: files, order, refusals, exit codes.

use crate::support::repository;
use mestra::lab::process::{Command, Ending, Output};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

fn mestra(arguments: &[OsString]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .run()
        .expect("mestra starts")
}

fn corpus(name: &str) -> OsString {
    repository().join("corpora").join(name).into()
}

fn mutate(output: &Path, more: &[&str], seeds: &[OsString]) -> Output {
    let mut arguments: Vec<OsString> = vec!["mutate".into(), "-o".into(), output.into()];
    arguments.extend(["--profile-compiler", "tcc"].map(OsString::from));
    arguments.extend(more.iter().map(OsString::from));
    arguments.extend_from_slice(seeds);
    mestra(&arguments)
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn one_job_and_eight_write_the_same_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let seeds = [
        "for_forms.c",
        "dead_code.c",
        "enums_values.c",
        "bitfields_signed.c",
    ]
    .map(corpus);
    let made = ["1", "8"].map(|jobs| {
        let output = directory.path().join(jobs);
        let outcome = mutate(&output, &["-n", "3", "--jobs", jobs], &seeds);
        assert!(outcome.ending.is_success(), "{outcome:?}");
        files(&output)
    });
    assert_eq!(made[0].len(), 4 * 3 * 2);
    assert!(
        made[0].contains_key("for_forms.v001.c") && made[0].contains_key("for_forms.v003.json")
    );
    assert!(made[0] == made[1]);
    let other = directory.path().join("other");
    mutate(&other, &["-n", "3", "--seed", "1"], &seeds);
    assert!(files(&other) != made[0]);
}

#[test]
fn a_refused_seed_is_named_and_does_not_stop_the_batch() {
    let directory = tempfile::tempdir().unwrap();
    let broken = directory.path().join("broken.c");
    std::fs::write(&broken, "int main(void) { return x; }").unwrap();
    let output = directory.path().join("out");
    let seeds = [broken.into(), "no/such.c".into(), corpus("for_forms.c")];
    let outcome = mutate(&output, &["-n", "1"], &seeds);
    assert_eq!(outcome.ending, Ending::Exited(3));
    let said = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(
        said.contains("broken.c: ") && said.contains("no/such.c: "),
        "{said}"
    );
    let printed = String::from_utf8(outcome.stdout).unwrap();
    assert!(
        printed.contains("3 seeds, 2 refused, 1 variant,"),
        "{printed}"
    );
    assert!(output.join("for_forms.v001.c").exists());
}

#[test]
fn a_dry_run_lists_mutations_and_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out");
    let more = ["-n", "1", "--dry-run", "--profile-probability", "1"];
    let outcome = mutate(&output, &more, &[corpus("for_forms.c")]);
    assert!(outcome.ending.is_success());
    assert!(!output.exists());
    let printed = String::from_utf8(outcome.stdout).unwrap();
    assert!(
        printed.contains(" v001\n") && printed.contains("true_guard"),
        "{printed}"
    );
}

#[test]
fn weights_and_limits_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let more = ["-n", "1", "--json", "--profile-probability", "1"];
    let more = [
        &more[..],
        &["--weights", "true_block=1", "--max-mutations", "5"],
    ]
    .concat();
    let outcome = mutate(directory.path(), &more, &[corpus("for_forms.c")]);
    let done: serde_json::Value = serde_json::from_slice(&outcome.stdout).unwrap();
    let counts = &done["variants"][0]["mutations"];
    assert_eq!(counts["true_block"], 5, "{done}");
    assert_eq!(counts["true_guard"], 0, "{done}");
}

#[test]
fn fewer_variants_leave_none_of_a_longer_run() {
    let directory = tempfile::tempdir().unwrap();
    let (output, seed) = (directory.path(), corpus("for_forms.c"));
    mutate(output, &["-n", "4"], std::slice::from_ref(&seed));
    // A file without a record is not ours.
    std::fs::write(output.join("for_forms.v005.c"), "").unwrap();
    let outcome = mutate(output, &["-n", "2"], &[seed]);
    assert!(outcome.ending.is_success(), "{outcome:?}");
    let names: Vec<String> = files(output).into_keys().collect();
    let expected = ["v001.c", "v001.json", "v002.c", "v002.json", "v005.c"];
    assert_eq!(names, expected.map(|end| format!("for_forms.{end}")));
}

#[test]
fn a_saved_profile_gives_the_same_variants() {
    let directory = tempfile::tempdir().unwrap();
    let saved = directory.path().join("profile.json");
    let seed = corpus("for_forms.c");
    let mut arguments: Vec<OsString> = ["profile", "--profile-compiler", "tcc", "--save"]
        .map(OsString::from)
        .into();
    arguments.extend([saved.clone().into(), seed.clone()]);
    assert!(mestra(&arguments).ending.is_success());
    let (one, two) = (directory.path().join("1"), directory.path().join("2"));
    mutate(&one, &["-n", "2"], std::slice::from_ref(&seed));
    let outcome = mutate(
        &two,
        &["-n", "2", "--profile", saved.to_str().unwrap()],
        &[seed],
    );
    assert!(outcome.ending.is_success(), "{outcome:?}");
    assert!(files(&one) == files(&two));
}

#[test]
fn a_preprocessed_program_is_a_seed() {
    let directory = tempfile::tempdir().unwrap();
    let seed = directory.path().join("forms.i");
    let made = Command::new("gcc")
        .args(["-E", "-P", "-o"])
        .arg(&seed)
        .arg(corpus("for_forms.c"))
        .run();
    assert!(made.unwrap().ending.is_success());
    let output = directory.path().join("variants");
    let outcome = mutate(&output, &["-n", "1"], &[seed.clone().into()]);
    assert!(outcome.ending.is_success(), "{outcome:?}");
    let variant = output.join("forms.v001.c");
    let outcome = mestra(&["verify".into(), seed.into(), variant.into()]);
    assert!(outcome.ending.is_success(), "{outcome:?}");
}

#[test]
fn replay_and_verify_work_on_what_mutate_wrote() {
    let directory = tempfile::tempdir().unwrap();
    let seed = corpus("for_forms.c");
    mutate(
        directory.path(),
        &["-n", "1", "--profile-probability", "1"],
        std::slice::from_ref(&seed),
    );
    let variant = directory.path().join("for_forms.v001.c");
    let record = directory.path().join("for_forms.v001.json");
    let replayed = mestra(&["replay".into(), seed.clone(), record.clone().into()]);
    assert_eq!(replayed.stdout, std::fs::read(&variant).unwrap());
    let part = directory.path().join("part.c");
    let only = [
        "replay".into(),
        "--only".into(),
        "1,3".into(),
        "-o".into(),
        part.clone().into(),
    ];
    let outcome = mestra(&[&only[..], &[seed.clone(), record.into()]].concat());
    assert!(outcome.ending.is_success(), "{outcome:?}");
    let wrong = directory.path().join("wrong.c");
    std::fs::write(&wrong, "int main(void) { return 77; }").unwrap();
    let verify = |files: &[&Path]| {
        let mut arguments: Vec<OsString> = vec!["verify".into(), seed.clone()];
        arguments.extend(files.iter().map(OsString::from));
        mestra(&arguments)
    };
    let outcome = verify(&[&variant, &part]);
    assert!(outcome.ending.is_success(), "{outcome:?}");
    let outcome = verify(&[&part, &wrong]);
    assert_eq!(outcome.ending, Ending::Exited(2));
    let printed = String::from_utf8(outcome.stdout).unwrap();
    assert!(
        printed.contains("wrong.c: gcc -O0: on input 1: ends with exit status 77"),
        "{printed}"
    );
}
