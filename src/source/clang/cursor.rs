//! Cursors: nodes of clang's tree, walking over them, and their properties.

use super::kind::CursorKind;
use super::ty::ClangType;
use super::{Unit, take_string};
use clang_sys::*;
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

/// A node of the tree of a living unit. Two are equal if they are the same node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'u> {
    raw: CXCursor,
    unit: PhantomData<&'u Unit<'u>>,
}

/// What a visitor wants after it saw a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Descent {
    Into,
    Over,
}

/// The storage class as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageClass {
    None,
    Extern,
    Static,
    Register,
    Auto,
}

/// A byte of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) file: FileId,
    pub(crate) offset: u32,
}

/// What identifies a file within its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId(usize);

impl FileId {
    pub(super) fn from_raw(file: CXFile) -> FileId {
        FileId(file as usize)
    }

    pub(super) fn as_raw(self) -> CXFile {
        self.0 as CXFile
    }
}

/// What identifies a declaration or statement within its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity(usize);

impl PartialEq for Cursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.kind == other.raw.kind && self.identity() == other.identity()
    }
}

impl<'u> Cursor<'u> {
    pub(super) fn from_raw(raw: CXCursor) -> Cursor<'u> {
        Cursor {
            raw,
            unit: PhantomData,
        }
    }

    fn from_raw_unless_null(raw: CXCursor) -> Option<Cursor<'u>> {
        // SAFETY: a plain test of the value.
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Cursor::from_raw(raw))
    }

    pub(crate) fn kind(self) -> CursorKind {
        CursorKind::from_raw(self.raw.kind)
    }

    /// The node's address in clang's tree. A declaration cursor keeps its
    /// declaration in the first data slot, every other cursor its statement or
    /// expression in the second.
    pub(crate) fn identity(self) -> Identity {
        let is_declaration =
            (CXCursor_UnexposedDecl..=CXCursor_CXXAccessSpecifier).contains(&self.raw.kind);
        Identity(self.raw.data[usize::from(!is_declaration)] as usize)
    }

    /// The name; empty where there is none.
    pub(crate) fn spelling(self) -> String {
        // SAFETY: the unit is alive as long as `'u`.
        take_string(unsafe { clang_getCursorSpelling(self.raw) })
    }

    pub(crate) fn ty(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_getCursorType(self.raw) })
    }

    /// The first byte and the byte past the last, both as places in the file the
    /// code was expanded in: text from a macro lies where the macro is used.
    pub(crate) fn extent(self) -> (Position, Position) {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe {
            let range = clang_getCursorExtent(self.raw);
            (
                position(clang_getRangeStart(range)),
                position(clang_getRangeEnd(range)),
            )
        }
    }

    /// The place that stands for the node: a declaration's name, or an
    /// expression's start.
    pub(crate) fn location(self) -> Position {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { position(clang_getCursorLocation(self.raw)) }
    }

    /// Whether the two start with the same token, be it in the text or in a macro. An
    /// implicit conversion has the place of what it converts; nothing that is written has.
    pub(crate) fn starts_like(self, other: Cursor<'u>) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        let [one, two] = [self, other].map(|cursor| unsafe { clang_getCursorLocation(cursor.raw) });
        one.int_data == two.int_data
    }

    pub(crate) fn is_in_system_header(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_Location_isInSystemHeader(clang_getCursorLocation(self.raw)) != 0 }
    }

    /// What a reference refers to.
    pub(crate) fn referenced(self) -> Option<Cursor<'u>> {
        // SAFETY: the unit is alive as long as `'u`.
        Cursor::from_raw_unless_null(unsafe { clang_getCursorReferenced(self.raw) })
    }

    /// The first declaration of what this declares.
    pub(crate) fn canonical(self) -> Cursor<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        Cursor::from_raw(unsafe { clang_getCanonicalCursor(self.raw) })
    }

    pub(crate) fn is_definition(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_isCursorDefinition(self.raw) != 0 }
    }

    pub(crate) fn storage(self) -> StorageClass {
        // SAFETY: the unit is alive as long as `'u`.
        match unsafe { clang_Cursor_getStorageClass(self.raw) } {
            CX_SC_Extern | CX_SC_PrivateExtern => StorageClass::Extern,
            CX_SC_Static => StorageClass::Static,
            CX_SC_Register => StorageClass::Register,
            CX_SC_Auto => StorageClass::Auto,
            _ => StorageClass::None,
        }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_getCursorTLSKind(self.raw) != CXTLS_None }
    }

    /// The initialiser of a variable declaration.
    pub(crate) fn initializer(self) -> Option<Cursor<'u>> {
        // SAFETY: the unit is alive as long as `'u`.
        Cursor::from_raw_unless_null(unsafe { clang_Cursor_getVarDeclInitializer(self.raw) })
    }

    /// The width of a bit-field, or `None` for a plain field.
    pub(crate) fn bit_width(self) -> Option<u32> {
        // SAFETY: the unit is alive as long as `'u`.
        u32::try_from(unsafe { clang_getFieldDeclBitWidth(self.raw) }).ok()
    }

    /// Where a field starts in its record, in bits.
    pub(crate) fn field_offset(self) -> Option<u64> {
        // SAFETY: the unit is alive as long as `'u`.
        u64::try_from(unsafe { clang_Cursor_getOffsetOfField(self.raw) }).ok()
    }

    /// The value of an enum constant.
    pub(crate) fn enum_value(self) -> i64 {
        // SAFETY: the unit is alive as long as `'u`.
        unsafe { clang_getEnumConstantDeclValue(self.raw) }
    }

    /// The integer type behind an enum declaration.
    pub(crate) fn enum_integer_type(self) -> ClangType<'u> {
        // SAFETY: the unit is alive as long as `'u`.
        ClangType::from_raw(unsafe { clang_getEnumDeclIntegerType(self.raw) })
    }

    /// Visits the children in the order of the source; with [`Descent::Into`] their
    /// children too, each before its next sibling. libclang walks statements and
    /// expressions with a work list, so deep nesting costs no stack.
    pub(crate) fn walk(self, mut visit: impl FnMut(Cursor<'u>, Cursor<'u>) -> Descent) {
        let mut visitor = Visitor {
            visit: &mut visit,
            panic: None,
        };
        // SAFETY: `visitor` outlives the call, is passed as the type that
        // `on_child` expects, and no panic crosses into C.
        unsafe {
            clang_visitChildren(self.raw, on_child, ptr::from_mut(&mut visitor).cast());
        }
        if let Some(payload) = visitor.panic {
            resume_unwind(payload);
        }
    }
}

type Visit<'a, 'u> = &'a mut dyn FnMut(Cursor<'u>, Cursor<'u>) -> Descent;

struct Visitor<'a, 'u> {
    visit: Visit<'a, 'u>,
    panic: Option<Box<dyn Any + Send>>,
}

extern "C" fn on_child(
    child: CXCursor,
    parent: CXCursor,
    data: CXClientData,
) -> CXChildVisitResult {
    // SAFETY: `walk` passes its own living `Visitor` and nobody else holds it
    // during the call.
    let visitor = unsafe { &mut *data.cast::<c_void>().cast::<Visitor<'_, '_>>() };
    let visit = &mut *visitor.visit;
    let seen = catch_unwind(AssertUnwindSafe(|| {
        visit(Cursor::from_raw(child), Cursor::from_raw(parent))
    }));
    match seen {
        Ok(Descent::Into) => CXChildVisit_Recurse,
        Ok(Descent::Over) => CXChildVisit_Continue,
        Err(payload) => {
            visitor.panic = Some(payload);
            CXChildVisit_Break
        }
    }
}

/// # Safety
/// The unit that `location` belongs to must be alive.
pub(super) unsafe fn position(location: CXSourceLocation) -> Position {
    let mut file = ptr::null_mut();
    let mut offset = 0;
    let (line, column) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: by the caller; null out-pointers are allowed and spare libclang
    // the search for line and column.
    unsafe { clang_getExpansionLocation(location, &mut file, line, column, &mut offset) };
    Position {
        file: FileId::from_raw(file),
        offset,
    }
}
