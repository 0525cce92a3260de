//! The files that paths in `--seeds` stand for: a program, a directory of them, a list, or a
//! database of compile commands.

use super::database;
use crate::source::seed::{self, NO_SEED};
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the user's, with flags that something beside it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeedFile {
    pub(super) path: PathBuf,
    pub(super) flags: Vec<OsString>,
}

/// Adds the C files that a path stands for.
pub(super) fn collect(path: &Path, files: &mut Vec<SeedFile>) -> Result<()> {
    let context = || format!("reading the seeds of {}", path.display());
    // A campaign may be resumed from another directory.
    let path = fs::canonicalize(path).with_context(context)?;
    let plain = |path| SeedFile {
        path,
        flags: Vec::new(),
    };
    if path.is_dir() {
        let found = seed::seeds_in(&path).with_context(context)?;
        files.extend(found.into_iter().map(plain));
    } else if seed::is_seed(&path) {
        files.push(plain(path));
    } else if path.ends_with(database::NAME) {
        files.extend(database::read(&path).with_context(context)?);
    } else {
        let text = fs::read_to_string(&path).with_context(context)?;
        let lines = text.lines().map(str::trim);
        let beside = path.parent().unwrap_or(Path::new("."));
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let file = beside.join(line);
            let is_file = if file.is_file() {
                ""
            } else {
                ", which is not a file"
            };
            ensure!(
                file.is_file() && seed::is_seed(&file),
                "{} lists {line}{is_file}; {NO_SEED}, and any other file is a list of seeds",
                path.display()
            );
            files.push(plain(file));
        }
    }
    Ok(())
}
