//! A seed on which trusted compilers disagree: who of all compilers is wrong.
//!
//! Every compiler of the campaign is a witness at `-O0`. Those whose programs do the same
//! form a class; the class with the most families, and then with the most compilers, is
//! taken to be right, and whoever is not in it is accused.

use super::super::aside::SetAside;
use super::super::confirm::SeedEvidence;
use super::Desk;
use crate::hunt::finding::{Confirmation, ProgramRole, Unchecked};
use crate::hunt::verify::{Split, Witness};
use crate::lab::toolchain::{Compiler, Config, Family, Runner};
use crate::lab::{Behaviour, Expectation, Outcome, Stage};
use crate::source::open::Openness;
use crate::source::program::complaints;
use anyhow::Result;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Warnings of clang about words of other compilers, which change nothing for it.
const UNKNOWN_WORDS: &[&str] = &[
    "ignored-attributes",
    "unknown-attributes",
    "ignored-pragmas",
    "unknown-pragmas",
];

/// Attributes of gcc that change nothing without optimisation.
const IDLE_WORDS: &[&str] = &["'noclone'", "'noipa'", "'no_icf'", "'noinline'"];

/// Compilers whose programs do the same.
struct Class {
    behaviours: Vec<Behaviour>,
    configs: Vec<Config>,
}

impl Class {
    fn names(&self) -> Vec<String> {
        let names = self.configs.iter().map(|config| config.name.clone());
        names.collect()
    }

    /// How much weight its word has: versions of one compiler have faults in common.
    fn weight(&self) -> (usize, usize) {
        let families: BTreeSet<String> = self.configs.iter().map(family).collect();
        (families.len(), self.configs.len())
    }
}

/// Compilers of no known family are each their own.
fn family(config: &Config) -> String {
    match config.compiler.family {
        Family::Other => config.compiler.path.display().to_string(),
        known => format!("{known:?}"),
    }
}

impl Desk<'_> {
    /// Why a seed on which trusted compilers disagree is set aside. The disagreement
    /// is a finding, unless the seed has undefined behaviour.
    pub(super) fn split(&self, split: Split) -> Result<SetAside> {
        if let Some(reason) = SetAside::of_sanitizers(&split.notes) {
            return Ok(reason);
        }
        let program = self.program()?;
        let mut classes = self.classes()?;
        classes.sort_by_key(|class| Reverse(class.weight()));
        let Some((right, wrong)) = classes.split_first() else {
            return Ok(disagreement(&split));
        };
        let openness = Openness::of(program);
        // Whoever has as much weight may as well be right.
        let equal = wrong.iter().find(|class| class.weight() == right.weight());
        let stage = Stage::new(&self.numbered.seed)?;
        let expected = Expectation::as_seed(right.behaviours.clone());
        let desk = Desk {
            program: self.program.clone(),
            ..self.campaign.desk_of(self.numbered, stage, expected)
        };
        for class in wrong {
            for config in &class.configs {
                let mut known = vec![Confirmation::StandsApart {
                    program: ProgramRole::Seed,
                    alike: class.names(),
                    others: right.names(),
                }];
                let silent = split.silent.iter().map(Witness::from);
                known.extend(Confirmation::of_witnesses(ProgramRole::Seed, silent));
                let of_family = is_whole_family(class, right)
                    .then(|| self.family_habit(&openness))
                    .flatten();
                let of_version = openness.wide_enumerator;
                let of_version = of_version.map(|line| Unchecked::WideEnumerator { line });
                let undecided = of_family.or(of_version).or_else(|| {
                    let other = equal?.names();
                    let one = right.names();
                    Some(Unchecked::NoMajority { one, other })
                });
                let judge = desk.judge(config, self.campaign.patience);
                let outcome = Outcome::Ran(class.behaviours.clone());
                let run = desk.run(&judge, &outcome, None);
                if !run.verdict.is_same() {
                    let unsteady = split.unsteady.clone();
                    let evidence = SeedEvidence { known, unsteady };
                    desk.suspect_seed(judge, outcome, run, evidence, undecided)?;
                }
            }
        }
        Ok(disagreement(&split))
    }

    /// What may mean one thing to all compilers of a family and another to others.
    fn family_habit(&self, openness: &Openness) -> Option<Unchecked> {
        let seed = &self.numbered.seed;
        let clang = &self.campaign.mutator.clang;
        let order = openness.unsequenced;
        let order = order.map(|line| Unchecked::OpenOrder { line });
        let field = openness.wide_field;
        let field = field.map(|line| Unchecked::WideField { line });
        let number = openness.line_number;
        let number = number.map(|line| Unchecked::LineNumber { line });
        order.or(field).or(number).or_else(|| {
            let said = complaints(clang, &seed.path, &seed.source, &seed.flags, UNKNOWN_WORDS);
            let is_idle = |said: &String| IDLE_WORDS.iter().any(|word| said.contains(word));
            let mut said = said.ok()?.into_iter();
            let warning = said.find(|said| !is_idle(said))?;
            Some(Unchecked::OtherDialect { warning })
        })
    }

    /// What all compilers make of the seed without optimisation; one that fails on it has
    /// nothing to say.
    fn classes(&self) -> Result<Vec<Class>> {
        let witnesses = self.witnesses()?;
        let outcomes: Vec<Outcome> = witnesses
            .par_iter()
            .map(|config| {
                let judge = self.judge(config, self.campaign.patience);
                judge.trial(&self.numbered.seed.source)
            })
            .collect::<Result<_>>()?;
        let mut classes: Vec<Class> = Vec::new();
        for (config, outcome) in witnesses.into_iter().zip(outcomes) {
            let Outcome::Ran(behaviours) = outcome else {
                continue;
            };
            match classes
                .iter_mut()
                .find(|class| class.behaviours == behaviours)
            {
                Some(class) => class.configs.push(config),
                None => classes.push(Class {
                    behaviours,
                    configs: vec![config],
                }),
            }
        }
        Ok(classes)
    }

    /// The trusted compilers and those under test, each once.
    fn witnesses(&self) -> Result<Vec<Config>> {
        let unoptimised = |config: &&Config| config.flags.iter().any(|flag| flag == "-O0");
        let configs = &self.campaign.header.configs;
        let as_tested = configs.iter().filter(unoptimised).cloned();
        let compilers = Compiler::trusted()?.into_iter();
        let direct = configs.iter().filter(|c| c.runner == Runner::Direct);
        let compilers = compilers.chain(direct.map(|config| config.compiler.clone()));
        let plain = compilers.map(|compiler| Config::new(compiler, &["-O0"]));
        let mut seen = BTreeSet::new();
        let mut witnesses = Vec::new();
        for mut config in as_tested.chain(plain) {
            if !seen.insert(config.compiler.path.clone()) {
                continue;
            }
            if config.version.is_empty() {
                config.version = self.lab().version(&config.compiler)?;
            }
            witnesses.push(config);
        }
        Ok(witnesses)
    }
}

/// Whether no compiler of the class's families is on the other side: compilers of one
/// family evaluate in one order.
fn is_whole_family(class: &Class, other: &Class) -> bool {
    let theirs: BTreeSet<String> = other.configs.iter().map(family).collect();
    class
        .configs
        .iter()
        .all(|config| !theirs.contains(&family(config)))
}

fn disagreement(split: &Split) -> SetAside {
    SetAside::CompilersDisagree {
        one: Witness::from(&split.one.0),
        other: Witness::from(&split.other.0),
    }
}
