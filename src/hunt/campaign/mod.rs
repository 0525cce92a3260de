//! Campaigns: seeds and their variants given to compilers, for hours, without losing
//! results and without reporting anything unconfirmed.
//!
//! `settings` says what is wanted, `plan` what that means on this machine, and
//! `store` keeps it with all results. `work` takes one seed from its creation to its
//! last variant; `judge` gives verdicts and `confirm` questions them. What survives
//! is a finding. Observers are told what happens as `event`s. Seeds are independent
//! of each other, and each depends only on its number and the plan.

pub mod aside;
pub(crate) mod compact;
pub(crate) mod confirm;
mod copies;
pub(crate) mod crash;
pub(crate) mod curves;
pub(crate) mod damage;
pub(crate) mod event;
pub mod flags;
pub(crate) mod gather;
pub(crate) mod guard;
mod health;
pub(crate) mod history;
pub mod judge;
mod keep;
pub(crate) mod kinds;
mod learning;
pub(crate) mod merge;
pub(crate) mod mirror;
mod pace;
pub(crate) mod plan;
pub mod repro;
mod schema;
pub mod seeds;
pub(crate) mod session;
pub mod settings;
mod shapes;
pub mod store;
mod supply;
pub(crate) mod totals;
mod work;

use crate::hunt::finding;
use crate::lab::process::{Purpose, meter};
use crate::lab::toolchain::{Compiler, Config};
use crate::lab::{Lab, Patience, interrupt};
use crate::variant::mutate::Mutator;
use crate::variant::observer::Observer;
use anyhow::{Context, Result, anyhow, bail};
use event::Event;
use learning::{ArmChances, Learning};
use mirror::Mirror;
use pace::Pace;
use seeds::Seeds;
use settings::{Schedule, Settings};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use store::{Header, Store};
use supply::Supply;
use totals::{OURSELVES, Totals};

/// A generator that fails this many times in a row will not recover.
const FAILURES_OF_GENERATOR: u64 = 20;

/// A campaign at work.
#[derive(Debug)]
pub(crate) struct Campaign<'o> {
    lab: Lab,
    header: Header,
    store: Store,
    supply: Supply,
    mutator: Mutator,
    /// What has been learned about where time should go, if that is wanted.
    learning: Option<Learning>,
    /// One for each strategy, if one of them is chosen for each seed.
    by_strategy: Vec<Mutator>,
    /// Defines what a seed does.
    lead: Config,
    /// The quickest linker, if there is one: tcc.
    linker: Option<Compiler>,
    variants: u32,
    /// Whether no program is run, so that all serve whatever they mean.
    only_compiles: bool,
    seed_timeout: Duration,
    /// How long a generated seed may run under the first compiler that it is given to.
    first_timeout: Duration,
    patience: Patience,
    /// One for each config, then one for each compiler that gets flags by dice.
    paces: Vec<Pace>,
    how: How,
    observer: &'o dyn Observer<Event>,
    began: Instant,
    /// How long it had been running before it was resumed.
    worked_before: Duration,
    /// CPU times that are already in the store.
    accounted: Mutex<Vec<(&'static str, Duration)>>,
    /// How many seeds in a row could not be generated.
    not_made: AtomicU64,
    /// Whether there is anything to work on afterwards.
    has_found: AtomicBool,
    /// The first error of the campaign itself.
    failure: OnceLock<anyhow::Error>,
}

/// How a campaign is run; none of it changes the results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    /// The number of cores if `None`.
    pub jobs: Option<usize>,
    pub time: Option<Duration>,
    /// How much of that is kept for what comes after, once something is found.
    pub reserve: Duration,
    pub shard: Shard,
}

/// One of several parts of a campaign: the seeds whose number leaves `part - 1`
/// when divided by `of`, counted from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    pub part: u64,
    pub of: u64,
}

/// The result of running a campaign.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub totals: Totals,
    pub is_interrupted: bool,
}

impl<'o> Campaign<'o> {
    pub(crate) fn new(
        lab: Lab,
        header: Header,
        store: Store,
        how: How,
        observer: &'o dyn Observer<Event>,
    ) -> Result<Campaign<'o>> {
        let settings = &header.settings;
        let seeds = Seeds::new(&lab, settings)?
            .with_standard(header.standard.as_deref())
            .with_features(&header);
        let mutator = plan::mutator(&lab, settings)?;
        keep::clean(&store.directory)?;
        fs::create_dir_all(store.directory.join(finding::FINDINGS))
            .with_context(|| format!("making directories in {}", store.directory.display()))?;
        let supply = Supply::new(seeds, mutator.clang.clone(), settings);
        let mut by_strategy = Vec::new();
        let mut learning = None;
        if settings.schedule() == Schedule::Learn {
            for strategy in settings.strategies() {
                let strategies = Some(vec![strategy]);
                let settings = Settings {
                    strategies,
                    ..settings.clone()
                };
                by_strategy.push(plan::mutator(&lab, &settings)?);
            }
            let sources = supply.sources().into_iter().map(|(_, chance)| chance);
            let first = ArmChances::first(
                sources.collect(),
                1.0 / f64::from(work::MUTATED),
                by_strategy.len(),
                header.configs.iter().map(work::weight).collect(),
            );
            let names = header.configs.iter().map(|config| config.name.clone());
            let dice = settings.dice();
            learning = Some(Learning::new(how.shard, dice, names.collect(), first));
        }
        Ok(Campaign {
            supply,
            learning,
            by_strategy,
            mutator,
            lead: plan::lead(&lab)?,
            linker: Compiler::find("tcc").ok(),
            variants: settings.variants(),
            only_compiles: settings.variants() == 0
                && header.configs.iter().all(Config::only_compiles),
            seed_timeout: plan::seed_timeout(settings),
            first_timeout: plan::first_timeout(settings),
            patience: plan::patience(settings),
            paces: (0..header.ways()).map(|_| Pace::default()).collect(),
            observer,
            began: Instant::now(),
            worked_before: store.worked()?,
            accounted: Mutex::new(spent()),
            not_made: AtomicU64::new(0),
            has_found: AtomicBool::new(!finding::directories(&store.directory)?.is_empty()),
            failure: OnceLock::new(),
            lab,
            header,
            store,
            how,
        })
    }

    /// Works until all seeds are done, time is up, or the user wants it to stop. Meanwhile
    /// the mirror, if there is one, is kept up to date.
    ///
    /// # Errors
    /// If the campaign itself cannot go on: its directory cannot be written, a
    /// compiler is gone. The store is whole then, and the campaign can be resumed.
    pub(crate) fn run(self, mirror: Option<&Mirror>) -> Result<Ended> {
        let finished = self.store.finished_seeds()?;
        self.observer.observe(&Event::Began {
            seeds: self.supply.total().map(|total| self.how.shard.share(total)),
            configs: self.header.ways(),
            limit: self.how.time,
        })?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.how.jobs.unwrap_or(0))
            .build()
            .context("starting threads")?;
        if let Some(learning) = &self.learning {
            learning.finish(finished.iter().copied(), &self.store)?;
        }
        let next = AtomicU64::new(1);
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            if let Some(mirror) = mirror {
                scope.spawn(|| {
                    mirror.watch(&is_done, |error| {
                        let reason = format!("{error:#}");
                        if let Err(error) = self.observer.observe(&Event::NotCopied { reason }) {
                            let _ = self.failure.set(error);
                        }
                    });
                });
            }
            // Every thread takes seeds for itself, and works on variants of other seeds
            // while it waits for its own.
            pool.broadcast(|_| self.take_seeds(&next, &finished));
            is_done.store(true, Ordering::Relaxed);
        });
        let copied = mirror.map_or(Ok(()), Mirror::save);
        if let Some(failure) = self.failure.into_inner() {
            self.observer.observe(&Event::Failed)?;
            return Err(failure);
        }
        copied?;
        let totals = self.store.totals()?;
        let is_interrupted = interrupt::is_requested();
        self.observer.observe(&Event::Ended {
            totals: Box::new(totals.clone()),
            is_interrupted,
        })?;
        Ok(Ended {
            totals,
            is_interrupted,
        })
    }

    fn take_seeds(&self, next: &AtomicU64, finished: &BTreeSet<u64>) {
        while !self.is_stopping() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if self.supply.total().is_some_and(|total| number > total) {
                return;
            }
            if !self.how.shard.has(number) || finished.contains(&number) {
                continue;
            }
            let learning = self.learning.as_ref();
            if learning.is_some_and(|known| !known.wait_for(number, || self.is_stopping())) {
                return;
            }
            // Others may wait for what becomes of this seed, so a panic must not end the thread.
            let taken = panic::catch_unwind(AssertUnwindSafe(|| self.take_seed(number)));
            let taken = taken
                .unwrap_or_else(|_| Err(anyhow!("a fault of Mestra's was met at seed {number}")));
            if let Err(error) = taken {
                let _ = self.failure.set(error);
            }
        }
    }

    fn take_seed(&self, number: u64) -> Result<()> {
        self.work_on(number)?;
        self.account()?;
        match &self.learning {
            // What was interrupted is begun again, by whoever resumes the campaign.
            Some(learning) if !self.is_stopping() => learning.finish([number], &self.store),
            _ => Ok(()),
        }
    }

    /// Whether to start nothing new.
    fn is_stopping(&self) -> bool {
        let reserve = if self.has_found.load(Ordering::Relaxed) {
            self.how.reserve
        } else {
            Duration::ZERO
        };
        let limit = self.how.time.map(|time| time.saturating_sub(reserve));
        let is_late = limit.is_some_and(|limit| self.began.elapsed() >= limit);
        is_late || interrupt::is_requested() || self.failure.get().is_some()
    }

    /// How long the campaign has been running, over all its sessions.
    fn worked(&self) -> Duration {
        self.worked_before + self.began.elapsed()
    }

    /// Adds the CPU time since the last call to the store.
    fn account(&self) -> Result<()> {
        let mut accounted = self
            .accounted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = spent();
        let since: Vec<(&str, Duration)> = now
            .iter()
            .zip(accounted.iter())
            .map(|(now, before)| (now.0, now.1.saturating_sub(before.1)))
            .collect();
        self.store.add_timings(&since)?;
        *accounted = now;
        Ok(())
    }
}

/// CPU time so far: ours, and that of children by purpose.
fn spent() -> Vec<(&'static str, Duration)> {
    let children = Purpose::ALL.map(|purpose| (purpose.name(), meter::children(purpose)));
    let ours = (OURSELVES, meter::ourselves());
    children.into_iter().chain([ours]).collect()
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { part: 1, of: 1 }
    }
}

impl Shard {
    fn has(self, number: u64) -> bool {
        (number - 1) % self.of == self.part - 1
    }

    /// How many of the first `total` seeds are its own.
    fn share(self, total: u64) -> u64 {
        (total + self.of - self.part) / self.of
    }
}

/// As typed: `2/3`.
impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Shard> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => bail!("expected a shard such as 2/3, the second of three"),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_the_seeds() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|s| s.parse().unwrap()).into();
        for number in 1..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(number)).count(), 1);
        }
        for total in 0..20 {
            let shares: Vec<u64> = shards.iter().map(|shard| shard.share(total)).collect();
            assert_eq!(shares.iter().sum::<u64>(), total);
            let counted = (1..=total).filter(|&number| shards[1].has(number)).count();
            assert_eq!(shares[1], counted as u64);
        }
        for wrong in ["", "0/3", "4/3", "1", "1/0", "-1/2", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
