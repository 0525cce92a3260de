//! A value with its type, and the carrier every evaluator holds values in.
//!
//! The *carrier* is an `i64`: a signed value sign-extended, an unsigned value
//! zero-extended, and a 64-bit unsigned value as the same bits. One carrier for
//! all types lets a column of any type be a `Vec<i64>`.

use super::types::{IntKind, Target};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An integer value of a C type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    kind: IntKind,
    carrier: i64,
}

impl Value {
    /// The value of `kind` that is congruent to `math`: what a conversion gives.
    pub fn new(kind: IntKind, math: i128, target: Target) -> Value {
        Value {
            kind,
            carrier: convert(kind, math as i64, math != 0, target),
        }
    }

    /// A value from its carrier, which must be canonical for `kind`.
    pub fn from_carrier(kind: IntKind, carrier: i64) -> Value {
        Value { kind, carrier }
    }

    /// An `int`.
    pub fn int(value: i32) -> Value {
        Value {
            kind: IntKind::Int,
            carrier: i64::from(value),
        }
    }

    /// The type.
    pub fn kind(self) -> IntKind {
        self.kind
    }

    /// The number that stands for the value in a column.
    pub fn carrier(self) -> i64 {
        self.carrier
    }

    /// The mathematical value.
    pub fn math(self) -> i128 {
        // Only the 64-bit unsigned types have carriers that look negative.
        match self.kind {
            IntKind::ULong | IntKind::ULongLong => i128::from(self.carrier as u64),
            _ => i128::from(self.carrier),
        }
    }

    /// Whether the value is one that its type has on this target. A record
    /// read from a file may claim an `int` of five billion.
    pub(crate) fn fits(self, target: Target) -> bool {
        let math = self.math();
        self.kind.min(target) <= math && math <= self.kind.max(target)
    }
}

/// Conversion of a carrier to `kind`: modulo two to the width (gcc and clang
/// document it for signed types), or "is it not zero" for `_Bool`.
fn convert(kind: IntKind, carrier: i64, truth: bool, target: Target) -> i64 {
    if kind == IntKind::Bool {
        return i64::from(truth);
    }
    wrap(carrier, kind.bits(target), kind.signed(target))
}

/// The low `bits` of a carrier, extended as the sign says.
pub fn wrap(carrier: i64, bits: u32, signed: bool) -> i64 {
    debug_assert!((1..=64).contains(&bits), "a width of 1 to 64, not {bits}");
    let unused = 64 - bits;
    if signed {
        (carrier << unused) >> unused
    } else {
        ((carrier as u64) << unused >> unused) as i64
    }
}

/// A value as JSON shows it.
#[derive(Serialize, Deserialize)]
struct ValueJson {
    kind: IntKind,
    value: JsonNumber,
}

/// A JSON number between `i64::MIN` and `u64::MAX`.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number of at most 64 bits")]
pub(super) enum JsonNumber {
    Signed(i64),
    Unsigned(u64),
}

impl JsonNumber {
    pub(super) fn of(math: i128) -> JsonNumber {
        match i64::try_from(math) {
            Ok(small) => JsonNumber::Signed(small),
            Err(_) => JsonNumber::Unsigned(math as u64),
        }
    }

    pub(super) fn math(self) -> i128 {
        match self {
            JsonNumber::Signed(value) => value.into(),
            JsonNumber::Unsigned(value) => value.into(),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, value) = (self.kind, JsonNumber::of(self.math()));
        ValueJson { kind, value }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        let ValueJson { kind, value } = ValueJson::deserialize(deserializer)?;
        let math = value.math();
        let is_wide = matches!(kind, IntKind::ULong | IntKind::ULongLong);
        if math < 0 && is_wide {
            let message = "a negative value of an unsigned type";
            return Err(serde::de::Error::custom(message));
        }
        if math > i64::MAX.into() && !is_wide {
            return Err(serde::de::Error::custom("a value too large for its type"));
        }
        let carrier = math as i64;
        Ok(Value { kind, carrier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_is_modulo_the_width_and_truth_for_bool() {
        let t = Target::LP64;
        assert_eq!(Value::new(IntKind::SChar, 200, t).math(), -56);
        assert_eq!(Value::new(IntKind::UChar, -1, t).math(), 255);
        assert_eq!(Value::new(IntKind::Bool, 256, t).math(), 1);
        assert_eq!(Value::new(IntKind::Bool, 1 << 64, t).math(), 1);
        assert_eq!(
            Value::new(IntKind::ULong, -1, t).math(),
            i128::from(u64::MAX)
        );
        assert_eq!(
            Value::new(IntKind::ULong, -1, Target::ILP32).math(),
            i128::from(u32::MAX)
        );
    }

    #[test]
    fn what_is_no_number_is_told_in_words_of_its_own() {
        for text in ["1e40", "\"x\"", "[]", "99999999999999999999"] {
            let error = serde_json::from_str::<JsonNumber>(text).err().unwrap();
            let said = error.to_string();
            assert!(
                said.contains("a number of at most 64 bits"),
                "{text}: {said}"
            );
        }
    }

    #[test]
    fn every_limit_survives_json() {
        for kind in IntKind::ALL {
            for math in [kind.min(Target::LP64), kind.max(Target::LP64), 0, 1] {
                let value = Value::new(kind, math, Target::LP64);
                let text = serde_json::to_string(&value).unwrap();
                assert_eq!(
                    serde_json::from_str::<Value>(&text).unwrap(),
                    value,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_value_outside_its_type_is_refused_or_does_not_fit() {
        let refused = |text| serde_json::from_str::<Value>(text).is_err();
        assert!(refused(r#"{"kind":"u_long","value":-1}"#));
        assert!(refused(r#"{"kind":"int","value":18446744073709551615}"#));
        let value: Value = serde_json::from_str(r#"{"kind":"int","value":5000000000}"#).unwrap();
        assert!(!value.fits(Target::LP64));
    }
}
