//! Ctrl-C. A command that runs for hours finishes the work in progress and stops
//! immediately when asked again; all others stop immediately.
//!
//! SIGTERM and SIGHUP count as well; under `nohup`, SIGHUP does not. Work asks
//! [`is_requested`] between its steps; `process/` watches [`alarm`] and ends its
//! children when it rings. What to tell the user and how to exit is the caller's
//! business.

use rustix::event::{EventfdFlags, eventfd};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static ALARM: OnceLock<OwnedFd> = OnceLock::new();

/// How long work that waits for no child has to stop after the alarm.
const GRACE: Duration = Duration::from_secs(1);

/// Starts listening, for the rest of the process's life. The first signal asks to
/// finish the work in progress, which `on_first` may announce; the second rings the
/// alarm.
pub(crate) fn finish_when_asked(on_first: impl Fn() + Send + 'static) -> io::Result<()> {
    listen(move || {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            ring();
        } else {
            on_first();
        }
    })
}

/// Starts listening, for the rest of the process's life. The first signal rings the
/// alarm; `exit` is called if the process is still there a moment later.
pub(crate) fn stop_when_asked(exit: impl Fn() + Send + 'static) -> io::Result<()> {
    listen(move || {
        REQUESTED.store(true, Ordering::SeqCst);
        ring();
        std::thread::sleep(GRACE);
        exit();
    })
}

fn listen(on_signal: impl Fn() + Send + 'static) -> io::Result<()> {
    let alarm = eventfd(0, EventfdFlags::CLOEXEC)?;
    if ALARM.set(alarm).is_err() {
        return Ok(());
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_hangup_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || signals.forever().for_each(|_| on_signal()))?;
    Ok(())
}

fn ring() {
    if let Some(alarm) = alarm() {
        // Never read again, so it rings for everyone.
        let _ = rustix::io::write(alarm, &1_u64.to_ne_bytes());
    }
}

/// Whether whoever started us wants us to outlive the terminal, as `nohup` does. To
/// listen would undo that.
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1)
}

/// Whether to begin nothing new.
pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Readable as soon as everything is to stop at once; `None` if nobody listens.
pub(crate) fn alarm() -> Option<BorrowedFd<'static>> {
    ALARM.get().map(AsFd::as_fd)
}
