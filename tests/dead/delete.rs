//! Deletion: of several statements, of dead code, and what it leaves.
//! What one deletion does and refuses is in `data/mutations/delete_stmt/`.

use super::{careful, orion, quick};
use crate::hermes::{text_source, variants};
use crate::support::{program, statement_at, try_program};
use mestra::hunt::verify::Verifier;
use mestra::lab::Lab;
use mestra::source::program::{Program, StatementId};
use mestra::variant::mutation::{Change, DeleteStmt, Mutation};
use mestra::variant::replay::apply;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

const PROGRAM: &str = include_str!("../data/mutations/delete_stmt/places.c");

fn delete(statement: StatementId) -> Mutation {
    Mutation {
        id: 3,
        outside: vec![],
        change: Change::DeleteStmt(DeleteStmt { statement }),
    }
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
    let verifier = Verifier::new(&Lab::default(), &source.seed, Duration::from_secs(10)).unwrap();
    let mut deleted = 0;
    for variant in variants(&mutator, &source, 8) {
        let problems = verifier.check(&variant.text).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        deleted += variant.mutations().count();
    }
    assert!(deleted >= 16, "{deleted}");
}
