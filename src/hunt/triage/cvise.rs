//! C-Vise or C-Reduce, where installed: they reduce further than our own reducer and take
//! much longer.

use crate::lab::Lab;
use crate::lab::process::{Command, Ending, Limits, Output};
use crate::lab::toolchain::{error_line, find_tool};
use anyhow::{Context, Result};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// Reduces a text with the tool, which is stopped after some time; what it has reached by
/// then counts. `None` if neither tool is installed; the tool's complaint
/// if it fails.
pub(super) fn reduce(
    lab: &Lab,
    text: &[u8],
    name: &str,
    script: &str,
    jobs: usize,
    budget: Duration,
) -> Result<Option<Result<Vec<u8>, String>>> {
    let Some(tool) = ["cvise", "creduce"].iter().find_map(|name| find_tool(name)) else {
        return Ok(None);
    };
    let directory = crate::lab::scratch::directory().context("making a directory")?;
    let directory = directory.path();
    fs::write(directory.join(name), text).context("writing a program")?;
    write_script(&directory.join("interesting.sh"), script)?;
    let command = Command::new(tool)
        .directory(directory)
        .env("TMPDIR", directory)
        .env("HOME", directory)
        .args(["--n", &jobs.to_string(), "./interesting.sh", name])
        .limits(Limits {
            wall: budget,
            memory: None,
            output: usize::MAX,
            ..Limits::default()
        })
        .for_the_rest();
    let output = lab.run_tool(&command).context("starting C-Vise")?;
    if let Some(complaint) = complaint(&output) {
        return Ok(Some(Err(complaint)));
    }
    let smaller = fs::read(directory.join(name)).context("reading the result of C-Vise")?;
    Ok(Some(Ok(smaller)))
}

/// The tool's error message, or how it ended; `None` if it succeeded.
fn complaint(output: &Output) -> Option<String> {
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
    let line = match output.ending {
        // Both tools end like this if the test rejects the original program.
        Ending::Exited(0) | Ending::TimedOut => {
            stdout.lines().find(|line| line.contains("cannot run"))?
        }
        ending => match error_line(&stderr).or(error_line(&stdout)) {
            Some(line) => line,
            None => return Some(ending.to_string()),
        },
    };
    Some(line.trim().to_owned())
}

/// Writes an executable file.
pub(super) fn write_script(path: &Path, text: &str) -> Result<()> {
    crate::lab::files::write_whole(path, text.as_bytes())?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("making {} executable", path.display()))
}
