//! A finding: a verdict that says a compiler is wrong, with everything that is needed to
//! reproduce it.
//!
//! A finding is a directory `findings/<id>/` that needs nothing else:
//!
//! | file | content |
//! |---|---|
//! | `finding.json` | [`Finding`] |
//! | `seed.c` | the seed |
//! | `variant.c`, `record.json` | the variant and its mutations; absent if the seed itself fails |
//! | `units.c` | the failing program as two files in one, if it was compiled as two |
//! | `include/` | headers that the seed includes and no compiler brings along |
//! | `input-1.txt`, … | standard input of the first run, and so on |
//! | `expected.txt`, `actual.txt` | what the program should do and what it did, for people |
//! | `repro.sh` | reproduces the failure: exit status 0 if it does |
//!
//! Ids consist of the numbers of seed and variant and the config's name, so the same
//! campaign gives the same ids.

mod confirmation;
mod doubt;
mod located;
mod reduced;
mod standing;
pub mod verdict;

pub(crate) use confirmation::{Confirmation, ProgramRole};
pub(crate) use doubt::{Doubt, DoubtKind};
pub use located::{LEVELS, Located, Tried};
pub(crate) use located::{dotted, version_number};
pub use reduced::{FlagsSummary, REDUCED, Reduced, ShrunkSummary, reduced_file};
pub use standing::{AliasRule, Standing, StandingKind, Unchecked};

use crate::lab::toolchain::Config;
use crate::lab::{Behaviour, Expectation, Patience, format};
use crate::source::seed::{Input, Seed};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use verdict::Verdict;

/// The version of `finding.json`; changes when older files can no longer be read.
const FORMAT: u32 = 1;

/// A confirmed failure of a config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub id: String,
    pub verdict: Verdict,
    pub config: Config,
    pub seed: SeedOrigin,
    /// The variant's number; `None` if the seed itself shows the failure.
    pub variant: Option<u32>,
    /// How many mutations of each kind the variant has.
    pub mutations: BTreeMap<String, usize>,
    /// What the program should do, one entry for each input.
    pub expected: Vec<Behaviour>,
    /// What the config makes it do; empty if the compiler fails.
    pub actual: Vec<Behaviour>,
    /// What a failing compiler said.
    pub message: String,
    /// Whether it is a finding, or what is open about it.
    #[serde(default, skip_serializing_if = "Standing::is_confirmed")]
    pub standing: Standing,
    /// What was established before this was called a finding.
    pub confirmations: Vec<Confirmation>,
    /// The compilers that were trusted, with their versions.
    pub trusted: Vec<String>,
    /// The version of Mestra that found it.
    pub mestra: String,
    /// The limits of the compiler and the program.
    pub patience: Patience,
}

/// Where a seed came from and how it is built and run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedOrigin {
    /// Its number in the campaign.
    pub number: u64,
    /// The command that made it, or the file it was read from.
    pub origin: String,
    /// The name that it is compiled under.
    pub file_name: String,
    /// Its flags, without those that say where to look for headers.
    pub flags: Vec<String>,
    pub inputs: Vec<KeptInput>,
}

/// One run of the program, with the file beside `finding.json` that it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptInput {
    pub arguments: Vec<String>,
    pub stdin: Option<String>,
}

/// The names of the files in a finding's directory.
pub mod file {
    pub const FINDING: &str = "finding.json";
    pub const SEED: &str = "seed.c";
    pub const VARIANT: &str = "variant.c";
    pub const RECORD: &str = "record.json";
    pub(crate) const UNITS: &str = "units.c";
    pub(crate) const INCLUDE: &str = "include";
    pub(crate) const EXPECTED: &str = "expected.txt";
    pub(crate) const ACTUAL: &str = "actual.txt";
    pub const REPRO: &str = "repro.sh";
}

impl Finding {
    /// The id of what a config does with a seed or one of its variants.
    pub fn id(seed: u64, variant: Option<u32>, config: &Config) -> String {
        let slug = config.slug();
        match variant {
            Some(variant) => format!("s{seed:06}-v{variant:03}-{slug}"),
            None => format!("s{seed:06}-seed-{slug}"),
        }
    }

    /// Reads `finding.json` of a finding's directory.
    pub fn read(directory: &Path) -> Result<Finding> {
        let path = directory.join(file::FINDING);
        if !path.exists() {
            let shown = directory.display();
            ensure!(directory.exists(), "{shown} does not exist");
            bail!("{shown} is not a finding: it has no {}", file::FINDING);
        }
        format::read(&path, FORMAT, "a finding")
    }

    /// The content of `finding.json`.
    pub(crate) fn to_json(&self) -> Result<Vec<u8>> {
        format::to_json(self, FORMAT)
    }

    /// The parts of the signature that occur in the compiler's message: what to look for
    /// in its message about another program.
    pub(crate) fn telling_words(&self) -> Vec<&str> {
        let parts = self.verdict.signature.split(['…', '<']).map(str::trim);
        parts
            .filter(|part| part.len() > 3 && self.message.contains(part))
            .collect()
    }

    /// The program that fails.
    pub fn program(&self, directory: &Path) -> Result<Vec<u8>> {
        let name = match self.variant {
            Some(_) => file::VARIANT,
            None => file::SEED,
        };
        let path = directory.join(name);
        fs::read(&path).with_context(|| format!("reading {}", path.display()))
    }

    /// Fails if the seed or an input is not in the finding's directory.
    pub(crate) fn check_files(&self, directory: &Path) -> Result<()> {
        let inputs = self.seed.inputs.iter();
        let inputs = inputs.filter_map(|input| input.stdin.as_deref());
        for name in std::iter::once(file::SEED).chain(inputs) {
            let path = directory.join(name);
            fs::metadata(&path).with_context(|| format!("reading {}", path.display()))?;
        }
        Ok(())
    }

    /// The seed as it is built and run from the finding's directory.
    pub fn seed(&self, directory: &Path) -> Result<Seed> {
        let directory = fs::canonicalize(directory)
            .with_context(|| format!("finding {}", directory.display()))?;
        let path = directory.join(file::SEED);
        let source = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let mut flags: Vec<OsString> = self.seed.flags.iter().map(OsString::from).collect();
        let include = directory.join(file::INCLUDE);
        if include.is_dir() {
            let mut flag = OsString::from("-I");
            flag.push(include);
            flags.push(flag);
        }
        let inputs = self.seed.inputs.iter().map(|kept| Input {
            arguments: kept.arguments.iter().map(OsString::from).collect(),
            stdin: kept.stdin.as_ref().map(|name| directory.join(name)),
        });
        Ok(Seed {
            path: directory.join(&self.seed.file_name),
            source: source.into(),
            flags,
            inputs: inputs.collect(),
        })
    }

    /// What the program should have done.
    pub fn expectation(&self) -> Expectation {
        Expectation::as_seed(self.expected.clone())
    }
}

/// The directories of all findings of a campaign, in order.
pub fn directories(campaign: &Path) -> Result<Vec<PathBuf>> {
    directories_in(campaign, FINDINGS)
}

/// The same for [`FINDINGS`] or [`SUSPICIONS`].
pub(crate) fn directories_in(campaign: &Path, which: &str) -> Result<Vec<PathBuf>> {
    let mut found = listed(campaign, which)?;
    found.retain(|path| path.join(file::FINDING).is_file());
    Ok(found)
}

/// The same with those whose `finding.json` is gone.
pub(crate) fn all_directories(campaign: &Path) -> Result<Vec<PathBuf>> {
    listed(campaign, FINDINGS)
}

fn listed(campaign: &Path, which: &str) -> Result<Vec<PathBuf>> {
    let findings = campaign.join(which);
    if !findings.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let entries =
        fs::read_dir(&findings).with_context(|| format!("listing {}", findings.display()))?;
    for entry in entries {
        let path = entry
            .with_context(|| format!("listing {}", findings.display()))?
            .path();
        if path.is_dir() && !is_unfinished(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The directory of a campaign that holds its findings.
pub const FINDINGS: &str = "findings";

/// The directory of a campaign that holds failures of another standing, in the same form.
pub const SUSPICIONS: &str = "suspicions";

/// How the name of a directory starts that is still being written.
pub(crate) const UNFINISHED: &str = ".new-";

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes())
}
