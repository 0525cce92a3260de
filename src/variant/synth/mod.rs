//! Synthesis: trees of code from the values at a point and random numbers.
//!
//! Everything here returns trees that are defined in every recorded visit, or
//! that are never executed (`dead`). The kinds of `mutation/` put such trees together
//! and into the program; `strategy/` decides where.

mod block;
mod borrowed;
mod dead;
mod expression;
mod fact;
mod float;
mod helper;
mod knowledge;
mod pointee;
mod predicate;
mod scalar;
mod shape;
mod site;
mod structure;
mod surroundings;
mod wanted;
mod world;

pub(crate) use helper::HelperCall;
pub(crate) use scalar::KnownScalar;
pub use shape::BlockShape;
pub(crate) use site::{Site, Sites, View};
pub(crate) use surroundings::Surroundings;
pub(crate) use world::{Spread, World};

use crate::code::ctype::Types;
use rand::Rng;

/// How large synthesised code gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Operators of a predicate above its comparisons.
    pub predicate_depth: u32,
    /// Scalars that one mutation may use.
    pub scalars: usize,
    /// Leaves of an expression.
    pub leaves: usize,
    /// Statements of a live block.
    pub steps: usize,
    /// Nesting of statements in dead code.
    pub dead_depth: u32,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes {
            predicate_depth: 2,
            scalars: 8,
            leaves: 4,
            steps: 5,
            dead_depth: 3,
        }
    }
}

impl Sizes {
    /// Sizes between half of these and twice as much, each by itself.
    pub(crate) fn rolled(self, rng: &mut impl Rng) -> Sizes {
        let mut roll = |size: usize| rng.random_range(size.div_ceil(2)..=size * 2);
        Sizes {
            predicate_depth: roll(self.predicate_depth as usize) as u32,
            scalars: roll(self.scalars),
            leaves: roll(self.leaves),
            steps: roll(self.steps),
            dead_depth: roll(self.dead_depth as usize) as u32,
        }
    }
}

/// Makes the code of one mutation.
#[derive(Debug)]
pub(crate) struct Synth<'a, R> {
    pub types: &'a Types,
    pub rng: &'a mut R,
    pub sizes: Sizes,
    /// The mutation's number, which new names carry.
    pub number: u32,
    /// How many labels it has by now.
    pub labels: u32,
    /// Whether code that never runs may be such that it must not.
    pub undefined: bool,
}

#[cfg(test)]
impl<'a, R> Synth<'a, R> {
    /// With usual sizes, for the first mutation.
    fn plain(types: &'a Types, rng: &'a mut R) -> Synth<'a, R> {
        Synth {
            types,
            rng,
            sizes: Sizes::default(),
            number: 1,
            labels: 0,
            undefined: false,
        }
    }
}

impl<R: Rng> Synth<'_, R> {
    /// True with probability 1/`times`.
    pub(crate) fn one_in(&mut self, times: u32) -> bool {
        self.rng.random_ratio(1, times)
    }

    /// A name that no other mutation uses.
    fn name(&self, role: &str) -> String {
        format!("mestra_{}_{role}", self.number)
    }
}
