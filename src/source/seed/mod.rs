//! A seed as it comes from disk: the program's bytes, and how to compile and run it.
//!
//! A seed is a file `*.c`, or `*.i` if it is preprocessed already.
//!
//! Flags and inputs stand in comments before the first line of code:
//!
//! ```c
//! /* mestra-flags: -std=gnu89 -DX=3 */
//! /* mestra-run: 3 "hello world" < numbers.txt */
//! ```
//!
//! or, without the comments' marks, as lines of a file of the same name with
//! `.mestra` added. A seed that has both is refused, since only one can be meant.
//!
//! ```text
//! mestra-flags: -std=gnu89 -DX=3
//! ```
//!
//! Each `mestra-run` is one input: arguments in the shell's quoting, and perhaps
//! a file for standard input, named relative to the seed. Without any there is
//! one input, with no arguments and nothing to read.

mod directives;
#[cfg(test)]
mod tests;

use crate::error::SeedRefused;
use anyhow::Context;
use directives::words;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Seeds larger than this are refused rather than worked on for minutes.
const MAX_BYTES: u64 = 16 << 20;

/// The message for a file whose name is not that of a seed.
pub(crate) const NO_SEED: &str = "a seed must be a .c or .i file";

/// A C program with all that is needed to compile and run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    pub path: PathBuf,
    pub source: Arc<[u8]>,
    /// Compiler flags: those of the file itself, then those of the command line.
    pub flags: Vec<OsString>,
    /// At least one.
    pub inputs: Vec<Input>,
}

/// One run of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub arguments: Vec<OsString>,
    /// Read as standard input; nothing if `None`.
    pub stdin: Option<PathBuf>,
}

impl Seed {
    /// Reads a seed; `flags` are added to those that the file itself asks for.
    pub fn read(path: &Path, flags: &[OsString]) -> Result<Seed, SeedRefused> {
        let refused = |reason: String| SeedRefused::new(path, reason);
        let source = read_bounded(path).map_err(refused)?;
        if !is_seed(path) {
            return Err(refused(NO_SEED.into()));
        }
        let mut seed = Seed {
            path: path.to_owned(),
            source: source.into(),
            flags: Vec::new(),
            inputs: Vec::new(),
        };
        seed.read_directives().map_err(refused)?;
        seed.flags.extend_from_slice(flags);
        if includes_csmith(&seed.source)
            && let Some(directory) = csmith_headers()
        {
            // Last, so that the user's own directories come first.
            let mut flag = OsString::from("-I");
            flag.push(directory);
            seed.flags.push(flag);
        }
        Ok(seed)
    }

    /// Replaces the inputs: each of the arguments, in the shell's quoting, with each
    /// of the files as standard input. With neither, the seed's own stay.
    pub fn set_inputs(&mut self, arguments: &[String], files: &[PathBuf]) -> anyhow::Result<()> {
        if arguments.is_empty() && files.is_empty() {
            return Ok(());
        }
        let mut runs: Vec<Vec<OsString>> = Vec::new();
        for line in arguments {
            let run = words(line.as_bytes());
            runs.push(run.with_context(|| format!("--arg {line}: unbalanced quotes"))?);
        }
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        let files: Vec<Option<&PathBuf>> = if files.is_empty() {
            vec![None]
        } else {
            files.iter().map(Some).collect()
        };
        let pairs = runs
            .iter()
            .flat_map(|run| files.iter().map(move |file| (run, *file)));
        self.inputs = pairs
            .map(|(run, file)| Input {
                arguments: run.clone(),
                stdin: file.cloned(),
            })
            .collect();
        Ok(())
    }

    /// Adds the flag of a version of C, unless the seed's flags name one already.
    pub(crate) fn set_standard(&mut self, flag: Option<&str>) {
        let is_standard = |flag: &OsString| {
            let flag = flag.as_encoded_bytes();
            flag == b"-ansi" || flag.starts_with(b"-std=") || flag.starts_with(b"--std=")
        };
        if let Some(flag) = flag
            && !self.flags.iter().any(is_standard)
        {
            self.flags.insert(0, flag.into());
        }
    }

    /// The inputs that the seed itself asks for.
    fn own_inputs(&self) -> Result<Vec<Input>, String> {
        let mut own = Seed {
            flags: Vec::new(),
            inputs: Vec::new(),
            ..self.clone()
        };
        own.read_directives()?;
        Ok(own.inputs)
    }

    /// The inputs given in place of the seed's own; empty if it kept its own.
    pub fn given_inputs(&self) -> &[Input] {
        if self.own_inputs().as_ref() == Ok(&self.inputs) {
            &[]
        } else {
            &self.inputs
        }
    }

    /// The name under which compilers see the program. They would not preprocess a file
    /// `x.i`, and we add directives to it.
    pub(crate) fn program_name(&self) -> OsString {
        let name = self.path.with_extension("c");
        name.file_name().unwrap_or(OsStr::new("seed.c")).to_owned()
    }
}

/// Whether a file has the name of a seed.
pub(crate) fn is_seed(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension == "c" || extension == "i")
}

/// The seeds of a directory, in the order of their names.
pub fn seeds_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if is_seed(&path) && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = fs::metadata(path).map_err(|error| cannot_read(&error))?;
    if metadata.is_dir() {
        return Err("is a directory, not a C file".into());
    }
    if !metadata.is_file() {
        return Err("is not a regular file".into());
    }
    if metadata.len() > MAX_BYTES {
        let (has, may) = (metadata.len() >> 20, MAX_BYTES >> 20);
        return Err(format!("has {has} MB; the limit for a seed is {may} MB"));
    }
    let mut source = Vec::with_capacity(metadata.len() as usize);
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut source))
        .map_err(|error| cannot_read(&error))?;
    if source.is_empty() {
        return Err("is empty".into());
    }
    Ok(source)
}

fn cannot_read(error: &std::io::Error) -> String {
    format!("cannot be read: {error}")
}

fn includes_csmith(source: &[u8]) -> bool {
    source.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        line.starts_with(b"#include") && line.ends_with(b"\"csmith.h\"")
    })
}

/// Where Csmith's headers are, by `CSMITH_HOME` or in the usual places.
fn csmith_headers() -> Option<PathBuf> {
    let home = std::env::var_os("CSMITH_HOME").map(PathBuf::from);
    let of_home = home
        .iter()
        .flat_map(|home| [home.join("include"), home.join("runtime")]);
    let usual = ["/usr/include/csmith", "/usr/local/include/csmith"].map(PathBuf::from);
    of_home
        .chain(usual)
        .find(|directory| directory.join("csmith.h").is_file())
}

/// Hashes a seed's text; stable across versions and machines (64-bit FNV-1a).
pub fn hash_source(source: &[u8]) -> u64 {
    source.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
