//! One seed being built and run, plain and instrumented.

use super::Unreached;
use super::instrument::{Instrumented, instrument};
use super::layout::{Caps, Layout};
use super::read::Record;
use super::run::Profiler;
use crate::lab::process::{Ending, Limits, Purpose};
use crate::lab::scratch;
use crate::lab::toolchain::{Behaviour, Compiler, Runner, Stage};
use crate::source::program::{Program, StatementId};
use crate::source::seed::Seed;
use crate::source::seed::hash_source;
use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Why a build or run is no use.
pub(super) enum Failure {
    /// The seed's fault.
    Refused(String),
    /// Ours or the machine's.
    Broken(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Broken(error)
    }
}

/// What the instrumented seed did.
pub(super) struct Observed {
    pub(super) behaviours: Vec<Behaviour>,
    pub(super) run_time: Duration,
    pub(super) record: Record,
}

/// A seed that records values at certain points, and the file it records into.
pub(super) struct Recorder {
    pub(super) instrumented: Instrumented,
    layout: Layout,
}

impl Recorder {
    pub(super) fn new(program: &Program, sampled: &[StatementId], caps: Caps) -> Recorder {
        Recorder::of(instrument(program, sampled, None), caps)
    }

    /// A recorder for what a record of this one shows to be reached.
    pub(super) fn narrowed(&self, program: &Program, record: &Record) -> Recorder {
        let points = self.instrumented.points.iter().zip(&record.visits);
        let unreached = points.filter(|(_, visits)| **visits == 0);
        let unreached = unreached.map(|(point, _)| *point).collect();
        let unreached = Unreached::by_points(program, unreached);
        let instrumented = instrument(program, &self.reached(record), Some(&unreached));
        Recorder::of(instrumented, self.layout.caps)
    }

    fn of(instrumented: Instrumented, caps: Caps) -> Recorder {
        let layout = instrumented.layout(caps);
        Recorder {
            instrumented,
            layout,
        }
    }

    /// The sampled points that a record shows visits of.
    fn reached(&self, record: &Record) -> Vec<StatementId> {
        let points = self.instrumented.samples.iter().map(|plan| plan.point);
        points
            .filter(|&point| record.visits[point] > 0)
            .map(|point| self.instrumented.points[point])
            .collect()
    }
}

/// One seed being profiled.
pub(super) struct Work<'a> {
    profiler: &'a Profiler,
    stage: Stage<'a>,
    directory: TempDir,
}

impl<'a> Work<'a> {
    pub(super) fn new(profiler: &'a Profiler, seed: &'a Seed, runner: Runner) -> Result<Work<'a>> {
        let directory = scratch::directory().context("making a directory for a profile")?;
        let mut stage = Stage::new(seed, Purpose::Profile)?;
        stage.runner = runner;
        Ok(Work {
            profiler,
            stage,
            directory,
        })
    }

    /// Builds the text under the seed's own name, which it may print.
    fn build(
        &self,
        compiler: &Compiler,
        flags: &[OsString],
        text: &[u8],
        runtime: Option<&Path>,
    ) -> Result<TempDir, Failure> {
        let directory = tempfile::tempdir_in(self.directory.path())
            .context("making a directory for a build")?;
        let objects: Vec<&OsStr> = runtime.map(Path::as_os_str).into_iter().collect();
        let built = self
            .stage
            .build(compiler, directory.path(), flags, text, &objects)?;
        built.map_err(|error| {
            Failure::Refused(format!("{} cannot compile it: {error}", compiler.name))
        })?;
        let made = self.stage.expect_program(compiler, directory.path());
        made.map_err(anyhow::Error::from)?;
        Ok(directory)
    }

    /// Runs a built program on every input.
    fn run(&self, built: &TempDir, flags: &[OsString]) -> Result<Vec<Behaviour>, Failure> {
        let timeout = self.profiler.options.seed_timeout;
        let is_sanitizer = |flag: &OsString| flag.as_encoded_bytes().starts_with(b"-fsanitize");
        let memory = match flags.iter().any(is_sanitizer) {
            true => None,
            false => Some(self.profiler.options.seed_memory),
        };
        let inputs = &self.stage.seed.inputs;
        inputs
            .iter()
            .map(|input| {
                let command = self.stage.command(built.path(), input).limits(Limits {
                    wall: timeout,
                    memory,
                    ..Limits::default()
                });
                let outcome = command.run().map_err(|error| match &input.stdin {
                    Some(file) if !file.exists() => Failure::Refused(format!(
                        "its input {} cannot be read: {error}",
                        file.display()
                    )),
                    _ => Failure::Broken(anyhow::Error::new(error).context("running the seed")),
                })?;
                match outcome.ending {
                    Ending::TimedOut => Err(Failure::Refused(format!(
                        "does not end within {} s",
                        timeout.as_secs_f64()
                    ))),
                    Ending::TooMuchOutput => Err(Failure::Refused("prints too much".into())),
                    _ => Ok(Behaviour::from(outcome)),
                }
            })
            .collect()
    }

    /// The plain seed, run twice.
    pub(super) fn run_plain(&self, compiler: &Compiler) -> Result<Vec<Behaviour>, Failure> {
        let built = self.build(compiler, &[], &self.stage.seed.source, None)?;
        let once = self.run(&built, &[])?;
        if self.run(&built, &[])? != once {
            return Err(Failure::Refused(
                "behaves differently from run to run".into(),
            ));
        }
        Ok(once)
    }

    /// The instrumented seed: what it does and what it records.
    pub(super) fn observe(
        &self,
        recorder: &Recorder,
        compiler: &Compiler,
        flags: &[OsString],
    ) -> Result<Observed, Failure> {
        let all: Vec<OsString> = self.stage.flags.iter().chain(flags).cloned().collect();
        let runtime = self.profiler.runtime(compiler, &all)?;
        // The file's name is part of the text, so that the seed's environment,
        // arguments and descriptors stay as they are.
        let record = self
            .directory
            .path()
            .join(format!("record-{}", unique_name(compiler, flags)));
        recorder
            .layout
            .create(&record)
            .context("making the profile's file")?;
        let text = recorder.instrumented.recording_into(&record);
        let built = self.build(compiler, flags, &text, Some(&runtime))?;
        let start = Instant::now();
        let behaviours = self.run(&built, flags)?;
        let run_time = start.elapsed();
        let read = Record::read(&record, &recorder.layout)?;
        fs::remove_file(&record).context("removing the profile's file")?;
        Ok(Observed {
            behaviours,
            run_time,
            record: read,
        })
    }
}

/// A file name for one compiler and its flags.
fn unique_name(compiler: &Compiler, flags: &[OsString]) -> String {
    let mut text = compiler.path.as_os_str().to_owned();
    for flag in flags {
        text.push(" ");
        text.push(flag);
    }
    format!("{:016x}", hash_source(text.as_encoded_bytes()))
}
