//! Programs of snippets: many short functions that have nothing to do with each other.
//!
//! Most defects of optimisers show in a few lines in which two or three variables and related
//! constants meet. A snippet is such a handful of lines. It is written without regard to what
//! is defined, so nothing in it is there to keep it defined; then it is run on all rows of its
//! inputs, and the inputs for which it is undefined are exchanged for others. Each snippet has
//! its own globals, so one that fails says at once what failed.

mod brinks;
mod bytes;
mod calls;
mod choices;
mod counters;
mod everyday;
mod expr;
mod filler;
mod float_lanes;
mod flow;
mod frames;
mod graphs;
mod groups;
mod guards;
mod inputs;
mod lanes;
mod lent;
mod loops;
mod masks;
mod memory;
mod modelled;
mod models;
mod nests;
mod once;
mod place;
mod proof;
mod reals;
mod records;
mod recursions;
mod room;
mod scenes;
mod steered;
mod stmt;
mod sweeps;
mod swept;
mod switches;
mod truths;
mod twins;
mod unset;
mod vector_loops;
mod vectors;
mod wide;

pub(super) use expr::SnippetNode;
pub(super) use scenes::SnippetScene;
pub(super) use stmt::SnippetStatement;

use super::called::keep_called;
use super::feature::Feature;
use super::policy::Policy;
use super::request::{GenerateRequest, ProgramLanguage};
use super::stats::GenerationStats;
use super::tree::{ProgramForm, ProgramTree, TreeGlobal, TreePointer};
use super::weights::KINDS;
use crate::code::ctype::{Type, Types};
use crate::code::expr::{Callee, Expr, Var};
use crate::code::print::Style;
use crate::code::stmt::{Attribute, Function, Part, Stmt};
use crate::code::types::{IntKind, Target};
use crate::code::unit::FunctionDefinition;
use crate::dice::Dice;
use rand::Rng;
use std::sync::Arc;

/// Bytes of text for each global of a snippet, about, and for each line that loads or checks it,
/// without the numbers that it starts with.
const BYTES_PER_GLOBAL: usize = 45;
const BYTES_PER_LINE: usize = 35;
const BYTES_PER_POINTER: usize = 24;
/// Bytes of text around the snippets, about.
const BYTES_AROUND: usize = 5_000;
/// Snippets that are thrown away before a program is given up.
const FAILURES: u32 = 4_000;
/// Rows that a program of one row is tried on.
const TRIED: u32 = 4;

/// One snippet: a test that `main` calls, and what it needs.
#[derive(Debug, Default)]
struct Snippet {
    inputs: Vec<TreeGlobal>,
    /// Globals that only take results.
    outputs: Vec<TreeGlobal>,
    /// Inputs whose start the code relies on (see `steered`).
    keys: Vec<Var>,
    /// Global pointers to inputs and to each other.
    pointers: Vec<TreePointer>,
    functions: Vec<FunctionDefinition>,
    /// Instructions that a row may execute, if more than usual.
    steps: u64,
}

impl Snippet {
    /// The test, which is its last function.
    fn test(&self) -> Option<Callee> {
        let test = self.functions.last()?;
        Some(test.function.callee())
    }

    fn globals(&self) -> impl Iterator<Item = &TreeGlobal> {
        self.inputs.iter().chain(&self.outputs)
    }

    /// Bytes of its text, and about those of its lines around it.
    fn bytes(&self, types: &Types, rows: u32) -> usize {
        let functions = self.functions.iter();
        let functions: usize = functions
            .map(|one| one.to_c(Style::default()).len() + 1)
            .sum();
        let globals = self.globals().map(|global| {
            let cells = types.cells(&global.var.ty).unwrap_or(1) as usize;
            let lines = if global.can_be_listed(types) {
                1
            } else {
                cells
            };
            BYTES_PER_GLOBAL + lines * BYTES_PER_LINE + global.fill.bytes(cells, rows as usize)
        });
        functions + globals.sum::<usize>() + self.pointers.len() * BYTES_PER_POINTER
    }
}

/// What a snippet's inputs are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SnippetStyle {
    /// Short functions that are tried on many rows of inputs.
    Rows,
    /// Longer ones that run once (see `once`).
    Once,
}

impl SnippetStyle {
    /// Whether functions work on globals as a rule.
    fn has_globals(self) -> bool {
        self == SnippetStyle::Once
    }
}

/// Who writes snippets, one after the other.
#[derive(Debug)]
struct SnippetWriter {
    dice: Dice,
    policy: Policy,
    language: ProgramLanguage,
    types: Types,
    /// The structs that snippets may use.
    records: Vec<Type>,
    /// A struct with pointers to the current snippet's globals.
    holder: Option<Type>,
    style: SnippetStyle,
    rows: u32,
    /// The rows that the program has: if it is one, it is tried on more all the same.
    shown: u32,
    names: u32,
    /// The types that the current snippet prefers.
    kinds: Vec<IntKind>,
    /// The numbers that its constants are near to.
    numbers: Vec<i128>,
    /// The length that its arrays and loops have to do with.
    length: u64,
    /// The variables in sight, innermost last.
    objects: Vec<Var>,
    /// Pointers to one of several elements.
    runs: Vec<Var>,
    /// The counters of open loops, which their bodies leave alone.
    counters: Vec<Var>,
    /// Expressions and conditions that were written lately, to be written again.
    recent: Vec<Expr>,
    recent_conditions: Vec<Expr>,
    /// Declarations of the open block.
    declarations: Vec<Stmt>,
    /// What `return` gives in the function that is being written; `None` outside functions
    /// that give something.
    result: Option<Type>,
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
    let form = if writer.shown == 1 && writer.percent(70) {
        ProgramForm::Initialised(request.check)
    } else {
        ProgramForm::Checked(request.check)
    };
    let mut tree = ProgramTree {
        title: request.title(number),
        form,
        language: request.language,
        types: Types::new(Target::LP64),
        rows: writer.shown,
        globals: Vec::new(),
        extras: Vec::new(),
        pointers: Vec::new(),
        functions: Vec::new(),
        tests: Vec::new(),
    };
    let (mut bytes, mut failures) = (BYTES_AROUND, 0);
    let wanted = size.max(BYTES_AROUND + 1);
    while bytes < wanted && failures < FAILURES {
        let snippet = writer.snippet().map(|(snippet, test)| {
            let more = snippet.bytes(&writer.types, writer.shown);
            (snippet, test, more)
        });
        // The last one must not be far too large.
        let fitting = snippet.filter(|(_, _, more)| bytes + more < wanted + wanted / 4);
        let Some((snippet, test, more)) = fitting else {
            failures += 1;
            continue;
        };
        bytes += more;
        tree.globals.extend(snippet.inputs);
        tree.globals.extend(snippet.outputs);
        tree.pointers.extend(snippet.pointers);
        tree.functions.extend(snippet.functions);
        tree.tests.push(test);
    }
    for global in &mut tree.globals {
        if writer.shown == 1 {
            global.fill.keep_row(0);
        }
        global.is_listed = global.can_be_listed(&writer.types);
    }
    tree.globals.sort_by_key(|global| !global.is_listed);
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
        let may_run_once = request.rows.is_none_or(|rows| rows == 1);
        let style = if may_run_once && dice.random_ratio(40, 100) {
            SnippetStyle::Once
        } else {
            SnippetStyle::Rows
        };
        let shown = request.rows.unwrap_or_else(|| {
            const ROWS: [u32; 10] = [1, 1, 1, 1, 4, 8, 8, 16, 16, 16];
            ROWS[dice.random_range(0..ROWS.len())]
        });
        let (shown, rows) = match style {
            SnippetStyle::Once => (1, 1),
            SnippetStyle::Rows if shown == 1 => (shown, TRIED),
            SnippetStyle::Rows => (shown, shown),
        };
        let mut writer = SnippetWriter {
            dice,
            policy,
            language: request.language,
            types: Types::new(Target::LP64),
            records: Vec::new(),
            holder: None,
            style,
            rows,
            shown,
            names: 0,
            kinds: Vec::new(),
            numbers: Vec::new(),
            length: 4,
            objects: Vec::new(),
            runs: Vec::new(),
            counters: Vec::new(),
            recent: Vec::new(),
            recent_conditions: Vec::new(),
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
        let has_calls = self.has(Feature::Calls);
        let is_once = self.style == SnippetStyle::Once;
        if is_once && self.percent(55) {
            self.whole_story();
        } else if self.percent(if is_once { 75 } else { 35 }) && self.scene() {
            // It is written.
        } else if has_calls && self.percent(60) {
            self.function_and_call();
        } else {
            self.lone_test();
        }
        let mut snippet = self.proven()?;
        let test = snippet.test()?;
        keep_called(&mut snippet.functions, [test.name.clone()]);
        Some((snippet, test))
    }

    fn begin(&mut self) {
        if self.style == SnippetStyle::Once {
            self.begin_once();
        } else {
            let kinds = self.dice.random_range(1..=3);
            self.kinds = (0..kinds).map(|_| self.any_kind()).collect();
            let numbers = self.dice.random_range(1..=3);
            self.numbers = (0..numbers).map(|_| self.fresh_number()).collect();
            self.length = self.dice.random_range(1..=9);
        }
        self.snippet = Snippet::default();
        self.holder = None;
        self.objects.clear();
        self.runs.clear();
        self.recent.clear();
        self.recent_conditions.clear();
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
        let body = self.test_body(statements, 2);
        self.add_test(body);
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
    fn test_body(&mut self, statements: u32, depth: u32) -> Stmt {
        self.result = None;
        self.block_with(statements, depth, Self::keep_locals)
    }

    /// Writes what most of a test's locals hold into globals.
    fn keep_locals(&mut self, locals: &[Var], items: &mut Vec<Stmt>) {
        for local in locals {
            if let Some(kind) = local.ty.int_kind()
                && self.percent(70)
            {
                let output = Expr::Var(self.output(kind.into()));
                items.push(Stmt::Expr(Expr::assign(output, Expr::Var(local.clone()))));
            }
        }
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
}
