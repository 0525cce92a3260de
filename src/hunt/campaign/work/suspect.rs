//! What is done about a failure: it is confirmed or dismissed, kept, stored and told.

use super::super::aside::SetAside;
use super::super::confirm::{Ruling, Suspicion};
use super::super::judge::Judge;
use super::super::keep::{Headers, KeptFinding};
use super::super::store::Run;
use super::Desk;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{Confirmation, Doubt, Finding, ProgramRole, SeedOrigin};
use crate::hunt::verify::{Split, Witness};
use crate::lab::Outcome;
use crate::lab::toolchain::Config;
use crate::variant::mutate::{Source, Variant};
use anyhow::Result;
use std::collections::BTreeMap;

impl Desk<'_> {
    /// Why a seed on which trusted compilers disagree is set aside. The disagreement
    /// is a finding, unless the seed has undefined behaviour.
    pub(super) fn split(&self, split: Split) -> Result<SetAside> {
        if let Some(reason) = SetAside::of_sanitizers(&split.notes) {
            return Ok(reason);
        }
        let mut config = Config::new(split.other.0.compiler.clone(), &["-O0"]);
        config.version = self.lab().version(&config.compiler)?;
        let judge = self.judge(&config, self.campaign.patience);
        let outcome = Outcome::Ran(split.other.1);
        let run = self.run(&judge, &outcome, None);
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
        Ok(SetAside::CompilersDisagree {
            one: Witness::from(&split.one.0),
            other: Witness::from(&split.other.0),
        })
    }

    /// A seed that fails under a config although nothing is wrong with it; `known` is what
    /// was established about it before.
    pub(super) fn suspect_seed(
        &self,
        judge: Judge<'_>,
        outcome: Outcome,
        run: Run,
        known: Vec<Confirmation>,
    ) -> Result<()> {
        let suspicion = Suspicion {
            judge,
            text: &self.numbered.seed.source,
            expected: &self.expected,
            outcome: &outcome,
            verdict: &run.verdict,
        };
        let ruling = suspicion.of_seed(known)?;
        self.rule(ruling, &judge, &outcome, run, None)
    }

    /// A variant that fails under a config although its seed does not.
    pub(super) fn suspect_variant(
        &self,
        judge: Judge<'_>,
        outcome: Outcome,
        run: Run,
        variant: &Variant,
        source: &Source,
    ) -> Result<()> {
        let verifier = if run.verdict.kind.needs_valid_program() {
            match self.verifier()? {
                Ok(verifier) => Some(verifier),
                Err(reason) => {
                    let reason = reason.to_string();
                    let ruling = Ruling::Dismissed(Doubt::InvalidSeed { reason });
                    return self.rule(ruling, &judge, &outcome, run, Some(variant));
                }
            }
        } else {
            None
        };
        let suspicion = Suspicion {
            judge,
            text: &variant.text,
            expected: &self.expected,
            outcome: &outcome,
            verdict: &run.verdict,
        };
        let profiler = &self.campaign.mutator.profiler;
        let ruling = suspicion.of_variant(variant, source, verifier, profiler)?;
        self.rule(ruling, &judge, &outcome, run, Some(variant))
    }

    fn rule(
        &self,
        ruling: Ruling,
        judge: &Judge<'_>,
        outcome: &Outcome,
        mut run: Run,
        variant: Option<&Variant>,
    ) -> Result<()> {
        let mut finding = None;
        match ruling {
            Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
            Ruling::Confirmed(done) => {
                let case = self.finding(judge, outcome, &run.verdict, variant, done);
                self.keep(&case, outcome, variant)?;
                finding = Some(case);
            }
        }
        let (seed, number) = (
            self.numbered.number,
            variant.map_or(0, |variant| variant.record.variant),
        );
        let store = &self.campaign.store;
        store.add_run(seed, number, &run, finding.as_ref())?;
        self.campaign.tell(&run, finding.as_ref())
    }

    pub(super) fn finding(
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

    pub(super) fn keep(
        &self,
        finding: &Finding,
        outcome: &Outcome,
        variant: Option<&Variant>,
    ) -> Result<()> {
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
