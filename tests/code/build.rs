//! Compiling and running generated C.

use crate::support::{is_installed, newest_clang, oldest_clang, skipped};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A compiler with flags.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    pub(super) name: &'static str,
    pub(super) flags: &'static [&'static str],
}

pub(super) const GCC: Compiler = Compiler {
    name: "gcc",
    flags: &["-w", "-O0"],
};
/// The newest there is.
pub(super) const CLANG: Compiler = Compiler {
    name: "clang",
    flags: &["-w", "-O0"],
};
/// The oldest there is.
pub(super) const OLD_CLANG: Compiler = Compiler {
    name: "old-clang",
    flags: &["-w", "-O0"],
};
pub(super) const TCC: Compiler = Compiler {
    name: "tcc",
    flags: &["-w"],
};
/// Only `scripts/setup.sh all` installs it; where it is not, it has no objections.
pub(super) const PCC: Compiler = Compiler {
    name: "pcc",
    flags: &["-w"],
};

impl Compiler {
    pub(super) const fn with(&self, flags: &'static [&'static str]) -> Compiler {
        Compiler {
            name: self.name,
            flags,
        }
    }

    /// The name by which it is started.
    fn program(&self) -> &'static str {
        match self.name {
            "clang" => newest_clang(),
            "old-clang" => oldest_clang(),
            name => name,
        }
    }

    /// Compiles without linking; gives the messages if it fails.
    pub(super) fn accepts(&self, dir: &Path, text: &str) -> Result<(), String> {
        if self.name == PCC.name && !is_installed(PCC.name) {
            skipped("what pcc accepts", "it is not installed");
            return Ok(());
        }
        let source = write(dir, "check.c", text);
        let output = Command::new(self.program())
            .args(self.flags)
            .args(["-c", "-o"])
            // Never /dev/null: on an error clang deletes its output, and run
            // by root it deletes the device.
            .arg(dir.join("check.o"))
            .arg(&source)
            .output()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", self.name));
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Compiles and links, and gives the program.
    pub(super) fn build(&self, dir: &Path, text: &str, more: &[PathBuf]) -> PathBuf {
        let source = write(dir, &format!("{}.c", self.name), text);
        let program = dir.join(format!("{}.out", self.name));
        let output = Command::new(self.program())
            .args(self.flags)
            .arg("-o")
            .arg(&program)
            .arg(&source)
            .args(more)
            .output()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", self.name));
        assert!(
            output.status.success(),
            "{} {:?}: {}",
            self.name,
            self.flags,
            String::from_utf8_lossy(&output.stderr)
                .lines()
                .take(20)
                .collect::<Vec<_>>()
                .join("\n")
        );
        program
    }

    /// Compiles, runs, and gives what the program wrote.
    pub(super) fn output(&self, text: &str, more: &[(&str, &str)]) -> Vec<u8> {
        let dir = TempDir::new().unwrap();
        let more: Vec<PathBuf> = more
            .iter()
            .map(|(name, text)| write(dir.path(), name, text))
            .collect();
        let program = self.build(dir.path(), text, &more);
        let output = Command::new(program).output().unwrap();
        assert!(
            output.status.success(),
            "{} {:?}: {}",
            self.name,
            self.flags,
            output.status
        );
        output.stdout
    }
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Output read back as little-endian words.
pub(super) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks_exact(8)
        .map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap()))
        .collect()
}
