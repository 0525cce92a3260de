//! What happens in a campaign, for whoever wants to show or count it.

use super::aside::SetAside;
use super::totals::Totals;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{Doubt, Standing};
use std::time::Duration;

/// Something that has happened in a campaign; whatever it tells of is in the store.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Began {
        /// How many seeds there are to do, if there is an end to them.
        seeds: Option<u64>,
        configs: usize,
        /// When the campaign ends by itself, if it has a time limit.
        limit: Option<Duration>,
    },
    /// All configs have seen a variant.
    VariantDone,
    /// All variants of a seed are done.
    SeedDone { number: u64, name: String },
    /// A seed has no part in the campaign any longer.
    SeedSetAside {
        number: u64,
        name: String,
        reason: SetAside,
    },
    /// A number stands for no program: its seed has fewer instances.
    NoSuchInstance,
    /// A failure was confirmed.
    Found {
        id: String,
        config: String,
        verdict: Verdict,
    },
    /// A failure is kept that is not a finding.
    KeptApart {
        id: String,
        config: String,
        verdict: Verdict,
        standing: Standing,
    },
    /// A failure was not confirmed.
    Dismissed {
        config: String,
        verdict: Verdict,
        doubt: Doubt,
    },
    /// The copy that is kept elsewhere is not up to date any longer.
    NotCopied { reason: String },
    /// The campaign itself cannot go on.
    Failed,
    Ended {
        totals: Box<Totals>,
        is_interrupted: bool,
    },
}
