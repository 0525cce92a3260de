//! Pointers to functions, and pointers that walk through arrays up to their end.

use super::programs::{Program, var};
use mestra::code::ctype::{Field, Type};
use mestra::code::expr::{Callee, Expr};
use mestra::code::op::{BinaryOp, StepOp};
use mestra::code::stmt::{Declaration, Function, Init, Specifiers, Stmt};
use mestra::code::types::IntKind;
use mestra::code::unit::FunctionDefinition;
use std::sync::Arc;

fn int(name: &str) -> Expr {
    Expr::var(name, IntKind::Int)
}

fn add(left: Expr, right: Expr) -> Expr {
    Expr::binary(BinaryOp::Add, left, right)
}

fn set(target: Expr, value: Expr) -> Stmt {
    Stmt::Expr(Expr::assign(target, value))
}

/// `static long name(int n) { counter op= n; return counter; }`.
fn update(name: &str, op: BinaryOp) -> Function {
    let counter = || Expr::var("counter", IntKind::Long);
    Function {
        name: name.into(),
        result: IntKind::Long.into(),
        params: vec![var("n", IntKind::Int)],
        body: Arc::new(Stmt::Block(vec![
            Stmt::Expr(Expr::compound(op, counter(), int("n"))),
            Stmt::Return(Some(counter())),
        ])),
    }
}

#[test]
fn rows_call_different_functions_through_one_pointer() {
    let mut program = Program::new();
    let which = program.input("which", IntKind::Int, [0, 2]);
    let counter = program.global("counter", IntKind::Long);
    let result = program.global("result", IntKind::Long);
    let functions = [
        update("more", BinaryOp::Add),
        update("less", BinaryOp::Sub),
        update("other", BinaryOp::BitXor),
    ];
    let pointer = functions[0].callee().ty().pointer();
    let names = functions.iter().map(|function| {
        let callee = Arc::new(function.callee());
        Init::Value(Expr::FunctionName(callee))
    });
    let table = Stmt::Declare(Declaration {
        var: var("table", pointer.clone().array(3)),
        specifiers: Specifiers {
            is_static: true,
            constant: true,
            ..Specifiers::default()
        },
        init: Some(Init::List(names.collect())),
    });
    let at = |index: Expr| Expr::var("table", pointer.clone().array(3)).index(index);
    program.stmt(table);
    program.stmt(set(counter.clone(), Expr::int(1000)));
    let call = Expr::call_pointer(at(which.clone()), vec![add(which.clone(), Expr::int(7))]);
    program.stmt(set(result.clone(), call));
    let next = Expr::binary(BinaryOp::BitXor, which.clone(), Expr::int(1));
    let next = Expr::binary(BinaryOp::Rem, next, Expr::int(3));
    program.stmt(Stmt::declare("p", pointer.clone(), Some(at(next))));
    let p = || Expr::var("p", pointer.clone());
    let same = Expr::binary(BinaryOp::Eq, p(), at(Expr::int(1)));
    let twice = add(same, Expr::call_pointer(p(), vec![Expr::int(3)]));
    program.stmt(set(result.clone(), add(twice, result)));
    // A pointer as an argument.
    let apply = Function {
        name: "apply".into(),
        result: IntKind::Int.into(),
        params: vec![var("f", pointer.clone()), var("n", IntKind::Int)],
        body: Arc::new(Stmt::Block(vec![Stmt::Return(Some(Expr::call_pointer(
            Expr::var("f", pointer.clone()),
            vec![int("n")],
        )))])),
    };
    let last = Arc::new(functions[2].callee());
    let choice = Expr::conditional(which, p(), Expr::FunctionName(last));
    let applied = Expr::call(apply.callee(), vec![choice, Expr::int(99)]);
    program.stmt(set(counter, applied));
    let all = functions.into_iter().chain([apply]);
    program.functions = all.map(FunctionDefinition::new_static).collect();
    program.confirm();
}

#[test]
fn structs_go_through_pointers_to_functions() {
    let mut program = Program::new();
    let fields = vec![
        Field::new("a", IntKind::Int),
        Field::new("b", IntKind::Char),
    ];
    let ty = program.types.define("struct Two", fields);
    let which = program.input("which", IntKind::Int, [0, 1]);
    let s = program.global("s", ty.clone());
    let change = |name: &str, by: i32| {
        let v = || Expr::var("v", ty.clone());
        Function {
            name: name.into(),
            result: ty.clone(),
            params: vec![var("v", ty.clone())],
            body: Arc::new(Stmt::Block(vec![
                set(v().field("a"), add(v().field("a"), Expr::int(by))),
                set(v().field("b"), v().field("a")),
                Stmt::Return(Some(v())),
            ])),
        }
    };
    let (one, two) = (change("one", 1000), change("two", -3));
    let name = |function: &Function| Expr::FunctionName(Arc::new(function.callee()));
    let chosen = Expr::conditional(which, name(&one), name(&two));
    let call = |arg: Expr| Expr::call_pointer(chosen.clone(), vec![arg]);
    program.stmt(set(s.clone(), call(call(s.clone()))));
    let member = call(s.clone()).field("b");
    program.stmt(set(s.clone().field("a"), add(s.field("a"), member)));
    program.functions = [one, two].map(FunctionDefinition::new_static).into();
    program.confirm();
}

#[test]
fn calls_through_pointers_stop_where_they_lead_nowhere() {
    let mut program = Program::new();
    let which = program.input("which", IntKind::Int, [0, 1]);
    program.global("counter", IntKind::Long);
    let more = update("more", BinaryOp::Add);
    let unknown = Callee {
        name: "unknown".into(),
        ..more.callee()
    };
    let pointer = more.callee().ty().pointer();
    let name = |callee: Callee| Expr::FunctionName(Arc::new(callee));
    let null = Expr::conditional(which.clone(), Expr::Null(pointer), name(more.callee()));
    let nobody = Expr::conditional(which, name(unknown), name(more.callee()));
    program.functions = vec![FunctionDefinition::new_static(more)];
    for (function, expected) in [(null, "null pointer"), (nobody, "body is not known")] {
        let call = Expr::call_pointer(function, vec![Expr::int(1)]);
        let stop = program.session().step(&Stmt::Expr(call)).unwrap_err();
        let text = stop.to_string();
        assert!(text.contains(expected) && text.contains("row 1"), "{text}");
        let counter = Expr::var("counter", IntKind::Long);
        assert_eq!(program.session().value(&counter).unwrap().values, [0, 0]);
    }
}

#[test]
fn pointers_walk_to_the_end_of_their_array_and_back() {
    let mut program = Program::new();
    let length = program.input("length", IntKind::Int, [7, 4]);
    let array = program.global("array", Type::INT.array(7));
    let grid = program.global("grid", Type::Int(IntKind::Short).array(3).array(2));
    let sum = program.global("sum", IntKind::Long);
    let back = program.global("back", IntKind::Long);
    let pointer = Type::INT.pointer();
    let (p, end) = (
        || Expr::var("p", Type::INT.pointer()),
        || Expr::var("end", Type::INT.pointer()),
    );
    program.stmt(Stmt::declare("p", pointer.clone(), None));
    let last = add(array.clone(), length.clone());
    program.stmt(Stmt::declare("end", pointer.clone(), Some(last)));
    let distance = Expr::binary(BinaryOp::Sub, p(), array.clone());
    let square = Expr::binary(BinaryOp::Mul, distance.clone(), distance);
    program.stmt(Stmt::for_loop(
        Expr::assign(p(), array.clone()),
        Expr::binary(BinaryOp::Lt, p(), end()),
        Expr::step(StepOp::PreIncrement, p()),
        set(p().deref(), add(square, Expr::int(3))),
    ));
    let next = Expr::step(StepOp::PostIncrement, p()).deref();
    program.stmt(set(p(), array.clone()));
    program.stmt(Stmt::while_loop(
        Expr::binary(BinaryOp::Ne, p(), end()),
        Stmt::Expr(Expr::compound(BinaryOp::Add, sum.clone(), next)),
    ));
    let before = Expr::step(StepOp::PreDecrement, p()).deref();
    program.stmt(Stmt::while_loop(
        Expr::binary(BinaryOp::Gt, p(), array.clone()),
        Stmt::Block(vec![
            Stmt::Expr(Expr::compound(BinaryOp::Mul, back.clone(), Expr::int(3))),
            Stmt::Expr(Expr::compound(BinaryOp::Add, back.clone(), before)),
        ]),
    ));
    let behind = end().index(Expr::int(-2));
    program.stmt(set(back.clone(), add(back.clone(), behind)));
    let ends = Expr::binary(BinaryOp::Sub, end(), p());
    program.stmt(set(sum.clone(), add(sum, ends)));
    // Rows of a grid end where the next begins.
    let row = grid.clone().index(Expr::int(0));
    let short = Type::Int(IntKind::Short).pointer();
    let row_end = add(row.clone(), Expr::int(3));
    program.stmt(Stmt::declare("q", short.clone(), Some(row_end)));
    let q = || Expr::var("q", short.clone());
    program.stmt(Stmt::do_loop(
        set(Expr::step(StepOp::PreDecrement, q()).deref(), length),
        Expr::binary(BinaryOp::Ne, q(), row),
    ));
    program.confirm();
    // What lies behind is nobody's business.
    let mut session = program.session();
    let seven = || add(array.clone(), Expr::int(7));
    assert!(session.value(&seven().deref()).is_err());
    assert!(session.value(&add(seven(), Expr::int(1))).is_err());
    let row = |index: i32| grid.clone().index(Expr::int(index));
    let edge = Expr::binary(BinaryOp::Eq, add(row(0), Expr::int(3)), row(1));
    let stop = session.value(&edge).unwrap_err().to_string();
    assert!(stop.contains("behind the array"), "{stop}");
    let apart = Expr::binary(BinaryOp::Sub, row(0), row(1));
    let stop = session.value(&apart).unwrap_err().to_string();
    assert!(stop.contains("different arrays"), "{stop}");
}
