//! The integer types of C and what a target makes of them.

use serde::{Deserialize, Serialize};

/// A standard integer type, by the keyword that names it.
///
/// Plain `char` is a type of its own; [`Target::char_signed`] says which of the
/// other two it behaves like. An enum appears by its underlying kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

/// What the implementation defines: the widths and signs the standard leaves open.
///
/// `short` is 16 bits, `int` 32 and `long long` 64 on every target we support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Target {
    /// Bits of `long`: 64 on LP64 targets, 32 on ILP32.
    pub long_bits: u32,
    /// Bits of an object pointer.
    pub pointer_bits: u32,
    /// Whether plain `char` is signed.
    pub char_signed: bool,
}

impl Target {
    /// Linux on x86-64, and most 64-bit Unix systems.
    pub const LP64: Target = Target {
        long_bits: 64,
        pointer_bits: 64,
        char_signed: true,
    };
    /// Linux on 32-bit x86.
    pub const ILP32: Target = Target {
        long_bits: 32,
        pointer_bits: 32,
        char_signed: true,
    };
}

impl IntKind {
    /// Every kind, in order of conversion rank.
    pub const ALL: [IntKind; 12] = [
        IntKind::Bool,
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LongLong,
        IntKind::ULongLong,
    ];

    /// The type as C spells it.
    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
        }
    }
}
