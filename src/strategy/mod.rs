//! Where the dice are: which mutations a variant is made of.

mod hermes;
mod weights;

pub use hermes::{Hermes, Prepared};
pub use weights::Weights;
