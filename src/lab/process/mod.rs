//! Child processes that cannot hurt: own process group, limits on time, memory,
//! output and processes, pipes always drained, nothing left running.
//!
//! A child starts with `posix_spawn` (a fork of a process that has libclang
//! loaded costs milliseconds) and gets its resource limits right after that. A
//! program under test is confined, too.
//! Everything that runs a compiler or a compiled program goes through here.

mod cage;
mod companion;
mod confine;
mod crowd;
mod descendants;
mod ending;
mod filter;
mod group;
mod limits;
pub mod meter;
mod orphans;
mod reap;
mod stack;
mod stopwatch;
#[cfg(test)]
mod tests;
mod warden;

pub use cage::missing_protection;
pub(crate) use companion::Companion;
pub(crate) use confine::{confine_children, confine_programs, keep_descriptors};
pub use ending::Ending;
pub use limits::Limits;
pub(crate) use limits::STRETCH;
pub use meter::Purpose;
pub(crate) use stack::settle_stacks;

use self::crowd::Crowd;
use self::group::Group;
use super::interrupt;
use memchr::memmem;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Held by every running child, and whole by one that must be alone.
static OTHERS: RwLock<()> = RwLock::new(());

/// How long it may take until a signal to many processes has reached all of them.
const WAVE: Duration = Duration::from_millis(100);

/// What gcc says if SIGTERM ends a process that it started, and not gcc itself.
const PART_TERMINATED: &[u8] = b"Terminated signal terminated program";

/// A command to run under limits.
#[derive(Clone, Debug)]
pub struct Command {
    program: OsString,
    own_name: Option<OsString>,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    stdin: Option<PathBuf>,
    /// If there are any, it is confined.
    writable: Vec<PathBuf>,
    shares_pids: bool,
    limits: Limits,
    purpose: Purpose,
    is_alone: bool,
    is_for_the_rest: bool,
}

/// What a child did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub wall: Duration,
    /// Of the child and those it has waited for.
    pub cpu: Duration,
    /// The most bytes of memory that one of them had at a time.
    pub peak: u64,
}

impl Command {
    /// A command with an empty environment but for `PATH`, and no standard input.
    pub fn new(program: impl AsRef<OsStr>) -> Command {
        let mut environment = vec![("LC_ALL".into(), "C".into())];
        if let Some(path) = std::env::var_os("PATH") {
            environment.push(("PATH".into(), path));
        }
        Command {
            program: program.as_ref().to_owned(),
            own_name: None,
            arguments: Vec::new(),
            directory: None,
            environment,
            stdin: None,
            writable: Vec::new(),
            shares_pids: false,
            limits: Limits::default(),
            purpose: Purpose::default(),
            is_alone: false,
            is_for_the_rest: false,
        }
    }

    /// What the program sees as its own name, `argv[0]`.
    pub(crate) fn own_name(mut self, name: impl AsRef<OsStr>) -> Command {
        self.own_name = Some(name.as_ref().to_owned());
        self
    }

    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Command {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Command {
        self.arguments
            .extend(arguments.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Command {
        self.environment
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    pub fn directory(mut self, directory: impl AsRef<Path>) -> Command {
        self.directory = Some(directory.as_ref().to_owned());
        self
    }

    /// Ends it at this moment if it has not ended by then.
    pub(super) fn until(mut self, end: Instant) -> Command {
        self.limits.end = Some(end);
        self
    }

    /// Reads standard input from a file.
    pub fn stdin(mut self, file: impl AsRef<Path>) -> Command {
        self.stdin = Some(file.as_ref().to_owned());
        self
    }

    /// Confines it, as is right for a program that nobody has read: it writes below this
    /// directory, reaches no process but its own and has no network, as far as the
    /// kernel can see to that.
    pub(crate) fn confined_to(mut self, directory: impl AsRef<Path>) -> Command {
        self.writable.push(directory.as_ref().to_owned());
        self
    }

    /// Whether its process numbers are those of the machine even if it is confined: by
    /// others nobody would notice a program that prints them.
    pub(crate) fn sharing_pids(mut self, shares_pids: bool) -> Command {
        self.shares_pids = shares_pids;
        self
    }

    /// Lets it write below one more directory if it is confined.
    pub(crate) fn may_also_write(mut self, directory: impl AsRef<Path>) -> Command {
        if !self.writable.is_empty() {
            self.writable.push(directory.as_ref().to_owned());
        }
        self
    }

    pub fn limits(mut self, limits: Limits) -> Command {
        self.limits = limits;
        self
    }

    /// Under which heading its CPU time is counted.
    pub(crate) fn purpose(mut self, purpose: Purpose) -> Command {
        self.purpose = purpose;
        self
    }

    /// Whether to wait until no other child of ours runs, and to let none start
    /// meanwhile: what fails in a crowd may succeed by itself.
    pub(crate) fn alone(mut self, is_alone: bool) -> Command {
        self.is_alone = is_alone;
        self
    }

    /// Whether it may work for as long as there is time: then the first Ctrl-C, which
    /// others are left to finish after, ends it as the end of its time would.
    pub(crate) fn for_the_rest(mut self) -> Command {
        self.is_for_the_rest = true;
        self
    }

    /// What a fake executor needs to know of it.
    #[cfg(test)]
    pub(super) fn program(&self) -> &OsStr {
        &self.program
    }

    #[cfg(test)]
    pub(super) fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    #[cfg(test)]
    pub(super) fn working_directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    #[cfg(test)]
    pub(super) fn is_alone(&self) -> bool {
        self.is_alone
    }

    #[cfg(test)]
    pub(super) fn time_limit(&self) -> Duration {
        self.limits.wall
    }

    /// Runs the command to its end, or to ours.
    ///
    /// # Errors
    /// If it cannot be started, or the standard input file cannot be opened, or all
    /// work is to stop at once.
    pub fn run(&self) -> io::Result<Output> {
        let was_asked_to_stop = interrupt::is_requested();
        let output = self.run_once()?;
        let is_asked_to_stop = interrupt::is_requested() && !was_asked_to_stop;
        if self.was_ended_from_outside(&output, is_asked_to_stop) {
            std::thread::sleep(WAVE);
            return self.run_once();
        }
        Ok(output)
    }

    /// Whether somebody else seems to have ended it, which says nothing of a compiler or program
    /// unless it happens again: a kernel that is short of memory, or whoever stops a whole
    /// job, as `scancel` does, by a signal to us and to all that we have started.
    fn was_ended_from_outside(&self, output: &Output, is_asked_to_stop: bool) -> bool {
        match output.ending {
            Ending::Signalled(libc::SIGKILL) => self.is_confined(),
            Ending::Signalled(libc::SIGTERM | libc::SIGINT | libc::SIGHUP) => true,
            // gcc says so of the process that it started.
            Ending::Exited(code) if code != 0 => {
                is_asked_to_stop || memmem::find(&output.stderr, PART_TERMINATED).is_some()
            }
            _ => false,
        }
    }

    fn run_once(&self) -> io::Result<Output> {
        let _others;
        let _alone;
        // What is locked is nothing, so a panic of another cannot have broken it.
        if self.is_alone {
            _alone = OTHERS.write().unwrap_or_else(PoisonError::into_inner);
        } else {
            _others = OTHERS.read().unwrap_or_else(PoisonError::into_inner);
        }
        let stdin = match &self.stdin {
            Some(file) => Stdio::from(File::open(file)?),
            None => Stdio::null(),
        };
        let mut command = std::process::Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(name) = &self.own_name {
            command.arg0(name);
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        let start = Instant::now();
        let crowd = Crowd::now();
        let mut group = orphans::bearing(|| self.spawn(&mut command, &crowd))?;
        let (reason, stdout, stderr) =
            group.watch(start, crowd, &self.limits, self.is_for_the_rest)?;
        let (status, used) = group.end(reason)?;
        meter::add(self.purpose, used.cpu);
        let ending = reason.unwrap_or_else(|| Ending::of(status));
        Ok(Output {
            ending,
            stdout,
            stderr,
            wall: start.elapsed(),
            cpu: used.cpu,
            peak: used.peak,
        })
    }

    /// Whether it is a program under test, which may write to its own directories only.
    fn is_confined(&self) -> bool {
        !self.writable.is_empty()
    }

    fn spawn(&self, command: &mut std::process::Command, crowd: &Crowd) -> io::Result<Group> {
        let is_confined = self.is_confined();
        let (child, warden) = stack::starting(self.limits.stack, || {
            if is_confined {
                cage::spawn(command, &self.writable, self.shares_pids)
            } else {
                Ok((command.spawn()?, None))
            }
        })?;
        let group = Group::new(child, warden, &self.limits)?;
        if is_confined {
            crowd.limit(group.pid, self.limits.processes);
        }
        Ok(group)
    }
}
