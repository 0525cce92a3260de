//! The nodes of a plan. Every number in them is a carrier (see `value`).

use super::super::ctype::Type;
use super::super::expr::Callee;
use super::super::op::{BinaryOp, LogicalOp};
use super::super::table::ObjectId;
use super::super::types::{IntKind, Target};
use super::super::value::wrap;
use std::sync::Arc;

/// Which path of [`Code`](super::Code) a node came from.
pub(in super::super) type At = u32;

/// What arithmetic is done in: all promoted types are one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Form {
    I32,
    U32,
    I64,
    U64,
}

impl Form {
    /// The form of a promoted type.
    pub(in super::super) fn of(kind: IntKind, target: Target) -> Form {
        match (kind.promoted().bits(target), kind.promoted().signed(target)) {
            (32, true) => Form::I32,
            (32, false) => Form::U32,
            (_, true) => Form::I64,
            (_, false) => Form::U64,
        }
    }

    pub(in super::super) fn bits(self) -> u32 {
        match self {
            Form::I32 | Form::U32 => 32,
            Form::I64 | Form::U64 => 64,
        }
    }
}

/// A conversion of carriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Cut {
    /// To `_Bool`.
    Truth,
    Wrap {
        bits: u32,
        signed: bool,
    },
}

impl Cut {
    pub(in super::super) fn to(kind: IntKind, target: Target) -> Cut {
        match kind {
            IntKind::Bool => Cut::Truth,
            _ => Cut::Wrap {
                bits: kind.bits(target),
                signed: kind.signed(target),
            },
        }
    }

    pub(in super::super) fn apply(self, carrier: i64) -> i64 {
        match self {
            Cut::Truth => i64::from(carrier != 0),
            Cut::Wrap { bits, signed } => wrap(carrier, bits, signed),
        }
    }
}

#[derive(Clone, Debug)]
pub(in super::super) enum Node {
    Const(i64),
    Load {
        place: Box<Place>,
        at: At,
    },
    /// The value that the innermost `Update` around it has read.
    Old,
    Address(Box<Place>),
    Convert {
        cut: Cut,
        value: Box<Node>,
    },
    /// 0 for a null pointer, 1 for one to a known object.
    PointerTruth {
        value: Box<Node>,
        at: At,
    },
    /// 1 if the value is 0, else 0.
    Not(Box<Node>),
    Negate {
        form: Form,
        value: Box<Node>,
        at: At,
    },
    Complement {
        form: Form,
        value: Box<Node>,
    },
    Arith {
        op: BinaryOp,
        form: Form,
        left: Box<Node>,
        right: Box<Node>,
        at: At,
    },
    Shift {
        op: BinaryOp,
        form: Form,
        left: Box<Node>,
        right: Box<Node>,
        /// The form of the count, which is promoted on its own.
        count: Form,
        at: At,
    },
    Compare {
        op: BinaryOp,
        form: Form,
        left: Box<Node>,
        right: Box<Node>,
        at: At,
    },
    /// Equality of pointers.
    Same {
        negated: bool,
        left: Box<Node>,
        right: Box<Node>,
        at: At,
    },
    /// A pointer moved by a number of elements.
    Move {
        pointer: Box<Node>,
        by: Box<Node>,
        /// The form of `by`.
        form: Form,
        backwards: bool,
        /// What the pointer points to.
        to: Arc<Type>,
        /// Whether the result is followed at once.
        followed: bool,
        at: At,
    },
    Logical {
        op: LogicalOp,
        left: Box<Node>,
        right: Box<Node>,
    },
    Choose {
        condition: Box<Node>,
        yes: Box<Node>,
        no: Box<Node>,
    },
    Comma {
        left: Box<Node>,
        right: Box<Node>,
    },
    /// Writes a value already converted to the place's type; gives it.
    Store {
        place: Box<Place>,
        value: Box<Node>,
        at: At,
    },
    /// Reads a place, computes from `Old`, writes.
    Update {
        place: Box<Place>,
        value: Box<Node>,
        gives_old: bool,
        at: At,
    },
    /// Copies every cell of a struct.
    Copy {
        to: Box<Place>,
        from: Box<Place>,
        cells: u32,
        at: At,
    },
    /// Stores whose values are evaluated in no particular order.
    Together {
        stores: Vec<Node>,
        at: At,
    },
    Call {
        callee: Arc<Callee>,
        args: Vec<Node>,
        gives_value: bool,
        at: At,
    },
}

/// An lvalue: an object or what a pointer points to, then a way to one of its
/// parts.
#[derive(Clone, Debug)]
pub(in super::super) struct Place {
    pub(in super::super) root: Root,
    /// Cells to skip, known beforehand.
    pub(in super::super) cell: u32,
    /// Cells to skip that rows decide.
    pub(in super::super) indices: Vec<Index>,
}

#[derive(Clone, Debug)]
pub(in super::super) enum Root {
    Slot(Slot),
    Pointer {
        pointer: Node,
        to: Arc<Type>,
        at: At,
    },
}

/// A variable: of the table, or of the running function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Slot {
    Table(ObjectId),
    Local(u32),
}

/// A computed subscript of an array of known length. A 64-bit unsigned index
/// that looks negative as a carrier is far out of bounds all the same.
#[derive(Clone, Debug)]
pub(in super::super) struct Index {
    pub(in super::super) index: Node,
    pub(in super::super) len: u64,
    pub(in super::super) stride: u32,
    pub(in super::super) at: At,
}
