//! The data of a campaign's report, read from its store and its findings: everything that
//! the page, the JSON file, SARIF and JUnit show.

use crate::hunt::bucket::{Bucket, BucketEntry, DamagedFinding, base_name};
use crate::hunt::campaign::curves::Steps;
use crate::hunt::campaign::damage;
use crate::hunt::campaign::history::DoubtedRun;
use crate::hunt::campaign::kinds::{Chains, KindStatistics};
use crate::hunt::campaign::store::{ACCESSES, Header, Store, TWO_FILES};
use crate::hunt::campaign::totals::Totals;
use crate::hunt::defects::{Defect, Defects, MarkedAs, Novelty, sightings};
use crate::hunt::finding::{
    DoubtKind, Finding, Located, REDUCED, StandingKind, file, reduced_file,
};
use crate::hunt::reduce::laid_out;
use crate::hunt::report::{date, markdown};
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The version of `report.json`.
const FORMAT: u32 = 1;

/// More suspicions than this are only counted.
const MOST_DOUBTS: u32 = 200;

/// A campaign as it is reported.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Changes when a key gets another meaning.
    pub format: u32,
    pub mestra: String,
    /// When this was put together.
    pub date: String,
    /// How long the campaign has worked.
    pub seconds: f64,
    /// The command that began it, if it is known.
    pub command: Option<String>,
    /// Each config with its compiler's version.
    pub configs: Vec<(String, String)>,
    pub trusted: Vec<String>,
    pub totals: Totals,
    /// Seconds of work after which each variant was done, in order.
    pub progress: Vec<f64>,
    /// How many variants each strategy had made by when.
    pub strategies: BTreeMap<String, Steps>,
    /// How many mutations of each kind there were by when.
    pub kinds_over_time: BTreeMap<String, Steps>,
    /// How many buckets there were by when, by the strategy of their first finding.
    pub buckets_over_time: BTreeMap<String, Steps>,
    /// Each kind of mutation: how many were made, and what chains thought of them.
    pub kinds: BTreeMap<String, KindStatistics>,
    /// The chains that searched for variants, if any did.
    pub chains: Option<Chains>,
    /// Mutations that findings need, by kind.
    pub guilty: BTreeMap<String, u64>,
    /// Why suspicions were not confirmed.
    pub dismissed: BTreeMap<DoubtKind, u64>,
    /// The first of these suspicions, one by one.
    pub doubts: Vec<DoubtedRun>,
    /// After how many seconds of work the first finding of each bucket was there, in order.
    pub bucket_seconds: Vec<f64>,
    pub buckets: Vec<ShownBucket>,
    /// Defects that are known and were not found here.
    pub unseen: Vec<ShownDefect>,
    /// Findings that could not be read and are in no bucket.
    pub damaged: Vec<DamagedFinding>,
    /// What is known of all of them from now on.
    #[serde(skip)]
    pub(crate) defects: Defects,
    /// Failures that are kept and are no findings.
    pub suspicions: Vec<ShownSuspicion>,
}

/// A failure that could not be checked, or may be the program's.
#[derive(Clone, Debug, Serialize)]
pub struct ShownSuspicion {
    pub id: String,
    pub config: String,
    pub seed: String,
    pub verdict: String,
    pub standing: Option<StandingKind>,
    /// What is open about it.
    pub reason: String,
    /// What was established all the same.
    pub confirmations: Vec<String>,
}

/// A defect that is known and was not found.
#[derive(Clone, Debug, Serialize)]
pub struct ShownDefect {
    pub name: String,
    pub title: String,
    #[serde(flatten)]
    pub marked: MarkedAs,
    /// Whether somebody has said, or the last retest has shown, that it is over.
    pub is_fixed: bool,
    /// What the last compiler that was tried made of it.
    pub retest: Option<String>,
}

/// A bucket with its smallest finding in full.
#[derive(Clone, Debug, Serialize)]
pub struct ShownBucket {
    /// Stays the same from report to report.
    pub name: String,
    pub title: String,
    /// What it is recognised by.
    pub key: String,
    pub novelty: Novelty,
    #[serde(flatten)]
    pub marked: MarkedAs,
    /// What the last compiler that was tried made of it.
    pub retest: Option<String>,
    /// The flags that fail.
    pub levels: Vec<String>,
    /// The kinds of mutations that the failure needs.
    pub kinds: Vec<String>,
    /// Each version that was tried, and whether it fails.
    pub versions: Vec<(String, bool)>,
    /// The size of the smallest program.
    pub tokens: Option<usize>,
    pub family: String,
    pub verdict: String,
    pub is_known: bool,
    pub findings: Vec<ShownFinding>,
    /// The program of the first finding, as small as it became.
    pub program: String,
    /// The report of the first finding, if it was reduced.
    pub report: Option<String>,
    /// How the first finding's variant differs from its seed.
    pub diff: String,
    /// What the program should do; empty if the compiler fails.
    pub expected: String,
    /// What the program does, or what the compiler said.
    pub actual: String,
}

/// A finding of a bucket.
#[derive(Clone, Debug, Serialize)]
pub struct ShownFinding {
    pub id: String,
    pub config: String,
    pub seed: String,
    pub signature: String,
    /// Of the small program and the one that was found, as they are in their files.
    pub lines: Option<usize>,
    pub lines_before: Option<usize>,
    pub tokens: Option<usize>,
    pub tokens_before: Option<usize>,
}

impl Figures {
    /// All that is known of a campaign.
    ///
    /// # Errors
    /// If its store, or what is known of defects, cannot be read.
    pub fn read(campaign: &Path, known: &[PathBuf]) -> Result<Figures> {
        Figures::gather(campaign, known).map_err(|error| damage::in_words(campaign, error))
    }

    fn gather(campaign: &Path, known: &[PathBuf]) -> Result<Figures> {
        let (store, header) = Store::open(campaign)?;
        let sighted = sightings(campaign, known)?;
        let mut guilty = BTreeMap::new();
        let reduced = sighted.seen.iter().flat_map(|(bucket, _)| &bucket.entries);
        for shrunk in reduced.filter_map(|entry| entry.reduced.as_ref()?.shrunk.as_ref()) {
            for (kind, count) in &shrunk.kinds {
                *guilty.entry(kind.clone()).or_default() += *count as u64;
            }
        }
        let Header {
            mestra,
            configs,
            trusted,
            flag_pools,
            two_files,
            volatile,
            ..
        } = header;
        let drawn = flag_pools.into_iter().map(|pool| pool.config);
        let divided = two_files.then(|| (TWO_FILES.to_owned(), "any two of these".to_owned()));
        let recorded = volatile.then(|| (ACCESSES.to_owned(), "any of these".to_owned()));
        let seconds = store.finding_seconds()?;
        let first = |bucket: &Bucket| {
            let entries = bucket.entries.iter();
            let times = entries.filter_map(|entry| {
                let second = seconds.get(&entry.finding.id)?;
                Some((*second, entry.finding.clone()))
            });
            times.reduce(|one, other| if other.0 < one.0 { other } else { one })
        };
        let firsts = sighted.seen.iter().filter_map(|(bucket, _)| first(bucket));
        let mut firsts: Vec<(f64, Finding)> = firsts.collect();
        firsts.sort_by(|one, other| one.0.total_cmp(&other.0));
        let bucket_seconds = firsts.iter().map(|(second, _)| *second).collect();
        let mut buckets_over_time: BTreeMap<String, Steps> = BTreeMap::new();
        for (second, finding) in &firsts {
            let maker = match finding.variant {
                None => "seeds".to_owned(),
                Some(variant) => store
                    .strategy_of(finding.seed.number, variant)?
                    .unwrap_or_else(|| "unknown".to_owned()),
            };
            let steps = buckets_over_time.entry(maker).or_default();
            let count = steps.len() as u64 + 1;
            steps.push((*second, count));
        }
        Ok(Figures {
            format: FORMAT,
            date: date::now(),
            seconds: store.worked()?.as_secs_f64(),
            command: store.command()?,
            doubts: store.doubted_runs(MOST_DOUBTS)?,
            bucket_seconds,
            mestra,
            configs: configs
                .into_iter()
                .chain(drawn)
                .map(|c| (c.name, c.version))
                .chain(divided)
                .chain(recorded)
                .collect(),
            trusted,
            totals: store.totals()?,
            progress: store.progress()?,
            strategies: store.strategies_over_time()?,
            kinds_over_time: store.kinds_over_time()?,
            buckets_over_time,
            kinds: store.kinds()?,
            chains: store.chains()?,
            dismissed: store.dismissals()?,
            guilty,
            buckets: sighted
                .seen
                .iter()
                .map(|(bucket, defect)| shown(bucket, defect))
                .collect::<Result<_>>()?,
            unseen: sighted.unseen.iter().map(ShownDefect::of).collect(),
            damaged: sighted.damaged.clone(),
            defects: sighted.into_defects(),
            suspicions: store.suspicions()?.iter().map(ShownSuspicion::of).collect(),
        })
    }

    /// The buckets that somebody should look at: nobody knows them, or they are back.
    pub(crate) fn new_buckets(&self) -> impl Iterator<Item = &ShownBucket> {
        self.buckets
            .iter()
            .filter(|bucket| bucket.novelty.is_news())
    }
}

impl ShownDefect {
    fn of(defect: &Defect) -> ShownDefect {
        ShownDefect {
            name: defect.known_as.name.clone(),
            title: defect.title.clone(),
            marked: defect.marked.clone(),
            is_fixed: defect.is_fixed(),
            retest: last_retest(defect),
        }
    }
}

/// What the last compiler that was tried made of a defect, in words.
fn last_retest(defect: &Defect) -> Option<String> {
    let retest = defect.last_retest()?;
    Some(format!("{}: {}", retest.version, retest.outcome.words()))
}

impl ShownSuspicion {
    fn of(finding: &Finding) -> ShownSuspicion {
        let confirmations = finding.confirmations.iter();
        ShownSuspicion {
            id: finding.id.clone(),
            config: finding.config.name.clone(),
            seed: markdown::origin(finding).to_owned(),
            verdict: finding.verdict.to_string(),
            standing: finding.standing.kind(),
            reason: finding.standing.to_string(),
            confirmations: confirmations.map(ToString::to_string).collect(),
        }
    }
}

fn shown(bucket: &Bucket, defect: &Defect) -> Result<ShownBucket> {
    let first = bucket.first();
    let finding = &first.finding;
    let text = |path: PathBuf| -> Result<String> {
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let reduced = first.directory.join(REDUCED);
    let seed = text(first.directory.join(file::SEED))?;
    let (program, report) = match &first.reduced {
        Some(_) => (
            text(reduced.join(reduced_file::PROGRAM))?,
            text(reduced.join(reduced_file::REPORT)).ok(),
        ),
        None => {
            let program = finding.program(&first.directory)?;
            (String::from_utf8_lossy(&program).into_owned(), None)
        }
    };
    // The variant with the mutations that matter says more than the whole one.
    let shrunk = reduced.join(reduced_file::SHRUNK);
    let variant = match (finding.variant, shrunk.is_file()) {
        (None, _) => None,
        (Some(_), true) => Some(text(shrunk)?),
        (Some(_), false) => Some(text(first.directory.join(file::VARIANT))?),
    };
    let of = first
        .reduced
        .as_ref()
        .map_or(finding, |small| &small.finding);
    let is_of_a_run = of.verdict.kind.is_of_a_run();
    let shown = |behaviours: &[crate::lab::Behaviour]| -> String {
        behaviours.iter().map(ToString::to_string).collect()
    };
    Ok(ShownBucket {
        name: defect.known_as.name.clone(),
        title: bucket.title.clone(),
        key: first.fingerprint.to_string(),
        novelty: defect.novelty(),
        marked: defect.marked.clone(),
        retest: last_retest(defect),
        levels: first.fingerprint.flags.clone(),
        kinds: first.fingerprint.mutations.clone(),
        versions: versions(first),
        tokens: first.tokens,
        family: first.fingerprint.family.clone(),
        verdict: finding.verdict.kind.name().to_owned(),
        is_known: !defect.novelty().is_news(),
        findings: bucket
            .entries
            .iter()
            .map(|entry| ShownFinding {
                id: entry.finding.id.clone(),
                config: entry.finding.config.name.clone(),
                seed: markdown::origin(&entry.finding).to_owned(),
                signature: entry.finding.verdict.signature.clone(),
                lines: entry.lines,
                lines_before: entry.reduced.as_ref().map(|small| small.lines_before),
                tokens: entry.tokens,
                tokens_before: entry.reduced.as_ref().map(|small| small.tokens_before),
            })
            .collect(),
        program,
        report,
        diff: variant.map_or_else(String::new, |variant| difference(&seed, &variant)),
        expected: if is_of_a_run {
            shown(&of.expected)
        } else {
            String::new()
        },
        actual: if is_of_a_run {
            shown(&of.actual)
        } else {
            markdown::said(of)
        },
    })
}

/// The version numbers that were tried, and which of them fail.
fn versions(entry: &BucketEntry) -> Vec<(String, bool)> {
    let located = entry.reduced.iter().map(|reduced| &reduced.located);
    let tried = located.flat_map(Located::versions);
    let tried = tried.map(|(name, _, fails)| (base_name(name).to_owned(), fails));
    tried.collect()
}

/// The lines in which two texts differ once they are laid out alike, with some around them:
/// what a variant inserts is one line, which nobody can read.
fn difference(one: &str, other: &str) -> String {
    let lines = |text: &str| {
        let laid_out = laid_out(text.as_bytes());
        String::from_utf8_lossy(&laid_out).into_owned()
    };
    let (one, other) = (lines(one), lines(other));
    similar::TextDiff::from_lines(&one, &other)
        .unified_diff()
        .context_radius(2)
        .header("seed.c", "variant.c")
        .to_string()
}
