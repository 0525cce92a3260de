//! What is done about a failure: it is confirmed or dismissed, kept, stored and told.

use super::super::confirm::{Ruling, SeedEvidence, Suspicion};
use super::super::judge::Judge;
use super::super::keep::{Headers, KeptFinding};
use super::super::store::Run;
use super::Desk;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{Confirmation, Doubt, Finding, SeedOrigin, Standing, Unchecked};
use crate::lab::{Expectation, Outcome};
use crate::variant::mutate::{Source, Variant};
use anyhow::Result;
use std::collections::BTreeMap;

impl Desk<'_> {
    /// A seed that fails under a config although nothing is wrong with it; `undecided` says why
    /// it is no finding in any case.
    pub(super) fn suspect_seed(
        &self,
        judge: Judge<'_>,
        outcome: Outcome,
        run: Run,
        evidence: SeedEvidence,
        undecided: Option<Unchecked>,
    ) -> Result<()> {
        let suspicion = Suspicion {
            judge,
            text: &self.numbered.seed.source,
            expected: &self.expected,
            outcome: &outcome,
            verdict: &run.verdict,
            lead: &self.campaign.lead,
        };
        let mut ruling = suspicion.of_seed(self.program()?, evidence)?;
        if let (Ruling::Kept(standing, _), Some(reason)) = (&mut ruling, undecided) {
            *standing = Standing::Unchecked { reason };
        }
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
        if let Some((shorter, outcome, run)) = self.shorter(&judge, &run, variant, source)? {
            return self.suspect_variant(judge, outcome, run, &shorter, source);
        }
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
            lead: &self.campaign.lead,
        };
        let mutator = &self.campaign.mutator;
        let ruling = suspicion.of_variant(variant, source, verifier, mutator)?;
        self.rule(ruling, &judge, &outcome, run, Some(variant))
    }

    /// The variant without the last step of its chain, if that fails in the same way: later
    /// steps rest on what it does.
    fn shorter(
        &self,
        judge: &Judge<'_>,
        run: &Run,
        variant: &Variant,
        source: &Source,
    ) -> Result<Option<(Variant, Outcome, Run)>> {
        let steps = variant.record.steps();
        if steps == 1 {
            return Ok(None);
        }
        let record = variant.record.cut(steps - 1);
        let clang = &self.campaign.mutator.clang;
        let text = record.replay(clang, &source.seed, None)?;
        let outcome = judge.trial(&text)?;
        let verdict = judge.verdict(&outcome, &self.expected);
        if !verdict.is_like(&run.verdict) {
            return Ok(None);
        }
        let run = Run {
            verdict,
            ..run.clone()
        };
        let shorter = Variant {
            text,
            record,
            ..variant.clone()
        };
        Ok(Some((shorter, outcome, run)))
    }

    pub(super) fn rule(
        &self,
        ruling: Ruling,
        judge: &Judge<'_>,
        outcome: &Outcome,
        run: Run,
        variant: Option<&Variant>,
    ) -> Result<()> {
        self.rule_against(&self.expected, ruling, judge, outcome, run, variant)
    }

    /// The same for a program of which something else is expected than of its seed.
    pub(super) fn rule_against(
        &self,
        expected: &Expectation,
        ruling: Ruling,
        judge: &Judge<'_>,
        outcome: &Outcome,
        mut run: Run,
        variant: Option<&Variant>,
    ) -> Result<()> {
        let mut finding = None;
        match ruling {
            Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
            Ruling::Kept(standing, done) => {
                let case = Finding {
                    standing,
                    expected: expected.behaviours().to_vec(),
                    ..self.finding(judge, outcome, &run.verdict, variant, done)
                };
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
            standing: Standing::default(),
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
