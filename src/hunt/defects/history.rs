//! Lists of defects united: what a campaign knew before, and what earlier ones knew.

use super::{Defect, DefectState, Defects, FILE, MarkedAs, sightings};
use crate::hunt::bucket::{KnownAs, free_name};
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
            let known_as = KnownAs {
                is_known: true,
                ..defect.known_as
            };
            history.take(Defect {
                known_as,
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
    pub(super) fn take(&mut self, mut other: Defect) {
        let Some(own) = self.same(&other.known_as) else {
            let names = self.defects.iter().map(|defect| &defect.known_as.name);
            other.known_as.name = free_name(other.known_as.name, &mut names.cloned().collect());
            self.defects.push(other);
            return;
        };
        let own = &mut self.defects[own];
        for fingerprint in &other.known_as.fingerprints {
            own.known_as.add(fingerprint);
        }
        for (id, hash) in other.known_as.findings {
            own.known_as.findings.entry(id).or_insert(hash);
        }
        own.known_as.is_known |= other.known_as.is_known;
        own.is_inherited |= other.is_inherited && own.marked.state == DefectState::New;
        own.marked.take(other.marked);
        for retest in other.retests {
            if !own.retests.contains(&retest) {
                own.retests.push(retest);
            }
        }
    }

    /// The number of the defect here that another list's is: that which has one of its
    /// findings, or its name, or looks like it. Unsorted findings that are news are not
    /// thrown together with those that are none.
    fn same(&self, other: &KnownAs) -> Option<usize> {
        let is_of_a_kind = |own: &KnownAs| match (own.is_vague(), other.is_vague()) {
            (true, true) => own.is_known == other.is_known,
            (one, two) => one == two,
        };
        let has_its_look = |own: &KnownAs| {
            let mut theirs = other.fingerprints.iter();
            own.name == other.name || theirs.any(|fingerprint| own.is_shown_by(fingerprint))
        };
        let find = |is_it: &dyn Fn(&KnownAs) -> bool| {
            let mut own = self.defects.iter().map(|defect| &defect.known_as);
            own.position(|own| is_of_a_kind(own) && is_it(own))
        };
        find(&|own| own.shares_a_finding(other)).or_else(|| find(&has_its_look))
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
