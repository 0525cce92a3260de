//! A running child with all that it started: reading its pipes, holding it to its limits,
//! ending the whole group.

use super::crowd::{self, Crowd};
use super::descendants::Descendants;
use super::stopwatch::Stopwatch;
use super::warden::Warden;
use super::{Ending, Limits, orphans, reap};
use crate::error::Stopped;
use crate::lab::interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// How long a group has between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_millis(200);

/// A running child and all that it started. Dropped early, it is killed.
pub(super) struct Group {
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    pub(super) pid: Pid,
    exit: OwnedFd,
    warden: Option<Warden>,
    is_over: bool,
}

impl Group {
    pub(super) fn new(
        mut child: Child,
        warden: Option<Warden>,
        limits: &Limits,
    ) -> io::Result<Group> {
        let pid = Pid::from_child(&child);
        limits.apply(pid);
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(exit) => Ok(Group {
                stdout: child.stdout.take().map(OwnedFd::from),
                stderr: child.stderr.take().map(OwnedFd::from),
                pid,
                exit,
                warden,
                is_over: false,
            }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error.into())
            }
        }
    }

    /// Reads the pipes until the child ends or a limit is passed.
    ///
    /// The child's own end counts, not that of the pipes: a grandchild that keeps
    /// them open must not hold us up.
    pub(super) fn watch(
        &mut self,
        start: Instant,
        mut crowd: Crowd,
        limits: &Limits,
        is_for_the_rest: bool,
    ) -> io::Result<(Option<Ending>, Vec<u8>, Vec<u8>)> {
        let mut stdout = Pipe::new(self.stdout.take())?;
        let mut stderr = Pipe::new(self.stderr.take())?;
        let mut stopwatch = Stopwatch::new(start, limits);
        let reason = loop {
            let now = Instant::now();
            let all = || Descendants::of(self.pid, self.warden_pid());
            if let Some(ending) = stopwatch.ending(now, all) {
                break Some(ending);
            }
            let is_due = crowd.is_due(now, limits.processes);
            if is_due && all().len() > limits.processes {
                break Some(Ending::TooManyProcesses);
            }
            if is_for_the_rest && interrupt::is_requested() {
                break Some(Ending::TimedOut);
            }
            let left = stopwatch.rest(now).min(crowd::INTERVAL);
            let ended = wait_for_news(&self.exit, &stdout, &stderr, left)?;
            stdout.drain(limits.output)?;
            stderr.drain(limits.output)?;
            if stdout.held.len() + stderr.held.len() > limits.output {
                break Some(Ending::TooMuchOutput);
            }
            if ended {
                break None;
            }
        };
        stdout.held.truncate(limits.output);
        stderr.held.truncate(limits.output);
        Ok((reason, stdout.held, stderr.held))
    }

    pub(super) fn warden_pid(&self) -> Option<Pid> {
        self.warden.as_ref().map(Warden::pid)
    }

    /// Ends the whole group and collects the child's status.
    pub(super) fn end(
        &mut self,
        reason: Option<Ending>,
    ) -> io::Result<(ExitStatus, reap::ChildUsage)> {
        // Those that are too many would be more by then.
        if reason.is_some_and(|reason| reason != Ending::TooManyProcesses) {
            let _ = kill_process_group(self.pid, Signal::TERM);
            let mut exit = [PollFd::new(&self.exit, PollFlags::IN)];
            let _ = poll(&mut exit, Some(&timespec(GRACE)));
        }
        if let Some(warden) = &self.warden {
            warden.kill();
        }
        // Whoever is left of the group, if only children the child forgot.
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.is_over = true;
        let reaped = orphans::release(self.pid, || reap::reap(self.pid));
        if let Some(warden) = self.warden.take() {
            orphans::release(warden.pid(), || drop(warden));
        }
        orphans::sweep();
        reaped
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            let _ = self.end(None);
        }
    }
}

/// Waits until there is something to read or the child has ended; tells the latter.
fn wait_for_news(exit: &OwnedFd, stdout: &Pipe, stderr: &Pipe, left: Duration) -> io::Result<bool> {
    let mut fds = vec![PollFd::new(exit, PollFlags::IN)];
    for pipe in [stdout, stderr] {
        if let Some(fd) = &pipe.fd {
            fds.push(PollFd::new(fd, PollFlags::IN));
        }
    }
    let alarm = interrupt::alarm();
    if let Some(alarm) = &alarm {
        fds.push(PollFd::new(alarm, PollFlags::IN));
    }
    match poll(&mut fds, Some(&timespec(left))) {
        Ok(_) if alarm.is_some() && fds.last().is_some_and(|fd| !fd.revents().is_empty()) => {
            Err(io::Error::other(Stopped))
        }
        Ok(_) => Ok(fds[0].revents().contains(PollFlags::IN)),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn timespec(duration: Duration) -> Timespec {
    // A millisecond more: a deadline must lie in the past when poll returns.
    let duration = duration + Duration::from_millis(1);
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

/// The reading end of a pipe and what came through it.
struct Pipe {
    fd: Option<File>,
    held: Vec<u8>,
}

impl Pipe {
    fn new(fd: Option<OwnedFd>) -> io::Result<Pipe> {
        if let Some(fd) = &fd {
            rustix::io::ioctl_fionbio(fd.as_fd(), true)?;
        }
        Ok(Pipe {
            fd: fd.map(File::from),
            held: Vec::new(),
        })
    }

    /// Takes what is there now, up to a little more than `limit` in all.
    fn drain(&mut self, limit: usize) -> io::Result<()> {
        let mut buffer = [0; 1 << 16];
        while let Some(fd) = &mut self.fd
            && self.held.len() <= limit
        {
            match fd.read(&mut buffer) {
                Ok(0) => self.fd = None,
                Ok(count) => self.held.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
