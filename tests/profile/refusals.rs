//! Seeds that cannot be profiled are refused, with the reason.

use super::{default_profiler, profiler_with, seed};
use crate::support::newest_clang;
use mestra::error::SeedRefused;
use mestra::variant::profile::ProfileOptions;
use std::time::{Duration, Instant};

#[track_caller]
fn refused(source: &str, reason: &str) {
    let (_directory, seed, program) = seed(source);
    let error = default_profiler().profile(&seed, &program).unwrap_err();
    let refusal = error
        .downcast_ref::<SeedRefused>()
        .unwrap_or_else(|| panic!("{error:#}"));
    let said = refusal.reason.to_string();
    assert!(said.contains(reason), "{said}");
}

#[test]
fn a_seed_that_differs_from_run_to_run() {
    refused(
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) { printf(\"%d\\n\", (int)getpid()); }",
        "behaves differently from run to run",
    );
}

#[test]
fn a_seed_that_does_not_end() {
    let (_directory, seed, program) = seed("int main(void) { for (;;) ; }");
    let options = ProfileOptions {
        seed_timeout: Duration::from_millis(300),
        ..ProfileOptions::default()
    };
    let start = Instant::now();
    let error = profiler_with(&["gcc", newest_clang(), "tcc"], options)
        .profile(&seed, &program)
        .unwrap_err();
    assert!(
        format!("{error:#}").contains("does not end within 0.3 s"),
        "{error:#}"
    );
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_seed_that_the_compilers_disagree_on() {
    refused(
        "#include <stdio.h>\nstatic int n; static int f(void) { return ++n; }\n\
         static int two(int x, int y) { return 10 * x + y; }\n\
         int main(void) { printf(\"%d\\n\", two(f(), f())); return 0; }",
        "disagree on what it does: line 1 is `",
    );
}

#[test]
fn a_seed_that_notices_being_observed() {
    refused(
        "#include <stdio.h>\n#include <string.h>\nextern char etext, __executable_start;\n\
         int main(void) { printf(\"%ld\\n\", (long)(&etext - &__executable_start)); return 0; }",
        "",
    );
}

#[test]
fn a_seed_that_a_compiler_does_not_take() {
    refused(
        "int main(void) { return missing_function(); }",
        "cannot compile it",
    );
}

#[test]
fn a_seed_with_our_names() {
    refused(
        "int mestra__v = 1; int main(void) { return 0; }",
        "names that start with mestra__",
    );
}

#[test]
fn a_seed_whose_input_is_missing() {
    let (_directory, mut seed, program) = seed("int main(void) { return 0; }");
    seed.set_inputs(&[], &["no/such/input".into()]).unwrap();
    let error = default_profiler().profile(&seed, &program).unwrap_err();
    assert!(format!("{error:#}").contains("no/such/input"), "{error:#}");
}
