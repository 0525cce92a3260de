//! What a program has recorded of the accesses to its volatile variables: lines of its
//! standard error, which `runtime/mestra_volatile.c` writes.
//!
//! C fixes the order of accesses to one variable, as far as programs without unspecified
//! behaviour are concerned, and leaves open that of accesses to several between two sequence
//! points. So each variable is looked at by itself, and of an array each element.

use super::Behaviour;
use std::collections::BTreeMap;

/// What the lines begin with.
const MARK: &str = "[volatile] ";

/// The first of them, if all accesses were recorded.
const ALL: &str = "recorded";

/// How a variable was accessed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Accesses {
    reads: u64,
    writes: u64,
    bytes: u64,
    /// What was said of each part that was accessed.
    parts: Vec<String>,
}

/// Runs without what was recorded.
pub(crate) fn without_records(runs: &[Behaviour]) -> Vec<Behaviour> {
    let without = |run: &Behaviour| {
        let lines = run.stderr.split_inclusive(|byte| *byte == b'\n');
        let own = lines.filter(|line| !line.starts_with(MARK.as_bytes()));
        Behaviour {
            stderr: own.flatten().copied().collect(),
            ..run.clone()
        }
    };
    runs.iter().map(without).collect()
}

/// Whether all accesses of all runs were recorded.
pub(crate) fn are_recorded(runs: &[Behaviour]) -> bool {
    runs.iter().all(|run| accesses(run).is_some())
}

/// What is different about the accesses in two runs of a program; nothing if one was not
/// recorded.
pub(crate) fn difference(expected: &Behaviour, actual: &Behaviour) -> Option<&'static str> {
    let (expected, actual) = (accesses(expected)?, accesses(actual)?);
    let names = expected.keys().chain(actual.keys());
    let nothing = Accesses::default();
    let mut differences = names.filter_map(|name| {
        let [expected, actual] = [&expected, &actual].map(|all| all.get(name).unwrap_or(&nothing));
        expected.difference(actual)
    });
    differences.next()
}

impl Accesses {
    fn difference(&self, actual: &Accesses) -> Option<&'static str> {
        Some(match actual {
            _ if actual.reads < self.reads => "fewer reads",
            _ if actual.reads > self.reads => "more reads",
            _ if actual.writes < self.writes => "fewer writes",
            _ if actual.writes > self.writes => "more writes",
            _ if actual.bytes != self.bytes => "other sizes",
            _ if actual.parts != self.parts => "another order",
            _ => return None,
        })
    }
}

/// The accesses of a run by variable; `None` if not all of them are known.
fn accesses(run: &Behaviour) -> Option<BTreeMap<String, Accesses>> {
    let text = String::from_utf8_lossy(&run.stderr);
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(MARK));
    if lines.next() != Some(ALL) {
        return None;
    }
    let mut all: BTreeMap<String, Accesses> = BTreeMap::new();
    for line in lines {
        let (place, said) = line.split_once(": ")?;
        let name = place.split_once('+').map_or(place, |(name, _)| name);
        let numbers = said.split(' ').filter_map(|word| word.parse().ok());
        let [reads, read, writes, written] = numbers.take(4).collect::<Vec<u64>>()[..] else {
            return None;
        };
        let of_it = all.entry(name.to_owned()).or_default();
        of_it.reads += reads;
        of_it.writes += writes;
        of_it.bytes += read + written;
        of_it.parts.push(line.to_owned());
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::super::process::Ending;
    use super::*;

    fn run(lines: &[&str]) -> Behaviour {
        Behaviour {
            ending: Ending::Exited(0),
            stdout: Vec::new(),
            stderr: lines.join("\n").into_bytes(),
        }
    }

    fn said(lines: &[&str]) -> Option<&'static str> {
        let expected = run(&[
            "[volatile] recorded",
            "[volatile] g: 2 reads of 8 bytes, 1 writes of 4 bytes, order 17: r4 w4 r4",
            "[volatile] h+4: 0 reads of 0 bytes, 1 writes of 2 bytes, order 3: w2",
        ]);
        difference(&expected, &run(lines))
    }

    #[test]
    fn variables_are_compared_one_by_one() {
        let recorded = "[volatile] recorded";
        let g = "[volatile] g: 2 reads of 8 bytes, 1 writes of 4 bytes, order 17: r4 w4 r4";
        let h = "[volatile] h+4: 0 reads of 0 bytes, 1 writes of 2 bytes, order 3: w2";
        assert_eq!(said(&[recorded, h, g]), None);
        let order = g.replace("17: r4 w4 r4", "18: w4 r4 r4");
        assert_eq!(said(&[recorded, &order, h]), Some("another order"));
        let size = g.replace("8 bytes", "5 bytes");
        assert_eq!(said(&[recorded, &size, h]), Some("other sizes"));
        let fewer = g.replace("2 reads", "1 reads");
        assert_eq!(said(&[recorded, &fewer, h]), Some("fewer reads"));
        assert_eq!(said(&[recorded, g]), Some("fewer writes"));
        let twice = h.replace("h+4", "h");
        assert_eq!(said(&[recorded, g, h, &twice]), Some("more writes"));
        let moved = h.replace("h+4", "h");
        assert_eq!(said(&[recorded, g, &moved]), Some("another order"));
    }

    #[test]
    fn what_was_not_recorded_is_not_compared() {
        for lines in [
            &["recorded"][..],
            &["[volatile] not recorded: too many accesses"],
        ] {
            assert_eq!(said(lines), None);
        }
    }

    #[test]
    fn records_are_no_part_of_what_a_program_does() {
        let both = run(&["own", "[volatile] recorded", "words"]);
        assert!(are_recorded(std::slice::from_ref(&both)));
        assert_eq!(without_records(&[both])[0].stderr, b"own\nwords");
    }
}
