//! The C types that trees can use, and the structs that they name.
//!
//! A [`Type`] is spelled, not resolved: a struct appears by its name, so types
//! may be recursive and print without a table. What a name means is kept once,
//! in [`Types`], which typing and evaluation are given.

use super::scalar::{FloatKind, ScalarKind};
use super::types::{IntKind, Target};
use super::wide::WideKind;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// `void`, which has no values.
    Void,
    /// An integer type by its keyword.
    Int(IntKind),
    /// An enum, spelled as the seed spells it; its values behave like `kind`.
    Enum {
        /// The enum's name, `enum` included unless it is a typedef.
        name: Arc<str>,
        /// The integer type its values behave like.
        kind: IntKind,
    },
    /// An integer type that one carrier does not hold, or that is not promoted.
    Wide(WideKind),
    /// A floating-point type. Expressions over one that has no
    /// [`Precision`](super::real::Precision) are refused: it can only be
    /// declared, pointed to, and copied with the struct it is in.
    Float(FloatKind),
    /// A pointer to an object.
    Pointer {
        /// The pointed-to type.
        to: Arc<Type>,
        /// `const` of the pointed-to type.
        #[serde(default, skip_serializing_if = "is_false")]
        constant: bool,
        /// `volatile` of the pointed-to type.
        #[serde(default, skip_serializing_if = "is_false")]
        volatile: bool,
    },
    /// An array of known length.
    Array {
        /// The elements' type.
        of: Arc<Type>,
        /// How many elements there are.
        len: u64,
    },
    /// A vector of gcc and clang.
    Vector {
        /// The lanes' type, an integer or floating-point type.
        of: Arc<Type>,
        /// How many lanes there are.
        len: u32,
    },
    /// A struct by the spelling C uses, such as `struct S0` or a typedef's name.
    Record(Arc<str>),
    /// A function; only pointers to it have values.
    Function(Arc<FunctionType>),
    /// A type whose contents we do not model, such as a union: it can be named,
    /// declared and pointed to, but no part of it can be read.
    Opaque(Arc<str>),
}

/// What a function is called with and what it gives.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionType {
    /// The result type.
    pub result: Type,
    /// The parameters' types.
    pub params: Vec<Type>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Type {
    /// `int`.
    pub const INT: Type = Type::Int(IntKind::Int);

    /// An enum by its spelling, with the integer type it behaves like.
    pub fn enumeration(name: &str, kind: IntKind) -> Type {
        Type::Enum {
            name: name.into(),
            kind,
        }
    }

    /// A struct by its spelling.
    pub fn record(name: &str) -> Type {
        Type::Record(name.into())
    }

    /// A pointer to this type, unqualified.
    pub fn pointer(self) -> Type {
        Type::Pointer {
            to: Arc::new(self),
            constant: false,
            volatile: false,
        }
    }

    /// An array of this type.
    pub fn array(self, len: u64) -> Type {
        Type::Array {
            of: Arc::new(self),
            len,
        }
    }

    /// The integer kind, if the type is an integer or an enum.
    pub fn int_kind(&self) -> Option<IntKind> {
        match self {
            Type::Int(kind) | Type::Enum { kind, .. } => Some(*kind),
            _ => None,
        }
    }

    /// The kind of scalar, if a value of the type is one number or one address.
    pub(crate) fn scalar(&self) -> Option<ScalarKind> {
        match self {
            Type::Int(kind) | Type::Enum { kind, .. } => Some(ScalarKind::Int(*kind)),
            Type::Wide(kind) => Some(ScalarKind::Wide(*kind)),
            Type::Float(kind) => Some(ScalarKind::Float(*kind)),
            Type::Pointer { .. } => Some(ScalarKind::Pointer),
            Type::Void
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Function(_)
            | Type::Opaque(_) => None,
        }
    }

    /// Whether a value of the type is several cells that are assigned, passed and
    /// returned together.
    pub(crate) fn is_composite(&self) -> bool {
        matches!(self, Type::Record(_) | Type::Vector { .. })
    }

    /// Whether a value of the type is one number or one address that our trees
    /// can compute with.
    pub(crate) fn is_computable(&self) -> bool {
        match self.scalar() {
            Some(ScalarKind::Int(_) | ScalarKind::Pointer) => true,
            Some(ScalarKind::Wide(kind)) => kind.exists(),
            Some(ScalarKind::Float(kind)) => kind.precision().is_some(),
            None => false,
        }
    }

    /// Whether a value of the type is a pair of carriers, in two cells.
    pub(crate) fn is_pair(&self) -> bool {
        matches!(self, Type::Wide(_))
    }
}

impl From<IntKind> for Type {
    fn from(kind: IntKind) -> Type {
        Type::Int(kind)
    }
}

impl From<WideKind> for Type {
    fn from(kind: WideKind) -> Type {
        Type::Wide(kind)
    }
}

impl From<FloatKind> for Type {
    fn from(kind: FloatKind) -> Type {
        Type::Float(kind)
    }
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    /// The name, unique within the struct.
    pub name: Arc<str>,
    /// The declared type, also of a bit-field.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The width, if the member is a bit-field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<u32>,
    /// Whether the member is `const` and so may not be written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub constant: bool,
}

impl Field {
    /// A member that is not a bit-field.
    pub fn new(name: &str, ty: impl Into<Type>) -> Field {
        Field {
            name: name.into(),
            ty: ty.into(),
            bits: None,
            constant: false,
        }
    }

    /// A bit-field of the given width.
    pub fn bits(name: &str, ty: impl Into<Type>, bits: u32) -> Field {
        Field {
            name: name.into(),
            ty: ty.into(),
            bits: Some(bits),
            constant: false,
        }
    }
}

/// A struct: its named members in order. Unnamed bit-fields are padding and
/// are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Struct {
    /// The members in the order of their declaration.
    pub fields: Vec<Field>,
    /// Whether it is a union: all members start at its first byte.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_union: bool,
}

/// What typing and evaluation must know beyond a tree: the target, and the
/// structs by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Types {
    /// What the implementation defines.
    pub target: Target,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    records: BTreeMap<Arc<str>, Struct>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    vectors: BTreeSet<Type>,
}

impl Types {
    /// Types of a target, without any structs yet.
    pub fn new(target: Target) -> Types {
        Types {
            target,
            records: BTreeMap::new(),
            vectors: BTreeSet::new(),
        }
    }

    /// A vector type that programs have a name for.
    pub fn define_vector(&mut self, of: impl Into<Type>, len: u32) -> Type {
        let ty = Type::vector(of, len);
        self.vectors.insert(ty.clone());
        ty
    }

    /// The vector types that have names.
    pub(crate) fn vectors(&self) -> impl Iterator<Item = &Type> {
        self.vectors.iter()
    }

    /// Says what `name` means, in place of what it meant before.
    pub fn define(&mut self, name: &str, fields: Vec<Field>) -> Type {
        let name: Arc<str> = name.into();
        let is_union = false;
        self.records
            .insert(name.clone(), Struct { fields, is_union });
        Type::Record(name)
    }

    /// Says that `name` is a union.
    pub fn define_union(&mut self, name: &str, fields: Vec<Field>) -> Type {
        let name: Arc<str> = name.into();
        let is_union = true;
        self.records
            .insert(name.clone(), Struct { fields, is_union });
        Type::Record(name)
    }

    /// Whether a name is that of a union.
    pub(crate) fn is_union(&self, name: &str) -> bool {
        self.get(name).is_some_and(|record| record.is_union)
    }

    /// A struct's members; `None` if the name was never defined.
    pub fn get(&self, name: &str) -> Option<&Struct> {
        self.records.get(name)
    }

    /// Forgets the structs that are not to be kept.
    pub(crate) fn retain_records(&mut self, keep: impl Fn(&str) -> bool) {
        self.records.retain(|name, _| keep(name));
    }

    /// Forgets the vectors that are not to be kept.
    pub(crate) fn retain_vectors(&mut self, keep: impl Fn(&Type) -> bool) {
        self.vectors.retain(|ty| keep(ty));
    }

    /// The structs by name, in the order of their names.
    pub(crate) fn records(&self) -> impl Iterator<Item = (&str, &Struct)> {
        self.records.iter().map(|(name, record)| (&**name, record))
    }
}
