//! Athena: a chain that searches for variants unlike their seed.
//!
//! Metropolis–Hastings over sets of mutations. A step proposes to add a mutation or
//! to remove one, and takes the proposal with probability
//! min(1, exp(σ · (objective of the new variant − objective of the current one))).
//! With a large σ the chain climbs, with a σ of 0 it wanders. With the live kinds on, it
//! can make every mutation there is.

use super::distance::Measure;
use super::hermes::Hermes;
use super::objective::Aim;
use super::weights::Weights;
use super::{Rolled, Strategy, VariantNumbers, dead_code};
use crate::dice::Dice;
use crate::source::program::StatementId;
use crate::variant::donor::Donors;
use crate::variant::mutation::{
    CodeStyle, Effect, Kind, LivePlace, Maker, Mutation, Prepared, Subject, Wants,
};
use anyhow::Result;
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One in this many proposals is to remove a mutation.
const REMOVAL: u32 = 4;

/// The strategy with its settings.
#[derive(Clone, Debug)]
pub struct Athena {
    /// The settings for live kinds; if absent, none are made.
    pub hermes: Option<Hermes>,
    pub weights: Weights,
    /// Whether each variant has weights of its own.
    pub swarm: bool,
    /// The most mutations of one variant.
    pub most: usize,
    /// Statements to put in, besides those of the seed itself.
    pub donors: Arc<Donors>,
    /// The length of the chain.
    pub steps: u32,
    pub sigma: f64,
    pub aim: Aim,
}

impl Default for Athena {
    fn default() -> Athena {
        Athena {
            hermes: None,
            weights: Weights::default(),
            swarm: false,
            most: 400,
            donors: Arc::default(),
            steps: 200,
            sigma: 1000.0,
            aim: Aim::Distance(Measure::default()),
        }
    }
}

/// How a chain went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The fraction of the proposals that were accepted.
    pub acceptance: f64,
    /// The objective of the current variant after each step.
    pub objective: Vec<f64>,
    /// Whether each step's proposal was accepted.
    #[serde(skip)]
    pub accepted: Vec<bool>,
    /// What became of the proposals to add a mutation, by its kind.
    pub additions: BTreeMap<Kind, ProposalTally>,
    /// What became of the proposals to remove one.
    pub removals: ProposalTally,
}

/// How often something was proposed, and how often that was accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProposalTally {
    pub proposed: u64,
    pub accepted: u64,
}

impl ProposalTally {
    fn count(&mut self, is_accepted: bool) {
        self.proposed += 1;
        self.accepted += u64::from(is_accepted);
    }

    /// The fraction that was accepted; `None` if nothing was proposed.
    pub fn rate(self) -> Option<f64> {
        (self.proposed > 0).then(|| self.accepted as f64 / self.proposed as f64)
    }
}

impl std::ops::AddAssign for ProposalTally {
    fn add_assign(&mut self, other: ProposalTally) {
        self.proposed += other.proposed;
        self.accepted += other.accepted;
    }
}

/// A chain in progress.
struct Walk<'w, 'p> {
    athena: &'w Athena,
    prepared: &'w Prepared<'p>,
    /// The places of this variant, if live kinds are on.
    places: Vec<&'w LivePlace<'p>>,
    style: CodeStyle,
    weights: Weights,
    rng: &'w mut Dice,
    next: u32,
    current: Vec<Mutation>,
}

/// A change of the current variant that can be taken back.
enum Proposal {
    Added(Kind),
    Removed(usize, Box<Mutation>),
}

impl Athena {
    /// The kinds it can make of a program.
    fn kinds(&self, prepared: &Prepared<'_>) -> Vec<Kind> {
        let kinds = Kind::ALL.into_iter();
        let can_be =
            |kind: &Kind| self.makes_live(*kind, prepared) || kind.has_dead_place(prepared);
        kinds.filter(can_be).collect()
    }

    /// Whether mutations of a kind can be made where code is executed.
    fn makes_live(&self, kind: Kind, prepared: &Prepared<'_>) -> bool {
        self.hermes.is_some() && kind.is_live() && !prepared.places.is_empty()
    }
}

impl Strategy for Athena {
    fn name(&self) -> &'static str {
        match self.hermes {
            Some(_) => "all",
            None => "athena",
        }
    }

    fn wants(&self) -> Wants {
        Wants {
            live: self.hermes.is_some(),
            dead: true,
            donors: Some(Arc::clone(&self.donors)),
        }
    }

    fn is_of_use(&self, prepared: &Prepared<'_>) -> bool {
        !self.kinds(prepared).is_empty()
    }

    fn note(&self, subject: Subject<'_>) -> Option<&'static str> {
        let note = match self.hermes {
            Some(_) => "no dead code, so live mutations only",
            None => "no dead code, so no variants",
        };
        dead_code(subject).has_nothing_dead().then_some(note)
    }

    /// Runs the chain and returns the variant it ends with, which has at least one
    /// mutation where any is possible.
    fn variant(
        &self,
        prepared: &Prepared<'_>,
        numbers: VariantNumbers,
        rng: &mut Dice,
    ) -> Result<Rolled> {
        let mut weights = self.weights.only(&self.kinds(prepared));
        if self.swarm && weights.sum() > 0 {
            weights = weights.swarm(rng);
        }
        let (places, style) = match &self.hermes {
            Some(hermes) => (
                prepared.draw_places(hermes.share, rng),
                hermes.style().of_variant(self.swarm, rng),
            ),
            None => (vec![], CodeStyle::default()),
        };
        let mut walk = Walk {
            athena: self,
            prepared,
            places,
            style,
            weights,
            rng,
            next: prepared.number(numbers.mutation),
            current: Vec::new(),
        };
        let mut objective = self.aim.objective(prepared)?;
        let mut value = objective.score(&[])?;
        let mut trace = Trace {
            acceptance: 0.0,
            objective: Vec::with_capacity(self.steps as usize),
            accepted: Vec::with_capacity(self.steps as usize),
            additions: BTreeMap::new(),
            removals: ProposalTally::default(),
        };
        for _ in 0..self.steps {
            let mut is_accepted = false;
            if let Some(proposal) = walk.propose() {
                let new = objective.score(&walk.current)?;
                let chance = (self.sigma * (new - value)).exp().min(1.0);
                is_accepted = walk.rng.random_bool(chance);
                let tally = match &proposal {
                    Proposal::Added(kind) => trace.additions.entry(*kind).or_default(),
                    Proposal::Removed(..) => &mut trace.removals,
                };
                tally.count(is_accepted);
                if is_accepted {
                    value = new;
                } else {
                    walk.take_back(proposal);
                }
            }
            trace.objective.push(value);
            trace.accepted.push(is_accepted);
        }
        if walk.current.is_empty() {
            let added = (0..20).find_map(|_| walk.mutation());
            walk.current.extend(added);
        }
        let accepted = trace.accepted.iter().filter(|accepted| **accepted).count();
        trace.acceptance = accepted as f64 / f64::from(self.steps.max(1));
        Ok(Rolled {
            strategy: self.name(),
            mutations: walk.finish(),
            trace: Some(trace),
        })
    }
}

impl Walk<'_, '_> {
    /// Changes the current variant by one mutation; `None` if no mutation was found.
    fn propose(&mut self) -> Option<Proposal> {
        let is_full = self.current.len() >= self.athena.most;
        let removes = self.rng.random_ratio(1, REMOVAL) || is_full;
        if removes && !self.current.is_empty() {
            let index = self.rng.random_range(0..self.current.len());
            return Some(Proposal::Removed(index, self.current.remove(index).into()));
        }
        let mutation = self.mutation().filter(|_| !is_full)?;
        let kind = mutation.kind();
        self.current.push(mutation);
        Some(Proposal::Added(kind))
    }

    fn take_back(&mut self, proposal: Proposal) {
        match proposal {
            Proposal::Added(_) => {
                self.current.pop();
            }
            Proposal::Removed(index, mutation) => self.current.insert(index, *mutation),
        }
    }

    /// A new mutation that would have an effect on the current variant.
    fn mutation(&mut self) -> Option<Mutation> {
        let kind = self.weights.choose(&Kind::ALL, self.rng)?;
        let id = self.next;
        let mutation = if self.is_live(kind) {
            let place = *self.places.choose(self.rng)?;
            self.maker(id).live(kind, place)?
        } else {
            self.maker(id).dead(kind)?
        };
        let is_new = !self.is_gone(&mutation) && !self.is_there(&mutation);
        if !is_new || mutation.check(self.prepared.program).is_err() {
            return None;
        }
        self.next += 1;
        Some(mutation)
    }

    fn maker(&mut self, id: u32) -> Maker<'_, '_> {
        Maker::new(self.prepared, self.style, id, self.rng)
    }

    /// Whether a mutation of a kind goes where code is executed. Of those that may go
    /// where nothing runs, too, one in four does.
    fn is_live(&mut self, kind: Kind) -> bool {
        let can_be_dead = kind.has_dead_place(self.prepared);
        self.athena.makes_live(kind, self.prepared) && (!can_be_dead || self.rng.random_ratio(1, 4))
    }

    /// Whether a deletion swallows the mutation.
    fn is_gone(&self, mutation: &Mutation) -> bool {
        let deleted: BTreeSet<StatementId> = self.current.iter().filter_map(deleted).collect();
        is_swallowed(self.prepared, &deleted, mutation)
    }

    /// Whether the statement has a deletion or guard of this kind already, or something in
    /// it is replaced and this might replace the same.
    fn is_there(&self, mutation: &Mutation) -> bool {
        let effect = mutation.kind().effect();
        let is_alike = |other: &Mutation| match effect {
            Effect::Inserts => false,
            Effect::Rewrites | Effect::Recomputes => effect.competes_with(other.kind().effect()),
            Effect::Guards | Effect::Deletes => other.kind() == mutation.kind(),
        };
        let mut others = self.current.iter();
        others.any(|other| is_alike(other) && other.statement() == mutation.statement())
    }

    /// The variant without what has no effect in it.
    fn finish(self) -> Vec<Mutation> {
        let mut mutations = self.current;
        let deleted: BTreeSet<StatementId> = mutations.iter().filter_map(deleted).collect();
        mutations.retain(|mutation| !is_swallowed(self.prepared, &deleted, mutation));
        mutations.sort_by_key(|mutation| mutation.id);
        mutations
    }
}

fn deleted(mutation: &Mutation) -> Option<StatementId> {
    (mutation.kind().effect() == Effect::Deletes).then(|| mutation.statement())
}

/// Whether a statement around that of the mutation is deleted.
fn is_swallowed(
    prepared: &Prepared<'_>,
    deleted: &BTreeSet<StatementId>,
    mutation: &Mutation,
) -> bool {
    let parent = |at: StatementId| prepared.program.statement(at).parent;
    let mut around = std::iter::successors(parent(mutation.statement()), |at| parent(*at));
    around.any(|at| deleted.contains(&at))
}
