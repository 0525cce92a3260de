//! The nodes of a plan. Every number in them is a carrier (see `value`).

use super::super::builtin::MemoryOp;
use super::super::ctype::{FunctionType, Type};
use super::super::expr::Callee;
use super::super::op::BinaryOp;
use super::super::real::Precision;
use super::super::table::ObjectId;
use super::super::types::{IntKind, Target};
use super::super::value::wrap;
use std::sync::Arc;

/// Which path of [`Code`](super::Code) a node came from.
pub(in super::super) type At = u32;

/// The path of nodes that are always defined, and so never need one.
pub(in super::super) const NOWHERE: At = At::MAX;

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

    pub(in super::super) fn is_signed(self) -> bool {
        matches!(self, Form::I32 | Form::I64)
    }
}

/// The bits of integers that are not promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Width {
    pub(in super::super) bits: u32,
    pub(in super::super) signed: bool,
}

impl Width {
    /// The number that a carrier stands for.
    pub(in super::super) fn math(self, carrier: i64) -> i128 {
        if self.signed {
            carrier.into()
        } else {
            (carrier as u64).into()
        }
    }

    /// Whether a signed number fits.
    pub(in super::super) fn holds(self, math: i128) -> bool {
        let limit = 1_i128 << (self.bits - 1);
        (-limit..limit).contains(&math)
    }

    /// The carrier of the number all of whose bits are 1.
    pub(super) fn ones(self) -> i64 {
        wrap(-1, self.bits, self.signed)
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

/// What is computed from one value.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Unary {
    Convert(Cut),
    /// 1 if the value is 0, else 0.
    Not,
    Negate(Form),
    Complement(Form),
    /// 0 for a null pointer, 1 for one to a known object.
    PointerTruth,
    /// A count of the bits of a value of that many bits.
    Count(CountOp, u32),
    /// The bytes of a value of that many bits in reverse order.
    SwapBytes(u32),
    /// The absolute value of a signed number.
    Absolute(Form),
    /// One that gives or takes a floating-point number.
    Float(FloatUnary),
    /// One that gives or takes a pair of carriers.
    Wide(WideUnary),
}

/// What is computed from one value, if that or the result is an integer of up to 128 bits.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum WideUnary {
    Negate(Width),
    Complement(Width),
    /// 0 or 1.
    Truth,
    /// From an integer; `unsigned` if its carrier is that of an unsigned 64-bit number.
    OfInt {
        unsigned: bool,
        to: Width,
    },
    ToInt(Cut),
    /// To another such type.
    Change(Width),
    /// As the count of a shift: numbers that are too large stay so.
    Count {
        signed: bool,
    },
    /// From a floating-point number, if it fits without its fraction.
    OfFloat {
        from: Precision,
        to: Width,
    },
    ToFloat {
        signed: bool,
        to: Precision,
    },
    /// The lower half, 0, or the upper, 1.
    Half(usize),
}

/// What is computed from one value, if that or the result is a floating-point
/// number.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum FloatUnary {
    Negate(Precision),
    /// 0 for either zero, 1 for other numbers.
    Truth(Precision),
    /// From an integer; `unsigned` if its carrier is that of an unsigned 64-bit
    /// number.
    OfInt {
        unsigned: bool,
        to: Precision,
    },
    /// To an integer of that many bits, if it fits without its fraction.
    ToInt {
        from: Precision,
        bits: u32,
        signed: bool,
    },
    Change {
        from: Precision,
        to: Precision,
    },
}

/// What is counted in the bits of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum CountOp {
    LeadingZeros,
    TrailingZeros,
    Ones,
    /// The ones, modulo 2.
    Parity,
    /// The number of the lowest one, from 1; 0 if there is none.
    FirstOne,
    /// The bits below the sign that are like it.
    SignCopies,
}

/// What is computed from two values that C evaluates in no particular order.
#[derive(Clone, Debug)]
pub(in super::super) enum Binary {
    /// `+ - * / % & | ^` of two numbers of one form.
    Arith(BinaryOp, Form),
    Shift {
        op: BinaryOp,
        form: Form,
        /// The form of the count, which is promoted on its own.
        count: Form,
    },
    /// A relational or equality operator on two numbers of one form.
    Compare(BinaryOp, Form),
    /// Any operator on two numbers of exactly that many bits.
    Exact(BinaryOp, Width),
    /// `+ - * / % & | ^` of two integers of up to 128 bits.
    Wide(BinaryOp, Width),
    /// A shift of such a number by an ordinary one.
    WideShift(BinaryOp, Width),
    /// A comparison of such numbers, signed or not.
    WideCompare(BinaryOp, bool),
    /// The pair of two carriers.
    Join,
    /// `+ - * /` or a comparison of two floating-point numbers.
    Float(BinaryOp, Precision),
    /// Equality of pointers.
    SamePointer { negated: bool },
    /// The order of pointers to elements of one array.
    OrderPointers(BinaryOp, Arc<Type>),
    /// The number of elements from the right pointer to the left.
    Distance(Arc<Type>),
    /// A pointer moved by a number of elements.
    MovePointer(Move),
}

/// How a pointer is moved by a number of elements.
#[derive(Clone, Debug)]
pub(in super::super) struct Move {
    /// The form of the number.
    pub(in super::super) form: Form,
    pub(in super::super) backwards: bool,
    /// What the pointer points to.
    pub(in super::super) to: Arc<Type>,
    /// Whether the result is followed at once.
    pub(in super::super) followed: bool,
}

/// An expression whose names are resolved and whose conversions are explicit.
#[derive(Clone, Debug)]
pub(in super::super) enum Node {
    Const(i64),
    /// A constant of two carriers.
    Pair([i64; 2]),
    /// Reads two cells, of which the place is the first.
    LoadPair {
        place: Box<Place>,
        /// Whether reading is a side effect.
        volatile: bool,
        at: At,
    },
    Load {
        place: Box<Place>,
        /// Whether reading is a side effect.
        volatile: bool,
        at: At,
    },
    /// The value that the innermost `Update` around it has read.
    Old,
    Address {
        place: Box<Place>,
        at: At,
    },
    Unary {
        op: Unary,
        value: Box<Node>,
        at: At,
    },
    Binary {
        op: Binary,
        /// The left and the right operand, in one box to keep nodes small.
        operands: Box<[Node; 2]>,
        at: At,
    },
    /// `?:`, and `&&` and `||` too.
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
        /// Whether it is the first value of a new object.
        initial: bool,
        at: At,
    },
    /// Reads a place, computes from `Old`, writes.
    Update {
        place: Box<Place>,
        value: Box<Node>,
        gives_old: bool,
        /// Whether it is two cells.
        pair: bool,
        at: At,
    },
    /// Copies every cell of a struct.
    Copy {
        to: Box<Place>,
        from: Box<Place>,
        cells: u32,
        /// Whether it is the first value of a new object.
        initial: bool,
        at: At,
    },
    /// Stores whose values are evaluated in no particular order.
    Together {
        stores: Vec<Node>,
        at: At,
    },
    Call {
        called: Called,
        args: Vec<Node>,
        /// Arguments that are structs, by number: `args` copies them there.
        records: Vec<(u32, Temporary)>,
        /// Where a struct goes that is the result.
        result: Option<Temporary>,
        at: At,
    },
    /// An operator on numbers without limits: stores what fits, and gives
    /// whether that is not all.
    Overflow {
        op: BinaryOp,
        operands: Box<[Node; 2]>,
        /// Whether carriers of operands are those of unsigned 64-bit numbers.
        unsigned: [bool; 2],
        place: Box<Place>,
        cut: Cut,
        at: At,
    },
    /// A function on blocks of memory that two pointers point to.
    Memory {
        op: MemoryOp,
        operands: Box<[Node; 2]>,
        of: Arc<Type>,
        cells: u32,
        at: At,
    },
    Unreachable {
        at: At,
    },
    /// Finds an lvalue, with the effects of doing so.
    Visit(Box<Place>),
}

/// Which function is called.
#[derive(Clone, Debug)]
pub(in super::super) enum Called {
    Named(Arc<Callee>),
    Pointer {
        pointer: Box<Node>,
        ty: Arc<FunctionType>,
    },
}

/// An object of the running code that no tree can name.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Temporary {
    pub(in super::super) index: u32,
    pub(in super::super) cells: u32,
}

impl Temporary {
    pub(super) fn place(self) -> Place {
        Place {
            root: Root::Slot(Slot::Temporary(self.index)),
            cell: 0,
            indices: Vec::new(),
        }
    }
}

impl Node {
    /// A conversion, which is always defined.
    pub(super) fn convert(cut: Cut, value: Node) -> Node {
        Node::Unary {
            op: Unary::Convert(cut),
            value: Box::new(value),
            at: NOWHERE,
        }
    }
}

/// An lvalue: an object or what a pointer points to, and the path to one of its
/// parts.
#[derive(Clone, Debug)]
pub(in super::super) struct Place {
    pub(in super::super) root: Root,
    /// Cells to skip, known beforehand.
    pub(in super::super) cell: u32,
    /// Cells to skip that depend on values.
    pub(in super::super) indices: Vec<Subscript>,
}

#[derive(Clone, Debug)]
pub(in super::super) enum Root {
    Slot(Slot),
    Pointer {
        pointer: Node,
        to: Arc<Type>,
        at: At,
    },
    /// The struct that a call gives.
    Result {
        call: Node,
        object: Temporary,
    },
}

/// A variable: of the table, or of the running function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Slot {
    Table(ObjectId),
    Local(u32),
    /// A static local, which all calls share.
    Static(u32),
    Temporary(u32),
}

/// A computed subscript of an array of known length. A 64-bit unsigned index
/// that looks negative as a carrier is far out of bounds all the same.
#[derive(Clone, Debug)]
pub(in super::super) struct Subscript {
    pub(in super::super) index: Node,
    pub(in super::super) len: u64,
    pub(in super::super) stride: u32,
    pub(in super::super) at: At,
}
