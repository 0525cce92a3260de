//! Where the time of a campaign goes: the configs that a seed is tried with, and how many
//! variants it gets.
//!
//! A program of our own costs next to nothing to make, and what it should do is known. What
//! one level of optimisation does not show, the next seldom does, while the next program
//! may. So each gets a part of the configs, by dice, and some get a few variants; all configs
//! get their share over many programs. Programs of others are dear, and are used up.

use super::super::settings::Schedule;
use super::Desk;
use crate::dice::{self, Dice, Draw};
use crate::lab::toolchain::Config;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeSet;

/// Flag sets of a compiler that a seed of our own is tried with.
const CONFIGS: usize = 2;
/// Variants of a seed of our own, and one in how many has any.
const VARIANTS: u32 = 2;
const MUTATED: u32 = 4;
/// How much more often a flag set that optimises is drawn than one that does not: the compiler
/// that defines what seeds do is asked without optimisation anyway.
const OPTIMISED: u32 = 8;
/// One in so many programs of our own is also compiled as two files.
const DIVIDED: u32 = 4;

/// What dice say about one seed.
struct Luck {
    is_mutated: bool,
    /// For whatever else is to be drawn.
    dice: Dice,
}

impl Desk<'_> {
    /// Whether there is always another seed like this one.
    fn is_cheap(&self) -> bool {
        let settings = &self.campaign.header.settings;
        self.numbered.predicted.is_some() && settings.schedule() == Schedule::Spread
    }

    /// How many variants the seed gets, unless the user says how many.
    pub(super) fn variants(&self) -> u32 {
        let said = self.campaign.header.settings.variants;
        let all = self.campaign.variants;
        if said.is_some() || !self.is_cheap() {
            all
        } else if self.luck().is_mutated {
            all.min(VARIANTS)
        } else {
            0
        }
    }

    /// What dice say about the seed.
    fn luck(&self) -> Luck {
        let (master, seed) = (self.campaign.header.settings.dice(), self.numbered.number);
        let mut dice = dice::generator(master, seed, Draw::Schedule);
        Luck {
            is_mutated: dice.random_ratio(1, MUTATED),
            dice,
        }
    }

    /// The configs that the seed is tried with, each with its place among all.
    pub(super) fn configs(&self) -> Vec<(usize, &Config)> {
        let all: Vec<(usize, &Config)> = self.campaign.header.configs.iter().enumerate().collect();
        if !self.is_cheap() {
            return all;
        }
        let mut dice = self.luck().dice;
        let weight = |place: &usize| {
            let flags = &all[*place].1.flags;
            if flags.iter().any(|flag| flag == "-O0") {
                1
            } else {
                OPTIMISED
            }
        };
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        for (_, config) in &all {
            let of_it = |(_, other): &&(usize, &Config)| {
                other.compiler.path == config.compiler.path && other.runner == config.runner
            };
            let places: Vec<usize> = all.iter().filter(of_it).map(|(place, _)| *place).collect();
            if places.iter().all(|place| !chosen.contains(place)) {
                let drawn = places.choose_multiple_weighted(&mut dice, CONFIGS, weight);
                chosen.extend(drawn.into_iter().flatten());
            }
        }
        all.into_iter()
            .filter(|(place, _)| chosen.contains(place))
            .collect()
    }

    /// Whether a program is to be compiled as two files as well.
    pub(super) fn is_to_be_divided(&self, dice: &mut impl Rng) -> bool {
        !self.is_cheap() || dice.random_ratio(1, DIVIDED)
    }
}
