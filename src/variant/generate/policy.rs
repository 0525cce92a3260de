//! The policy of a program: which options it prefers, which features it has.
//!
//! A program made with all choices at their usual weights looks like every other one. So
//! most programs redraw every distribution and do without some features; some have no policy
//! at all, since there are optimisations that only even mixtures reach.

use super::feature::FeatureSet;
use super::request::GenerateRequest;
use super::weights::{Distribution, SIZES};
use rand::Rng;

/// Programs of a hundred whose distributions are redrawn.
const REDRAWN: u32 = 80;
/// Programs of a hundred without any policy.
const PLAIN: u32 = 20;
/// Features of a hundred that a program is made without.
const WITHOUT: u32 = 30;
/// The same for features that others are built on.
const WITHOUT_BASE: u32 = 8;
/// What a weight is multiplied by when a distribution is redrawn.
const FACTORS: [u32; 7] = [1, 4, 8, 8, 8, 16, 40];

/// What one program prefers.
#[derive(Debug)]
pub(super) struct Policy {
    /// Factors of the weights, by distribution and option.
    factors: Vec<Vec<u32>>,
    pub(super) features: FeatureSet,
    /// Whether regions of the program have preferences of their own.
    pub(super) regions: bool,
}

impl Policy {
    pub(super) fn new(request: &GenerateRequest, rng: &mut impl Rng) -> Policy {
        let mut features = request.allowed();
        let even = || SIZES.iter().map(|size| vec![1; *size]).collect();
        if !request.policies || rng.random_ratio(PLAIN, 100) {
            return Policy {
                factors: even(),
                features,
                regions: false,
            };
        }
        for feature in request.allowed().iter() {
            let without = if feature.is_base() {
                WITHOUT_BASE
            } else {
                WITHOUT
            };
            if !request.asked_for(feature) && rng.random_ratio(without, 100) {
                features.remove(feature);
            }
        }
        let factors = if rng.random_ratio(REDRAWN, 100) {
            let mut factor = || FACTORS[rng.random_range(0..FACTORS.len())];
            let sizes = SIZES.iter();
            sizes
                .map(|size| (0..*size).map(|_| factor()).collect())
                .collect()
        } else {
            even()
        };
        Policy {
            factors,
            features,
            regions: true,
        }
    }

    /// One of the options.
    pub(super) fn draw<T: Copy>(&self, distribution: &Distribution<T>, rng: &mut impl Rng) -> T {
        self.draw_where(distribution, rng, |_| true)
            .unwrap_or(distribution.options[0].0)
    }

    /// One of the options that may be taken here, if any may.
    pub(super) fn draw_where<T: Copy>(
        &self,
        distribution: &Distribution<T>,
        rng: &mut impl Rng,
        may: impl Fn(T) -> bool,
    ) -> Option<T> {
        let factors = &self.factors[distribution.id];
        let weighed = distribution.options.iter().zip(factors);
        let weighed = weighed.filter(|((option, _), _)| may(*option));
        let total: u32 = weighed.clone().map(|((_, weight), by)| weight * by).sum();
        if total == 0 {
            return None;
        }
        let mut left = rng.random_range(0..total);
        for ((option, weight), by) in weighed {
            let weight = weight * by;
            if left < weight {
                return Some(*option);
            }
            left -= weight;
        }
        None
    }
}
