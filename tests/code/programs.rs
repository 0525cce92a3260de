//! Whole programs: what a session says they compute against what compilers and
//! their sanitizers make of the printed text.

use super::build::{CLANG, Compiler, GCC, TCC};
use mestra::code::builtin::{Builtin, MemoryOp, Wide};
use mestra::code::ctype::{Field, Type, Types};
use mestra::code::expr::{Callee, Expr, Var};
use mestra::code::op::{BinaryOp, StepOp, UnaryOp};
use mestra::code::print::{BUILTINS, Style};
use mestra::code::session::Session;
use mestra::code::stmt::{Attribute, Declaration, Function, Init, Specifiers, Stmt};
use mestra::code::table::Column;
use mestra::code::types::{IntKind, Target};
use mestra::code::unit::FunctionDefinition;
use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

const SANITIZERS: [Compiler; 2] = [
    GCC.with(&[
        "-w",
        "-O1",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=all",
    ]),
    CLANG.with(&[
        "-w",
        "-O1",
        "-fsanitize=undefined,address",
        "-fno-sanitize-recover=all",
    ]),
];

/// A program: its inputs are global integers with a value for each row, its
/// results what all its integer globals hold in the end.
pub(super) struct Program {
    pub(super) types: Types,
    inputs: Vec<(String, IntKind, Vec<i64>)>,
    globals: Vec<Declaration>,
    pub(super) functions: Vec<FunctionDefinition>,
    body: Vec<Stmt>,
    compilers: Vec<Compiler>,
}

impl Program {
    pub(super) fn new() -> Program {
        Program {
            types: Types::new(Target::LP64),
            inputs: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            body: Vec::new(),
            compilers: vec![GCC, CLANG, TCC],
        }
    }

    /// An input, with two values.
    pub(super) fn input(&mut self, name: &str, kind: IntKind, values: [i64; 2]) -> Expr {
        self.inputs.push((name.into(), kind, values.to_vec()));
        Expr::var(name, kind)
    }

    /// A global that starts with zeros.
    pub(super) fn global(&mut self, name: &str, ty: impl Into<Type>) -> Expr {
        let Stmt::Declare(declaration) = Stmt::declare(name, ty, None) else {
            unreachable!()
        };
        let var = declaration.var.clone();
        self.globals.push(declaration);
        var.into()
    }

    pub(super) fn stmt(&mut self, stmt: Stmt) {
        self.body.push(stmt);
    }

    pub(super) fn set(&mut self, target: Expr, value: Expr) {
        self.stmt(Stmt::Expr(Expr::assign(target, value)));
    }

    pub(super) fn session(&self) -> Session {
        let mut session = Session::new(self.types.clone(), 2);
        for (name, kind, values) in &self.inputs {
            let columns = vec![Column::values(values.clone())];
            session.global(name, *kind, columns).unwrap();
        }
        for declaration in &self.globals {
            let (name, ty) = (&declaration.var.name, declaration.var.ty.clone());
            let object = session.global(name, ty, vec![]).unwrap();
            if declaration.specifiers.volatile {
                session.set_volatile(object);
            }
        }
        for definition in &self.functions {
            session.define(&definition.function).unwrap();
        }
        session
    }

    /// The integers that the results consist of.
    fn results(&self) -> Vec<Expr> {
        let mut results = Vec::new();
        for (name, kind, _) in &self.inputs {
            self.leaves(Expr::var(name, *kind), &(*kind).into(), &mut results);
        }
        for global in &self.globals {
            self.leaves(global.var.clone().into(), &global.var.ty, &mut results);
        }
        results
    }

    fn leaves(&self, lvalue: Expr, ty: &Type, results: &mut Vec<Expr>) {
        match ty {
            Type::Array { of, len } => {
                for index in 0..*len as i32 {
                    self.leaves(lvalue.clone().index(Expr::int(index)), of, results);
                }
            }
            Type::Record(name) => {
                for field in &self.types.get(name).unwrap().fields {
                    self.leaves(lvalue.clone().field(&field.name), &field.ty, results);
                }
            }
            _ if ty.int_kind().is_some() => results.push(lvalue.cast(IntKind::LongLong)),
            _ => {}
        }
    }

    fn to_c(&self) -> String {
        let mut text = self.types.to_c();
        text.push_str("extern int printf(const char *, ...);\n");
        text.push_str(BUILTINS);
        for (name, kind, _) in &self.inputs {
            writeln!(text, "{}", Stmt::declare(name, *kind, None)).unwrap();
        }
        for global in &self.globals {
            writeln!(text, "{}", Stmt::Declare(global.clone())).unwrap();
        }
        for function in &self.functions {
            text.push_str(&function.prototype());
        }
        let test = FunctionDefinition::new(Function {
            name: "test".into(),
            result: Type::Void,
            params: vec![],
            body: Arc::new(Stmt::Block(self.body.clone())),
        });
        for function in self.functions.iter().chain([&test]) {
            text.push_str(&function.to_c(Style::default()));
        }
        let mut main = String::from("int main(int argc, char **argv)\n{\n    (void)argv;\n");
        for (name, _, values) in &self.inputs {
            let [one, two] = values[..] else {
                unreachable!()
            };
            writeln!(main, "    {name} = argc > 1 ? {two:#x}ULL : {one:#x}ULL;").unwrap();
        }
        main.push_str("    test();\n");
        for result in self.results() {
            writeln!(main, "    printf(\"%lld\\n\", {result});").unwrap();
        }
        main.push_str("    return 0;\n}\n");
        text + &main
    }

    /// Expects compilers to agree with us, and sanitizers to be silent.
    pub(super) fn confirm(&self) {
        let mut session = self.session();
        let block = Stmt::Block(self.body.clone());
        let text = self.to_c();
        let exits = session.step(&block);
        let exits = exits.unwrap_or_else(|stop| panic!("{stop}\n{text}"));
        assert!(exits.ends(), "{text}");
        let mut expected = [String::new(), String::new()];
        for result in self.results() {
            let values = session.value(&result).unwrap().values;
            for (text, value) in expected.iter_mut().zip(values) {
                writeln!(text, "{value}").unwrap();
            }
        }
        for compiler in self.compilers.iter().chain(&SANITIZERS) {
            let dir = TempDir::new().unwrap();
            let program = compiler.build(dir.path(), &text, &[]);
            for (row, expected) in expected.iter().enumerate() {
                let output = Command::new(&program)
                    .args(vec!["x"; row])
                    .output()
                    .unwrap();
                let (out, err) = (&output.stdout, &output.stderr);
                let out = String::from_utf8_lossy(out);
                let err = String::from_utf8_lossy(err);
                let name = (compiler.name, compiler.flags);
                assert_eq!(out, *expected, "{name:?} in row {row}: {err}\n{text}");
                assert!(output.status.success(), "{name:?}: {err}\n{text}");
            }
        }
    }
}

pub(super) fn var(name: &str, ty: impl Into<Type>) -> Var {
    Var {
        name: name.into(),
        ty: ty.into(),
    }
}

fn declaration(name: &str, ty: impl Into<Type>, specifiers: Specifiers, init: Init) -> Stmt {
    Stmt::Declare(Declaration {
        var: var(name, ty),
        specifiers,
        init: Some(init),
    })
}

fn constant(value: i32) -> Init {
    Init::Value(Expr::int(value))
}

#[test]
fn static_const_and_volatile_variables_keep_their_promises() {
    let mut program = Program::new();
    let x = program.input("x", IntKind::Int, [5, -9]);
    let (a, b) = (
        program.global("a", IntKind::Int),
        program.global("b", IntKind::Long),
    );
    let specifiers = |is_static, constant, volatile| Specifiers {
        is_static,
        constant,
        volatile,
        attributes: vec![Attribute::Aligned(16)],
    };
    let (calls, table) = (|| Expr::var("calls", IntKind::UShort), Type::INT.array(4));
    let weights = Init::List(vec![constant(3), constant(-1), constant(7)]);
    let at = Expr::binary(BinaryOp::BitAnd, calls(), Expr::int(3));
    let weight = Expr::var("weights", table.clone()).index(at);
    let count = Function {
        name: "count".into(),
        result: Type::INT,
        params: vec![var("by", IntKind::Int)],
        body: Arc::new(Stmt::Block(vec![
            declaration(
                "calls",
                IntKind::UShort,
                specifiers(true, false, false),
                constant(65533),
            ),
            declaration("weights", table, specifiers(true, true, false), weights),
            Stmt::Expr(Expr::step(StepOp::PreIncrement, calls())),
            declaration(
                "seen",
                IntKind::Int,
                specifiers(false, true, true),
                Init::Value(weight),
            ),
            Stmt::Return(Some(Expr::binary(
                BinaryOp::Mul,
                Expr::var("by", IntKind::Int),
                Expr::var("seen", IntKind::Int),
            ))),
        ])),
    };
    let call = |by: Expr| Expr::call(count.callee(), vec![by]);
    for step in 0..5 {
        program.set(a.clone(), call(x.clone()));
        let sum = Expr::binary(BinaryOp::Mul, b.clone(), Expr::int(3 + step));
        program.set(b.clone(), Expr::binary(BinaryOp::Add, sum, a.clone()));
        // After a statement.
        let late = format!("late{step}");
        program.stmt(Stmt::declare(&late, IntKind::Int, Some(a.clone())));
        program.set(a.clone(), Expr::var(&late, IntKind::Int));
    }
    program.functions.push(FunctionDefinition {
        is_inline: true,
        attributes: vec![Attribute::Cold, Attribute::Unused],
        ..FunctionDefinition::new_static(count)
    });
    program.confirm();
}

#[test]
fn a_constant_keeps_its_value_even_through_a_cast() {
    let mut program = Program::new();
    let specifiers = Specifiers {
        constant: true,
        ..Specifiers::default()
    };
    program.stmt(declaration("c", IntKind::Int, specifiers, constant(3)));
    let pointer = Expr::var("c", IntKind::Int).address_of();
    let target = pointer.cast(Type::INT.pointer()).deref();
    program.set(target, Expr::int(4));
    let stop = program.session().step(&Stmt::Block(program.body.clone()));
    let stop = stop.unwrap_err().to_string();
    assert!(stop.contains("write to a const object"), "{stop}");
    let mut program = Program::new();
    let v = program.global("v", IntKind::Int);
    program.globals[0].specifiers.volatile = true;
    program.set(v.clone(), Expr::binary(BinaryOp::Add, v.clone(), v));
    let stop = program.session().step(&Stmt::Block(program.body.clone()));
    let stop = stop.unwrap_err().to_string();
    assert!(stop.contains("unsequenced"), "{stop}");
}

/// `struct Pair { int a; unsigned char b : 3; short c[2]; int *p; }`.
fn pair(program: &mut Program) -> Type {
    let fields = vec![
        Field::new("a", IntKind::Int),
        Field::bits("b", IntKind::UChar, 3),
        Field::new("c", Type::Int(IntKind::Short).array(2)),
        Field::new("p", Type::INT.pointer()),
    ];
    program.types.define("struct Pair", fields)
}

#[test]
fn structs_go_into_and_come_out_of_functions_by_value() {
    let mut program = Program::new();
    let ty = pair(&mut program);
    let x = program.input("x", IntKind::Int, [70_000, -3]);
    let (s, t) = (
        program.global("s", ty.clone()),
        program.global("t", ty.clone()),
    );
    let g = program.global("g", IntKind::Long);
    let var_of = |name: &str| Expr::var(name, ty.clone());
    // Changes its own copy and gives it back, recursively.
    let n = || Expr::var("n", IntKind::Int);
    let mut turn = Function {
        name: "turn".into(),
        result: ty.clone(),
        params: vec![var("v", ty.clone()), var("n", IntKind::Int)],
        body: Arc::new(Stmt::Empty),
    };
    let less = Expr::binary(BinaryOp::Sub, n(), Expr::int(1));
    let again = Expr::call(turn.callee(), vec![var_of("v"), less]);
    let sum = Expr::binary(BinaryOp::Add, var_of("v").field("a"), n());
    let element = |of: Expr, index: i32| of.field("c").index(Expr::int(index));
    turn.body = Arc::new(Stmt::Block(vec![
        Stmt::Expr(Expr::assign(var_of("v").field("a"), sum)),
        Stmt::Expr(Expr::assign(var_of("v").field("b"), n())),
        Stmt::Expr(Expr::assign(
            element(var_of("v"), 1),
            var_of("v").field("a"),
        )),
        Stmt::if_then(n(), Stmt::Return(Some(again))),
        Stmt::Return(Some(var_of("v"))),
    ]));
    program.set(s.clone().field("a"), x.clone());
    program.set(element(s.clone(), 0), x.clone());
    let call = |arg: Expr, n: i32| Expr::call(turn.callee(), vec![arg, Expr::int(n)]);
    program.set(t.clone(), call(s.clone(), 3));
    program.set(g.clone(), call(t.clone(), 2).field("a"));
    program.stmt(Stmt::declare(
        "u",
        ty.clone(),
        Some(call(call(t.clone(), 1), 5)),
    ));
    program.set(s.clone(), var_of("u"));
    // A result that nobody wants still has effects, if the function has.
    program.stmt(Stmt::Expr(call(s.clone(), 4)));
    let more = Expr::binary(BinaryOp::Add, g.clone(), call(s, 0).field("b"));
    program.set(g, more);
    program.functions.push(FunctionDefinition::new_static(turn));
    program.confirm();
}

#[test]
fn a_struct_result_is_not_an_object() {
    let mut program = Program::new();
    let ty = pair(&mut program);
    let make = Callee {
        name: "make".into(),
        result: ty,
        params: vec![],
    };
    let made = || Expr::call(make.clone(), vec![]);
    let types = &program.types;
    assert!(types.type_of(&made().field("a")).is_ok());
    assert!(types.type_of(&made().field("a").address_of()).is_err());
    assert!(
        types
            .type_of(&Expr::assign(made().field("a"), Expr::int(1)))
            .is_err()
    );
    assert!(
        types
            .type_of(&made().field("c").index(Expr::int(0)))
            .is_err()
    );
}

#[test]
fn builtins_on_values_compute_what_compilers_do() {
    use Builtin::*;
    let mut program = Program::new();
    let long = IntKind::LongLong;
    let inputs = [
        program.input("x", long, [0x0123_4567_89ab_cdef, -2]),
        program.input("y", long, [1 << 40, i64::MIN + 1]),
        program.input("z", IntKind::Int, [-40_000, 1]),
        program.input("w", IntKind::UShort, [65_535, 9]),
    ];
    let mut builtins = vec![Bswap16, Bswap32, Bswap64];
    for wide in Wide::ALL {
        builtins.extend([Popcount(wide), Parity(wide), Ffs(wide), Abs(wide)]);
        builtins.extend([Clz(wide), Ctz(wide), Clrsb(wide)]);
    }
    let mut next = 0;
    for builtin in builtins {
        for input in &inputs {
            let name = format!("r{next}");
            next += 1;
            let result = program.global(&name, long);
            let or_one = Expr::binary(BinaryOp::BitOr, input.clone(), Expr::int(1));
            let arg = if matches!(builtin, Clz(_) | Ctz(_)) {
                or_one
            } else {
                input.clone()
            };
            program.set(result, Expr::builtin(builtin, vec![arg]));
        }
    }
    for builtin in [AddOverflow, SubOverflow, MulOverflow] {
        for (left, right) in [(0, 1), (1, 2), (2, 3), (3, 0), (1, 1)] {
            for kind in [
                IntKind::SChar,
                IntKind::UInt,
                IntKind::Long,
                IntKind::ULongLong,
            ] {
                let (kept, lost) = (format!("k{next}"), format!("l{next}"));
                next += 1;
                let kept = program.global(&kept, kind);
                let lost = program.global(&lost, IntKind::Int);
                let left = inputs[left].clone();
                let left = if next % 3 == 0 {
                    left.cast(IntKind::ULong)
                } else {
                    left
                };
                let args = vec![left, inputs[right].clone(), kept.address_of()];
                program.set(lost, Expr::builtin(builtin, args));
            }
        }
    }
    let expected = program.global("e", IntKind::Int);
    let likely = Expr::builtin(Expect, vec![inputs[2].clone(), Expr::int(1)]);
    let never = Stmt::Expr(Expr::builtin(Unreachable, vec![]));
    let zero = Expr::binary(BinaryOp::Eq, inputs[2].clone(), Expr::int(0));
    program.stmt(Stmt::if_then(zero, never));
    program.set(expected, likely);
    program.confirm();
}

#[test]
fn builtins_on_memory_compute_what_compilers_do() {
    use MemoryOp::*;
    let mut program = Program::new();
    let ty = pair(&mut program);
    let x = program.input("x", IntKind::Int, [70_000, -3]);
    let (a, b) = (
        program.global("a", Type::INT.array(6)),
        program.global("b", Type::INT.array(6)),
    );
    let bytes = program.global("bytes", Type::Int(IntKind::Char).array(5));
    let (s, t) = (
        program.global("s", ty.clone()),
        program.global("t", ty.clone()),
    );
    let wide = program.global("wide", Type::Int(IntKind::ULong).array(2));
    let results: Vec<Expr> = (0..6)
        .map(|index| program.global(&format!("r{index}"), IntKind::Int))
        .collect();
    let at = |array: &Expr, index: i32| array.clone().index(Expr::int(index)).address_of();
    for index in 0..6 {
        let value = Expr::binary(BinaryOp::Sub, x.clone(), Expr::int(index * 7));
        program.set(a.clone().index(Expr::int(index)), value);
    }
    let run = |program: &mut Program, op, to, from, of: Type, count| {
        program.stmt(Stmt::Expr(Expr::memory(op, to, from, of, count)));
    };
    run(&mut program, Copy, b.clone(), a.clone(), Type::INT, 6);
    run(&mut program, Move, at(&a, 1), at(&a, 0), Type::INT, 4);
    run(&mut program, Set, at(&b, 4), Expr::int(0x181), Type::INT, 2);
    program.set(s.clone().field("a"), x.clone());
    run(
        &mut program,
        Copy,
        t.clone().address_of(),
        s.clone().address_of(),
        ty.clone(),
        1,
    );
    run(
        &mut program,
        Set,
        s.address_of(),
        Expr::int(0),
        ty.clone(),
        1,
    );
    let ones = t.clone().field("c");
    run(
        &mut program,
        Set,
        ones,
        Expr::int(-1),
        IntKind::Short.into(),
        2,
    );
    run(
        &mut program,
        Set,
        wide,
        Expr::int(0x5a),
        IntKind::ULong.into(),
        1,
    );
    let char = || Type::Int(IntKind::Char);
    run(&mut program, Set, at(&bytes, 0), x.clone(), char(), 3);
    run(&mut program, Set, at(&bytes, 3), Expr::int(100), char(), 2);
    let compared = [
        Expr::memory(Equal, a.clone(), b.clone(), Type::INT, 1),
        Expr::memory(Equal, a.clone(), b.clone(), Type::INT, 2),
        Expr::memory(Less, at(&bytes, 0), at(&bytes, 3), char(), 2),
        Expr::memory(Less, at(&bytes, 3), at(&bytes, 0), char(), 2),
        Expr::memory(Less, at(&bytes, 3), at(&bytes, 3), char(), 2),
        Expr::unary(
            UnaryOp::Not,
            Expr::memory(Equal, at(&a, 1), at(&b, 0), Type::INT, 4),
        ),
    ];
    for (result, value) in results.into_iter().zip(compared) {
        program.set(result, value);
    }
    program.confirm();
}

#[test]
fn builtins_are_undefined_where_they_say_so() {
    use MemoryOp::*;
    let mut program = Program::new();
    let zero = program.input("zero", IntKind::Int, [1, 0]);
    let least = program.input("least", IntKind::Int, [0, i64::from(i32::MIN)]);
    let a = program.global("a", Type::INT.array(6));
    let flags = program.global("flags", Type::Int(IntKind::Bool).array(2));
    let at = |index: i32| a.clone().index(Expr::int(index)).address_of();
    let cases = [
        (
            Expr::builtin(Builtin::Clz(Wide::Int), vec![zero.clone()]),
            "zeros of 0",
        ),
        (
            Expr::builtin(Builtin::Ctz(Wide::Long), vec![zero]),
            "zeros of 0",
        ),
        (
            Expr::builtin(Builtin::Abs(Wide::Int), vec![least]),
            "signed overflow",
        ),
        (Expr::builtin(Builtin::Unreachable, vec![]), "unreachable"),
        (Expr::memory(Copy, at(1), at(0), Type::INT, 2), "overlap"),
        (
            Expr::memory(Move, at(1), at(0), Type::INT, 6),
            "out of bounds",
        ),
        (
            Expr::memory(Set, flags, Expr::int(2), IntKind::Bool, 1),
            "no meaning",
        ),
    ];
    for (expr, expected) in cases {
        let stop = program.session().step(&Stmt::Expr(expr)).unwrap_err();
        assert!(stop.to_string().contains(expected), "{stop}");
    }
}
