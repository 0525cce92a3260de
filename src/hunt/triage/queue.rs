//! Which findings are reduced, and one after the other.

use super::event::ReductionEvent;
use super::{Case, TriageOptions, triage};
use crate::hunt::bucket;
use crate::hunt::campaign::store;
use crate::hunt::finding::Finding;
use crate::hunt::report::{self, Figures};
use crate::lab::Lab;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// How many findings of one config and verdict are reduced at the end of a campaign.
/// A defect that every other variant meets would take days.
const MOST_ALIKE: usize = 20;

/// What came of working on findings.
#[derive(Debug, Default)]
pub(crate) struct Reductions {
    /// How many failures were seen again.
    pub seen: usize,
    /// Why the first finding that could not be worked on could not be.
    pub failed: Option<anyhow::Error>,
}

/// A campaign after its findings were reduced.
#[derive(Debug)]
pub(crate) struct FollowUp {
    pub figures: Figures,
    /// How many findings are left that nobody has reduced.
    pub unreduced: usize,
}

/// The findings that were named; a campaign stands for those that are not reduced.
///
/// # Errors
/// If one of them is not a finding: better now than after an hour's work on the others.
pub(crate) fn select(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut findings = Vec::new();
    for path in named {
        if path.join(store::FILE).is_file() {
            findings.extend(bucket::unreduced(path, usize::MAX)?);
        } else {
            Finding::read(path)?;
            findings.push(path.clone());
        }
    }
    Ok(findings)
}

/// Reduces what a campaign has found and writes its report.
pub(crate) fn follow_up(
    lab: &Lab,
    campaign: &Path,
    known: &[PathBuf],
    options: &TriageOptions<'_>,
) -> Result<FollowUp> {
    reduce_each(lab, &bucket::unreduced(campaign, MOST_ALIKE)?, options)?;
    Ok(FollowUp {
        figures: report::make(campaign, known, campaign)?,
        unreduced: bucket::unreduced(campaign, usize::MAX)?.len(),
    })
}

/// Works on one finding after the other. One that cannot be worked on does not hold up
/// the others.
pub(crate) fn reduce_each(
    lab: &Lab,
    findings: &[PathBuf],
    options: &TriageOptions<'_>,
) -> Result<Reductions> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()
        .context("starting threads")?;
    let mut reductions = Reductions::default();
    for directory in findings {
        if (options.should_stop)() {
            break;
        }
        let worked = pool.install(|| -> Result<_> {
            let case = Case::open(lab.clone(), directory)?;
            options.observer.observe(&ReductionEvent::Began {
                directory: directory.clone(),
                verdict: case.finding.verdict.clone(),
            })?;
            triage(&case, options)
        });
        let directory = directory.clone();
        let event = match worked {
            Ok(Ok(reduced)) => {
                reductions.seen += 1;
                ReductionEvent::Done {
                    directory,
                    reduced: Box::new(reduced),
                }
            }
            Ok(Err(unseen)) => ReductionEvent::NotReproduced {
                directory,
                script: unseen.script,
            },
            Err(error) => ReductionEvent::Failed { directory, error },
        };
        options.observer.observe(&event)?;
        if let ReductionEvent::Failed { error, .. } = event {
            reductions.failed.get_or_insert(error);
        }
    }
    Ok(reductions)
}
