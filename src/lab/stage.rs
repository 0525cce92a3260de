//! The place of a seed: a text that is put there is built under the seed's own file
//! name, with its flags, and run on its inputs, so that it sees nothing new.

use crate::source::seed::Seed;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Where texts take the place of a seed.
#[derive(Debug)]
pub struct Stage<'s> {
    pub seed: &'s Seed,
    /// The flags of the seed, and where its own includes are.
    pub flags: Vec<OsString>,
    /// Where programs write what they record, besides their own directory.
    pub records: Option<PathBuf>,
}

impl<'s> Stage<'s> {
    pub fn new(seed: &'s Seed) -> Result<Stage<'s>> {
        let mut flags = seed.flags.clone();
        let beside = seed
            .path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let beside = fs::canonicalize(beside.unwrap_or(Path::new(".")))
            .context("finding the seed's directory")?;
        let mut include = OsString::from("-I");
        include.push(beside);
        flags.push(include);
        Ok(Stage {
            seed,
            flags,
            records: None,
        })
    }

    /// Writes a text under the seed's name and returns the name to give a compiler.
    pub(super) fn put(&self, directory: &Path, text: &[u8]) -> Result<OsString> {
        let name = self.seed.program_name();
        fs::write(directory.join(&name), text).context("writing a program")?;
        // The bare name, which `__FILE__` shows; but one that starts with a dash
        // would be an option.
        let mut source = OsString::new();
        if name.as_encoded_bytes().starts_with(b"-") {
            source.push("./");
        }
        source.push(name);
        Ok(source)
    }

    /// The first of the seed's input files that is not there.
    pub(crate) fn missing_input(&self) -> Option<&Path> {
        let mut files = self.seed.inputs.iter().filter_map(|i| i.stdin.as_deref());
        files.find(|file| !file.is_file())
    }
}
