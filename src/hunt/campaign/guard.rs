//! Cleaning up after a campaign that is killed before it can do so itself.
//!
//! The guard is this same program, waiting in another process for the end of a pipe
//! that only the campaign holds. However the campaign ends, the pipe ends too; then
//! processes still working in the campaign's scratch directory are killed, and the
//! directory is removed.

use crate::lab::process::Companion;
use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The guard of one campaign, as the campaign sees it.
#[derive(Debug)]
pub(crate) struct Guard {
    _companion: Companion,
}

impl Guard {
    /// Starts this program as the guard of a directory.
    pub(crate) fn start(directory: &Path) -> Result<Guard> {
        let program = std::env::current_exe().context("finding our own executable")?;
        let arguments = ["guard".as_ref(), directory.as_os_str()];
        let companion = Companion::start(&program, &arguments).context("starting a guard")?;
        Ok(Guard {
            _companion: companion,
        })
    }
}

/// What the guard does: waits for the end of standard input, then cleans up.
pub(crate) fn stand(directory: &Path) -> io::Result<()> {
    let mut buffer = [0; 64];
    let mut pipe = io::stdin().lock();
    while !matches!(pipe.read(&mut buffer), Ok(0) | Err(_)) {}
    clean(directory)
}

/// Kills the processes that work in a directory and removes it.
pub(crate) fn clean(directory: &Path) -> io::Result<()> {
    // A process may start another while we look, so we look until none is left.
    for _ in 0..100 {
        let workers = workers(directory);
        if workers.is_empty() {
            break;
        }
        for worker in workers {
            let _ = kill_process(worker, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The processes whose working directory is inside the directory.
fn workers(directory: &Path) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let is_inside = |path: &PathBuf| path.starts_with(directory);
    let workers = processes.flatten().filter_map(|process| {
        let number = process.file_name().to_str()?.parse().ok()?;
        fs::read_link(process.path().join("cwd"))
            .ok()
            .filter(is_inside)?;
        Pid::from_raw(number)
    });
    workers.collect()
}
