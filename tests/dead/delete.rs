//! Deletion: every reason why it does not fit, and what it leaves.

use super::{careful, orion, quick};
use crate::hermes::{text_source, variants};
use crate::support::{program, statement_at, try_program};
use mestra::hunt::verify::Verifier;
use mestra::source::program::{NoPoint, Program, StatementId};
use mestra::variant::mutation::{Change, DeleteStmt, Mutation, Unfit};
use mestra::variant::replay::apply;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

const PROGRAM: &str = "\
#define DO(s) s
#define OPEN {
int g;
static int f(int x) {
    int unused, also = 1;
    int y = 1;
    static int kept;
    struct inner { int a; } record;
    if (x) g = 1; else g = 2;
    switch (x) { case 1: g = 3; __attribute__((fallthrough)); case 2: g = 4; break; default: ; }
    switch (x) { case 3: g = 6; break; case 4: g = 7; }
    if (x > 5) { again: g = 5; {
        other: x--; } }
    if (x > 4) goto again;
    DO(g++;)
    if (x > 3) OPEN g = 8; }
    { int inner = y; g += inner; }
    while (x > 9) x--;
    g = sizeof(struct late { int b; });
    if (x > 8) {
#define LATER 1
        g = 9;
    }
    (void)({ g = 10; 1; });
    x = LATER;
    return g;
}
int main(void) { return f(0) - 4; }
";

fn delete(statement: StatementId) -> Mutation {
    Mutation {
        id: 3,
        change: Change::DeleteStmt(DeleteStmt { statement }),
    }
}

fn refusal(program: &Program, text: &str) -> Unfit {
    let statement = statement_at(program, text);
    delete(statement).check(program).expect_err(text)
}

fn without(program: &Program, texts: &[&str]) -> String {
    let mutations: Vec<Mutation> = texts
        .iter()
        .map(|text| delete(statement_at(program, text)))
        .collect();
    let text = apply(program, &mutations).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn what_is_no_statement_of_the_text_is_not_deleted() {
    let program = program(PROGRAM);
    let none = StatementId(9_999);
    assert_eq!(delete(none).check(&program), Err(Unfit::NoStatement(none)));
    assert_eq!(
        refusal(&program, "DO(g++;)"),
        Unfit::NoPoint(NoPoint::InMacro)
    );
    assert_eq!(refusal(&program, "OPEN g"), Unfit::NoPoint(NoPoint::Body));
    assert_eq!(
        refusal(&program, "g = 10;"),
        Unfit::NoPoint(NoPoint::InStatementExpression)
    );
}

#[test]
fn a_declaration_goes_only_if_nothing_mentions_what_it_declares() {
    let program = program(PROGRAM);
    assert_eq!(refusal(&program, "int y"), Unfit::StillUsed("y".into()));
    assert_eq!(refusal(&program, "static int kept"), Unfit::Declaration);
    assert_eq!(refusal(&program, "struct inner"), Unfit::Declaration);
    assert_eq!(refusal(&program, "g = sizeof"), Unfit::Declaration);
    assert_eq!(
        refusal(&program, "int inner"),
        Unfit::StillUsed("inner".into())
    );
    let text = without(&program, &["int unused"]);
    assert!(
        text.contains("static int f(int x) {\n    \n    int y"),
        "{text}"
    );
}

#[test]
fn a_name_in_a_type_or_a_macro_counts_as_a_mention() {
    for user in ["typeof(x) *p;", "int a[sizeof x];", "USE = 1;"] {
        let text = format!("#define USE x\nint main(void) {{ int x; {user} return 0; }}\n");
        let program = program(&text);
        assert_eq!(refusal(&program, "int x;"), Unfit::StillUsed("x".into()));
    }
}

#[test]
fn a_label_that_a_fallthrough_needs_stays() {
    let program = program(PROGRAM);
    assert_eq!(refusal(&program, "case 2:"), Unfit::Fallthrough);
    assert_eq!(refusal(&program, "default:"), Unfit::Fallthrough);
    assert_eq!(
        delete(statement_at(&program, "switch (x) { case 1")).check(&program),
        Ok(())
    );
    assert_eq!(
        delete(statement_at(&program, "case 3:")).check(&program),
        Ok(())
    );
    let attribute = refusal(&program, "__attribute__");
    assert!(matches!(attribute, Unfit::Untouchable(_)), "{attribute}");
}

#[test]
fn preprocessor_lines_pragmas_and_counters_stop_a_deletion() {
    assert_eq!(refusal(&program(PROGRAM), "if (x > 8)"), Unfit::Directive);
    let pragma = "int main(void) { { _Pragma(\"GCC unroll 2\") for (;;) ; } }\n";
    assert_eq!(refusal(&program(pragma), "{ _Pragma"), Unfit::Directive);
    let counter = "int a = __COUNTER__; int main(void) { a++; return __COUNTER__; }\n";
    assert_eq!(refusal(&program(counter), "a++;"), Unfit::Counter);
}

#[test]
fn what_must_be_a_statement_becomes_the_empty_one() {
    let program = program(PROGRAM);
    let text = without(&program, &["g = 1;", "g = 2;", "g = 6;", "x--;\n"]);
    assert!(text.contains("if (x) ; else ;"), "{text}");
    assert!(text.contains("case 3: ; break;"), "{text}");
    assert!(text.contains("while (x > 9) ;"), "{text}");
}

#[test]
fn labels_and_line_breaks_stay() {
    let program = program(PROGRAM);
    let text = without(&program, &["if (x > 5)"]);
    assert!(
        text.contains("    again: other: ;\n\n    if (x > 4)"),
        "{text}"
    );
    let text = without(&program, &["{ again:"]);
    assert!(
        text.contains("    if (x > 5) { again: other: ; }\n\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), PROGRAM.lines().count());
}

#[test]
fn an_outer_deletion_swallows_what_is_in_it_whatever_the_order() {
    let program = program(PROGRAM);
    let alone = without(&program, &["if (x > 5)"]);
    assert_eq!(
        without(&program, &["g = 5;", "if (x > 5)", "{ again:"]),
        alone
    );
    assert_eq!(
        without(&program, &["{ again:", "if (x > 5)", "g = 5;"]),
        alone
    );
}

#[test]
fn each_possible_deletion_alone_and_random_sets_of_them_compile() {
    let program = program(PROGRAM);
    let all: Vec<Mutation> = program
        .statement_ids()
        .map(delete)
        .filter(|mutation| mutation.check(&program).is_ok())
        .collect();
    assert!(all.len() > 25, "{}", all.len());
    let compiles = |mutations: &[&Mutation]| {
        let text = apply(&program, mutations.iter().copied()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let strict = [
            "-Werror=implicit-function-declaration",
            "-Werror=int-conversion",
        ];
        if let Err(refused) = try_program(&text, &strict) {
            panic!("{refused}\n{text}");
        }
    };
    for mutation in &all {
        compiles(&[mutation]);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..60 {
        let some: Vec<&Mutation> = all.iter().filter(|_| rng.random_bool(0.3)).collect();
        compiles(&some);
    }
}

#[test]
fn a_program_without_dead_code_gives_a_note_and_no_variants() {
    let mutator = quick(orion());
    let (_directory, source) = text_source(&mutator, "int main(void) { return 0; }\n");
    assert!(mutator.note(&source).unwrap().contains("no dead code"));
    assert!(variants(&mutator, &source, 3).is_empty());
}

#[test]
fn dead_declarations_lines_and_switches_are_deleted_without_a_trace() {
    let mutator = careful(orion());
    let (_directory, source) = text_source(
        &mutator,
        "#include <stdio.h>
static int pick(int k) {
    switch (k) {
        int held = 5;
    case 0: held = k; k += held; break;
    case 1: { int only = 4; k = only; } break;
    case 2: for (;;) { if (k++ > 3) break; }
    default: return 7;
    }
    return k;
    { int after[3] = { 1,
        2 }; }
}
static double unused(double x) { return x; }
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 5) { printf(\"%d\\n\", pick(argc)); goto out; }
    printf(\"%d %d\\n\", pick(0), __LINE__);
out:
    return (int)sizeof(unused(1.0)) - 8;
}
",
    );
    let verifier = Verifier::new(&source.seed, Duration::from_secs(10)).unwrap();
    let mut deleted = 0;
    for variant in variants(&mutator, &source, 8) {
        let problems = verifier.check(&variant.text).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        deleted += variant.mutations().count();
    }
    assert!(deleted >= 16, "{deleted}");
}
