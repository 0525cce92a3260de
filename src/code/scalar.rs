//! What one cell of an object holds: an integer, a floating-point number or an
//! address.

use super::types::IntKind;
use super::wide::WideKind;
use serde::{Deserialize, Serialize};

/// The kind of a scalar, as far as reading and writing it goes: an enum is its
/// integer type, a bit-field the type it is declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScalarKind {
    /// An integer.
    Int(IntKind),
    /// Half of an integer of up to 128 bits.
    Wide(WideKind),
    /// A floating-point number.
    Float(FloatKind),
    /// An address.
    Pointer,
}

/// A real floating-point type of C, or of gcc and clang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloatKind {
    /// `_Float16`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`.
    LongDouble,
    /// `__float128`.
    Float128,
}

impl FloatKind {
    /// The keywords that name the type.
    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Half => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "__float128",
        }
    }
}
