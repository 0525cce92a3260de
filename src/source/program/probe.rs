//! Trying a program elsewhere before libclang reads it here: a crash there is a
//! refusal, and a crash here would be the end of all other work, too.
//!
//! Only for programs that [`looks_deep`] is afraid of, and only if somebody has said
//! how: this layer starts no processes.

use super::extent::looks_deep;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Tells why a program of this path, text and flags cannot be read.
pub type FrontEndProbe = fn(&Path, &[u8], &[OsString]) -> Result<(), String>;

static PROBE: OnceLock<FrontEndProbe> = OnceLock::new();

/// The programs that were tried and can be read, with their sizes.
static TRIED: Mutex<Option<HashMap<PathBuf, usize>>> = Mutex::new(None);

/// Says how programs are tried, for the rest of the process's life.
pub fn probe_with(probe: FrontEndProbe) {
    // Whoever says so twice means the same.
    let _ = PROBE.set(probe);
}

/// Tries a program if that is called for.
pub(super) fn probe(path: &Path, source: &[u8], flags: &[OsString]) -> Result<(), String> {
    let Some(probe) = PROBE.get() else {
        return Ok(());
    };
    if !looks_deep(source) || is_tried(path, source) {
        return Ok(());
    }
    probe(path, source, flags)?;
    let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    let tried = tried.get_or_insert_default();
    tried.insert(path.to_owned(), source.len());
    Ok(())
}

/// Whether the program was tried, or one that this is a variant or a part of: those
/// come by the hundred, and are hardly deeper.
fn is_tried(path: &Path, source: &[u8]) -> bool {
    let tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    let size = tried.as_ref().and_then(|tried| tried.get(path));
    size.is_some_and(|&size| source.len() / 2 <= size)
}
