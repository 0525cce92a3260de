//! Processes whose parents have ended: with [`adopt_orphans`] they become our children
//! instead of init's, and are ended as soon as a command of ours is over.
//!
//! It cannot be said whose they were, but only that nobody waits for them: orphans of a
//! command that is still running are ended, too. Whatever has a warden leaves none.

use super::reap::reap;
use rustix::process::{Pid, Signal, getpid, kill_process, set_child_subreaper};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

static ADOPTS: AtomicBool = AtomicBool::new(false);

/// The children that we have started ourselves and not waited for yet.
static OURS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Held by whoever starts a child until it is noted, and whole by whoever looks for
/// children that are not noted.
static BIRTHS: RwLock<()> = RwLock::new(());

/// Makes all orphans among our descendants children of ours, for the rest of the
/// process's life. All children must then be started by this module's parent, or
/// told by [`keep_child`].
pub(super) fn adopt_orphans() {
    if set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTS.store(true, Ordering::Relaxed);
    }
}

/// Says that a child is no orphan.
pub(super) fn keep_child(child: &Child) {
    note(Pid::from_child(child));
}

/// Starts a child and notes it.
pub(super) fn bearing(
    start: impl FnOnce() -> io::Result<super::Group>,
) -> io::Result<super::Group> {
    let _birth = BIRTHS.read().unwrap_or_else(PoisonError::into_inner);
    let group = start()?;
    note(group.pid);
    if let Some(warden) = group.warden_pid() {
        note(warden);
    }
    Ok(group)
}

fn note(pid: Pid) {
    ours().insert(pid.as_raw_nonzero().get());
}

/// Waits for a child of ours, whose number may then become that of another.
pub(super) fn release<T>(pid: Pid, wait: impl FnOnce() -> T) -> T {
    // Or somebody who looks for orphans would wait for it.
    let _birth = BIRTHS.read().unwrap_or_else(PoisonError::into_inner);
    ours().remove(&pid.as_raw_nonzero().get());
    wait()
}

fn ours() -> MutexGuard<'static, BTreeSet<i32>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all orphans, and theirs.
pub(super) fn sweep() {
    if !ADOPTS.load(Ordering::Relaxed) || orphans().is_empty() {
        return;
    }
    // What looks like an orphan may be a child that is just being started.
    let _births = BIRTHS.write().unwrap_or_else(PoisonError::into_inner);
    loop {
        let orphans = orphans();
        if orphans.is_empty() {
            return;
        }
        for &orphan in &orphans {
            let _ = kill_process(orphan, Signal::KILL);
        }
        // Its own children become ours when it has ended.
        for &orphan in &orphans {
            let _ = reap(orphan);
        }
    }
}

/// Our children that we have not started.
fn orphans() -> Vec<Pid> {
    // Orphans go to the first thread.
    let file = format!("/proc/self/task/{}/children", getpid().as_raw_nonzero());
    let text = fs::read_to_string(file).unwrap_or_default();
    let ours = ours();
    text.split_ascii_whitespace()
        .filter_map(|number| number.parse().ok())
        .filter(|number| !ours.contains(number))
        .filter_map(Pid::from_raw)
        .collect()
}
