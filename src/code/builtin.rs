//! The builtin functions of gcc and clang that trees can call.
//!
//! Bit counts and the like are expressions over values; functions on memory
//! work on whole elements, so that nothing depends on how bytes make up a value.

use super::op::BinaryOp;
use super::types::IntKind;
use serde::{Deserialize, Serialize};

/// Which of three integer types a builtin is for, as its suffix says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wide {
    /// No suffix.
    Int,
    /// `l`.
    Long,
    /// `ll`.
    LongLong,
}

impl Wide {
    /// All three.
    // Used by tests only.
    pub const ALL: [Wide; 3] = [Wide::Int, Wide::Long, Wide::LongLong];

    fn suffix(self) -> &'static str {
        match self {
            Wide::Int => "",
            Wide::Long => "l",
            Wide::LongLong => "ll",
        }
    }

    fn signed(self) -> IntKind {
        match self {
            Wide::Int => IntKind::Int,
            Wide::Long => IntKind::Long,
            Wide::LongLong => IntKind::LongLong,
        }
    }

    fn unsigned(self) -> IntKind {
        match self {
            Wide::Int => IntKind::UInt,
            Wide::Long => IntKind::ULong,
            Wide::LongLong => IntKind::ULongLong,
        }
    }
}

/// A builtin function on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builtin {
    /// `__builtin_clz`: leading zeros; undefined for 0.
    Clz(Wide),
    /// `__builtin_ctz`: trailing zeros; undefined for 0.
    Ctz(Wide),
    /// `__builtin_popcount`: ones.
    Popcount(Wide),
    /// `__builtin_parity`: ones modulo 2.
    Parity(Wide),
    /// `__builtin_ffs`: the number of the lowest one, from 1; 0 if there is none.
    Ffs(Wide),
    /// `__builtin_clrsb`: how many bits below the sign are like it.
    Clrsb(Wide),
    /// `__builtin_abs`: undefined for the smallest value.
    Abs(Wide),
    /// `__builtin_bswap16`.
    Bswap16,
    /// `__builtin_bswap32`.
    Bswap32,
    /// `__builtin_bswap64`.
    Bswap64,
    /// `__builtin_add_overflow(a, b, &result)`: whether the sum does not fit.
    AddOverflow,
    /// `__builtin_sub_overflow(a, b, &result)`: whether the difference does not fit.
    SubOverflow,
    /// `__builtin_mul_overflow(a, b, &result)`: whether the product does not fit.
    MulOverflow,
    /// `__builtin_expect(value, constant)`: the value, as a `long`.
    Expect,
    /// `__builtin_unreachable()`: undefined where it is reached.
    Unreachable,
}

impl Builtin {
    /// The function's name.
    pub fn c_name(self) -> String {
        let (name, wide) = match self {
            Builtin::Clz(wide) => ("clz", wide),
            Builtin::Ctz(wide) => ("ctz", wide),
            Builtin::Popcount(wide) => ("popcount", wide),
            Builtin::Parity(wide) => ("parity", wide),
            Builtin::Ffs(wide) => ("ffs", wide),
            Builtin::Clrsb(wide) => ("clrsb", wide),
            Builtin::Abs(Wide::Int) => ("abs", Wide::Int),
            Builtin::Abs(Wide::Long) => ("labs", Wide::Int),
            Builtin::Abs(Wide::LongLong) => ("llabs", Wide::Int),
            Builtin::Bswap16 => ("bswap16", Wide::Int),
            Builtin::Bswap32 => ("bswap32", Wide::Int),
            Builtin::Bswap64 => ("bswap64", Wide::Int),
            Builtin::AddOverflow => ("add_overflow", Wide::Int),
            Builtin::SubOverflow => ("sub_overflow", Wide::Int),
            Builtin::MulOverflow => ("mul_overflow", Wide::Int),
            Builtin::Expect => ("expect", Wide::Int),
            Builtin::Unreachable => ("unreachable", Wide::Int),
        };
        format!("__builtin_{name}{}", wide.suffix())
    }

    /// The types of parameter and result, if it computes one value from one.
    pub fn signature(self) -> Option<(IntKind, IntKind)> {
        Some(match self {
            Builtin::Clz(wide)
            | Builtin::Ctz(wide)
            | Builtin::Popcount(wide)
            | Builtin::Parity(wide) => (wide.unsigned(), IntKind::Int),
            Builtin::Ffs(wide) | Builtin::Clrsb(wide) => (wide.signed(), IntKind::Int),
            Builtin::Abs(wide) => (wide.signed(), wide.signed()),
            Builtin::Bswap16 => (IntKind::UShort, IntKind::UShort),
            Builtin::Bswap32 => (IntKind::UInt, IntKind::UInt),
            Builtin::Bswap64 => (IntKind::ULong, IntKind::ULong),
            _ => return None,
        })
    }

    /// The operator that an overflow is looked for in.
    pub(super) fn checked(self) -> Option<BinaryOp> {
        match self {
            Builtin::AddOverflow => Some(BinaryOp::Add),
            Builtin::SubOverflow => Some(BinaryOp::Sub),
            Builtin::MulOverflow => Some(BinaryOp::Mul),
            _ => None,
        }
    }

    /// Whether it does more than give a value.
    pub fn has_effects(self) -> bool {
        self.checked().is_some() || self == Builtin::Unreachable
    }
}

/// A builtin function on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryOp {
    /// `__builtin_memcpy`: the elements must not overlap.
    Copy,
    /// `__builtin_memmove`.
    Move,
    /// `__builtin_memset`: the source is the byte.
    Set,
    /// `!__builtin_memcmp(…)`: whether integers are equal.
    Equal,
    /// `__builtin_memcmp(…) < 0`, of single bytes.
    Less,
}
