//! What `mestra dump` shows.

use crate::support::repository;
use mestra::lab::process::{Command, Ending};

fn dump(arguments: &[&str]) -> String {
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg("dump")
        .args(arguments)
        .directory(repository().join("tests/data/dump"))
        .run()
        .unwrap();
    assert_eq!(
        outcome.ending,
        Ending::Exited(0),
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
    String::from_utf8(outcome.stdout).unwrap()
}

#[test]
fn the_text_is_as_expected() {
    insta::assert_snapshot!(dump(&["small.c"]));
}

#[test]
fn the_json_holds_what_the_text_holds() {
    let json: serde_json::Value = serde_json::from_str(&dump(&["--json", "small.c"])).unwrap();
    let statements = json["statements"].as_array().unwrap();
    let points = statements.iter().filter(|s| !s["point"].is_null()).count();
    let text = dump(&["small.c"]);
    let first = text.lines().next().unwrap();
    assert!(
        first.contains(&format!("{} statements, {points} points", statements.len())),
        "{first}"
    );
    let names: Vec<&str> = json["variables"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|v| v["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "total", "limits", "from", "to", "sum", "i", "argc", "argv", "late"
        ]
    );
}

#[test]
fn flags_after_the_dashes_reach_the_parser() {
    assert!(dump(&["small.c", "--", "-m32"]).contains("32-bit pointers"));
}
