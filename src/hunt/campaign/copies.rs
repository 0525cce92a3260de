//! Directories of findings, brought from one campaign's directory to another's.

use crate::hunt::finding::{FINDINGS, SUSPICIONS, UNFINISHED, directories_in};
use crate::lab::files::{copy_directory, place_directory};
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// All findings and suspicions of a campaign, each with the directory it belongs into in
/// another campaign.
pub(super) fn findings(from: &Path, to: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let mut found = Vec::new();
    for which in [FINDINGS, SUSPICIONS] {
        let directories = directories_in(from, which)?;
        found.extend(directories.into_iter().map(|path| (path, to.join(which))));
    }
    Ok(found)
}

/// Brings a directory into another, where it appears whole. One of the same name is
/// replaced unless it has everything that this one has.
pub(super) fn bring(directory: &Path, into: &Path) -> Result<()> {
    let name = directory.file_name().unwrap_or_default();
    let target = into.join(name);
    let bring = || -> io::Result<()> {
        if has_all_of(&target, directory)? {
            return Ok(());
        }
        let mut unfinished = std::ffi::OsString::from(UNFINISHED);
        unfinished.push(name);
        let unfinished = into.join(unfinished);
        remove(&unfinished)?;
        copy_directory(directory, &unfinished)?;
        place_directory(&unfinished, &target)
    };
    bring().with_context(|| format!("copying {} to {}", directory.display(), into.display()))
}

/// Whether a directory has every file of another, with the same content.
pub(super) fn has_all_of(directory: &Path, other: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(other)? {
        let theirs = entry?.path();
        let own = directory.join(theirs.file_name().unwrap_or_default());
        let is_same = if theirs.is_dir() {
            has_all_of(&own, &theirs)?
        } else {
            own.is_file() && fs::read(&own)? == fs::read(&theirs)?
        };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
