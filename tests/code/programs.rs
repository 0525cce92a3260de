//! Whole programs: what a session says they compute against what compilers and
//! their sanitizers make of the printed text.

use super::build::{CLANG, Compiler, GCC, TCC};
use mestra::code::ctype::{Type, Types};
use mestra::code::expr::{Expr, Var};
use mestra::code::op::{BinaryOp, StepOp};
use mestra::code::print::Style;
use mestra::code::session::Session;
use mestra::code::stmt::{Attribute, Declaration, Function, Init, Specifiers, Stmt};
use mestra::code::table::Column;
use mestra::code::types::{IntKind, Target};
use mestra::code::unit::{Definition, TopLevel, TranslationUnit};
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
    functions: Vec<Definition>,
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

    fn session(&self) -> Session {
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
        let mut unit = TranslationUnit {
            types: self.types.clone(),
            items: vec![TopLevel::Text(
                "extern int printf(const char *, ...);\n".into(),
            )],
        };
        for (name, kind, _) in &self.inputs {
            let Stmt::Declare(declaration) = Stmt::declare(name, *kind, None) else {
                unreachable!()
            };
            unit.items.push(TopLevel::Global(declaration));
        }
        let globals = self.globals.iter().cloned();
        unit.items.extend(globals.map(TopLevel::Global));
        let functions = self.functions.iter().cloned();
        let prototypes = functions.clone().map(TopLevel::Prototype);
        unit.items.extend(prototypes);
        unit.items.extend(functions.map(TopLevel::Function));
        let test = Function {
            name: "test".into(),
            result: Type::Void,
            params: vec![],
            body: Arc::new(Stmt::Block(self.body.clone())),
        };
        unit.items.push(TopLevel::Function(Definition::new(test)));
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
        unit.items.push(TopLevel::Text(main));
        unit.to_c(Style::default())
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
    program.functions.push(Definition {
        is_inline: true,
        attributes: vec![Attribute::Cold, Attribute::Unused],
        ..Definition::new_static(count)
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
