//! A second process of ours that lives as long as we do, without limits: it learns from
//! the end of its standard input that we are gone.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The other process, as we see it. Dropped, it is told to finish and waited for.
#[derive(Debug)]
pub(crate) struct Companion {
    child: Child,
}

impl Companion {
    /// Starts a program whose standard input ends when this process does.
    pub(crate) fn start(program: &Path, arguments: &[&OsStr]) -> io::Result<Companion> {
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/")
            // Ctrl-C and the end of the terminal are not for it.
            .process_group(0)
            .spawn()?;
        super::orphans::keep_child(&child);
        Ok(Companion { child })
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
