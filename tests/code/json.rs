//! The JSON form of trees is part of records on disk: it may grow, but what is
//! here must stay readable.

use mestra::code::builtin::{Builtin, MemoryOp, Wide};
use mestra::code::ctype::{Field, Type, Types};
use mestra::code::expr::{Callee, Expr};
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::range::{Range, Ranges};
use mestra::code::stmt::{Declaration, Init, Stmt};
use mestra::code::table::{Column, Pointer, State, Table};
use mestra::code::trouble::{Cause, Trouble, Undefined};
use mestra::code::types::{IntKind, Target};
use mestra::code::value::Value;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

#[track_caller]
fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
}

#[test]
fn expressions_have_a_stable_form() {
    let x = || Expr::var("x", IntKind::Int);
    same(
        &Expr::binary(BinaryOp::Add, x(), Expr::int(-1)),
        r#"{"binary":{"op":"add","left":{"var":{"name":"x","type":{"int":"int"}}},"right":{"const":{"kind":"int","value":-1}}}}"#,
    );
    same(
        &Value::new(IntKind::ULongLong, u64::MAX.into(), Target::LP64),
        r#"{"kind":"u_long_long","value":18446744073709551615}"#,
    );
    same(
        &Expr::var("s", Type::record("struct S0"))
            .field("f")
            .cast(IntKind::SChar),
        r#"{"cast":{"to":{"int":"s_char"},"value":{"field":{"base":{"var":{"name":"s","type":{"record":"struct S0"}}},"name":"f"}}}}"#,
    );
    same(
        &Expr::var("e", Type::enumeration("enum E", IntKind::UInt))
            .address_of()
            .deref(),
        r#"{"deref":{"address_of":{"var":{"name":"e","type":{"enum":{"name":"enum E","kind":"u_int"}}}}}}"#,
    );
    let choice = Expr::conditional(
        Expr::unary(UnaryOp::Not, Expr::int(0)),
        Expr::logical(LogicalOp::Or, Expr::int(0), Expr::int(1)),
        Expr::comma(Expr::int(2), Expr::int(3)),
    );
    same(
        &choice,
        r#"{"conditional":{"condition":{"unary":{"op":"not","value":{"const":{"kind":"int","value":0}}}},"yes":{"logical":{"op":"or","left":{"const":{"kind":"int","value":0}},"right":{"const":{"kind":"int","value":1}}}},"no":{"comma":{"left":{"const":{"kind":"int","value":2}},"right":{"const":{"kind":"int","value":3}}}}}}"#,
    );
    let callee = Callee {
        name: "f".into(),
        result: Type::Void,
        params: vec![Type::INT.pointer()],
    };
    same(
        &Expr::call(callee, vec![Expr::Null(Type::INT.pointer())]),
        r#"{"call":{"callee":{"name":"f","result":"void","params":[{"pointer":{"to":{"int":"int"}}}]},"args":[{"null":{"pointer":{"to":{"int":"int"}}}}]}}"#,
    );
    same(
        &Expr::builtin(Builtin::Clz(Wide::Long), vec![x()]),
        r#"{"builtin":{"builtin":{"clz":"long"},"args":[{"var":{"name":"x","type":{"int":"int"}}}]}}"#,
    );
    same(
        &Expr::memory(MemoryOp::Set, x().address_of(), Expr::int(0), Type::INT, 1),
        r#"{"memory":{"op":"set","to":{"address_of":{"var":{"name":"x","type":{"int":"int"}}}},"from":{"const":{"kind":"int","value":0}},"of":{"int":"int"},"count":1}}"#,
    );
    let a = Expr::var("a", Type::Int(IntKind::Bool).array(2)).index(Expr::int(1));
    same(
        &Expr::assign(
            a,
            Expr::step(
                StepOp::PostIncrement,
                Expr::compound(BinaryOp::Shl, x(), x()),
            ),
        ),
        r#"{"assign":{"target":{"index":{"base":{"var":{"name":"a","type":{"array":{"of":{"int":"bool"},"len":2}}}},"index":{"const":{"kind":"int","value":1}}}},"value":{"step":{"op":"post_increment","target":{"compound":{"op":"shl","target":{"var":{"name":"x","type":{"int":"int"}}},"value":{"var":{"name":"x","type":{"int":"int"}}}}}}}}}"#,
    );
}

#[test]
fn statements_have_a_stable_form() {
    let Stmt::Declare(declaration) = Stmt::declare("v", Type::INT.array(2), None) else {
        unreachable!()
    };
    let init = Some(Init::List(vec![Init::Value(Expr::int(1))]));
    same(
        &Stmt::Block(vec![
            Stmt::Declare(Declaration {
                init,
                ..declaration
            }),
            Stmt::Label("l".into()),
            Stmt::if_then(Expr::int(1), Stmt::Goto("l".into())),
            Stmt::while_loop(Expr::int(0), Stmt::Break),
            Stmt::do_loop(Stmt::Continue, Expr::int(0)),
            Stmt::switch(
                Expr::int(0),
                Stmt::Block(vec![Stmt::Case(Value::int(3)), Stmt::Default]),
            ),
            Stmt::use_value(IntKind::Char, Expr::int(7)),
            Stmt::Return(None),
            Stmt::Abort,
            Stmt::Empty,
        ]),
        r#"{"block":[{"declare":{"var":{"name":"v","type":{"array":{"of":{"int":"int"},"len":2}}},"init":{"list":[{"value":{"const":{"kind":"int","value":1}}}]}}},{"label":"l"},{"if":{"condition":{"const":{"kind":"int","value":1}},"yes":{"goto":"l"}}},{"while":{"condition":{"const":{"kind":"int","value":0}},"body":"break"}},{"do":{"body":"continue","condition":{"const":{"kind":"int","value":0}}}},{"switch":{"value":{"const":{"kind":"int","value":0}},"body":{"block":[{"case":{"kind":"int","value":3}},"default"]}}},{"use":{"type":{"int":"char"},"value":{"const":{"kind":"int","value":7}}}},{"return":null},"abort","empty"]}"#,
    );
    same(
        &Stmt::for_loop(Expr::int(0), Expr::int(1), Expr::int(2), Stmt::Empty),
        r#"{"for":{"start":{"const":{"kind":"int","value":0}},"condition":{"const":{"kind":"int","value":1}},"step":{"const":{"kind":"int","value":2}},"body":"empty"}}"#,
    );
}

#[test]
fn environments_and_troubles_have_a_stable_form() {
    let mut types = Types::new(Target::LP64);
    types.define("struct S", vec![Field::bits("f", IntKind::Int, 3)]);
    same(
        &types,
        r#"{"target":{"long_bits":64,"pointer_bits":64,"char_signed":true},"records":{"struct S":{"fields":[{"name":"f","type":{"int":"int"},"bits":3}]}}}"#,
    );
    let mut table = Table::new(2);
    let x = table.add(&types, "x", Type::INT, State::Unknown).unwrap();
    table.set(x, 0, Column::mixed(&[Ok(3), Err(State::Uninitialised)]));
    same(
        &table,
        r#"{"rows":2,"objects":[{"name":"x","type":{"int":"int"},"constant":false,"rest":{"all":"unknown"},"columns":{"0":{"states":{"each":["value","uninitialised"]},"values":[3,0]}},"cells":1}],"names":{"x":0}}"#,
    );
    let mut ranges = Ranges::new();
    let y = ranges.add(&types, "y", Type::INT, State::Unknown).unwrap();
    ranges.set(y, 0, Range::between(4, 5));
    let text = serde_json::to_string(&ranges).unwrap();
    assert_eq!(serde_json::from_str::<Ranges>(&text).unwrap(), ranges);
    assert!(
        text.contains(
            r#"{"object":0,"cell":0,"value":{"lo":4,"hi":5,"zeros":18446744073709551610,"ones":4}}"#
        ),
        "{text}"
    );
    same(
        &Trouble {
            cause: Cause::Undefined(Undefined::SignedOverflow),
            path: vec![0, 1],
            function: None,
            row: 7,
        },
        r#"{"cause":{"undefined":"signed_overflow"},"path":[0,1],"row":7}"#,
    );
    same(
        &Pointer::To { object: x, cell: 2 },
        r#"{"to":{"object":0,"cell":2}}"#,
    );
}
