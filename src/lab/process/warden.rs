//! A process that all others of a PID namespace depend on: when it ends, the kernel
//! ends them, however often they forked and whatever session they are in, and lets no
//! new one begin.
//!
//! It shares our memory, as a child of `posix_spawn` does before it becomes another
//! program: to copy the page tables of a process with libclang costs milliseconds. It
//! sleeps until we end it, or until we are gone.

#![allow(unsafe_code)]

use super::reap::reap;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

const STACK: usize = 32 << 10;

/// No process of a namespace gets a higher number, so there are no more of them. Lower ones
/// the kernel does not take.
const MOST_PROCESSES: &[u8] = b"512";

/// The first Linux in which that number is one of a namespace. In those before, it is the whole
/// machine's.
const NUMBERED_APART: (u32, u32) = (6, 14);

/// The first process of a namespace.
#[derive(Debug)]
pub(super) struct Warden {
    pid: Pid,
    /// What it runs on, for as long as it runs.
    _stack: Box<[MaybeUninit<u128>]>,
}

impl Warden {
    /// Gives all later children of this thread a namespace of their own. `None` where
    /// the kernel does not allow that.
    pub(super) fn start() -> io::Result<Option<Warden>> {
        let Some(ourselves) = ourselves() else {
            return Ok(None);
        };
        // SAFETY: the flag concerns children only.
        if unsafe { unshare_unsafe(UnshareFlags::NEWPID) }.is_err() {
            return Ok(None);
        }
        let mut stack = vec![MaybeUninit::<u128>::uninit(); STACK / size_of::<u128>()];
        let signals = block_signals()?;
        // SAFETY: the stack is large enough for `sleep`, is aligned, grows downwards from
        // its end, and outlives the process: `drop` waits for that. `sleep` touches no
        // memory but its stack. No handler of ours can run in it: it starts with all
        // signals blocked.
        let pid = unsafe {
            libc::clone(
                sleep,
                stack.as_mut_ptr_range().end.cast(),
                libc::CLONE_VM | libc::SIGCHLD,
                ourselves.as_raw_fd() as usize as *mut c_void,
            )
        };
        let error = io::Error::last_os_error();
        restore_signals(&signals);
        match Pid::from_raw(pid.max(0)) {
            Some(pid) => Ok(Some(Warden {
                pid,
                _stack: stack.into_boxed_slice(),
            })),
            None => Err(error),
        }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Ends it, and with it all others of its namespace.
    pub(super) fn kill(&self) {
        let _ = kill_process(self.pid, Signal::KILL);
    }
}

/// Waits until all others are gone. Those that are our own children must have been
/// waited for.
impl Drop for Warden {
    fn drop(&mut self) {
        self.kill();
        let _ = reap(self.pid);
    }
}

/// Readable once this process is gone; `None` if the kernel cannot do what is needed.
fn ourselves() -> Option<&'static OwnedFd> {
    static OURSELVES: OnceLock<Option<OwnedFd>> = OnceLock::new();
    let found = OURSELVES.get_or_init(|| {
        // A call that closes nothing shows whether there is such a call.
        // SAFETY: no descriptor has this number.
        let can_close = unsafe { libc::close_range(u32::MAX, u32::MAX, 0) } == 0;
        let ourselves = pidfd_open(getpid(), PidfdFlags::empty()).ok();
        ourselves.filter(|_| can_close)
    });
    found.as_ref()
}

/// What a warden does. Its thread-local storage is that of a thread that may be gone,
/// so it calls nothing that uses any: rustix makes system calls by itself, and the two
/// of libc use `errno` only if they fail, which these cannot.
extern "C" fn sleep(ourselves: *mut c_void) -> c_int {
    let fd = ourselves as usize as u32;
    // Locks and pipes of ours must not live longer than we do.
    // SAFETY: without CLONE_FILES the descriptors are its own, and nobody uses them here.
    unsafe {
        if fd > 0 {
            libc::close_range(0, fd - 1, 0);
        }
        libc::close_range(fd + 1, u32::MAX, 0);
    }
    // Otherwise, those who watch the child count its processes.
    if numbers_apart()
        && let Ok(file) = open(c"/proc/sys/kernel/pid_max", OFlags::WRONLY, Mode::empty())
    {
        let _ = rustix::io::write(&file, MOST_PROCESSES);
    }
    // SAFETY: the descriptor is open in this process and never closed.
    let ourselves = unsafe { BorrowedFd::borrow_raw(fd as c_int) };
    let mut fds = [PollFd::new(&ourselves, PollFlags::IN)];
    while poll(&mut fds, None).is_err() {}
    // SAFETY: ends the process without any of the work that belongs to the end of ours.
    unsafe { libc::_exit(0) }
}

/// Whether the kernel numbers the processes of a namespace apart from others.
fn numbers_apart() -> bool {
    let name = rustix::system::uname();
    let mut numbers = name
        .release()
        .to_bytes()
        .split(|byte| !byte.is_ascii_digit());
    let mut next = || {
        let digits = numbers.next()?;
        Some(digits.iter().fold(0_u32, |number, digit| {
            number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'))
        }))
    };
    next()
        .zip(next())
        .is_some_and(|version| version >= NUMBERED_APART)
}

fn block_signals() -> io::Result<libc::sigset_t> {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: both pointers are to places of the right type, and the first is filled
    // before it is read.
    let failed = unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr())
    };
    if failed == 0 {
        // SAFETY: the call has filled it.
        Ok(unsafe { before.assume_init() })
    } else {
        Err(io::Error::from_raw_os_error(failed))
    }
}

fn restore_signals(before: &libc::sigset_t) {
    // SAFETY: the set is one that was in force before.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut()) };
}
