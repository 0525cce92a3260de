//! Which fillings of a skeleton are made, one after another.

use super::count::TooManyStates;
use super::product::{FillingWalk, Ranking};
use super::sample::sample_ranks;
use super::skeleton::Skeleton;
use crate::source::program::VariableId;
use num_bigint::BigUint;
use rand::RngCore;
use std::collections::btree_set;

/// Which fillings are wanted. The seed, which has rank 0, comes only if asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// All if there are at most so many, otherwise a sample of so many.
    UpTo(u64),
    /// So many, in the order of their ranks.
    Row { from: BigUint, number: u64 },
    /// A uniform sample of so many.
    Sample(u64),
}

/// A filling with its rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SelectedFilling {
    pub rank: BigUint,
    /// The variable of each hole.
    pub variables: Vec<VariableId>,
}

/// The fillings of a selection, by rank. A row takes constant memory.
#[derive(Debug)]
pub(crate) enum SelectedFillings<'s> {
    Row {
        skeleton: &'s Skeleton<'s>,
        /// Stands at the next filling; `None` behind the last.
        walk: Option<FillingWalk<'s>>,
        rank: BigUint,
        left: u64,
    },
    Sample {
        skeleton: &'s Skeleton<'s>,
        ranking: Ranking<'s>,
        ranks: btree_set::IntoIter<BigUint>,
    },
}

impl<'s> SelectedFillings<'s> {
    pub(crate) fn new(
        skeleton: &'s Skeleton<'s>,
        selection: &Selection,
        rng: &mut impl RngCore,
    ) -> Result<SelectedFillings<'s>, TooManyStates> {
        let last = skeleton.product().count() - 1u32;
        match selection {
            Selection::UpTo(limit) if last > BigUint::from(*limit) => {
                SelectedFillings::sample(skeleton, *limit, rng)
            }
            Selection::UpTo(limit) => SelectedFillings::row(skeleton, 1u32.into(), *limit),
            Selection::Row { from, number } => {
                SelectedFillings::row(skeleton, from.clone(), *number)
            }
            Selection::Sample(number) => SelectedFillings::sample(skeleton, *number, rng),
        }
    }

    fn row(
        skeleton: &'s Skeleton<'s>,
        rank: BigUint,
        left: u64,
    ) -> Result<SelectedFillings<'s>, TooManyStates> {
        let product = skeleton.product();
        let walk = if rank > BigUint::from(1u32) {
            let filling = Ranking::new(product)?.unrank(&rank);
            filling.map(|filling| FillingWalk::at(product, &filling))
        } else {
            // The table of ranks is large, and these two are known.
            let mut walk = FillingWalk::from_seed(product);
            let is_there = rank == BigUint::default() || walk.advance();
            is_there.then_some(walk)
        };
        Ok(SelectedFillings::Row {
            skeleton,
            walk,
            rank,
            left,
        })
    }

    fn sample(
        skeleton: &'s Skeleton<'s>,
        number: u64,
        rng: &mut impl RngCore,
    ) -> Result<SelectedFillings<'s>, TooManyStates> {
        let last = skeleton.product().count() - 1u32;
        Ok(SelectedFillings::Sample {
            skeleton,
            ranking: Ranking::new(skeleton.product())?,
            ranks: sample_ranks(&last, number, rng).into_iter(),
        })
    }
}

impl Iterator for SelectedFillings<'_> {
    type Item = SelectedFilling;

    fn next(&mut self) -> Option<SelectedFilling> {
        match self {
            SelectedFillings::Row {
                skeleton,
                walk,
                rank,
                left,
            } => {
                *left = left.checked_sub(1)?;
                let current = walk.as_mut()?;
                let selected = SelectedFilling {
                    rank: rank.clone(),
                    variables: skeleton.variables(current.filling()),
                };
                *rank += 1u32;
                if !current.advance() {
                    *walk = None;
                }
                Some(selected)
            }
            SelectedFillings::Sample {
                skeleton,
                ranking,
                ranks,
            } => {
                let rank = ranks.next()?;
                let filling = ranking.unrank(&rank)?;
                Some(SelectedFilling {
                    rank,
                    variables: skeleton.variables(filling.iter().map(Vec::as_slice)),
                })
            }
        }
    }
}
