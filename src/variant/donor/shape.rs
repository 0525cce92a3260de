//! Types as a donor holds them: spelled out, so that they mean the same in any
//! program, or as the number of a type that only the donor's own program has.

use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;
use crate::source::program::{Program, Qualified, SeedType};
use serde::{Deserialize, Serialize};

/// A type nested more deeply than this is known only by its number.
const MOST_LEVELS: u32 = 8;

/// A type; the qualifiers of the object itself are not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(Box<Inner>),
    Array {
        element: Box<Inner>,
        length: u64,
    },
    /// A type that cannot be spelled in another program, by its number in its own.
    Native(u32),
}

/// What a pointer points to or an array is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Inner {
    pub shape: Shape,
    pub is_const: bool,
    pub is_volatile: bool,
}

impl Shape {
    /// The shape of a type of the program.
    pub(crate) fn of(program: &Program, ty: Qualified) -> Shape {
        Shape::nested(program, ty, 0)
    }

    fn nested(program: &Program, ty: Qualified, level: u32) -> Shape {
        let inner = |inner: Qualified| {
            Box::new(Inner {
                shape: Shape::nested(program, inner, level + 1),
                is_const: inner.is_const,
                is_volatile: inner.is_volatile,
            })
        };
        match program.types.get(ty.id) {
            _ if level > MOST_LEVELS => Shape::Native(ty.id.0),
            SeedType::Void => Shape::Void,
            SeedType::Int(kind) => Shape::Int(*kind),
            SeedType::Float(kind) => Shape::Float(*kind),
            SeedType::Pointer { to } => Shape::Pointer(inner(*to)),
            SeedType::Array {
                element,
                length: Some(length),
            } => Shape::Array {
                // Clang keeps the qualifiers of elements with the array.
                element: inner(Qualified {
                    is_const: element.is_const || ty.is_const,
                    is_volatile: element.is_volatile || ty.is_volatile,
                    ..*element
                }),
                length: *length,
            },
            _ => Shape::Native(ty.id.0),
        }
    }

    /// Whether the type means the same in every program.
    pub(crate) fn is_portable(&self) -> bool {
        match self {
            Shape::Void | Shape::Int(_) | Shape::Float(_) => true,
            Shape::Pointer(inner) | Shape::Array { element: inner, .. } => {
                inner.shape.is_portable()
            }
            Shape::Native(_) => false,
        }
    }

    /// The same type with an outermost array of no particular length.
    pub(crate) fn of_any_length(&self) -> Shape {
        match self {
            Shape::Array { element, .. } => Shape::Array {
                element: element.clone(),
                length: 0,
            },
            other => other.clone(),
        }
    }
}
