//! Programs of our own, whose output is known when the text is.
//!
//! A program is run while it is written: the [`Author`] knows what every object holds in every
//! row, makes a statement, evaluates it at once, and keeps it if it is defined everywhere,
//! repaired if need be. Nothing is analysed, everything is known; so there is no undefined
//! behaviour, and no code is needed to avoid it at run time.

mod builtins;
mod bytes;
mod calls;
mod carried;
mod common;
mod consts;
mod data;
mod dead;
mod driver;
mod expr;
mod extras;
mod facts;
mod feature;
mod float_loops;
mod floats;
mod functions;
mod graph;
mod idioms;
mod ledger;
mod live;
mod loops;
mod mend;
mod names;
mod orange;
mod pointers;
mod policy;
mod recursion;
mod reduction;
mod region;
mod repair;
mod request;
mod shapes;
mod stats;
mod stmt;
mod structs;
mod template;
mod vectors;
mod weights;

pub use feature::{Feature, FeatureSet};
pub use request::{GENERATOR_VERSION, GenerateRequest, OutputCheck, ProgramMode};
pub use stats::GenerationStats;

use crate::code::ctype::{Type, Types};
use crate::code::types::Target;
use crate::dice::{self, Dice, Draw};
use bytes::ByteData;
use common::CommonRing;
use consts::ConstantRing;
use data::Global;
use extras::ExtraGlobal;
use floats::FloatArray;
use functions::{FunctionDraft, WrittenFunction};
use ledger::Ledger;
use live::Usage;
use loops::LoopRules;
use names::{Holder, KnownVariable};
use policy::Policy;
use rand::Rng;
use region::Region;
use std::sync::Arc;
use stmt::BlockDraft;
use vectors::VectorData;
use weights::Distribution;

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

/// Makes the program of a number.
pub fn generate(request: &GenerateRequest, number: u64) -> GeneratedProgram {
    // Functions are written where they are called, and expressions inside statements inside
    // those: that goes deeper than the stacks of worker threads.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let worker = thread.spawn_scoped(scope, || generate_here(request, number));
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(program)) => program,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => generate_here(request, number),
        }
    })
}

fn generate_here(request: &GenerateRequest, number: u64) -> GeneratedProgram {
    let mut author = Author::new(request, number);
    author.write_program();
    let finished = author.text(number);
    let mut stats = author.stats;
    stats.programs = 1;
    stats.bytes = finished.text.len() as u64;
    GeneratedProgram {
        text: finished.text,
        output: finished.output,
        stats,
    }
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
    bytes: ByteData,
    /// Variables of the functions that are being written, innermost last.
    locals: Vec<KnownVariable>,
    /// Variables that an open loop adds to, and that nothing else in it may read.
    reduced: Vec<Arc<str>>,
    blocks: Vec<BlockDraft>,
    loops: Vec<LoopRules>,
    functions: Vec<FunctionDraft>,
    written: Vec<WrittenFunction>,
    /// What `main` calls for each row.
    calls: Vec<String>,
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
            bytes: ByteData::default(),
            locals: Vec::new(),
            reduced: Vec::new(),
            blocks: Vec::new(),
            loops: Vec::new(),
            functions: Vec::new(),
            written: Vec::new(),
            calls: Vec::new(),
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
