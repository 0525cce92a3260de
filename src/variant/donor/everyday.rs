//! The everyday functions that Mestra brings along: conversions, checksums, dates, searches,
//! small state machines.
//!
//! They are C, in `everyday.c`, and read by the front end when they are first asked for, as
//! the functions of any other program are. Each is defined for many small arguments, so that
//! a few tries find some.

use super::DonorFunction;
use crate::source::clang::Clang;
use crate::source::program::lower_part;
use anyhow::Result;
use std::path::Path;
use std::sync::OnceLock;

const TEXT: &str = include_str!("everyday.c");

/// The functions, in the order of their text; an error if libclang is missing.
pub fn everyday() -> Result<&'static [DonorFunction]> {
    static FUNCTIONS: OnceLock<Vec<DonorFunction>> = OnceLock::new();
    if let Some(functions) = FUNCTIONS.get() {
        return Ok(functions);
    }
    let text = TEXT.as_bytes().into();
    let program = lower_part(&Clang::load()?, Path::new("everyday.c"), text, &[])?;
    Ok(FUNCTIONS.get_or_init(|| DonorFunction::all_of(&program)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_everyday_functions_are_known_as_trees() {
        let names = TEXT.lines().filter(|line| {
            let is_definition = line.ends_with(')') && line.starts_with(char::is_alphabetic);
            is_definition && !line.starts_with("static")
        });
        let names = names.map(|line| {
            let name = line.split('(').next().unwrap_or_default();
            name.rsplit(' ').next().unwrap_or_default()
        });
        let known = everyday().unwrap().iter();
        let known: Vec<&str> = known.map(|one| &*one.entry().unwrap().name).collect();
        assert_eq!(known, names.collect::<Vec<_>>());
    }
}
