//! The types of a program, typedefs resolved, with their size on the target.

use super::ids::{RecordId, TypeId};
use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;
use serde::Serialize;
use std::fmt::Write;

/// A type with the qualifiers it carries at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Qualified {
    pub id: TypeId,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
}

impl Qualified {
    /// The type without qualifiers.
    pub(super) fn plain(id: TypeId) -> Qualified {
        Qualified {
            id,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
        }
    }
}

/// The shape of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeedType {
    Void,
    Int(IntKind),
    /// `__int128`, which our evaluator does not model.
    Int128 {
        signed: bool,
    },
    Float(FloatKind),
    Complex,
    Enum {
        /// The tag, unless the enum has none.
        name: Option<String>,
        /// `None` while the enum is incomplete.
        underlying: Option<IntKind>,
    },
    Pointer {
        to: Qualified,
    },
    Array {
        element: Qualified,
        /// `None` for `[]`: an incomplete type or a flexible array member.
        length: Option<u64>,
    },
    /// An array whose length is computed at run time.
    VariableArray {
        element: Qualified,
    },
    Vector {
        element: Qualified,
        length: u64,
    },
    Record(RecordId),
    Function {
        result: Qualified,
        parameters: Vec<Qualified>,
        variadic: bool,
        /// `false` for K&R style: the parameters are not part of the type.
        prototyped: bool,
    },
    Atomic {
        value: Qualified,
    },
    /// A type that is rare in C programs, as clang spells it.
    Other(String),
}

/// A type and how it lies in memory.
#[derive(Clone, Debug, Serialize)]
pub struct TypeInfo {
    pub ty: SeedType,
    /// Bytes; `None` for incomplete, variable-length and function types.
    pub size: Option<u64>,
    pub alignment: Option<u64>,
}

/// A struct or union.
#[derive(Clone, Debug, Serialize)]
pub struct SeedRecord {
    /// The tag, unless the record has none.
    pub tag: Option<String>,
    /// A typedef that names the record; the only way to write an untagged one.
    pub typedef: Option<String>,
    pub is_union: bool,
    /// `None` while the record is incomplete.
    pub fields: Option<Vec<SeedField>>,
    /// Whether every object of this type holds a value in every field; see `init`.
    pub always_whole: bool,
}

/// A member of a record.
#[derive(Clone, Debug, Serialize)]
pub struct SeedField {
    /// `None` for an unnamed bit-field or an anonymous struct or union member.
    pub name: Option<String>,
    pub ty: Qualified,
    pub bit_width: Option<u32>,
    /// Bits from the start of the record.
    pub offset: Option<u64>,
}

/// All types and records of a program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SeedTypes {
    pub types: Vec<TypeInfo>,
    pub records: Vec<SeedRecord>,
}

impl SeedTypes {
    pub fn info(&self, id: TypeId) -> &TypeInfo {
        &self.types[id.index()]
    }

    pub fn get(&self, id: TypeId) -> &SeedType {
        &self.info(id).ty
    }

    pub fn record(&self, id: RecordId) -> &SeedRecord {
        &self.records[id.index()]
    }

    /// The integer kind of an integer or enum type.
    pub fn integer(&self, id: TypeId) -> Option<IntKind> {
        match *self.get(id) {
            SeedType::Int(kind) => Some(kind),
            SeedType::Enum { underlying, .. } => underlying,
            _ => None,
        }
    }

    /// Whether the type is an array of any sort.
    pub(crate) fn is_array(&self, id: TypeId) -> bool {
        matches!(
            self.get(id),
            SeedType::Array { .. } | SeedType::VariableArray { .. }
        )
    }

    /// Whether objects of this type have a size or layout known only at run time.
    pub fn is_variably_modified(&self, id: TypeId) -> bool {
        matches!(self.innermost(id), SeedType::VariableArray { .. })
    }

    /// The same, or the type cannot be looked into: a function may have parameters
    /// such as `int (*)[n]`.
    pub fn may_be_variably_modified(&self, id: TypeId) -> bool {
        matches!(
            self.innermost(id),
            SeedType::VariableArray { .. } | SeedType::Function { .. } | SeedType::Other(_)
        )
    }

    /// The type after following arrays and pointers; a variable-length array is not followed.
    fn innermost(&self, mut id: TypeId) -> &SeedType {
        while let SeedType::Array { element: inner, .. } | SeedType::Pointer { to: inner } =
            self.get(id)
        {
            id = inner.id;
        }
        self.get(id)
    }

    /// Whether a type is an array of const elements, at any depth.
    pub(crate) fn has_const_elements(&self, mut ty: Qualified) -> bool {
        while let SeedType::Array { element, .. } = self.get(ty.id) {
            if element.is_const {
                return true;
            }
            ty = *element;
        }
        false
    }

    /// Calls `visit` with every record whose values are part of a value of this type.
    pub(crate) fn for_each_record_in(&self, id: TypeId, visit: &mut impl FnMut(RecordId)) {
        match self.get(id) {
            SeedType::Array { element: inner, .. }
            | SeedType::VariableArray { element: inner }
            | SeedType::Atomic { value: inner } => self.for_each_record_in(inner.id, visit),
            SeedType::Record(record) => {
                visit(*record);
                for field in self.record(*record).fields.iter().flatten() {
                    self.for_each_record_in(field.ty.id, visit);
                }
            }
            _ => {}
        }
    }

    /// Whether objects of the type are, or contain, characters.
    pub(super) fn holds_bytes(&self, id: TypeId) -> bool {
        match self.get(id) {
            SeedType::Int(kind) => kind.is_char(),
            SeedType::Array { element: inner, .. }
            | SeedType::VariableArray { element: inner }
            | SeedType::Atomic { value: inner } => self.holds_bytes(inner.id),
            SeedType::Record(record) => {
                let mut fields = self.record(*record).fields.iter().flatten();
                fields.any(|field| self.holds_bytes(field.ty.id))
            }
            _ => false,
        }
    }

    /// The type as a person reads it: C for simple types, words for the rest.
    pub fn describe(&self, ty: Qualified) -> String {
        let mut text = String::new();
        for (held, word) in [
            (ty.is_const, "const "),
            (ty.is_volatile, "volatile "),
            (ty.is_restrict, "restrict "),
        ] {
            if held {
                text.push_str(word);
            }
        }
        match self.get(ty.id) {
            SeedType::Void => text.push_str("void"),
            SeedType::Int(kind) => text.push_str(kind.c_name()),
            SeedType::Int128 { signed: true } => text.push_str("__int128"),
            SeedType::Int128 { signed: false } => text.push_str("unsigned __int128"),
            SeedType::Float(kind) => text.push_str(kind.c_name()),
            SeedType::Complex => text.push_str("_Complex"),
            SeedType::Enum {
                name: Some(name), ..
            } => {
                let _ = write!(text, "enum {name}");
            }
            SeedType::Enum { name: None, .. } => text.push_str("unnamed enum"),
            SeedType::Pointer { to } => {
                let _ = write!(text, "pointer to {}", self.describe(*to));
            }
            SeedType::Array {
                element,
                length: Some(length),
            } => {
                let _ = write!(text, "array of {length} {}", self.describe(*element));
            }
            SeedType::Array {
                element,
                length: None,
            } => {
                let _ = write!(
                    text,
                    "array of unknown length of {}",
                    self.describe(*element)
                );
            }
            SeedType::VariableArray { element } => {
                let _ = write!(text, "variable-length array of {}", self.describe(*element));
            }
            SeedType::Vector { element, length } => {
                let _ = write!(text, "vector of {length} {}", self.describe(*element));
            }
            SeedType::Record(record) => text.push_str(&self.record(*record).describe()),
            SeedType::Function { result, .. } => {
                let _ = write!(text, "function returning {}", self.describe(*result));
            }
            SeedType::Atomic { value } => {
                let _ = write!(text, "_Atomic {}", self.describe(*value));
            }
            SeedType::Other(words) => text.push_str(words),
        }
        text
    }
}

impl SeedRecord {
    fn describe(&self) -> String {
        let keyword = if self.is_union { "union" } else { "struct" };
        match (&self.tag, &self.typedef) {
            (Some(tag), _) => format!("{keyword} {tag}"),
            (None, Some(typedef)) => typedef.clone(),
            (None, None) => format!("unnamed {keyword}"),
        }
    }
}
