//! Findings sorted into buckets, those that tell most first. Each stays with the defect
//! that has it already, or joins one that it certainly shows, or begins one; those that
//! tell nothing join the one bucket that they may belong to.
//!
//! A bucket of findings that tell nothing is no defect. Whatever is told apart leaves it,
//! and takes along what was known and said of it there.

use super::{Bucket, BucketEntry, Fingerprint, KnownAs, title};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A group of findings in the making.
struct BucketInTheMaking {
    known_as: KnownAs,
    was_in: Option<usize>,
    entries: Vec<BucketEntry>,
}

pub(super) fn sort(mut entries: Vec<BucketEntry>, earlier: &[KnownAs]) -> Vec<Bucket> {
    entries.sort_by_cached_key(|entry| {
        let strength = entry.fingerprint.strength();
        (Reverse(strength), entry.tokens, entry.finding.id.clone())
    });
    let mut names: BTreeSet<String> = earlier.iter().map(|known| known.name.clone()).collect();
    let groups = earlier.iter().map(|known_as| BucketInTheMaking {
        known_as: known_as.clone(),
        was_in: None,
        entries: Vec::new(),
    });
    let mut groups: Vec<BucketInTheMaking> = groups.collect();
    for mut entry in entries {
        let shows = |group: &&BucketInTheMaking| group.known_as.is_shown_by(&entry.fingerprint);
        if entry.fingerprint.is_half_told() && groups.iter().filter(shows).count() > 1 {
            // It is one of these, but nobody can say yet which one.
            entry.fingerprint.shape.clear();
        }
        let fingerprint = &entry.fingerprint;
        let at = own_group(&groups, &entry)
            .or_else(|| only_guess(&groups, fingerprint))
            .or_else(|| certain(&groups, fingerprint));
        let at = at.unwrap_or_else(|| {
            let known_as = KnownAs {
                name: free_name(fingerprint.name(), &mut names),
                ..KnownAs::default()
            };
            groups.push(BucketInTheMaking {
                known_as,
                was_in: earlier.iter().position(|known| known.remembers(&entry)),
                entries: Vec::new(),
            });
            groups.len() - 1
        });
        for (number, group) in groups.iter_mut().enumerate() {
            if number != at {
                group.known_as.leave(&entry);
            }
        }
        groups[at].known_as.take(&entry);
        groups[at].entries.push(entry);
    }
    let numbered = groups.into_iter().enumerate();
    let found = numbered.filter(|(_, group)| !group.entries.is_empty());
    let found = found.map(|(number, mut group)| {
        let size =
            |entry: &BucketEntry| (entry.tokens.unwrap_or(usize::MAX), entry.finding.id.clone());
        group.entries.sort_by_cached_key(size);
        let first = &group.entries[0];
        Bucket {
            title: title(&first.finding, first.reduced.as_ref()),
            earlier: (number < earlier.len()).then_some(number),
            was_in: group.was_in,
            known_as: group.known_as,
            entries: group.entries,
        }
    });
    found.collect()
}

/// The group that has this very finding, unless that group is no defect and the finding
/// shows one, or only waits there to be reduced. What earlier campaigns know comes first.
fn own_group(groups: &[BucketInTheMaking], entry: &BucketEntry) -> Option<usize> {
    let numbered = groups.iter().enumerate();
    let own = numbered.filter(|(_, group)| {
        let known_as = &group.known_as;
        let is_told = !entry.fingerprint.is_vague();
        let leaves = is_told || entry.is_pending() && !known_as.is_known;
        (!known_as.is_vague() || !leaves) && known_as.remembers(entry)
    });
    let own = own.min_by_key(|(_, group)| !group.known_as.is_known);
    own.map(|(number, _)| number)
}

fn certain(groups: &[BucketInTheMaking], fingerprint: &Fingerprint) -> Option<usize> {
    let mut groups = groups.iter();
    groups.position(|group| group.known_as.is_shown_by(fingerprint))
}

/// The one defect that a finding which tells nothing may show.
fn only_guess(groups: &[BucketInTheMaking], fingerprint: &Fingerprint) -> Option<usize> {
    if !fingerprint.is_vague() {
        return None;
    }
    let numbered = groups.iter().enumerate();
    let mut fitting = numbered.filter(|(_, group)| {
        !group.known_as.is_vague() && group.known_as.may_be_shown_by(fingerprint)
    });
    let (first, _) = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

/// A name that no other defect has.
pub(crate) fn free_name(name: String, taken: &mut BTreeSet<String>) -> String {
    let further = (2..).map(|number| format!("{name}-{number}"));
    let mut all = std::iter::once(name.clone()).chain(further);
    let free = all.find(|name| taken.insert(name.clone()));
    free.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::planted::entry;
    use super::*;

    /// What is remembered after some findings were sorted.
    fn known(entries: Vec<BucketEntry>, earlier: &[KnownAs]) -> Vec<KnownAs> {
        let buckets = sort(entries, earlier).into_iter();
        buckets.map(|bucket| bucket.known_as).collect()
    }

    fn of_another_campaign(mut known: Vec<KnownAs>) -> Vec<KnownAs> {
        known.iter_mut().for_each(|known| known.is_known = true);
        known
    }

    const ARRAY: &[&str] = &["array", "unsigned", "loop"];
    const SHIFT: &[&str] = &["shift", "long"];

    #[test]
    fn a_finding_stays_with_its_defect_however_small_its_program_becomes() {
        let first = known(vec![entry("a", "long", ARRAY)], &[]);
        assert_eq!(first[0].name, "tcc-wrong-code-array-unsigned-loop");
        let smaller = entry("a", "long", &["float"]);
        let then = sort(vec![smaller.clone()], &first);
        assert_eq!(then[0].earlier, Some(0));
        assert_eq!(then[0].known_as.name, first[0].name);
        // In a later campaign, too, but not a finding that only has the same number.
        let first = of_another_campaign(first);
        assert_eq!(sort(vec![smaller], &first)[0].earlier, Some(0));
        let other = entry("a", "another", &["float"]);
        assert_eq!(sort(vec![other], &first)[0].earlier, None);
    }

    #[test]
    fn what_is_told_apart_leaves_those_that_are_not() {
        let first = known(vec![entry("a", "one", &[]), entry("b", "two", &[])], &[]);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].name, "tcc-wrong-code-unsorted");
        let entries = vec![entry("a", "one", ARRAY), entry("b", "two", &[])];
        let then = sort(entries, &first);
        assert_eq!(then.len(), 1, "the other may be the same");
        assert_eq!((then[0].earlier, then[0].was_in), (None, Some(0)));
        // That was a guess: told apart, it is another.
        let entries = vec![entry("a", "one", ARRAY), entry("b", "two", SHIFT)];
        let last = sort(entries, &[then[0].known_as.clone()]);
        let earlier: Vec<_> = last.iter().map(|bucket| bucket.earlier).collect();
        assert_eq!(earlier, [Some(0), None]);
    }

    #[test]
    fn unsorted_findings_of_an_earlier_campaign_hide_no_others() {
        let earlier = of_another_campaign(known(vec![entry("a", "one", &[])], &[]));
        for shape in [ARRAY, &[]] {
            let found = sort(vec![entry("a", "another", shape)], &earlier);
            assert_eq!((found[0].earlier, found[0].was_in), (None, None));
        }
        // The very same one is no news.
        let again = sort(vec![entry("a", "one", &[])], &earlier);
        assert_eq!(again[0].earlier, Some(0));
        let told = sort(vec![entry("a", "one", ARRAY)], &earlier);
        assert_eq!((told[0].earlier, told[0].was_in), (None, Some(0)));
    }

    #[test]
    fn a_program_that_is_half_reduced_begins_no_defect_that_it_may_not_show() {
        let half = |id: &str, shape: &[&str]| {
            let mut half = entry(id, id, shape);
            half.fingerprint.is_small = false;
            half
        };
        let names = |entries: Vec<BucketEntry>| -> Vec<Vec<String>> {
            let ids = |bucket: &Bucket| {
                let entries = bucket.entries.iter();
                entries.map(|entry| entry.finding.id.clone()).collect()
            };
            sort(entries, &[]).iter().map(ids).collect()
        };
        let both = || vec![entry("a", "one", ARRAY), entry("b", "two", SHIFT)];
        let with = |half: BucketEntry| [both(), vec![half]].concat();
        // It has all that one of them is made of, and more that may still go.
        let rest = [
            "array", "unsigned", "loop", "float", "union", "goto", "bool",
        ];
        assert_eq!(names(with(half("c", &rest))).len(), 2);
        // It may be either, so it waits.
        let rest = ["array", "unsigned", "loop", "shift", "long", "goto"];
        let found = names(with(half("c", &rest)));
        assert!(
            found.len() == 3 && found.contains(&vec!["c".into()]),
            "{found:?}"
        );
        let sorted = sort(with(half("c", &rest)), &[]);
        assert!(sorted.iter().any(|bucket| bucket.known_as.is_vague()));
        // It is neither.
        let found = sort(with(half("c", &["float", "union"])), &[]);
        assert_eq!(found.len(), 3);
        assert!(!found.iter().any(|bucket| bucket.known_as.is_vague()));
    }

    #[test]
    fn a_finding_that_tells_nothing_joins_the_only_defect_it_may_show() {
        let entries = || vec![entry("a", "one", ARRAY), entry("b", "two", &[])];
        assert_eq!(sort(entries(), &[]).len(), 1);
        let mut several = entries();
        several.push(entry("c", "three", SHIFT));
        assert_eq!(sort(several, &[]).len(), 3);
    }
}
