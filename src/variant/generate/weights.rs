//! How often each option of each choice is taken: the one table of weights.
//!
//! Every choice between named options goes through a [`Distribution`] of this file, so
//! that a program's policy can redraw all of them (see `policy`).

use super::consts::ConstantSource;
use super::expr::NodeChoice;
use super::loops::{BoundChoice, LoopMode};
use super::repair::RepairSort;
use super::snippets::{SnippetNode, SnippetScene, SnippetStatement};
use super::stmt::StatementChoice;
use crate::code::op::BinaryOp::{self, Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
use crate::code::op::UnaryOp;
use crate::code::types::IntKind;

/// The options of one choice with their weights.
#[derive(Debug)]
pub(super) struct Distribution<T: 'static> {
    pub(super) id: usize,
    pub(super) options: &'static [(T, u32)],
}

macro_rules! distributions {
    ($($(#[$doc:meta])* $name:ident: $ty:ident = [$(($option:ident, $weight:expr)),+ $(,)?];)+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum DistributionId { $($name),+ }
        $($(#[$doc])* pub(super) const $name: Distribution<$ty> = Distribution {
            id: DistributionId::$name as usize,
            options: &[$(($ty::$option, $weight)),+],
        };)+
        /// How many options each distribution has, in the order of their numbers.
        pub(super) const SIZES: &[usize] = &[$([$($weight),+].len()),+];
    };
}

distributions! {
    /// Types of scalars.
    KINDS: IntKind = [
        (Int, 18), (UInt, 14), (Long, 9), (ULong, 9), (LongLong, 4), (ULongLong, 7), (Short, 10),
        (UShort, 8), (Char, 4), (SChar, 7), (UChar, 8), (Bool, 2),
    ];
    /// Types of elements that loops run over: narrow data keeps many rows repairable.
    ELEMENTS: IntKind = [
        (UChar, 14), (SChar, 10), (Char, 6), (Short, 13), (UShort, 12), (UInt, 20), (Int, 15),
        (Long, 4), (ULong, 5), (ULongLong, 1),
    ];
    BINARY: BinaryOp = [
        (Add, 10), (Sub, 10), (Mul, 8), (Div, 5), (Rem, 5), (Shl, 6), (Shr, 6), (BitAnd, 8),
        (BitOr, 8), (BitXor, 8), (Lt, 3), (Le, 2), (Gt, 3), (Ge, 2), (Eq, 3), (Ne, 3),
    ];
    COMPARISONS: BinaryOp = [
        (Lt, 4), (Le, 3), (Gt, 4), (Ge, 3), (Eq, 2), (Ne, 3),
    ];
    UNARY: UnaryOp = [
        (Minus, 4), (Complement, 4), (Not, 2), (Plus, 1),
    ];
    COMPOUND: BinaryOp = [
        (Add, 10), (Sub, 8), (Mul, 4), (BitAnd, 4), (BitOr, 5), (BitXor, 7), (Shl, 2), (Shr, 3),
        (Div, 2), (Rem, 2),
    ];
    /// Reductions; the last two stand for minimum and maximum.
    REDUCTIONS: BinaryOp = [
        (Add, 12), (Sub, 3), (Mul, 3), (BitAnd, 3), (BitOr, 4), (BitXor, 6), (Lt, 4), (Gt, 4),
    ];
    NODES: NodeChoice = [
        (Binary, 52), (Unary, 8), (Cast, 8), (Conditional, 5), (Logical, 4), (Shape, 10),
        (Builtin, 5), (Common, 8), (Call, 4), (Float, 5), (Wide, 6),
    ];
    REPAIRS: RepairSort = [
        (Flip, 40), (Edge, 30), (Widen, 10), (Unsigned, 15), (Mask, 5),
    ];
    CONSTANTS: ConstantSource = [
        (Small, 22), (Width, 6), (Extreme, 10), (Power, 10), (Mask, 10), (Seen, 25), (Any, 12),
    ];
    STATEMENTS: StatementChoice = [
        (Assign, 28), (Compound, 14), (Step, 3), (Declare, 14), (If, 12), (Switch, 4), (Loop, 40),
        (Call, 9), (Pointer, 5), (Fact, 3), (Graph, 2), (Copy, 3), (Idiom, 8), (Return, 1),
        (Float, 9), (Vector, 16), (Bytes, 9), (Table, 2), (Volatile, 2), (Array, 3),
        (Overflow, 2), (Wide, 10),
    ];
    LOOPS: LoopMode = [
        (Independent, 48), (Reduction, 26), (Carried, 10), (Data, 9), (Far, 7), (Walking, 6),
    ];
    /// Nodes of the expressions of snippets.
    SNIPPET_NODES: SnippetNode = [
        (Binary, 32), (Comparison, 8), (Unary, 6), (Cast, 10), (Conditional, 7), (Logical, 4),
        (Template, 20), (Builtin, 4), (Call, 5), (Mask, 4), (Effect, 1), (Wide, 5),
        (Selection, 8), (Modelled, 9), (Everyday, 5),
    ];
    SNIPPET_STATEMENTS: SnippetStatement = [
        (Assign, 30), (Compound, 14), (Step, 3), (If, 16), (Return, 10), (Loop, 22), (Switch, 4),
        (Graph, 3), (Leave, 5), (Fact, 2), (Idiom, 8), (Overflow, 3), (Pointer, 4), (Copy, 7),
        (Memory, 3), (Group, 7), (Walk, 6), (Members, 4), (Vector, 6), (Bytes, 8), (Entered, 2),
        (Call, 5), (Retarget, 4), (Room, 9), (Real, 30), (Endless, 2),
    ];
    /// The same where snippets run once: fewer forms, more ways through the code.
    ONCE_NODES: SnippetNode = [
        (Binary, 44), (Comparison, 12), (Unary, 12), (Cast, 5), (Conditional, 4), (Logical, 5),
        (Template, 6), (Builtin, 2), (Call, 8), (Mask, 2), (Effect, 5), (Wide, 1), (Selection, 4),
        (Modelled, 9), (Everyday, 5),
    ];
    ONCE_STATEMENTS: SnippetStatement = [
        (Assign, 34), (Compound, 10), (Step, 4), (If, 18), (Return, 6), (Loop, 44), (Switch, 3),
        (Graph, 5), (Leave, 8), (Fact, 1), (Idiom, 3), (Overflow, 1), (Pointer, 5), (Copy, 12),
        (Memory, 2), (Group, 3), (Walk, 3), (Members, 4), (Vector, 3), (Bytes, 3), (Entered, 5),
        (Call, 8), (Retarget, 8), (Room, 10), (Real, 26), (Endless, 2),
    ];
    /// Snippets with a plan.
    SCENES: SnippetScene = [
        (OverlappingPointers, 4), (ShiftedRecords, 4), (NeighbouringFields, 2), (Decisions, 5),
        (Nest, 3), (JoinedWays, 2), (PassedRecords, 2), (LinearConditions, 2), (Guards, 4),
        (Buffers, 4), (Lent, 4), (LanesAlike, 6), (Idiom, 8), (Sweeps, 24), (Truths, 6),
        (Counters, 6), (Cases, 4), (Twins, 4), (Brinks, 6), (SetLate, 4), (Masks, 4), (Graph, 16),
        (CallsItself, 8), (VectorLoop, 12),
    ];
    BOUNDS: BoundChoice = [
        (Constant, 30), (Input, 35), (Computed, 35),
    ];
}

// Operators that policies do not redraw; what stands in a list twice is taken twice as often.

/// What needs no care for the right operand.
pub(super) const PLAIN: [BinaryOp; 6] = [Add, Sub, Mul, BitAnd, BitOr, BitXor];

/// Loops that vector units can take.
pub(super) const SIMPLE: [BinaryOp; 9] = [Add, Add, Sub, Mul, BitAnd, BitOr, BitXor, Shr, Shl];

/// Compound assignments in nests of loops.
pub(super) const IN_NESTS: [BinaryOp; 7] = [Add, Sub, BitXor, BitOr, BitAnd, Mul, BitXor];

/// Whole vectors.
pub(super) const OF_VECTORS: [BinaryOp; 10] =
    [Add, Sub, Mul, BitAnd, BitOr, BitXor, BitXor, Add, Shl, Shr];

/// Integers of more than 64 bits.
pub(super) const OF_WIDE: [BinaryOp; 16] = [
    Add, Add, Sub, Sub, Mul, Mul, Div, Rem, BitAnd, BitOr, BitXor, BitXor, Shl, Shl, Shr, Shr,
];

/// Compound assignments to these.
pub(super) const COMPOUND_OF_WIDE: [BinaryOp; 10] =
    [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr];
