//! Configs that run nothing: what a compiler does on the way is found all the same.

use super::{Place, SEED, VARIANT, campaign, ends_with, rows};
use crate::reduce::text::{reproduces, work};
use mestra::hunt::finding;
use std::fs;
use std::time::Duration;

#[test]
fn a_compiler_for_a_machine_that_is_not_there_is_found_to_crash() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let crash = "echo 'seed.c:1: internal compiler error: in expand, at expand.cc:1' >&2; exit 4";
    let fake = place.fake("gcc-512", "gcc", VARIANT, crash);
    let compiler = format!("{fake} -march=x86-64-v4 | -");
    let out = place.path("out");
    let seeds = seed.to_str().unwrap();
    let words = ["--seeds", seeds, "--compiler", &compiler, "-n", "1"];
    ends_with(
        &campaign(&out, &[&words[..], &["--flag-set=-O2"]].concat()),
        2,
    );
    let runs = rows(&out, "SELECT variant, config, verdict FROM runs ORDER BY 1");
    let name = format!("{fake} -O2 -march=x86-64-v4 -c");
    assert_eq!(
        runs,
        [
            format!("0 | {name} | same"),
            format!("1 | {name} | compiler-crash")
        ]
    );
    let found = finding::directories(&out).unwrap();
    work(&found[0], Duration::from_secs(5)).unwrap();
    assert!(reproduces(&found[0]));
    let report = fs::read_to_string(found[0].join("reduced/report.md")).unwrap();
    assert!(report.contains(" -c reduced.c`"), "{report}");
}
