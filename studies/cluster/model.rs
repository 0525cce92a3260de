//! The model: machines that work on seeds, lose them, and come back.

use super::measured::Measured;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub const CORES: usize = 4;
pub const HOURS: f64 = 8.0;
pub const PREEMPTED_EVERY_HOURS: f64 = 8.0;
pub const FAILS_EVERY_HOURS: f64 = 100.0;
pub const AWAY_MINUTES: f64 = 10.0;
pub const SYNC_SECONDS: f64 = 300.0;

const HOUR: f64 = 3600.0;

/// To find compilers, open the store, and take over a copy.
const START_SECONDS: f64 = 20.0;

/// What a copy costs one core.
const COPY_SECONDS: f64 = 1.0;

/// From a machine to the server and back.
const NETWORK_SECONDS: f64 = 0.0005;

/// Points of time at which seeds are counted.
const STEPS: usize = 4800;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Every machine has its share and keeps its results, with a copy now and then.
    Shards,
    /// One server hands out seeds and takes results.
    CentralQueue,
}

#[derive(Debug)]
pub struct Cluster<'m> {
    nodes: usize,
    scheme: Scheme,
    measured: &'m Measured,
}

/// What a cluster has done.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Core seconds in which machines were there.
    given: f64,
    /// Of these, what went into results that are kept, and into work that was done again.
    kept: f64,
    lost: f64,
    /// How many seeds had reached shared storage after each step.
    seen: Vec<u64>,
}

impl Outcome {
    pub fn efficiency(&self) -> f64 {
        self.kept / self.given
    }

    pub fn lost_share(&self) -> f64 {
        self.lost / self.given
    }

    pub fn seeds_an_hour(&self) -> f64 {
        *self.seen.last().unwrap_or(&0) as f64 / HOURS
    }

    /// The median time until a defect is seen that so large a share of seeds shows.
    pub fn seconds_to_see(&self, share: f64) -> Option<f64> {
        let needed = (0.5_f64.ln() / (-share).ln_1p()).ceil() as u64;
        let step = self.seen.iter().position(|&seen| seen >= needed)?;
        Some((step + 1) as f64 * HOURS * HOUR / STEPS as f64)
    }

    fn empty() -> Outcome {
        Outcome {
            given: 0.0,
            kept: 0.0,
            lost: 0.0,
            seen: vec![0; STEPS],
        }
    }

    /// A seed is visible from a moment on; those after the end are not.
    fn see(&mut self, at: f64) {
        let step = (at / (HOURS * HOUR) * STEPS as f64) as usize;
        if let Some(seen) = self.seen.get_mut(step) {
            *seen += 1;
        }
    }

    fn summed(mut self) -> Outcome {
        let mut sum = 0;
        for seen in &mut self.seen {
            sum += *seen;
            *seen = sum;
        }
        self
    }
}

/// A stretch of time in which a machine is there.
struct Presence {
    from: f64,
    to: f64,
    /// Whether what was not copied before its end is gone.
    loses_disk: bool,
}

/// The presences of a machine, from the start to the end.
fn presences(rng: &mut ChaCha8Rng) -> Vec<Presence> {
    let end = HOURS * HOUR;
    let mut all = Vec::new();
    let mut now = 0.0;
    while now < end {
        let preempted = now + exponential(rng, PREEMPTED_EVERY_HOURS * HOUR);
        let fails = now + exponential(rng, FAILS_EVERY_HOURS * HOUR);
        let to = preempted.min(fails).min(end);
        // A machine that is preempted saves first; one that fails does not.
        let loses_disk = fails < preempted && rng.random_bool(0.5);
        all.push(Presence {
            from: now,
            to,
            loses_disk,
        });
        now = to + AWAY_MINUTES * 60.0;
    }
    all
}

fn exponential(rng: &mut ChaCha8Rng, mean: f64) -> f64 {
    -mean * (1.0 - rng.random::<f64>()).ln()
}

impl Cluster<'_> {
    pub fn new(nodes: usize, scheme: Scheme, measured: &Measured) -> Cluster<'_> {
        Cluster {
            nodes,
            scheme,
            measured,
        }
    }

    pub fn run(&self) -> Outcome {
        match self.scheme {
            Scheme::Shards => self.shards(),
            Scheme::CentralQueue => self.central_queue(),
        }
    }

    fn seed(&self, rng: &mut ChaCha8Rng) -> f64 {
        self.measured.seeds[rng.random_range(0..self.measured.seeds.len())]
    }

    /// Machines do not know of each other, so one is simulated after the other.
    fn shards(&self) -> Outcome {
        let mut outcome = Outcome::empty();
        for node in 0..self.nodes {
            let mut rng = ChaCha8Rng::seed_from_u64(node as u64);
            for presence in presences(&mut rng) {
                outcome.given += CORES as f64 * (presence.to - presence.from);
                for core in 0..CORES {
                    self.core(&presence, core, &mut rng, &mut outcome);
                }
            }
        }
        outcome.summed()
    }

    /// What one core does while its machine is there.
    fn core(&self, presence: &Presence, core: usize, rng: &mut ChaCha8Rng, outcome: &mut Outcome) {
        // Copies are made at these times, and the last one when the machine is asked to go.
        let copied = |at: f64| {
            let intervals = ((at - presence.from) / SYNC_SECONDS).ceil();
            presence.from + intervals * SYNC_SECONDS
        };
        let mut now = presence.from + START_SECONDS;
        let mut next_copy = presence.from + SYNC_SECONDS;
        loop {
            if core == 0 && now >= next_copy {
                now += COPY_SECONDS;
                next_copy += SYNC_SECONDS;
            }
            let work = self.seed(rng);
            let done = now + self.measured.store + work;
            if done > presence.to {
                // Variants that are finished stay, so on average half of a variant of
                // those of the seed is lost; a whole seed is the worst case.
                outcome.lost += (presence.to - now).max(0.0);
                return;
            }
            now = done;
            let visible = copied(done);
            if visible <= presence.to {
                outcome.kept += work;
                outcome.see(visible);
            } else if presence.loses_disk {
                outcome.lost += work;
            } else {
                outcome.kept += work;
                outcome.see(presence.to.min(HOURS * HOUR - 1.0));
            }
        }
    }

    /// Every core asks the server for each seed, and the server answers one at a time.
    fn central_queue(&self) -> Outcome {
        let mut outcome = Outcome::empty();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        // When each core asks next, in microseconds, and until when it is there.
        let mut asking = BinaryHeap::new();
        let micros = |seconds: f64| (seconds * 1e6) as u64;
        for _ in 0..self.nodes {
            for presence in presences(&mut rng) {
                outcome.given += CORES as f64 * (presence.to - presence.from);
                for _ in 0..CORES {
                    let first = micros(presence.from + START_SECONDS);
                    asking.push(Reverse((first, micros(presence.to), 0)));
                }
            }
        }
        let service = micros(self.measured.store + NETWORK_SECONDS);
        let mut free = 0;
        while let Some(Reverse((at, until, worked))) = asking.pop() {
            let answered = at.max(free) + service;
            if answered > until {
                outcome.lost += worked as f64 / 1e6;
                continue;
            }
            free = answered;
            if worked > 0 {
                outcome.kept += worked as f64 / 1e6;
                outcome.see(answered as f64 / 1e6);
            }
            let work = micros(self.seed(&mut rng));
            if answered + work > until {
                outcome.lost += (until - answered) as f64 / 1e6;
            } else {
                asking.push(Reverse((answered + work, until, work)));
            }
        }
        outcome.summed()
    }
}

/// The share of time in which machines work until the last of them has done its seeds.
pub fn balance(nodes: usize, seeds_a_core: usize, measured: &Measured) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let seed = |rng: &mut ChaCha8Rng| measured.seeds[rng.random_range(0..measured.seeds.len())];
    let times: Vec<f64> = (0..nodes)
        .map(|_| {
            // The cores of a machine take their seeds from one list.
            let work: f64 = (0..seeds_a_core * CORES).map(|_| seed(&mut rng)).sum();
            work / CORES as f64
        })
        .collect();
    let longest = times.iter().copied().fold(0.0, f64::max);
    times.iter().sum::<f64>() / nodes as f64 / longest
}
