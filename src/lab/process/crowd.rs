//! How many processes a child and its descendants are.
//!
//! To count them means to look at all processes of the machine, so that is done now
//! and then only, or when the machine as a whole has got so many more that they may be
//! too many. A fork bomb has thousands within a tenth of a second.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::{Duration, Instant};

/// How often the machine is asked how many there are. Most groups end before that.
pub(super) const INTERVAL: Duration = Duration::from_millis(25);

/// How often the processes of a group are counted in any case.
const COUNTING: Duration = Duration::from_millis(500);

/// The machine when a child was started.
pub(super) struct Crowd {
    tasks: Option<u64>,
    next_look: Instant,
    next_count: Instant,
}

impl Crowd {
    pub(super) fn now() -> Crowd {
        let now = Instant::now();
        Crowd {
            tasks: tasks(),
            next_look: now + INTERVAL,
            next_count: now + COUNTING,
        }
    }

    /// Whether it is time to count.
    pub(super) fn is_due(&mut self, now: Instant, limit: usize) -> bool {
        if now < self.next_look {
            return false;
        }
        self.next_look = now + INTERVAL;
        let has_grown = match (self.tasks, tasks()) {
            (Some(before), Some(now)) => now > before.saturating_add(limit as u64),
            _ => false,
        };
        if now >= self.next_count || has_grown {
            self.next_count = now + COUNTING;
            return true;
        }
        false
    }

    /// Keeps a child from forking without end even while nobody looks. The kernel
    /// counts all processes of a user, and those are no more than there are on the
    /// machine. Root is not limited.
    pub(super) fn limit(&self, child: Pid, processes: usize) {
        if let Some(tasks) = self.tasks {
            let most = Some(tasks.saturating_add(processes as u64));
            let limit = Rlimit {
                current: most,
                maximum: most,
            };
            let _ = prlimit(Some(child), Resource::Nproc, limit);
        }
    }
}

/// How many tasks the machine has.
fn tasks() -> Option<u64> {
    // "0.20 0.18 0.12 1/80 11206": those that run, and all.
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let (_, all) = text.split_ascii_whitespace().nth(3)?.split_once('/')?;
    all.parse().ok()
}

/// How many processes are in a group or descend from its first one or from a warden.
pub(super) fn size(group: Pid, warden: Option<Pid>) -> usize {
    let Ok(entries) = fs::read_dir("/proc") else {
        return 0;
    };
    let mut parents = HashMap::new();
    let group = group.as_raw_nonzero().get();
    let mut members: HashSet<i32> = HashSet::from([group]);
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name is in brackets and may hold anything; state, parent and group follow.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        let mut numbers = after.split_ascii_whitespace().skip(1);
        let mut number = || numbers.next().and_then(|n| n.parse::<i32>().ok());
        let (parent, its_group) = (number(), number());
        parents.insert(pid, parent.unwrap_or(0));
        if its_group == Some(group) {
            members.insert(pid);
        }
    }
    members.extend(warden.map(|warden| warden.as_raw_nonzero().get()));
    let roots = members.clone();
    for &pid in parents.keys() {
        let mut line = vec![];
        let mut ancestor = pid;
        // No line of processes is longer than there are processes.
        while !members.contains(&ancestor) && line.len() <= parents.len() {
            line.push(ancestor);
            match parents.get(&ancestor) {
                Some(&parent) if parent > 0 => ancestor = parent,
                _ => break,
            }
        }
        if members.contains(&ancestor) {
            members.extend(line);
        }
    }
    let is_alive = |pid: &&i32| parents.contains_key(pid) || roots.contains(pid);
    members.iter().filter(is_alive).count() - usize::from(warden.is_some())
}
