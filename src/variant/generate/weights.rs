//! How often each option of each choice is taken: the one table of weights.
//!
//! Every choice between named options goes through a [`Distribution`] of this file, so
//! that a program's policy can redraw all of them (see `policy`).

use super::consts::ConstantSource;
use super::expr::NodeChoice;
use super::loops::{BoundChoice, LoopMode};
use super::repair::RepairSort;
use super::snippets::{SnippetNode, SnippetStatement};
use super::stmt::StatementChoice;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::types::IntKind;

/// The options of one choice with their weights.
#[derive(Debug)]
pub(super) struct Distribution<T: 'static> {
    pub(super) id: usize,
    pub(super) options: &'static [(T, u32)],
}

macro_rules! distributions {
    ($($(#[$doc:meta])* $name:ident: $ty:ty = [$(($option:expr, $weight:expr)),+ $(,)?];)+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum DistributionId { $($name),+ }
        $($(#[$doc])* pub(super) const $name: Distribution<$ty> = Distribution {
            id: DistributionId::$name as usize,
            options: &[$(($option, $weight)),+],
        };)+
        /// How many options each distribution has, in the order of their numbers.
        pub(super) const SIZES: &[usize] = &[$([$($weight),+].len()),+];
    };
}

distributions! {
    /// Types of scalars.
    KINDS: IntKind = [
        (IntKind::Int, 18), (IntKind::UInt, 14), (IntKind::Long, 9), (IntKind::ULong, 9),
        (IntKind::LongLong, 4), (IntKind::ULongLong, 7), (IntKind::Short, 10),
        (IntKind::UShort, 8), (IntKind::Char, 4), (IntKind::SChar, 7), (IntKind::UChar, 8),
        (IntKind::Bool, 2),
    ];
    /// Types of elements that loops run over: narrow data keeps many rows repairable.
    ELEMENTS: IntKind = [
        (IntKind::UChar, 14), (IntKind::SChar, 10), (IntKind::Char, 6), (IntKind::Short, 13),
        (IntKind::UShort, 12), (IntKind::UInt, 20), (IntKind::Int, 15), (IntKind::Long, 4),
        (IntKind::ULong, 5), (IntKind::ULongLong, 1),
    ];
    BINARY: BinaryOp = [
        (BinaryOp::Add, 10), (BinaryOp::Sub, 10), (BinaryOp::Mul, 8), (BinaryOp::Div, 5),
        (BinaryOp::Rem, 5), (BinaryOp::Shl, 6), (BinaryOp::Shr, 6), (BinaryOp::BitAnd, 8),
        (BinaryOp::BitOr, 8), (BinaryOp::BitXor, 8), (BinaryOp::Lt, 3), (BinaryOp::Le, 2),
        (BinaryOp::Gt, 3), (BinaryOp::Ge, 2), (BinaryOp::Eq, 3), (BinaryOp::Ne, 3),
    ];
    COMPARISONS: BinaryOp = [
        (BinaryOp::Lt, 4), (BinaryOp::Le, 3), (BinaryOp::Gt, 4), (BinaryOp::Ge, 3),
        (BinaryOp::Eq, 2), (BinaryOp::Ne, 3),
    ];
    UNARY: UnaryOp = [
        (UnaryOp::Minus, 4), (UnaryOp::Complement, 4), (UnaryOp::Not, 2), (UnaryOp::Plus, 1),
    ];
    COMPOUND: BinaryOp = [
        (BinaryOp::Add, 10), (BinaryOp::Sub, 8), (BinaryOp::Mul, 4), (BinaryOp::BitAnd, 4),
        (BinaryOp::BitOr, 5), (BinaryOp::BitXor, 7), (BinaryOp::Shl, 2), (BinaryOp::Shr, 3),
        (BinaryOp::Div, 2), (BinaryOp::Rem, 2),
    ];
    /// Reductions; the last two stand for minimum and maximum.
    REDUCTIONS: BinaryOp = [
        (BinaryOp::Add, 12), (BinaryOp::Sub, 3), (BinaryOp::Mul, 3), (BinaryOp::BitAnd, 3),
        (BinaryOp::BitOr, 4), (BinaryOp::BitXor, 6), (BinaryOp::Lt, 4), (BinaryOp::Gt, 4),
    ];
    NODES: NodeChoice = [
        (NodeChoice::Binary, 52), (NodeChoice::Unary, 8), (NodeChoice::Cast, 8),
        (NodeChoice::Conditional, 5), (NodeChoice::Logical, 4), (NodeChoice::Shape, 10),
        (NodeChoice::Builtin, 5), (NodeChoice::Common, 8), (NodeChoice::Call, 4),
        (NodeChoice::Float, 5), (NodeChoice::Wide, 6),
    ];
    REPAIRS: RepairSort = [
        (RepairSort::Flip, 40), (RepairSort::Edge, 30), (RepairSort::Widen, 10),
        (RepairSort::Unsigned, 15), (RepairSort::Mask, 5),
    ];
    CONSTANTS: ConstantSource = [
        (ConstantSource::Small, 22), (ConstantSource::Width, 6), (ConstantSource::Extreme, 10), (ConstantSource::Power, 10),
        (ConstantSource::Mask, 10), (ConstantSource::Seen, 25), (ConstantSource::Any, 12),
    ];
    STATEMENTS: StatementChoice = [
        (StatementChoice::Assign, 28), (StatementChoice::Compound, 14),
        (StatementChoice::Step, 3), (StatementChoice::Declare, 14), (StatementChoice::If, 12),
        (StatementChoice::Switch, 4), (StatementChoice::Loop, 40), (StatementChoice::Call, 9),
        (StatementChoice::Pointer, 5), (StatementChoice::Fact, 3), (StatementChoice::Graph, 2),
        (StatementChoice::Copy, 3), (StatementChoice::Idiom, 8), (StatementChoice::Return, 1),
        (StatementChoice::Float, 9), (StatementChoice::Vector, 16), (StatementChoice::Bytes, 9),
        (StatementChoice::Table, 2), (StatementChoice::Volatile, 2), (StatementChoice::Array, 3),
        (StatementChoice::Overflow, 2), (StatementChoice::Wide, 10),
    ];
    LOOPS: LoopMode = [
        (LoopMode::Independent, 48), (LoopMode::Reduction, 26), (LoopMode::Carried, 10),
        (LoopMode::Data, 9), (LoopMode::Far, 7), (LoopMode::Walking, 6),
    ];
    /// Nodes of the expressions of snippets.
    SNIPPET_NODES: SnippetNode = [
        (SnippetNode::Binary, 32), (SnippetNode::Comparison, 8), (SnippetNode::Unary, 6),
        (SnippetNode::Cast, 10), (SnippetNode::Conditional, 7), (SnippetNode::Logical, 4),
        (SnippetNode::Template, 20), (SnippetNode::Builtin, 4), (SnippetNode::Call, 5),
        (SnippetNode::Mask, 4), (SnippetNode::Effect, 1), (SnippetNode::Wide, 5),
        (SnippetNode::Selection, 8),
    ];
    SNIPPET_STATEMENTS: SnippetStatement = [
        (SnippetStatement::Assign, 30), (SnippetStatement::Compound, 14),
        (SnippetStatement::Step, 3), (SnippetStatement::If, 16), (SnippetStatement::Return, 10),
        (SnippetStatement::Loop, 22), (SnippetStatement::Switch, 4),
        (SnippetStatement::Graph, 3), (SnippetStatement::Leave, 5), (SnippetStatement::Fact, 2),
        (SnippetStatement::Idiom, 8), (SnippetStatement::Overflow, 3),
        (SnippetStatement::Pointer, 4), (SnippetStatement::Copy, 7),
        (SnippetStatement::Memory, 3), (SnippetStatement::Group, 7), (SnippetStatement::Walk, 6),
        (SnippetStatement::Members, 4),
        (SnippetStatement::Vector, 6), (SnippetStatement::Bytes, 8),
        (SnippetStatement::Entered, 2), (SnippetStatement::Call, 5), (SnippetStatement::Retarget, 4),
    ];
    /// The same where snippets run once: fewer forms, more ways through the code.
    ONCE_NODES: SnippetNode = [
        (SnippetNode::Binary, 44), (SnippetNode::Comparison, 12), (SnippetNode::Unary, 12),
        (SnippetNode::Cast, 5), (SnippetNode::Conditional, 4), (SnippetNode::Logical, 5),
        (SnippetNode::Template, 6), (SnippetNode::Builtin, 2), (SnippetNode::Call, 8),
        (SnippetNode::Mask, 2), (SnippetNode::Effect, 5), (SnippetNode::Wide, 1),
        (SnippetNode::Selection, 4),
    ];
    ONCE_STATEMENTS: SnippetStatement = [
        (SnippetStatement::Assign, 34), (SnippetStatement::Compound, 10),
        (SnippetStatement::Step, 4), (SnippetStatement::If, 18), (SnippetStatement::Return, 6),
        (SnippetStatement::Loop, 44), (SnippetStatement::Switch, 3),
        (SnippetStatement::Graph, 5), (SnippetStatement::Leave, 8), (SnippetStatement::Fact, 1),
        (SnippetStatement::Idiom, 3), (SnippetStatement::Overflow, 1),
        (SnippetStatement::Pointer, 5), (SnippetStatement::Copy, 12),
        (SnippetStatement::Memory, 2), (SnippetStatement::Group, 3), (SnippetStatement::Walk, 3),
        (SnippetStatement::Members, 4),
        (SnippetStatement::Vector, 3), (SnippetStatement::Bytes, 3),
        (SnippetStatement::Entered, 5), (SnippetStatement::Call, 8),
        (SnippetStatement::Retarget, 8),
    ];
    BOUNDS: BoundChoice = [
        (BoundChoice::Constant, 30), (BoundChoice::Input, 35), (BoundChoice::Computed, 35),
    ];
}
