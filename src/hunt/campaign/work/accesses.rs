//! Accesses to volatile variables: a compiler must make them all, as they are written, though
//! nothing that the program does may show it.
//!
//! A few programs are built once more so that they record how they access their volatile
//! variables (`source/units/`), by a config that dice choose and by the lead without
//! optimisation, and both are compared.

use super::super::confirm::{Ruling, Suspicion};
use super::super::judge::Judge;
use super::super::store::{ACCESSES, Run};
use super::Desk;
use crate::dice::{self, Draw};
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{Doubt, ProgramRole};
use crate::lab::toolchain::{Config, SecondUnit};
use crate::lab::{Expectation, Outcome, accesses};
use crate::source::units::recorded;
use crate::variant::mutate::Variant;
use anyhow::Result;
use rand::Rng;
use rand::seq::IndexedRandom;

impl Desk<'_> {
    /// Compares the accesses of a variant, or of the seed, under one of the configs that
    /// compile it correctly.
    pub(super) fn compare_accesses(
        &self,
        text: &[u8],
        variant: Option<&Variant>,
        good: &[&Config],
    ) -> Result<()> {
        let header = &self.campaign.header;
        let number = variant.map_or(0, |variant| variant.record.variant);
        let (dice, seed) = (header.settings.dice(), self.numbered.number);
        let mut rng = dice::generator(dice, seed, Draw::Accesses { variant: number });
        let one_in = header.settings.volatile().filter(|_| header.volatile);
        let is_looked_at = one_in.is_some_and(|one_in| rng.random_ratio(1, one_in));
        if !is_looked_at || recorded(text).is_none() {
            return Ok(());
        }
        let Some(config) = self.recording(good, &mut rng) else {
            return Ok(());
        };
        let Some(expected) = self.expected_accesses(&config, text)? else {
            return Ok(());
        };
        let judge = self.judge(&config, self.campaign.patience.for_variants());
        let outcome = judge.trial(text)?;
        let run = Run {
            verdict: judge.verdict(&outcome, &expected),
            ..self.run(&judge, &outcome, None)
        };
        match run.verdict.kind {
            VerdictKind::Same if accesses::are_recorded(outcome.behaviours()) => {
                self.campaign.store.add_run(seed, number, &run, None)
            }
            VerdictKind::WrongAccesses => {
                self.suspect_accesses(judge, text, &expected, outcome, run, variant)
            }
            // Whatever else goes wrong may be the fault of what records.
            _ => Ok(()),
        }
    }

    /// A config for which programs record their accesses.
    fn recording(&self, good: &[&Config], rng: &mut impl Rng) -> Option<Config> {
        let lead = &self.campaign.lead;
        let is_other = |config: &&&Config| {
            config.is_for_two_files()
                && (config.compiler != lead.compiler || config.flags != lead.flags)
        };
        let able: Vec<&&Config> = good.iter().filter(is_other).collect();
        let chosen = able.choose(rng)?;
        Some(Config {
            name: ACCESSES.into(),
            second: Some(SecondUnit {
                compiler: lead.compiler.clone(),
                version: lead.version.clone(),
                flags: lead.flags.clone(),
                cut: 0,
                records: true,
            }),
            ..(**chosen).clone()
        })
    }

    /// How the lead's build accesses the variables; `None` if it does not record that, or
    /// does not do what the program should.
    fn expected_accesses(&self, config: &Config, text: &[u8]) -> Result<Option<Expectation>> {
        let Some(lead) = config.to_compare_with() else {
            return Ok(None);
        };
        let judge = self.judge(&lead, self.campaign.patience.for_variants());
        judge.recorded(text, &self.expected)
    }

    fn suspect_accesses(
        &self,
        judge: Judge<'_>,
        text: &[u8],
        expected: &Expectation,
        outcome: Outcome,
        run: Run,
        variant: Option<&Variant>,
    ) -> Result<()> {
        let ruling = match self.verifier()? {
            Err(reason) => {
                let reason = reason.to_string();
                Ruling::Dismissed(Doubt::InvalidSeed { reason })
            }
            Ok(verifier) => {
                let suspicion = Suspicion {
                    judge,
                    text,
                    expected,
                    outcome: &outcome,
                    verdict: &run.verdict,
                    lead: &self.campaign.lead,
                };
                let of = match variant {
                    Some(_) => ProgramRole::Variant,
                    None => ProgramRole::Seed,
                };
                suspicion.of_accesses(self.program()?, of, verifier)?
            }
        };
        self.rule_against(expected, ruling, &judge, &outcome, run, variant)
    }
}
