//! What the chain strives for.

use super::distance::{Distance, Measure};
use super::remarks::Remarks;
use crate::lab::Lab;
use crate::lab::toolchain::Compiler;
use crate::variant::mutation::{Mutation, Prepared};
use anyhow::Result;

/// Something that a variant can have more or less of.
pub trait Objective {
    /// The value of the variant with these mutations; the more, the better.
    fn score(&mut self, mutations: &[Mutation]) -> Result<f64>;
}

/// The objectives that ship.
#[derive(Clone, Debug)]
pub enum Aim {
    /// A program that differs from its seed in statements and control flow.
    Distance(Measure),
    /// A program that this compiler's optimiser says other things of.
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
