//! From a canonical filling to its rank and back.
//!
//! The rank is the filling's place in the order of [`super::growth::GrowthString`]. The
//! table holds, for every state before every hole, how many ways there are to go on.

use super::count::{InUse, MOST_STATES, TooManyStates};
use super::pattern::{Choice, Pattern};
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};

/// The number of ways to fill the rest, for every hole and state.
#[derive(Clone, Debug)]
pub struct RankTable<'p> {
    pattern: &'p Pattern,
    /// One more layer than there are holes.
    layers: Vec<HashMap<InUse, BigUint>>,
}

/// Choices at a hole that go on alike: variables of a class that are in use, or the next.
#[derive(Clone, Copy)]
struct ChoiceGroup {
    class: u32,
    first: u32,
    number: u32,
    is_new: bool,
}

/// A filling of the first holes.
struct FilledPart<'p> {
    pattern: &'p Pattern,
    choices: Vec<Choice>,
    /// How many variables of each class are in use.
    used: Vec<u32>,
    state: InUse,
}

impl<'p> RankTable<'p> {
    pub fn new(pattern: &'p Pattern) -> Result<RankTable<'p>, TooManyStates> {
        let states = reachable(pattern)?;
        let mut layers: Vec<HashMap<InUse, BigUint>> = Vec::with_capacity(states.len());
        for (hole, layer) in states.into_iter().enumerate().rev() {
            let ahead = layers.last();
            let ways = |state: &InUse| -> BigUint {
                let Some(ahead) = ahead else {
                    return BigUint::from(1u32);
                };
                let successors = state.successors(pattern, hole).into_iter();
                successors
                    .map(|(next, factor)| &ahead[&next] * factor)
                    .sum()
            };
            let counted = layer.into_iter().map(|state| {
                let ways = ways(&state);
                (state, ways)
            });
            layers.push(counted.collect());
        }
        layers.reverse();
        Ok(RankTable { pattern, layers })
    }

    /// The number of canonical fillings.
    pub fn count(&self) -> &BigUint {
        self.ways(0, &InUse::default())
    }

    /// The filling of a rank below [`RankTable::count`].
    pub fn unrank(&self, rank: &BigUint) -> Vec<Choice> {
        debug_assert!(rank < self.count(), "a rank is below the count");
        let mut rest = rank.clone();
        let mut part = FilledPart::empty(self.pattern);
        for hole in 0..self.pattern.holes().len() {
            for group in part.groups() {
                let ways = self.ways(hole + 1, &part.after(group));
                let all = ways * group.number;
                if rest < all {
                    let index = u32::try_from(&rest / ways).unwrap_or_default();
                    rest %= ways;
                    part.take(group, group.first + index);
                    break;
                }
                rest -= all;
            }
        }
        part.choices
    }

    /// The rank of a canonical filling.
    pub fn rank(&self, choices: &[Choice]) -> BigUint {
        let mut rank = BigUint::default();
        let mut part = FilledPart::empty(self.pattern);
        for (hole, choice) in choices.iter().enumerate() {
            for group in part.groups() {
                let ways = self.ways(hole + 1, &part.after(group));
                if group.holds(*choice) {
                    rank += ways * (choice.member - group.first);
                    part.take(group, choice.member);
                    break;
                }
                rank += ways * group.number;
            }
        }
        rank
    }

    fn ways(&self, hole: usize, state: &InUse) -> &BigUint {
        &self.layers[hole][state]
    }
}

impl<'p> FilledPart<'p> {
    fn empty(pattern: &'p Pattern) -> FilledPart<'p> {
        FilledPart {
            pattern,
            choices: Vec::with_capacity(pattern.holes().len()),
            used: vec![0; pattern.classes()],
            state: InUse::default(),
        }
    }

    /// What the next hole can take, in the order of enumeration.
    fn groups(&self) -> Vec<ChoiceGroup> {
        let classes = &self.pattern.holes()[self.choices.len()];
        let mut groups = Vec::with_capacity(2 * classes.len());
        for &class in classes {
            let used = self.used[class as usize];
            let group = |first, number, is_new| ChoiceGroup {
                class,
                first,
                number,
                is_new,
            };
            if used > 0 {
                groups.push(group(0, used, false));
            }
            if used < self.pattern.size(class) {
                groups.push(group(used, 1, true));
            }
        }
        groups
    }

    /// The state behind the next hole if it takes a variable of the group.
    fn after(&self, group: ChoiceGroup) -> InUse {
        let hole = self.choices.len();
        self.state
            .after(self.pattern, hole, group.class, group.is_new)
    }

    fn take(&mut self, group: ChoiceGroup, member: u32) {
        self.state = self.after(group);
        self.used[group.class as usize] += u32::from(group.is_new);
        self.choices.push(Choice {
            class: group.class,
            member,
        });
    }
}

impl ChoiceGroup {
    fn holds(self, choice: Choice) -> bool {
        let members = self.first..self.first + self.number;
        self.class == choice.class && members.contains(&choice.member)
    }
}

/// The states that can come before each hole, and behind the last.
fn reachable(pattern: &Pattern) -> Result<Vec<HashSet<InUse>>, TooManyStates> {
    let mut layers = vec![HashSet::from([InUse::default()])];
    let mut total = 1;
    for hole in 0..pattern.holes().len() {
        let mut next = HashSet::new();
        for state in &layers[hole] {
            let successors = state.successors(pattern, hole);
            next.extend(successors.into_iter().map(|(next, _)| next));
        }
        total += next.len();
        if total > MOST_STATES {
            return Err(TooManyStates);
        }
        layers.push(next);
    }
    Ok(layers)
}
