//! Measured figures in a document: between `<!-- name -->` and `<!-- end of name -->`
//! stands what a command has written, and nothing else changes.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The repository's directory for documents.
pub fn directory() -> PathBuf {
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| ".".into());
    Path::new(&root).join("docs")
}

/// Writes a section of `docs/measurements.md` anew.
pub fn write(name: &str, section: &str) {
    let path = directory().join("measurements.md");
    let text = fs::read_to_string(&path).expect("docs/measurements.md is there");
    fs::write(&path, replaced(&text, name, section)).expect("docs/measurements.md can be written");
}

fn replaced(text: &str, name: &str, section: &str) -> String {
    let (start, end) = (
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = text
        .split_once(&start)
        .expect("the start of the section is marked");
    let (_, after) = rest
        .split_once(&end)
        .expect("the end of the section is marked");
    format!("{before}{start}{}\n{end}{after}", section.trim_end())
}
