//! Programs that commands make: Csmith, and whatever `--seed-command` names.

use super::{Numbered, Seeds, joined, prediction};
use crate::error::{SeedRefused, ToolMissing};
use crate::lab::process::{Command, Ending, Limits, Purpose, STRETCH};
use crate::lab::scratch;
use crate::lab::toolchain::{find_tool, is_executable};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Time limit of a generator for one program.
const LONGEST_GENERATION: Duration = Duration::from_secs(60);

/// Stands for the directory that a seed command fills.
const DIRECTORY: &str = "{dir}";

/// Whether a command can be started at all: a campaign that has begun keeps it for ever.
///
/// # Errors
/// If there is no such program.
pub(super) fn check(program: &str) -> Result<(), ToolMissing> {
    let is_there = if program.contains('/') {
        is_executable(Path::new(program))
    } else {
        find_tool(program).is_some()
    };
    if is_there {
        return Ok(());
    }
    Err(ToolMissing {
        what: format!("the seed command {program} is not a program that can be run"),
        remedy: "correct --seed-command".into(),
    })
}

/// A command whose program is found from every directory: each seed is made in one of its own.
/// `None` if it was found from everywhere before, or is no command.
pub(in super::super) fn absolute(command: &str) -> Option<String> {
    let mut words = shlex::split(command)?;
    let program = words.first_mut()?;
    if !program.contains('/') || program.starts_with('/') {
        return None;
    }
    let path = std::path::absolute(&*program).ok()?;
    *program = path.into_os_string().into_string().ok()?;
    shlex::try_join(words.iter().map(String::as_str)).ok()
}

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
                stretch: STRETCH,
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
        let seed = self.read(&path, &[])?;
        Ok(Numbered {
            number,
            predicted: prediction(&seed),
            seed,
            origin,
            directory: Some(Arc::new(directory)),
            is_instance: false,
            features: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_must_be_a_program_that_can_be_run() {
        assert!(check("sh").is_ok());
        assert!(check("/bin/sh").is_ok());
        for wrong in [
            "no-such-generator",
            "/no/such/generator",
            "/tmp",
            "src/lib.rs",
        ] {
            let error = check(wrong).unwrap_err().to_string();
            assert!(error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn a_relative_command_is_found_from_everywhere() {
        let here = std::env::current_dir().unwrap();
        let found = absolute("./make.sh {seed} 'a b'").unwrap();
        let words = shlex::split(&found).unwrap();
        assert_eq!(words[0], here.join("make.sh").to_str().unwrap());
        assert_eq!(words[1..], ["{seed}", "a b"]);
        assert_eq!(absolute("csmith --seed {seed}"), None);
        assert_eq!(absolute("/usr/bin/csmith {seed}"), None);
    }
}
