//! Types as clang knows them, always looked at in canonical form.

use super::{Cursor, Unit, take_string};
use clang_sys::*;
use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

/// A type of a living unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClangType<'u> {
    raw: CXType,
    unit: PhantomData<&'u Unit<'u>>,
}

/// The shape of a canonical type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeKind {
    Void,
    Bool,
    /// Plain `char`; which sign it has shows in the kind.
    CharUnsigned,
    CharSigned,
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
    Int128,
    UInt128,
    Half,
    Float,
    Double,
    LongDouble,
    Float128,
    Complex,
    Enum,
    Record,
    Pointer,
    ConstantArray,
    IncompleteArray,
    VariableArray,
    Vector,
    FunctionProto,
    FunctionNoProto,
    Atomic,
    Other,
}

impl<'u> ClangType<'u> {
    pub(super) fn from_raw(raw: CXType) -> ClangType<'u> {
        ClangType {
            raw,
            unit: PhantomData,
        }
    }

    /// The same type with typedefs, parentheses and sugar removed.
    pub(crate) fn canonical(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_getCanonicalType(self.raw) })
    }

    pub(crate) fn kind(self) -> TypeKind {
        match self.raw.kind {
            CXType_Void => TypeKind::Void,
            CXType_Bool => TypeKind::Bool,
            CXType_Char_U => TypeKind::CharUnsigned,
            CXType_Char_S => TypeKind::CharSigned,
            CXType_SChar => TypeKind::SChar,
            CXType_UChar => TypeKind::UChar,
            CXType_Short => TypeKind::Short,
            CXType_UShort => TypeKind::UShort,
            CXType_Int => TypeKind::Int,
            CXType_UInt => TypeKind::UInt,
            CXType_Long => TypeKind::Long,
            CXType_ULong => TypeKind::ULong,
            CXType_LongLong => TypeKind::LongLong,
            CXType_ULongLong => TypeKind::ULongLong,
            CXType_Int128 => TypeKind::Int128,
            CXType_UInt128 => TypeKind::UInt128,
            CXType_Half | CXType_Float16 => TypeKind::Half,
            CXType_Float => TypeKind::Float,
            CXType_Double => TypeKind::Double,
            CXType_LongDouble => TypeKind::LongDouble,
            CXType_Float128 => TypeKind::Float128,
            CXType_Complex => TypeKind::Complex,
            CXType_Enum => TypeKind::Enum,
            CXType_Record => TypeKind::Record,
            CXType_Pointer => TypeKind::Pointer,
            CXType_ConstantArray => TypeKind::ConstantArray,
            CXType_IncompleteArray => TypeKind::IncompleteArray,
            CXType_VariableArray => TypeKind::VariableArray,
            CXType_Vector | CXType_ExtVector => TypeKind::Vector,
            CXType_FunctionProto => TypeKind::FunctionProto,
            CXType_FunctionNoProto => TypeKind::FunctionNoProto,
            CXType_Atomic => TypeKind::Atomic,
            _ => TypeKind::Other,
        }
    }

    /// What identifies the type, qualifiers included, within its unit.
    pub(crate) fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    pub(crate) fn spelling(self) -> String {
        // SAFETY: the unit is alive as long as `'u`.
        take_string(unsafe { clang_getTypeSpelling(self.raw) })
    }

    pub(crate) fn is_const(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_isConstQualifiedType(self.raw) != 0 }
    }

    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_isVolatileQualifiedType(self.raw) != 0 }
    }

    pub(crate) fn is_restrict(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_isRestrictQualifiedType(self.raw) != 0 }
    }

    /// Bytes; `None` for incomplete, variable and function types.
    pub(crate) fn size(self) -> Option<u64> {
        // SAFETY: the unit is alive as long as `'u`.
        u64::try_from(unsafe { clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// Bytes; `None` where the size has no meaning either.
    pub(crate) fn alignment(self) -> Option<u64> {
        // SAFETY: the unit is alive as long as `'u`.
        u64::try_from(unsafe { clang_Type_getAlignOf(self.raw) }).ok()
    }

    pub(crate) fn pointee(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_getPointeeType(self.raw) })
    }

    /// The element of any array, vector or complex type.
    pub(crate) fn element(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_getElementType(self.raw) })
    }

    /// The length of a constant array or vector.
    pub(crate) fn length(self) -> Option<u64> {
        // SAFETY: the unit is alive as long as `'u`.
        u64::try_from(unsafe { clang_getNumElements(self.raw) }).ok()
    }

    /// The type inside `_Atomic`.
    pub(crate) fn atomic_value(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_Type_getValueType(self.raw) })
    }

    pub(crate) fn result(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_getResultType(self.raw) })
    }

    /// Parameter types of a prototype; empty for a function without one.
    pub(crate) fn parameters(self) -> Vec<ClangType<'u>> {
        // SAFETY: the unit is alive as long as `'u`; indices stay below the count.
        unsafe {
            let count = u32::try_from(clang_getNumArgTypes(self.raw)).unwrap_or(0);
            (0..count)
                .map(|i| ClangType::from_raw(clang_getArgType(self.raw, i)))
                .collect()
        }
    }

    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_isFunctionTypeVariadic(self.raw) != 0 }
    }

    /// The declaration of a record or enum.
    pub(crate) fn declaration(self) -> Cursor<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        Cursor::from_raw(unsafe { clang_getTypeDeclaration(self.raw) })
    }

    /// The fields of a record in order, unnamed ones included.
    pub(crate) fn fields(self) -> Vec<Cursor<'u>> {
        let mut collector = Fields {
            found: Vec::new(),
            panic: None,
        };
        // SAFETY: `collector` outlives the call and is passed as the type that
        // `on_field` expects.
        unsafe {
            clang_Type_visitFields(self.raw, on_field, ptr::from_mut(&mut collector).cast());
        }
        if let Some(payload) = collector.panic {
            resume_unwind(payload);
        }
        collector.found
    }
}

struct Fields<'u> {
    found: Vec<Cursor<'u>>,
    panic: Option<Box<dyn Any + Send>>,
}

extern "C" fn on_field(field: CXCursor, data: CXClientData) -> CXVisitorResult {
    // SAFETY: `fields` passes its own living collector and nobody else holds it
    // during the call.
    let collector = unsafe { &mut *data.cast::<Fields<'_>>() };
    let found = &mut collector.found;
    match catch_unwind(AssertUnwindSafe(|| found.push(Cursor::from_raw(field)))) {
        Ok(()) => CXVisit_Continue,
        Err(payload) => {
            collector.panic = Some(payload);
            CXVisit_Break
        }
    }
}
