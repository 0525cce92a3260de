//! Compilers: finding them, and which family they are of.

mod config;
mod detect;
mod flags;
mod standard;

pub use config::{Config, Runner, SecondUnit};
pub(crate) use config::{FILE, around_file};
pub(crate) use flags::{Knob, LEVEL, LINK};
pub(crate) use standard::MOST_WANTED_STANDARD;

use crate::error::ToolMissing;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A C compiler of this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiler {
    /// As it was asked for: a name or a path.
    pub name: String,
    pub path: PathBuf,
    pub family: Family,
}

/// Compilers that take the same options and evaluate in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    Gcc,
    Clang,
    Tcc,
    Other,
}

impl Compiler {
    /// Finds a compiler by name on `PATH`, or by path.
    pub fn find(name: &str) -> Result<Compiler, ToolMissing> {
        let path = if name.contains('/') {
            // Absolute, since compilers are started in other directories.
            let path = std::path::absolute(name).ok();
            path.filter(|path| is_executable(path))
        } else {
            on_path(name)
        };
        let path = path.ok_or_else(|| ToolMissing {
            what: format!("the compiler {}", why_not(name)),
            remedy: "install it, or name another".into(),
        })?;
        Ok(Compiler {
            name: name.to_owned(),
            family: Family::of(&path),
            path,
        })
    }

    /// The compilers we trust with profiles: gcc and the newest clang, which order
    /// evaluation differently, and tcc, which orders in a third way and is nearly free.
    pub fn trusted() -> Result<Vec<Compiler>, ToolMissing> {
        let gcc = Compiler::find("gcc")?;
        let clang = newest_clang().ok_or_else(|| ToolMissing {
            what: "no clang was found".into(),
            remedy: "install one, such as clang-19".into(),
        })?;
        Ok([gcc, clang]
            .into_iter()
            .chain(Compiler::find("tcc").ok())
            .collect())
    }

    /// Whether it certainly makes objects for this machine that any linker here takes:
    /// a plain gcc or clang, not `aarch64-linux-gnu-gcc` or a script of another name.
    pub(crate) fn is_native(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let is_plain = |start: &str| {
            let rest = name.strip_prefix(start);
            rest.is_some_and(|rest| rest.bytes().all(|b| b == b'-' || b.is_ascii_digit()))
        };
        ["gcc", "clang", "cc"].into_iter().any(is_plain)
    }
}

impl Family {
    /// By the name of the executable.
    fn of(path: &Path) -> Family {
        let name = path
            .file_name()
            .map(OsStr::to_string_lossy)
            .unwrap_or_default();
        if name.contains("clang") {
            Family::Clang
        } else if name.contains("tcc") {
            Family::Tcc
        } else if name.contains("gcc") || name == "cc" {
            Family::Gcc
        } else {
            Family::Other
        }
    }
}

/// `clang-N` with the highest N, else `clang`.
pub fn newest_clang() -> Option<Compiler> {
    (13..60)
        .rev()
        .map(|version| format!("clang-{version}"))
        .chain(["clang".into()])
        .find_map(|name| Compiler::find(&name).ok())
}

/// A program of this name on `PATH`.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    on_path(name)
}

/// What is wrong with a program that cannot be found: it may be there, as a directory or without
/// the right to be run.
fn why_not(name: &str) -> String {
    if name.contains('/') && Path::new(name).exists() {
        format!("{name} is not a program that can be run")
    } else {
        format!("{name} was not found")
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|p| is_executable(p))
}

pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// What linkers say that is wrong, behind a place in an object.
pub(crate) const LINKER: [&str; 2] = ["undefined reference", "relocation truncated to fit"];

/// What an assembler puts before what is wrong.
pub(crate) const ASSEMBLER: &str = "Error: ";

/// The line of a compiler's, assembler's or linker's words that says what was wrong.
pub(crate) fn error_line<'t>(text: &'t str) -> Option<&'t str> {
    let is_error = |line: &&str| {
        line.contains("error")
            || line.contains(ASSEMBLER)
            || LINKER.iter().any(|said| line.contains(said))
    };
    // Some quote the program, and say below it what is wrong, behind a caret.
    let behind_caret = |line: &'t str| {
        let words = line.trim_start().strip_prefix('^')?.trim();
        words.starts_with(char::is_alphabetic).then_some(words)
    };
    // `x.s: Assembler messages:` announces one and is none.
    let is_heading = |line: &&str| line.ends_with(':');
    let mut others = text.lines().filter(|line| !is_heading(line));
    text.lines()
        .find(is_error)
        .or_else(|| text.lines().find_map(behind_caret))
        .or_else(|| others.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_given_by_a_relative_path_is_found_from_everywhere() {
        let found = Compiler::find("scripts/setup.sh").unwrap();
        assert!(found.path.is_absolute(), "{found:?}");
    }

    #[test]
    fn what_is_there_and_cannot_be_run_is_not_said_to_be_missing() {
        let said = |name: &str| Compiler::find(name).unwrap_err().what;
        let cannot = "is not a program that can be run";
        for there in ["./Cargo.toml", "src/", "/"] {
            assert_eq!(said(there), format!("the compiler {there} {cannot}"));
        }
        assert_eq!(said("./nowhere"), "the compiler ./nowhere was not found");
        assert_eq!(said("no-such-cc"), "the compiler no-such-cc was not found");
    }

    #[test]
    fn only_plain_compilers_count_as_native() {
        let named = |name: &str| Compiler {
            name: name.into(),
            path: PathBuf::from("/somewhere").join(name),
            family: Family::Other,
        };
        for name in ["gcc", "gcc-12", "clang", "clang-19", "cc"] {
            assert!(named(name).is_native(), "{name}");
        }
        for name in ["aarch64-linux-gnu-gcc", "gcc-wrapper", "tcc", "pcc", "zig"] {
            assert!(!named(name).is_native(), "{name}");
        }
    }
}
