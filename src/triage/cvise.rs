//! C-Vise or C-Reduce, where installed: they know C better than our own reducer,
//! and take much longer.

use crate::process::{Command, Ending, Limits};
use crate::toolchain::find_tool;
use anyhow::{Context, Result};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// Makes a text smaller with the tool, which is stopped after some time; what it
/// has come to by then counts. `None` if neither tool is installed.
pub(super) fn reduce(
    text: &[u8],
    name: &str,
    script: &str,
    jobs: usize,
    budget: Duration,
) -> Result<Option<Vec<u8>>> {
    let Some(tool) = ["cvise", "creduce"].iter().find_map(|name| find_tool(name)) else {
        return Ok(None);
    };
    let directory = crate::scratch::directory().context("making a directory")?;
    let directory = directory.path();
    fs::write(directory.join(name), text).context("writing a program")?;
    write_script(&directory.join("interesting.sh"), script)?;
    let outcome = Command::new(tool)
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
        .for_the_rest()
        .run()
        .context("starting C-Vise")?;
    let is_usable = matches!(outcome.ending, Ending::Exited(0) | Ending::TimedOut);
    let smaller = fs::read(directory.join(name)).context("reading what C-Vise made")?;
    Ok(is_usable.then_some(smaller))
}

/// Writes a file that can be run.
pub(super) fn write_script(path: &Path, text: &str) -> Result<()> {
    crate::files::write_whole(path, text.as_bytes())?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("making {} a program", path.display()))
}
