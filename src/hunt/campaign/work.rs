//! One seed from its creation to its last variant.

use super::confirm::{Ruling, Suspicion};
use super::crash;
use super::event::Event;
use super::judge::Judge;
use super::keep::{Headers, KeptFinding};
use super::seeds::Numbered;
use super::store::{Made, Run};
use super::{Campaign, FAILURES_OF_GENERATOR};
use crate::error::SeedRefused;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{Confirmation, Finding, ProgramRole, SeedOrigin};
use crate::hunt::verify::{Exclusion, Note, Split, Survey, Verifier, Witness};
use crate::lab::process::{Ending, Purpose};
use crate::lab::toolchain::{Config, Runner};
use crate::lab::{Behaviour, Expectation, Lab, Outcome, Patience, Stage, Workspace};
use crate::source::seed::hash_source;
use crate::variant::mutate::{Source, Variant};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// How many variants are in memory at once.
const BATCH: usize = 16;

/// Why a seed is not worked on to its end.
enum Left {
    /// It cannot be used.
    SetAside(String),
    /// There is no time left; it will be started again.
    Interrupted,
}

/// What equal objects of one program did, by compiler, runner and hash.
type KnownOutcomes = HashMap<(PathBuf, Runner, u64), Outcome>;

/// A seed that all configs may see, and what it should do.
struct Desk<'a> {
    campaign: &'a Campaign<'a>,
    numbered: &'a Numbered,
    stage: Stage<'a>,
    expected: Expectation,
}

impl Campaign<'_> {
    /// Works on one seed and stores the results.
    pub(super) fn work_on(&self, number: u64) -> Result<()> {
        let numbered = match self.seeds.get(number) {
            Ok(numbered) => {
                self.not_made.store(0, Ordering::Relaxed);
                numbered
            }
            Err(error) => match error.downcast_ref::<SeedRefused>() {
                Some(refused) => {
                    let in_a_row = 1 + self.not_made.fetch_add(1, Ordering::Relaxed);
                    ensure!(
                        self.seeds.total().is_some() || in_a_row < FAILURES_OF_GENERATOR,
                        "{in_a_row} seeds in a row could not be generated; the last error: {}",
                        refused.reason
                    );
                    let name = refused.path.file_name().unwrap_or_default();
                    let name = name.to_string_lossy();
                    let origin = refused.path.to_string_lossy();
                    self.store.begin_seed(number, &name, &origin)?;
                    return self.put_aside(number, &name, &refused.reason);
                }
                None => return Err(error.context(format!("generating seed {number}"))),
            },
        };
        let name = numbered.name();
        self.store.begin_seed(number, &name, &numbered.origin)?;
        self.store.begin_baseline(number)?;
        let worked = self.desk(&numbered).and_then(|desk| match desk {
            Ok(desk) => desk.work(),
            Err(left) => Ok(Err(left)),
        });
        match worked.with_context(|| format!("working on seed {number} ({name})"))? {
            Ok(points) => {
                self.store.finish_seed(number, points)?;
                self.observer.observe(&Event::SeedDone { number, name })
            }
            Err(Left::SetAside(reason)) => self.put_aside(number, &name, &reason),
            Err(Left::Interrupted) => Ok(()),
        }
    }

    fn put_aside(&self, number: u64, name: &str, reason: &str) -> Result<()> {
        self.store.set_aside(number, reason)?;
        self.observer.observe(&Event::SeedSetAside {
            number,
            name: name.to_owned(),
            reason: reason.to_owned(),
        })
    }

    /// Tells observers of findings and of suspicions that were not confirmed.
    fn tell(&self, run: &Run, finding: Option<&Finding>) -> Result<()> {
        let (config, verdict) = (run.config.clone(), run.verdict.clone());
        let event = match (finding, &run.dismissed) {
            (Some(Finding { id, .. }), _) => Event::Found {
                id: id.clone(),
                config,
                verdict,
            },
            (None, Some(doubt)) => Event::Dismissed {
                config,
                verdict,
                doubt: doubt.clone(),
            },
            (None, None) => return Ok(()),
        };
        self.observer.observe(&event)
    }

    /// Determines what a seed does by running the lead's build twice.
    fn desk<'a>(&'a self, numbered: &'a Numbered) -> Result<Result<Desk<'a>, Left>> {
        let stage = Stage::new(&numbered.seed)?;
        let patience = Patience {
            run: self.seed_timeout,
            ..self.patience
        };
        let judge = Judge {
            lab: &self.lab,
            config: &self.lead,
            stage: &stage,
            patience,
            purpose: Some(Purpose::Verify),
            is_alone: false,
        };
        let aside = |reason: String| Ok(Err(Left::SetAside(reason)));
        if let Some(file) = stage.missing_input() {
            return aside(format!("cannot read its input {}", file.display()));
        }
        let mut trials = Vec::new();
        for _ in 0..2 {
            match judge.trial(&numbered.seed.source)? {
                Outcome::Failed(failure) => {
                    let verdict = crash::of_failure(&failure);
                    return aside(format!("{}: {verdict}", self.lead.name));
                }
                Outcome::Ran(expected) => {
                    if let Some(reason) = endless(&expected, &patience) {
                        return aside(reason);
                    }
                    trials.push(expected);
                }
            }
        }
        if trials[0] != trials[1] {
            return aside("behaves differently from run to run".into());
        }
        Ok(Ok(Desk {
            campaign: self,
            numbered,
            stage,
            expected: Expectation::as_seed(trials.swap_remove(0)),
        }))
    }
}

/// What a sanitizer has against a seed. One that does not support the campaign's flags
/// at all, such as the memory sanitizer with `-m32`, says nothing about any seed.
fn objection(notes: &[Note]) -> Option<&Note> {
    let mut notes = notes.iter();
    notes.find(|note| note.way.is_sanitizer() && note.reason != Exclusion::UnsupportedFlags)
}

impl Desk<'_> {
    /// The seed, then its variants; returns how many points can be mutated.
    fn work(&self) -> Result<Result<usize, Left>> {
        let seed = &self.numbered.seed;
        if self.campaign.is_stopping() {
            return Ok(Err(Left::Interrupted));
        }
        let verifier = match Verifier::survey(self.lab(), seed, &[], self.campaign.seed_timeout) {
            Ok(Survey::Agreed(verifier)) => verifier,
            Ok(Survey::Split(split)) => return Ok(Err(Left::SetAside(self.split(*split)?))),
            Err(error) => match error.downcast::<SeedRefused>() {
                Ok(refused) => return Ok(Err(Left::SetAside(refused.reason))),
                Err(error) => return Err(error),
            },
        };
        if let Some(objection) = objection(verifier.notes()) {
            return Ok(Err(Left::SetAside(objection.to_string())));
        }
        let source = match self.campaign.mutator.source(seed.clone(), None) {
            Ok(source) => source,
            Err(error) => match error.downcast_ref::<SeedRefused>() {
                Some(refused) => return Ok(Err(Left::SetAside(refused.reason.clone()))),
                None => return Err(error),
            },
        };
        let good = self.baseline(&verifier)?;
        let points = source.points().len();
        let number = self.numbered.number;
        let done = self.campaign.store.finished_variants(number)?;
        let wanted: Vec<u32> = (1..=self.campaign.variants)
            .filter(|variant| !done.contains(variant))
            .collect();
        for batch in wanted.chunks(BATCH) {
            let variants = self
                .campaign
                .mutator
                .variants(&source, batch.iter().copied());
            let variants: Vec<Variant> = variants.collect::<Result<_>>()?;
            let is_whole = variants
                .par_iter()
                .map(|variant| self.variant(variant, &good, &source, &verifier))
                .try_reduce(|| true, |one, other| Ok(one && other))?;
            if !is_whole {
                return Ok(Err(Left::Interrupted));
            }
        }
        Ok(Ok(points))
    }

    /// Why a seed on which trusted compilers disagree is set aside. The disagreement
    /// is a finding, unless the seed has undefined behaviour.
    fn split(&self, split: Split) -> Result<String> {
        if let Some(objection) = objection(&split.notes) {
            return Ok(objection.to_string());
        }
        let mut config = Config::new(split.other.0.compiler.clone(), &["-O0"]);
        config.version = self.lab().version(&config.compiler)?;
        let judge = self.judge(&config, self.campaign.patience);
        let outcome = Outcome::Ran(split.other.1);
        let run = Run {
            verdict: judge.verdict(&outcome, &self.expected),
            config: config.name.clone(),
            dismissed: None,
            made: None,
        };
        if !run.verdict.is_same() {
            let mut known = vec![Confirmation::CompilersDisagree {
                program: ProgramRole::Seed,
                one: split.one.0.compiler.name.clone(),
                other: split.other.0.compiler.name.clone(),
            }];
            let silent = split.silent.iter().map(Witness::from);
            known.extend(Confirmation::of_witnesses(ProgramRole::Seed, silent));
            self.suspect_seed(judge, outcome, run, known)?;
        }
        Ok(format!(
            "{} and {} disagree on what it does",
            split.one.0, split.other.0
        ))
    }

    /// Runs the seed under all configs; returns those that compile it correctly.
    fn baseline(&self, verifier: &Verifier<'_>) -> Result<Vec<&Config>> {
        let witnesses = verifier.ways().map(Witness::from);
        let verified = Confirmation::of_witnesses(ProgramRole::Seed, witnesses);
        let text = &self.numbered.seed.source;
        let configs = &self.campaign.header.configs;
        let space = self.lab().workspace(&self.stage, text)?;
        let mut known = KnownOutcomes::new();
        let mut good = Vec::new();
        for (index, config) in configs.iter().enumerate() {
            let judge = self.judge(config, self.patience(index));
            let (outcome, made) = self.share(index, &judge, &space, &mut known)?;
            let run = self.run(&judge, &outcome, made);
            if run.verdict.is_same() {
                good.push(config);
                self.campaign
                    .store
                    .add_run(self.numbered.number, 0, &run, None)?;
            } else {
                self.suspect_seed(judge, outcome, run, verified.clone())?;
            }
        }
        Ok(good)
    }

    /// Runs a variant under configs; false if it was interrupted.
    fn variant(
        &self,
        variant: &Variant,
        good: &[&Config],
        source: &Source,
        verifier: &Verifier<'_>,
    ) -> Result<bool> {
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
        for (index, config) in campaign.header.configs.iter().enumerate() {
            if !good.contains(&config) {
                continue;
            }
            let judge = self.judge(config, self.patience(index).for_variants());
            let (outcome, made) = self.share(index, &judge, &space, &mut known)?;
            let mut run = self.run(&judge, &outcome, made);
            let mut finding = None;
            if !run.verdict.is_same() {
                let suspicion = Suspicion {
                    judge,
                    text: &variant.text,
                    expected: &self.expected,
                    outcome: &outcome,
                    verdict: &run.verdict,
                };
                let profiler = &campaign.mutator.profiler;
                match suspicion.of_variant(variant, source, verifier, profiler)? {
                    Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
                    Ruling::Confirmed(done) => {
                        let case =
                            self.finding(&judge, &outcome, &run.verdict, Some(variant), done);
                        self.keep(&case, &outcome, Some(variant))?;
                        finding = Some(case);
                    }
                }
            }
            campaign
                .store
                .add_run(seed, number, &run, finding.as_ref())?;
            campaign.tell(&run, finding.as_ref())?;
        }
        campaign
            .store
            .finish_variant(seed, number, campaign.worked())?;
        campaign.observer.observe(&Event::VariantDone)?;
        Ok(true)
    }

    fn suspect_seed(
        &self,
        judge: Judge<'_>,
        outcome: Outcome,
        mut run: Run,
        known: Vec<Confirmation>,
    ) -> Result<()> {
        let campaign = self.campaign;
        let suspicion = Suspicion {
            judge,
            text: &self.numbered.seed.source,
            expected: &self.expected,
            outcome: &outcome,
            verdict: &run.verdict,
        };
        let mut finding = None;
        match suspicion.of_seed(known)? {
            Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
            Ruling::Confirmed(done) => {
                let case = self.finding(&judge, &outcome, &run.verdict, None, done);
                self.keep(&case, &outcome, None)?;
                finding = Some(case);
            }
        }
        let number = self.numbered.number;
        campaign.store.add_run(number, 0, &run, finding.as_ref())?;
        campaign.tell(&run, finding.as_ref())
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

    /// Compiles a text, and links and runs it unless the same object was run before.
    fn share(
        &self,
        config: usize,
        judge: &Judge<'_>,
        space: &Workspace<'_>,
        known: &mut KnownOutcomes,
    ) -> Result<(Outcome, Option<Made>)> {
        let (lab, way) = (judge.lab, judge.way());
        let object = match lab.compile(space, &way)? {
            Ok(object) => object,
            Err(failure) => return Ok((Outcome::Failed(failure), None)),
        };
        self.campaign.paces[config].add(object.wall);
        let hash = hash_source(&object.bytes);
        let made = Some(Made {
            compile: object.cpu,
            bytes: object.bytes.len(),
            hash,
        });
        let config = judge.config;
        let key = (config.compiler.path.clone(), config.runner.clone(), hash);
        if let Some(outcome) = known.get(&key) {
            return Ok((outcome.clone(), made));
        }
        let outcome = match lab.link(space, &way)? {
            Ok(()) => Outcome::Ran(lab.run(space, &way)?),
            Err(failure) => Outcome::Failed(failure),
        };
        known.insert(key, outcome.clone());
        Ok((outcome, made))
    }

    fn run(&self, judge: &Judge<'_>, outcome: &Outcome, made: Option<Made>) -> Run {
        Run {
            config: judge.config.name.clone(),
            verdict: judge.verdict(outcome, &self.expected),
            dismissed: None,
            made,
        }
    }

    fn finding(
        &self,
        judge: &Judge<'_>,
        outcome: &Outcome,
        verdict: &Verdict,
        variant: Option<&Variant>,
        confirmations: Vec<Confirmation>,
    ) -> Finding {
        let number = variant.map(|variant| variant.record.variant);
        let mut mutations = BTreeMap::new();
        for mutation in variant.iter().flat_map(|variant| variant.mutations()) {
            *mutations
                .entry(mutation.kind().name().to_owned())
                .or_default() += 1;
        }
        Finding {
            id: Finding::id(self.numbered.number, number, judge.config),
            verdict: verdict.clone(),
            config: judge.config.clone(),
            seed: SeedOrigin::of(self.numbered),
            variant: number,
            mutations,
            expected: self.expected.behaviours().to_vec(),
            actual: outcome.behaviours().to_vec(),
            message: String::from_utf8_lossy(outcome.message()).into_owned(),
            confirmations,
            trusted: self.campaign.header.trusted.clone(),
            mestra: env!("CARGO_PKG_VERSION").into(),
            patience: judge.patience,
        }
    }

    fn keep(&self, finding: &Finding, outcome: &Outcome, variant: Option<&Variant>) -> Result<()> {
        let headers = Headers::find(self.lab(), &self.stage, &self.campaign.lead)?;
        let kept = KeptFinding {
            finding,
            numbered: self.numbered,
            variant,
            outcome,
            headers: &headers,
        };
        kept.write(&self.campaign.store.directory)?;
        Ok(())
    }
}

/// Why a run was ended by us.
fn endless(behaviours: &[Behaviour], patience: &Patience) -> Option<String> {
    let ended = behaviours.iter().map(|behaviour| behaviour.ending);
    ended.fold(None, |reason, ending| match ending {
        Ending::TimedOut => {
            let limit = patience.run.as_secs_f64();
            Some(format!("does not end within {limit} s"))
        }
        Ending::TooMuchOutput => Some("prints too much".into()),
        Ending::TooManyProcesses => Some("starts too many processes".into()),
        Ending::Exited(_) | Ending::Signalled(_) => reason,
    })
}

#[cfg(test)]
mod tests;
