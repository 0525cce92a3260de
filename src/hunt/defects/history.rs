//! Lists of defects united: what a campaign knew before, and what earlier ones knew.

use super::{Defect, DefectState, Defects, FILE, MarkedAs, sightings};
use crate::hunt::finding::FINDINGS;
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

/// All that is known before the findings of a campaign are sorted.
pub(super) fn of(campaign: &Path, earlier: &[PathBuf]) -> Result<Defects> {
    inherit(Defects::read(campaign)?, earlier)
}

/// Adds what earlier campaigns knew.
pub(super) fn inherit(mut history: Defects, earlier: &[PathBuf]) -> Result<Defects> {
    for directory in earlier {
        check(directory)?;
        for defect in sightings(directory, &[])?.into_defects().defects {
            history.take(Defect {
                is_known: true,
                is_inherited: true,
                ..defect
            });
        }
    }
    Ok(history)
}

/// Fails if a directory is not that of a campaign with findings or a list of defects.
pub(super) fn check(directory: &Path) -> Result<()> {
    ensure!(
        directory.join(FINDINGS).is_dir() || directory.join(FILE).is_file(),
        "{} contains no findings of an earlier campaign",
        directory.display()
    );
    Ok(())
}

impl Defects {
    /// Adds what another list knows of a defect, or the defect.
    pub(super) fn take(&mut self, other: Defect) {
        let shown = |defect: &&mut Defect| {
            let mut theirs = other.known_as.fingerprints.iter();
            defect.known_as.name == other.known_as.name
                || theirs.any(|fingerprint| defect.known_as.is_shown_by(fingerprint))
        };
        let Some(own) = self.defects.iter_mut().find(shown) else {
            self.defects.push(other);
            return;
        };
        for fingerprint in &other.known_as.fingerprints {
            own.known_as.add(fingerprint);
        }
        own.is_known |= other.is_known;
        own.is_inherited |= other.is_inherited && own.marked.state == DefectState::New;
        own.marked.take(other.marked);
        for retest in other.retests {
            if !own.retests.contains(&retest) {
                own.retests.push(retest);
            }
        }
    }
}

impl MarkedAs {
    /// What this list says stays, unless it says less.
    fn take(&mut self, other: MarkedAs) {
        // A defect that is back was fixed: that another list says so is no news.
        let is_news = self.state != DefectState::Back || other.state != DefectState::Fixed;
        if is_news && other.state > self.state {
            self.state = other.state;
        }
        self.url = self.url.take().or(other.url);
        self.duplicate_of = self.duplicate_of.take().or(other.duplicate_of);
        self.fixed_in = self.fixed_in.take().or(other.fixed_in);
    }
}
