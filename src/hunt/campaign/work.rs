//! One seed from its creation to its last variant.

use super::confirm::{Ruling, Suspicion};
use super::event::Event;
use super::judge::{Judge, Trial};
use super::keep::{Headers, KeptFinding};
use super::seeds::Numbered;
use super::store::{Made, Run};
use super::{Campaign, FAILURES_OF_GENERATOR};
use crate::error::SeedRefused;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{Confirmation, Finding, Patience, ProgramRole, SeedOrigin};
use crate::hunt::verify::{Exclusion, Note, Split, Survey, Verifier, Witness};
use crate::lab::process::{Ending, Purpose};
use crate::lab::scratch;
use crate::lab::toolchain::{Behaviour, Config, Runner, Stage};
use crate::source::seed::hash_source;
use crate::variant::mutate::{Source, Variant};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
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
type KnownTrials = HashMap<(PathBuf, Runner, u64), Trial>;

/// A seed that all configs may see, and what it should do.
struct Desk<'a> {
    campaign: &'a Campaign<'a>,
    numbered: &'a Numbered,
    stage: Stage<'a>,
    expected: Vec<Behaviour>,
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
        let stage = Stage::new(&numbered.seed, Purpose::Run)?;
        let patience = Patience {
            run: self.seed_timeout,
            ..self.patience
        };
        let judge = Judge {
            config: &self.lead,
            stage: &stage,
            patience,
            purpose: Some(Purpose::Verify),
            is_alone: false,
        };
        let aside = |reason: String| Ok(Err(Left::SetAside(reason)));
        if let Some(file) = missing_input(numbered) {
            return aside(format!("cannot read its input {}", file.display()));
        }
        let mut trials = Vec::new();
        for _ in 0..2 {
            match judge.trial(&numbered.seed.source)? {
                Trial::Failed(failure) => {
                    return aside(format!("{}: {}", self.lead.name, failure.verdict));
                }
                Trial::Ran(expected) => {
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
            expected: trials.swap_remove(0),
        }))
    }
}

/// What a sanitizer has against a seed. One that does not support the campaign's flags
/// at all, such as the memory sanitizer with `-m32`, says nothing about any seed.
fn objection(notes: &[Note]) -> Option<&Note> {
    let mut notes = notes.iter();
    notes.find(|note| note.setup.is_sanitizer() && note.reason != Exclusion::UnsupportedFlags)
}

impl Desk<'_> {
    /// The seed, then its variants; returns how many points can be mutated.
    fn work(&self) -> Result<Result<usize, Left>> {
        let seed = &self.numbered.seed;
        if self.campaign.is_stopping() {
            return Ok(Err(Left::Interrupted));
        }
        let verifier = match Verifier::survey(seed, &[], self.campaign.seed_timeout) {
            Ok(Survey::Agreed(verifier)) => verifier,
            Ok(Survey::Split(split)) => return Ok(Err(Left::SetAside(self.split(split)?))),
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
        config.version = config.compiler.version()?;
        let judge = self.judge(&config, self.campaign.patience);
        let trial = Trial::Ran(split.other.1);
        let run = Run {
            verdict: trial.verdict(&self.expected, &config.runner),
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
            self.suspect_seed(judge, trial, run, known)?;
        }
        Ok(format!(
            "{} and {} disagree on what it does",
            split.one.0, split.other.0
        ))
    }

    /// Runs the seed under all configs; returns those that compile it correctly.
    fn baseline(&self, verifier: &Verifier<'_>) -> Result<Vec<&Config>> {
        let witnesses = verifier.setups().map(Witness::from);
        let verified = Confirmation::of_witnesses(ProgramRole::Seed, witnesses);
        let text = &self.numbered.seed.source;
        let configs = &self.campaign.header.configs;
        let directory = scratch::directory().context("making a directory for builds")?;
        let source = self.stage.put(directory.path(), text)?;
        let mut known = KnownTrials::new();
        let mut good = Vec::new();
        for (index, config) in configs.iter().enumerate() {
            let judge = self.judge(config, self.patience(index));
            let (trial, made) = self.share(index, &judge, directory.path(), &source, &mut known)?;
            let run = self.run(config, &trial, made);
            if run.verdict.is_same() {
                good.push(config);
                self.campaign
                    .store
                    .add_run(self.numbered.number, 0, &run, None)?;
            } else {
                self.suspect_seed(judge, trial, run, verified.clone())?;
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
        let directory = scratch::directory().context("making a directory for builds")?;
        let name = self.stage.put(directory.path(), &variant.text)?;
        let mut known = KnownTrials::new();
        for (index, config) in campaign.header.configs.iter().enumerate() {
            if !good.contains(&config) {
                continue;
            }
            let judge = self.judge(config, self.patience(index).for_variants());
            let (trial, made) = self.share(index, &judge, directory.path(), &name, &mut known)?;
            let mut run = self.run(config, &trial, made);
            let mut finding = None;
            if !run.verdict.is_same() {
                let suspicion = Suspicion {
                    judge,
                    text: &variant.text,
                    expected: &self.expected,
                    trial: &trial,
                    verdict: &run.verdict,
                };
                let profiler = &campaign.mutator.profiler;
                match suspicion.of_variant(variant, source, verifier, profiler)? {
                    Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
                    Ruling::Confirmed(done) => {
                        let case = self.finding(&judge, &trial, &run.verdict, Some(variant), done);
                        self.keep(&case, &trial, Some(variant))?;
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
        trial: Trial,
        mut run: Run,
        known: Vec<Confirmation>,
    ) -> Result<()> {
        let campaign = self.campaign;
        let suspicion = Suspicion {
            judge,
            text: &self.numbered.seed.source,
            expected: &self.expected,
            trial: &trial,
            verdict: &run.verdict,
        };
        let mut finding = None;
        match suspicion.of_seed(known)? {
            Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
            Ruling::Confirmed(done) => {
                let case = self.finding(&judge, &trial, &run.verdict, None, done);
                self.keep(&case, &trial, None)?;
                finding = Some(case);
            }
        }
        let number = self.numbered.number;
        campaign.store.add_run(number, 0, &run, finding.as_ref())?;
        campaign.tell(&run, finding.as_ref())
    }

    fn judge<'d>(&'d self, config: &'d Config, patience: Patience) -> Judge<'d> {
        Judge {
            config,
            stage: &self.stage,
            patience,
            purpose: None,
            is_alone: false,
        }
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
        directory: &Path,
        source: &OsStr,
        known: &mut KnownTrials,
    ) -> Result<(Trial, Option<Made>)> {
        let object = match judge.compile(directory, source)? {
            Ok(object) => object,
            Err(failure) => return Ok((Trial::Failed(failure), None)),
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
        if let Some(trial) = known.get(&key) {
            return Ok((trial.clone(), made));
        }
        let trial = match judge.link(directory)? {
            Ok(()) => Trial::Ran(judge.run(directory, source)?),
            Err(failure) => Trial::Failed(failure),
        };
        known.insert(key, trial.clone());
        Ok((trial, made))
    }

    fn run(&self, config: &Config, trial: &Trial, made: Option<Made>) -> Run {
        Run {
            config: config.name.clone(),
            verdict: trial.verdict(&self.expected, &config.runner),
            dismissed: None,
            made,
        }
    }

    fn finding(
        &self,
        judge: &Judge<'_>,
        trial: &Trial,
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
            expected: self.expected.clone(),
            actual: trial.behaviours().to_vec(),
            message: String::from_utf8_lossy(trial.message()).into_owned(),
            confirmations,
            trusted: self.campaign.header.trusted.clone(),
            mestra: env!("CARGO_PKG_VERSION").into(),
            patience: judge.patience,
        }
    }

    fn keep(&self, finding: &Finding, trial: &Trial, variant: Option<&Variant>) -> Result<()> {
        let directory = scratch::directory().context("making a directory for headers")?;
        let lead = &self.campaign.lead.compiler;
        let headers = Headers::find(&self.stage, lead, directory.path())?;
        let kept = KeptFinding {
            finding,
            numbered: self.numbered,
            variant,
            trial,
            headers: &headers,
        };
        kept.write(&self.campaign.store.directory)?;
        Ok(())
    }
}

fn missing_input(numbered: &Numbered) -> Option<&PathBuf> {
    let mut files = numbered.seed.inputs.iter().filter_map(|i| i.stdin.as_ref());
    files.find(|file| !file.is_file())
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
