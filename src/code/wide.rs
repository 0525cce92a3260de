//! Integers of up to 128 bits: `__int128` and `_BitInt(N)`.
//!
//! Their carrier is a pair of the usual ones: the lower 64 bits and the upper 64, of the
//! number extended to 128 bits as its sign says. An object of such a type has two cells, the
//! lower half first. So nothing changes for numbers that one carrier holds.

use serde::{Deserialize, Serialize};

/// An integer type that compilers have beside those of C11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WideKind {
    /// `__int128`.
    Int128,
    /// `unsigned __int128`.
    UInt128,
    /// `_BitInt(N)` of 2 to 128 bits.
    BitInt(u32),
    /// `unsigned _BitInt(N)` of 1 to 128 bits.
    UBitInt(u32),
}

impl WideKind {
    /// The width: value bits and sign bit.
    pub fn bits(self) -> u32 {
        match self {
            WideKind::Int128 | WideKind::UInt128 => 128,
            WideKind::BitInt(bits) | WideKind::UBitInt(bits) => bits,
        }
    }

    /// Whether the type has negative values.
    pub fn signed(self) -> bool {
        matches!(self, WideKind::Int128 | WideKind::BitInt(_))
    }

    /// Whether the width is one that compilers have, and that a pair of carriers holds.
    pub(crate) fn exists(self) -> bool {
        match self {
            WideKind::Int128 | WideKind::UInt128 => true,
            WideKind::BitInt(bits) => (2..=128).contains(&bits),
            WideKind::UBitInt(bits) => (1..=128).contains(&bits),
        }
    }

    /// Whether it is a type of a width that the program names.
    pub fn is_bit_precise(self) -> bool {
        matches!(self, WideKind::BitInt(_) | WideKind::UBitInt(_))
    }

    /// The type of the other sign.
    pub(crate) fn to_unsigned(self) -> WideKind {
        match self {
            WideKind::Int128 => WideKind::UInt128,
            WideKind::BitInt(bits) => WideKind::UBitInt(bits),
            unsigned => unsigned,
        }
    }

    /// The type as C spells it.
    pub fn c_name(self) -> String {
        match self {
            WideKind::Int128 => "__int128".to_owned(),
            WideKind::UInt128 => "unsigned __int128".to_owned(),
            WideKind::BitInt(bits) => format!("_BitInt({bits})"),
            WideKind::UBitInt(bits) => format!("unsigned _BitInt({bits})"),
        }
    }

    /// The number that a conversion of 128 bits to the type leaves, by its bits.
    pub fn wrap(self, bits: i128) -> i128 {
        wrap(bits, self.bits(), self.signed())
    }
}

/// The low `bits` of a number, extended as the sign says.
pub(super) fn wrap(number: i128, bits: u32, signed: bool) -> i128 {
    debug_assert!((1..=128).contains(&bits), "a width of 1 to 128, not {bits}");
    let unused = 128 - bits;
    if signed {
        (number << unused) >> unused
    } else {
        ((number as u128) << unused >> unused) as i128
    }
}

/// The 128 bits of a pair of carriers.
pub fn joined(low: i64, high: i64) -> i128 {
    i128::from(high) << 64 | i128::from(low as u64)
}

/// The pair of carriers of 128 bits: the lower half, then the upper.
pub fn halves(bits: i128) -> [i64; 2] {
    [bits as i64, (bits >> 64) as i64]
}

/// A constant of such a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WideNumber {
    kind: WideKind,
    low: i64,
    high: i64,
}

impl WideNumber {
    /// The value of the type that has these low bits.
    pub fn new(kind: WideKind, bits: i128) -> WideNumber {
        let [low, high] = halves(kind.wrap(bits));
        WideNumber { kind, low, high }
    }

    /// The type.
    pub fn kind(self) -> WideKind {
        self.kind
    }

    /// The number, extended to 128 bits as its sign says.
    pub fn bits(self) -> i128 {
        joined(self.low, self.high)
    }

    /// Whether the value is one that its type has; a record read from a file may claim
    /// anything.
    pub(super) fn fits(self) -> bool {
        self.kind.exists() && self.kind.wrap(self.bits()) == self.bits()
    }

    /// The constant as C text: compilers have no literals of these types, so it is put
    /// together from two halves.
    pub(super) fn to_c(self) -> String {
        let (name, bits) = (self.kind.c_name(), self.bits());
        if self.kind.signed() && bits == i128::from(i64::MIN) {
            return format!("({name})({}LL - 1LL)", i64::MIN + 1);
        }
        if let Ok(small) = i64::try_from(bits)
            && (self.kind.signed() || small >= 0)
        {
            let suffix = if i32::try_from(small).is_ok() {
                ""
            } else {
                "LL"
            };
            // The least `int` is no literal.
            let suffix = if small == i64::from(i32::MIN) {
                "LL"
            } else {
                suffix
            };
            return format!("({name}){small}{suffix}");
        }
        let unsigned = self.kind.to_unsigned();
        let low = bits as u64;
        // Bits beyond the type's would be cut: what is printed has none.
        let high = (wrap(bits, self.kind.bits(), false) >> 64) as u64;
        let whole = if high == 0 {
            format!("{low:#x}ULL")
        } else {
            format!("(({})0x{high:x}ULL << 64 | {low:#x}ULL)", unsigned.c_name())
        };
        format!("({name}){whole}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_printed_in_halves() {
        let text = |kind, bits| WideNumber::new(kind, bits).to_c();
        assert_eq!(text(WideKind::Int128, -5), "(__int128)-5");
        assert_eq!(
            text(WideKind::UInt128, 1 << 40),
            "(unsigned __int128)1099511627776LL"
        );
        assert_eq!(
            text(WideKind::UInt128, -1),
            "(unsigned __int128)((unsigned __int128)0xffffffffffffffffULL << 64 | \
             0xffffffffffffffffULL)"
        );
        assert_eq!(
            text(WideKind::BitInt(67), 1 << 65),
            "(_BitInt(67))((unsigned _BitInt(67))0x2ULL << 64 | 0x0ULL)"
        );
        assert_eq!(
            text(WideKind::Int128, i64::MIN.into()),
            "(__int128)(-9223372036854775807LL - 1LL)"
        );
        assert_eq!(
            text(WideKind::UBitInt(64), -1),
            "(unsigned _BitInt(64))0xffffffffffffffffULL"
        );
    }

    #[test]
    fn halves_are_joined_to_what_was_parted() {
        for bits in [0, 1, -1, i128::MIN, i128::MAX, 1 << 63, 1 << 64, -(1 << 64)] {
            let [low, high] = halves(bits);
            assert_eq!(joined(low, high), bits);
        }
        assert_eq!(WideKind::BitInt(7).wrap(64), -64);
        assert_eq!(WideKind::UBitInt(7).wrap(-1), 127);
    }
}
