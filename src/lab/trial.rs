//! Building and running texts, whole or step by step.

use super::deadline::{Deadline, Hurried};
use super::process::{Command, Output, Purpose};
use super::toolchain::Runner;
use super::{
    Behaviour, BuildFailure, EXECUTABLE, Executor, Host, OBJECT, ObjectFile, Outcome,
    SECOND_OBJECT, Stage, Task, Way, scratch,
};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// Memory that is never freed is no fault. Pointers into different objects are looked at
/// only where a program was compiled for that.
const ASAN_OPTIONS: &str = "detect_leaks=0:detect_invalid_pointer_pairs=2";

/// Builds and runs programs. A clone works with the same executor, and knows what the other
/// has learnt of compilers.
#[derive(Clone, Debug)]
pub struct Lab {
    pub(super) executor: Arc<dyn Executor>,
    pub(super) known_flags: Arc<Mutex<KnownFlags>>,
}

/// Whether compilers, by their files, take flags.
pub(super) type KnownFlags = BTreeMap<(PathBuf, &'static str), bool>;

/// A directory of its own with one text, under the name of the seed whose place it
/// takes.
#[derive(Debug)]
pub struct Workspace<'s> {
    stage: &'s Stage<'s>,
    directory: TempDir,
    source: OsString,
}

impl Default for Lab {
    fn default() -> Lab {
        Lab::new(Arc::new(Host))
    }
}

impl Workspace<'_> {
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The file name of the text, as compilers are told it.
    pub(crate) fn source(&self) -> &OsStr {
        &self.source
    }
}

impl Lab {
    pub(crate) fn new(executor: Arc<dyn Executor>) -> Lab {
        Lab {
            executor,
            known_flags: Arc::default(),
        }
    }

    /// The same lab, which ends what it runs when a deadline in force has come.
    pub(crate) fn with_deadline(&self, deadline: &Deadline) -> Lab {
        Lab::new(Arc::new(Hurried {
            executor: Arc::clone(&self.executor),
            deadline: deadline.clone(),
        }))
    }

    /// Whether a deadline has passed that is in force: what was run since says nothing.
    pub(crate) fn is_late(&self) -> bool {
        self.executor.is_late()
    }

    /// Runs a command that is not a compiler, such as a generator of seeds.
    ///
    /// # Errors
    /// If it cannot be started, or all work is to stop immediately.
    pub(crate) fn run_tool(&self, command: &Command) -> io::Result<Output> {
        self.executor.run(command)
    }

    /// Puts a text where it can be built.
    pub(crate) fn workspace<'s>(&self, stage: &'s Stage<'s>, text: &[u8]) -> Result<Workspace<'s>> {
        let directory = scratch::directory().context("making a directory for a build")?;
        Ok(Workspace {
            source: stage.put(directory.path(), text)?,
            stage,
            directory,
        })
    }

    /// Builds a text with one call of the compiler and runs it on every input.
    pub fn trial(&self, stage: &Stage<'_>, text: &[u8], way: &Way) -> Result<Outcome> {
        let space = self.workspace(stage, text)?;
        let built = if way.makes_no_program() {
            self.compile(&space, way)?.map(|_| ())
        } else if way.second.is_some() {
            match self.compile(&space, way)? {
                Ok(_) => self.link(&space, way)?,
                Err(failure) => Err(failure),
            }
        } else {
            self.build(&space, way, &[])?
        };
        Ok(match built {
            Ok(()) => Outcome::Ran(self.run(&space, way)?),
            Err(failure) => Outcome::Failed(failure),
        })
    }

    /// Whether a text can be built.
    pub(crate) fn builds(&self, stage: &Stage<'_>, text: &[u8], way: &Way) -> Result<bool> {
        let space = self.workspace(stage, text)?;
        Ok(self.build(&space, way, &[])?.is_ok())
    }

    /// Makes a program of the text and further objects with one call of the compiler.
    pub(crate) fn build(
        &self,
        space: &Workspace<'_>,
        way: &Way,
        objects: &[&OsStr],
    ) -> Result<Result<(), BuildFailure>> {
        let task = Task::Build {
            source: &space.source,
            objects,
        };
        self.make(space, way, &task, EXECUTABLE, Purpose::Compile)
            .map(|made| made.map(|_| ()))
    }

    /// Compiles the text to an object, or to two that count as one if it is two files.
    pub(crate) fn compile(
        &self,
        space: &Workspace<'_>,
        way: &Way,
    ) -> Result<Result<ObjectFile, BuildFailure>> {
        let Some(second) = &way.second else {
            return self.compile_to(space, way, OBJECT);
        };
        let mut both = match self.compile_to(space, &way.of_unit(None), OBJECT)? {
            Ok(object) => object,
            Err(failure) => return Ok(Err(failure)),
        };
        let further = self.compile_to(space, &way.of_unit(Some(second)), SECOND_OBJECT)?;
        Ok(further.map(|further| {
            both.bytes.extend(further.bytes);
            both.wall += further.wall;
            both.cpu += further.cpu;
            both.peak = both.peak.max(further.peak);
            both
        }))
    }

    fn compile_to(
        &self,
        space: &Workspace<'_>,
        way: &Way,
        object: &str,
    ) -> Result<Result<ObjectFile, BuildFailure>> {
        let task = Task::Compile {
            source: &space.source,
            object: object.as_ref(),
        };
        let output = match self.make(space, way, &task, object, Purpose::Compile)? {
            Ok(output) => output,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(Ok(ObjectFile {
            bytes: fs::read(space.path().join(object)).context("reading an object")?,
            wall: output.wall,
            cpu: output.cpu,
            peak: output.peak,
        }))
    }

    /// Makes a program of the object; nothing to do for compilers that run programs
    /// themselves, or where nothing is run.
    pub(crate) fn link(
        &self,
        space: &Workspace<'_>,
        way: &Way,
    ) -> Result<Result<(), BuildFailure>> {
        if way.makes_no_program() {
            return Ok(Ok(()));
        }
        let further: &[&OsStr] = match way.second {
            Some(_) => &[OsStr::new(SECOND_OBJECT)],
            None => &[],
        };
        let task = Task::Link { further };
        self.make(space, way, &task, EXECUTABLE, Purpose::Link)
            .map(|made| made.map(|_| ()))
    }

    /// Runs what was built on every input, or up to the first on which it does not end:
    /// nothing more is learned from waiting again. Where nothing is run, nothing is seen.
    pub(crate) fn run(&self, space: &Workspace<'_>, way: &Way) -> Result<Vec<Behaviour>> {
        let mut behaviours = Vec::new();
        let Some(start) = self.start_of(space, way) else {
            return Ok(behaviours);
        };
        for input in &space.stage.seed.inputs {
            let mut command = start
                .clone()
                .directory(space.path())
                .purpose(way.purpose.unwrap_or(Purpose::Run))
                .alone(way.is_alone)
                .sharing_pids(way.shares_pids)
                .limits(way.run_limits())
                .args(&input.arguments);
            if way.is_sanitized() {
                command = command.env("ASAN_OPTIONS", ASAN_OPTIONS);
            }
            if let Some(file) = &input.stdin {
                command = command.stdin(file);
            }
            if let Some(records) = &space.stage.records {
                command = command.may_also_write(records);
            }
            let behaviour = match self.executor.run(&command) {
                Ok(output) => Behaviour::from(output),
                Err(error) if is_no_program(&error) => Behaviour::not_executable(&error),
                Err(error) => return Err(error).context("running a program"),
            };
            let is_endless = behaviour.ending.is_late();
            behaviours.push(behaviour);
            if is_endless {
                break;
            }
        }
        Ok(behaviours)
    }

    /// The command that runs what was built, without the input's arguments;
    /// `None` if nothing is run.
    fn start_of(&self, space: &Workspace<'_>, way: &Way) -> Option<Command> {
        Some(match &way.runner {
            Runner::CompileOnly => return None,
            Runner::Direct => Command::new(space.path().join(EXECUTABLE))
                .own_name(EXECUTABLE)
                .confined_to(space.path()),
            // What the user's own command needs cannot be known.
            Runner::Through(words) => {
                let (first, others) = words.split_first().expect("a runner is a command");
                Command::new(first).args(others).arg(EXECUTABLE)
            }
            Runner::InProcess(options) => {
                let task = Task::Run {
                    source: &space.source,
                    options,
                };
                let driver = way.compiler.family.driver();
                let words = driver.arguments(way, &space.stage.flags, &task);
                Command::new(&way.compiler.path)
                    .args(words)
                    .confined_to(space.path())
            }
        })
    }

    /// Compiles a file of ours, which belongs to no seed, to an object.
    pub(crate) fn compile_file(
        &self,
        directory: &Path,
        source: &OsStr,
        object: &OsStr,
        way: &Way,
    ) -> Result<Result<(), BuildFailure>> {
        let task = Task::Compile { source, object };
        let output = self.call(directory, way, &[], &task, Purpose::Compile)?;
        Ok(if output.ending.is_success() {
            Ok(())
        } else {
            Err(BuildFailure {
                output,
                is_of_linker: false,
            })
        })
    }

    /// Calls a compiler and looks whether it has made a file.
    pub(super) fn make(
        &self,
        space: &Workspace<'_>,
        way: &Way,
        task: &Task<'_>,
        file: &str,
        purpose: Purpose,
    ) -> Result<Result<Output, BuildFailure>> {
        let path = space.path().join(file);
        // What was made there before, in another way, must not pass for this one's.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).context("removing what a compiler made before");
            }
            _ => {}
        }
        let output = self.call(space.path(), way, &space.stage.flags, task, purpose)?;
        let is_made = match fs::metadata(&path) {
            Ok(file) => file.len() > 0,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error).context("looking for what a compiler made"),
        };
        Ok(if is_made && output.ending.is_success() {
            Ok(output)
        } else {
            Err(BuildFailure {
                output,
                is_of_linker: matches!(task, Task::Link { .. }),
            })
        })
    }

    /// Calls a compiler for what it says.
    pub(super) fn ask(&self, space: &Workspace<'_>, way: &Way, task: &Task<'_>) -> Result<Output> {
        self.call(space.path(), way, &space.stage.flags, task, Purpose::Other)
    }

    fn call(
        &self,
        directory: &Path,
        way: &Way,
        own: &[OsString],
        task: &Task<'_>,
        purpose: Purpose,
    ) -> Result<Output> {
        let driver = way.compiler.family.driver();
        let command = Command::new(&way.compiler.path)
            .directory(directory)
            // What a compiler that is killed leaves behind goes with the directory.
            .env("TMPDIR", directory)
            .purpose(way.purpose.unwrap_or(purpose))
            .alone(way.is_alone)
            .limits(way.compile_limits())
            .args(driver.arguments(way, own, task));
        self.executor.run(&command).context("starting a compiler")
    }
}

fn is_no_program(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::ENOEXEC | libc::EACCES | libc::ELIBBAD)
    )
}

#[cfg(test)]
mod tests {
    use super::super::fake::{self, Answer, Moment};
    use super::super::process::Ending;
    use super::super::toolchain::{Config, Family};
    use super::super::{Patience, Way};
    use super::*;
    use crate::source::seed::Seed;

    fn trial(runner: Runner, script: fn(&Moment) -> Answer) -> Outcome {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("seed.c");
        fs::write(&path, "int main(void) { }\n").unwrap();
        let mut seed = Seed::read(&path, &[]).unwrap();
        seed.inputs = vec![seed.inputs[0].clone(); 3];
        let mut config = Config::new(fake::compiler("cc", Family::Other), &["-O2"]);
        config.runner = runner;
        let way = Way::of(&config, Patience::default());
        let stage = Stage::new(&seed).unwrap();
        let lab = fake::lab(script);
        lab.trial(&stage, &seed.source, &way).unwrap()
    }

    fn prints_its_text(moment: &Moment) -> Answer {
        assert!(moment.has("-O2"), "{moment:?}");
        Answer::good(if moment.is_run { &moment.text } else { "" })
    }

    #[test]
    fn a_program_runs_once_for_each_input_whoever_runs_it() {
        let emulator = Runner::Through(vec!["emulator".into()]);
        for runner in [
            Runner::Direct,
            emulator,
            Runner::InProcess(vec!["-run".into()]),
        ] {
            let Outcome::Ran(runs) = trial(runner, prints_its_text) else {
                panic!("the program was not built");
            };
            assert_eq!(runs.len(), 3);
            assert!(runs.iter().all(|run| run.stdout == b"int main(void) { }\n"));
        }
    }

    #[test]
    fn where_nothing_is_run_only_the_compiler_can_fail() {
        let outcome = trial(Runner::CompileOnly, |moment| {
            assert!(moment.has("-c") && !moment.is_run, "{moment:?}");
            Answer::good("")
        });
        assert_eq!(outcome, Outcome::Ran(Vec::new()));
        let crashes = |_: &Moment| Answer::fails("internal compiler error: no\n");
        assert!(matches!(
            trial(Runner::CompileOnly, crashes),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn a_compiler_that_fails_is_quoted() {
        let fails =
            |_: &Moment| Answer::fails("seed.c: In function 'main':\nseed.c:1: error: no\n");
        let Outcome::Failed(failure) = trial(Runner::Direct, fails) else {
            panic!("the program was built");
        };
        assert_eq!(failure.words(), "seed.c:1: error: no");
        assert!(!failure.claims_success() && !failure.is_of_linker);
    }

    #[test]
    fn nothing_is_run_again_after_a_run_that_does_not_end() {
        let outcome = trial(Runner::Direct, |moment| {
            if moment.is_run {
                Answer::hangs()
            } else {
                Answer::good("")
            }
        });
        assert_eq!(outcome.behaviours().len(), 1);
        assert_eq!(outcome.behaviours()[0].ending, Ending::TimedOut);
    }
}
