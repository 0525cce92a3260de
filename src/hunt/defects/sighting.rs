//! Defects and the findings of one campaign: which are new, known, back, or not seen.

use super::{Defect, DefectState, Defects, MarkedAs, RetestOutcome};
use crate::hunt::bucket::Bucket;
use crate::hunt::finding::{Finding, version_number};
use serde::Serialize;

/// The findings of a campaign by defect, and the defects that it has not met.
#[derive(Clone, Debug)]
pub struct Sightings {
    /// Each bucket with its defect, those first that somebody should look at.
    pub seen: Vec<(Bucket, Defect)>,
    /// Defects that are known and of which there is no finding here.
    pub unseen: Vec<Defect>,
}

/// What a defect is to somebody who knows the last report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Novelty {
    /// Nobody knows it.
    New,
    /// It was fixed, and is there again.
    Back,
    Known,
}

impl Novelty {
    pub fn name(self) -> &'static str {
        match self {
            Novelty::New => "new",
            Novelty::Back => "back",
            Novelty::Known => "known",
        }
    }

    /// Whether it is a reason to raise an alarm.
    pub fn is_news(self) -> bool {
        self != Novelty::Known
    }
}

impl Defect {
    /// What it is, if it has been found.
    pub fn novelty(&self) -> Novelty {
        match self.marked.state {
            DefectState::Back => Novelty::Back,
            DefectState::New if !self.is_known => Novelty::New,
            _ => Novelty::Known,
        }
    }

    /// Whether a finding shows a defect that was fixed in this version or an earlier one.
    fn was_fixed_for(&self, finding: &Finding) -> bool {
        let version = &finding.config.version;
        let mut retests = self.retests.iter();
        let is_seen = retests
            .any(|retest| retest.outcome == RetestOutcome::Fixed && retest.version == *version);
        let is_said = self.marked.state == DefectState::Fixed;
        let in_time = self.marked.fixed_in.as_ref().is_none_or(|fixed| {
            // A lone number such as 14 is a version, too.
            let fixed = version_number(&format!("{fixed}.0"));
            version_number(version) >= fixed
        });
        is_seen || is_said && in_time
    }
}

impl Sightings {
    pub(super) fn of(history: Defects, buckets: Vec<Bucket>) -> Sightings {
        let mut left: Vec<Option<Defect>> = history.defects.into_iter().map(Some).collect();
        let mut seen = Vec::new();
        for bucket in buckets {
            let earlier = bucket.earlier.and_then(|number| left[number].take());
            let defect = match earlier {
                Some(earlier) => seen_again(earlier, &bucket),
                None => Defect {
                    known_as: bucket.known_as.clone(),
                    title: bucket.title.clone(),
                    marked: MarkedAs::default(),
                    is_known: false,
                    is_inherited: false,
                    retests: Vec::new(),
                },
            };
            seen.push((bucket, defect));
        }
        seen.sort_by_key(|(_, defect)| defect.novelty());
        Sightings {
            seen,
            unseen: left.into_iter().flatten().collect(),
        }
    }

    /// The name of the defect that a finding of this campaign belongs to.
    pub(super) fn bucket_of(&self, id: &str) -> Option<&str> {
        let has = |bucket: &Bucket| bucket.entries.iter().any(|entry| entry.finding.id == id);
        let found = self.seen.iter().find(|(bucket, _)| has(bucket));
        found.map(|(_, defect)| defect.known_as.name.as_str())
    }

    /// All that is known now, in an order that does not depend on what was seen.
    pub fn into_defects(self) -> Defects {
        let seen = self.seen.into_iter().map(|(_, defect)| defect);
        let mut defects: Vec<Defect> = seen.chain(self.unseen).collect();
        defects.sort_by(|one, other| one.known_as.name.cmp(&other.known_as.name));
        Defects {
            defects,
            ..Defects::default()
        }
    }
}

/// A defect that was known, with what its findings here add.
fn seen_again(earlier: Defect, bucket: &Bucket) -> Defect {
    let mut findings = bucket.entries.iter().map(|entry| &entry.finding);
    // What this campaign found before somebody marked it is not back.
    let is_back = earlier.is_inherited && findings.any(|finding| earlier.was_fixed_for(finding));
    let state = if is_back {
        DefectState::Back
    } else {
        earlier.marked.state
    };
    Defect {
        known_as: bucket.known_as.clone(),
        title: bucket.title.clone(),
        marked: MarkedAs {
            state,
            ..earlier.marked
        },
        ..earlier
    }
}
