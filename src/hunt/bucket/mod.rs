//! Which findings are of one defect.
//!
//! Every finding has a [`Fingerprint`], by which it joins a defect that is known from
//! earlier, or a bucket that others of this campaign have made, or begins one. Here findings
//! are read and the result is put in order; `sorting.rs` decides.

mod fingerprint;
mod known;
mod order;
#[cfg(test)]
pub(crate) mod planted;
mod shape;
mod sorting;
mod title;

pub use fingerprint::{FailureClass, Fingerprint};
pub(crate) use fingerprint::{family, place};
pub use known::KnownAs;
pub(crate) use sorting::free_name;
pub(crate) use title::{aborts, base_name, title};

use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{self, Finding, REDUCED, Reduced, reduced_file};
use crate::hunt::reduce::TextSize;
use crate::variant::replay::hash_text;
use anyhow::Result;
use serde::Serialize;
use shape::ProgramShape;
use std::collections::BTreeMap;
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
    /// How many lines that has in its file.
    pub lines: Option<usize>,
    /// The hash of the program that fails, unless the compiler says what is wrong.
    pub program: Option<String>,
}

/// Findings that are assumed to have one cause, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub known_as: KnownAs,
    /// In the words of a compiler's developer; different for every bucket.
    pub title: String,
    /// The number of the earlier defect that it is.
    pub earlier: Option<usize>,
    /// The number of the earlier bucket of unsorted findings that it was a part of.
    pub was_in: Option<usize>,
    pub entries: Vec<BucketEntry>,
}

impl Bucket {
    /// The finding that is shown for all.
    pub fn first(&self) -> &BucketEntry {
        &self.entries[0]
    }
}

/// The findings of a campaign by bucket, and those that cannot be read.
#[derive(Debug)]
pub struct Sorted {
    /// Different defects first, and of one look the one with the smallest program.
    pub buckets: Vec<Bucket>,
    pub damaged: Vec<DamagedFinding>,
}

/// A finding whose files are not all there, or not as they were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedFinding {
    pub id: String,
    pub reason: String,
}

/// Sorts the findings of a campaign.
///
/// # Errors
/// If they cannot be listed.
pub fn buckets(campaign: &Path, earlier: &[KnownAs]) -> Result<Sorted> {
    let (entries, damaged) = entries(campaign)?;
    let mut buckets = sorting::sort(entries, earlier);
    order::different_first(&mut buckets);
    title::make_distinct(&mut buckets);
    Ok(Sorted { buckets, damaged })
}

/// The findings that should be reduced, in rounds: first one of every bucket, then a second
/// one, unless its compiler says what is wrong, and so on. Where nothing is known of defects
/// yet, configs and verdicts stand for buckets. At most `most` findings of one bucket count,
/// including those that are already reduced. Where the compiler says that it is a defect
/// known from earlier, none is needed.
pub fn unreduced(campaign: &Path, most: usize, earlier: &[KnownAs]) -> Result<Vec<Vec<PathBuf>>> {
    let mut rounds: Vec<Vec<PathBuf>> = Vec::new();
    for bucket in buckets(campaign, earlier)?.buckets {
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

/// The findings of a campaign that cannot be read.
///
/// # Errors
/// If they cannot be listed.
pub(crate) fn damaged(campaign: &Path) -> Result<Vec<DamagedFinding>> {
    Ok(entries(campaign)?.1)
}

/// The findings of a campaign; one that is damaged does not hide the others.
fn entries(campaign: &Path) -> Result<(Vec<BucketEntry>, Vec<DamagedFinding>)> {
    let (mut whole, mut damaged) = (Vec::new(), Vec::new());
    for directory in finding::all_directories(campaign)? {
        let name = directory.file_name().unwrap_or_default();
        let id = name.to_string_lossy().into_owned();
        match BucketEntry::read(directory) {
            Ok(entry) => whole.push(entry),
            Err(error) => damaged.push(DamagedFinding {
                id,
                reason: format!("{error:#}"),
            }),
        }
    }
    Ok((whole, damaged))
}

impl BucketEntry {
    /// Reads a finding and what has been made of it. A reduction that is not whole counts as
    /// none: `mestra reduce` makes it anew.
    pub(crate) fn read(directory: PathBuf) -> Result<BucketEntry> {
        let finding = Finding::read(&directory)?;
        let program = finding.program(&directory)?;
        finding.check_files(&directory)?;
        let small = fs::read(directory.join(REDUCED).join(reduced_file::PROGRAM)).ok();
        let reduced = Reduced::read(&directory).ok().flatten();
        let (reduced, small) = reduced.zip(small).unzip();
        let shape = small
            .as_deref()
            .map_or_else(ProgramShape::default, ProgramShape::of);
        let fingerprint = Fingerprint::of(&finding, reduced.as_ref(), &shape);
        Ok(BucketEntry {
            program: fingerprint.signature.is_none().then(|| hash_text(&program)),
            fingerprint,
            tokens: reduced.is_some().then_some(shape.tokens),
            lines: small.as_deref().map(|small| TextSize::of(small).lines),
            finding,
            reduced,
            directory,
        })
    }

    /// Whether it still has to be reduced.
    pub(crate) fn is_pending(&self) -> bool {
        let reduced = self.reduced.as_ref();
        reduced.is_none_or(|reduced| reduced.is_interrupted || !reduced.is_finished)
    }
}
