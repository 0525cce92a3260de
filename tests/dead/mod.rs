//! Mutation of code that never runs: deletion, insertion, the chain.

mod chain;
mod delete;
mod donors;
mod functions;
mod unreached;

use crate::{hermes, support};
use mestra::variant::donor::Donors;
use mestra::variant::mutate::Mutator;
use mestra::variant::strategy::{Athena, Hermes, Orion, Strategy};
use std::sync::{Arc, OnceLock};

pub(crate) fn orion() -> Orion {
    Orion { most: 400 }
}

/// The donors of some corpora.
pub(crate) fn some_donors() -> Arc<Donors> {
    static DONORS: OnceLock<Arc<Donors>> = OnceLock::new();
    let build = || Donors::build(&support::clang(), &support::corpora()[..30]).0;
    Arc::clone(DONORS.get_or_init(|| Arc::new(build())))
}

fn chain(hermes: Option<Hermes>) -> Athena {
    Athena {
        hermes,
        donors: some_donors(),
        ..Athena::default()
    }
}

pub(crate) fn athena() -> Athena {
    chain(None)
}

pub(crate) fn all() -> Athena {
    chain(Some(Hermes::default()))
}

/// Profiles under all orders of evaluation that we know.
fn careful(strategy: impl Strategy + 'static) -> Mutator {
    Mutator {
        strategy: Box::new(strategy),
        ..hermes::careful(0.1, Hermes::default())
    }
}

/// Quick, for tests that do not run what they make.
fn quick(strategy: impl Strategy + 'static) -> Mutator {
    Mutator {
        strategy: Box::new(strategy),
        ..hermes::quick()
    }
}
