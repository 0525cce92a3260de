//! Whether it is to be believed that a compiler accesses a volatile variable otherwise than it
//! should.
//!
//! The same text is compared under several compilers, so nothing has to be asked of the seed.
//! But C says little of what an access is. Only what all trusted compilers do without
//! optimisation can be asked of the others.

use super::super::judge::Judge;
use super::{Conclusion, Ruling, SeedEvidence, Suspicion, settled};
use crate::hunt::finding::{Confirmation, Doubt, ProgramRole, Standing};
use crate::hunt::verify::Verifier;
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Config, Family};
use crate::source::open::Openness;
use crate::source::program::Program;
use anyhow::Result;

impl Suspicion<'_> {
    /// What is expected here is what the compiler makes of the program that has compiled the
    /// recording part, without optimisation.
    pub(in super::super) fn of_accesses(
        &self,
        program: &Program,
        of: ProgramRole,
        verifier: &Verifier<'_>,
    ) -> Result<Ruling> {
        settled(self.rule_on_accesses(program, of, verifier))
    }

    fn rule_on_accesses(
        &self,
        program: &Program,
        of: ProgramRole,
        verifier: &Verifier<'_>,
    ) -> Result<Ruling> {
        let mut done = Vec::new();
        let SeedEvidence { known, unsteady } = SeedEvidence::of(verifier);
        unless!(done, unsteady.map(|witness| Doubt::Unsteady { witness }));
        unless!(done, self.is_open(&Openness::of(program), of)?);
        unless!(done, self.accesses_agree(verifier, &mut done)?);
        unless!(done, self.repeat(&mut done)?);
        match of {
            ProgramRole::Seed => done.extend(known),
            ProgramRole::Variant => unless!(done, self.variant_is_good(verifier, &mut done)?),
        }
        Ok(Ruling::Kept(Standing::Confirmed, done))
    }

    /// Whether all trusted compilers access the variables alike.
    fn accesses_agree(
        &self,
        verifier: &Verifier<'_>,
        done: &mut Vec<Confirmation>,
    ) -> Result<Option<Doubt>> {
        let mut compilers = vec![self.lead.compiler.name.clone()];
        let plain = verifier.ways().filter(|way| !way.is_sanitizer());
        for compiler in plain.map(|way| &way.compiler) {
            let is_able = matches!(compiler.family, Family::Gcc | Family::Clang);
            if !is_able || *compiler == self.lead.compiler {
                continue;
            }
            let config = Config {
                second: self.judge.config.second.clone(),
                ..Config::new(compiler.clone(), &["-O0"])
            };
            let judge = Judge {
                config: &config,
                purpose: Some(Purpose::Confirm),
                ..self.judge
            };
            if !self.ask(&judge, self.text)?.is_same() {
                let compiler = compiler.name.clone();
                return Ok(Some(Doubt::AccessesVary { compiler }));
            }
            compilers.push(compiler.name.clone());
        }
        done.push(Confirmation::AccessesAgree { compilers });
        Ok(None)
    }
}
