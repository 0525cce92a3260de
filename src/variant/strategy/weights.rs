//! How often each kind of mutation is made.

use crate::variant::mutation::Kind;
use rand::Rng;
use std::str::FromStr;

/// A weight for each kind; kinds of equal weight are made equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights([u32; Kind::ALL.len()]);

impl Default for Weights {
    fn default() -> Weights {
        Weights([1; Kind::ALL.len()])
    }
}

impl Weights {
    pub(crate) fn get(self, kind: Kind) -> u32 {
        self.0[kind as usize]
    }

    /// One of the kinds, by their weights.
    pub(super) fn choose(self, kinds: &[Kind], rng: &mut impl Rng) -> Option<Kind> {
        let sum: u32 = kinds.iter().map(|kind| self.get(*kind)).sum();
        let mut throw = rng.random_range(0..sum.max(1));
        kinds.iter().copied().find(|kind| {
            let weight = self.get(*kind);
            let is_hit = throw < weight;
            throw = throw.saturating_sub(weight);
            is_hit
        })
    }

    /// Random weights for a random part of the kinds that have one: a mix without some
    /// kinds may show what a mix of everything never does.
    pub(super) fn swarm(self, rng: &mut impl Rng) -> Weights {
        loop {
            let mut weights = self;
            for weight in weights.0.iter_mut().filter(|weight| **weight > 0) {
                *weight = if rng.random() {
                    rng.random_range(1..=10)
                } else {
                    0
                };
            }
            if weights.sum() > 0 {
                return weights;
            }
        }
    }

    /// The same weights for these kinds, none for others.
    pub(super) fn only(mut self, kinds: &[Kind]) -> Weights {
        for kind in Kind::ALL.iter().filter(|kind| !kinds.contains(kind)) {
            self.0[*kind as usize] = 0;
        }
        self
    }

    pub(super) fn sum(self) -> u32 {
        self.0.iter().sum()
    }
}

/// As typed: `false_block=1,true_guard=2`; kinds that are not named get weight 0.
impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Weights, String> {
        let mut weights = Weights([0; Kind::ALL.len()]);
        for entry in text.split(',') {
            let (name, weight) = entry
                .split_once('=')
                .ok_or("expected weights such as KIND=N,…")?;
            let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
            let kind = kind.ok_or_else(|| {
                let kinds = Kind::ALL.map(Kind::name).join(", ");
                format!("unknown kind {name}; the kinds are {kinds}")
            })?;
            let weight: u16 = weight
                .parse()
                .map_err(|_| format!("the weight of {name} must be a number up to 65535"))?;
            weights.0[kind as usize] = weight.into();
        }
        match weights.sum() {
            0 => Err("at least one kind needs a weight above 0".into()),
            _ => Ok(weights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_swarm_has_a_part_of_the_kinds_and_never_none() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let live = [Kind::FalseBlock, Kind::TrueGuard, Kind::TrueBlock];
        let all = Weights::default().only(&live);
        let swarms: Vec<Weights> = (0..50).map(|_| all.swarm(&mut rng)).collect();
        for swarm in &swarms {
            assert!(swarm.sum() > 0 && swarm.get(Kind::DeleteStmt) == 0);
        }
        for kind in live {
            assert!(swarms.iter().any(|swarm| swarm.get(kind) == 0));
            assert!(swarms.iter().any(|swarm| swarm.get(kind) > 3));
        }
    }

    #[test]
    fn kinds_are_chosen_by_their_weights() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let weights: Weights = "true_guard=3,true_block=1".parse().unwrap();
        let chosen: Vec<Kind> = (0..400)
            .filter_map(|_| weights.choose(&Kind::ALL, &mut rng))
            .collect();
        let guards = chosen.iter().filter(|kind| **kind == Kind::TrueGuard);
        assert_eq!(chosen.len(), 400);
        assert!((250..350).contains(&guards.count()));
        assert_eq!(weights.choose(&[Kind::FalseBlock], &mut rng), None);
    }

    #[test]
    fn weights_are_read_as_typed() {
        let weights: Weights = "true_guard=3,true_block=1".parse().unwrap();
        assert_eq!(weights.get(Kind::TrueGuard), 3);
        assert_eq!(weights.get(Kind::FalseBlock), 0);
        for wrong in ["", "true_guard", "true_guard=-1", "other=1", "true_guard=0"] {
            assert!(wrong.parse::<Weights>().is_err(), "{wrong}");
        }
    }
}
