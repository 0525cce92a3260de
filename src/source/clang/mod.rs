//! A thin safe layer over libclang: the only place that names `clang_sys` and
//! nearly the only one with `unsafe`.
//!
//! Lifetimes follow ownership in C: a [`ClangIndex`] lives on the thread that made
//! it, a [`Unit`] borrows its index, a [`Cursor`] borrows its unit.
//! Only `program/lower` talks to this module; everything it learns is copied
//! into an owned `Program` before the unit is dropped.
#![allow(unsafe_code)]
#![allow(non_upper_case_globals)] // libclang's constants are named by its own rules.

mod cursor;
mod kind;
mod library;
mod ty;
mod unit;

pub(crate) use cursor::{Cursor, Descent, FileId, Identity, StorageClass};
pub(crate) use kind::CursorKind;
pub use library::{Clang, OLDEST_LIBCLANG};
pub(crate) use ty::{ClangType, TypeKind};
pub(crate) use unit::{ClangIndex, Inclusion, ParseError, Unit};

use clang_sys::{CXString, clang_disposeString, clang_getCString};
use std::ffi::CStr;

/// Copies a libclang string and frees it.
///
/// C identifiers are UTF-8 for clang; paths need not be, and reach us here only
/// for messages, so replacing stray bytes is right.
fn take_string(string: CXString) -> String {
    // SAFETY: `string` was just returned by libclang and is disposed of once,
    // after its bytes were copied. A null C string means "none".
    unsafe {
        let text = clang_getCString(string);
        let copy = if text.is_null() {
            String::new()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        };
        clang_disposeString(string);
        copy
    }
}
