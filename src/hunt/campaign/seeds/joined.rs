//! A program of several files as a seed, which is one.
//!
//! The files follow each other in one text, as in a unity build. That need not be the program
//! that linking them would give: two static variables of one name become one. But it is a
//! program, and what it does is measured like that of any other; if it is not C, compilers
//! say why.

use crate::source::seed::seeds_in;
use std::fs;
use std::path::Path;

/// The C files of a directory, one behind the other, in the order of their names. Headers
/// stay where they are.
pub(super) fn joined(directory: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    let files = seeds_in(directory).map_err(unreadable)?;
    if files.is_empty() {
        return Err("the command has left no C file in its directory".into());
    }
    let mut text = Vec::new();
    for file in files {
        text.extend(fs::read(file).map_err(unreadable)?);
        text.push(b'\n');
    }
    Ok(text)
}
