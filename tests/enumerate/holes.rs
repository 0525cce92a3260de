//! What is a hole, and what it can be filled with.

use crate::support::program;
use mestra::variant::enumerate::{ClassRule, EnumerationSettings, HoleScope, Skeleton, TypeRule};
use num_bigint::BigUint;

const EXACT: EnumerationSettings = EnumerationSettings {
    classes: ClassRule::Exact,
    scope: HoleScope::Program,
    types: TypeRule::Strict,
};

/// Each hole with its candidates, such as `x: x y`.
fn holes(source: &str, types: TypeRule) -> Vec<String> {
    let program = program(source);
    let skeleton = Skeleton::new(&program, EnumerationSettings { types, ..EXACT }).unwrap();
    let describe = |hole: &mestra::variant::enumerate::SkeletonHole| {
        let names = skeleton.names(&hole.candidates).join(" ");
        let own = skeleton.names(&[hole.variable])[0];
        format!("{own}: {names}")
    };
    skeleton.holes().iter().map(describe).collect()
}

fn strict(source: &str) -> Vec<String> {
    holes(source, TypeRule::Strict)
}

/// How many programs there are with exact classes.
fn exact(source: &str) -> BigUint {
    let program = program(source);
    Skeleton::new(&program, EXACT).unwrap().product().count()
}

#[test]
fn candidates_have_the_same_arithmetic_type_whatever_its_name() {
    let source = "typedef int number; enum e { k };
        int main(void) { int a = 1; number b = 2; unsigned c = 3; enum e d = k; int *p = &a; \
        return b + c + d + *p; }";
    assert_eq!(strict(source), ["a: a b", "b: a b", "c: c"]);
}

#[test]
fn what_is_written_is_not_const_and_an_address_keeps_its_type() {
    let source =
        "int main(void) { int a = 1; const int b = 2; volatile int c = 3; register int d = 4;
        a = b; int *p = &a; const int *q = &b; return *p + *q; }";
    assert_eq!(strict(source), ["a: a c d", "b: a b c d", "a: a", "b: b"]);
}

#[test]
fn a_variable_counts_behind_its_declarator_and_not_in_its_own_initialiser() {
    let source = "int main(void) { int a = 1, b = a, c = b; return c; }";
    assert_eq!(strict(source), ["a: a", "b: a b", "c: a b c"]);
}

#[test]
fn a_shadowed_variable_is_no_candidate() {
    let source = "int a; int main(void) { a = 1; { int b = a; int a = b; a = b; } return a; }";
    let expected = ["a: a", "a: a", "b: b", "a: b a", "b: b a", "a: a"];
    assert_eq!(strict(source), expected);
}

#[test]
fn the_first_clause_of_a_for_is_seen_in_all_of_it() {
    let source = "int main(void) { int n = 3; for (int i = 0; i < n; i++) n--; return n; }";
    assert_eq!(
        strict(source),
        ["i: n i", "n: n i", "i: n i", "n: n i", "n: n"]
    );
}

#[test]
fn macros_sizes_and_functions_left_alone_have_no_holes() {
    let source = "#define TWICE(x) ((x) * 2)
        int f(int a, int b) { __asm__(\"\" : \"+r\"(a)); return a + b; }
        int main(void) { int a = 1; static int b = sizeof a; return TWICE(a) + sizeof a + b; }";
    assert_eq!(strict(source), ["b: a b"]);
}

#[test]
fn what_is_defined_elsewhere_is_not_named_anew() {
    let source = "extern int far; int main(void) { int a = far; return a; }";
    assert_eq!(strict(source), ["a: a"]);
}

#[test]
fn any_type_takes_every_visible_variable() {
    let source = "struct s { int m; } g; int main(void) { char *p = 0; return sizeof p + g.m; }";
    assert_eq!(holes(source, TypeRule::Any), ["p: g p", "g: g p"]);
}

#[test]
fn declarations_that_differ_are_told_apart_by_exact_classes() {
    let body = |declarations: &str| {
        let source = format!(
            "int g(void); int main(void) {{ {declarations} return a; }} int g(void) {{ return 1; }}"
        );
        exact(&source)
    };
    for same in [
        "int a, b;",
        "int a = 7, b = 7;",
        "int a; int b;",
        "static int a = 1, b = 1;",
    ] {
        assert_eq!(body(same), 1u32.into(), "{same}");
    }
    for different in [
        "int a = 7, b = 8;",
        "int a, b = 0;",
        "static int a; int b;",
        "int a; const int b = 1;",
        "int a; volatile int b;",
        "register int a; int b;",
        "int a; int b __attribute__((aligned(16)));",
        "int a = g(), b = g();",
        "int a = __LINE__, b = __LINE__;",
        "int a; g(); int b;",
    ] {
        assert_eq!(body(different), 2u32.into(), "{different}");
    }
}

#[test]
fn parameters_and_variables_with_a_fixed_use_are_like_no_other() {
    assert_eq!(
        exact("int f(int a, int b) { return a; } int main(void) { return f(1, 2); }"),
        2u32.into()
    );
    let fixed = "#define A a\nint main(void) { int a, b; A = 1; return b; }";
    assert_eq!(exact(fixed), 2u32.into());
}
