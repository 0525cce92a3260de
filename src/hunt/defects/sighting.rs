//! Defects and the findings of one campaign: which are new, known, back, or not seen.

use super::{Defect, DefectState, Defects, MarkedAs, RetestOutcome};
use crate::hunt::bucket::{Bucket, BucketEntry, DamagedFinding, KnownAs, Sorted};
use crate::hunt::finding::{Finding, version_number};
use serde::Serialize;
use std::collections::BTreeSet;

/// The findings of a campaign by defect, and the defects that it has not met.
#[derive(Clone, Debug)]
pub struct Sightings {
    /// Each bucket with its defect, those first that somebody should look at.
    pub seen: Vec<(Bucket, Defect)>,
    /// Defects that are known and of which there is no finding here.
    pub unseen: Vec<Defect>,
    /// Findings that could not be read.
    pub damaged: Vec<DamagedFinding>,
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
            DefectState::New if !self.known_as.is_known => Novelty::New,
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
    pub(super) fn of(history: Defects, sorted: Sorted) -> Sightings {
        let mut left: Vec<Option<Defect>> = history.defects.iter().cloned().map(Some).collect();
        let mut seen = Vec::new();
        for bucket in sorted.buckets {
            let earlier = bucket.earlier.and_then(|number| left[number].take());
            let defect = match earlier {
                Some(earlier) => seen_again(earlier, &bucket),
                None => first_seen(
                    bucket.was_in.map(|number| &history.defects[number]),
                    &bucket,
                ),
            };
            seen.push((bucket, defect));
        }
        seen.sort_by_key(|(_, defect)| defect.novelty());
        let mut unseen: Vec<Defect> = left.into_iter().flatten().collect();
        for entry in seen.iter().flat_map(|(bucket, _)| &bucket.entries) {
            for defect in &mut unseen {
                defect.known_as.leave(entry);
            }
        }
        unseen.retain(|defect| !defect.is_empty());
        Sightings {
            seen,
            unseen,
            damaged: sorted.damaged,
        }
    }

    /// The name of the defect that a finding of this campaign belongs to.
    pub(super) fn bucket_of(&self, id: &str) -> Option<&str> {
        let has = |bucket: &Bucket| bucket.entries.iter().any(|entry| entry.finding.id == id);
        let found = self.seen.iter().find(|(bucket, _)| has(bucket));
        found.map(|(_, defect)| defect.known_as.name.as_str())
    }

    /// The names of those that are no defects but findings that nobody has told apart yet.
    pub(super) fn unsorted(&self) -> BTreeSet<String> {
        let is_open = |bucket: &Bucket| {
            let is_pending = bucket.entries.iter().any(BucketEntry::is_pending);
            bucket.known_as.is_vague() && is_pending
        };
        let open = self.seen.iter().filter(|(bucket, _)| is_open(bucket));
        open.map(|(_, defect)| defect.known_as.name.clone())
            .collect()
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

/// A defect that shows for the first time. Its findings may have been among others that
/// nobody could tell apart: what was known and said there was known and said of them.
fn first_seen(was_in: Option<&Defect>, bucket: &Bucket) -> Defect {
    Defect {
        known_as: KnownAs {
            is_known: was_in.is_some_and(|defect| defect.known_as.is_known),
            ..bucket.known_as.clone()
        },
        title: bucket.title.clone(),
        marked: was_in.map_or_else(MarkedAs::default, |defect| defect.marked.clone()),
        is_inherited: was_in.is_some_and(|defect| defect.is_inherited),
        retests: Vec::new(),
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

#[cfg(test)]
mod tests {
    use super::super::{FILE, remember_findings, sightings};
    use super::*;
    use crate::hunt::bucket::planted::{self, fingerprint};
    use crate::hunt::finding::{FINDINGS, file};
    use std::collections::BTreeMap;
    use std::fs;

    fn defect(name: &str, shape: &[&str], findings: &[(&str, &str)]) -> Defect {
        let findings = findings.iter();
        let findings = findings.map(|(id, hash)| ((*id).to_owned(), (*hash).to_owned()));
        Defect {
            known_as: KnownAs {
                name: name.into(),
                fingerprints: vec![fingerprint(shape)],
                findings: findings.collect(),
                is_known: false,
            },
            title: "Wrong code".into(),
            marked: MarkedAs::default(),
            is_inherited: false,
            retests: vec![],
        }
    }

    fn nothing() -> Sorted {
        Sorted {
            buckets: vec![],
            damaged: vec![],
        }
    }

    #[test]
    fn a_file_of_an_older_version_is_read() {
        let old = r#"{"format":1,"defects":[{"name":"tcc-wrong-code-array","fingerprints":
            [{"family":"tcc","class":"wrong-code","shape":["array"],"is_small":true}],
            "title":"Wrong code","state":"filed","url":"https://a.b/7","is_known":true}]}"#;
        let read: Defects = serde_json::from_str(old).unwrap();
        let defect = &read.defects[0];
        assert!(defect.known_as.is_known && defect.known_as.findings.is_empty());
        assert_eq!(defect.marked.to_string(), "filed, https://a.b/7");
        let again: Defects = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
        assert_eq!(again, read);
    }

    #[test]
    fn findings_that_an_older_version_did_not_list_are_noted_before_they_change() {
        let campaign = tempfile::tempdir().unwrap();
        let directory = campaign.path().join(FINDINGS).join("s1");
        fs::create_dir_all(&directory).unwrap();
        let json = planted::finding("s1").to_json().unwrap();
        fs::write(directory.join(file::FINDING), json).unwrap();
        fs::write(directory.join(file::SEED), "int main(void) { }").unwrap();
        remember_findings(campaign.path()).unwrap();
        assert!(
            !campaign.path().join(FILE).exists(),
            "nobody knows anything"
        );
        let mut defects = sightings(campaign.path(), &[]).unwrap().into_defects();
        defects.defects[0].known_as.findings.clear();
        defects.write(campaign.path()).unwrap();
        remember_findings(campaign.path()).unwrap();
        let read = Defects::read(campaign.path()).unwrap();
        let listed: Vec<&String> = read.defects[0].known_as.findings.keys().collect();
        assert_eq!(listed, ["s1"]);
    }

    #[test]
    fn what_nothing_can_be_recognised_by_is_forgotten() {
        let mut marked = defect("c", &[], &[]);
        marked.marked.state = DefectState::Invalid;
        let history = Defects {
            defects: vec![
                defect("a", &[], &[]),
                defect("b", &[], &[("s1", "0")]),
                marked,
                defect("d", &["array"], &[]),
            ],
            ..Defects::default()
        };
        let sighted = Sightings::of(history, nothing());
        let names: Vec<String> = sighted
            .unseen
            .into_iter()
            .map(|d| d.known_as.name)
            .collect();
        assert_eq!(names, ["b", "c", "d"]);
    }

    #[test]
    fn lists_are_united_by_findings_before_names_and_looks() {
        let mut own = Defects {
            defects: vec![
                defect("array", &["array"], &[]),
                defect("loop", &["loop"], &[("s1", "0")]),
                defect("unsorted", &[], &[("s2", "0")]),
            ],
            ..Defects::default()
        };
        let known = |defect: Defect| {
            let known_as = KnownAs {
                is_known: true,
                ..defect.known_as
            };
            Defect { known_as, ..defect }
        };
        own.take(known(defect("array", &["array"], &[("s1", "0")])));
        own.take(known(defect("unsorted", &[], &[("s3", "0")])));
        let known: BTreeMap<&str, bool> = own
            .defects
            .iter()
            .map(|defect| (defect.known_as.name.as_str(), defect.known_as.is_known))
            .collect();
        let expected = [
            ("array", false),
            ("loop", true),
            ("unsorted", false),
            ("unsorted-2", true),
        ];
        assert_eq!(known, BTreeMap::from(expected));
    }
}
