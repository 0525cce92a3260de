//! Why an evaluation stopped: undefined behaviour, or something we cannot know.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Behaviour that C11 leaves undefined (or, for [`Undefined::Unsequenced`] with
/// a call on one side, unspecified in a way that shows).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// The result of a signed operator does not fit its type; `MIN / -1` and
    /// `MIN % -1` are here too.
    SignedOverflow,
    /// The right operand of `/` or `%` is 0.
    DivisionByZero,
    /// The right operand of a shift is negative.
    ShiftCountNegative,
    /// The right operand of a shift is the width of the left one or more.
    ShiftCountTooLarge,
    /// The left operand of `<<` is negative.
    ShiftOfNegative,
    /// `<<` moves a one into or past the sign bit.
    ShiftOverflow,
    /// A subscript, or a pointer moved out of its array.
    IndexOutOfBounds,
    /// A null pointer is followed.
    NullDereference,
    /// An object is read before it has a value.
    UninitialisedRead,
    /// The object's block or function has ended, or the pointer's has.
    DeadObject,
    /// A `const` object is written.
    WriteToConst,
    /// A write and another access to one object with nothing to order them.
    Unsequenced,
    /// The value of a call whose function ended without one.
    MissingReturn,
    /// `__builtin_clz` or `__builtin_ctz` of 0.
    CountOfZero,
    /// `memcpy` between elements that overlap.
    OverlappingCopy,
    /// `__builtin_unreachable` is reached.
    Unreachable,
    /// Pointers into different arrays are ordered or subtracted.
    UnrelatedPointers,
    /// A floating-point number does not fit the integer type it is converted to.
    FloatToInteger,
    /// A floating-point result has no finite value of its type.
    FloatOverflow,
}

/// What keeps us from knowing, without the program being wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// The value was not observed.
    UnknownValue,
    /// A pointer to an object we do not know.
    UnknownPointer,
    /// The object a pointer points to has no part of the pointed-to type there.
    PointerType,
    /// A pointer past the last element is compared with one to what may lie
    /// there.
    PastTheEnd,
    /// The body of a called function is not known.
    UnknownFunction,
    /// Calls are nested too deeply.
    CallDepth,
    /// More steps than the limit.
    StepLimit,
    /// Over ranges: the outcome depends on more than ranges can tell.
    TooVague,
    /// Bytes whose meaning as a value is up to the compiler.
    Representation,
}

/// The cause of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The program would be undefined.
    Undefined(Undefined),
    /// The program may be right, but we cannot tell.
    Refused(Refused),
}

impl Cause {
    /// Whether the program itself is to blame.
    // Used by tests only.
    pub fn is_undefined(self) -> bool {
        matches!(self, Cause::Undefined(_))
    }
}

impl From<Undefined> for Cause {
    fn from(undefined: Undefined) -> Cause {
        Cause::Undefined(undefined)
    }
}

impl From<Refused> for Cause {
    fn from(refused: Refused) -> Cause {
        Cause::Refused(refused)
    }
}

/// The first trouble of an evaluation: the earliest node in evaluation order
/// that has any, and there the lowest row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// What went wrong.
    pub cause: Cause,
    /// The way to the node: child numbers from the root of the tree.
    pub path: Vec<u32>,
    /// The function whose body the path starts in, if a call led there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<Arc<str>>,
    /// The row; 0 for an evaluation over ranges.
    pub row: u32,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Undefined(undefined) => match undefined {
                Undefined::SignedOverflow => "signed overflow",
                Undefined::DivisionByZero => "division by zero",
                Undefined::ShiftCountNegative => "shift by a negative count",
                Undefined::ShiftCountTooLarge => "shift by the width or more",
                Undefined::ShiftOfNegative => "left shift of a negative value",
                Undefined::ShiftOverflow => "left shift that overflows its type",
                Undefined::IndexOutOfBounds => "index out of bounds",
                Undefined::NullDereference => "null pointer dereference",
                Undefined::UninitialisedRead => "read of an uninitialised value",
                Undefined::DeadObject => "use of an object outside its lifetime",
                Undefined::WriteToConst => "write to a const object",
                Undefined::Unsequenced => "unsequenced accesses to one object",
                Undefined::MissingReturn => "use of a value that was not returned",
                Undefined::CountOfZero => "a count of the zeros of 0",
                Undefined::OverlappingCopy => "a copy between elements that overlap",
                Undefined::UnrelatedPointers => "pointers into different arrays",
                Undefined::Unreachable => "something that is said to be unreachable",
                Undefined::FloatToInteger => "a number that does not fit its integer type",
                Undefined::FloatOverflow => "a floating-point result that is not finite",
            },
            Cause::Refused(refused) => match refused {
                Refused::UnknownValue => "the value was not observed",
                Refused::UnknownPointer => "the pointer points to an unknown object",
                Refused::PointerType => "the object has no such part there",
                Refused::PastTheEnd => "what lies behind the array is up to the compiler",
                Refused::UnknownFunction => "the function's body is not known",
                Refused::CallDepth => "calls are nested too deeply",
                Refused::StepLimit => "too many steps",
                Refused::TooVague => "the ranges are too imprecise",
                Refused::Representation => "the bytes have no meaning that is known",
            },
        })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in row {} at {:?}", self.cause, self.row, self.path)?;
        match &self.function {
            Some(name) => write!(f, " of {name}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Trouble {}

/// Why a tree is not C, or not C that every compiler treats the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, as a phrase.
    pub what: &'static str,
    /// The child numbers from the root of the tree to the node.
    pub path: Vec<u32>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.what, self.path)
    }
}

impl std::error::Error for Mistake {}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The tree is wrong whatever the values are.
    Mistake(Mistake),
    /// The tree is fine, but not for these values.
    Trouble(Trouble),
}

impl Stop {}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Mistake(mistake) => mistake.fmt(f),
            Stop::Trouble(trouble) => trouble.fmt(f),
        }
    }
}

impl std::error::Error for Stop {}

impl From<Mistake> for Stop {
    fn from(mistake: Mistake) -> Stop {
        Stop::Mistake(mistake)
    }
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Stop {
        Stop::Trouble(trouble)
    }
}
