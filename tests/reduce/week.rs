//! Defects over time: campaigns one after the other, marks, retests, and what reports and
//! exit codes make of them.

use super::planted::{CRASH, Defect, WRONG_CODE, campaign, plant};
use crate::campaign::{Place, VARIANT, campaign as run_campaign, ends_with, with_findings};
use mestra::hunt::defects::{DefectState, Defects, MarkedAs};
use mestra::hunt::finding;
use mestra::lab::process::{Command, Ending, Limits};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Runs a command of the program; its exit code and what it printed.
fn mestra(arguments: &[&str]) -> (i32, String) {
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .limits(Limits {
            wall: Duration::from_secs(120),
            memory: None,
            ..Limits::default()
        })
        .run()
        .unwrap();
    let said = [outcome.stdout, outcome.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    match outcome.ending {
        Ending::Exited(code) => (code, said),
        ending => panic!("{ending}: {said}"),
    }
}

const SIGNATURES: [&str; 7] = [
    "in fold_convert, at fold-const.cc:2511",
    "in gimplify_expr, at gimplify.cc:15905",
    "in verify_gimple, at tree-cfg.cc:5524",
    "in expand_expr, at expr.cc:12019",
    "in cgraph_node, at cgraph.cc:412",
    "in ssa_redirect, at tree-ssa.cc:91",
    "in extract_insn, at recog.cc:2791",
];

const PASSES: [&str; 6] = [
    "-ftree-vrp",
    "-fgcse",
    "-ftree-pre",
    "-fivopts",
    "-fipa-cp",
    "-fschedule-insns2",
];

/// The planted defects: first those that crash, then those of wrong code.
fn defects() -> Vec<Defect> {
    let crashes = SIGNATURES.map(|signature| Defect { signature, ..CRASH });
    let wrong = PASSES.map(|pass| Defect {
        pass: Some(pass),
        ..WRONG_CODE
    });
    crashes.into_iter().chain(wrong).collect()
}

/// A campaign that finds the defects of these numbers, each twice.
fn week(directory: &Path, found: impl IntoIterator<Item = usize>) {
    campaign(directory);
    let defects = defects();
    for (at, number) in found.into_iter().enumerate() {
        for again in 0..2 {
            let variant = 10 + 2 * at as u32 + again;
            plant(directory, variant, defects[number], 5 + at);
        }
    }
}

fn counts(report: &str) -> &str {
    let last = report.lines().last().unwrap();
    last.split(": ").next().unwrap()
}

/// How often each novelty occurs in a campaign's report.
fn novelties(directory: &Path) -> Vec<(String, String)> {
    let text = std::fs::read(directory.join("report.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    let buckets = report["buckets"].as_array().unwrap();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let shown = buckets.iter();
    shown
        .map(|bucket| (word(&bucket["novelty"]), word(&bucket["name"])))
        .collect()
}

#[test]
fn three_weeks_with_twelve_defects_are_told_as_they_were() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let [first, second, third] = ["first", "second", "third"].map(path);
    let words = |path: &Path| path.to_str().unwrap().to_owned();
    let [one, two, three] = [&first, &second, &third].map(|path| words(path));

    // All of the first week is new, and stays so however often it is reported.
    week(&first, 0..12);
    for _ in 0..2 {
        let (code, said) = mestra(&["report", &one]);
        assert_eq!((code, counts(&said)), (2, "12 new buckets"), "{said}");
    }
    // People look at all of it.
    let known = Defects::read(&first).unwrap().defects;
    for defect in &known {
        let (code, said) = mestra(&["mark", &one, &defect.known_as.name, "confirmed"]);
        assert_eq!(code, 0, "{said}");
    }
    let (code, said) = mestra(&["report", &one]);
    assert_eq!((code, counts(&said)), (0, "0 new buckets, 12 known"));
    let of_pass = |pass: &str| format!("gcc-wrong-code{pass}");
    let (code, _) = mestra(&["mark", &one, &of_pass("-fgcse"), "fixed"]);
    assert_eq!(code, 0);
    let (code, said) = mestra(&[
        "mark",
        &one,
        "gcc-crash-in-expand",
        "filed",
        "https://a.b/7",
    ]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("filed, https://a.b/7"), "{said}");

    // In the second, two are fixed and one is new.
    let fixed = [3, 8];
    week(&second, (0..13).filter(|number| !fixed.contains(number)));
    let (code, said) = mestra(&["report", "--known", &one, &two]);
    assert_eq!(code, 2);
    assert_eq!(
        counts(&said),
        "1 new bucket, 10 known, 1 fixed, 1 not seen",
        "{said}"
    );
    let shown = novelties(&second);
    assert_eq!(shown[0], ("new".into(), of_pass("-fschedule-insns2")));
    assert!(said.contains(&format!("[{}]", of_pass("-fschedule-insns2"))));
    let all = Defects::read(&second).unwrap().defects;
    assert_eq!(all.len(), 13, "nothing is forgotten");
    let filed = all.iter().find(|defect| defect.marked.url.is_some());
    assert_eq!(filed.unwrap().marked.state, DefectState::Filed);

    // In the third, what was fixed is back, which is news; the rest is not.
    week(&third, [0, 8, 12]);
    let (code, said) = mestra(&["report", "--known", &two, &three]);
    assert_eq!(code, 2);
    assert_eq!(
        counts(&said),
        "0 new buckets, 1 back, 2 known, 10 not seen",
        "{said}"
    );
    assert_eq!(novelties(&third)[0], ("back".into(), of_pass("-fgcse")));
    assert!(said.contains("2 × back again: "), "{said}");
    // Once somebody has said so, it is known.
    let (code, _) = mestra(&["mark", &three, &of_pass("-fgcse"), "confirmed"]);
    assert_eq!(code, 0);
    let (code, said) = mestra(&["report", "--known", &two, &three]);
    assert_eq!(
        (code, counts(&said)),
        (0, "0 new buckets, 3 known, 10 not seen")
    );
}

#[test]
fn a_defect_is_no_news_where_it_is_not_yet_fixed() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| directory.path().join(name));
    let [one, two] = [&first, &second].map(|path| path.to_str().unwrap().to_owned());
    let mut fixed = "gcc-crash-in-gimplify".to_owned();
    for (version, code) in [("1000", 0), ("1", 2)] {
        for path in [&first, &second] {
            let _ = std::fs::remove_dir_all(path);
            campaign(path);
            plant(path, 1, CRASH, 5);
        }
        let (done, said) = mestra(&["mark", &one, &fixed, "fixed", version]);
        assert_eq!(done, 0, "{said}");
        let (seen, said) = mestra(&["report", "--known", &one, &two]);
        assert_eq!(seen, code, "fixed in {version}: {said}");
        // A finding names its bucket, too.
        fixed = "s000001-v001-gcc-O2".into();
    }
}

#[test]
fn marks_that_mean_nothing_are_refused_with_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    campaign(directory.path());
    plant(directory.path(), 1, CRASH, 5);
    plant(directory.path(), 2, WRONG_CODE, 5);
    let path = directory.path().to_str().unwrap();
    for (words, complaint) in [
        (
            vec!["nothing", "confirmed"],
            "there is no defect nothing; there are",
        ),
        (vec!["gcc", "confirmed"], "gcc may be gcc-crash"),
        (
            vec!["gcc-crash", "duplicate", "gcc-crash"],
            "cannot be a duplicate of itself",
        ),
        // As of a variable that a script did not set.
        (vec!["", "invalid"], "the name of the bucket is empty"),
        (
            vec!["gcc-crash", "filed", "notaurl"],
            "\"notaurl\" is no address",
        ),
        (
            vec!["gcc-crash", "fixed", "banana"],
            "\"banana\" is not a version",
        ),
    ] {
        let (code, said) = mestra(&[&["mark", path][..], &words].concat());
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(complaint), "{said}");
    }
    std::fs::write(
        directory.path().join("defects.json"),
        r#"{"format":9,"defects":[]}"#,
    )
    .unwrap();
    let (code, said) = mestra(&["report", path]);
    assert_eq!(code, 1);
    assert!(said.contains("made by another version of mestra"), "{said}");
}

#[test]
fn a_mark_is_taken_back_with_all_that_it_said() {
    let directory = tempfile::tempdir().unwrap();
    campaign(directory.path());
    plant(directory.path(), 1, CRASH, 5);
    let path = directory.path().to_str().unwrap();
    let (code, said) = mestra(&["mark", path, "gcc", "filed", "https://a.b/7"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(mestra(&["report", path]).0, 0);
    let (code, said) = mestra(&["mark", path, "gcc", "new"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(": new ("), "{said}");
    assert_eq!(mestra(&["report", path]).0, 2);
    let defects = Defects::read(directory.path()).unwrap().defects;
    assert_eq!(defects[0].marked, MarkedAs::default());
}

/// Wrong code of which no pass is known, in a program that has become this so far.
fn reduced_to(campaign: &Path, program: Option<&str>, is_finished: bool) {
    let unlocated = Defect {
        pass: None,
        failing: &[],
        ..WRONG_CODE
    };
    plant(campaign, 1, unlocated, 5);
    let reduced = finding::directories(campaign).unwrap()[0].join("reduced");
    let Some(program) = program else {
        return fs::remove_dir_all(reduced).unwrap();
    };
    fs::write(reduced.join("reduced.c"), program).unwrap();
    let path = reduced.join("reduction.json");
    let mut reduction: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    reduction["is_finished"] = is_finished.into();
    fs::write(&path, reduction.to_string()).unwrap();
}

const HALF: &str = "unsigned a[3]; int main(void) { for (;;) a[1] = 2; }\n";
const WHOLE: &str = "int main(void) { return 1 << 3 == 8; }\n";

#[test]
fn a_finding_keeps_its_bucket_and_its_mark_when_it_is_reduced_further() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| directory.path().join(name));
    let [one, two] = [&first, &second].map(|path| path.to_str().unwrap().to_owned());
    campaign(&first);
    reduced_to(&first, Some(HALF), false);
    let (code, said) = mestra(&["report", &one]);
    assert_eq!((code, counts(&said)), (2, "1 new bucket"), "{said}");
    let name = novelties(&first)[0].1.clone();
    let (code, said) = mestra(&["mark", &one, &name, "filed", "https://a.b/7"]);
    assert_eq!(code, 0, "{said}");
    reduced_to(&first, Some(WHOLE), true);
    let (code, said) = mestra(&["report", &one]);
    assert_eq!(
        (code, counts(&said)),
        (0, "0 new buckets, 1 known"),
        "{said}"
    );
    assert_eq!(novelties(&first)[0].1, name);
    // The same finding of a later campaign, seen by its number and its program.
    campaign(&second);
    reduced_to(&second, Some("int main(void) { return ~0; }\n"), true);
    let (code, said) = mestra(&["report", "--known", &one, &two]);
    assert_eq!(
        (code, counts(&said)),
        (0, "0 new buckets, 1 known"),
        "{said}"
    );
    let defects = Defects::read(&second).unwrap().defects;
    assert_eq!(defects[0].marked.to_string(), "filed, https://a.b/7");
}

#[test]
fn an_unsorted_finding_of_an_earlier_campaign_does_not_hide_a_new_defect() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| directory.path().join(name));
    let [one, two] = [&first, &second].map(|path| path.to_str().unwrap().to_owned());
    campaign(&first);
    reduced_to(&first, None, false);
    let (code, said) = mestra(&["report", &one]);
    assert_eq!(code, 2);
    assert!(said.contains("[gcc-wrong-code-unsorted]"), "{said}");
    let (code, said) = mestra(&["mark", &one, "gcc-wrong-code-unsorted", "invalid"]);
    assert_eq!(code, 1);
    assert!(said.contains("is not a defect yet"), "{said}");
    assert!(said.contains("mestra reduce"), "{said}");
    campaign(&second);
    reduced_to(&second, Some(WHOLE), true);
    let variant = finding::directories(&second).unwrap()[0].join("variant.c");
    fs::write(variant, "int main(void) { return 1 << 3 == 8; }\n").unwrap();
    let (code, said) = mestra(&["report", "--known", &one, &two]);
    assert_eq!(
        (code, counts(&said)),
        (2, "1 new bucket, 1 not seen"),
        "{said}"
    );
    // What was unsorted is told apart: it was new, is new, and nothing is left of the group.
    reduced_to(&first, Some(WHOLE), true);
    let (code, said) = mestra(&["report", &one]);
    assert_eq!((code, counts(&said)), (2, "1 new bucket"), "{said}");
    assert!(!said.contains("unsorted"), "{said}");
}

#[test]
fn a_damaged_finding_does_not_hide_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    campaign(path);
    for number in 1..=4 {
        plant(path, number, CRASH, 5);
    }
    let found = finding::directories(path).unwrap();
    fs::remove_file(found[0].join("seed.c")).unwrap();
    fs::remove_file(found[1].join("finding.json")).unwrap();
    // That can be made again.
    fs::remove_file(found[2].join("reduced/reduced.c")).unwrap();
    let (code, said) = mestra(&["report", path.to_str().unwrap()]);
    assert_eq!(code, 2, "{said}");
    for words in [
        "skipped s000001-v001-gcc-O2: reading ",
        "skipped s000001-v002-gcc-O2: ",
        "2 × gcc -O2 crashes",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let page = fs::read_to_string(path.join("report.html")).unwrap();
    assert!(page.contains("<li>s000001-v001-gcc-O2: reading "));
    // With nothing else to tell of, that is no success.
    let name = &Defects::read(path).unwrap().defects[0].known_as.name;
    mestra(&["mark", path.to_str().unwrap(), name, "confirmed"]);
    assert_eq!(mestra(&["report", path.to_str().unwrap()]).0, 5);
}

#[test]
fn a_damaged_finding_is_named_and_no_success_where_nothing_else_was_seen() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    campaign(path);
    plant(path, 1, CRASH, 5);
    let found = finding::directories(path).unwrap();
    fs::remove_file(found[0].join("seed.c")).unwrap();
    let path = path.to_str().unwrap();
    for words in [
        vec!["reduce", path],
        vec!["reduce", "--list", path],
        vec!["retest", path, "--compiler", "gcc"],
    ] {
        let (code, said) = mestra(&words);
        assert_eq!(code, 5, "{words:?}: {said}");
        assert!(
            said.contains("skipped s000001-v001-gcc-O2: reading "),
            "{words:?}: {said}"
        );
    }
}

#[test]
fn a_directory_without_a_campaign_has_nothing_to_mark_or_to_retest() {
    let place = Place::new();
    let nowhere = place.path("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    for words in [
        vec!["mark", nowhere, "gcc", "confirmed"],
        vec!["retest", nowhere, "--compiler", "gcc"],
    ] {
        let (code, said) = mestra(&words);
        assert_eq!(code, 1, "{said}");
        assert!(
            said.contains("nowhere does not contain a campaign"),
            "{said}"
        );
    }
    // Nothing was found so far.
    let empty = place.path("empty");
    campaign(&empty);
    let (code, said) = mestra(&["mark", empty.to_str().unwrap(), "gcc", "confirmed"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("there is no defect gcc; none is known"),
        "{said}"
    );
}

#[test]
fn another_version_of_a_compiler_is_tried_on_everything_that_was_found() {
    let place = Place::new();
    let out = place.path("out");
    let words = with_findings(&place, 1);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    ends_with(&run_campaign(&out, &words), 2);
    let fake = |name: &str, body: &str| place.fake(&format!("tcc-{name}"), "tcc", VARIANT, body);
    let said = "echo \"$source:1: error: 'x' is bad\" >&2; exit 1";
    let compilers = [
        ("tcc".to_owned(), 0, "fixed", "1 fixed, 0 still failing"),
        (
            fake("wrong", "exec tcc -DWRONG \"$@\""),
            2,
            "still-fails",
            "1 still failing",
        ),
        (
            fake("crashing", "exec tcc -DCRASH \"$@\""),
            2,
            "still-fails",
            "1 still failing",
        ),
        (
            fake("dying", "kill -SEGV $$"),
            2,
            "other-failure",
            "1 failing in another way",
        ),
        (fake("strict", said), 5, "cannot-build", "1 not built"),
    ];
    let directory = out.to_str().unwrap();
    for (compiler, expected, outcome, words) in &compilers {
        let (code, said) = mestra(&["retest", directory, "--compiler", compiler]);
        assert_eq!(code, *expected, "{compiler}: {said}");
        assert!(said.contains(words), "{said}");
        let defects = Defects::read(&out).unwrap().defects;
        assert_eq!(defects.len(), 1);
        let last = defects[0].retests.last().unwrap();
        let last = serde_json::to_value(last.outcome).unwrap();
        assert_eq!(last, *outcome);
    }
    let (code, said) = mestra(&["retest", directory, "--compiler", "gcc"]);
    assert_eq!(code, 1);
    assert!(said.contains("has no findings of gcc"), "{said}");
    // What the last one said is in the report.
    let (_, said) = mestra(&["report", "--json", directory]);
    assert!(said.contains("cannot build"), "{said}");
}
