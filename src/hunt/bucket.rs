//! Which findings are of one defect.
//!
//! A compiler that fails is known by the signature of its message. Wrong code looks
//! different in every program, so it is known by where it was located, by the flags
//! it fails with and by the kinds of mutations that bring it about; so is a compiler
//! that hangs or crashes without a word. What has not been reduced is known by its
//! verdict and config only.

use crate::hunt::campaign::crash::is_mute;
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{self, FINDINGS, Finding, Reduced};
use crate::lab::toolchain::{Compiler, Family};
use anyhow::{Result, ensure};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A finding with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub directory: PathBuf,
    pub finding: Finding,
    pub reduced: Option<Reduced>,
}

/// Findings that are taken to be of one defect, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub key: Key,
    /// Whether an earlier campaign has found it.
    pub is_known: bool,
    pub entries: Vec<Entry>,
}

/// What the findings of a bucket have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    /// The compiler, whatever its version.
    pub family: String,
    pub verdict: String,
    /// Of a compiler that fails, its signature; where the fault was located, if that
    /// says too little.
    pub place: String,
    /// The flags that fail; empty where the signature says it all.
    pub flags: Vec<String>,
    /// The kinds of mutations that are needed; empty where the signature says it all.
    pub mutations: Vec<String>,
}

impl Key {
    pub fn of(finding: &Finding, reduced: Option<&Reduced>) -> Key {
        let compiler = &finding.config.compiler;
        let family = match compiler.family {
            Family::Gcc => "gcc".to_owned(),
            Family::Clang => "clang".to_owned(),
            Family::Tcc => "tcc".to_owned(),
            Family::Other => compiler.name.clone(),
        };
        let mut key = Key {
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

/// The findings of a campaign with what became of them, by bucket: new ones first,
/// then those with the smallest program.
///
/// # Errors
/// If a finding, or one of the earlier campaigns, cannot be read.
pub fn buckets(campaign: &Path, known: &[PathBuf]) -> Result<Vec<Bucket>> {
    let mut earlier = BTreeSet::new();
    for campaign in known {
        ensure!(
            campaign.join(FINDINGS).is_dir(),
            "{} holds no findings of an earlier campaign",
            campaign.display()
        );
        let entries = entries(campaign)?;
        earlier.extend(entries.iter().map(Entry::key));
    }
    let mut by_key: BTreeMap<Key, Vec<Entry>> = BTreeMap::new();
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
        let lines = bucket.entries.first().map(Entry::lines);
        (bucket.is_known, lines, bucket.key.clone())
    });
    Ok(buckets)
}

/// The findings that should be reduced: of compilers that fail in one way, the first
/// is enough if their signature says it all. Of one config and verdict no more than
/// `most` count, with those that are reduced already.
pub fn unreduced(campaign: &Path, most: usize) -> Result<Vec<PathBuf>> {
    let mut seen = BTreeSet::new();
    let mut alike: BTreeMap<(String, VerdictKind), usize> = BTreeMap::new();
    let mut entries = entries(campaign)?;
    entries.sort_by_key(Entry::is_pending);
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

fn entries(campaign: &Path) -> Result<Vec<Entry>> {
    let directories = finding::directories(campaign)?;
    let read = directories.into_iter().map(|directory| {
        Ok(Entry {
            finding: Finding::read(&directory)?,
            reduced: Reduced::read(&directory)?,
            directory,
        })
    });
    read.collect()
}

impl Entry {
    pub fn key(&self) -> Key {
        Key::of(&self.finding, self.reduced.as_ref())
    }

    /// Whether nobody has reduced it to the end.
    fn is_pending(&self) -> bool {
        let reduced = self.reduced.as_ref();
        reduced.is_none_or(|reduced| reduced.is_interrupted)
    }

    /// How small its program became; what was not reduced comes last.
    fn lines(&self) -> usize {
        self.reduced
            .as_ref()
            .map_or(usize::MAX, |reduced| reduced.lines)
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.family, self.verdict)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        if !self.flags.is_empty() {
            write!(f, " ({})", self.flags.join(", "))?;
        }
        match self.mutations.is_empty() {
            true => Ok(()),
            false => write!(f, " by {}", self.mutations.join(" + ")),
        }
    }
}
