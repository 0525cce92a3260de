//! What is known of a value where there were too many rows to keep: the least and
//! the greatest value, and which bits are always 0 or always 1.
//!
//! Every operation gives a range that contains the result of every value in
//! its operands; how much more it contains is a matter of precision only.

mod bitwise;
mod domain;
mod env;
mod flow;
mod memory;
mod ops;
mod wrap;

pub(super) use domain::RangeDomain;
pub use env::Ranges;

use super::types::{IntKind, Target};
use super::value::JsonNumber;
use serde::{Deserialize, Serialize};

/// A set of integers: those between two bounds with certain bits known. Bits
/// are those of the carrier (see `value`), all 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    lo: i128,
    hi: i128,
    /// Bits that are 0 in every value.
    zeros: u64,
    /// Bits that are 1 in every value.
    ones: u64,
}

impl Range {
    /// One value.
    pub fn one(math: i128) -> Range {
        Range {
            lo: math,
            hi: math,
            zeros: !(math as u64),
            ones: math as u64,
        }
    }

    /// All values between two bounds.
    pub fn between(lo: i128, hi: i128) -> Range {
        debug_assert!(lo <= hi, "{lo}..={hi}");
        Range {
            lo,
            hi,
            zeros: 0,
            ones: 0,
        }
        .tightened()
    }

    /// All values of a type.
    #[cfg(test)]
    pub(crate) fn of_kind(kind: IntKind, target: Target) -> Range {
        Range::between(kind.min(target), kind.max(target))
    }

    /// What a profile recorded: bounds and bits. `None` if no value fits.
    pub(crate) fn observed(lo: i128, hi: i128, zeros: u64, ones: u64) -> Option<Range> {
        let range = Range {
            lo,
            hi,
            zeros,
            ones,
        };
        if lo > hi || zeros & ones != 0 {
            return None;
        }
        let range = range.tightened();
        (range.lo <= range.hi && range.zeros & range.ones == 0).then_some(range)
    }

    /// The least value.
    pub fn lo(self) -> i128 {
        self.lo
    }

    /// The greatest value.
    pub fn hi(self) -> i128 {
        self.hi
    }

    /// The bits that are 0 in every value.
    #[cfg(test)]
    pub(crate) fn zeros(self) -> u64 {
        self.zeros
    }

    /// The bits that are 1 in every value.
    #[cfg(test)]
    pub(crate) fn ones(self) -> u64 {
        self.ones
    }

    /// The value, if there is only one.
    pub fn only(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether a value agrees with the bounds and the known bits.
    pub fn contains(self, math: i128) -> bool {
        let bits = math as u64;
        (self.lo..=self.hi).contains(&math) && bits & self.zeros == 0 && !bits & self.ones == 0
    }

    /// Whether every value is true, or every value false, as a condition.
    pub(crate) fn truth(self) -> Option<bool> {
        if !self.contains(0) {
            Some(true)
        } else if self.only() == Some(0) {
            Some(false)
        } else {
            None
        }
    }

    /// The least range with the values of both.
    pub(crate) fn join(self, other: Range) -> Range {
        Range {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
        .tightened()
    }

    /// The same bits as values of a type.
    pub(super) fn seen_as(self, kind: IntKind, target: Target) -> Range {
        match kind {
            IntKind::Bool => self,
            _ => wrap::cut(super::plan::Cut::to(kind, target), self),
        }
    }

    /// The values that are also between two bounds; the bounds alone if the
    /// bits contradict them.
    fn within(self, lo: i128, hi: i128) -> Range {
        Range {
            lo: self.lo.max(lo),
            hi: self.hi.min(hi),
            ..self
        }
        .tightened()
    }

    /// Tightens the bounds by the bits and the bits by the bounds.
    fn tightened(mut self) -> Range {
        for _ in 0..2 {
            if self.lo >= 0 || self.hi < 0 {
                // The bits above the highest one in which the bounds differ.
                let differ = (self.lo as u64) ^ (self.hi as u64);
                let same = !(u64::MAX.checked_shr(differ.leading_zeros()).unwrap_or(0));
                self.zeros |= same & !(self.lo as u64);
                self.ones |= same & self.lo as u64;
            }
            if self.lo >= 0 {
                self.lo = self.lo.max(i128::from(self.ones));
                self.hi = self.hi.min(i128::from(!self.zeros));
            } else if self.hi < 0 {
                self.lo = self.lo.max(i128::from(self.ones as i64));
                self.hi = self.hi.min(i128::from(!self.zeros as i64));
            }
        }
        self
    }
}

/// A range as JSON shows it.
#[derive(Serialize, Deserialize)]
struct RangeJson {
    lo: JsonNumber,
    hi: JsonNumber,
    zeros: u64,
    ones: u64,
}

impl Serialize for Range {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RangeJson {
            lo: JsonNumber::of(self.lo),
            hi: JsonNumber::of(self.hi),
            zeros: self.zeros,
            ones: self.ones,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Range, D::Error> {
        let json = RangeJson::deserialize(deserializer)?;
        Range::observed(json.lo.math(), json.hi.math(), json.zeros, json.ones)
            .ok_or_else(|| serde::de::Error::custom("a range without values"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_bits_learn_from_each_other() {
        let range = Range::between(0x40, 0x4f);
        assert_eq!(range.ones(), 0x40);
        assert_eq!(range.zeros(), !0x4f);
        let even = Range::observed(1, 7, 1, 0).unwrap();
        assert_eq!((even.lo(), even.hi()), (1, 6));
        assert!(even.contains(4) && !even.contains(3));
        let negative = Range::between(-3, -1);
        assert_eq!(negative.ones(), !3);
        assert_eq!(Range::observed(3, 3, 1, 0), None);
        assert_eq!(Range::observed(5, 3, 0, 0), None);
    }

    #[test]
    fn ranges_survive_json() {
        for range in [
            Range::one(-1),
            Range::of_kind(IntKind::ULongLong, Target::LP64),
            Range::of_kind(IntKind::LongLong, Target::LP64),
            Range::observed(0, 255, 1, 0x40).unwrap(),
        ] {
            let text = serde_json::to_string(&range).unwrap();
            assert_eq!(
                serde_json::from_str::<Range>(&text).unwrap(),
                range,
                "{text}"
            );
        }
        assert!(serde_json::from_str::<Range>(r#"{"lo":3,"hi":2,"zeros":0,"ones":0}"#).is_err());
    }
}
