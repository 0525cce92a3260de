//! The files of `compile_commands.json`, each a seed with the flags it is compiled with.
//!
//! Which of them belong to one program the database does not say. A file without `main` is
//! set aside, or compiled only.

use super::files::SeedFile;
use crate::source::seed::is_seed;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of such a file.
pub(super) const NAME: &str = "compile_commands.json";

/// Flags with a word of their own that names a file or directory.
const WITH_PATH: [&str; 5] = ["-I", "-isystem", "-iquote", "-idirafter", "-include"];

#[derive(Debug, Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    /// In the shell's quoting, unless there are `arguments`.
    #[serde(default)]
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
}

/// The C files of a database, in its order.
pub(super) fn read(path: &Path) -> Result<Vec<SeedFile>> {
    let text = fs::read(path)?;
    let entries: Vec<CompileCommand> = serde_json::from_slice(&text)?;
    let entries = entries.into_iter().filter(|entry| is_seed(&entry.file));
    entries.map(CompileCommand::seed).collect()
}

impl CompileCommand {
    fn seed(self) -> Result<SeedFile> {
        let words = if self.arguments.is_empty() {
            let unbalanced = || format!("{}: unbalanced quotes", self.command);
            shlex::split(&self.command).with_context(unbalanced)?
        } else {
            self.arguments
        };
        Ok(SeedFile {
            path: self.directory.join(&self.file),
            flags: flags(&self.directory, &words),
        })
    }
}

/// The flags that say which C it is and where headers are. Levels and warnings are for
/// configs to choose, and nothing is to be written anywhere.
fn flags(directory: &Path, words: &[String]) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let with_path = WITH_PATH.iter().find(|flag| word.starts_with(**flag));
        if let Some(flag) = with_path {
            let path = match &word[flag.len()..] {
                "" => words.next().map(String::as_str).unwrap_or_default(),
                path => path,
            };
            flags.push((*flag).into());
            flags.push(directory.join(path).into());
        } else if word == "-D" || word == "-U" {
            flags.push(word.into());
            flags.extend(words.next().map(OsString::from));
        } else if ["-D", "-U", "-std=", "-ansi", "-m", "-f"]
            .iter()
            .any(|flag| word.starts_with(flag))
        {
            flags.push(word.into());
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_flags_that_they_are_compiled_with() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        let text = r#"[
            {"directory": "/a", "file": "x.c", "output": "x.o",
             "command": "cc -O2 -Wall -Iinc -I /usr/inc -DX='a b' -D Y -std=gnu89 -c -o x.o x.c"},
            {"directory": "/a", "file": "/b/y.c", "arguments": ["cc", "-m32", "-g", "-MD", "/b/y.c"]},
            {"directory": "/a", "file": "z.cc", "command": "c++ z.cc"}
        ]"#;
        fs::write(&path, text).unwrap();
        let found = read(&path).unwrap();
        let [x, y] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(x.path, Path::new("/a/x.c"));
        let flags = [
            "-I",
            "/a/inc",
            "-I",
            "/usr/inc",
            "-DX=a b",
            "-D",
            "Y",
            "-std=gnu89",
        ];
        assert_eq!(x.flags, flags);
        assert_eq!(
            (&*y.path, &y.flags[..]),
            (Path::new("/b/y.c"), &["-m32".into()][..])
        );
    }

    #[test]
    fn what_is_no_database_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        for text in ["", "{}", r#"[{"file": "x.c"}]"#] {
            fs::write(&path, text).unwrap();
            assert!(read(&path).is_err(), "{text}");
        }
    }
}
