//! Parsing: an index, the translation units made in it, and their diagnostics.

use super::cursor::{Cursor, FileId, position};
use super::{Clang, take_string};
use clang_sys::*;
use std::ffi::{CString, c_char, c_uint, c_ulong};
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::{ptr, slice};

/// A libclang index. Bound to the thread that made it: the function table of
/// clang-sys is thread-local, and the raw pointer keeps this type from moving.
#[derive(Debug)]
pub(crate) struct ClangIndex<'c> {
    raw: CXIndex,
    clang: PhantomData<&'c Clang>,
}

impl<'c> ClangIndex<'c> {
    pub(crate) fn new(clang: &'c Clang) -> ClangIndex<'c> {
        clang.enter_thread();
        // SAFETY: the library is loaded on this thread. Zeros: declarations
        // from PCH are irrelevant, and libclang must not print diagnostics.
        ClangIndex {
            raw: unsafe { clang_createIndex(0, 0) },
            clang: PhantomData,
        }
    }

    /// Parses `source` as the C file `path`; the file on disk is not read, so
    /// what is lowered is exactly the bytes the caller holds.
    pub(crate) fn parse<'i>(
        &'i self,
        path: &Path,
        source: &[u8],
        arguments: &[CString],
    ) -> Result<Unit<'i>, ParseError> {
        let path = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| ParseError::Crashed("the path holds a NUL byte"))?;
        let arguments: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
        let mut unsaved = CXUnsavedFile {
            Filename: path.as_ptr(),
            Contents: source.as_ptr().cast(),
            Length: source.len() as c_ulong,
        };
        let mut raw = ptr::null_mut();
        // SAFETY: all pointers live through the call, lengths match, and
        // libclang copies what it keeps.
        let status = unsafe {
            clang_parseTranslationUnit2(
                self.raw,
                path.as_ptr(),
                arguments.as_ptr(),
                arguments.len() as i32,
                &mut unsaved,
                1,
                CXTranslationUnit_DetailedPreprocessingRecord,
                &mut raw,
            )
        };
        match status {
            CXError_Success if !raw.is_null() => {
                // SAFETY: the unit is alive and the path a C string.
                let main_file = FileId::from_raw(unsafe { clang_getFile(raw, path.as_ptr()) });
                let unit = Unit {
                    raw,
                    main_file,
                    index: PhantomData,
                };
                match unit.first_error() {
                    None => Ok(unit),
                    Some(error) => Err(error),
                }
            }
            CXError_Crashed => Err(ParseError::Crashed("libclang crashed while parsing it")),
            // Nothing was parsed, so there are no diagnostics: clang's driver
            // did not even get to the file.
            _ => Err(ParseError::FlagsRejected),
        }
    }
}

impl Drop for ClangIndex<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `clang_createIndex`, disposed of once; units borrow
        // `self` and are gone.
        unsafe { clang_disposeIndex(self.raw) }
    }
}

/// Why there is no usable translation unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// The code has errors: the first diagnostics, `file:line: text`, and how many there were.
    Errors { shown: Vec<String>, total: usize },
    /// libclang did not start with these flags.
    FlagsRejected,
    /// libclang gave nothing back.
    Crashed(&'static str),
}

/// A file that is included.
#[derive(Debug)]
pub(crate) struct Inclusion<'u> {
    pub(crate) file: FileId,
    pub(crate) path: String,
    pub(crate) text: &'u [u8],
}

/// A parsed translation unit without errors.
#[derive(Debug)]
pub(crate) struct Unit<'i> {
    raw: CXTranslationUnit,
    main_file: FileId,
    index: PhantomData<&'i ()>,
}

impl Unit<'_> {
    /// The cursor whose children are the preprocessing entities and declarations.
    pub(crate) fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is alive.
        Cursor::from_raw(unsafe { clang_getTranslationUnitCursor(self.raw) })
    }

    /// The file that was parsed, as opposed to those it includes.
    pub(crate) fn main_file(&self) -> FileId {
        self.main_file
    }

    /// The parts of the main file that conditional compilation leaves out, in order,
    /// as byte offsets.
    pub(crate) fn skipped(&self) -> Vec<(u32, u32)> {
        // SAFETY: the unit is alive; the list is read within its length and freed.
        unsafe {
            let list = clang_getSkippedRanges(self.raw, self.main_file.as_raw());
            if list.is_null() {
                return Vec::new();
            }
            let mut spans: Vec<(u32, u32)> = (0..(*list).count as usize)
                .map(|index| {
                    let range = *(*list).ranges.add(index);
                    let start = position(clang_getRangeStart(range)).offset;
                    (start, position(clang_getRangeEnd(range)).offset.max(start))
                })
                .collect();
            clang_disposeSourceRangeList(list);
            spans.sort_unstable();
            spans
        }
    }

    /// The files that the main file includes, directly or not, each time it does.
    pub(crate) fn inclusions(&self) -> Vec<Inclusion<'_>> {
        extern "C" fn visit(
            file: CXFile,
            _: *mut CXSourceLocation,
            depth: c_uint,
            found: CXClientData,
        ) {
            // SAFETY: `found` is the list that the call below passes on.
            let found = unsafe { &mut *found.cast::<Vec<CXFile>>() };
            if depth > 0 {
                found.push(file);
            }
        }
        let mut files: Vec<CXFile> = Vec::new();
        // SAFETY: the unit is alive, and the list is not used during the call.
        unsafe { clang_getInclusions(self.raw, visit, (&raw mut files).cast()) };
        files
            .into_iter()
            .map(|file| {
                let mut size = 0;
                // SAFETY: the file is one of the unit's, which keeps its text.
                let (path, text) = unsafe {
                    let text = clang_getFileContents(self.raw, file, &mut size);
                    (take_string(clang_getFileName(file)), text.cast::<u8>())
                };
                Inclusion {
                    file: FileId::from_raw(file),
                    path,
                    text: if text.is_null() {
                        &[]
                    } else {
                        // SAFETY: so many bytes, for as long as the unit lives.
                        unsafe { slice::from_raw_parts(text, size) }
                    },
                }
            })
            .collect()
    }

    /// Bits of a pointer on the target the flags selected.
    pub(crate) fn pointer_bits(&self) -> u32 {
        // SAFETY: the unit is alive; the target info is freed after its use.
        unsafe {
            let info = clang_getTranslationUnitTargetInfo(self.raw);
            let bits = clang_TargetInfo_getPointerWidth(info);
            clang_TargetInfo_dispose(info);
            u32::try_from(bits).unwrap_or(0)
        }
    }

    /// What clang warns of, without the places.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        self.for_each_diagnostic(|diagnostic| {
            // SAFETY: the diagnostic is alive during the call.
            unsafe {
                if clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Warning {
                    warnings.push(take_string(clang_getDiagnosticSpelling(diagnostic)));
                }
            }
        });
        warnings
    }

    /// A unit is returned even for broken code, so its diagnostics decide.
    fn first_error(&self) -> Option<ParseError> {
        const SHOWN: usize = 5;
        let mut shown = Vec::new();
        let mut total = 0;
        self.for_each_diagnostic(|diagnostic| {
            // SAFETY: the diagnostic is alive during the call.
            unsafe {
                if clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error {
                    total += 1;
                    if shown.len() < SHOWN {
                        shown.push(describe(diagnostic));
                    }
                }
            }
        });
        (total > 0).then_some(ParseError::Errors { shown, total })
    }

    fn for_each_diagnostic(&self, mut look: impl FnMut(CXDiagnostic)) {
        // SAFETY: the unit is alive; each diagnostic is disposed of once, after its use.
        unsafe {
            for number in 0..clang_getNumDiagnostics(self.raw) {
                let diagnostic = clang_getDiagnostic(self.raw, number);
                look(diagnostic);
                clang_disposeDiagnostic(diagnostic);
            }
        }
    }
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `clang_parseTranslationUnit2`, disposed of once;
        // cursors borrow `self` and are gone.
        unsafe { clang_disposeTranslationUnit(self.raw) }
    }
}

/// `file:line: text`, or the text alone for a diagnostic about the flags.
///
/// # Safety
/// `diagnostic` must be alive.
unsafe fn describe(diagnostic: CXDiagnostic) -> String {
    let mut file = ptr::null_mut();
    let mut line = 0;
    // SAFETY: the diagnostic is alive and the out-pointers are valid.
    unsafe {
        let text = take_string(clang_getDiagnosticSpelling(diagnostic));
        let location = clang_getDiagnosticLocation(diagnostic);
        let (null, no_offset) = (ptr::null_mut(), ptr::null_mut());
        clang_getSpellingLocation(location, &mut file, &mut line, null, no_offset);
        if file.is_null() {
            text
        } else {
            format!("{}:{line}: {text}", take_string(clang_getFileName(file)))
        }
    }
}
