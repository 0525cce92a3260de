//! The integer types of C and what a target makes of them: widths, signs,
//! ranks, and the two conversions every operator starts with.

use serde::{Deserialize, Serialize};

/// A standard integer type, by the keyword that names it.
///
/// Plain `char` is a type of its own; [`Target::char_signed`] says which of the
/// other two it behaves like. An enum appears by its underlying kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntKind {
    /// `_Bool`.
    Bool,
    /// `char`.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LongLong,
    /// `unsigned long long`.
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
    /// The type of the difference of two pointers.
    pub(crate) fn pointer_difference(self) -> IntKind {
        match (self.pointer_bits, self.long_bits) {
            (32, _) => IntKind::Int,
            (pointer, long) if pointer == long => IntKind::Long,
            _ => IntKind::LongLong,
        }
    }

    /// Linux on x86-64, and most 64-bit Unix systems.
    pub const LP64: Target = Target {
        long_bits: 64,
        pointer_bits: 64,
        char_signed: true,
    };
    /// Linux on 32-bit x86.
    // Used by tests only.
    pub const ILP32: Target = Target {
        long_bits: 32,
        pointer_bits: 32,
        char_signed: true,
    };

    /// The same target with plain `char` signed or not, as `-funsigned-char` sets it.
    // Used by tests only.
    pub const fn with_char_signed(self, char_signed: bool) -> Target {
        Target {
            char_signed,
            ..self
        }
    }
}

impl IntKind {
    /// Whether it is `char` in one of its three forms.
    pub(crate) fn is_char(self) -> bool {
        matches!(self, IntKind::Char | IntKind::SChar | IntKind::UChar)
    }

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

    /// The width: value bits and sign bit. A `_Bool` has one.
    pub(crate) fn bits(self, target: Target) -> u32 {
        match self {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => target.long_bits,
            IntKind::LongLong | IntKind::ULongLong => 64,
        }
    }

    /// Whether the type has negative values.
    pub fn signed(self, target: Target) -> bool {
        match self {
            IntKind::Char => target.char_signed,
            IntKind::SChar | IntKind::Short | IntKind::Int | IntKind::Long | IntKind::LongLong => {
                true
            }
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong => false,
        }
    }

    /// The smallest value of the type.
    pub fn min(self, target: Target) -> i128 {
        if self.signed(target) {
            -(1 << (self.bits(target) - 1))
        } else {
            0
        }
    }

    /// The largest value of the type.
    pub fn max(self, target: Target) -> i128 {
        (1 << (self.bits(target) - u32::from(self.signed(target)))) - 1
    }

    /// The conversion rank (C11 6.3.1.1p1), as a number to compare.
    pub(crate) fn rank(self) -> u32 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
        }
    }

    /// The type after integer promotion (C11 6.3.1.1p2). Every type of lower
    /// rank fits in our 32-bit `int`.
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() {
            IntKind::Int
        } else {
            self
        }
    }

    /// The unsigned type of the same rank.
    pub(crate) fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            unsigned => unsigned,
        }
    }

    /// The type two operands are brought to (C11 6.3.1.8, the integer part).
    pub(crate) fn common(self, other: IntKind, target: Target) -> IntKind {
        let (a, b) = (self.promoted(), other.promoted());
        if a.signed(target) == b.signed(target) {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.signed(target) { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(target) > unsigned.bits(target) {
            signed
        } else {
            // `long` and `unsigned int` on ILP32, `long long` and `unsigned long` on LP64.
            signed.to_unsigned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_type_of_equal_width_and_higher_signed_rank_is_unsigned() {
        use IntKind::*;
        assert_eq!(Long.common(UInt, Target::LP64), Long);
        assert_eq!(Long.common(UInt, Target::ILP32), ULong);
        assert_eq!(LongLong.common(ULong, Target::LP64), ULongLong);
        assert_eq!(LongLong.common(ULong, Target::ILP32), LongLong);
        assert_eq!(UShort.common(Char, Target::LP64), Int);
    }

    #[test]
    fn limits_are_those_of_limits_h() {
        let t = Target::LP64;
        assert_eq!(IntKind::Bool.max(t), 1);
        assert_eq!(IntKind::Char.min(t), -128);
        assert_eq!(IntKind::Char.min(t.with_char_signed(false)), 0);
        assert_eq!(IntKind::Int.min(t), i128::from(i32::MIN));
        assert_eq!(IntKind::ULong.max(t), i128::from(u64::MAX));
        assert_eq!(IntKind::ULong.max(Target::ILP32), i128::from(u32::MAX));
    }
}
