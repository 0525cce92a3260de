//! Printed text against an independent reader, and against compilers.

use super::build::{CLANG, Compiler, GCC, OLD_CLANG, PCC, TCC};
use super::shape;
use lang_c::ast;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use mestra::code::ctype::Type;
use mestra::code::expr::{Callee, Expr};
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::print::{Parens, Style};
use mestra::code::stmt::{Declaration, Function, Init, Stmt};
use mestra::code::types::{IntKind, Target};
use mestra::code::value::Value;
use proptest::prelude::*;
use std::sync::Arc;
use tempfile::TempDir;

const PRELUDE: &str = "struct S { int a; }; typedef struct { int a; } T; enum E { E0 };\n";

/// The statements of a function's body, as `lang-c` reads them.
fn parse(body: &str) -> Vec<String> {
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    let source = format!("{PRELUDE}void f(void) {{\n{body}\n}}\n");
    let parsed = match parse_preprocessed(&config, source) {
        Ok(parsed) => parsed,
        Err(error) => panic!("{error}\n{body}"),
    };
    let Some(ast::ExternalDeclaration::FunctionDefinition(function)) =
        parsed.unit.0.last().map(|last| &last.node)
    else {
        panic!("no function")
    };
    let ast::Statement::Compound(items) = &function.node.statement.node else {
        panic!("no body")
    };
    let whole = shape::from_stmt(&ast::Statement::Compound(items.clone()));
    vec![whole]
}

fn styles() -> [Style; 4] {
    [
        Parens::Needed,
        Parens::All,
        Parens::Some(1),
        Parens::Some(77),
    ]
    .map(|parens| Style { parens })
}

/// The same cases on every run, and no files left behind.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(5);
    ProptestConfig {
        cases,
        rng_seed,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn kind() -> impl Strategy<Value = IntKind> {
    proptest::sample::select(IntKind::ALL.to_vec())
}

fn value() -> impl Strategy<Value = Value> {
    let limits = |kind: IntKind| {
        let (min, max) = (kind.min(Target::LP64), kind.max(Target::LP64));
        prop_oneof![Just(min), Just(max), Just(0), Just(-1), Just(5), min..=max]
            .prop_map(move |math| Value::new(kind, math, Target::LP64))
    };
    kind().prop_flat_map(limits)
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        kind().prop_map(Type::Int),
        Just(Type::record("struct S")),
        Just(Type::record("T")),
        Just(Type::enumeration("enum E", IntKind::UInt)),
    ];
    leaf.prop_recursive(3, 6, 1, |inner| {
        prop_oneof![
            (inner.clone(), any::<bool>(), any::<bool>()).prop_map(|(to, constant, volatile)| {
                Type::Pointer {
                    to: Arc::new(to),
                    constant,
                    volatile,
                }
            }),
            (inner, 1..9_u64).prop_map(|(of, len)| of.array(len)),
        ]
    })
}

fn pointer() -> impl Strategy<Value = Type> {
    ty().prop_map(Type::pointer)
}

/// Any tree at all: printing does not care whether it is well typed.
fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        4 => value().prop_map(Expr::Const),
        4 => "[a-d]".prop_map(|name| Expr::var(&name, IntKind::Int)),
        1 => pointer().prop_map(Expr::Null),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let one = inner.clone();
        let two = (inner.clone(), inner.clone());
        let unary = proptest::sample::select(UnaryOp::ALL.to_vec());
        let binary = proptest::sample::select(BinaryOp::ALL.to_vec());
        let step = proptest::sample::select(StepOp::ALL.to_vec());
        let assigning = proptest::sample::select(BinaryOp::ALL[..10].to_vec());
        let logical = prop_oneof![Just(LogicalOp::And), Just(LogicalOp::Or)];
        prop_oneof![
            2 => one.clone().prop_map(|base| base.field("m")),
            2 => two.clone().prop_map(|(base, index)| base.index(index)),
            2 => one.clone().prop_map(Expr::deref),
            2 => one.clone().prop_map(Expr::address_of),
            2 => (ty(), one.clone()).prop_map(|(to, value)| value.cast(to)),
            3 => (unary, one.clone()).prop_map(|(op, value)| Expr::unary(op, value)),
            6 => (binary, two.clone()).prop_map(|(op, (l, r))| Expr::binary(op, l, r)),
            2 => (logical, two.clone()).prop_map(|(op, (l, r))| Expr::logical(op, l, r)),
            2 => (inner.clone(), two.clone()).prop_map(|(c, (y, n))| Expr::conditional(c, y, n)),
            1 => two.clone().prop_map(|(l, r)| Expr::comma(l, r)),
            1 => two.clone().prop_map(|(l, r)| Expr::assign(l, r)),
            1 => (assigning, two).prop_map(|(op, (l, r))| Expr::compound(op, l, r)),
            2 => (step, one).prop_map(|(op, target)| Expr::step(op, target)),
            1 => proptest::collection::vec(inner, 0..3).prop_map(|args| {
                let params = vec![Type::INT; args.len()];
                Expr::call(Callee { name: "g".into(), result: Type::INT, params }, args)
            }),
        ]
    })
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let small = || {
        prop_oneof![
            value().prop_map(Expr::Const),
            "[a-d]".prop_map(|name| Expr::var(&name, IntKind::Int)),
            expr(),
        ]
    };
    let init = || {
        let leaf = small().prop_map(Init::Value);
        leaf.prop_recursive(2, 6, 3, |inner| {
            proptest::collection::vec(inner, 0..3).prop_map(Init::List)
        })
    };
    let leaf = prop_oneof![
        Just(Stmt::Empty),
        Just(Stmt::Break),
        Just(Stmt::Continue),
        Just(Stmt::Default),
        "[l-n]".prop_map(|label| Stmt::Goto(label.as_str().into())),
        "[l-n]".prop_map(|label| Stmt::Label(label.as_str().into())),
        value().prop_map(Stmt::Case),
        small().prop_map(Stmt::Expr),
        proptest::option::of(small()).prop_map(Stmt::Return),
        (ty(), small()).prop_map(|(ty, value)| Stmt::Use { ty, value }),
        ("[a-d]", ty(), proptest::option::of(init())).prop_map(|(name, ty, init)| {
            let Stmt::Declare(declaration) = Stmt::declare(&name, ty, None) else {
                unreachable!()
            };
            Stmt::Declare(Declaration {
                init,
                ..declaration
            })
        }),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let block = || proptest::collection::vec(inner.clone(), 0..4).prop_map(Stmt::Block);
        let body = || prop_oneof![block(), inner.clone()];
        prop_oneof![
            block(),
            (small(), body()).prop_map(|(c, y)| Stmt::if_then(c, y)),
            (small(), body(), body()).prop_map(|(c, y, n)| Stmt::if_else(c, y, n)),
            (small(), body()).prop_map(|(c, body)| Stmt::while_loop(c, body)),
            (small(), body()).prop_map(|(c, body)| Stmt::do_loop(body, c)),
            (small(), body()).prop_map(|(value, body)| Stmt::switch(value, body)),
            (
                proptest::option::of(small()),
                proptest::option::of(small()),
                body()
            )
                .prop_map(|(start, condition, body)| Stmt::For {
                    step: start.clone(),
                    start,
                    condition,
                    body: Arc::new(body)
                }),
        ]
    })
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn printed_expressions_parse_to_the_same_tree(expr in expr()) {
        for style in styles() {
            let text = expr.to_c(style);
            let read = parse(&format!("{text};"));
            let ours = shape::of_stmt(&Stmt::Block(vec![Stmt::Expr(expr.clone())]));
            prop_assert_eq!(&read[0], &ours, "{}", text);
        }
    }

    #[test]
    fn printed_statements_parse_to_the_same_tree(stmt in stmt()) {
        for style in styles() {
            let text = stmt.to_c(style, 1);
            let read = parse(&text);
            let ours = shape::of_stmt(&Stmt::Block(vec![stmt.clone()]));
            prop_assert_eq!(&read[0], &ours, "{}", text);
        }
    }

    #[test]
    fn json_gives_the_same_tree_back(stmt in stmt()) {
        let text = serde_json::to_string(&stmt).unwrap();
        prop_assert_eq!(serde_json::from_str::<Stmt>(&text).unwrap(), stmt);
    }
}

#[test]
fn constants_at_the_limits_have_no_larger_literal() {
    let c = |kind, math| Expr::Const(Value::new(kind, math, Target::LP64)).to_string();
    assert_eq!(c(IntKind::Int, i32::MIN.into()), "(-2147483647 - 1)");
    assert_eq!(c(IntKind::Int, -5), "-5");
    assert_eq!(c(IntKind::UInt, u32::MAX.into()), "4294967295U");
    assert_eq!(
        c(IntKind::Long, i64::MIN.into()),
        "(-9223372036854775807L - 1L)"
    );
    assert_eq!(c(IntKind::Long, i32::MIN.into()), "(-2147483647L - 1L)");
    assert_eq!(
        c(IntKind::LongLong, i64::MIN.into()),
        "(-9223372036854775807LL - 1LL)"
    );
    assert_eq!(
        c(IntKind::ULongLong, u64::MAX.into()),
        "18446744073709551615ULL"
    );
    assert_eq!(c(IntKind::Short, -32768), "(short)-32768");
    assert_eq!(c(IntKind::Bool, 1), "(_Bool)1");
}

#[test]
fn signs_never_run_together() {
    let x = || Expr::var("x", IntKind::Int);
    let minus = |value| Expr::unary(UnaryOp::Minus, value);
    assert_eq!(minus(minus(x())).to_string(), "-(-x)");
    assert_eq!(minus(Expr::int(-5)).to_string(), "-(-5)");
    assert_eq!(
        minus(Expr::step(StepOp::PreDecrement, x())).to_string(),
        "-(--x)"
    );
    assert_eq!(Expr::unary(UnaryOp::Plus, minus(x())).to_string(), "+-x");
    assert_eq!(
        Expr::binary(BinaryOp::Sub, x(), Expr::int(-5)).to_string(),
        "x - -5"
    );
}

#[test]
fn comparisons_of_comparisons_are_in_parentheses() {
    let x = || Expr::var("x", IntKind::Int);
    let less = |left, right| Expr::binary(BinaryOp::Lt, left, right);
    let chain = less(less(x(), x()), x());
    assert_eq!(chain.to_string(), "(x < x) < x");
    assert_eq!(less(x(), less(x(), x())).to_string(), "x < (x < x)");
    let same = Expr::binary(BinaryOp::Eq, less(x(), x()), x());
    assert_eq!(same.to_string(), "x < x == x");
}

/// A value that is used must be computed, however much a compiler optimises.
#[test]
fn used_values_survive_optimisation() {
    let product = Expr::binary(
        BinaryOp::Mul,
        Expr::var("x", IntKind::Int),
        Expr::int(12347),
    );
    let text = format!(
        "void f(int x) {{\n{}}}\nvoid g(int x) {{ {product}; }}\n",
        Stmt::use_value(IntKind::Int, product.clone())
    );
    let dir = TempDir::new().unwrap();
    for compiler in [
        GCC.with(&["-w", "-O3", "-S"]),
        CLANG.with(&["-w", "-O3", "-S"]),
    ] {
        compiler.accepts(dir.path(), &text).unwrap();
        let assembly = std::fs::read_to_string(dir.path().join("check.o")).unwrap();
        assert_eq!(
            assembly.matches("12347").count(),
            1,
            "{compiler:?}\n{assembly}"
        );
    }
}

/// A function with every statement, which every compiler must take.
fn every_statement() -> Function {
    let int = |name: &str| Expr::var(name, IntKind::Int);
    let less = |bound| Expr::binary(BinaryOp::Lt, int("i"), Expr::int(bound));
    let next = || Expr::step(StepOp::PostIncrement, int("i"));
    let record = Type::record("struct S");
    let list = Init::List(vec![Init::Value(Expr::int(1)), Init::Value(int("n"))]);
    let Stmt::Declare(array) = Stmt::declare("array", Type::INT.array(4), None) else {
        unreachable!()
    };
    let body = Stmt::Block(vec![
        Stmt::declare("i", IntKind::Int, Some(Expr::int(0))),
        Stmt::Declare(Declaration {
            init: Some(list),
            ..array
        }),
        Stmt::declare("s", record.clone(), None),
        Stmt::declare("p", Type::INT.pointer(), Some(int("i").address_of())),
        Stmt::Empty,
        Stmt::Expr(Expr::assign(
            Expr::var("s", record.clone()).field("a"),
            Expr::int(3),
        )),
        Stmt::while_loop(less(3), Stmt::Expr(next())),
        Stmt::do_loop(
            Stmt::Block(vec![Stmt::Expr(next()), Stmt::Continue]),
            less(5),
        ),
        Stmt::for_loop(
            Expr::assign(int("i"), Expr::int(0)),
            less(4),
            next(),
            Stmt::Block(vec![Stmt::switch(
                int("i"),
                Stmt::Block(vec![
                    Stmt::Case(Value::int(0)),
                    Stmt::Case(Value::int(i32::MIN)),
                    Stmt::Break,
                    Stmt::Default,
                    Stmt::Use {
                        ty: Type::INT,
                        value: int("i"),
                    },
                ]),
            )]),
        ),
        Stmt::if_else(less(9), Stmt::Goto("end".into()), Stmt::Empty),
        Stmt::if_then(less(9), Stmt::Abort),
        Stmt::Block(vec![Stmt::declare("i", IntKind::ULongLong, None)]),
        Stmt::Label("end".into()),
        Stmt::Use {
            ty: Type::INT.pointer(),
            value: Expr::var("p", Type::INT.pointer()),
        },
        Stmt::Use {
            ty: IntKind::Bool.into(),
            value: int("n"),
        },
        Stmt::Use {
            ty: IntKind::ULongLong.into(),
            value: int("n"),
        },
        Stmt::Return(Some(
            Expr::var("array", Type::INT.array(4)).index(Expr::binary(
                BinaryOp::BitAnd,
                int("n"),
                Expr::int(3),
            )),
        )),
    ]);
    let n = mestra::code::expr::Var {
        name: "n".into(),
        ty: Type::INT,
    };
    Function {
        name: "every".into(),
        result: Type::INT,
        params: vec![n],
        body: Arc::new(body),
    }
}

#[test]
fn every_statement_compiles_everywhere_and_in_c89() {
    let function = every_statement();
    let mut types = mestra::code::ctype::Types::new(Target::LP64);
    types.define(
        "struct S",
        vec![mestra::code::ctype::Field::new("a", IntKind::Int)],
    );
    types.check_function(&function).unwrap();
    let dir = TempDir::new().unwrap();
    let compilers: [Compiler; 11] = [
        GCC.with(&["-std=gnu89", "-Wall", "-Werror", "-Wno-unused"]),
        GCC.with(&[
            "-std=c99",
            "-pedantic-errors",
            "-Wall",
            "-Werror",
            "-Wno-unused",
        ]),
        GCC.with(&["-std=gnu17", "-O2", "-m32"]),
        CLANG.with(&["-std=gnu89", "-Wall", "-Werror", "-Wno-unused"]),
        CLANG.with(&["-std=gnu17", "-Wall", "-Werror", "-Wno-unused"]),
        CLANG.with(&["-std=gnu2x", "-O2"]),
        OLD_CLANG.with(&["-std=gnu89"]),
        OLD_CLANG.with(&["-std=c11", "-pedantic-errors"]),
        TCC.with(&[]),
        PCC.with(&[]),
        PCC.with(&["-std=c99"]),
    ];
    for style in styles() {
        let text = format!(
            "{}{}{}int main(void) {{ return every(2); }}\n",
            types.to_c(),
            function.prototype(),
            function.to_c(style)
        );
        for compiler in &compilers {
            // Parentheses that are not needed are worth a warning to clang.
            if compiler.flags.contains(&"-Werror") && style.parens != Parens::Needed {
                continue;
            }
            if let Err(messages) = compiler.accepts(dir.path(), &text) {
                panic!("{compiler:?}: {messages}\n{text}");
            }
        }
    }
}
