//! Where the time of a campaign goes, learned from what it has brought: which seeds are made,
//! whether variants are made of them and by which strategy, and which configs compile them.
//!
//! Each of these is a choice between arms. What an arm brings is counted in shapes of code that
//! the campaign has not seen before, and in findings; what it costs is known in advance, by the
//! plan's prices and the sizes of texts. So a campaign is a function of its plan as ever,
//! whatever the machine is doing meanwhile.
//!
//! Seeds are worked on in blocks. What is chosen for a block rests on all blocks but the one
//! before it, which may be in progress; so it does not depend on the number of threads, and
//! whoever resumes a campaign comes to the same by reading its store. A shard learns from its
//! own seeds.

use super::Shard;
use super::store::{ShapedRun, Store};
use crate::dice::{self, Draw};
use anyhow::Result;
use rand::distr::{Distribution, weighted::WeightedIndex};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Seeds of a block.
const BLOCK: u64 = 32;

/// What is left of a block's weight when the next one has been counted: arms are used up.
const MEMORY: f64 = 0.8;

/// The part of the time that all arms share equally, so that each stays known.
const EXPLORED: f64 = 0.2;

/// Shapes that a finding is worth.
const FINDING: f64 = 200.0;

/// How long a thread sleeps before it looks whether the campaign is to stop.
const LOOK: Duration = Duration::from_millis(200);

/// What was spent on an arm, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Arm {
    tries: f64,
    cost: f64,
    gain: f64,
}

/// The probabilities of all arms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ArmChances {
    sources: Vec<f64>,
    /// No variants, then variants by each strategy.
    treatments: Vec<f64>,
    /// Weights, since several configs are drawn at once.
    pub(super) configs: Vec<f64>,
}

/// What is to be done with a seed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SeedChoice {
    pub(super) source: usize,
    /// The number of the strategy that makes its variants, if it gets any.
    pub(super) strategy: Option<usize>,
    pub(super) chances: Arc<ArmChances>,
}

/// What a campaign has learned.
#[derive(Debug)]
pub(super) struct Learning {
    shard: Shard,
    dice: u64,
    /// The names of the configs.
    configs: Vec<String>,
    progress: Mutex<Learned>,
    /// Another block was counted.
    counted: Condvar,
}

#[derive(Debug)]
struct Learned {
    /// The finished seeds of blocks that are not counted yet.
    finished: BTreeSet<u64>,
    /// By how many blocks they rest on.
    chances: Vec<Arc<ArmChances>>,
    seen: HashSet<u32>,
    sources: Vec<Arm>,
    treatments: Vec<Arm>,
    configs: Vec<Arm>,
}

impl Learning {
    /// `first` is what is done before anything is known.
    pub(super) fn new(
        shard: Shard,
        dice: u64,
        configs: Vec<String>,
        first: ArmChances,
    ) -> Learning {
        Learning {
            shard,
            dice,
            configs,
            progress: Mutex::new(Learned {
                finished: BTreeSet::new(),
                seen: HashSet::new(),
                sources: vec![Arm::default(); first.sources.len()],
                treatments: vec![Arm::default(); first.treatments.len()],
                configs: vec![Arm::default(); first.configs.len()],
                chances: vec![Arc::new(first)],
            }),
            counted: Condvar::new(),
        }
    }

    /// Waits until enough is known for a seed; false if the campaign is to stop first.
    pub(super) fn wait_for(&self, seed: u64, is_stopping: impl Fn() -> bool) -> bool {
        let blocks = self.rests_on(seed);
        let mut progress = self.progress();
        while progress.chances.len() <= blocks {
            if is_stopping() {
                return false;
            }
            let waited = self.counted.wait_timeout(progress, LOOK);
            progress = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// What is to be done with a seed that was waited for.
    pub(super) fn choice(&self, seed: u64) -> SeedChoice {
        self.choice_by(&self.progress(), seed)
    }

    fn choice_by(&self, progress: &Learned, seed: u64) -> SeedChoice {
        let last = progress.chances.len() - 1;
        let chances = Arc::clone(&progress.chances[self.rests_on(seed).min(last)]);
        let mut dice = dice::generator(self.dice, seed, Draw::Learning);
        let mut draw = |chances: &[f64]| {
            WeightedIndex::new(chances).map_or(0, |weights| weights.sample(&mut dice))
        };
        let (source, treatment) = (draw(&chances.sources), draw(&chances.treatments));
        SeedChoice {
            source,
            strategy: treatment.checked_sub(1),
            chances,
        }
    }

    /// Counts a seed as finished, and its block if that is whole.
    pub(super) fn finish(&self, seeds: impl IntoIterator<Item = u64>, store: &Store) -> Result<()> {
        let mut progress = self.progress();
        progress.finished.extend(seeds);
        loop {
            let block = progress.chances.len() as u64 - 1;
            let own = |index| index * self.shard.of + self.shard.part;
            let seeds = own(block * BLOCK)..=own((block + 1) * BLOCK - 1);
            let mut wanted = (block * BLOCK..(block + 1) * BLOCK).map(own);
            if !wanted.all(|seed| progress.finished.contains(&seed)) {
                return Ok(());
            }
            progress.finished.retain(|seed| !seeds.contains(seed));
            let runs = store.shaped_runs(*seeds.start(), *seeds.end())?;
            self.count(&mut progress, &runs);
            self.counted.notify_all();
        }
    }

    fn count(&self, progress: &mut Learned, runs: &[ShapedRun]) {
        let mut choices: BTreeMap<u64, SeedChoice> = BTreeMap::new();
        for seed in runs.iter().map(|run| run.seed) {
            choices
                .entry(seed)
                .or_insert_with(|| self.choice_by(progress, seed));
        }
        for arms in [
            &mut progress.sources,
            &mut progress.treatments,
            &mut progress.configs,
        ] {
            for arm in arms {
                *arm = Arm {
                    tries: arm.tries * MEMORY,
                    cost: arm.cost * MEMORY,
                    gain: arm.gain * MEMORY,
                };
            }
        }
        for (seed, choice) in &choices {
            let own: Vec<&ShapedRun> = runs.iter().filter(|run| run.seed == *seed).collect();
            for run in &own {
                let new = run
                    .shapes
                    .iter()
                    .filter(|shape| progress.seen.insert(**shape));
                let gain = new.count() as f64 + FINDING * f64::from(run.findings);
                let treatment = match (run.is_of_variant, choice.strategy) {
                    (true, Some(strategy)) => strategy + 1,
                    _ => 0,
                };
                progress.sources[choice.source].add(0.0, run.cost, gain);
                progress.treatments[treatment].add(0.0, run.cost, gain);
                let mut names = self.configs.iter();
                if let Some(config) = names.position(|name| *name == run.config) {
                    progress.configs[config].add(1.0, run.cost, gain);
                }
            }
            progress.sources[choice.source].tries += 1.0;
            progress.treatments[0].tries += 1.0;
            if let Some(strategy) = choice.strategy {
                progress.treatments[strategy + 1].tries += 1.0;
            }
        }
        let first = &progress.chances[0];
        let chances = ArmChances {
            sources: chances(&progress.sources, &first.sources),
            treatments: chances(&progress.treatments, &first.treatments),
            configs: chances(&progress.configs, &first.configs),
        };
        progress.chances.push(Arc::new(chances));
    }

    /// How many blocks a seed's choice rests on.
    fn rests_on(&self, seed: u64) -> usize {
        let block = (seed - 1) / self.shard.of / BLOCK;
        usize::try_from(block.saturating_sub(1)).unwrap_or(usize::MAX)
    }

    fn progress(&self) -> MutexGuard<'_, Learned> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ArmChances {
    /// As if nothing were learned: these probabilities of sources, of variants by any of so
    /// many strategies, and these weights of configs.
    pub(super) fn first(
        sources: Vec<f64>,
        variants: f64,
        strategies: usize,
        configs: Vec<f64>,
    ) -> ArmChances {
        let mut treatments = vec![variants / strategies.max(1) as f64; strategies + 1];
        treatments[0] = 1.0 - variants;
        ArmChances {
            sources,
            treatments,
            configs,
        }
    }
}

impl Arm {
    fn add(&mut self, tries: f64, cost: f64, gain: f64) {
        self.tries += tries;
        self.cost += cost;
        self.gain += gain;
    }

    fn is_known(&self) -> bool {
        self.tries > 0.0 && self.cost > 0.0
    }
}

/// How often each arm is to be tried: its part of the time is that of what it brings for its
/// cost, and a dear arm is tried seldom for that. One that is not known yet keeps its chance.
fn chances(arms: &[Arm], first: &[f64]) -> Vec<f64> {
    let known = || arms.iter().filter(|arm| arm.is_known());
    let rates: f64 = known().map(|arm| arm.gain / arm.cost).sum();
    let count = known().count() as f64;
    let weight = |arm: &Arm| {
        let part = if rates > 0.0 {
            EXPLORED / count + (1.0 - EXPLORED) * (arm.gain / arm.cost) / rates
        } else {
            1.0 / count
        };
        part / (arm.cost / arm.tries)
    };
    let all: f64 = known().map(weight).sum();
    let known_first = arms.iter().zip(first).filter(|(arm, _)| arm.is_known());
    let left: f64 = known_first.map(|(_, chance)| chance).sum();
    arms.iter()
        .zip(first)
        .map(|(arm, chance)| {
            if arm.is_known() {
                left * weight(arm) / all
            } else {
                *chance
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::campaign::store::Header;

    fn arm(tries: f64, cost: f64, gain: f64) -> Arm {
        Arm { tries, cost, gain }
    }

    #[test]
    fn time_goes_where_it_brings_most_and_nowhere_not_at_all() {
        let equal = [0.5, 0.5];
        // Twice as much for the same cost.
        let [good, bad] = chances(&[arm(10., 10., 40.), arm(10., 10., 20.)], &equal)[..] else {
            panic!("there are two");
        };
        assert!((good + bad - 1.0).abs() < 1e-9);
        assert!(good > 0.6 && bad > 0.3, "{good} {bad}");
        // As much for its cost, but ten times as dear: a tenth of the tries.
        let [dear, cheap] = chances(&[arm(1., 100., 100.), arm(10., 100., 100.)], &equal)[..]
        else {
            panic!("there are two");
        };
        assert!((cheap / dear - 10.0).abs() < 1e-9, "{cheap} {dear}");
        // Nothing at all.
        let [_, useless] = chances(&[arm(10., 10., 40.), arm(10., 10., 0.)], &equal)[..] else {
            panic!("there are two");
        };
        assert!((useless - EXPLORED / 2.0).abs() < 1e-9, "{useless}");
    }

    #[test]
    fn what_was_not_tried_keeps_its_chance() {
        let found = chances(&[arm(3., 1., 5.), Arm::default()], &[0.75, 0.25]);
        assert_eq!(found, [0.75, 0.25]);
        let nothing = chances(&[Arm::default(), Arm::default()], &[0.9, 0.1]);
        assert_eq!(nothing, [0.9, 0.1]);
    }

    fn learning(shard: &str) -> Learning {
        let first = ArmChances::first(vec![0.5, 0.5], 0.5, 2, vec![1.0, 8.0]);
        let configs = ["cc -O0", "cc -O2"].map(str::to_owned).to_vec();
        Learning::new(shard.parse().unwrap(), 7, configs, first)
    }

    /// The second source brings ten shapes a seed and the first none; every second run is of
    /// the second config.
    fn put(learning: &Learning, store: &Store, seed: u64) {
        let choice = learning.choice(seed);
        for (number, config) in (0_u32..).zip(["cc -O0", "cc -O2"]) {
            let new = (choice.source as u32) * 10;
            let first = u32::try_from(seed).unwrap() * 100 + number * 50;
            let shapes: BTreeSet<u32> = (first..first + new).collect();
            store.add_shapes(seed, 0, config, 1.0, &shapes).unwrap();
        }
    }

    /// What is chosen for some seeds of a campaign, finished in this order.
    fn chosen(shard: &str, order: impl Fn(&mut Vec<u64>)) -> Vec<SeedChoice> {
        let directory = tempfile::tempdir().unwrap();
        let shard: Shard = shard.parse().unwrap();
        let store = Store::create(directory.path(), &Header::default(), shard).unwrap();
        let learning = learning(&shard.to_string());
        let seeds: Vec<u64> = (1..=BLOCK * 5 * shard.of)
            .filter(|n| shard.has(*n))
            .collect();
        let mut choices = Vec::new();
        for block in seeds.chunks(BLOCK as usize) {
            let mut block = block.to_vec();
            order(&mut block);
            for seed in block {
                assert!(learning.wait_for(seed, || true));
                put(&learning, &store, seed);
                choices.push((seed, learning.choice(seed)));
                learning.finish([seed], &store).unwrap();
            }
        }
        // Whoever resumes comes to the same.
        let again = self::learning(&shard.to_string());
        again.finish(seeds.iter().copied(), &store).unwrap();
        choices.sort_by_key(|(seed, _)| *seed);
        for (seed, choice) in &choices {
            assert_eq!(again.choice(*seed), *choice);
        }
        choices.into_iter().map(|(_, choice)| choice).collect()
    }

    #[test]
    fn choices_depend_on_what_earlier_blocks_brought_and_not_on_who_was_first() {
        let in_order = chosen("1/1", |_| ());
        let backwards = chosen("1/1", |seeds| seeds.reverse());
        assert_eq!(in_order, backwards);
        let second = |choices: &[SeedChoice]| choices.iter().filter(|c| c.source == 1).count();
        let block = BLOCK as usize;
        assert!(second(&in_order[..2 * block]) < 2 * block - 20);
        assert!(second(&in_order[3 * block..]) > 2 * block - 16);
    }

    #[test]
    fn a_shard_learns_from_its_own_seeds() {
        let choices = chosen("2/3", |_| ());
        let late = &choices[3 * BLOCK as usize..];
        assert!(late.iter().filter(|choice| choice.source == 1).count() > 48);
    }

    #[test]
    fn nobody_waits_for_a_campaign_that_is_to_stop() {
        assert!(!learning("1/1").wait_for(BLOCK * 2 + 1, || true));
        assert!(learning("1/1").wait_for(BLOCK * 2, || true));
    }
}
