//! One seed being built and run, plain and instrumented.

use super::Unreached;
use super::instrument::{Instrumented, instrument};
use super::layout::{Caps, Layout};
use super::read::Record;
use super::reading::Reading;
use super::run::Profiler;
use crate::error::Refusal;
use crate::lab::toolchain::Compiler;
use crate::lab::{Behaviour, BuildFailure, Stage, Way, Workspace, cut_short, scratch};
use crate::source::program::{Program, StatementId};
use crate::source::seed::Seed;
use crate::source::seed::hash_source;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Why a build or run is of no use.
pub(super) enum NoProfile {
    /// The seed's fault.
    Refused(Refusal),
    /// Ours or the machine's.
    Broken(anyhow::Error),
}

impl From<anyhow::Error> for NoProfile {
    fn from(error: anyhow::Error) -> NoProfile {
        NoProfile::Broken(error)
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
        Recorder::of(instrument(program, sampled, None, Reading::Addresses), caps)
    }

    /// A recorder in whose builds optimisers have the same variables to work on as
    /// without it.
    pub(super) fn of_values(program: &Program, sampled: &[StatementId], caps: Caps) -> Recorder {
        Recorder::of(instrument(program, sampled, None, Reading::Values), caps)
    }

    /// A recorder for these points that leaves out what a record of this one shows not
    /// to be reached.
    pub(super) fn narrowed(
        &self,
        program: &Program,
        record: &Record,
        sampled: &[StatementId],
    ) -> Recorder {
        let points = self.instrumented.points.iter().zip(&record.visits);
        let unreached = points.filter(|(_, visits)| **visits == 0);
        let unreached: Vec<StatementId> = unreached.map(|(point, _)| *point).collect();
        let is_reached = |point: &&StatementId| unreached.binary_search(point).is_err();
        let sampled: Vec<StatementId> = sampled.iter().filter(is_reached).copied().collect();
        let unreached = Unreached::by_points(program, unreached);
        let instrumented = instrument(program, &sampled, Some(&unreached), Reading::Addresses);
        Recorder::of(instrumented, self.layout.caps)
    }

    fn of(instrumented: Instrumented, caps: Caps) -> Recorder {
        let layout = instrumented.layout(caps);
        Recorder {
            instrumented,
            layout,
        }
    }
}

/// One seed being profiled.
pub(super) struct Work<'a> {
    profiler: &'a Profiler,
    stage: Stage<'a>,
    directory: TempDir,
}

impl<'a> Work<'a> {
    pub(super) fn new(profiler: &'a Profiler, seed: &'a Seed) -> Result<Work<'a>> {
        let directory = scratch::directory().context("making a directory for a profile")?;
        let mut stage = Stage::new(seed)?;
        stage.records = Some(directory.path().to_owned());
        Ok(Work {
            profiler,
            stage,
            directory,
        })
    }

    /// Builds the text under the seed's own name, which it may print.
    fn build(
        &self,
        way: &Way,
        text: &[u8],
        runtime: Option<&Path>,
    ) -> Result<Workspace<'_>, NoProfile> {
        let lab = &self.profiler.lab;
        let space = lab.workspace(&self.stage, text)?;
        let objects: Vec<&OsStr> = runtime.map(Path::as_os_str).into_iter().collect();
        if let Err(failure) = lab.build(&space, way, &objects)? {
            let failure = failure
                .of_trusted(&way.compiler)
                .map_err(anyhow::Error::from)?;
            return Err(cannot_compile(&way.compiler, &failure));
        }
        Ok(space)
    }

    /// Whether a compiler takes the plain seed.
    pub(super) fn check_syntax(&self, compiler: &Compiler) -> Result<(), NoProfile> {
        let way = self.profiler.way(compiler);
        let lab = &self.profiler.lab;
        let checked = lab.check_syntax(&self.stage, &self.stage.seed.source, &way)?;
        checked.map_err(|failure| cannot_compile(compiler, &failure))
    }

    /// Runs a built program on every input.
    fn run(&self, space: &Workspace<'_>, way: &Way) -> Result<Vec<Behaviour>, NoProfile> {
        if let Some(file) = self.stage.missing_input() {
            let file = file.to_string_lossy().into_owned();
            return Err(NoProfile::Refused(Refusal::MissingInput { file }));
        }
        let behaviours = self.profiler.lab.run(space, way)?;
        match cut_short(&behaviours, way.patience.run) {
            Some(refusal) => Err(NoProfile::Refused(refusal)),
            None => Ok(behaviours),
        }
    }

    /// The plain seed, run twice.
    pub(super) fn run_plain(&self, compiler: &Compiler) -> Result<Vec<Behaviour>, NoProfile> {
        let way = self.profiler.way(compiler);
        let built = self.build(&way, &self.stage.seed.source, None)?;
        let once = self.run(&built, &way)?;
        let again = Way {
            shares_pids: true,
            ..way
        };
        if self.run(&built, &again)? != once {
            return Err(NoProfile::Refused(Refusal::ChangesFromRunToRun));
        }
        Ok(once)
    }

    /// The instrumented seed: what it does and what it records.
    pub(super) fn observe(&self, recorder: &Recorder, way: &Way) -> Result<Observed, NoProfile> {
        let flags = self.stage.flags.iter().chain(&way.flags);
        let runtime = self.profiler.runtime(&way.compiler, flags)?;
        // The file's name is part of the text, so that the seed's environment,
        // arguments and descriptors stay as they are.
        let record = self
            .directory
            .path()
            .join(format!("record-{}", unique_name(way)));
        recorder
            .layout
            .create(&record)
            .context("making the profile's file")?;
        let text = recorder.instrumented.recording_into(&record);
        let built = self.build(way, &text, Some(&runtime))?;
        let start = Instant::now();
        let behaviours = self.run(&built, way)?;
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

fn cannot_compile(compiler: &Compiler, failure: &BuildFailure) -> NoProfile {
    NoProfile::Refused(Refusal::CannotCompile {
        compiler: compiler.name.clone(),
        words: failure.words().to_string(),
    })
}

/// A file name for one compiler and its flags.
fn unique_name(way: &Way) -> String {
    let mut text = way.compiler.path.as_os_str().to_owned();
    for flag in &way.flags {
        text.push(" ");
        text.push(flag);
    }
    format!("{:016x}", hash_source(text.as_encoded_bytes()))
}
