//! Programs that are compiled and not run: whatever they mean, and even if they mean
//! nothing, no compiler may crash or hang on them.
//!
//! That a compiler rejects such a program is no fault of it, and is not questioned.
//!
//! Compilers that run programs as well are asked in the same way about a seed that a trusted
//! compiler fails on: if it crashes, it is as wrong as any other.

use super::super::Campaign;
use super::super::aside::SetAside;
use super::super::confirm::Suspicion;
use super::super::seeds::Numbered;
use super::sharing::KnownOutcomes;
use super::{Desk, Left};
use crate::lab::toolchain::{Config, Runner};
use crate::lab::{Expectation, Stage, Workspace};
use anyhow::Result;

impl Campaign<'_> {
    /// Gives a program to all configs that compile only; `aside` is why it is of no use
    /// for others. If that is because it cannot be compiled, all others compile it, too.
    pub(super) fn compile_only(
        &self,
        numbered: &Numbered,
        aside: Option<&SetAside>,
    ) -> Result<(), Left> {
        let is_of_compiling = aside.is_some_and(SetAside::is_of_compiling);
        let configs = &self.header.configs;
        if !is_of_compiling && !configs.iter().any(Config::only_compiles) {
            return Ok(());
        }
        if self.is_stopping() {
            return Err(Left::Interrupted);
        }
        let desk = self.desk_of(
            numbered,
            Stage::new(&numbered.seed)?,
            Expectation::nothing(),
        );
        if let Some(reason) = aside {
            let _ = desk.verified.set(Err(reason.clone()));
        }
        Ok(desk.compile(is_of_compiling)?)
    }
}

impl Desk<'_> {
    /// Compiles it with the configs that do no more, or with all.
    fn compile(&self, with_all: bool) -> Result<()> {
        let configs = &self.campaign.header.configs;
        let space = self
            .lab()
            .workspace(&self.stage, &self.numbered.seed.source)?;
        let mut known = KnownOutcomes::new();
        let mut good = Vec::new();
        let fixed = configs.iter().enumerate();
        let is_meant = |config: &Config| with_all || config.only_compiles();
        let fixed = fixed.filter(|(index, config)| is_meant(config) && self.suits(*index));
        for (index, config) in fixed {
            if self.compile_under(index, config, &space, &mut known)? {
                good.push(config);
            }
        }
        for (index, config) in &self.drawn(0, &good) {
            if is_meant(config) {
                self.compile_under(*index, config, &space, &mut known)?;
            }
        }
        Ok(())
    }

    /// Returns whether the program is compiled.
    fn compile_under(
        &self,
        index: usize,
        config: &Config,
        space: &Workspace<'_>,
        known: &mut KnownOutcomes,
    ) -> Result<bool> {
        let compiling = Config {
            runner: Runner::CompileOnly,
            ..config.clone()
        };
        let judge = self.judge(&compiling, self.patience(index));
        let bytes = self.numbered.seed.source.len();
        let (outcome, made) = self.share(index, &judge, space, known, (0, bytes))?;
        let run = self.run(&judge, &outcome, made);
        let is_good = run.verdict.is_same();
        if is_good || run.verdict.kind.needs_valid_program() {
            // Of a seed that is set aside nothing counts but what is found.
            if config.only_compiles() {
                let number = self.numbered.number;
                self.campaign.store.add_run(number, 0, &run, None)?;
            }
            return Ok(is_good);
        }
        let suspicion = Suspicion {
            judge,
            text: &self.numbered.seed.source,
            expected: &self.expected,
            outcome: &outcome,
            verdict: &run.verdict,
            lead: &self.campaign.lead,
        };
        let ruling = suspicion.of_compiler()?;
        self.rule(ruling, &judge, &outcome, run, None)?;
        Ok(false)
    }
}
