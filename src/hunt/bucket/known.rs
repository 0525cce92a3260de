//! What is remembered of a defect: its name, what its findings showed of it, and which
//! findings they were.

use super::{BucketEntry, Fingerprint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A defect's name, and what its findings showed of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownAs {
    pub name: String,
    pub fingerprints: Vec<Fingerprint>,
    /// Its findings, each with the hash of the program that fails: ids alone occur again in
    /// other campaigns. What a compiler says of itself stays the same however small its
    /// program becomes, so findings that are known by it are not listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub findings: BTreeMap<String, String>,
    /// Whether an earlier campaign has found it.
    #[serde(default)]
    pub is_known: bool,
}

/// More fingerprints of one defect tell nothing new.
const MOST_FINGERPRINTS: usize = 20;

impl KnownAs {
    /// Whether the defect is certainly the one that a finding shows. One of which nothing
    /// is known is shown only by findings of its own campaign that tell as little.
    pub(crate) fn is_shown_by(&self, fingerprint: &Fingerprint) -> bool {
        if fingerprint.is_vague() && (!self.is_vague() || self.is_known) {
            return false;
        }
        let mut own = self.fingerprints.iter();
        own.any(|own| own.is_alike(fingerprint))
    }

    /// Whether nothing is known of it but that it is there.
    pub(crate) fn is_vague(&self) -> bool {
        self.fingerprints.iter().all(Fingerprint::is_vague)
    }

    pub(super) fn may_be_shown_by(&self, fingerprint: &Fingerprint) -> bool {
        let mut own = self.fingerprints.iter();
        own.any(|own| own.may_be(fingerprint))
    }

    /// Whether this very finding was one of its own, with the same failure.
    pub(super) fn remembers(&self, entry: &BucketEntry) -> bool {
        let hash = self.findings.get(&entry.finding.id);
        let mut own = self.fingerprints.iter();
        hash.is_some()
            && hash == entry.program.as_ref()
            && own.any(|own| own.is_same_failure(&entry.fingerprint))
    }

    /// Whether another list has a finding of this defect, too.
    pub(crate) fn shares_a_finding(&self, other: &KnownAs) -> bool {
        let mut own = self.findings.iter();
        own.any(|(id, hash)| other.findings.get(id) == Some(hash))
    }

    /// Takes a finding over.
    pub(super) fn take(&mut self, entry: &BucketEntry) {
        // That a finding is here may be a guess. Once it tells more, it is sorted anew.
        if entry.fingerprint.is_vague() && !self.is_vague() {
            return;
        }
        self.add(&entry.fingerprint);
        if let Some(hash) = &entry.program {
            self.findings.insert(entry.finding.id.clone(), hash.clone());
        }
    }

    pub(crate) fn add(&mut self, fingerprint: &Fingerprint) {
        let is_new = !self.fingerprints.contains(fingerprint);
        if is_new && self.fingerprints.len() < MOST_FINGERPRINTS {
            self.fingerprints.push(fingerprint.clone());
        }
    }

    /// Forgets findings that another defect has now.
    pub(crate) fn leave(&mut self, entry: &BucketEntry) {
        if self.findings.get(&entry.finding.id) == entry.program.as_ref() {
            self.findings.remove(&entry.finding.id);
        }
    }
}
