//! Which statements count as dead.

use super::{orion, quick};
use crate::hermes::text_source;
use crate::support::statement_at;
use mestra::variant::mutate::Source;
use mestra::variant::profile::Unreached;

fn unreached(text: &str) -> (tempfile::TempDir, Source, Unreached) {
    let (directory, source) = text_source(&quick(orion()), text);
    let unreached = Unreached::new(&source.program, &source.profile);
    (directory, source, unreached)
}

#[test]
fn what_a_jump_leads_into_is_alive_though_its_point_is_never_reached() {
    let (_directory, source, unreached) = unreached(
        "int g;
int main(void) {
    goto middle;
    { g = 1; middle: g = 2; }
    if (g == 3) { never: g = 4; }
    if (g == 5) goto never;
    return 0;
}
",
    );
    let at = |text: &str| statement_at(&source.program, text);
    for dead in ["g = 1;", "never:", "g = 4;", "goto never;", "{ never:"] {
        assert!(unreached.is_dead(at(dead)), "{dead}");
    }
    for alive in ["{ g = 1;", "middle:", "g = 2;", "if (g == 3)", "return 0;"] {
        assert!(!unreached.is_dead(at(alive)), "{alive}");
    }
    assert!(unreached.points().contains(&at("{ g = 1;")));
}

#[test]
fn cases_are_dead_if_control_never_comes_behind_them() {
    let (_directory, source, unreached) = unreached(
        "int g;
int main(void) {
    switch (g) {
        g = 9;
    case 1: g = 1; break;
    case 2: case 0: g = 2;
    default: g = 3;
    }
    switch (g) { case 8: g = 4; break; case 7: g = 5; }
    return 0;
}
",
    );
    let at = |text: &str| statement_at(&source.program, text);
    for dead in [
        "g = 9;",
        "case 1:",
        "g = 1;",
        "case 8:",
        "case 7:",
        "{ case 8:",
    ] {
        assert!(unreached.is_dead(at(dead)), "{dead}");
    }
    // Whether 2 was ever chosen is not told apart from 0.
    for alive in [
        "case 2:",
        "case 0:",
        "default:",
        "g = 3;",
        "switch (g) { case 8",
    ] {
        assert!(!unreached.is_dead(at(alive)), "{alive}");
    }
}

#[test]
fn functions_that_are_left_alone_have_no_dead_code() {
    let (_directory, source, unreached) = unreached(
        "#include <setjmp.h>
jmp_buf there;
static int f(void) { if (setjmp(there)) { return 3; } return 0; }
static int never(void) { { return 1; } }
int main(int argc, char **argv) { (void)argv; return argc > 9 ? never() : f(); }
",
    );
    let at = |text: &str| statement_at(&source.program, text);
    assert!(!unreached.is_dead(at("return 3;")));
    assert!(unreached.is_dead(at("return 1;")));
    let never = source
        .program
        .definitions()
        .find(|(_, f, _)| f.name == "never");
    assert!(unreached.is_dead(never.unwrap().2.body()));
}
