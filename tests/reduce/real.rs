//! A real defect, from the campaign that finds it to the report: tcc 0.9.27 joins
//! an element of a static initialiser with the one that it overrides. The example
//! of docs/example.md.

use super::text::reproduces;
use crate::campaign::command;
use crate::support::repository;
use mestra::hunt::finding::Reduced;
use mestra::lab::process::Ending;
use std::fs;
use std::path::Path;

/// Whether the installed tcc has the defect.
fn is_there(directory: &Path) -> bool {
    let source = repository().join("docs/example/lights.c");
    let program = directory.join("lights");
    crate::support::compile("tcc", &source, &[], &program).unwrap();
    let outcome = mestra::lab::process::Command::new(&program).run().unwrap();
    String::from_utf8_lossy(&outcome.stdout).contains("616 s")
}

#[test]
fn a_defect_of_tcc_is_found_reduced_and_reported() {
    let directory = tempfile::tempdir().unwrap();
    if !is_there(directory.path()) {
        println!("this tcc does not have the defect any more");
        return;
    }
    let out = directory.path().join("campaign");
    let outcome = command(&[
        "campaign",
        "--seeds",
        repository().join("docs/example/lights.c").to_str().unwrap(),
        "--compiler",
        "tcc",
        "--variants",
        "1",
        "--reduce-time",
        "5m",
        "--out",
        out.to_str().unwrap(),
    ])
    .run()
    .unwrap();
    let said = String::from_utf8_lossy(&outcome.stdout);
    println!("{said}{}", String::from_utf8_lossy(&outcome.stderr));
    assert_eq!(outcome.ending, Ending::Exited(2));
    let finding = out.join("findings/s000001-seed-tcc-O0");
    let reduced = Reduced::read(&finding).unwrap().unwrap();
    let text = fs::read_to_string(finding.join("reduced/reduced.c")).unwrap();
    println!("{text}");
    assert!(
        reduced.lines <= 12 && reduced.is_finished,
        "{}",
        reduced.lines
    );
    assert!(text.contains("= 5") && text.contains("= 2"), "{text}");
    assert!(reproduces(&finding));
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(
        page.contains("wrong-output") && page.contains("lights.c"),
        "{page}"
    );
}
