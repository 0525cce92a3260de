//! Evaluation order: what differs between compilers is found and marked.

use super::{default_profiler, profiled, seed};
use crate::support::{newest_clang, repository, statement_at};
use mestra::lab::toolchain::{Compiler, Config};
use mestra::source::seed::Seed;
use mestra::variant::profile::Difference;

#[test]
fn values_that_depend_on_the_order_of_arguments_are_marked() {
    let (program, profile) = profiled(
        "static int calls, a, b; static int f(void) { a = ++calls; return 1; }\n\
         static int g(void) { b = ++calls; return 2; }\n\
         static int two(int x, int y) { calls = 0; return x + y; }\n\
         int main(void) { int r = two(f(), g()); a = b = 0; return r - 3; }",
    );
    let difference = |at: &str| {
        profile
            .point(statement_at(&program, at))
            .unwrap()
            .order_sensitive
            .clone()
    };
    let Some(Difference::Values(columns)) = difference("a = ++calls") else {
        panic!("f is called first by some and last by others")
    };
    let names: Vec<&str> = columns
        .iter()
        .map(|&column| profile.columns[column as usize].text.as_str())
        .collect();
    assert_eq!(names, ["calls", "b"]);
    assert_eq!(difference("int r"), None);
    assert_eq!(difference("return r"), None);
}

#[test]
fn points_that_only_some_orders_reach_are_marked() {
    let (program, profile) = profiled(
        "static int first; static int f(void) { if (!first) first = 1; return 1; }\n\
         static int g(void) { if (!first) { first = 2; } return 1; }\n\
         static int two(int x, int y) { first = 0; return x + y; }\n\
         int main(void) { return two(f(), g()) - 2; }",
    );
    let point = profile.point(statement_at(&program, "first = 2")).unwrap();
    assert_eq!(point.order_sensitive, Some(Difference::Reached));
    assert!(
        point.visits > 0,
        "reached under any order counts as reached"
    );
}

#[test]
fn the_three_trusted_compilers_order_in_three_ways() {
    // Arguments and assignments: this is why tcc is a third witness and replaces none.
    let source = "#include <stdio.h>\nstatic int n, a[200]; static char log_[9];\n\
        static int f(int c) { log_[n++] = c; return c; }\n\
        static int *p(int c) { f(c); return &a[c]; }\n\
        static void two(int x, int y) { (void)x; (void)y; }\n\
        int main(void) { two(f('a'), f('b')); *p('c') = f('d'); *p('e') += f('g'); puts(log_); return 0; }";
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("order.c");
    std::fs::write(&path, source).unwrap();
    let order = |compiler: &str| {
        let output = directory.path().join(compiler);
        crate::support::compile(compiler, &path, &[], &output).unwrap();
        let outcome = crate::support::run(&output, &Default::default()).unwrap();
        String::from_utf8(outcome.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(order("gcc"), "bacdge");
    assert_eq!(order(newest_clang()), "abdcge");
    assert_eq!(order("tcc"), "abcdeg");
}

#[test]
fn the_seed_about_evaluation_order_is_marked_rightly() {
    let seed = Seed::read(&repository().join("corpora/evaluation_order.c"), &[]).unwrap();
    let program = crate::support::lower_seed(&seed).unwrap();
    let profile = default_profiler().profile(&seed, &program).unwrap();
    let sensitive_in = |function: &str| {
        let (_, _, definition) = program
            .definitions()
            .find(|(_, held, _)| held.name == function)
            .unwrap();
        definition
            .statement_ids()
            .filter_map(|id| profile.point(id))
            .filter(|point| point.order_sensitive.is_some())
            .count()
    };
    assert!(sensitive_in("f") > 0 && sensitive_in("g") > 0);
    let (_, _, main) = program
        .definitions()
        .find(|(_, held, _)| held.name == "main")
        .unwrap();
    let first = main
        .statement_ids()
        .find_map(|id| profile.point(id))
        .unwrap();
    assert_eq!(first.order_sensitive, None, "nothing has happened yet");
}

#[test]
fn another_compilers_own_profile_is_judged_by_the_rows() {
    let source = "static int calls, last; static int f(void) { last = ++calls; return 1; }\n\
         static int g(void) { ++calls; return 2; }\n\
         static int two(int x, int y) { calls = last = 0; return x + y; }\n\
         int main(void) { int r = two(f(), g()); return r - 3; }";
    let (_directory, seed, program) = seed(source);
    let gcc = super::profiler(&["gcc"]);
    let profile = gcc.profile(&seed, &program).unwrap();
    let inner = statement_at(&program, "last = ++calls");
    let stable = statement_at(&program, "return r");
    let outside = |compiler: &str, flags: &[&str]| {
        let config = Config::new(Compiler::find(compiler).unwrap(), flags);
        let observed = gcc.observe(&seed, &program, &profile, &config).unwrap();
        observed.outside(&profile, &[inner, stable])
    };
    assert_eq!(outside("gcc", &["-O2"]), []);
    assert_eq!(outside(newest_clang(), &["-O2"]), [inner]);
    assert_eq!(outside("tcc", &[]), [inner]);
}
