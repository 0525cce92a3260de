//! Waiting for a child, with what it used: the standard library tells only how it ended.

#![allow(unsafe_code)]

use rustix::process::Pid;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// What a child has used.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildUsage {
    /// CPU time of it and of those it has waited for.
    pub(super) cpu: Duration,
    /// The most bytes of memory that one of them had at a time.
    pub(super) peak: u64,
}

/// Waits for a child that nobody else waits for; returns its status and what it used.
pub(super) fn reap(child: Pid) -> io::Result<(ExitStatus, ChildUsage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are to places of ours of the right types.
        let reaped = unsafe {
            libc::wait4(
                child.as_raw_nonzero().get(),
                &mut status,
                0,
                usage.as_mut_ptr(),
            )
        };
        if reaped >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: zeros are a valid rusage, and the kernel has written one over them.
    let usage = unsafe { usage.assume_init() };
    let used = ChildUsage {
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        // The kernel counts kilobytes.
        peak: u64::try_from(usage.ru_maxrss).unwrap_or(0) << 10,
    };
    Ok((ExitStatus::from_raw(status), used))
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
