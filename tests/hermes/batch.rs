//! `mestra mutate` on many seeds: files, order, refusals, exit codes.

use crate::campaign::{Place, command};
use crate::support::{executable, repository};
use mestra::lab::process::{Command, Ending, Output};
use mestra::lab::toolchain::Compiler;
use mestra::variant::replay::VariantRecord;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

pub(super) fn mestra(arguments: &[OsString]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .run()
        .expect("mestra starts")
}

pub(super) fn corpus(name: &str) -> OsString {
    repository().join("corpora").join(name).into()
}

pub(super) fn mutate(output: &Path, more: &[&str], seeds: &[OsString]) -> Output {
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
    assert!(printed.contains(" v001\n"), "{printed}");
    let is_mutation = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        matches!(words[..], [number, kind, place]
            if number.parse::<u32>().is_ok() && kind.contains('_') && place.ends_with(':'))
    };
    let listed = printed.lines().filter(is_mutation).count();
    assert!(
        printed.contains(&format!(" {listed} mutations")),
        "{printed}"
    );
    assert!(listed > 1, "{printed}");
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

/// Runs `mestra` in a directory.
fn in_directory(directory: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(words)
        .directory(directory)
        .run()
        .unwrap()
}

const INPUTS: &str = "#include <stdio.h>
int main(int argc, char **argv) {
    int c = getchar();
    int n = argc * 3;
    if (argc > 2) {
        n += c;
        n ^= 5;
    }
    n += 2;
    printf(\"%d\\n\", n);
    return 0;
}
";

#[test]
fn inputs_given_by_hand_are_in_the_record_and_used_again() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path();
    fs::write(directory.join("seed.c"), INPUTS).unwrap();
    fs::write(directory.join("text"), "xyz").unwrap();
    let words = "mutate --profile-probability 1 -n 3 --arg 7 --input text -o out seed.c";
    let words: Vec<&str> = words.split(' ').collect();
    let outcome = in_directory(directory, &words);
    assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
    let record = fs::read_to_string(directory.join("out/seed.v001.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let stdin = directory.join("text");
    let given = serde_json::json!([{ "arguments": ["7"], "stdin": stdin }]);
    assert_eq!(record["inputs"], given);
    let words = "verify seed.c out/seed.v001.c out/seed.v002.c out/seed.v003.c";
    let words: Vec<&str> = words.split(' ').collect();
    let outcome = in_directory(directory, &words);
    assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
}

#[test]
fn a_record_of_a_seed_with_inputs_of_its_own_has_none() {
    let place = tempfile::tempdir().unwrap();
    let seed = format!("/* mestra-run: 1 2 3 */\n{INPUTS}");
    fs::write(place.path().join("seed.c"), seed).unwrap();
    let words = ["mutate", "--profile-probability", "1", "-n", "1", "seed.c"];
    let outcome = in_directory(place.path(), &words);
    assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
    let record = fs::read_to_string(place.path().join("variants/seed.v001.json")).unwrap();
    assert!(!record.contains("inputs"), "{record}");
}

#[test]
fn a_seed_that_a_trusted_compiler_rejects_is_refused_also_if_that_part_never_runs() {
    let place = tempfile::tempdir().unwrap();
    // clang knows no `abort` that nobody has declared.
    let seed = "int main(int argc, char **argv) {
    int k = argc + 2;
    if (k == 99) abort();
    k += 3;
    return k;
}
";
    fs::write(place.path().join("seed.c"), seed).unwrap();
    let outcome = in_directory(place.path(), &["mutate", "-n", "1", "seed.c"]);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.ending, Ending::Exited(3), "{said}");
    assert!(
        said.contains("clang") && said.contains("cannot compile it"),
        "{said}"
    );
}

/// The version of C is not asked for in advance, so one that a compiler does not know must
/// not cost a seed its variants.
#[test]
fn a_compiler_that_does_not_know_the_newest_version_of_c_gets_an_older_one() {
    let place = Place::new();
    let older =
        "case \" $* \" in *' -std=gnu17 '*) echo 'error: unknown option' >&2; exit 1;; esac";
    let real = Compiler::find("gcc").unwrap().path;
    let script = format!("#!/bin/sh\n{older}\nexec {} \"$@\"\n", real.display());
    executable(&place.path("bin/gcc"), &script);
    let output = place.path("out");
    let path = std::env::var("PATH").unwrap();
    let words = ["mutate", "-n", "1", "-o", output.to_str().unwrap()];
    let made = command(&words)
        .arg(corpus("for_forms.c"))
        .env("PATH", format!("{}:{path}", place.path("bin").display()))
        .run()
        .unwrap();
    assert!(made.ending.is_success(), "{made:?}");
    let record = VariantRecord::read(&output.join("for_forms.v001.json")).unwrap();
    assert!(
        record.flags.contains(&"-std=gnu11".to_owned()),
        "{record:?}"
    );
}
