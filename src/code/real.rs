//! Floating-point numbers, by their bits.
//!
//! The carrier of a `float` is its 32 bits, zero-extended, that of a `double` its
//! 64 bits, so each is also the carrier of the unsigned integer with the same
//! bits. Arithmetic is that of IEEE 754, rounded to nearest. Every number that an
//! evaluation meets is finite: what would not be counts as undefined, as C has it
//! without Annex F, so neither infinities nor the many NaNs need rules.

use super::scalar::FloatKind;
use serde::{Deserialize, Serialize};

/// The formats that are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// `float`: 24 bits.
    Single,
    /// `double`: 53 bits.
    Double,
}

impl FloatKind {
    /// The format of the type's numbers, if it is one that is evaluated.
    pub fn precision(self) -> Option<Precision> {
        match self {
            FloatKind::Float => Some(Precision::Single),
            FloatKind::Double => Some(Precision::Double),
            FloatKind::Half | FloatKind::LongDouble | FloatKind::Float128 => None,
        }
    }
}

impl Precision {
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Precision::Single => 4,
            Precision::Double => 8,
        }
    }

    /// The number that a carrier stands for; none is lost in a `double`.
    pub fn number(self, carrier: i64) -> f64 {
        match self {
            Precision::Single => f64::from(f32::from_bits(carrier as u32)),
            Precision::Double => f64::from_bits(carrier as u64),
        }
    }

    /// The carrier of the nearest number that the format has.
    pub fn carrier(self, number: f64) -> i64 {
        match self {
            Precision::Single => i64::from((number as f32).to_bits()),
            Precision::Double => number.to_bits() as i64,
        }
    }

    /// The carrier of the number nearest to an integer; `unsigned` if that has
    /// the carrier of an unsigned 64-bit number.
    pub(super) fn of_int(self, carrier: i64, unsigned: bool) -> i64 {
        // Each is rounded once: not every integer is a `double`.
        match (self, unsigned) {
            (Precision::Single, false) => i64::from((carrier as f32).to_bits()),
            (Precision::Single, true) => i64::from((carrier as u64 as f32).to_bits()),
            (Precision::Double, false) => (carrier as f64).to_bits() as i64,
            (Precision::Double, true) => (carrier as u64 as f64).to_bits() as i64,
        }
    }
}

/// A floating-point constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Real {
    kind: FloatKind,
    bits: u64,
}

impl Real {
    /// A `float`.
    #[cfg(test)]
    pub(crate) fn float(number: f32) -> Real {
        let (kind, bits) = (FloatKind::Float, number.to_bits().into());
        Real { kind, bits }
    }

    /// A `double`.
    pub fn double(number: f64) -> Real {
        let (kind, bits) = (FloatKind::Double, number.to_bits());
        Real { kind, bits }
    }

    /// A number of a type that is evaluated, from its carrier.
    pub fn from_carrier(kind: FloatKind, carrier: i64) -> Real {
        let bits = carrier as u64;
        Real { kind, bits }
    }

    /// The type.
    pub fn kind(self) -> FloatKind {
        self.kind
    }

    /// The number that stands for it in a column.
    pub fn carrier(self) -> i64 {
        self.bits as i64
    }

    /// The number; `None` if there is none, or if the type is not evaluated: a
    /// record read from a file may claim anything.
    pub(super) fn number(self) -> Option<f64> {
        let precision = self.kind.precision()?;
        if precision == Precision::Single && self.bits > u64::from(u32::MAX) {
            return None;
        }
        let number = precision.number(self.carrier());
        number.is_finite().then_some(number)
    }

    pub(super) fn is_negative(self) -> bool {
        self.number().is_some_and(f64::is_sign_negative)
    }

    /// The constant as C text, in hexadecimal: no compiler can round that.
    pub(super) fn to_c(self) -> String {
        let suffix = match self.kind {
            FloatKind::Float => "f",
            _ => "",
        };
        format!("{}{suffix}", hexadecimal(self.number().unwrap_or(0.0)))
    }
}

fn hexadecimal(number: f64) -> String {
    let bits = number.to_bits();
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let fraction = bits & ((1 << 52) - 1);
    let (whole, exponent) = match (bits >> 52 & 0x7ff) as i32 {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        biased => (1, biased - 1023),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{whole}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_printed_without_rounding() {
        let double = |number| Real::double(number).to_c();
        assert_eq!(double(0.0), "0x0p+0");
        assert_eq!(double(-0.0), "-0x0p+0");
        assert_eq!(double(1.0), "0x1p+0");
        assert_eq!(double(-2.5), "-0x1.4p+1");
        assert_eq!(double(0.1), "0x1.999999999999ap-4");
        assert_eq!(double(f64::MAX), "0x1.fffffffffffffp+1023");
        assert_eq!(double(f64::from_bits(1)), "0x0.0000000000001p-1022");
        assert_eq!(Real::float(0.1).to_c(), "0x1.99999ap-4f");
        assert_eq!(Real::float(f32::from_bits(1)).to_c(), "0x1p-149f");
    }

    #[test]
    fn integers_are_rounded_once() {
        // Halfway between two floats, and a little more: by way of `double` it would be halfway.
        let above = (1_i64 << 62) + (1 << 38) + 1;
        let carrier = Precision::Single.of_int(above, false);
        assert_eq!(
            Precision::Single.number(carrier),
            ((1_i64 << 62) + (1 << 39)) as f64
        );
        assert_eq!(
            Precision::Double.number(Precision::Double.of_int(-1, true)),
            2f64.powi(64)
        );
    }
}
