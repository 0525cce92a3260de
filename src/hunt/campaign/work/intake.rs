//! Whether a seed can be used, and what it does: asked from the cheapest question to the
//! dearest, and only what is needed.
//!
//! A generated seed runs for a second under the quickest compiler. What is left runs twice
//! under the lead, whose build defines what it does, and is profiled by all trusted
//! compilers, which have to agree. Their whole builds and all sanitizers are asked when
//! a config is suspected, for seeds that nobody has tested, and for a sample of the
//! generated ones. Instances of seeds are asked about all of this before anything else.

use super::super::Campaign;
use super::super::aside::SetAside;
use super::super::confirm::SeedEvidence;
use super::super::crash;
use super::super::seeds::Numbered;
use super::{Desk, Left};
use crate::dice::{self, Draw};
use crate::error::{Refusal, SeedRefused};
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::verify::{Survey, Verifier, meaning};
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Compiler, Family};
use crate::lab::{Behaviour, Expectation, Patience, Stage, Way, cut_short};
use crate::source::seed::Seed;
use crate::variant::mutate::Source;
use anyhow::Result;
use rand::Rng;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Sanitizers see one of so many generated seeds, whether or not anything is suspected.
const SANITIZED: u32 = 16;

impl Campaign<'_> {
    /// Determines what a seed does.
    pub(super) fn desk<'a>(&'a self, numbered: &'a Numbered) -> Result<Desk<'a>, Left> {
        let stage = Stage::new(&numbered.seed)?;
        if let Some(file) = stage.missing_input() {
            let file = file.to_string_lossy().into_owned();
            return Err(SetAside::MissingInput { file }.into());
        }
        if numbered.is_instance {
            let expected = self.vetted(&numbered.seed)?;
            return Ok(self.desk_of(numbered, stage, expected));
        }
        let first = if numbered.is_generated() {
            self.glance(&stage)?;
            self.first_timeout
        } else {
            self.seed_timeout
        };
        let measured = self.lead(&stage, first)?;
        let expected = match &numbered.predicted {
            Some(predicted) => self.predicted(&stage, predicted, &measured)?,
            None => Expectation::as_seed(measured),
        };
        Ok(self.desk_of(numbered, stage, expected))
    }

    pub(super) fn desk_of<'a>(
        &'a self,
        numbered: &'a Numbered,
        stage: Stage<'a>,
        expected: Expectation,
    ) -> Desk<'a> {
        Desk {
            campaign: self,
            numbered,
            stage,
            expected,
            program: OnceLock::new(),
            verified: OnceLock::new(),
            divisible: OnceLock::new(),
            choice: self.choice(numbered),
            seed_paces: Mutex::default(),
        }
    }

    /// What a program does that nobody has written; most of them mean nothing, so it is
    /// asked sparingly.
    fn vetted(&self, seed: &Seed) -> Result<Expectation, Left> {
        let clang = &self.mutator.clang;
        match meaning(&self.lab, clang, seed, self.first_timeout)? {
            Ok(expected) => Ok(expected),
            Err(unsound) => Err(SetAside::from(unsound).into()),
        }
    }

    /// What a program of our own must do: what was predicted. If the lead's build does
    /// something else, the prediction needs a trusted compiler on its side, since a fault of
    /// ours would look the same.
    fn predicted(
        &self,
        stage: &Stage<'_>,
        predicted: &Behaviour,
        measured: &[Behaviour],
    ) -> Result<Expectation, Left> {
        let expected = vec![predicted.clone()];
        if measured == expected {
            return Ok(Expectation::predicted(expected));
        }
        for compiler in Compiler::trusted().map_err(anyhow::Error::from)? {
            let way = Way::plain(compiler, self.seed_patience(self.seed_timeout));
            let way = way.counted_as(Purpose::Verify);
            let outcome = self.lab.trial(stage, &stage.seed.source, &way)?;
            if outcome.behaviours() == expected {
                return Ok(Expectation::predicted(expected));
            }
        }
        let reason = "no trusted compiler makes it do what was predicted".into();
        Err(SetAside::Refused { reason }.into())
    }

    /// Looks whether a seed ends under tcc, which takes milliseconds to compile it. What
    /// else it does there is not asked: tcc knows less of C than others.
    fn glance(&self, stage: &Stage<'_>) -> Result<(), Left> {
        let trusted = Compiler::trusted().map_err(anyhow::Error::from)?;
        let Some(tcc) = trusted.into_iter().find(|c| c.family == Family::Tcc) else {
            return Ok(());
        };
        let way = Way::plain(tcc, self.seed_patience(self.first_timeout));
        let way = way.counted_as(Purpose::Verify);
        let outcome = self.lab.trial(stage, &stage.seed.source, &way)?;
        match cut_short(outcome.behaviours(), self.first_timeout) {
            Some(endless @ Refusal::DoesNotEnd { .. }) => Err(SetAside::from(endless).into()),
            _ => Ok(()),
        }
    }

    /// What the lead's build does, twice.
    fn lead(&self, stage: &Stage<'_>, limit: Duration) -> Result<Vec<Behaviour>, Left> {
        let way = Way::of(&self.lead, self.seed_patience(limit)).counted_as(Purpose::Verify);
        let space = self.lab.workspace(stage, &stage.seed.source)?;
        if let Err(failure) = self.lab.build(&space, &way, &[])? {
            let reason = SetAside::LeadFails {
                config: self.lead.name.clone(),
                verdict: crash::of_failure(&failure),
                said: Some(crash::in_full(&failure)),
            };
            return Err(reason.into());
        }
        let once = self.lab.run(&space, &way)?;
        if let Some(refusal) = cut_short(&once, limit) {
            return Err(SetAside::from(refusal).into());
        }
        // Other process numbers are among what may differ from run to run.
        let again = Way {
            shares_pids: true,
            ..way
        };
        if self.lab.run(&space, &again)? != once {
            return Err(SetAside::ChangesFromRunToRun.into());
        }
        Ok(once)
    }

    fn seed_patience(&self, run: Duration) -> Patience {
        Patience {
            run,
            ..self.patience
        }
    }
}

impl<'a> Desk<'a> {
    /// The seed parsed and profiled.
    pub(super) fn source(&self) -> Result<Source, Left> {
        let seed = self.numbered.seed.clone();
        let error = match self.campaign.mutator.source(seed, None) {
            Ok(source) => return Ok(source),
            Err(error) => error,
        };
        let refused = error.downcast_ref::<SeedRefused>();
        if let Some(Refusal::CompilersDisagree { .. }) = refused.map(|refused| &refused.reason) {
            // One of them is wrong, or the seed is: that is to be told apart.
            self.verifier()??;
        }
        Err(error.into())
    }

    /// Lets sanitizers see the seed if they should even though nothing is suspected.
    pub(super) fn sanitize(&self) -> Result<(), Left> {
        if self.is_for_sanitizers() {
            self.verifier()??;
        }
        Ok(())
    }

    /// All that come from elsewhere, a sample of those that a generator makes without
    /// undefined behaviour; instances have been seen by them.
    fn is_for_sanitizers(&self) -> bool {
        if self.numbered.is_instance {
            return false;
        }
        let number = self.numbered.number;
        let dice = self.campaign.header.settings.dice();
        !self.numbered.is_generated()
            || dice::generator(dice, number, Draw::Sanitizing).random_ratio(1, SANITIZED)
    }

    /// What must be known about the seed before a verdict on it is believed.
    pub(super) fn established(&self, kind: VerdictKind) -> Result<SeedEvidence, Left> {
        if !kind.needs_valid_program() {
            return Ok(SeedEvidence::default());
        }
        Ok(SeedEvidence::of(self.verifier()??))
    }

    /// What compares variants with the seed, or what trusted compilers and sanitizers
    /// have against the seed; they are asked once.
    pub(super) fn verifier(&self) -> Result<Result<&Verifier<'a>, SetAside>> {
        let verified = match self.verified.get() {
            Some(verified) => verified,
            // Under no lock: a thread that waits for compilers takes on other variants of
            // the seed, which may ask the same.
            None => {
                let verified = self.verify()?;
                self.verified.get_or_init(|| verified)
            }
        };
        Ok(verified.as_ref().map_err(SetAside::clone))
    }

    fn verify(&self) -> Result<Result<Verifier<'a>, SetAside>> {
        let limit = self.campaign.seed_timeout;
        let seed = &self.numbered.seed;
        let survey = match Verifier::survey(self.lab(), seed, &[], limit) {
            Ok(survey) => survey,
            Err(error) => {
                let SeedRefused { reason, .. } = error.downcast()?;
                return Ok(Err(reason.into()));
            }
        };
        let verifier = match survey {
            Survey::Agreed(verifier) => verifier,
            Survey::Split(split) => return self.split(*split).map(Err),
        };
        Ok(match SetAside::of_sanitizers(verifier.notes()) {
            Some(reason) => Err(reason),
            None => Ok(verifier),
        })
    }
}
