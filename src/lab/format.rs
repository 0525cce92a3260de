//! Files of JSON that say which version of their format they have.

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A value with the version of its format before it.
#[derive(Serialize)]
struct Versioned<'v, T> {
    format: u32,
    #[serde(flatten)]
    value: &'v T,
}

/// The version alone; files that were made before there was one have the first.
#[derive(Deserialize)]
struct FormatOnly {
    #[serde(default = "first")]
    format: u32,
}

fn first() -> u32 {
    1
}

/// An object as the content of a file.
pub(crate) fn to_json<T: Serialize>(value: &T, format: u32) -> Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(&Versioned { format, value })?;
    json.push(b'\n');
    Ok(json)
}

/// The same in a single line, for files that people do not read.
pub(crate) fn to_line<T: Serialize>(value: &T, format: u32) -> Result<Vec<u8>> {
    let mut json = serde_json::to_vec(&Versioned { format, value })?;
    json.push(b'\n');
    Ok(json)
}

/// What a file holds.
///
/// # Errors
/// If it cannot be read, is no such thing, or is of a version that is not known here.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, format: u32, what: &str) -> Result<T> {
    let shown = path.display();
    let text = fs::read(path).with_context(|| format!("reading {shown}"))?;
    let is_not = || format!("{shown} is not {what}");
    let own: FormatOnly = serde_json::from_slice(&text).with_context(is_not)?;
    ensure!(
        own.format == format,
        "{shown} was made by another version of mestra (format {}, this one reads {format})",
        own.format
    );
    serde_json::from_slice(&text).with_context(is_not)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn formats_are_written_and_others_refused_with_a_sentence() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file.json");
        let value = BTreeMap::from([("key".to_owned(), 3)]);
        let text = to_json(&value, 1).unwrap();
        assert_eq!(text, b"{\n  \"format\": 1,\n  \"key\": 3\n}\n");
        let read = |text: &[u8]| {
            fs::write(&path, text).unwrap();
            read::<BTreeMap<String, i32>>(&path, 1, "a number")
        };
        assert_eq!(read(&text).unwrap()["key"], 3);
        assert_eq!(read(b"{\"key\": 3}").unwrap()["key"], 3, "an older file");
        let error = read(b"{\"format\": 2}").unwrap_err().to_string();
        assert!(error.ends_with("another version of mestra (format 2, this one reads 1)"));
        let error = read(b"[").unwrap_err().to_string();
        assert!(error.ends_with("file.json is not a number"), "{error}");
    }
}
