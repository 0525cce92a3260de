//! What is known of the defects that a campaign has found: names that stay, what people
//! have said of them, and what other versions of the compiler make of them.
//!
//! All of it is in one file of the campaign's directory, `defects.json`, which people can
//! read and edit. A report takes over what earlier campaigns knew, so the file of the last
//! one holds all.

mod history;
mod mark;
mod sighting;

pub(crate) use mark::mark;
pub use mark::{DefectState, MarkedAs};
pub use sighting::{Novelty, Sightings};

use crate::hunt::bucket::{self, KnownAs};
use crate::lab::files::{is_same, write_whole};
use crate::lab::format;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file in a campaign's directory.
pub const FILE: &str = "defects.json";

/// Changes when older files can no longer be read.
const FORMAT: u32 = 1;

/// The content of [`FILE`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defects {
    pub format: u32,
    pub defects: Vec<Defect>,
}

/// A defect as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    #[serde(flatten)]
    pub known_as: KnownAs,
    pub title: String,
    #[serde(flatten)]
    pub marked: MarkedAs,
    /// Whether what is said of it here was said by an earlier campaign.
    #[serde(skip)]
    pub(crate) is_inherited: bool,
    /// What other versions of the compiler made of its programs, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retests: Vec<Retest>,
}

/// What one compiler made of all programs of a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retest {
    pub compiler: String,
    pub version: String,
    pub outcome: RetestOutcome,
}

/// What became of a failure in another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetestOutcome {
    /// The program does what it should.
    Fixed,
    /// The compiler does not take the program or its flags.
    CannotBuild,
    /// It fails in another way.
    OtherFailure,
    StillFails,
}

impl RetestOutcome {
    /// For people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            RetestOutcome::Fixed => "fixed",
            RetestOutcome::CannotBuild => "cannot build",
            RetestOutcome::OtherFailure => "fails in another way",
            RetestOutcome::StillFails => "still fails",
        }
    }
}

impl Default for Defects {
    fn default() -> Defects {
        Defects {
            format: FORMAT,
            defects: Vec::new(),
        }
    }
}

impl Defects {
    /// What a campaign knows; nothing if it was never reported.
    pub fn read(campaign: &Path) -> Result<Defects> {
        let path = campaign.join(FILE);
        if !path.exists() {
            return Ok(Defects::default());
        }
        format::read(&path, FORMAT, "a list of defects")
    }

    pub fn write(&self, campaign: &Path) -> Result<()> {
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        write_whole(&campaign.join(FILE), &json)
    }

    /// By what its defects are known.
    fn known_as(&self) -> Vec<KnownAs> {
        let defects = self.defects.iter();
        defects.map(|defect| defect.known_as.clone()).collect()
    }
}

impl Defect {
    /// What the last compiler that was tried made of it.
    pub(crate) fn last_retest(&self) -> Option<&Retest> {
        self.retests.last()
    }

    /// Whether it has neither a finding nor anything else that it could be recognised by, and
    /// nobody has said anything of it.
    fn is_empty(&self) -> bool {
        let known_as = &self.known_as;
        known_as.is_vague() && known_as.findings.is_empty() && self.marked.state == DefectState::New
    }

    /// Whether it is over, as far as anybody has said or seen.
    pub(crate) fn is_fixed(&self) -> bool {
        let fixed = |retest: &Retest| retest.outcome == RetestOutcome::Fixed;
        self.marked.state == DefectState::Fixed || self.last_retest().is_some_and(fixed)
    }
}

/// What a campaign knows after its findings have been sorted, with all that it and earlier
/// campaigns knew before.
///
/// # Errors
/// If a list of defects cannot be read, or an earlier campaign has neither list nor findings.
pub fn sightings(campaign: &Path, earlier: &[PathBuf]) -> Result<Sightings> {
    ensure!(
        !earlier.iter().any(|one| is_same(one, campaign)),
        "{} cannot be an earlier campaign than itself",
        campaign.display()
    );
    let history = history::of(campaign, earlier)?;
    let sorted = bucket::buckets(campaign, &history.known_as())?;
    Ok(Sightings::of(history, sorted))
}

/// By what the defects of earlier campaigns are known.
///
/// # Errors
/// As [`sightings`].
pub fn known_to(earlier: &[PathBuf]) -> Result<Vec<KnownAs>> {
    Ok(history::inherit(Defects::default(), earlier)?.known_as())
}

/// Notes which findings each defect of a campaign has, before they are reduced further and
/// look different: the list of an older version does not say.
///
/// # Errors
/// As [`sightings`], or if the list cannot be written.
pub(crate) fn remember_findings(campaign: &Path) -> Result<()> {
    if !campaign.join(FILE).is_file() {
        return Ok(());
    }
    sightings(campaign, &[])?.into_defects().write(campaign)
}

/// Fails if a directory has neither findings nor a list of defects.
pub(crate) fn expect_campaign(directory: &Path) -> Result<()> {
    ensure!(
        history::check(directory).is_ok(),
        "{} does not contain a campaign",
        directory.display()
    );
    Ok(())
}

/// Fails if one of these directories has nothing that could be known.
pub(crate) fn check_earlier(earlier: &[PathBuf]) -> Result<()> {
    earlier
        .iter()
        .try_for_each(|campaign| history::check(campaign))
}

/// Unites what a campaign and its parts know. Marks that people have made win over none,
/// and of two different ones that which says more.
pub(crate) fn unite(into: &Path, parts: &[PathBuf]) -> Result<()> {
    let mut united = Defects::read(into)?;
    for part in parts {
        for defect in Defects::read(part)?.defects {
            united.take(defect);
        }
    }
    if united.defects.is_empty() {
        Ok(())
    } else {
        united.write(into)
    }
}
