//! Mutation of code that never runs: deletion, insertion, the chain.

mod delete;
mod sweep;
mod unreached;

use crate::hermes;
use mestra::mutate::Mutator;
use mestra::strategy::{Hermes, Orion, Strategy};

fn orion() -> Strategy {
    Strategy::Orion(Orion { most: 400 })
}

/// Profiles under all orders of evaluation that we know.
fn careful(strategy: Strategy) -> Mutator {
    Mutator {
        strategy,
        ..hermes::careful(0.1, Hermes::default())
    }
}

/// Quick, for tests that do not run what they make.
fn quick(strategy: Strategy) -> Mutator {
    Mutator {
        strategy,
        ..hermes::quick()
    }
}
