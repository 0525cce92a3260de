//! What holds for all children at once, set once for the whole process before
//! its first thread: no network, no descriptors but their own, room for the stack.
//!
//! Each is taken where the kernel allows it and passed over in silence where it
//! does not: a campaign without it is still a campaign.

#![allow(unsafe_code)]

use rustix::process::{Resource, Rlimit, getgid, getrlimit, getuid, setrlimit};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;

/// A program's stack may grow into as much room as is left free above the
/// mappings when it starts, which follows from the limit it starts with.
const STACK_ROOM: u64 = 1 << 30;

/// Takes the network from this process and all that it starts. Must be called
/// while there is one thread. Returns whether the kernel allowed it.
pub fn leave_network() -> bool {
    // SAFETY: neither flag separates memory or descriptors that other code of this
    // process relies on sharing.
    let leave = |flags| unsafe { unshare_unsafe(flags) }.is_ok();
    if leave(UnshareFlags::NEWNET) {
        return true;
    }
    // Whoever is not root may do so in a user namespace, as the same user.
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    if !leave(UnshareFlags::NEWUSER | UnshareFlags::NEWNET) {
        return false;
    }
    // Without these lines files still work; only names of users are unknown.
    let _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
    let _ = fs::write("/proc/self/setgroups", "deny");
    let _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
    true
}

/// Keeps descriptors that we were started with, such as those of `make`, from
/// our children. Ours are not inherited anyway.
pub fn keep_descriptors() {
    // SAFETY: the call marks descriptors and closes none.
    let _ = unsafe {
        libc::close_range(
            3,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC as libc::c_int,
        )
    };
}

/// Lets children start with room for large stacks; [`super::Limits`] then say how
/// much of it each may use.
pub fn make_room_for_stacks() {
    let limit = getrlimit(Resource::Stack);
    let current = match limit.maximum {
        Some(maximum) => STACK_ROOM.min(maximum),
        None => STACK_ROOM,
    };
    let _ = setrlimit(
        Resource::Stack,
        Rlimit {
            current: Some(current),
            ..limit
        },
    );
}
