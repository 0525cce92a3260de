//! Programs that commands make: Csmith, and whatever `--seed-command` names.

use super::{Numbered, Seeds, joined};
use crate::error::SeedRefused;
use crate::lab::process::{Command, Ending, Limits, Purpose};
use crate::lab::scratch;
use anyhow::{Context, Result};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// Time limit of a generator for one program.
const LONGEST_GENERATION: Duration = Duration::from_secs(60);

/// Stands for the directory that a seed command fills.
const DIRECTORY: &str = "{dir}";

impl Seeds {
    /// A program that a command prints, or writes as several files.
    pub(super) fn by_command(&self, name: &str, number: u64, words: &[String]) -> Result<Numbered> {
        let origin =
            shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
        let directory = scratch::directory().context("making a directory for a seed")?;
        let is_written = words.iter().any(|word| word.contains(DIRECTORY));
        let here = directory.path().to_string_lossy();
        let words = words.iter().map(|word| word.replace(DIRECTORY, &here));
        let words: Vec<String> = words.collect();
        let path = directory.path().join(format!("{name}{number}.c"));
        let refused = |reason: String| SeedRefused::new(&path, reason);
        let command = Command::new(&words[0])
            .args(&words[1..])
            // Csmith leaves a file where it runs.
            .directory(directory.path())
            .purpose(Purpose::Generate)
            .limits(Limits {
                wall: LONGEST_GENERATION,
                ..Limits::default()
            });
        let output = self
            .lab
            .run_tool(&command)
            .with_context(|| format!("starting {}", words[0]))?;
        match output.ending {
            Ending::Exited(0) if is_written || !output.stdout.is_empty() => {}
            ending => return Err(refused(format!("{origin} failed: {ending}")).into()),
        }
        let text = if is_written {
            joined::joined(directory.path()).map_err(refused)?
        } else {
            output.stdout
        };
        fs::write(&path, text).context("writing a seed")?;
        Ok(Numbered {
            number,
            seed: self.read(&path, &[])?,
            origin,
            predicted: None,
            directory: Some(Arc::new(directory)),
            is_instance: false,
        })
    }
}
