//! The vector types of gcc and clang: several numbers of one type that operators work
//! on side by side.

use super::ctype::Type;
use super::scalar::FloatKind;
use super::types::IntKind;
use super::wide::WideKind;
use std::sync::Arc;

/// The lanes that vectors can have: types whose widths are the same everywhere.
static LANES: [(Type, &str, u32); 12] = [
    (Type::Int(IntKind::SChar), "i8", 1),
    (Type::Int(IntKind::UChar), "u8", 1),
    (Type::Int(IntKind::Short), "i16", 2),
    (Type::Int(IntKind::UShort), "u16", 2),
    (Type::Int(IntKind::Int), "i32", 4),
    (Type::Int(IntKind::UInt), "u32", 4),
    (Type::Int(IntKind::LongLong), "i64", 8),
    (Type::Int(IntKind::ULongLong), "u64", 8),
    (Type::Wide(WideKind::Int128), "i128", 16),
    (Type::Wide(WideKind::UInt128), "u128", 16),
    (Type::Float(FloatKind::Float), "f32", 4),
    (Type::Float(FloatKind::Double), "f64", 8),
];

fn lane(of: &Type) -> Option<&'static (Type, &'static str, u32)> {
    LANES.iter().find(|(ty, ..)| ty == of)
}

impl Type {
    /// A vector of so many numbers.
    pub fn vector(of: impl Into<Type>, len: u32) -> Type {
        Type::Vector {
            of: Arc::new(of.into()),
            len,
        }
    }

    /// The bytes of a vector; `None` if it is none that compilers have.
    pub(crate) fn vector_bytes(&self) -> Option<u32> {
        let Type::Vector { of, len } = self else {
            return None;
        };
        let bytes = lane(of)?.2.checked_mul(*len)?;
        (bytes.is_power_of_two() && (4..=128).contains(&bytes)).then_some(bytes)
    }

    /// What a comparison of such vectors gives: signed integers of the same width.
    pub(crate) fn compared(&self) -> Option<Type> {
        let Type::Vector { of, len } = self else {
            return None;
        };
        let kind = match lane(of)?.2 {
            1 => IntKind::SChar,
            2 => IntKind::Short,
            4 => IntKind::Int,
            8 => IntKind::LongLong,
            _ => return Some(Type::vector(WideKind::Int128, *len)),
        };
        Some(Type::vector(kind, *len))
    }

    /// The name that a vector type is printed by, such as `v4i32`.
    pub(super) fn vector_name(of: &Type, len: u32) -> String {
        let lane = lane(of).map_or("unknown", |lane| lane.1);
        format!("v{len}{lane}")
    }
}
