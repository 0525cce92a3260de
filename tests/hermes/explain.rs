//! `mestra explain`: the reasons hold, and what becomes of the text can be read.

use super::batch::{corpus, mestra, mutate};
use crate::support::csmith;
use mestra::lab::process::{Ending, Output};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

fn explain(seed: &OsString, record: &Path, more: &[&str]) -> Output {
    let mut arguments: Vec<OsString> = vec!["explain".into()];
    arguments.extend(["--profile-compiler", "tcc"].map(OsString::from));
    arguments.extend(more.iter().map(OsString::from));
    arguments.extend([seed.clone(), record.into()]);
    mestra(&arguments)
}

fn explained(seed: &OsString, record: &Path) -> Vec<Value> {
    let outcome = explain(seed, record, &["--json"]);
    assert!(outcome.ending.is_success(), "{outcome:?}");
    serde_json::from_slice(&outcome.stdout).unwrap()
}

#[test]
fn the_reasons_of_all_mutations_are_shown_by_the_values_seen() {
    let directory = tempfile::tempdir().unwrap();
    let seeds = [
        corpus("switch_fallthrough.c"),
        corpus("dead_code.c"),
        csmith(directory.path(), 3).into(),
    ];
    let output = directory.path().join("out");
    let more = [
        "-n",
        "2",
        "--strategy",
        "all",
        "--steps",
        "60",
        "--chain",
        "2",
    ];
    let outcome = mutate(&output, &more, &seeds);
    assert!(outcome.ending.is_success(), "{outcome:?}");
    let (mut all, mut later) = (0, 0);
    for seed in &seeds {
        let stem = Path::new(seed).file_stem().unwrap().to_str().unwrap();
        for number in 1..=2 {
            let record = output.join(format!("{stem}.v{number:03}.json"));
            for one in explained(seed, &record) {
                all += 1;
                later += usize::from(one["step"] == 2);
                let diff = one["diff"].as_array().unwrap();
                assert!(!diff.is_empty(), "{one:#}");
                // Of what is put around statements, and of expressions that are not
                // computed from variables alone, nothing can be seen.
                let unseen = ["replace_expr", "call_helper", "wrap_stmt", "outline_stmt"];
                let kind = one["kind"].as_str().unwrap();
                let is_seen = one["is_shown"] == true || unseen.contains(&kind);
                assert!(is_seen, "{one:#}");
            }
        }
    }
    println!("{all} mutations, {later} of a second step");
    assert!(all > 100 && later > 30, "{all}, {later}");
}

#[test]
fn an_explanation_names_place_values_and_reason_and_shows_the_change() {
    let directory = tempfile::tempdir().unwrap();
    let seed = corpus("for_forms.c");
    let more = ["-n", "1", "--weights", "true_guard=1"];
    mutate(directory.path(), &more, std::slice::from_ref(&seed));
    let record = directory.path().join("for_forms.v001.json");
    let outcome = explain(&seed, &record, &[]);
    assert!(outcome.ending.is_success(), "{outcome:?}");
    let printed = String::from_utf8(outcome.stdout).unwrap();
    let words = [
        " true_guard at ",
        " visit",
        " why: `",
        " is true in ",
        "\n  + if (",
    ];
    for word in words {
        assert!(printed.contains(word), "{word}: {printed}");
    }
    assert!(!printed.contains("not shown"), "{printed}");
    let one = explain(&seed, &record, &["--only", "2", "--json"]);
    let one: Vec<Value> = serde_json::from_slice(&one.stdout).unwrap();
    assert!(one.len() == 1 && one[0]["id"] == 2, "{one:?}");
}

#[test]
fn a_record_of_another_program_is_not_explained() {
    let directory = tempfile::tempdir().unwrap();
    let seed = corpus("for_forms.c");
    mutate(directory.path(), &["-n", "1"], &[seed]);
    let record = directory.path().join("for_forms.v001.json");
    let outcome = explain(&corpus("dead_code.c"), &record, &[]);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(
        matches!(outcome.ending, Ending::Exited(code) if code != 0),
        "{said}"
    );
    assert!(said.contains("belongs to another program"), "{said}");
}
