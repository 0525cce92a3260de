//! What holds for all children at once, set once for the whole process before
//! its first thread: no network, no descriptors but their own, and no orphans.
//!
//! Each is taken where the kernel allows it and passed over in silence where it
//! does not: a campaign without it is still a campaign.

#![allow(unsafe_code)]

use super::filter;
use super::orphans::adopt_orphans;
use rustix::process::{getgid, getuid};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities, unshare_unsafe};
use std::fs;

/// Prepares for programs under test: none of what they start stays, and those who are
/// not root may make namespaces for them. Must be called while there is one thread.
pub(crate) fn confine_programs() {
    adopt_orphans();
    let own = capabilities(None).map(|sets| sets.effective);
    if !own.is_ok_and(|own| own.contains(CapabilitySet::SYS_ADMIN)) {
        enter_user_namespace(UnshareFlags::empty());
    }
}

/// The same, and takes the network from programs and compilers alike unless it is
/// allowed. Must be called while there is one thread.
pub(crate) fn confine_children(allows_network: bool) {
    if allows_network {
        confine_programs();
        filter::allow_network();
    } else {
        adopt_orphans();
        leave_network();
    }
}

/// Takes the network from this process and all that it starts.
fn leave_network() {
    // SAFETY: the flag separates no memory or descriptors that other code of this
    // process relies on sharing.
    if unsafe { unshare_unsafe(UnshareFlags::NEWNET) }.is_err() {
        // Whoever is not root may do so in a user namespace.
        enter_user_namespace(UnshareFlags::NEWNET);
    }
}

/// Enters a user namespace, as the same user, and what else is asked for.
fn enter_user_namespace(others: UnshareFlags) {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    // SAFETY: as above.
    if unsafe { unshare_unsafe(UnshareFlags::NEWUSER | others) }.is_err() {
        return;
    }
    // Without these lines files still work; only names of users are unknown.
    let _ = fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
    let _ = fs::write("/proc/self/setgroups", "deny");
    let _ = fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
}

/// Keeps descriptors that we were started with, such as those of `make`, from
/// our children. Ours are not inherited anyway.
pub(crate) fn keep_descriptors() {
    // SAFETY: the call marks descriptors and closes none.
    let _ = unsafe {
        libc::close_range(
            3,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC as libc::c_int,
        )
    };
}
