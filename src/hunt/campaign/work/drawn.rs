//! Programs under configs whose flags dice chose: which these are, and what is done about
//! a failure.
//!
//! Nobody has seen the seed under the very flags that its variant is compiled with. If it
//! fails as well, the failure is the seed's, and that is what is confirmed and kept.

use super::super::confirm::{Ruling, SeedEvidence, Suspicion};
use super::super::judge::Judge;
use super::super::store::Run;
use super::Desk;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Doubt, Finding};
use crate::lab::Outcome;
use crate::lab::toolchain::Config;
use crate::variant::mutate::{Source, Variant};
use anyhow::Result;

impl Desk<'_> {
    /// A config for each compiler, with its place among all, for a variant or, as number 0,
    /// the seed. A compiler that is wrong on the seed at some level would be so again and
    /// again.
    pub(super) fn drawn(&self, variant: u32, good: &[&Config]) -> Vec<(usize, Config)> {
        let header = &self.campaign.header;
        let (dice, seed) = (header.settings.dice(), self.numbered.number);
        let (tried, first) = (self.configs(), header.configs.len());
        let is_bad = |pool: &Config| {
            let of_it = |config: &Config| {
                config.compiler.path == pool.compiler.path && config.runner == pool.runner
            };
            let mut own = tried.iter().filter(|(_, config)| of_it(config));
            own.any(|(_, config)| !good.contains(config))
        };
        (0..)
            .zip(&header.flag_pools)
            .filter(|(place, pool)| self.suits(first + *place as usize) && !is_bad(&pool.config))
            .filter_map(|(place, pool)| {
                let config = pool.draw(dice, seed, variant, place)?;
                Some((first + place as usize, config))
            })
            .collect()
    }

    /// Why a verdict says nothing about a compiler but that it does not take such flags
    /// together, or that the program is not one for two files.
    pub(super) fn conflict(
        &self,
        config: &Config,
        outcome: &Outcome,
        verdict: &Verdict,
        text: &[u8],
    ) -> Result<Option<Doubt>> {
        if config.second.is_some() {
            return self.indivisible(config, outcome, verdict, text);
        }
        let is_suspect = config.is_drawn() && verdict.kind == VerdictKind::Rejected;
        Ok(if is_suspect && !self.lab().takes(config)? {
            let verdict = verdict.clone();
            Some(Doubt::FlagsConflict { verdict })
        } else {
            None
        })
    }

    /// A variant that fails under drawn flags.
    pub(super) fn suspect_drawn(
        &self,
        judge: Judge<'_>,
        outcome: Outcome,
        mut run: Run,
        variant: &Variant,
        source: &Source,
    ) -> Result<()> {
        let campaign = self.campaign;
        let number = variant.record.variant;
        let conflict = self.conflict(judge.config, &outcome, &run.verdict, &variant.text)?;
        let mut finding = None;
        if conflict.is_some() {
            run.dismissed = conflict;
        } else {
            // The same seed may fail with the flags of several variants.
            let config = Config {
                name: format!("{} {number}", judge.config.name),
                ..judge.config.clone()
            };
            let judge_of_seed = self.judge(&config, judge.patience);
            let seed_outcome = judge_of_seed.trial(&self.numbered.seed.source)?;
            let verdict = judge_of_seed.verdict(&seed_outcome, &self.expected);
            if verdict.is_same() {
                return self.suspect_variant(judge, outcome, run, variant, source);
            }
            if run.verdict.kind.is_of_compiler() && !verdict.is_like(&run.verdict) {
                // The seed has another failure, and no program excuses this one.
                let suspicion = Suspicion {
                    judge,
                    text: &variant.text,
                    expected: &self.expected,
                    outcome: &outcome,
                    verdict: &run.verdict,
                    lead: &self.campaign.lead,
                };
                let ruling = suspicion.of_compiler()?;
                return self.rule(ruling, &judge, &outcome, run, Some(variant));
            }
            match self.rule_on_seed(judge_of_seed, &seed_outcome, &verdict)? {
                Ruling::Dismissed(doubt) => run.dismissed = Some(doubt),
                Ruling::Kept(standing, done) => {
                    let case = Finding {
                        standing,
                        ..self.finding(&judge_of_seed, &seed_outcome, &verdict, None, done)
                    };
                    self.keep(&case, &seed_outcome, None)?;
                    finding = Some(case);
                }
            }
        }
        let seed = self.numbered.number;
        campaign
            .store
            .add_run(seed, number, &run, finding.as_ref())?;
        campaign.tell(&run, finding.as_ref())
    }

    fn rule_on_seed(
        &self,
        judge: Judge<'_>,
        outcome: &Outcome,
        verdict: &Verdict,
    ) -> Result<Ruling> {
        let mut evidence = SeedEvidence::default();
        if verdict.kind.needs_valid_program() {
            match self.verifier()? {
                Ok(verifier) => evidence = SeedEvidence::of(verifier),
                Err(reason) => {
                    let reason = reason.to_string();
                    return Ok(Ruling::Dismissed(Doubt::InvalidSeed { reason }));
                }
            }
        }
        let suspicion = Suspicion {
            judge,
            text: &self.numbered.seed.source,
            expected: &self.expected,
            outcome,
            verdict,
            lead: &self.campaign.lead,
        };
        suspicion.of_seed(self.program()?, evidence)
    }
}
