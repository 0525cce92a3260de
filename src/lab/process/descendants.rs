//! A child and all that descend from it, as `/proc` shows them at one moment.

use rustix::process::Pid;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::Duration;

/// The unit of CPU time in `/proc`, which is the same on all machines but Alphas.
const TICK: Duration = Duration::from_millis(10);

/// The processes of a child that are there.
#[derive(Debug, Default)]
pub(super) struct Descendants {
    members: Vec<Process>,
}

#[derive(Clone, Copy, Debug)]
struct Process {
    /// `R` if it runs or could, `S` if it sleeps, and so on.
    state: char,
    parent: i32,
    group: i32,
    /// In ticks, with that of the children it has waited for.
    cpu: u32,
}

impl Descendants {
    /// Looks at all processes of the machine for those in a group or descended from its
    /// first one or from a warden, which is none of them itself.
    pub(super) fn of(group: Pid, warden: Option<Pid>) -> Descendants {
        let all = processes();
        let group = group.as_raw_nonzero().get();
        let warden = warden.map(|warden| warden.as_raw_nonzero().get());
        let of_group = all.iter().filter(|(_, process)| process.group == group);
        let mut members: HashSet<i32> = of_group.map(|(&pid, _)| pid).collect();
        members.insert(group);
        members.extend(warden);
        for &pid in all.keys() {
            let mut line = vec![];
            let mut ancestor = pid;
            // No line of processes is longer than there are processes.
            while !members.contains(&ancestor) && line.len() <= all.len() {
                line.push(ancestor);
                match all.get(&ancestor) {
                    Some(process) if process.parent > 0 => ancestor = process.parent,
                    _ => break,
                }
            }
            if members.contains(&ancestor) {
                members.extend(line);
            }
        }
        let members = members.iter().filter(|pid| Some(**pid) != warden);
        Descendants {
            members: members.filter_map(|pid| all.get(pid).copied()).collect(),
        }
    }

    /// One process in a state, after it has used this many ticks.
    #[cfg(test)]
    pub(super) fn fake(state: char, cpu: u32) -> Descendants {
        let (parent, group) = (1, 1);
        Descendants {
            members: vec![Process {
                state,
                parent,
                group,
                cpu,
            }],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// What they have used, and those that have ended before them.
    pub(super) fn cpu(&self) -> Duration {
        let times = self.members.iter().map(|process| TICK * process.cpu);
        times.sum()
    }

    /// Whether none of them runs, waits for a processor, or waits for a disk.
    pub(super) fn is_asleep(&self) -> bool {
        let is_busy = |process: &Process| matches!(process.state, 'R' | 'D');
        !self.members.iter().any(is_busy)
    }
}

fn processes() -> HashMap<i32, Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_entry = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((pid, Process::read(&stat)?))
    };
    entries.filter_map(of_entry).collect()
}

impl Process {
    fn read(stat: &str) -> Option<Process> {
        // The name is in brackets and may hold anything.
        let (_, after) = stat.rsplit_once(')')?;
        let words: Vec<&str> = after.split_ascii_whitespace().collect();
        let times = words.get(11..15)?.iter();
        Some(Process {
            state: words[0].chars().next()?,
            parent: words[1].parse().ok()?,
            group: words[2].parse().ok()?,
            cpu: times.filter_map(|ticks| ticks.parse::<u32>().ok()).sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_proc_is_read_whatever_the_name_is() {
        let line = "7 (a) R 1 (b)) S 3 5 5 0 -1 4194304 90 0 0 0 20 3 400 1 20 0 1 0 99 0";
        let process = Process::read(line).unwrap();
        let Process {
            state,
            parent,
            group,
            cpu,
        } = process;
        assert_eq!((state, parent, group, cpu), ('S', 3, 5, 424));
        assert!(Process::read("7 (a) S 3").is_none());
    }
}
