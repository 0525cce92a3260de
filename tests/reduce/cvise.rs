//! What C-Vise makes is taken if it is smaller and passes our own test, and not
//! otherwise. A fake one makes what it is told to; a real one is asked, too.

use super::fake::failing;
use super::finding::{config, write};
use super::text::in_an_empty_directory;
use crate::campaign::command;
use crate::support::executable;
use mestra::hunt::finding::Reduced;
use mestra::lab::process::{Ending, Output};
use mestra::source::seed::Seed;
use std::fs;
use std::path::{Path, PathBuf};

/// Crashes the compiler by three names, or by one that no reducer of ours comes upon.
const SEED: &str = "int one, two, three;
int main(void) {
    return one + two + three;
}
";
const SHAPE: &str = "one.*two.*three\\|brief";

/// A finding of [`SEED`], with a compiler that crashes on the shape.
fn finding(directory: &Path, shape: &str) -> PathBuf {
    let path = directory.join("seed.c");
    fs::write(&path, SEED).unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let body = "echo \"$source: internal compiler error: in fake_pass, at fake.cc:1\" >&2; exit 1";
    let fake = failing(directory, "gcc-crash", shape, body);
    write(directory, "f", &seed, None, &config(&fake, &["-O1"]))
}

/// Reduces with the fake C-Vise that does this to its program, `$4`.
/// Returns what it became, its text, and what was said.
fn reduced_with(cvise: &str, shape: &str) -> (Reduced, String, String) {
    let directory = tempfile::tempdir().unwrap();
    let finding = finding(directory.path(), shape);
    let bin = directory.path().join("bin");
    executable(
        &bin.join("cvise"),
        &format!("#!/bin/sh\ntest \"$1 $3\" = '--n ./interesting.sh' || exit 9\n{cvise}\n"),
    );
    let outcome = reduce(&finding, &format!("{}:", bin.display()));
    assert_eq!(outcome.ending, Ending::Exited(2), "{outcome:?}");
    let text = fs::read_to_string(finding.join("reduced/reduced.c")).unwrap();
    let reduced = Reduced::read(&finding).unwrap().unwrap();
    let said = String::from_utf8(outcome.stdout).unwrap();
    (reduced, text, said)
}

fn reduce(finding: &Path, path: &str) -> Output {
    command(&["reduce", "--time", "3m", finding.to_str().unwrap()])
        .env("PATH", format!("{path}{}", std::env::var("PATH").unwrap()))
        .run()
        .unwrap()
}

#[test]
fn what_is_smaller_and_still_interesting_is_taken_from_c_vise() {
    // The test that it is given says yes to the start, yes to this, and no to nothing.
    let (reduced, text, said) = reduced_with(
        "./interesting.sh || exit 8
         echo 'int main(void) { }' > $4; ./interesting.sh && exit 7
         echo 'int brief;int main(){}' > $4; ./interesting.sh || exit 6",
        SHAPE,
    );
    assert!(reduced.by_cvise, "{text}");
    assert!(!said.contains("C-Vise failed"), "{said}");
    assert!(text.contains("brief") && !text.contains("one"), "{text}");
}

#[test]
fn what_is_not_smaller_or_not_interesting_is_not_taken_from_c_vise() {
    for (why, cvise) in [
        ("does not crash the compiler", "echo 'int x;' > $4"),
        ("is no C", "echo 'int brief' > $4"),
        (
            "is larger",
            "echo 'int a, b, c, d, e, f, g, h, i, j, k, l; int m, n, o, p, q, r, s, t, u; \
             int brief; int main(void) { return a + b + c; }' > $4",
        ),
        ("failed", "echo 'int brief;int main(){}' > $4; exit 1"),
    ] {
        let (reduced, text, _) = reduced_with(cvise, SHAPE);
        assert!(!reduced.by_cvise, "{why}: {text}");
        assert!(text.contains("one, two, three"), "{why}: {text}");
    }
}

#[test]
fn what_c_vise_complains_of_is_told() {
    for (cvise, told) in [
        ("echo 'no clang_delta' >&2; exit 1", "no clang_delta"),
        ("kill -KILL $$", "SIGKILL"),
        (
            "echo 'C-Vise cannot run because of the test'",
            "C-Vise cannot run because of the test",
        ),
    ] {
        let (reduced, _, said) = reduced_with(cvise, SHAPE);
        assert!(!reduced.by_cvise, "{said}");
        let told = format!("  C-Vise failed: {told}\n");
        assert!(said.contains(&told), "{said}");
    }
}

#[test]
#[ignore = "long"]
fn the_installed_c_vise_understands_our_test() {
    let directory = tempfile::tempdir().unwrap();
    let finding = finding(directory.path(), "three");
    assert!(
        mestra::lab::toolchain::find_tool("cvise").is_some(),
        "scripts/setup.sh installs it"
    );
    let outcome = reduce(&finding, "");
    let said = String::from_utf8_lossy(&outcome.stdout);
    // It may find nothing more to do, but it must not complain.
    assert!(!said.contains("C-Vise failed"), "{said}");
    let text = fs::read_to_string(finding.join("reduced/reduced.c")).unwrap();
    assert!(text.contains("three"), "{text}");
    assert!(in_an_empty_directory(&finding, "repro.sh", &["repro.sh"]));
}
