//! A batch of seeds on the screen, and what is kept of it for a plot.

use crate::cli::console::Progress;
use crate::lab::words::plural;
use crate::variant::batch::{BatchTotals, ListedMutation, MutatedSeed};
use crate::variant::chain_plot::ChainCurve;
use crate::variant::observer::Observer;
use anyhow::Result;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(crate) struct BatchScreen {
    progress: Progress,
    is_json: bool,
    /// The chains of all variants, if somebody wants them.
    curves: Option<Mutex<Vec<ChainCurve>>>,
}

impl BatchScreen {
    pub(crate) fn new(seeds: usize, is_json: bool, keeps_chains: bool) -> BatchScreen {
        BatchScreen {
            progress: Progress::new(seeds),
            is_json,
            curves: keeps_chains.then(Mutex::default),
        }
    }

    /// Takes the bar away, whatever came of the batch.
    pub(crate) fn finish(&self) {
        self.progress.finish();
    }

    pub(crate) fn show_totals(&self, totals: &BatchTotals) -> Result<()> {
        if self.is_json {
            return Ok(());
        }
        let line = format!(
            "{}, {} refused, {}, {}",
            plural(totals.seeds, "seed"),
            totals.refused,
            plural(totals.variants, "variant"),
            plural(totals.mutations, "mutation")
        );
        Ok(self.progress.line(&line)?)
    }

    /// The chains that were kept, by the names of their variants: seeds end in any order.
    pub(crate) fn into_curves(self) -> Vec<ChainCurve> {
        let curves = self.curves.map(|curves| curves.into_inner());
        let mut curves = curves.map_or_else(Vec::new, |curves| {
            curves.unwrap_or_else(PoisonError::into_inner)
        });
        curves.sort_by(|one, other| one.name.cmp(&other.name));
        curves
    }
}

impl Observer<MutatedSeed> for BatchScreen {
    fn observe(&self, mutated: &MutatedSeed) -> Result<()> {
        if self.is_json {
            self.progress.data(&serde_json::to_string(mutated)?)?;
        }
        if let Some(reason) = &mutated.refused {
            self.progress
                .complain(&format!("{}: {reason}", mutated.seed.display()));
        } else if !self.is_json {
            self.progress.line(&as_text(mutated))?;
        }
        if let Some(curves) = &self.curves {
            let mut curves = curves.lock().unwrap_or_else(PoisonError::into_inner);
            curves.extend(chains(mutated));
        }
        self.progress.advance();
        Ok(())
    }
}

fn as_text(mutated: &MutatedSeed) -> String {
    let totals = mutated.totals();
    let mut text = format!(
        "{}: {}, {} at {}",
        mutated.seed.display(),
        plural(totals.variants, "variant"),
        plural(totals.mutations, "mutation"),
        plural(mutated.points, "point")
    );
    if let Some(note) = &mutated.note {
        let _ = write!(text, " ({note})");
    }
    for variant in mutated.variants.iter().filter(|v| v.file.is_none()) {
        let _ = write!(text, "\n v{:03}", variant.variant);
        for mutation in &variant.listing {
            let _ = write!(text, "\n{}", listed(mutation));
        }
    }
    text
}

fn listed(mutation: &ListedMutation) -> String {
    let place = match mutation.position {
        Some((line, column)) => format!("{line}:{column}"),
        None => mutation.statement.to_string(),
    };
    let (id, kind, text) = (mutation.id, mutation.kind, &mutation.text);
    format!("  {id:>4} {kind:<11} {place}: {text}")
}

fn chains(mutated: &MutatedSeed) -> impl Iterator<Item = ChainCurve> {
    mutated.variants.iter().flat_map(|variant| {
        let name = format!("{}.v{:03}", mutated.stem, variant.variant);
        variant.chains.iter().map(move |trace| ChainCurve {
            name: name.clone(),
            trace: trace.clone(),
        })
    })
}
