//! How many canonical fillings there are, without making them.
//!
//! How a filling can go on depends on how many variables of each class are in use, not
//! on which holes took them. So fillings are counted by states, from the first hole to
//! the last. A state says only what matters for the holes ahead: classes that no further
//! hole takes are forgotten, and the last variable of a class counts as used, since
//! naming it for the first time is the only choice there is either way. In a class of
//! one there is nothing to remember at all.

use super::pattern::Pattern;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::fmt;

/// The most states that are kept for one pattern, about a gigabyte.
pub(super) const MOST_STATES: usize = 4_000_000;

/// A pattern with so many classes in use at once that its fillings cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStates;

impl fmt::Display for TooManyStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "has too many interchangeable variables in one place: counting its fillings \
             takes more than {MOST_STATES} states"
        )
    }
}

impl std::error::Error for TooManyStates {}

/// How many variables of each class are in use before a hole, as far as it matters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct InUse {
    /// Class and number, by class; numbers are not zero.
    counts: Vec<(u32, u32)>,
}

impl InUse {
    pub(super) fn of(&self, class: u32) -> u32 {
        match self
            .counts
            .binary_search_by_key(&class, |(class, _)| *class)
        {
            Ok(at) => self.counts[at].1,
            Err(_) => 0,
        }
    }

    /// The state behind `hole` if it takes a variable of `class` that is in use already,
    /// or the next one.
    pub(super) fn after(&self, pattern: &Pattern, hole: usize, class: u32, is_new: bool) -> InUse {
        let mut next = self.clone();
        if is_new {
            let number = (self.of(class) + 1).min(pattern.size(class) - 1);
            match next
                .counts
                .binary_search_by_key(&class, |(class, _)| *class)
            {
                Ok(at) => next.counts[at].1 = number,
                Err(at) if number > 0 => next.counts.insert(at, (class, number)),
                Err(_) => {}
            }
        }
        next.counts
            .retain(|(class, _)| pattern.is_needed_after(hole, *class));
        next
    }

    /// Whether all variables of the class but one are in use, so that naming it or any
    /// other leads to the same state.
    fn is_full(&self, pattern: &Pattern, class: u32) -> bool {
        self.of(class) + 1 >= pattern.size(class)
    }

    /// The states behind `hole`, and in how many ways it leads to each; one state may
    /// come several times.
    pub(super) fn successors(&self, pattern: &Pattern, hole: usize) -> Vec<(InUse, u32)> {
        let mut found = Vec::new();
        for &class in &pattern.holes()[hole] {
            if self.is_full(pattern, class) {
                let next = self.after(pattern, hole, class, false);
                found.push((next, pattern.size(class)));
                continue;
            }
            let used = self.of(class);
            if used > 0 {
                found.push((self.after(pattern, hole, class, false), used));
            }
            found.push((self.after(pattern, hole, class, true), 1));
        }
        found
    }
}

/// The number of canonical fillings, with the states of one hole in memory at a time.
pub fn canonical(pattern: &Pattern) -> Result<BigUint, TooManyStates> {
    let mut layer = HashMap::from([(InUse::default(), BigUint::from(1u32))]);
    for hole in 0..pattern.holes().len() {
        let mut next: HashMap<InUse, BigUint> = HashMap::new();
        for (state, ways) in &layer {
            for (successor, factor) in state.successors(pattern, hole) {
                *next.entry(successor).or_default() += ways * factor;
            }
        }
        if next.len() > MOST_STATES {
            return Err(TooManyStates);
        }
        layer = next;
    }
    Ok(layer.into_values().sum())
}
