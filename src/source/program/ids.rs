//! Typed indices into the tables of a `Program`, and byte spans of its source.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident => $letter:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            pub(crate) fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("tables of a program fit 32 bits"))
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )+};
}

ids! {
    /// A statement; numbered in the order of the source, parents before children.
    StatementId => "s";
    /// A variable or parameter.
    VariableId => "v";
    /// A function, defined or only declared.
    FunctionId => "f";
    /// A scope.
    ScopeId => "b";
    /// A type, qualifiers aside.
    TypeId => "t";
    /// A struct or union.
    RecordId => "r";
    /// An expression; each comes before what it contains.
    ExprId => "e";
}

/// A range of bytes of the seed: `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end, "a span does not run backwards");
        Span { start, end }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}
