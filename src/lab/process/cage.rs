//! What a program under test is kept from: files outside its own directories, other
//! processes, the network, and whatever else outlives it.
//!
//! Landlock, seccomp, capabilities and the PID namespace of children belong to a
//! thread, and whatever it starts inherits them. So a thread that exists for this
//! purpose alone takes them on and starts the child: no helper program, no fork.
//!
//! Each is taken where the kernel allows it; [`missing_protection`] says what is not.

use super::filter;
use super::warden::Warden;
use landlock::{
    ABI, Access, AccessFs, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;

/// The newest version of Landlock that we ask for; older kernels give what they have.
const LANDLOCK: ABI = ABI::V6;

/// Devices that any program may write to.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// Starting a process takes little stack.
const STACK: usize = 256 << 10;

/// Starts a child that can write below these directories only, and a warden for all
/// that it will start, unless it shares the machine's process numbers.
pub(super) fn spawn(
    command: &mut std::process::Command,
    writable: &[PathBuf],
    shares_pids: bool,
) -> io::Result<(Child, Option<Warden>)> {
    let start = || {
        // First, since what follows takes the right to do so from this thread.
        let warden = if shares_pids { None } else { Warden::start()? };
        restrict_files(writable).map_err(io::Error::other)?;
        // For root as for others; where there are none, there is nothing to drop.
        let _ = set_capabilities(None, NO_CAPABILITIES);
        filter::install();
        Ok((command.spawn()?, warden))
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, start)?;
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

const NO_CAPABILITIES: CapabilitySets = CapabilitySets {
    effective: CapabilitySet::empty(),
    permitted: CapabilitySet::empty(),
    inheritable: CapabilitySet::empty(),
};

/// Also keeps the thread and its children from ever gaining privileges.
fn restrict_files(writable: &[PathBuf]) -> Result<RestrictionStatus, RulesetError> {
    let write = AccessFs::from_write(LANDLOCK);
    let devices = DEVICES.iter().map(Path::new);
    let paths = writable.iter().map(PathBuf::as_path).chain(devices);
    Ruleset::default()
        .handle_access(write)?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?
        .add_rules(path_beneath_rules(paths, write))?
        .restrict_self()
}

/// What programs under test are not kept from on this machine, in words.
pub fn missing_protection() -> Option<&'static str> {
    let status = thread::spawn(|| restrict_files(&[])).join();
    match status {
        Ok(Ok(status)) if status.ruleset == RulesetStatus::FullyEnforced => None,
        Ok(Ok(RestrictionStatus {
            landlock: LandlockStatus::Available { .. },
            ..
        })) => Some(
            "this kernel's Landlock is older than Linux 6.12: programs under test may send \
             signals to other processes of yours",
        ),
        _ => Some("this kernel has no Landlock: programs under test can write wherever you can"),
    }
}
