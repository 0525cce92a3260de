//! A simpler mutation is taken only if it is proved to be one: over the values of
//! every visit it is defined and does what its kind promises.

use crate::hermes::{careful, source, text_source, variants};
use crate::support::{repository, statement_at};
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, LogicalOp};
use mestra::code::stmt::Stmt;
use mestra::code::types::IntKind;
use mestra::hunt::verify::Verifier;
use mestra::lab::Lab;
use mestra::source::program::Span;
use mestra::variant::mutate::Source;
use mestra::variant::mutation::{
    AssertFact, Change, Fact, FalseBlock, Mutation, Prover, ReplaceExpr, TrueBlock, TrueGuard,
};
use mestra::variant::replay::apply;
use mestra::variant::strategy::Hermes;
use std::time::Duration;

/// At `total += step`, `i` is 0 to 4 in turn.
const SEED: &str = "#include <stdio.h>
int total;
static void add(int i, int base) {
    int step = base / (i + 1);
    total += step;
}
int main(void) {
    int i;
    for (i = 0; i < 5; i++) add(i, 12);
    printf(\"%d\\n\", total);
    return 0;
}
";

fn i() -> Expr {
    Expr::var("i", IntKind::Int)
}

fn binary(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::binary(op, left, Expr::int(right))
}

fn set(name: &str, value: Expr) -> Stmt {
    Stmt::Expr(Expr::assign(Expr::var(name, IntKind::Int), value))
}

/// `12 / divisor > 0 && i < 5`.
fn guard(divisor: Expr) -> Expr {
    let quotient = Expr::binary(BinaryOp::Div, Expr::int(12), divisor);
    Expr::logical(
        LogicalOp::And,
        binary(BinaryOp::Gt, quotient, 0),
        binary(BinaryOp::Lt, i(), 5),
    )
}

/// A mutation with what may and what must not become of it in one step.
struct Expected {
    from: Change,
    good: Vec<Change>,
    bad: Vec<Change>,
}

fn expectations(source: &Source) -> Vec<Expected> {
    let at = statement_at(&source.program, "total += step");
    let around = |guard| {
        Change::TrueGuard(TrueGuard {
            around: at,
            guard,
            otherwise: None,
        })
    };
    let live = |items: &[&Stmt]| {
        let block = Stmt::Block(items.iter().map(|item| (*item).clone()).collect());
        Change::TrueBlock(TrueBlock {
            before: at,
            shape: None,
            block,
        })
    };
    let told = |fact| {
        let fact = Fact::Unreachable(fact);
        Change::AssertFact(AssertFact { at, fact })
    };
    // `total += step` with something added to `step`.
    let replaced = |added| {
        let original = Expr::var("mestra_original", IntKind::Int);
        let by = Expr::binary(BinaryOp::Add, original, added).cast(IntKind::Int);
        let Span { start, .. } = source.program.statement(at).span;
        let (start, end) = (start + 9, start + 13);
        let operand = Span { start, end };
        Change::ReplaceExpr(ReplaceExpr { at, operand, by })
    };
    let base = || Expr::var("base", IntKind::Int);
    let is_twelve = binary(BinaryOp::Eq, base(), 12);
    let dead = |block| Change::FalseBlock(FalseBlock { before: at, block });
    let copy = Stmt::declare(
        "mestra_1_b0",
        IntKind::Int,
        Some(Expr::var("total", IntKind::Int)),
    );
    let change = set(
        "total",
        binary(BinaryOp::Add, Expr::var("total", IntKind::Int), 7),
    );
    let restore = set("total", Expr::var("mestra_1_b0", IntKind::Int));
    let never = binary(BinaryOp::Gt, i(), 7);
    let body = Stmt::Block(vec![set("total", Expr::int(1))]);
    let quotient = Expr::binary(BinaryOp::Div, Expr::int(12), binary(BinaryOp::Add, i(), 1));
    let below = binary(BinaryOp::Lt, i(), 5);
    vec![
        Expected {
            from: around(guard(binary(BinaryOp::Add, i(), 1))),
            good: vec![
                around(below.clone()),
                around(Expr::int(1)),
                around(guard(Expr::int(1))),
            ],
            bad: vec![
                // Divides by zero in the first visit.
                around(guard(i())),
                around(guard(binary(BinaryOp::Add, i(), 0))),
                around(guard(Expr::int(0))),
                // False in the first visit, or in all.
                around(Expr::logical(
                    LogicalOp::And,
                    binary(BinaryOp::Gt, quotient, 0),
                    i(),
                )),
                around(Expr::int(0)),
            ],
        },
        Expected {
            from: live(&[&copy, &change, &restore]),
            good: vec![live(&[&copy, &restore])],
            bad: vec![
                // Leaves `total` changed.
                live(&[&copy, &change]),
                live(&[&copy, &change, &set("total", Expr::int(0))]),
                // Names what is not there.
                live(&[&change, &restore]),
            ],
        },
        Expected {
            from: told(Expr::logical(LogicalOp::And, below.clone(), is_twelve)),
            good: vec![told(below.clone()), told(Expr::int(1))],
            bad: vec![told(i()), told(Expr::int(0))],
        },
        Expected {
            from: replaced(binary(BinaryOp::Sub, base(), 12)),
            good: vec![replaced(Expr::int(0))],
            bad: vec![
                replaced(base()),
                replaced(Expr::int(1)),
                replaced(Expr::int(12)),
                replaced(binary(BinaryOp::Sub, base(), 1)),
            ],
        },
        Expected {
            from: dead(Stmt::if_then(never.clone(), body.clone())),
            good: vec![dead(Stmt::if_then(Expr::int(0), body.clone()))],
            bad: vec![
                dead(body.clone()),
                dead(Stmt::if_then(Expr::int(1), body.clone())),
                dead(Stmt::if_then(i(), body.clone())),
                dead(Stmt::if_then(Expr::int(7), body)),
            ],
        },
    ]
}

#[test]
fn a_wrong_simplification_is_refused_and_a_right_one_is_not() {
    let (_directory, source) = text_source(&careful(1.0, Hermes::default()), SEED);
    let prover = Prover::new(&source.program, &source.profile);
    let verifier = Verifier::new(&Lab::default(), &source.seed, Duration::from_secs(10)).unwrap();
    for Expected { from, good, bad } in expectations(&source) {
        let mutation = |change| Mutation {
            id: 1,
            outside: vec![],
            change,
        };
        let simpler = prover.simpler(&mutation(from));
        let text = |change: &Change| mutation(change.clone()).text();
        // What compilers and sanitizers see agrees with the proof.
        let is_wrong = |change: &Change| {
            let text = apply(&source.program, &[mutation(change.clone())]).unwrap();
            !verifier.check(&text).unwrap().is_empty()
        };
        for change in good {
            let is_there = simpler.iter().any(|other| other.change == change);
            assert!(is_there, "{} should be possible", text(&change));
            assert!(!is_wrong(&change), "{}", text(&change));
        }
        for change in bad {
            let is_there = simpler.iter().any(|other| other.change == change);
            assert!(!is_there, "{} is wrong", text(&change));
            if mutation(change.clone()).check(&source.program).is_ok() {
                assert!(is_wrong(&change), "{}", text(&change));
            }
        }
    }
}

#[test]
fn what_mutations_become_step_by_step_are_variants() {
    let mutator = careful(1.0, Hermes::default());
    let source = source(&mutator, &repository().join("corpora/switch_fallthrough.c")).unwrap();
    let prover = Prover::new(&source.program, &source.profile);
    let verifier = Verifier::new(&Lab::default(), &source.seed, Duration::from_secs(10)).unwrap();
    let variant = variants(&mutator, &source, 1).remove(0);
    let mut mutations: Vec<Mutation> = variant.mutations().cloned().collect();
    let mut steps = 0;
    // Each time another one of the simpler forms, so that all kinds of steps are met.
    for round in 0..6 {
        for mutation in &mut mutations {
            let simpler = prover.simpler(mutation);
            if let Some(chosen) = simpler.get(round * 7 % simpler.len().max(1)) {
                *mutation = chosen.clone();
                steps += 1;
            }
        }
        if round % 2 == 1 {
            let text = apply(&source.program, &mutations).unwrap();
            let problems = verifier.check(&text).unwrap();
            assert!(problems.is_empty(), "round {round}: {problems:?}");
        }
    }
    assert!(steps > mutations.len(), "{steps} steps");
}
