//! How fast trees are evaluated on one core, for the ways synthesis uses the
//! evaluator, and against a compiled program that computes the same.

use crate::support::cpu;
use crate::table::{self, Budget};
use mestra::code::ctype::Types;
use mestra::code::eval::Evaluator;
use mestra::code::eval::operator::{Numbers, binary};
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, LogicalOp, StepOp};
use mestra::code::session::Session;
use mestra::code::stmt::Stmt;
use mestra::code::table::Table;
use mestra::code::types::{IntKind, Target};
use mestra::lab::process::Command;
use std::hint::black_box;
use std::time::Duration;

/// How long each figure is measured.
const WHILE: Duration = Duration::from_millis(300);

/// Row-operations that the compiled program does.
const NATIVE_ROWS: u32 = 256;
const NATIVE_ROUNDS: u32 = 100_000;

pub fn measure(figures: &mut table::Table) {
    let types = Types::new(Target::LP64);
    let evaluator = Evaluator::new(&types);
    let expr = expression();
    let unit = "M row-operations/s";
    for rows in [1, 16, 256, 4096] {
        let table = table(rows);
        let rate = rate(operators(&expr) * rows as usize, || {
            black_box(
                evaluator
                    .value(black_box(&expr), &table)
                    .expect("it is defined"),
            );
        });
        figures.row(
            format!("an expression over {rows} rows"),
            rate / 1e6,
            unit,
            None,
        );
        if rows == NATIVE_ROWS {
            let native = native(&expr);
            let budget: Option<Budget> = None;
            figures.row(
                "the same as a program by gcc -O0",
                native / 1e6,
                unit,
                budget,
            );
            figures.row(
                "evaluator against that program",
                rate / native,
                "× its speed",
                None,
            );
        }
    }
    let table = table(256);
    let numbers = |name: &str, kind| {
        let column = evaluator.value(&Expr::var(name, kind), &table);
        Numbers {
            kind,
            values: column.expect("it is defined").values,
        }
    };
    let (a, b) = (numbers("a", IntKind::Int), numbers("b", IntKind::Int));
    let single = rate(256, || {
        let sum = binary(Target::LP64, BinaryOp::Add, black_box(&a), &b);
        black_box(sum.expect("it is defined"));
    });
    figures.row("a single operator over 256 rows", single / 1e6, unit, None);
    let guarded = Expr::logical(LogicalOp::And, Expr::var("a", IntKind::Int), expr);
    let logical = rate(operators(&guarded) * 256, || {
        black_box(
            evaluator
                .value(black_box(&guarded), &table)
                .expect("it is defined"),
        );
    });
    figures.row(
        "an expression with && over 256 rows",
        logical / 1e6,
        unit,
        None,
    );
    let body = ten_times();
    let looped = rate(256 * 31, || {
        black_box(
            evaluator
                .run(black_box(&body), &table)
                .expect("it is defined"),
        );
    });
    figures.row("a loop over 256 rows", looped / 1e6, unit, None);
    sessions(figures);
}

/// What a step of a session costs, and that it does not depend on the program
/// around it.
fn sessions(figures: &mut table::Table) {
    let rates = [10, 10_000].map(|globals| {
        let mut session = Session::over(Types::new(Target::LP64), table(4));
        for global in 0..globals {
            let name = format!("g{global}");
            let added = session.global(&name, IntKind::Int, Vec::new());
            added.expect("a complete type");
        }
        let target = Expr::var("g7", IntKind::Int);
        let step = Stmt::Expr(Expr::assign(target, expression()));
        rate(1, || {
            black_box(session.step(black_box(&step)).expect("it is defined"));
        })
    });
    let unit = "thousand steps/s";
    figures.row(
        "steps of a session with 10 variables, 4 rows",
        rates[0] / 1e3,
        unit,
        None,
    );
    figures.row(
        "against the same with 10,000 variables",
        rates[0] / rates[1],
        "× its speed",
        Some(Budget::AtMost(2.0)),
    );
}

/// Row-operations a second of CPU time: runs `work`, which does so many, for a while.
fn rate(operations: usize, mut work: impl FnMut()) -> f64 {
    let (mut spent, mut rounds, mut batch) = (Duration::ZERO, 0_u64, 1);
    while spent < WHILE {
        let ((), cost) = cpu(|| (0..batch).for_each(|_| work()));
        spent += cost;
        rounds += batch;
        batch = (batch * 2).min(4096);
    }
    rounds as f64 * operations as f64 / spent.as_secs_f64()
}

fn columns() -> [(&'static str, IntKind, &'static str, i64, i64); 4] {
    [
        ("a", IntKind::Int, "int", 3, 40),
        ("b", IntKind::Int, "int", 7, 11),
        ("u", IntKind::UInt, "unsigned", 5, 0),
        ("l", IntKind::Long, "long", 1_000_003, 99),
    ]
}

fn table(rows: u32) -> Table {
    let mut table = Table::new(rows);
    for (name, kind, _, scale, shift) in columns() {
        let values = (0..i64::from(rows)).map(|row| row * scale - shift);
        table.add_values(name, kind, values.collect());
    }
    table
}

/// Row-operations a second of the expression compiled by `gcc -O0`, over the same
/// rows; what starting a program takes is small against its run.
fn native(expr: &Expr) -> f64 {
    let mut text = String::from("int main(void) {\n    volatile long sink;\n");
    text.push_str(&format!(
        "    int round, row;\n    for (round = 0; round < {NATIVE_ROUNDS}; round++)\n    \
         for (row = 0; row < {NATIVE_ROWS}; row++) {{\n"
    ));
    for (name, _, ty, scale, shift) in columns() {
        text.push_str(&format!(
            "        {ty} {name} = row * {scale}l - {shift};\n"
        ));
    }
    text.push_str(&format!(
        "        sink = {expr};\n    }}\n    return 0;\n}}\n"
    ));
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let seed = crate::support::seed(directory.path(), "native.c", text.as_bytes());
    crate::support::compile(&seed, directory.path());
    let outcome = Command::new(directory.path().join("plain")).run();
    let outcome = outcome.expect("a compiled program runs");
    assert!(outcome.ending.is_success());
    let operations = operators(expr) as f64 * f64::from(NATIVE_ROWS) * f64::from(NATIVE_ROUNDS);
    operations / outcome.cpu.as_secs_f64()
}

/// An expression of the size and mix that synthesis makes: eight operators,
/// with a division, a shift, comparisons and conversions.
fn expression() -> Expr {
    let var = |name, kind: IntKind| Expr::var(name, kind);
    let (a, b) = (|| var("a", IntKind::Int), || var("b", IntKind::Int));
    let (u, l) = (|| var("u", IntKind::UInt), || var("l", IntKind::Long));
    let sum = Expr::binary(BinaryOp::Add, a(), b());
    let quotient = Expr::binary(BinaryOp::Div, l(), Expr::int(7));
    let shifted = Expr::binary(BinaryOp::Shr, u(), Expr::int(3));
    let mixed = Expr::binary(BinaryOp::BitXor, sum, shifted);
    let product = Expr::binary(BinaryOp::Mul, quotient, b().cast(IntKind::SChar));
    let less = Expr::binary(BinaryOp::Lt, mixed, product);
    Expr::binary(
        BinaryOp::Sub,
        less,
        Expr::binary(BinaryOp::BitAnd, a(), b()),
    )
}

/// `{ int i; for (i = 0; i < 10; i++) u += i; }`, thirty-one operations.
fn ten_times() -> Stmt {
    let i = || Expr::var("i", IntKind::Int);
    Stmt::Block(vec![
        Stmt::declare("i", IntKind::Int, None),
        Stmt::for_loop(
            Expr::assign(i(), Expr::int(0)),
            Expr::binary(BinaryOp::Lt, i(), Expr::int(10)),
            Expr::step(StepOp::PostIncrement, i()),
            Stmt::Expr(Expr::compound(
                BinaryOp::Add,
                Expr::var("u", IntKind::UInt),
                i(),
            )),
        ),
    ])
}

fn operators(expr: &Expr) -> usize {
    let inside: usize = expr.children().into_iter().map(operators).sum();
    inside + usize::from(!expr.children().is_empty())
}
