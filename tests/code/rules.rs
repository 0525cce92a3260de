//! Every rule by hand: what is undefined, what is refused, what is not C, and
//! where and in which row it is said to be.

use super::build::CLANG;
use mestra::code::ctype::{Field, Type, Types};
use mestra::code::eval::{Evaluator, Exit};
use mestra::code::expr::{Expr, Var};
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::range::{Range, Ranges};
use mestra::code::scalar::FloatKind;
use mestra::code::stmt::{Declaration, Function, Init, Stmt};
use mestra::code::table::{Column, Pointer, State, Table};
use mestra::code::trouble::{Cause, Refused, Stop, Trouble, Undefined};
use mestra::code::types::{IntKind, Target};
use mestra::code::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::TempDir;

fn int(name: &str) -> Expr {
    Expr::var(name, IntKind::Int)
}

fn bin(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(op, left, right)
}

fn add(left: Expr, right: Expr) -> Expr {
    bin(BinaryOp::Add, left, right)
}

fn inc(target: Expr) -> Expr {
    Expr::step(StepOp::PostIncrement, target)
}

fn types() -> Types {
    let mut types = Types::new(Target::LP64);
    types.define(
        "struct S",
        vec![
            Field::new("a", IntKind::Int),
            Field::bits("u3", IntKind::UInt, 3),
            Field::bits("wide", IntKind::Long, 40),
            Field::bits("us9", IntKind::UShort, 9),
            Field::bits("i5", IntKind::Int, 5),
            Field::bits("ul20", IntKind::ULong, 20),
            Field::bits("b1", IntKind::Bool, 1),
            Field {
                constant: true,
                ..Field::new("fixed", IntKind::Int)
            },
            Field::new("next", Type::record("struct S").pointer()),
        ],
    );
    types
}

/// Three rows of `x`, `y`, an array `a`, a struct `s` and pointers.
fn table(types: &Types) -> Table {
    let mut table = Table::new(3);
    table.add_values("x", IntKind::Int, vec![1, 2, i64::from(i32::MAX)]);
    table.add_values("y", IntKind::Int, vec![5, 0, -1]);
    table.add_values("i", IntKind::Int, vec![0, 1, 2]);
    let a = table
        .add(types, "a", Type::INT.array(3), State::Uninitialised)
        .unwrap();
    for cell in 0..3 {
        table.set(a, cell, Column::values(vec![10, 20, 30]));
    }
    let s = table
        .add(types, "s", Type::record("struct S"), State::Unknown)
        .unwrap();
    table.set(s, 0, Column::values(vec![7, 8, 9]));
    table.set(s, 1, Column::values(vec![1, 2, 7]));
    table.set(s, 2, Column::values(vec![-1, 0, 1]));
    table.set(s, 3, Column::values(vec![1, 2, 3]));
    table.set(s, 4, Column::values(vec![1, 2, 3]));
    let element = |cell| Pointer::To { object: a, cell }.encode();
    table.add_values(
        "p",
        Type::INT.pointer(),
        vec![element(0), element(2), Pointer::Null.encode()],
    );
    table.add_values("q", Type::INT.pointer(), vec![Pointer::Unknown.encode(); 3]);
    let to_s = Pointer::To { object: s, cell: 0 }.encode();
    table.add_values("ps", Type::record("struct S").pointer(), vec![to_s; 3]);
    table
        .add(types, "u", Type::INT, State::Uninitialised)
        .unwrap();
    table
        .add(types, "grid", Type::INT.array(2).array(2), State::Value)
        .unwrap();
    table.add_values(
        "e",
        Type::enumeration("enum E", IntKind::UInt),
        vec![0, 1, 5],
    );
    table.add_values(
        "ne",
        Type::enumeration("enum N", IntKind::Int),
        vec![-1, 0, 1],
    );
    let c = table.add_values("c", IntKind::Int, vec![3; 3]);
    table.set_constant(c, true);
    table
}

fn value(expr: &Expr) -> Result<Vec<i64>, Stop> {
    let types = types();
    Evaluator::new(&types)
        .value(expr, &table(&types))
        .map(|values| values.values)
}

#[track_caller]
fn stops(expr: Expr, cause: impl Into<Cause>, path: &[u32], row: u32) {
    let expected = Trouble {
        cause: cause.into(),
        path: path.to_vec(),
        function: None,
        row,
    };
    assert_eq!(value(&expr), Err(Stop::Trouble(expected)), "{expr}");
}

#[track_caller]
fn mistake(expr: Expr, what: &str) {
    match value(&expr) {
        Err(Stop::Mistake(mistake)) => assert!(mistake.what.contains(what), "{mistake}"),
        other => panic!("{expr}: {other:?}"),
    }
}

#[test]
fn arithmetic_troubles_name_kind_place_and_row() {
    use Undefined::*;
    let (x, y, i) = (|| int("x"), || int("y"), || int("i"));
    stops(add(y(), add(x(), Expr::int(1))), SignedOverflow, &[1], 2);
    stops(bin(BinaryOp::Div, x(), y()), DivisionByZero, &[], 1);
    stops(bin(BinaryOp::Rem, x(), y()), DivisionByZero, &[], 1);
    let min = Expr::int(i32::MIN);
    let minus_one = bin(BinaryOp::Sub, Expr::int(1), i());
    stops(
        bin(BinaryOp::Rem, min.clone(), minus_one.clone()),
        DivisionByZero,
        &[],
        1,
    );
    let divisor = bin(BinaryOp::Sub, bin(BinaryOp::Sub, Expr::int(3), i()), i());
    stops(
        bin(BinaryOp::Div, min.clone(), divisor.clone()),
        SignedOverflow,
        &[],
        2,
    );
    stops(
        bin(BinaryOp::Rem, min.clone(), divisor),
        SignedOverflow,
        &[],
        2,
    );
    stops(Expr::unary(UnaryOp::Minus, min), SignedOverflow, &[], 0);
    stops(
        bin(BinaryOp::Shl, Expr::int(1), y()),
        ShiftCountNegative,
        &[],
        2,
    );
    stops(bin(BinaryOp::Shr, y(), x()), ShiftCountTooLarge, &[], 2);
    stops(
        bin(BinaryOp::Shl, y(), Expr::int(0)),
        ShiftOfNegative,
        &[],
        2,
    );
    stops(bin(BinaryOp::Shl, x(), Expr::int(1)), ShiftOverflow, &[], 2);
    stops(
        bin(BinaryOp::Shl, x(), Expr::int(30)),
        ShiftOverflow,
        &[],
        1,
    );
}

#[test]
fn short_circuits_protect_what_they_skip() {
    let (x, y) = (int("x"), int("y"));
    let divided = bin(BinaryOp::Div, x.clone(), y.clone());
    let guarded = Expr::logical(LogicalOp::And, y.clone(), divided.clone());
    assert_eq!(value(&guarded), Ok(vec![0, 0, 1]));
    let either = Expr::logical(
        LogicalOp::Or,
        Expr::unary(UnaryOp::Not, y.clone()),
        divided.clone(),
    );
    assert_eq!(value(&either), Ok(vec![0, 1, 1]));
    let chosen = Expr::conditional(y, divided, Expr::int(-7));
    assert_eq!(value(&chosen), Ok(vec![0, -7, i64::from(-i32::MAX)]));
}

#[test]
fn memory_troubles_name_kind_place_and_row() {
    let a = || Expr::var("a", Type::INT.array(3));
    let p = || Expr::var("p", Type::INT.pointer());
    let q = || Expr::var("q", Type::INT.pointer());
    let ps = || Expr::var("ps", Type::record("struct S").pointer());
    stops(a().index(int("y")), Undefined::IndexOutOfBounds, &[], 0);
    stops(a().index(Expr::int(3)), Undefined::IndexOutOfBounds, &[], 0);
    stops(
        a().index(add(int("i"), Expr::int(1))),
        Undefined::IndexOutOfBounds,
        &[],
        2,
    );
    assert_eq!(value(&a().index(int("i"))), Ok(vec![10, 20, 30]));
    // Within the object, but beyond the inner array.
    let grid = Expr::var("grid", Type::INT.array(2).array(2));
    let inner = grid.index(Expr::int(0)).index(int("i"));
    stops(inner, Undefined::IndexOutOfBounds, &[], 2);
    stops(p().deref(), Undefined::NullDereference, &[], 2);
    stops(
        add(Expr::int(1), q().deref()),
        Refused::UnknownPointer,
        &[1],
        0,
    );
    stops(bin(BinaryOp::Eq, p(), q()), Refused::UnknownPointer, &[], 0);
    assert_eq!(value(&Expr::unary(UnaryOp::Not, p())), Ok(vec![0, 0, 1]));
    stops(p().index(int("i")), Undefined::IndexOutOfBounds, &[], 1);
    stops(
        p().index(Expr::int(-1)),
        Undefined::IndexOutOfBounds,
        &[],
        0,
    );
    let second = add(p(), bin(BinaryOp::Sub, Expr::int(1), int("i"))).deref();
    stops(second, Undefined::IndexOutOfBounds, &[0], 2);
    let past = add(p(), int("i"));
    stops(past, Undefined::IndexOutOfBounds, &[], 2);
    stops(int("u"), Undefined::UninitialisedRead, &[], 0);
    let next = ps().deref().field("next");
    stops(next, Refused::UnknownValue, &[], 0);
    assert_eq!(value(&ps().deref().field("a")), Ok(vec![7, 8, 9]));
    // A pointer to an int that in truth points to a struct of another type.
    let types = types();
    let mut table = table(&types);
    let s = table.find("s").unwrap();
    let wrong = Pointer::To { object: s, cell: 1 }.encode();
    table.add_values("r", Type::INT.pointer(), vec![wrong; 3]);
    let read = Evaluator::new(&types).value(&Expr::var("r", Type::INT.pointer()).deref(), &table);
    let Err(Stop::Trouble(trouble)) = read else {
        panic!("{read:?}")
    };
    assert_eq!(trouble.cause, Refused::PointerType.into());
}

#[test]
fn const_objects_cannot_be_written() {
    mistake(inc(int("c")), "const");
    mistake(
        Expr::assign(
            Expr::var("s", Type::record("struct S")).field("fixed"),
            Expr::int(1),
        ),
        "const",
    );
    // Through a pointer that does not know.
    let types = types();
    let mut table = table(&types);
    let c = table.find("c").unwrap();
    let to_c = Pointer::To { object: c, cell: 0 }.encode();
    table.add_values("r", Type::INT.pointer(), vec![to_c; 3]);
    let write = inc(Expr::var("r", Type::INT.pointer()).deref());
    let Err(Stop::Trouble(trouble)) = Evaluator::new(&types).value(&write, &table) else {
        panic!("written")
    };
    assert_eq!(trouble.cause, Undefined::WriteToConst.into());
}

/// Expressions over `x`, `y`, `i`, `a` and `p`, and whether C orders them.
fn sequencing() -> Vec<(Expr, bool)> {
    let (x, y, i) = (|| int("x"), || int("y"), || int("i"));
    let a = || Expr::var("a", Type::INT.array(3));
    let one = || Expr::int(1);
    let set = Expr::assign;
    let plus = |target, value| Expr::compound(BinaryOp::Add, target, value);
    let and = |left, right| Expr::logical(LogicalOp::And, left, right);
    vec![
        (set(i(), add(i(), one())), true),
        (set(i(), inc(i())), false),
        (set(i(), Expr::step(StepOp::PreIncrement, i())), false),
        (add(inc(i()), i()), false),
        (add(i(), inc(i())), false),
        (add(inc(i()), inc(i())), false),
        (add(inc(i()), y()), true),
        (set(a().index(i()), inc(i())), false),
        (set(a().index(inc(i())), i()), false),
        (set(a().index(inc(i())), y()), true),
        (Expr::comma(inc(i()), i()), true),
        (set(i(), Expr::comma(inc(i()), one())), true),
        (set(i(), Expr::comma(one(), inc(i()))), false),
        (and(inc(i()), i()), true),
        (add(and(inc(i()), i()), i()), false),
        (Expr::conditional(inc(i()), i(), add(i(), one())), true),
        (Expr::conditional(one(), inc(i()), i()), true),
        (add(Expr::conditional(one(), inc(i()), y()), i()), false),
        (set(i(), add(Expr::comma(inc(i()), one()), y())), true),
        (set(i(), add(and(inc(i()), one()), y())), true),
        (
            set(i(), add(Expr::conditional(inc(i()), one(), y()), y())),
            true,
        ),
        (
            set(i(), add(Expr::conditional(y(), inc(i()), y()), y())),
            false,
        ),
        (plus(i(), inc(i())), false),
        (plus(i(), i()), true),
        (plus(y(), set(x(), one())), true),
        (plus(y(), set(y(), one())), false),
        (set(x(), set(y(), one())), true),
        (set(x(), set(x(), one())), false),
        (add(set(x(), one()), set(y(), one())), true),
        (
            add(Expr::comma(inc(y()), one()), Expr::comma(inc(y()), one())),
            false,
        ),
        (
            bin(BinaryOp::Lt, Expr::comma(x(), inc(y())), inc(y())),
            false,
        ),
    ]
}

#[test]
fn unsequenced_accesses_are_seen_as_clang_warns_of_them() {
    let dir = TempDir::new().unwrap();
    let cases = sequencing();
    for (index, (expr, ordered)) in cases.iter().enumerate() {
        match value(expr) {
            Ok(_) => assert!(ordered, "{expr} is not ordered"),
            Err(Stop::Trouble(trouble)) if trouble.cause == Undefined::Unsequenced.into() => {
                assert!(!ordered, "{expr} is ordered");
            }
            Err(stop) => panic!("{expr}: {stop}"),
        }
        let strict = CLANG.with(&["-Wno-everything", "-Werror=unsequenced"]);
        let text = format!("void f(int x, int y, int i, int *a) {{ {expr}; }}\n");
        let accepted = strict.accepts(dir.path(), &text).is_ok();
        assert_eq!(accepted, *ordered, "case {index}: clang on {expr}");
    }
}

#[test]
fn unsequenced_accesses_are_seen_row_by_row() {
    let a = || Expr::var("a", Type::INT.array(3));
    // The same element only in row 1, where i is 1.
    let both = add(inc(a().index(int("i"))), a().index(Expr::int(1)));
    stops(both, Undefined::Unsequenced, &[], 1);
    // Never the same element.
    let other = Expr::binary(BinaryOp::Rem, add(int("i"), Expr::int(1)), Expr::int(3));
    let apart = add(inc(a().index(int("i"))), a().index(other));
    assert_eq!(value(&apart), Ok(vec![20, 40, 60]));
    // Through a pointer, in row 0 only.
    let p = Expr::var("p", Type::INT.pointer());
    let through = Expr::conditional(p.clone(), p.deref(), Expr::int(0));
    stops(
        add(inc(a().index(Expr::int(0))), through),
        Undefined::Unsequenced,
        &[],
        0,
    );
}

fn function(name: &str, result: Type, params: &[&str], body: Vec<Stmt>) -> Function {
    let params = params.iter().map(|name| Var {
        name: (*name).into(),
        ty: Type::INT,
    });
    Function {
        name: name.into(),
        result,
        params: params.collect(),
        body: Arc::new(Stmt::Block(body)),
    }
}

fn with_functions(list: Vec<Function>) -> BTreeMap<Arc<str>, Function> {
    list.into_iter()
        .map(|function| (function.name.clone(), function))
        .collect()
}

#[test]
fn calls_are_ordered_against_what_stands_beside_them() {
    let types = types();
    let table = table(&types);
    let bump = function(
        "bump",
        Type::INT,
        &["n"],
        vec![
            Stmt::Expr(Expr::compound(BinaryOp::Add, int("i"), int("n"))),
            Stmt::Return(Some(int("i"))),
        ],
    );
    let call = |arg: Expr| Expr::call(bump.callee(), vec![arg]);
    let functions = with_functions(vec![bump.clone()]);
    let evaluator = Evaluator::new(&types).with_functions(&functions);
    let value = |expr: &Expr| evaluator.value(expr, &table).map(|values| values.values);
    assert_eq!(value(&call(Expr::int(5))), Ok(vec![5, 6, 7]));
    // The argument is evaluated before the call, the assignment after it.
    assert_eq!(value(&call(int("i"))), Ok(vec![0, 2, 4]));
    assert_eq!(
        value(&Expr::assign(int("i"), call(int("i")))),
        Ok(vec![0, 2, 4])
    );
    for mixed in [
        add(call(Expr::int(1)), int("i")),
        add(int("i"), call(Expr::int(1))),
        add(call(Expr::int(1)), call(Expr::int(1))),
        Expr::compound(BinaryOp::Add, int("i"), call(Expr::int(1))),
    ] {
        let Err(Stop::Trouble(trouble)) = value(&mixed) else {
            panic!("{mixed} is ordered")
        };
        assert_eq!(trouble.cause, Undefined::Unsequenced.into());
    }
    assert!(
        value(&add(call(Expr::int(1)), int("x"))).is_err(),
        "overflows in row 2"
    );
    assert!(value(&add(call(Expr::int(1)), int("y"))).is_ok());
    // Locals of two calls are different objects.
    let own = function(
        "own",
        Type::INT,
        &["n"],
        vec![
            Stmt::Expr(Expr::compound(BinaryOp::Add, int("n"), int("n"))),
            Stmt::Return(Some(int("n"))),
        ],
    );
    let call = |arg: Expr| Expr::call(own.callee(), vec![arg]);
    let functions = with_functions(vec![own.clone()]);
    let evaluator = Evaluator::new(&types).with_functions(&functions);
    let sum = add(call(call(int("i"))), call(Expr::int(3)));
    let values = evaluator.value(&sum, &table).map(|values| values.values);
    assert_eq!(values, Ok(vec![6, 10, 14]));
}

#[test]
fn calls_stop_for_their_own_reasons() {
    let types = types();
    let table = table(&types);
    let forever = function("forever", Type::INT, &["n"], vec![]);
    let again = Expr::call(forever.callee(), vec![int("n")]);
    let forever = function(
        "forever",
        Type::INT,
        &["n"],
        vec![Stmt::Return(Some(again))],
    );
    let silent = function("silent", Type::INT, &["n"], vec![Stmt::Empty]);
    let local = function(
        "local",
        Type::INT.pointer(),
        &["n"],
        vec![Stmt::Return(Some(int("n").address_of()))],
    );
    let divide = function(
        "divide",
        Type::INT,
        &["n"],
        vec![Stmt::Return(Some(bin(
            BinaryOp::Div,
            Expr::int(1),
            int("n"),
        )))],
    );
    let functions = with_functions(vec![
        forever.clone(),
        silent.clone(),
        local.clone(),
        divide.clone(),
    ]);
    let evaluator = Evaluator::new(&types).with_functions(&functions);
    let stop = |function: &Function, arg: Expr| {
        let call = Expr::call(function.callee(), vec![arg]);
        match evaluator.value(&call, &table) {
            Err(Stop::Trouble(trouble)) => trouble,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        stop(&forever, Expr::int(1)).cause,
        Refused::CallDepth.into()
    );
    assert_eq!(
        stop(&silent, Expr::int(1)).cause,
        Undefined::MissingReturn.into()
    );
    assert_eq!(
        stop(&local, Expr::int(1)).cause,
        Undefined::DeadObject.into()
    );
    let inside = stop(&divide, int("i"));
    assert_eq!(inside.cause, Undefined::DivisionByZero.into());
    assert_eq!(inside.function.as_deref(), Some("divide"));
    assert_eq!((inside.path, inside.row), (vec![0, 0], 0));
    let unknown = function("unknown", Type::INT, &["n"], vec![]);
    assert_eq!(
        stop(&unknown, Expr::int(1)).cause,
        Refused::UnknownFunction.into()
    );
    // A prototype that is not the function's.
    let other = Function {
        params: vec![],
        ..divide
    };
    let call = Expr::call(other.callee(), vec![]);
    let Err(Stop::Trouble(trouble)) = evaluator.value(&call, &table) else {
        panic!("called")
    };
    assert_eq!(trouble.cause, Refused::UnknownFunction.into());
}

fn run(stmt: &Stmt) -> Result<(Table, Vec<Exit>), Stop> {
    let types = types();
    let outcome = Evaluator::new(&types)
        .with_step_limit(500)
        .run(stmt, &table(&types))?;
    Ok((outcome.table, outcome.exits))
}

#[track_caller]
fn run_stops(stmt: Stmt, cause: impl Into<Cause>, row: u32) {
    let cause = cause.into();
    match run(&stmt) {
        Err(Stop::Trouble(trouble)) => assert_eq!((trouble.cause, trouble.row), (cause, row)),
        other => panic!("{other:?}\n{stmt}"),
    }
}

#[track_caller]
fn is_wrong(stmt: Stmt, what: &str) {
    match types().check(&stmt) {
        Err(mistake) => assert!(mistake.what.contains(what), "{mistake}\n{stmt}"),
        Ok(()) => panic!("accepted\n{stmt}"),
    }
}

#[test]
fn lives_end_and_pointers_to_the_dead_dangle() {
    let p = || Expr::var("p", Type::INT.pointer());
    let keep = |then: Stmt| {
        Stmt::Block(vec![
            Stmt::Block(vec![
                Stmt::declare("v", IntKind::Int, Some(Expr::int(4))),
                Stmt::Expr(Expr::assign(p(), int("v").address_of())),
            ]),
            then,
        ])
    };
    run_stops(keep(Stmt::Expr(p().deref())), Undefined::DeadObject, 0);
    run_stops(
        keep(Stmt::Expr(Expr::unary(UnaryOp::Not, p()))),
        Undefined::DeadObject,
        0,
    );
    // Another value makes the pointer good again.
    let null = Expr::assign(p(), Expr::Null(Type::INT.pointer()));
    let (after, _) = run(&keep(Stmt::Expr(null))).unwrap();
    let object = after.find("p").unwrap();
    assert_eq!(after.object(object).get(0, 0), Ok(0));
    // And the same when the whole statement has ended.
    let (after, _) = run(&keep(Stmt::Empty)).unwrap();
    assert_eq!(after.object(object).get(0, 0), Err(State::Dangling));
    assert_eq!(after.objects().count(), table(&types()).objects().count());
    // A second turn of a loop is a second object.
    let v = Stmt::declare("v", IntKind::Int, None);
    let turn = Stmt::Block(vec![
        v,
        Stmt::if_then(
            bin(BinaryOp::Gt, int("i"), Expr::int(2)),
            Stmt::Expr(p().deref()),
        ),
        Stmt::Expr(Expr::assign(int("v"), Expr::int(1))),
        Stmt::Expr(Expr::assign(p(), int("v").address_of())),
        Stmt::Expr(inc(int("i"))),
    ]);
    run_stops(
        Stmt::while_loop(bin(BinaryOp::Lt, int("i"), Expr::int(5)), turn),
        Undefined::DeadObject,
        2,
    );
}

#[test]
fn a_jump_out_of_a_block_ends_lives_too() {
    let p = || Expr::var("p", Type::INT.pointer());
    let taken = |leave: Stmt| {
        Stmt::Block(vec![
            Stmt::declare("v", IntKind::Int, Some(Expr::int(4))),
            Stmt::Expr(Expr::assign(p(), int("v").address_of())),
            leave,
        ])
    };
    let out = Stmt::Block(vec![
        taken(Stmt::Goto("out".into())),
        Stmt::Label("out".into()),
        Stmt::Expr(p().deref()),
    ]);
    run_stops(out, Undefined::DeadObject, 0);
    let broken = Stmt::Block(vec![
        Stmt::while_loop(Expr::int(1), taken(Stmt::Break)),
        Stmt::Expr(p().deref()),
    ]);
    run_stops(broken, Undefined::DeadObject, 0);
    let continued = Stmt::Block(vec![
        Stmt::do_loop(taken(Stmt::Continue), Expr::int(0)),
        Stmt::Expr(p().deref()),
    ]);
    run_stops(continued, Undefined::DeadObject, 0);
}

/// `x` between 0 and 9, `y` 5.
fn ranges(types: &Types) -> Ranges {
    let mut ranges = Ranges::new();
    let x = ranges.add(types, "x", Type::INT, State::Unknown).unwrap();
    ranges.set(x, 0, Range::between(0, 9));
    let y = ranges.add(types, "y", Type::INT, State::Unknown).unwrap();
    ranges.set(y, 0, Range::one(5));
    ranges
        .add(types, "unseen", Type::INT, State::Unknown)
        .unwrap();
    ranges
}

#[test]
fn both_ways_of_an_uncertain_choice_leave_their_mark_on_ranges() {
    let types = types();
    let evaluator = Evaluator::new(&types);
    let after = |expr: Expr| {
        let outcome = evaluator
            .run_ranges(&Stmt::Expr(expr), &ranges(&types))
            .unwrap();
        assert!(outcome.ends);
        let y = outcome.ranges.find("y").unwrap();
        let range = outcome.ranges.get(y, 0).unwrap();
        (range.lo(), range.hi())
    };
    let to = |value| Expr::assign(int("y"), Expr::int(value));
    assert_eq!(after(Expr::conditional(int("x"), to(7), to(3))), (3, 7));
    assert_eq!(after(Expr::conditional(int("y"), to(7), to(3))), (7, 7));
    assert_eq!(
        after(Expr::logical(LogicalOp::And, int("x"), to(7))),
        (5, 7)
    );
    assert_eq!(after(Expr::logical(LogicalOp::Or, int("y"), to(7))), (5, 5));
}

#[test]
fn ranges_stop_at_what_they_cannot_follow() {
    let types = types();
    let evaluator = Evaluator::new(&types);
    let stop = |stmt: Stmt| match evaluator.run_ranges(&stmt, &ranges(&types)) {
        Err(Stop::Trouble(trouble)) => trouble.cause,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        stop(Stmt::Expr(int("unseen"))),
        Refused::UnknownValue.into()
    );
    let divided = bin(BinaryOp::Div, int("y"), int("x"));
    assert_eq!(stop(Stmt::Expr(divided)), Undefined::DivisionByZero.into());
    let mixed = add(inc(int("x")), int("x"));
    assert_eq!(stop(Stmt::Expr(mixed)), Refused::TooVague.into());
    let turning = Stmt::while_loop(int("x"), Stmt::Empty);
    assert_eq!(stop(turning), Refused::StepLimit.into());
    // A list on one way only: what it leaves out is 0 there and nothing here.
    let Stmt::Declare(array) = Stmt::declare("list", Type::INT.array(3), None) else {
        unreachable!()
    };
    let init = Some(Init::List(vec![Init::Value(Expr::int(1))]));
    let last = Expr::var("list", Type::INT.array(3)).index(Expr::int(2));
    let past = Stmt::Block(vec![
        Stmt::if_then(int("x"), Stmt::Goto("in".into())),
        Stmt::Block(vec![
            Stmt::Declare(Declaration { init, ..array }),
            Stmt::Label("in".into()),
            Stmt::Expr(last),
        ]),
    ]);
    assert_eq!(stop(past), Undefined::UninitialisedRead.into());
    // But a loop that surely ends is followed.
    let down = Stmt::while_loop(
        bin(BinaryOp::Gt, int("y"), Expr::int(0)),
        Stmt::Expr(Expr::step(StepOp::PreDecrement, int("y"))),
    );
    let outcome = evaluator.run_ranges(&down, &ranges(&types)).unwrap();
    let y = outcome.ranges.find("y").unwrap();
    assert_eq!(outcome.ranges.get(y, 0).unwrap().only(), Some(0));
}

#[test]
fn ranges_go_through_calls() {
    let types = types();
    let half = Function {
        name: "half".into(),
        result: Type::INT,
        params: vec![Var {
            name: "n".into(),
            ty: Type::INT,
        }],
        body: Arc::new(Stmt::Block(vec![
            Stmt::if_then(
                bin(BinaryOp::Gt, int("n"), Expr::int(9)),
                Stmt::Return(None),
            ),
            Stmt::Expr(Expr::assign(int("y"), int("n"))),
            Stmt::Return(Some(bin(BinaryOp::Div, int("n"), Expr::int(2)))),
        ])),
    };
    let callee = half.callee();
    let functions = BTreeMap::from([(half.name.clone(), half)]);
    let evaluator = Evaluator::new(&types).with_functions(&functions);
    let call = |arg| Expr::call(callee.clone(), vec![arg]);
    let (_, range) = evaluator.range(&call(int("x")), &ranges(&types)).unwrap();
    assert_eq!((range.lo(), range.hi()), (0, 4));
    let outcome = evaluator.run_ranges(&Stmt::Expr(call(int("x"))), &ranges(&types));
    let after = outcome.unwrap().ranges;
    let y = after.get(after.find("y").unwrap(), 0).unwrap();
    assert_eq!((y.lo(), y.hi()), (0, 9));
    // Some argument may take the way without a value.
    let stop = evaluator.range(&call(add(int("x"), Expr::int(1))), &ranges(&types));
    assert_eq!(
        stop.unwrap_err().to_string(),
        "use of a value that was not returned in row 0 at []"
    );
}

#[test]
fn long_double_can_be_declared_and_copied_but_not_computed_with() {
    let mut types = types();
    let double = Type::Float(FloatKind::LongDouble);
    let pair = types.define(
        "struct P",
        vec![Field::new("d", double.clone()), Field::new("n", Type::INT)],
    );
    let mut table = Table::new(1);
    table
        .add(&types, "p", pair.clone(), State::Unknown)
        .unwrap();
    table.add(&types, "q", pair.clone(), State::Value).unwrap();
    let (p, q) = (Expr::var("p", pair.clone()), Expr::var("q", pair));
    let copy = Stmt::Expr(Expr::assign(p.clone(), q));
    let outcome = Evaluator::new(&types).run(&copy, &table).unwrap();
    let values = Evaluator::new(&types).value(&p.clone().field("n"), &outcome.table);
    assert_eq!(values.unwrap().values, [0]);
    let read = types.type_of(&p.field("d")).unwrap_err();
    assert_eq!(
        read.what,
        "a read of a floating-point type that is not known"
    );
    assert_eq!(
        Stmt::declare("d", double.pointer(), None).to_string(),
        "long double *d;\n"
    );
}

#[test]
fn a_declaration_reached_again_loses_its_value() {
    let body = Stmt::Block(vec![
        Stmt::declare("v", IntKind::Int, None),
        Stmt::if_then(int("i"), Stmt::Expr(Expr::assign(int("y"), int("v")))),
        Stmt::Expr(Expr::assign(int("v"), Expr::int(1))),
        Stmt::Expr(inc(int("i"))),
    ]);
    let twice = Stmt::while_loop(bin(BinaryOp::Lt, int("i"), Expr::int(2)), body);
    run_stops(twice, Undefined::UninitialisedRead, 1);
}

#[test]
fn a_jump_past_an_initialiser_leaves_no_value() {
    let past = Stmt::Block(vec![
        Stmt::if_then(int("i"), Stmt::Goto("in".into())),
        Stmt::Block(vec![
            Stmt::declare("v", IntKind::Int, Some(Expr::int(3))),
            Stmt::Label("in".into()),
            Stmt::Expr(Expr::assign(int("y"), int("v"))),
        ]),
    ]);
    run_stops(past, Undefined::UninitialisedRead, 1);
    let cases = Stmt::switch(
        int("i"),
        Stmt::Block(vec![
            Stmt::declare("v", IntKind::Int, Some(Expr::int(3))),
            Stmt::Case(Value::int(2)),
            Stmt::Expr(Expr::assign(int("y"), int("v"))),
        ]),
    );
    run_stops(cases, Undefined::UninitialisedRead, 2);
}

#[test]
fn loops_stop_at_the_step_limit() {
    let idle = Stmt::while_loop(bin(BinaryOp::Ne, int("i"), Expr::int(1)), Stmt::Empty);
    run_stops(idle, Refused::StepLimit, 0);
}

#[test]
fn rows_leave_a_statement_each_in_its_way() {
    let leave = Stmt::switch(
        int("i"),
        Stmt::Block(vec![
            Stmt::Case(Value::int(0)),
            Stmt::Return(Some(int("y"))),
            Stmt::Case(Value::int(1)),
            Stmt::Goto("elsewhere".into()),
            Stmt::Default,
            Stmt::Continue,
        ]),
    );
    let (_, exits) = run(&leave).unwrap();
    assert_eq!(
        exits,
        [
            Exit::Return(Some(5)),
            Exit::Goto("elsewhere".into()),
            Exit::Continue
        ]
    );
    let (_, exits) = run(&Stmt::if_then(int("i"), Stmt::Break)).unwrap();
    assert_eq!(exits, [Exit::End, Exit::Break, Exit::Break]);
}

#[test]
fn trees_that_are_not_c_are_mistakes() {
    let s = || Expr::var("s", Type::record("struct S"));
    mistake(int("nobody"), "not in scope");
    mistake(Expr::var("x", IntKind::Short), "another type");
    mistake(s().field("nothing"), "unknown struct or member");
    mistake(int("x").field("a"), "other than a struct");
    mistake(int("x").deref(), "other than a pointer");
    mistake(Expr::assign(Expr::int(1), int("x")), "other than an object");
    mistake(s().field("u3").address_of(), "bit-field");
    mistake(add(s(), Expr::int(1)), "other than a number");
    mistake(
        Expr::compound(BinaryOp::Lt, int("x"), Expr::int(1)),
        "does not have",
    );
    mistake(int("x").cast(Type::INT.pointer()), "incompatible");
    mistake(
        Expr::var("p", Type::INT.pointer()).cast(IntKind::Long),
        "pointer",
    );
    let long = Value::new(IntKind::Long, 1 << 40, Target::LP64);
    let types = Types::new(Target::ILP32);
    assert!(
        types.type_of(&long.into()).is_err(),
        "no such long on ILP32"
    );
    is_wrong(Stmt::declare("v", IntKind::Int, None), "outside a block");
    let own = vec![Stmt::declare("v", IntKind::Int, Some(int("v")))];
    is_wrong(Stmt::Block(own), "its own");
    let twice = vec![
        Stmt::declare("v", IntKind::Int, None),
        Stmt::declare("v", IntKind::Int, None),
    ];
    is_wrong(Stmt::Block(twice), "twice");
    is_wrong(Stmt::Case(Value::int(1)), "outside a switch");
    let byte = Value::new(IntKind::UChar, 1, Target::LP64);
    let cases = Stmt::Block(vec![Stmt::Case(Value::int(1)), Stmt::Case(byte)]);
    is_wrong(Stmt::switch(int("x"), cases), "a duplicate case");
    let labels = Stmt::Block(vec![Stmt::Label("l".into()), Stmt::Label("l".into())]);
    is_wrong(labels, "a duplicate label");
    is_wrong(
        Stmt::Use {
            ty: Type::record("struct S"),
            value: s(),
        },
        "other than a scalar",
    );
    is_wrong(Stmt::use_value(IntKind::Int, int("mestra_use")), "reserved");
    let away = function(
        "away",
        Type::Void,
        &[],
        vec![Stmt::Goto("seed_label".into())],
    );
    assert!(types.check_function(&away).is_err());
}

/// gcc gives a `long f:40` a type of 40 bits, clang the type `long`: the same
/// expression has different values, so we take neither.
#[test]
fn types_that_compilers_disagree_on_must_be_cast() {
    let wide = || Expr::var("s", Type::record("struct S")).field("wide");
    mistake(bin(BinaryOp::Shl, wide(), Expr::int(1)), "disagree");
    mistake(inc(wide()), "disagree");
    mistake(
        Expr::compound(BinaryOp::Add, wide(), Expr::int(1)),
        "disagree",
    );
    let cast = bin(BinaryOp::BitAnd, wide().cast(IntKind::Long), Expr::int(3));
    assert_eq!(value(&cast), Ok(vec![3, 0, 1]));
    assert_eq!(
        value(&Expr::assign(wide(), Expr::int(5)).cast(IntKind::Long)),
        Ok(vec![5; 3])
    );
    // A long bit-field that would fit an int is an int to gcc and clang only.
    let member = |name| Expr::var("s", Type::record("struct S")).field(name);
    mistake(Expr::unary(UnaryOp::Minus, member("ul20")), "disagree");
    let clear = types().clear(member("ul20"));
    assert_eq!(clear.to_string(), "(unsigned long)s.ul20");
    assert_eq!(types().clear(member("i5")).to_string(), "s.i5");
    // An enum without negative values is unsigned to gcc and clang only.
    let e = || Expr::var("e", Type::enumeration("enum E", IntKind::UInt));
    mistake(Expr::binary(BinaryOp::Sub, e(), Expr::int(2)), "disagree");
    mistake(inc(e()), "disagree");
    assert_eq!(types().clear(e()).to_string(), "(unsigned int)e");
    assert_eq!(
        value(&Expr::assign(e(), Expr::int(2)).cast(IntKind::Int)),
        Ok(vec![2; 3])
    );
    assert_eq!(value(&Expr::unary(UnaryOp::Not, e())), Ok(vec![1, 0, 0]));
    let negative = Expr::var("ne", Type::enumeration("enum N", IntKind::Int));
    assert_eq!(
        value(&Expr::unary(UnaryOp::Minus, negative)),
        Ok(vec![1, 0, -1])
    );
    // An unsigned bit-field promotes to int when read, but what an assignment
    // to it gives is int to gcc and unsigned to others.
    let narrow = || Expr::var("s", Type::record("struct S")).field("u3");
    assert_eq!(
        value(&bin(BinaryOp::Sub, narrow(), Expr::int(2))),
        Ok(vec![-1, 0, 5])
    );
    let assigned = Expr::assign(narrow(), Expr::int(9));
    mistake(
        bin(BinaryOp::Sub, assigned.clone(), Expr::int(2)),
        "disagree",
    );
    mistake(Expr::unary(UnaryOp::Minus, inc(member("us9"))), "disagree");
    mistake(Expr::unary(UnaryOp::Minus, inc(member("b1"))), "disagree");
    assert_eq!(
        value(&Expr::unary(UnaryOp::Minus, inc(member("i5")))),
        Ok(vec![-1, -2, -3])
    );
    let cast = bin(BinaryOp::Sub, assigned.cast(IntKind::Int), Expr::int(2));
    assert_eq!(value(&cast), Ok(vec![-1; 3]));
}

#[test]
fn sizes_count_every_node() {
    let expr = add(int("x"), Expr::unary(UnaryOp::Minus, int("y")));
    assert_eq!(expr.size(), 4);
    let stmt = Stmt::if_else(expr, Stmt::Empty, Stmt::Block(vec![Stmt::Break]));
    assert_eq!(stmt.size(), 1 + 4 + 1 + 2);
}
