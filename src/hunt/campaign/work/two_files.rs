//! Programs divided into two files, each compiled in its own way and both linked: by one
//! compiler at two levels, by two compilers, or with link-time optimisation.
//!
//! Which compilers and levels meet, and where a program is cut, is up to dice, as flags are.
//! Dividing looks at tokens only, so a program counts as divisible if the lead makes of its
//! two files what the program does.

use super::super::judge::Judge;
use super::super::store::TWO_FILES;
use super::Desk;
use crate::dice::{self, Draw};
use crate::hunt::finding::Doubt;
use crate::hunt::finding::verdict::Verdict;
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Config, SecondUnit};
use crate::lab::{Outcome, Patience};
use crate::source::units::divided;
use anyhow::Result;
use rand::Rng;
use rand::seq::IndexedRandom;

/// How often both files are optimised together, where the compiler can.
const LTO: u32 = 4;

/// How many ways to cut a program are tried before it counts as one that cannot be divided:
/// a small one may have all its functions on one side.
const CUTS: u32 = 8;

impl Desk<'_> {
    /// A config for a variant or, as number 0, the seed, with its place among all; `None` if
    /// there is none to be had or the seed cannot be divided.
    pub(super) fn two_files(
        &self,
        variant: u32,
        good: &[&Config],
    ) -> Result<Option<(usize, Config)>> {
        let header = &self.campaign.header;
        if !header.two_files {
            return Ok(None);
        }
        let (dice, seed) = (header.settings.dice(), self.numbered.number);
        let mut rng = dice::generator(dice, seed, Draw::Units { variant });
        if !self.is_to_be_divided(&mut rng) || !self.is_divisible()? {
            return Ok(None);
        }
        let able: Vec<&Config> = good
            .iter()
            .copied()
            .filter(|c| c.is_for_two_files())
            .collect();
        let Some(&first) = able.choose(&mut rng) else {
            return Ok(None);
        };
        let others: Vec<&Config> = able.iter().copied().filter(|c| *c != first).collect();
        let mut second = others.choose(&mut rng).copied().unwrap_or(first).clone();
        let mut first = first.clone();
        let source = &self.numbered.seed.source;
        let mut cuts = (0..CUTS).map(|_| rng.random());
        let Some(cut) = cuts.find(|cut| divided(source, *cut).is_some()) else {
            return Ok(None);
        };
        // The linker calls the optimiser of one compiler only.
        if rng.random_ratio(1, LTO)
            && let Some(flag) = self.link_time(&first)
        {
            if second.compiler != first.compiler {
                second = first.clone();
            }
            for config in [&mut first, &mut second] {
                config.flags.extend(flag.split(' ').map(str::to_owned));
            }
        }
        if second.compiler != first.compiler {
            // Some compilers make code for any address by default, some do not, and the linker
            // of one may not take what the other makes.
            for config in [&mut first, &mut second] {
                config.flags.push("-fPIE".into());
            }
        }
        first.name = TWO_FILES.into();
        first.second = Some(SecondUnit {
            compiler: second.compiler,
            version: second.version,
            flags: second.flags,
            cut,
            records: false,
        });
        let place = header.configs.len() + header.flag_pools.len();
        Ok(Some((place, first)))
    }

    /// The flag by which a compiler optimises when it links.
    fn link_time(&self, config: &Config) -> Option<String> {
        let pools = &self.campaign.header.flag_pools;
        let own = pools
            .iter()
            .find(|pool| pool.config.compiler == config.compiler)?;
        own.link_time()
    }

    fn is_divisible(&self) -> Result<bool> {
        if let Some(known) = self.divisible.get() {
            return Ok(*known);
        }
        let source = &self.numbered.seed.source;
        let found = match (0..CUTS).find(|cut| divided(source, *cut).is_some()) {
            Some(cut) => self.is_right_by_lead(source, cut)?,
            None => false,
        };
        // Another thread may have found out the same.
        Ok(*self.divisible.get_or_init(|| found))
    }

    /// Whether the lead makes of a text's two files what the program should do.
    fn is_right_by_lead(&self, text: &[u8], cut: u32) -> Result<bool> {
        let mut config = self.campaign.lead.clone();
        config.second = Some(SecondUnit {
            compiler: config.compiler.clone(),
            version: config.version.clone(),
            flags: config.flags.clone(),
            cut,
            records: false,
        });
        let patience = Patience {
            run: self.campaign.seed_timeout,
            ..self.campaign.patience
        };
        let judge = Judge {
            purpose: Some(Purpose::Verify),
            ..self.judge(&config, patience.for_variants())
        };
        Ok(judge.judge(text, &self.expected)?.is_same())
    }

    /// Why a verdict on two files says nothing about a compiler.
    pub(super) fn indivisible(
        &self,
        config: &Config,
        outcome: &Outcome,
        verdict: &Verdict,
        text: &[u8],
    ) -> Result<Option<Doubt>> {
        let Some(second) = &config.second else {
            return Ok(None);
        };
        // Objects of two compilers may need libraries of both.
        let is_of_linker = matches!(outcome, Outcome::Failed(failure) if failure.is_of_linker);
        let is_doubtful = is_of_linker && second.compiler != config.compiler
            || verdict.kind.needs_valid_program() && !self.is_right_by_lead(text, second.cut)?;
        Ok(is_doubtful.then(|| Doubt::Indivisible {
            verdict: verdict.clone(),
        }))
    }
}
