//! Which findings are of one defect.
//!
//! Every finding has a [`Fingerprint`]. Findings are sorted in the order of what theirs
//! tell; each joins a defect that is known from earlier, or a bucket that others of this
//! campaign have made, or begins one. Those whose fingerprint tells nothing come last and
//! join the one bucket that they may belong to, if there is only one.

mod fingerprint;
mod order;
mod shape;
mod title;

pub use fingerprint::{FailureClass, Fingerprint};
pub(crate) use fingerprint::{family, place};
pub(crate) use title::{aborts, base_name, title};

use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{self, Finding, REDUCED, Reduced, reduced_file};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use shape::ProgramShape;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A finding with its reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketEntry {
    pub directory: PathBuf,
    pub finding: Finding,
    pub reduced: Option<Reduced>,
    pub fingerprint: Fingerprint,
    /// How many tokens its small program has, if there is one.
    pub tokens: Option<usize>,
}

/// Findings that are assumed to have one cause, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub known_as: KnownAs,
    /// In the words of a compiler's developer; different for every bucket.
    pub title: String,
    /// The number of the earlier defect that it is.
    pub earlier: Option<usize>,
    pub entries: Vec<BucketEntry>,
}

/// A defect's name, and what its findings showed of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownAs {
    pub name: String,
    pub fingerprints: Vec<Fingerprint>,
}

/// More fingerprints of one defect tell nothing new.
const MOST_FINGERPRINTS: usize = 20;

impl KnownAs {
    /// Whether the defect is certainly the one that a finding shows.
    pub(crate) fn is_shown_by(&self, fingerprint: &Fingerprint) -> bool {
        let mut own = self.fingerprints.iter();
        own.any(|own| own.is_alike(fingerprint))
    }

    /// Whether nothing is known of it but that it is there.
    fn is_vague(&self) -> bool {
        self.fingerprints.iter().all(Fingerprint::is_vague)
    }

    fn may_be_shown_by(&self, fingerprint: &Fingerprint) -> bool {
        let mut own = self.fingerprints.iter();
        own.any(|own| own.may_be(fingerprint))
    }

    pub(crate) fn add(&mut self, fingerprint: &Fingerprint) {
        let is_new = !self.fingerprints.contains(fingerprint);
        if is_new && self.fingerprints.len() < MOST_FINGERPRINTS {
            self.fingerprints.push(fingerprint.clone());
        }
    }
}

impl Bucket {
    /// The finding that is shown for all.
    pub fn first(&self) -> &BucketEntry {
        &self.entries[0]
    }
}

/// The findings of a campaign by bucket: different defects first, and of one look the
/// one with the smallest program.
///
/// # Errors
/// If a finding cannot be read.
pub fn buckets(campaign: &Path, earlier: &[KnownAs]) -> Result<Vec<Bucket>> {
    let mut sorted = sort(entries(campaign)?, earlier);
    order::different_first(&mut sorted);
    title::make_distinct(&mut sorted);
    Ok(sorted)
}

/// A group of findings in the making.
struct BucketInTheMaking {
    known_as: KnownAs,
    entries: Vec<BucketEntry>,
}

fn sort(mut entries: Vec<BucketEntry>, earlier: &[KnownAs]) -> Vec<Bucket> {
    entries.sort_by_cached_key(|entry| {
        let strength = entry.fingerprint.strength();
        (Reverse(strength), entry.tokens, entry.finding.id.clone())
    });
    let mut names: BTreeSet<String> = earlier.iter().map(|known| known.name.clone()).collect();
    let groups = earlier.iter().map(|known_as| BucketInTheMaking {
        known_as: known_as.clone(),
        entries: Vec::new(),
    });
    let mut groups: Vec<BucketInTheMaking> = groups.collect();
    for entry in entries {
        let fingerprint = &entry.fingerprint;
        let certain = |group: &BucketInTheMaking| group.known_as.is_shown_by(fingerprint);
        let at = groups.iter().position(certain);
        let at = at.or_else(|| only_guess(&groups, fingerprint));
        let at = at.unwrap_or_else(|| {
            let name = free_name(fingerprint.name(), &mut names);
            let fingerprints = Vec::new();
            groups.push(BucketInTheMaking {
                known_as: KnownAs { name, fingerprints },
                entries: Vec::new(),
            });
            groups.len() - 1
        });
        groups[at].known_as.add(fingerprint);
        groups[at].entries.push(entry);
    }
    let numbered = groups.into_iter().enumerate();
    let found = numbered.filter(|(_, group)| !group.entries.is_empty());
    let found = found.map(|(number, mut group)| {
        let size =
            |entry: &BucketEntry| (entry.tokens.unwrap_or(usize::MAX), entry.finding.id.clone());
        group.entries.sort_by_cached_key(size);
        let first = &group.entries[0];
        Bucket {
            title: title(&first.finding, first.reduced.as_ref()),
            earlier: (number < earlier.len()).then_some(number),
            known_as: group.known_as,
            entries: group.entries,
        }
    });
    found.collect()
}

/// The one group that a finding may belong to where one of the two says nothing: a finding
/// that is not reduced goes to a defect that is known, and the first that is reduced says
/// what a defect of which nothing was known is.
fn only_guess(groups: &[BucketInTheMaking], fingerprint: &Fingerprint) -> Option<usize> {
    let numbered = groups.iter().enumerate();
    let mut fitting = numbered.filter(|(_, group)| {
        let is_open = group.known_as.is_vague() != fingerprint.is_vague();
        is_open && group.known_as.may_be_shown_by(fingerprint)
    });
    let (first, _) = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

/// A name that no other defect has.
fn free_name(name: String, taken: &mut BTreeSet<String>) -> String {
    let further = (2..).map(|number| format!("{name}-{number}"));
    let mut all = std::iter::once(name.clone()).chain(further);
    let free = all.find(|name| taken.insert(name.clone()));
    free.unwrap_or(name)
}

/// The findings that should be reduced, in rounds: first one of every bucket, then a second
/// one, unless its compiler says what is wrong, and so on. Where nothing is known of defects
/// yet, configs and verdicts stand for buckets. At most `most` findings of one bucket count,
/// including those that are already reduced. Where the compiler says that it is a defect
/// known from earlier, none is needed.
pub fn unreduced(campaign: &Path, most: usize, earlier: &[KnownAs]) -> Result<Vec<Vec<PathBuf>>> {
    let mut rounds: Vec<Vec<PathBuf>> = Vec::new();
    for bucket in buckets(campaign, earlier)? {
        let says_all = bucket.known_as.fingerprints[0].signature.is_some();
        let most = match (says_all, bucket.earlier) {
            (false, _) => most,
            (true, None) => 1,
            (true, Some(_)) => 0,
        };
        let (pending, done): (Vec<_>, Vec<_>) = bucket
            .entries
            .into_iter()
            .partition(BucketEntry::is_pending);
        let left = most.saturating_sub(done.len());
        let mut taken: BTreeMap<(String, VerdictKind), usize> = BTreeMap::new();
        for entry in pending.into_iter().take(left) {
            let of = if bucket.known_as.is_vague() {
                (entry.finding.config.name, entry.finding.verdict.kind)
            } else {
                (String::new(), VerdictKind::Same)
            };
            let round = taken.entry(of).or_insert(done.len());
            if rounds.len() <= *round {
                rounds.resize_with(*round + 1, Vec::new);
            }
            rounds[*round].push(entry.directory);
            *round += 1;
        }
    }
    rounds.retain(|round| !round.is_empty());
    Ok(rounds)
}

/// The findings of a campaign.
pub(crate) fn entries(campaign: &Path) -> Result<Vec<BucketEntry>> {
    let directories = finding::directories(campaign)?;
    directories.into_iter().map(BucketEntry::read).collect()
}

impl BucketEntry {
    pub(crate) fn read(directory: PathBuf) -> Result<BucketEntry> {
        let finding = Finding::read(&directory)?;
        let reduced = Reduced::read(&directory)?;
        let shape = match reduced {
            Some(_) => {
                let path = directory.join(REDUCED).join(reduced_file::PROGRAM);
                let text = fs::read(&path);
                ProgramShape::of(&text.with_context(|| format!("reading {}", path.display()))?)
            }
            None => ProgramShape::default(),
        };
        Ok(BucketEntry {
            fingerprint: Fingerprint::of(&finding, reduced.as_ref(), &shape),
            tokens: reduced.is_some().then_some(shape.tokens),
            finding,
            reduced,
            directory,
        })
    }

    /// Whether it still has to be reduced.
    fn is_pending(&self) -> bool {
        let reduced = self.reduced.as_ref();
        reduced.is_none_or(|reduced| reduced.is_interrupted || !reduced.is_finished)
    }
}
