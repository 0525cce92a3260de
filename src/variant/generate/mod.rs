//! Programs of our own, whose output is known when the text is.
//!
//! A program is run while it is written: the [`Author`] knows what every object holds in every
//! row, makes a statement, evaluates it at once, and keeps it if it is defined everywhere,
//! repaired if need be. Nothing is analysed, everything is known; so there is no undefined
//! behaviour, and no code is needed to avoid it at run time.

mod blocks;
mod borrowed;
mod branches;
mod builtins;
mod bytes;
mod called;
mod calls;
mod carried;
mod common;
mod consts;
mod data;
mod dead;
mod driver;
mod edit;
mod expr;
mod extras;
mod facts;
mod feature;
mod fill;
mod fitting;
mod float_loops;
mod floats;
mod forms;
mod functions;
mod graph;
mod idioms;
mod ledger;
mod listing;
mod live;
mod local_arrays;
mod local_scalars;
mod loop_operands;
mod loop_rules;
mod loops;
mod mend;
mod names;
mod orange;
mod parameters;
mod pointers;
mod policy;
mod recursion;
mod reduction;
mod region;
mod repair;
mod request;
mod restrict;
mod returns;
mod shapes;
mod shrink;
mod snippets;
mod stats;
mod stmt;
mod structs;
mod tables;
mod template;
mod tree;
mod vector_trees;
mod vectors;
mod volatile;
mod walk;
mod weights;
mod wide;
mod wide_statements;

pub use feature::{Feature, FeatureSet};
pub use request::{GENERATOR_VERSION, GenerateRequest, OutputCheck, ProgramLanguage, ProgramMode};
pub use shrink::{SmallProgram, shrink};
pub use stats::GenerationStats;

use crate::code::ctype::{Type, Types};
use crate::code::expr::{Callee, Var};
use crate::code::table::ObjectId;
use crate::code::types::Target;
use crate::code::unit::FunctionDefinition;
use crate::dice::{self, Dice, Draw};
use blocks::BlockDraft;
use borrowed::is_borrowed;
use bytes::ByteData;
use called::keep_called;
use common::CommonRing;
use consts::ConstantRing;
use data::Global;
use extras::ExtraGlobal;
use floats::FloatArray;
use functions::{FunctionDraft, WrittenFunction};
use ledger::Ledger;
use live::Usage;
use loop_rules::LoopRules;
use names::{Holder, KnownVariable};
use policy::Policy;
use rand::Rng;
use region::Region;
use snippets::{snippet_program, snippet_stats};
use std::collections::BTreeMap;
use std::sync::Arc;
use tree::{ProgramForm, ProgramTree, TreeExtra, TreeGlobal};
use vectors::VectorData;
use weights::Distribution;
use wide::WideData;

/// Bytes of text for each node that is made, about.
const BYTES_PER_NODE: f64 = 8.2;
/// Bytes of text around the functions, about.
const BYTES_AROUND: f64 = 4_000.0;
/// Bytes of stack for one program.
const STACK: usize = 256 << 20;

/// A generated program.
#[derive(Clone, Debug)]
pub struct GeneratedProgram {
    pub text: String,
    /// What it prints; it ends with status 0.
    pub output: String,
    pub stats: GenerationStats,
}

/// Makes a program again that this version of the generator has made, by the comment at its top;
/// `None` if a text is anything else, or not quite that.
pub fn generate_again(text: &[u8]) -> Option<(GenerateRequest, u64, GeneratedProgram)> {
    let (number, request) = GenerateRequest::of_program(text)?;
    let again = generate(&request, number);
    (again.text.as_bytes() == text).then_some((request, number, again))
}

/// Makes the program of a number.
pub fn generate(request: &GenerateRequest, number: u64) -> GeneratedProgram {
    on_large_stack(|| {
        let (finished, mut stats) = if request.mode == ProgramMode::Snippets {
            let tree = snippet_tree(request, number);
            let outputs = tree.run().expect("each snippet was run by itself");
            (tree.text(&outputs), snippet_stats(&tree))
        } else {
            let author = written(request, number);
            let tree = author.finished(number);
            (tree.text(&author.outputs(&tree)), author.stats)
        };
        stats.programs = 1;
        stats.bytes = finished.text.len() as u64;
        GeneratedProgram {
            text: finished.text,
            output: finished.output,
            stats,
        }
    })
}

/// Makes the program of a number as trees.
fn generate_tree(request: &GenerateRequest, number: u64) -> ProgramTree {
    on_large_stack(|| match request.mode {
        ProgramMode::Snippets => snippet_tree(request, number),
        _ => written(request, number).finished(number),
    })
}

fn snippet_tree(request: &GenerateRequest, number: u64) -> ProgramTree {
    let dice = dice::generator(number, u64::from(GENERATOR_VERSION), Draw::Program);
    snippet_program(request, number, dice)
}

fn written(request: &GenerateRequest, number: u64) -> Author<'_> {
    let mut author = Author::new(request, number);
    author.write_program();
    author
}

/// Functions are written where they are called, and expressions inside statements inside
/// those: that goes deeper than the stacks of worker threads.
fn on_large_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let worker = thread.spawn_scoped(scope, &work);
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => work(),
        }
    })
}

/// A program that is being written, with all that is known of it.
#[derive(Debug)]
struct Author<'r> {
    request: &'r GenerateRequest,
    dice: Dice,
    policy: Policy,
    ledger: Ledger,
    region: Region,
    ring: ConstantRing,
    common: CommonRing,
    usage: Usage,
    /// Structs in the order of their definition.
    structs: Vec<Type>,
    /// Lengths that arrays have, so that loops can run over several of them.
    lengths: Vec<u64>,
    globals: Vec<Global>,
    /// Globals that are not made of integers alone.
    extras: Vec<ExtraGlobal>,
    float_arrays: Vec<FloatArray>,
    vectors: VectorData,
    wide: WideData,
    bytes: ByteData,
    volatiles: Vec<Global>,
    /// Variables of the functions that are being written, innermost last.
    locals: Vec<KnownVariable>,
    /// Variables that an open loop adds to, and that nothing else in it may read.
    reduced: Vec<Arc<str>>,
    blocks: Vec<BlockDraft>,
    loops: Vec<LoopRules>,
    functions: Vec<FunctionDraft>,
    written: Vec<WrittenFunction>,
    /// What `main` calls for each row.
    tests: Vec<Callee>,
    /// Scalars as they are in the first turn of a loop that only a run can prove.
    guesses: Vec<Holder>,
    /// Whether nothing else may be named.
    guesses_only: bool,
    /// Whether the body of a loop is being made that is simple enough for vector units.
    simple: bool,
    /// Whether an index is being made.
    indexing: bool,
    /// Whether operands of a comparison are being made.
    comparing: bool,
    names: u32,
    /// Nodes that may still be made, in the program and before the current function ends.
    nodes: i64,
    stats: GenerationStats,
}

impl<'r> Author<'r> {
    fn new(request: &'r GenerateRequest, number: u64) -> Author<'r> {
        let mut dice = dice::generator(number, u64::from(GENERATOR_VERSION), Draw::Program);
        let policy = Policy::new(request, &mut dice);
        let rows = request.rows.unwrap_or_else(|| {
            const ROWS: [u32; 10] = [1, 1, 2, 2, 2, 2, 4, 4, 4, 4];
            ROWS[dice.random_range(0..ROWS.len())]
        });
        // Small and large programs are alike frequent.
        let (least, most) = (
            f64::from(*request.size.start()),
            f64::from(*request.size.end()),
        );
        let size = least * (most / least).powf(dice.random::<f64>());
        Author {
            request,
            dice,
            policy,
            ledger: Ledger::new(Types::new(Target::LP64), rows),
            region: Region::default(),
            ring: ConstantRing::default(),
            common: CommonRing::default(),
            usage: Usage::default(),
            structs: Vec::new(),
            lengths: Vec::new(),
            globals: Vec::new(),
            extras: Vec::new(),
            float_arrays: Vec::new(),
            vectors: VectorData::default(),
            wide: WideData::default(),
            bytes: ByteData::default(),
            volatiles: Vec::new(),
            locals: Vec::new(),
            reduced: Vec::new(),
            blocks: Vec::new(),
            loops: Vec::new(),
            functions: Vec::new(),
            written: Vec::new(),
            tests: Vec::new(),
            guesses: Vec::new(),
            guesses_only: false,
            simple: false,
            indexing: false,
            comparing: false,
            names: 0,
            nodes: ((size - BYTES_AROUND).max(size / 4.0) / BYTES_PER_NODE) as i64,
            stats: GenerationStats::default(),
        }
    }

    /// The program, now that its functions are written.
    fn finished(&self, number: u64) -> ProgramTree {
        let global = |global: &Global, is_volatile| TreeGlobal {
            var: Var {
                name: global.named.name.clone(),
                ty: global.named.ty.clone(),
            },
            fill: global.fill.clone(),
            is_volatile,
            is_static: false,
            is_listed: false,
        };
        let globals = self.globals.iter().map(|one| global(one, false));
        let globals = globals.chain(self.volatiles.iter().map(|one| global(one, true)));
        let functions = self.written.iter();
        let mut functions: Vec<FunctionDefinition> =
            functions.map(|one| one.definition.clone()).collect();
        let own = functions.iter().map(|one| &one.function);
        let own: Vec<Arc<str>> = own
            .filter(|one| !is_borrowed(one))
            .map(|one| one.name.clone())
            .collect();
        keep_called(&mut functions, own);
        let extras = self.extras.iter().map(|extra| TreeExtra {
            var: Var {
                name: extra.named.name.clone(),
                ty: extra.named.ty.clone(),
            },
            fill: extra.fill.clone(),
            grain: extra.grain,
        });
        ProgramTree {
            title: self.request.title(number),
            form: ProgramForm::Checked(self.request.check),
            language: self.request.language,
            types: self.types().clone(),
            rows: self.ledger.table().rows(),
            globals: globals
                .filter(|global| self.usage.is_mentioned(&global.var.name))
                .collect(),
            extras: extras
                .filter(|extra| self.usage.is_mentioned(&extra.var.name))
                .collect(),
            pointers: Vec::new(),
            functions,
            tests: self.tests.clone(),
        }
    }

    /// What the globals of the program hold at the end, by row.
    fn outputs(&self, tree: &ProgramTree) -> Vec<Vec<i64>> {
        let all = self.globals.iter().chain(&self.volatiles);
        let named = all.map(|global| &global.named);
        let objects: BTreeMap<&str, ObjectId> = named
            .chain(self.extras.iter().map(|extra| &extra.named))
            .filter_map(|named| Some((&*named.name, named.object()?)))
            .collect();
        let extras = tree.extras.iter();
        let extras: Vec<ObjectId> = extras.map(|extra| objects[&*extra.var.name]).collect();
        let of_row = |row| {
            let mut values = Vec::new();
            for global in &tree.globals {
                let object = self.ledger.table().object(objects[&*global.var.name]);
                let cells = self.types().cells(&global.var.ty).unwrap_or(0);
                values.extend((0..cells).map(|cell| object.get(cell, row).unwrap_or(0)));
            }
            values.extend(tree.extra_outputs(self.ledger.table(), &extras, row));
            values
        };
        (0..tree.rows).map(of_row).collect()
    }

    fn target(&self) -> Target {
        Target::LP64
    }

    fn types(&self) -> &Types {
        self.ledger.session.types()
    }

    /// True so many times of a hundred.
    fn percent(&mut self, percent: u32) -> bool {
        self.dice.random_range(0..100) < percent
    }

    fn draw<T: Copy>(&mut self, distribution: &Distribution<T>) -> T {
        self.policy.draw(distribution, &mut self.dice)
    }

    /// Counts nodes that were made.
    fn spend(&mut self, nodes: i64) {
        self.nodes -= nodes;
        if let Some(function) = self.functions.last_mut() {
            function.nodes -= nodes;
        }
    }

    /// Whether the current function is long enough.
    fn is_spent(&self) -> bool {
        self.functions
            .last()
            .is_some_and(|function| function.nodes <= 0)
    }
}
