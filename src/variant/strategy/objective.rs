//! What the chain maximises.

use super::distance::{Distance, Measure};
use super::remarks::Remarks;
use crate::lab::Lab;
use crate::lab::toolchain::Compiler;
use crate::variant::mutation::{Mutation, Prepared};
use anyhow::Result;

/// A score that the chain tries to raise.
pub trait Objective {
    /// The score of the variant with these mutations; higher is better.
    fn score(&mut self, mutations: &[Mutation]) -> Result<f64>;
}

/// The objectives to choose from.
#[derive(Clone, Debug)]
pub enum Aim {
    /// How much the variant differs from its seed in statements and control flow.
    Distance(Measure),
    /// How much this compiler's optimisation remarks differ from those for the seed.
    Remarks(Lab, Compiler),
}

impl Aim {
    pub(super) fn objective<'p>(&self, prepared: &Prepared<'p>) -> Result<Box<dyn Objective + 'p>> {
        Ok(match self {
            Aim::Distance(measure) => Box::new(Distance::new(prepared.program, *measure)),
            Aim::Remarks(lab, compiler) => Box::new(Remarks::new(
                lab,
                prepared.seed,
                prepared.program,
                compiler,
            )?),
        })
    }
}
