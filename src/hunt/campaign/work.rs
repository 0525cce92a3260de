//! One seed from its creation to its last variant.

mod accesses;
mod compiling;
mod drawn;
mod intake;
mod sharing;
mod slow;
mod split;
mod spread;
mod suspect;
mod two_files;

pub(super) use spread::{MUTATED, weight};

use super::aside::SetAside;
use super::event::Event;
use super::judge::Judge;
use super::learning::SeedChoice;
use super::seeds::Numbered;
use super::store::{Made, Run};
use super::{Campaign, FAILURES_OF_GENERATOR};
use crate::error::SeedRefused;
use crate::hunt::finding::Finding;
use crate::hunt::verify::Verifier;
use crate::lab::toolchain::Config;
use crate::lab::{Expectation, Lab, Outcome, Patience, Stage, Workspace, interrupt};
use crate::source::program::{Program, lower};
use crate::variant::mutate::{Source, Variant};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use sharing::KnownOutcomes;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};

/// How many variants are in memory at once.
const BATCH: usize = 16;

/// Why a seed is not worked on to its end.
enum Left {
    /// It cannot be used.
    SetAside(SetAside),
    /// There is no time left; it will be started again.
    Interrupted,
    /// The campaign itself cannot go on.
    Broken(anyhow::Error),
}

/// A seed that all configs may see, and what it should do.
struct Desk<'a> {
    campaign: &'a Campaign<'a>,
    numbered: &'a Numbered,
    stage: Stage<'a>,
    expected: Expectation,
    /// The seed as we read it, once that was needed.
    program: OnceLock<Arc<Program>>,
    /// What trusted compilers and sanitizers made of the seed, once they were asked.
    verified: OnceLock<Result<Verifier<'a>, SetAside>>,
    /// Whether the seed does the same as two files, once that was tried.
    divisible: OnceLock<bool>,
    /// What is to be done with the seed, if that is learned.
    choice: Option<SeedChoice>,
    /// What each config took for the seed.
    seed_paces: Mutex<HashMap<String, Made>>,
}

impl From<SetAside> for Left {
    fn from(reason: SetAside) -> Left {
        Left::SetAside(reason)
    }
}

impl From<anyhow::Error> for Left {
    fn from(error: anyhow::Error) -> Left {
        match error.downcast::<SeedRefused>() {
            Ok(SeedRefused { reason, .. }) => Left::SetAside(reason.into()),
            Err(error) => Left::Broken(error),
        }
    }
}

impl Campaign<'_> {
    /// Works on one seed and stores the results.
    pub(super) fn work_on(&self, number: u64) -> Result<()> {
        let sources = self.supply.sources();
        let source = self
            .learning
            .as_ref()
            .map(|known| known.choice(number).source);
        let source = source.and_then(|source| Some(sources.get(source)?.0));
        let numbered = match self.supply.get_from(number, source) {
            Ok(Some(numbered)) => {
                self.not_made.store(0, Ordering::Relaxed);
                numbered
            }
            Ok(None) => return self.observer.observe(&Event::NoSuchInstance),
            Err(error) => match error.downcast::<SeedRefused>() {
                Ok(refused) => return self.not_made(number, refused),
                Err(error) => return Err(error.context(format!("generating seed {number}"))),
            },
        };
        let name = numbered.name();
        self.store.begin_seed(number, &name, &numbered.origin)?;
        self.store.begin_baseline(number)?;
        let outcome = if self.only_compiles {
            self.compile_only(&numbered, None).map(|()| 0)
        } else {
            self.worked_on(&numbered)
        };
        self.note_cost(&numbered)?;
        match outcome {
            Ok(points) => {
                self.store.finish_seed(number, points)?;
                self.observer.observe(&Event::SeedDone { number, name })
            }
            // Whoever asks us to stop may have asked our children, too: job schedulers
            // signal all processes of a job. Then the seed did nothing wrong.
            Err(Left::SetAside(_)) if interrupt::is_requested() => Ok(()),
            Err(Left::SetAside(reason)) => self.put_aside(number, name, reason),
            Err(Left::Interrupted) => Ok(()),
            Err(Left::Broken(error)) => {
                Err(error.context(format!("working on seed {number} ({name})")))
            }
        }
    }

    /// Takes a seed through everything. One that turns out to be of no use for the rest
    /// still tests compilers that only compile.
    fn worked_on(&self, numbered: &Numbered) -> Result<usize, Left> {
        let outcome = self.desk(numbered).and_then(|desk| desk.work());
        if let Err(Left::SetAside(reason)) = &outcome {
            self.compile_only(numbered, Some(reason))?;
        }
        outcome
    }

    /// Sets a seed aside that could not be generated or read.
    fn not_made(&self, number: u64, refused: SeedRefused) -> Result<()> {
        let SeedRefused { path, reason } = refused;
        let in_a_row = 1 + self.not_made.fetch_add(1, Ordering::Relaxed);
        ensure!(
            self.supply.total().is_some() || in_a_row < FAILURES_OF_GENERATOR,
            "{in_a_row} seeds in a row could not be generated; the last error: {reason}",
        );
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        self.store
            .begin_seed(number, &name, &path.to_string_lossy())?;
        let reason = reason.to_string();
        self.put_aside(number, name, SetAside::NotMade { reason })
    }

    fn put_aside(&self, number: u64, name: String, reason: SetAside) -> Result<()> {
        self.store.set_aside(number, &reason)?;
        self.observer.observe(&Event::SeedSetAside {
            number,
            name,
            reason,
        })
    }

    /// Tells observers of findings and of suspicions that were not confirmed.
    fn tell(&self, run: &Run, finding: Option<&Finding>) -> Result<()> {
        let (config, verdict) = (run.config.clone(), run.verdict.clone());
        let event = match (finding, &run.dismissed) {
            (Some(Finding { id, standing, .. }), _) if standing.is_confirmed() => Event::Found {
                id: id.clone(),
                config,
                verdict,
            },
            (Some(Finding { id, standing, .. }), _) => Event::KeptApart {
                id: id.clone(),
                config,
                verdict,
                standing: standing.clone(),
            },
            (None, Some(doubt)) => Event::Dismissed {
                config,
                verdict,
                doubt: doubt.clone(),
            },
            (None, None) => return Ok(()),
        };
        if matches!(event, Event::Found { .. }) {
            self.has_found.store(true, Ordering::Relaxed);
        }
        self.observer.observe(&event)
    }
}

impl Desk<'_> {
    /// The seed, then its variants; returns how many points can be mutated.
    fn work(&self) -> Result<usize, Left> {
        if self.campaign.is_stopping() {
            return Err(Left::Interrupted);
        }
        if self.variants() == 0 {
            // What we cannot read is refused, and what our own generator writes we can.
            if self.numbered.predicted.is_none() {
                self.program()?;
            }
            self.sanitize()?;
            self.baseline()?;
            return Ok(0);
        }
        let source = self.source()?;
        self.sanitize()?;
        let good = self.baseline()?;
        let points = source.points().len();
        let number = self.numbered.number;
        let done = self.campaign.store.finished_variants(number)?;
        let wanted: Vec<u32> = (1..=self.variants())
            .filter(|variant| !done.contains(variant))
            .collect();
        for batch in wanted.chunks(BATCH) {
            let variants = self.mutator().variants(&source, batch.iter().copied());
            let variants: Vec<Variant> = variants.collect::<Result<_>>()?;
            let is_whole = variants
                .par_iter()
                .map(|variant| self.variant(variant, &good, &source))
                .try_reduce(|| true, |one, other| Ok(one && other))?;
            if !is_whole {
                return Err(Left::Interrupted);
            }
        }
        Ok(points)
    }

    /// Runs the seed under its configs; returns those that compile it correctly.
    fn baseline(&self) -> Result<Vec<&Config>, Left> {
        let text = &self.numbered.seed.source;
        let space = self.lab().workspace(&self.stage, text)?;
        let mut known = KnownOutcomes::new();
        let mut good = Vec::new();
        for (index, config) in self.configs() {
            if self.seed_under(index, config, &space, &mut known)? {
                good.push(config);
            }
        }
        for (index, config) in &self.drawn(0, &good) {
            self.seed_under(*index, config, &space, &mut known)?;
        }
        if let Some((index, config)) = &self.two_files(0, &good)? {
            let (space, mut known) = (self.space(config, text)?, KnownOutcomes::new());
            self.seed_under(*index, config, &space, &mut known)?;
        }
        self.compare_accesses(text, None, &good)?;
        Ok(good)
    }

    /// Runs the seed under a config; returns whether it is compiled correctly.
    fn seed_under(
        &self,
        index: usize,
        config: &Config,
        space: &Workspace<'_>,
        known: &mut KnownOutcomes,
    ) -> Result<bool, Left> {
        let judge = self.judge(config, self.patience(index));
        let bytes = self.numbered.seed.source.len();
        let (outcome, made) = self.share(index, &judge, space, known, (0, bytes))?;
        self.note_pace(config, made);
        let mut run = self.run(&judge, &outcome, made);
        run.dismissed =
            self.conflict(config, &outcome, &run.verdict, &self.numbered.seed.source)?;
        let is_good = run.verdict.is_same();
        if is_good || run.dismissed.is_some() {
            self.campaign
                .store
                .add_run(self.numbered.number, 0, &run, None)?;
            self.campaign.tell(&run, None)?;
        } else {
            let evidence = self.established(run.verdict.kind)?;
            self.suspect_seed(judge, outcome, run, evidence, None)?;
        }
        Ok(is_good)
    }

    /// Runs a variant under configs; false if it was interrupted.
    fn variant(&self, variant: &Variant, good: &[&Config], source: &Source) -> Result<bool> {
        let campaign = self.campaign;
        if campaign.is_stopping() {
            return Ok(false);
        }
        let (seed, number) = (self.numbered.number, variant.record.variant);
        campaign
            .store
            .begin_variant(seed, &variant.record, &variant.traces)?;
        let space = self.lab().workspace(&self.stage, &variant.text)?;
        let mut known = KnownOutcomes::new();
        let fixed = campaign.header.configs.iter().enumerate();
        let fixed = fixed.filter(|(_, config)| good.contains(config));
        let fixed = fixed.filter(|(index, _)| self.suits_variant(*index, &variant.text));
        let drawn = self.drawn(number, good);
        let drawn = drawn.iter().map(|(index, config)| (*index, config));
        let mut has_failed = false;
        let size = (number, variant.text.len());
        let divided = self.two_files(number, good)?;
        let divided = divided.iter().map(|(index, config)| (*index, config));
        for (index, config) in fixed.chain(drawn).chain(divided) {
            let judge = self.judge(config, self.patience(index).for_variants());
            let (outcome, made) = match config.second {
                None => self.share(index, &judge, &space, &mut known, size)?,
                Some(_) => {
                    let space = self.space(config, &variant.text)?;
                    self.share(index, &judge, &space, &mut KnownOutcomes::new(), size)?
                }
            };
            let run = self.run(&judge, &outcome, made);
            has_failed |= !run.verdict.is_same();
            let slow = self.blow_up(&judge, made);
            if let Some(slow) = slow.filter(|_| run.verdict.is_same()) {
                let judge = self.judge(config, slow.patience);
                let run = self.run(&judge, &slow.outcome, made);
                self.suspect_variant(judge, slow.outcome, run, variant, source)?;
            } else if run.verdict.is_same() {
                campaign.store.add_run(seed, number, &run, None)?;
            } else if config.is_drawn() {
                self.suspect_drawn(judge, outcome, run, variant, source)?;
            } else {
                self.suspect_variant(judge, outcome, run, variant, source)?;
            }
        }
        self.compare_accesses(&variant.text, Some(variant), good)?;
        if has_failed && interrupt::is_requested() {
            // A child may have been asked to stop, too, so this is done again.
            return Ok(false);
        }
        campaign
            .store
            .finish_variant(seed, number, campaign.worked())?;
        campaign.observer.observe(&Event::VariantDone)?;
        Ok(true)
    }

    /// The seed as we read it: what it leaves open decides about suspicions.
    fn program(&self) -> Result<&Program> {
        if let Some(known) = self.program.get() {
            return Ok(known);
        }
        let seed = &self.numbered.seed;
        let clang = &self.campaign.mutator.clang;
        let program = lower(clang, &seed.path, Arc::clone(&seed.source), &seed.flags)?;
        Ok(self.program.get_or_init(|| Arc::new(program)))
    }

    /// Where a text is built as a config wants it: as two files or as one.
    fn space(&self, config: &Config, text: &[u8]) -> Result<Workspace<'_>> {
        let both = config.both_files(text);
        self.lab()
            .workspace(&self.stage, both.as_deref().unwrap_or(text))
    }

    fn judge<'d>(&'d self, config: &'d Config, patience: Patience) -> Judge<'d> {
        Judge {
            lab: self.lab(),
            config,
            stage: &self.stage,
            patience,
            purpose: None,
            is_alone: false,
        }
    }

    fn lab(&self) -> &Lab {
        &self.campaign.lab
    }

    fn patience(&self, config: usize) -> Patience {
        let said = self.campaign.patience;
        Patience {
            compile: self.campaign.paces[config].limit(said.compile),
            ..said
        }
    }

    fn run(&self, judge: &Judge<'_>, outcome: &Outcome, made: Option<Made>) -> Run {
        Run {
            config: judge.config.name.clone(),
            verdict: judge.verdict(outcome, &self.expected),
            dismissed: None,
            // Figures of a variant are compared with those of its seed, which other flags
            // were drawn for.
            made: made.filter(|_| !judge.config.is_drawn()),
        }
    }
}

#[cfg(test)]
mod tests;
