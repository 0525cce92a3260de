//! Parsing a program in another process before libclang reads it in this one: if it crashes or
//! takes too long there, the program is refused; here that would end or hold up all other work.
//!
//! This is done only for programs that [`is_risky`] reports, and only if [`probe_with`] has
//! been called, because this layer starts no processes itself.

use super::extent::is_risky;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Tries to read a program with this path, text and flags; the error says why it cannot be.
pub type FrontEndProbe = fn(&Path, &[u8], &[OsString]) -> Result<(), String>;

static PROBE: OnceLock<FrontEndProbe> = OnceLock::new();

/// The programs that were tried and can be read, with their sizes.
static TRIED: Mutex<Option<HashMap<PathBuf, usize>>> = Mutex::new(None);

/// Sets how programs are tried, once for the whole process.
pub fn probe_with(probe: FrontEndProbe) {
    // A second call has nothing new to say.
    let _ = PROBE.set(probe);
}

/// Tries a program if it may take libclang's stack or time.
pub(super) fn probe(path: &Path, source: &[u8], flags: &[OsString]) -> Result<(), String> {
    let Some(probe) = PROBE.get() else {
        return Ok(());
    };
    if !is_risky(source) || is_tried(path, source) {
        return Ok(());
    }
    probe(path, source, flags)?;
    let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    let tried = tried.get_or_insert_default();
    tried.insert(path.to_owned(), source.len());
    Ok(())
}

/// Whether this program was tried, or one that it is a variant or a part of: there are
/// hundreds of those, and they are hardly deeper.
fn is_tried(path: &Path, source: &[u8]) -> bool {
    let tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    let size = tried.as_ref().and_then(|tried| tried.get(path));
    size.is_some_and(|&size| source.len() / 2 <= size)
}
