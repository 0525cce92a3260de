//! The stack that a child starts with. Its limit is inherited, not set afterwards: a compiler
//! that overflows 8 MB must do so every time, and on a busy machine it may be through before
//! anybody gets to set a limit.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// What children start with, unless they are given more.
pub(super) const USUAL: u64 = 8 << 20;

/// A program's stack may grow into as much room as is left free above the
/// mappings when it starts, which follows from the limit it starts with.
const ROOM: u64 = 1 << 30;

/// Whether limits of our own are those that children should start with.
static IS_OURS: AtomicBool = AtomicBool::new(false);

/// Held by whoever starts a child, and whole by one whose child needs room.
static STARTS: RwLock<()> = RwLock::new(());

/// From now on children start with the usual stack, whatever ours is, and with more if their
/// [`super::Limits`] say so. Where the kernel does not allow it, they start as we did.
pub(crate) fn settle_stacks() {
    set(USUAL);
    IS_OURS.store(true, Ordering::Relaxed);
}

/// Starts a child that may use so many bytes.
pub(super) fn starting<T>(bytes: u64, start: impl FnOnce() -> T) -> T {
    if !IS_OURS.load(Ordering::Relaxed) || bytes <= USUAL {
        let _others = STARTS.read().unwrap_or_else(PoisonError::into_inner);
        return start();
    }
    let _alone = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    set(ROOM);
    let started = start();
    set(USUAL);
    started
}

fn set(bytes: u64) {
    let limit = getrlimit(Resource::Stack);
    let current = limit.maximum.map_or(bytes, |maximum| bytes.min(maximum));
    let limit = Rlimit {
        current: Some(current),
        ..limit
    };
    let _ = setrlimit(Resource::Stack, limit);
}
