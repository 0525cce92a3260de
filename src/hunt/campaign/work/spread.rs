//! Where the time of a campaign goes: the configs that a seed is tried with, and how many
//! variants it gets.
//!
//! A program of our own costs next to nothing to make, and what it should do is known. What
//! one level of optimisation does not show, the next seldom does, while the next program
//! may. So each gets a part of the configs, by dice, and some get a few variants; all configs
//! get their share over many programs. Beside them, programs of other generators are treated
//! alike, but that each has variants: by themselves they show little. Programs that a user has
//! are used up, so everything is tried with each.
//!
//! A campaign that learns begins in the same way, with all seeds that are made for it, and goes
//! on as `learning.rs` says.

use super::super::Campaign;
use super::super::learning::SeedChoice;
use super::super::seeds::Numbered;
use super::super::settings::Schedule;
use super::super::shapes::shapes;
use super::Desk;
use crate::dice::{self, Dice, Draw};
use crate::lab::toolchain::Config;
use crate::variant::generate::Feature;
use crate::variant::mutate::Mutator;
use anyhow::Result;
use memchr::memmem;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeSet;

/// Flag sets of a compiler that a generated seed is tried with.
const CONFIGS: usize = 2;
/// Variants of a generated seed, and one in how many has any if it is our own.
const VARIANTS: u32 = 2;
pub(in super::super) const MUTATED: u32 = 4;
/// How much more often a flag set that optimises is drawn than one that does not: the compiler
/// that defines what seeds do is asked without optimisation anyway.
const OPTIMISED: f64 = 8.0;
/// One in so many programs of our own is also compiled as two files.
const DIVIDED: u32 = 4;

/// What a seed costs besides what configs make of it, in the price of compiling it without
/// optimisation: the lead's build and reading it; what others have to say of a program that is
/// not our own; a profile.
const MAKING: f64 = 2.0;
const VETTING: f64 = 3.0;
const PROFILE: f64 = 5.0;

/// How often a config is drawn in comparison with others.
pub(in super::super) fn weight(config: &Config) -> f64 {
    if config.flags.iter().any(|flag| flag == "-O0") {
        1.0
    } else {
        OPTIMISED
    }
}

/// What dice say about one seed.
struct Luck {
    is_mutated: bool,
    /// For whatever else is to be drawn.
    dice: Dice,
}

impl Desk<'_> {
    /// Whether there is always another seed like this one.
    fn is_cheap(&self) -> bool {
        let header = &self.campaign.header;
        match header.settings.schedule() {
            Schedule::Spread => {
                let has_own = header.generator.is_some();
                has_own && self.numbered.is_generated() && !self.numbered.is_instance
            }
            Schedule::Fixed => false,
            Schedule::Learn => self.choice.is_some(),
        }
    }

    /// How many variants the seed gets, unless the user says how many.
    pub(super) fn variants(&self) -> u32 {
        let said = self.campaign.header.settings.variants;
        let all = self.campaign.variants;
        if said.is_some() || !self.is_cheap() {
            all
        } else if self.is_mutated() {
            all.min(VARIANTS)
        } else {
            0
        }
    }

    fn is_mutated(&self) -> bool {
        match &self.choice {
            Some(choice) => choice.strategy.is_some(),
            None => self.luck().is_mutated,
        }
    }

    /// Who makes its variants.
    pub(super) fn mutator(&self) -> &Mutator {
        let strategy = self.choice.as_ref().and_then(|choice| choice.strategy);
        let chosen = strategy.and_then(|strategy| self.campaign.by_strategy.get(strategy));
        chosen.unwrap_or(&self.campaign.mutator)
    }

    /// Keeps what the code of an object is made of, if the campaign learns from that.
    pub(super) fn note_shapes(
        &self,
        config: usize,
        variant: u32,
        bytes: usize,
        object: &[u8],
    ) -> Result<()> {
        let campaign = self.campaign;
        let header = &campaign.header;
        let (Some(config), Some(price), true) = (
            header.configs.get(config),
            header.prices.get(config),
            self.choice.is_some() || header.settings.schedule() != Schedule::Learn,
        ) else {
            return Ok(());
        };
        let (seed, cost) = (self.numbered.number, price * kilobytes(bytes));
        let store = &campaign.store;
        store.add_shapes(seed, variant, &config.name, cost, &shapes(object))
    }

    /// What dice say about the seed.
    fn luck(&self) -> Luck {
        let (master, seed) = (self.campaign.header.settings.dice(), self.numbered.number);
        let mut dice = dice::generator(master, seed, Draw::Schedule);
        let is_own = self.numbered.predicted.is_some() && self.numbered.is_generated();
        Luck {
            is_mutated: dice.random_ratio(1, MUTATED) || !is_own,
            dice,
        }
    }

    /// The configs that the seed is tried with, each with its place among all.
    pub(super) fn configs(&self) -> Vec<(usize, &Config)> {
        let configs = &self.campaign.header.configs;
        let all = configs.iter().enumerate();
        let all: Vec<(usize, &Config)> = all.filter(|(place, _)| self.suits(*place)).collect();
        if !self.is_cheap() {
            return all;
        }
        let mut dice = self.luck().dice;
        let weight = |place: &usize| match &self.choice {
            Some(choice) => choice.chances.configs[*place],
            None => weight(&configs[*place]),
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

    /// Whether a config, by its place among all, has all that the program may have.
    pub(super) fn suits(&self, place: usize) -> bool {
        let lacks = self.campaign.header.lacks.get(place).into_iter().flatten();
        let mut lacks = lacks.filter(|feature| self.numbered.features.contains(feature));
        lacks.next().is_none()
    }

    /// Whether a config, by its place among all, has all that a variant has and its seed has not.
    pub(super) fn suits_variant(&self, place: usize, text: &[u8]) -> bool {
        let uses = |text: &[u8]| memmem::find(text, b"__attribute__").is_some();
        let lacks = self.campaign.header.lacks.get(place);
        let has_attributes = lacks.is_none_or(|lacks| !lacks.contains(&Feature::Attributes));
        has_attributes || !uses(text) || uses(&self.numbered.seed.source)
    }

    /// Whether a program is to be compiled as two files as well.
    pub(super) fn is_to_be_divided(&self, dice: &mut impl Rng) -> bool {
        !self.is_cheap() || dice.random_ratio(1, DIVIDED)
    }
}

impl Campaign<'_> {
    /// What is to be done with a seed that was made for this campaign, if that is learned.
    pub(super) fn choice(&self, numbered: &Numbered) -> Option<SeedChoice> {
        let is_ours = numbered.is_generated() && !numbered.is_instance;
        let learning = self.learning.as_ref().filter(|_| is_ours);
        learning.map(|known| known.choice(numbered.number))
    }

    /// Keeps what a seed costs besides compiling it, if the campaign learns from that.
    pub(super) fn note_cost(&self, numbered: &Numbered) -> Result<()> {
        let (Some(choice), Some(price)) = (self.choice(numbered), self.header.prices.first())
        else {
            return Ok(());
        };
        let mut times = MAKING + self.header.flag_pools.len() as f64;
        if numbered.predicted.is_none() {
            times += VETTING;
        }
        let cost = price * kilobytes(numbered.seed.source.len());
        let (seed, nothing) = (numbered.number, BTreeSet::new());
        self.store.add_shapes(seed, 0, "", times * cost, &nothing)?;
        if choice.strategy.is_some() {
            // It is the variants that need a profile.
            self.store
                .add_shapes(seed, 1, "", PROFILE * cost, &nothing)?;
        }
        Ok(())
    }
}

fn kilobytes(bytes: usize) -> f64 {
    bytes as f64 / 1024.0
}
