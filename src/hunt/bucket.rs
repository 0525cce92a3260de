//! Which findings have the same cause.
//!
//! A compiler that fails is recognised by the signature of its message. Wrong code looks
//! different in every program, so it is recognised by where it was located, by the flags
//! it fails with and by the kinds of mutations that trigger it; so is a compiler that
//! hangs or crashes without a message. A finding that is not reduced is recognised only
//! by its verdict and config.

use crate::hunt::campaign::crash::is_mute;
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{self, FINDINGS, Finding, Reduced};
use crate::lab::toolchain::{Compiler, Family};
use anyhow::{Result, ensure};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A finding with its reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketEntry {
    pub directory: PathBuf,
    pub finding: Finding,
    pub reduced: Option<Reduced>,
}

/// Findings that are assumed to have one cause, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub key: BucketKey,
    /// Whether an earlier campaign has found it.
    pub is_known: bool,
    pub entries: Vec<BucketEntry>,
}

/// What the findings of a bucket have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct BucketKey {
    /// The compiler, whatever its version.
    pub family: String,
    pub verdict: String,
    /// The signature of a compiler that fails; where the fault was located if the
    /// signature says too little.
    pub place: String,
    /// The flags that fail; empty if the signature is enough.
    pub flags: Vec<String>,
    /// The kinds of mutations that are needed; empty if the signature is enough.
    pub mutations: Vec<String>,
}

impl BucketKey {
    pub(crate) fn of(finding: &Finding, reduced: Option<&Reduced>) -> BucketKey {
        let compiler = &finding.config.compiler;
        let family = match compiler.family {
            Family::Gcc => "gcc".to_owned(),
            Family::Clang => "clang".to_owned(),
            Family::Tcc => "tcc".to_owned(),
            Family::Other => compiler.name.clone(),
        };
        let mut key = BucketKey {
            family,
            verdict: finding.verdict.kind.name().to_owned(),
            place: String::new(),
            flags: vec![],
            mutations: vec![],
        };
        let is_of_a_run = finding.verdict.kind.is_of_a_run();
        let mut place = Vec::new();
        if !is_of_a_run {
            place.push(finding.verdict.signature.clone());
        }
        if is_of_a_run || is_mute(&finding.verdict) {
            match reduced {
                Some(reduced) => {
                    let located = &reduced.located;
                    place.extend(located.pass.as_ref().map(|pass| known_as(compiler, pass)));
                    let flags = located.failing_flags(&compiler.name);
                    key.flags = flags.into_iter().map(str::to_owned).collect();
                    let kinds = reduced.shrunk.iter().flat_map(|shrunk| shrunk.kinds.keys());
                    key.mutations = kinds.cloned().collect();
                }
                None => {
                    place.push("not reduced".into());
                    key.flags = vec![finding.config.flags.join(" ")];
                }
            }
        }
        key.place = place.join(", ");
        key
    }
}

/// A pass by one name in all versions: what clang 19 calls `EarlyCSEPass` is
/// `early-cse` in clang 22.
fn known_as(compiler: &Compiler, pass: &str) -> String {
    if compiler.family != Family::Clang {
        return pass.to_owned();
    }
    let name = pass.to_lowercase().replace('-', "");
    name.strip_suffix("pass").unwrap_or(&name).to_owned()
}

/// The findings of a campaign with their reductions, by bucket: new ones first,
/// then those with the smallest program.
///
/// # Errors
/// If a finding, or one of the earlier campaigns, cannot be read.
pub fn buckets(campaign: &Path, known: &[PathBuf]) -> Result<Vec<Bucket>> {
    let mut earlier = BTreeSet::new();
    for campaign in known {
        ensure!(
            campaign.join(FINDINGS).is_dir(),
            "{} contains no findings of an earlier campaign",
            campaign.display()
        );
        let entries = entries(campaign)?;
        earlier.extend(entries.iter().map(BucketEntry::key));
    }
    let mut by_key: BTreeMap<BucketKey, Vec<BucketEntry>> = BTreeMap::new();
    for entry in entries(campaign)? {
        by_key.entry(entry.key()).or_default().push(entry);
    }
    let mut buckets: Vec<Bucket> = by_key
        .into_iter()
        .map(|(key, mut entries)| {
            entries.sort_by_cached_key(|entry| (entry.lines(), entry.finding.id.clone()));
            Bucket {
                is_known: earlier.contains(&key),
                key,
                entries,
            }
        })
        .collect();
    buckets.sort_by_cached_key(|bucket| {
        let lines = bucket.entries.first().map(BucketEntry::lines);
        (bucket.is_known, lines, bucket.key.clone())
    });
    Ok(buckets)
}

/// The findings that should be reduced: of compilers that fail with the same signature,
/// the first is enough if the signature is telling. At most `most` findings of one config
/// and verdict count, including those that are already reduced.
pub fn unreduced(campaign: &Path, most: usize) -> Result<Vec<PathBuf>> {
    let mut seen = BTreeSet::new();
    let mut alike: BTreeMap<(String, VerdictKind), usize> = BTreeMap::new();
    let mut entries = entries(campaign)?;
    entries.sort_by_key(BucketEntry::is_pending);
    let wanted = entries.into_iter().filter(|entry| {
        let is_first = seen.insert(entry.key());
        let verdict = &entry.finding.verdict;
        let says_little = verdict.kind.is_of_a_run() || is_mute(verdict);
        let of = (entry.finding.config.name.clone(), verdict.kind);
        let alike = alike.entry(of).or_default();
        let is_wanted = says_little || is_first;
        *alike += usize::from(is_wanted);
        entry.is_pending() && is_wanted && *alike <= most
    });
    Ok(wanted.map(|entry| entry.directory).collect())
}

fn entries(campaign: &Path) -> Result<Vec<BucketEntry>> {
    let directories = finding::directories(campaign)?;
    let read = directories.into_iter().map(|directory| {
        Ok(BucketEntry {
            finding: Finding::read(&directory)?,
            reduced: Reduced::read(&directory)?,
            directory,
        })
    });
    read.collect()
}

impl BucketEntry {
    pub(crate) fn key(&self) -> BucketKey {
        BucketKey::of(&self.finding, self.reduced.as_ref())
    }

    /// Whether it still has to be reduced.
    fn is_pending(&self) -> bool {
        let reduced = self.reduced.as_ref();
        reduced.is_none_or(|reduced| reduced.is_interrupted)
    }

    /// The size of its reduced program; findings that are not reduced come last.
    fn lines(&self) -> usize {
        self.reduced
            .as_ref()
            .map_or(usize::MAX, |reduced| reduced.lines)
    }
}

impl std::fmt::Display for BucketKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.family, self.verdict)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        if !self.flags.is_empty() {
            write!(f, " ({})", self.flags.join(", "))?;
        }
        if self.mutations.is_empty() {
            Ok(())
        } else {
            write!(f, " by {}", self.mutations.join(" + "))
        }
    }
}
