//! What compilers are at hand, and what a campaign could do with each: the same questions that
//! are asked when one begins, with all answers instead of what follows from them.

use super::probe::{FEATURE_PROBES, PROBE, Probe};
use crate::hunt::campaign::flags::FlagPool;
use crate::hunt::campaign::settings::Settings;
use crate::lab::Lab;
use crate::lab::toolchain::{Compiler, Config, LINK};
use anyhow::Result;
use rayon::prelude::*;

/// Without optimisation, where features do not depend on an optimiser.
const PLAIN: &str = "-O0";

/// A compiler and what it can be used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompilerCard {
    /// As it is named on a command line.
    pub(crate) name: String,
    pub(crate) version: String,
    /// The machine that it compiles for, if it says so.
    pub(crate) target: Option<String>,
    /// Why no campaign can use it.
    pub(crate) problem: Option<String>,
    /// The features of own programs that only some compilers have and that it has.
    pub(crate) features: Vec<String>,
    /// Its sanitizers that work here.
    pub(crate) sanitizers: Vec<String>,
    /// How many flags dice have to choose from.
    pub(crate) flags: usize,
    /// Flags of linking that work here, such as `-flto`.
    pub(crate) linking: Vec<String>,
}

/// Looks at compilers as a user names them, all on `PATH` if there are none.
///
/// # Errors
/// If one is not there, or nothing can be written to try them with.
pub(crate) fn survey(lab: &Lab, named: Vec<String>) -> Result<Vec<CompilerCard>> {
    let named = if named.is_empty() {
        let installed = Compiler::installed().into_iter();
        installed.map(|compiler| compiler.name).collect()
    } else {
        named
    };
    let lead = &Compiler::trusted()?[0];
    let settings = Settings::default();
    let probe = Probe::new(lab, &settings, lead, PROBE)?;
    let mut features = Vec::new();
    for (feature, program) in FEATURE_PROBES {
        // What the lead does not have has no known result.
        let expected = Probe::new(lab, &settings, lead, program);
        features.push((feature, program, expected.ok()));
    }
    let mut cards = Vec::new();
    for text in named {
        let [config] = &Config::read(lab, &text, &[PLAIN.into()])?[..] else {
            continue;
        };
        let problem = probe.problem(config)?;
        let mut card = CompilerCard {
            name: text,
            version: config.version.clone(),
            target: lab.target(&config.compiler),
            problem,
            features: Vec::new(),
            sanitizers: Vec::new(),
            flags: 0,
            linking: Vec::new(),
        };
        if card.problem.is_none() {
            let asked = features.par_iter().map(|(feature, program, expected)| {
                let has = match expected {
                    Some(expected) => expected.problem(config)?.is_none(),
                    None => Probe::new(lab, &settings, &config.compiler, program).is_ok(),
                };
                Ok(has.then(|| feature.name()))
            });
            let asked: Vec<Option<String>> = asked.collect::<Result<_>>()?;
            card.features = asked.into_iter().flatten().collect();
            card.add_flags(lab, config, &probe)?;
        }
        cards.push(card);
    }
    Ok(cards)
}

impl CompilerCard {
    fn add_flags(&mut self, lab: &Lab, config: &Config, probe: &Probe<'_>) -> Result<()> {
        let works = |config: &Config| Ok(probe.problem(config)?.is_none());
        let own = config.flags.iter().filter(|flag| *flag != PLAIN);
        let config = Config {
            flags: own.cloned().collect(),
            ..config.clone()
        };
        if let Some(pool) = FlagPool::find(lab, &config, works)? {
            self.flags = pool.flags().count();
            let linking = pool.flags().filter(|(group, _)| *group == LINK);
            self.linking = linking.map(|(_, flag)| flag).collect();
        }
        if let Some(pool) = FlagPool::of_sanitizers(&config, works)? {
            let names = pool.flags().filter_map(|(_, flag)| {
                let name = flag.strip_prefix("-fsanitize=")?;
                Some(name.to_owned())
            });
            self.sanitizers = names.collect();
        }
        Ok(())
    }
}
