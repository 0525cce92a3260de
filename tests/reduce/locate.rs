//! Which flag, pass or transformation brings a failure.

use super::fake::wrong_unless;
use super::finding::{config, write};
use super::text::work;
use crate::support::newest_clang;
use mestra::hunt::finding::Reduced;
use mestra::lab::toolchain::{Compiler, Family};
use mestra::source::seed::Seed;
use std::time::Duration;

/// Works on a finding that a compiler shows at -O2 unless it gets certain arguments.
fn located(real: &str, pattern: &str) -> Reduced {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    std::fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let fake = wrong_unless(directory.path(), real, pattern);
    let finding = write(directory.path(), "f", &seed, None, &config(&fake, &["-O2"]));
    work(&finding, Duration::from_secs(300)).unwrap()
}

#[test]
fn the_flag_the_pass_and_the_count_of_gcc_are_found() {
    let pattern = "-fno-tree-ccp | -fdisable-tree-ccp1 | -fdbg-cnt=ccp:[0-4]";
    let reduced = located("gcc", pattern);
    let located = &reduced.located;
    assert_eq!(located.pass.as_deref(), Some("-ftree-ccp"));
    let steps = located.steps.join("\n");
    assert!(steps.contains("-fdisable-tree-ccp1"), "{steps}");
    assert!(
        steps.contains("-fdbg-cnt=ccp:4") && steps.contains("with 5"),
        "{steps}"
    );
    let own = &reduced.finding.config.compiler.name;
    assert_eq!(located.failing_flags(own), ["-O2", "-O3"]);
    let works: Vec<_> = located
        .versions()
        .into_iter()
        .filter(|(.., fails)| !fails)
        .collect();
    assert!(!works.is_empty(), "the real gcc is right");
}

/// Asks one version of clang, which must be installed.
fn is_found_by_bisection(clang: &str) {
    // Right with less than seven passes.
    let reduced = located(clang, "-opt-bisect-limit=[0-6]");
    let steps = reduced.located.steps.join("\n");
    assert!(
        steps.contains("-opt-bisect-limit=6 the failure disappears"),
        "{clang}: {steps}"
    );
    // `SROAPass` in clang 19, `sroa` in clang 22.
    let pass = reduced.located.pass.expect(&steps);
    assert!(!pass.contains(' ') && !pass.is_empty(), "{clang}: {pass}");
    assert!(
        steps.contains(&format!("Pass number 7 is {pass} on ")),
        "{clang}: {steps}"
    );
}

#[test]
fn the_pass_of_clang_is_found_by_bisection() {
    is_found_by_bisection(newest_clang());
}

#[test]
#[ignore = "long"]
fn the_pass_of_every_installed_clang_is_found_by_bisection() {
    let clangs = Compiler::installed();
    let clangs = clangs
        .iter()
        .filter(|compiler| compiler.family == Family::Clang);
    for clang in clangs {
        println!("{}", clang.name);
        is_found_by_bisection(&clang.name);
    }
}
