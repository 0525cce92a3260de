//! Programs of snippets: many short functions that have nothing to do with each other.
//!
//! Most defects of optimisers show in a few lines in which two or three variables and related
//! constants meet. A snippet is such a handful of lines. It is written without regard to what
//! is defined, so nothing in it is there to keep it defined; then it is run on all rows of its
//! inputs, and the inputs for which it is undefined are exchanged for others. Each snippet has
//! its own globals, so one that fails says at once what failed.

mod expr;
mod flow;
mod inputs;
mod loops;
mod memory;
mod place;
mod proof;
mod stmt;
mod wide;

pub(super) use expr::SnippetNode;
pub(super) use stmt::SnippetStatement;

use super::feature::Feature;
use super::policy::Policy;
use super::request::GenerateRequest;
use super::stats::GenerationStats;
use super::tree::{ProgramForm, ProgramTree, TreeGlobal};
use super::weights::KINDS;
use crate::code::ctype::{Field, Type, Types};
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Attribute, Function, Part, Stmt};
use crate::code::types::{IntKind, Target};
use crate::code::unit::FunctionDefinition;
use crate::dice::Dice;
use rand::Rng;
use std::sync::Arc;

/// Bytes of text for each node and each global of a snippet, about.
const BYTES_PER_NODE: usize = 10;
const BYTES_PER_GLOBAL: usize = 110;
/// Bytes of text around the snippets, about.
const BYTES_AROUND: usize = 5_000;
/// Snippets that are thrown away before a program is given up.
const FAILURES: u32 = 2_000;

/// One snippet: a test that `main` calls, and what it needs.
#[derive(Debug, Default)]
struct Snippet {
    inputs: Vec<TreeGlobal>,
    /// Globals that only take results.
    outputs: Vec<TreeGlobal>,
    functions: Vec<FunctionDefinition>,
}

impl Snippet {
    /// The test, which is its last function.
    fn test(&self) -> Option<Callee> {
        let test = self.functions.last()?;
        Some(test.function.callee())
    }

    fn bytes(&self) -> usize {
        let functions = self.functions.iter();
        let nodes: usize = functions.map(|one| one.function.body.size()).sum();
        nodes * BYTES_PER_NODE + (self.inputs.len() + self.outputs.len()) * BYTES_PER_GLOBAL
    }
}

/// Who writes snippets, one after the other.
#[derive(Debug)]
struct SnippetWriter {
    dice: Dice,
    policy: Policy,
    types: Types,
    /// The structs that snippets may use.
    records: Vec<Type>,
    rows: u32,
    names: u32,
    /// The types that the current snippet prefers.
    kinds: Vec<IntKind>,
    /// The numbers that its constants are near to.
    numbers: Vec<i128>,
    /// The length that its arrays and loops have to do with.
    length: u64,
    /// The variables in sight, innermost last.
    objects: Vec<Var>,
    /// The counters of open loops, which their bodies leave alone.
    counters: Vec<Var>,
    /// Declarations of the open block.
    declarations: Vec<Stmt>,
    /// What `return` gives in the function that is being written; `None` outside functions
    /// that give something.
    result: Option<IntKind>,
    /// Loops and switches that `break` leaves; loops that `continue` goes on with.
    breakable: u32,
    loops: u32,
    snippet: Snippet,
}

/// Makes the program of a number as trees.
pub(super) fn snippet_program(request: &GenerateRequest, number: u64, dice: Dice) -> ProgramTree {
    let mut writer = SnippetWriter::new(request, dice);
    let (least, most) = (*request.size.start(), *request.size.end());
    let size = writer.dice.random_range(least..=most) as usize;
    // Inputs that are initialisers can be seen by an optimiser.
    let form = if writer.rows == 1 && writer.percent(70) {
        ProgramForm::Initialised(request.check)
    } else {
        ProgramForm::Checked(request.check)
    };
    let mut tree = ProgramTree {
        title: request.title(number),
        form,
        language: request.language,
        types: Types::new(Target::LP64),
        rows: writer.rows,
        globals: Vec::new(),
        extras: Vec::new(),
        functions: Vec::new(),
        tests: Vec::new(),
    };
    let (mut bytes, mut failures) = (BYTES_AROUND, 0);
    while bytes < size.max(BYTES_AROUND + 1) && failures < FAILURES {
        let Some((snippet, test)) = writer.snippet() else {
            failures += 1;
            continue;
        };
        bytes += snippet.bytes();
        tree.globals.extend(snippet.inputs);
        tree.globals.extend(snippet.outputs);
        tree.functions.extend(snippet.functions);
        tree.tests.push(test);
    }
    tree.types = writer.types;
    tree
}

/// What a program of snippets has, counted.
pub(super) fn snippet_stats(tree: &ProgramTree) -> GenerationStats {
    fn count(stmt: &Stmt, stats: &mut GenerationStats) {
        stats.statements += u64::from(!matches!(stmt, Stmt::Block(_)));
        stats.loops += u64::from(matches!(
            stmt,
            Stmt::For { .. } | Stmt::While { .. } | Stmt::Do { .. }
        ));
        for part in stmt.parts() {
            match part {
                Part::Stmt(inside) => count(inside, stats),
                Part::Expr(expr) => operators(expr, stats),
            }
        }
    }
    fn operators(expr: &Expr, stats: &mut GenerationStats) {
        let children = expr.children();
        stats.operators += u64::from(!children.is_empty());
        children
            .into_iter()
            .for_each(|child| operators(child, stats));
    }
    let mut stats = GenerationStats::default();
    stats.functions = tree.functions.len() as u64;
    for definition in &tree.functions {
        count(&definition.function.body, &mut stats);
    }
    stats
}

impl SnippetWriter {
    fn new(request: &GenerateRequest, mut dice: Dice) -> SnippetWriter {
        let policy = Policy::new(request, &mut dice);
        let rows = request.rows.unwrap_or_else(|| {
            const ROWS: [u32; 10] = [1, 1, 1, 1, 4, 8, 8, 16, 16, 16];
            ROWS[dice.random_range(0..ROWS.len())]
        });
        let mut writer = SnippetWriter {
            dice,
            policy,
            types: Types::new(Target::LP64),
            records: Vec::new(),
            rows,
            names: 0,
            kinds: Vec::new(),
            numbers: Vec::new(),
            length: 4,
            objects: Vec::new(),
            counters: Vec::new(),
            declarations: Vec::new(),
            result: None,
            breakable: 0,
            loops: 0,
            snippet: Snippet::default(),
        };
        if writer.has(Feature::Structs) {
            for _ in 0..writer.dice.random_range(1..=4) {
                let record = writer.some_record();
                writer.records.push(record);
            }
        }
        writer
    }

    /// A snippet that is defined on all rows of its inputs, and its test.
    fn snippet(&mut self) -> Option<(Snippet, Callee)> {
        self.begin();
        if self.has(Feature::Calls) && self.percent(60) {
            self.function_and_call();
        } else {
            self.lone_test();
        }
        let snippet = self.proven()?;
        let test = snippet.test()?;
        Some((snippet, test))
    }

    fn begin(&mut self) {
        let kinds = self.dice.random_range(1..=3);
        self.kinds = (0..kinds).map(|_| self.any_kind()).collect();
        let numbers = self.dice.random_range(1..=3);
        self.numbers = (0..numbers).map(|_| self.fresh_number()).collect();
        self.length = self.dice.random_range(1..=9);
        self.snippet = Snippet::default();
        self.objects.clear();
        self.counters.clear();
        (self.breakable, self.loops) = (0, 0);
    }

    /// `void test(void)` that works on globals.
    fn lone_test(&mut self) {
        self.some_globals();
        if self.has(Feature::Calls) && self.percent(25) {
            self.helper();
        }
        let statements = self.dice.random_range(1..=5);
        let body = self.test_body(statements);
        self.add_test(body);
    }

    /// A function of a few parameters, and a test that calls it.
    fn function_and_call(&mut self) {
        let with_globals = self.percent(30);
        if with_globals {
            self.some_globals();
        }
        if self.percent(20) {
            self.helper();
        }
        let callee = self.helper();
        let args = callee.params.iter().map(|ty| self.argument(ty)).collect();
        let call = Expr::call(callee.clone(), args);
        let stmt = match callee.result.int_kind() {
            Some(kind) => {
                let output = self.output(kind);
                Expr::assign(Expr::Var(output), call)
            }
            None => call,
        };
        self.add_test(Stmt::Block(vec![Stmt::Expr(stmt)]));
    }

    fn add_test(&mut self, body: Stmt) {
        let name = self.fresh("t");
        let mut test = FunctionDefinition::new(Function {
            name: name.as_str().into(),
            result: Type::Void,
            params: Vec::new(),
            body: body.into(),
        });
        if self.has(Feature::Attributes) && self.percent(30) {
            test.attributes.push(Attribute::Noipa);
        }
        self.snippet.functions.push(test);
    }

    /// The block of a test: what its locals hold at the end goes into globals.
    fn test_body(&mut self, statements: u32) -> Stmt {
        self.result = None;
        self.block_with(statements, 2, |writer, locals, items| {
            for local in locals {
                if let Some(kind) = local.ty.int_kind()
                    && writer.percent(70)
                {
                    let output = Expr::Var(writer.output(kind));
                    items.push(Stmt::Expr(Expr::assign(output, Expr::Var(local.clone()))));
                }
            }
        })
    }

    /// A function of the snippet, which those that are written later can call.
    fn helper(&mut self) -> Callee {
        let around = std::mem::take(&mut self.objects);
        let globals = self.snippet.inputs.iter().map(|global| global.var.clone());
        let globals: Vec<Var> = globals.collect();
        if self.percent(40) {
            self.objects.extend(globals);
        }
        let mut params = Vec::new();
        for _ in 0..self.dice.random_range(1..=3) {
            let ty = self.parameter_type();
            let param = self.var("p", ty);
            self.objects.push(param.clone());
            params.push(param);
        }
        let kind = self.kind();
        self.result = Some(kind);
        let statements = if self.percent(35) {
            0
        } else {
            self.dice.random_range(1..=4)
        };
        let body = self.block_with(statements, 2, |writer, locals, items| {
            let value = writer.result_of(locals);
            items.push(Stmt::Return(Some(value)));
        });
        self.result = None;
        self.objects = around;
        let function = Function {
            name: self.fresh("f").as_str().into(),
            result: Type::Int(kind),
            params,
            body: body.into(),
        };
        let callee = function.callee();
        let definition = self.dressed(function);
        self.snippet.functions.push(definition);
        callee
    }

    /// What a function gives: an expression that has to do with what its locals hold.
    fn result_of(&mut self, locals: &[Var]) -> Expr {
        let depth = self.dice.random_range(1..=3);
        let numbers = locals.iter().filter(|local| local.ty.int_kind().is_some());
        let mut value = None;
        for local in numbers.rev().take(2) {
            let local = Expr::Var(local.clone());
            value = Some(match value {
                None => local,
                Some(value) => {
                    let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]);
                    Expr::binary(op, value, local)
                }
            });
        }
        match value {
            Some(value) if self.percent(75) => value,
            _ => self.expr(depth),
        }
    }

    fn dressed(&mut self, function: Function) -> FunctionDefinition {
        let mut definition = if self.percent(50) {
            FunctionDefinition::new_static(function)
        } else {
            FunctionDefinition::new(function)
        };
        if self.has(Feature::Attributes) {
            match self.dice.random_range(0..10) {
                0..3 => definition.attributes.push(Attribute::Noipa),
                3 | 4 => definition.attributes.push(Attribute::Noinline),
                5 if definition.is_static => {
                    definition.is_inline = true;
                    definition.attributes.push(Attribute::AlwaysInline);
                }
                _ => {}
            }
        }
        definition
    }

    fn has(&self, feature: Feature) -> bool {
        self.policy.features.has(feature)
    }

    /// True so many times of a hundred.
    fn percent(&mut self, percent: u32) -> bool {
        self.dice.random_ratio(percent, 100)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.dice.random_range(0..all.len())]
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn var(&mut self, prefix: &str, ty: Type) -> Var {
        let name: Arc<str> = self.fresh(prefix).into();
        Var { name, ty }
    }

    fn target(&self) -> Target {
        self.types.target
    }

    fn any_kind(&mut self) -> IntKind {
        let features = self.policy.features;
        let kind = self
            .policy
            .draw_where(&KINDS, &mut self.dice, |kind| features.allows_kind(kind));
        kind.unwrap_or(IntKind::Int)
    }

    /// A type, most often one of those that the snippet prefers.
    fn kind(&mut self) -> IntKind {
        if self.percent(80) {
            let kinds = self.kinds.clone();
            return self.one_of(&kinds);
        }
        self.any_kind()
    }

    fn some_record(&mut self) -> Type {
        let name = self.fresh("struct s");
        let mut fields = Vec::new();
        for number in 0..self.dice.random_range(1..=4) {
            let name = format!("m{number}");
            fields.push(if self.has(Feature::BitFields) && self.percent(35) {
                let kind = self.one_of(&[IntKind::Int, IntKind::UInt]);
                let width = self.dice.random_range(1..=31);
                Field::bits(&name, kind, width)
            } else if self.percent(15) {
                let (kind, len) = (self.any_kind(), self.dice.random_range(1..=4));
                Field::new(&name, Type::Int(kind).array(len))
            } else {
                Field::new(&name, self.any_kind())
            });
        }
        self.types.define(&name, fields)
    }
}
