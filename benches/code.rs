//! How fast trees are evaluated: row-operations a second on one core, for the
//! three ways synthesis uses the evaluator.

use mestra::code::ctype::Types;
use mestra::code::eval::Evaluator;
use mestra::code::eval::operator::{Numbers, binary};
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, LogicalOp, StepOp};
use mestra::code::stmt::Stmt;
use mestra::code::table::Table;
use mestra::code::types::{IntKind, Target};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Row-operations a second: runs `work`, which does so many, for a while.
fn rate(operations: usize, mut work: impl FnMut()) -> f64 {
    let mut best: f64 = 0.0;
    for _ in 0..5 {
        let (start, mut rounds) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_millis(200) {
            work();
            rounds += 1;
        }
        best = best.max(f64::from(rounds) * operations as f64 / start.elapsed().as_secs_f64());
    }
    best
}

fn table(rows: u32) -> Table {
    let mut table = Table::new(rows);
    let column = |scale: i64, shift: i64| (0..i64::from(rows)).map(|r| r * scale - shift).collect();
    table.add_values("a", IntKind::Int, column(3, 40));
    table.add_values("b", IntKind::Int, column(7, 11));
    table.add_values("u", IntKind::UInt, column(5, 0));
    table.add_values("l", IntKind::Long, column(1_000_003, 99));
    table
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

fn operators(expr: &Expr) -> usize {
    let inside: usize = expr.children().into_iter().map(operators).sum();
    inside + usize::from(!expr.children().is_empty())
}

fn main() {
    let types = Types::new(Target::LP64);
    let evaluator = Evaluator::new(&types);
    let million = |rate: f64| rate / 1e6;
    for rows in [1, 16, 256, 4096] {
        let table = table(rows);
        let expr = expression();
        let count = operators(&expr) * rows as usize;
        let whole = rate(count, || {
            black_box(evaluator.value(black_box(&expr), &table).unwrap());
        });
        let numbers = |name: &str, kind| {
            let column = evaluator.value(&Expr::var(name, kind), &table).unwrap();
            Numbers {
                kind,
                values: column.values,
            }
        };
        let (a, b) = (numbers("a", IntKind::Int), numbers("b", IntKind::Int));
        let single = rate(rows as usize, || {
            black_box(binary(Target::LP64, BinaryOp::Add, black_box(&a), &b).unwrap());
        });
        println!(
            "{rows:>5} rows: expressions {:>7.1} M, single operators {:>7.1} M row-operations/s",
            million(whole),
            million(single)
        );
    }
    let table = table(256);
    let expr = expression();
    let guarded = Expr::logical(LogicalOp::And, Expr::var("a", IntKind::Int), expr);
    let count = operators(&guarded) * 256;
    let logical = rate(count, || {
        black_box(evaluator.value(black_box(&guarded), &table).unwrap());
    });
    let i = || Expr::var("i", IntKind::Int);
    let body = Stmt::Block(vec![
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
    ]);
    let looped = rate(256 * 31, || {
        black_box(evaluator.run(black_box(&body), &table).unwrap());
    });
    println!(
        "  256 rows: with && {:>7.1} M, a loop {:>7.1} M row-operations/s",
        million(logical),
        million(looped)
    );
}
