//! Which findings are reduced, and how their time is shared: as many at a time as there are
//! cores, in rounds of one finding of each bucket, each with an equal share of what is left.

use super::event::ReductionEvent;
use super::{Case, TriageOptions, triage};
use crate::hunt::bucket;
use crate::hunt::campaign::store;
use crate::hunt::defects;
use crate::hunt::finding::Finding;
use crate::hunt::report::{self, Figures};
use crate::lab::Lab;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How many findings of one bucket are reduced at the end of a campaign.
/// A defect that every other variant meets would take days.
const MOST_ALIKE: usize = 20;

/// No finding takes more than this part of the time while there are others.
const ROUNDS: u32 = 4;

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

/// With less time than this, nothing new is begun.
const LEAST_TIME: Duration = Duration::from_secs(3);

/// The findings that were named, in rounds; a campaign stands for those that are not reduced
/// to the end, at most so many of a bucket, without crashes that earlier campaigns know.
///
/// # Errors
/// If one of them is not a finding: better now than after an hour's work on the others.
pub(crate) fn select(
    named: &[PathBuf],
    known: &[PathBuf],
    alike: Option<usize>,
) -> Result<Vec<Vec<PathBuf>>> {
    let known = defects::known_to(known)?;
    let most = alike.unwrap_or(usize::MAX);
    let mut rounds: Vec<Vec<PathBuf>> = Vec::new();
    let mut directly = Vec::new();
    for path in named {
        if is_campaign(path) {
            rounds.extend(bucket::unreduced(path, most, &known)?);
        } else {
            Finding::read(path)?;
            directly.push(path.clone());
        }
    }
    if !directly.is_empty() {
        rounds.insert(0, directly);
    }
    Ok(rounds)
}

/// Whether a directory stands for all findings in it.
pub(crate) fn is_campaign(path: &Path) -> bool {
    path.join(store::FILE).is_file()
}

/// The campaign that a directory is, or that it is a finding of.
pub(crate) fn campaign_of(named: &Path) -> Option<&Path> {
    if is_campaign(named) {
        return Some(named);
    }
    let campaign = named.parent()?.parent()?;
    is_campaign(campaign).then_some(campaign)
}

/// Reduces what a campaign has found and writes its report.
pub(crate) fn follow_up(
    lab: &Lab,
    campaign: &Path,
    known: &[PathBuf],
    deadline: Instant,
    options: &TriageOptions<'_>,
) -> Result<FollowUp> {
    let earlier = defects::known_to(known)?;
    defects::remember_findings(campaign)?;
    let rounds = bucket::unreduced(campaign, MOST_ALIKE, &earlier)?;
    reduce_each(lab, &rounds, Some(deadline), options)?;
    let left = bucket::unreduced(campaign, usize::MAX, &earlier)?;
    Ok(FollowUp {
        figures: report::make(campaign, known, campaign)?,
        unreduced: left.iter().map(Vec::len).sum(),
    })
}

/// Works on findings, several at a time, until all are done or time is up. One that cannot
/// be worked on does not hold up the others.
pub(crate) fn reduce_each(
    lab: &Lab,
    rounds: &[Vec<PathBuf>],
    deadline: Option<Instant>,
    options: &TriageOptions<'_>,
) -> Result<Reductions> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = options.jobs.unwrap_or(cores);
    let findings: usize = rounds.iter().map(Vec::len).sum();
    options.observer.observe(&ReductionEvent::Planned {
        findings,
        limit: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
    })?;
    let workers = jobs.min(findings).max(1);
    let queue = Queue {
        rounds,
        next: Mutex::default(),
        longest_overrun: Mutex::default(),
        deadline,
        workers,
    };
    let reductions = Mutex::new(Reductions::default());
    // Several small programs at a time make better use of the cores than many tests of one.
    let work = || -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(jobs.div_ceil(workers))
            .build()
            .context("starting threads")?;
        while !(options.should_stop)()
            && let Some((directory, time)) = queue.take(options.time)
        {
            let options = TriageOptions { time, ..*options };
            let began = Instant::now();
            let event = pool.install(|| reduce_one(lab, directory, &options));
            queue.learn(began.elapsed().saturating_sub(time));
            options.observer.observe(&event)?;
            let mut reductions = reductions.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                ReductionEvent::Done { .. } => reductions.seen += 1,
                ReductionEvent::Failed { error, .. } => {
                    reductions.failed.get_or_insert(error);
                }
                _ => {}
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| worker.join());
        let ended =
            ended.map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        ended.collect::<Result<()>>()
    })?;
    options.observer.observe(&ReductionEvent::Ended)?;
    Ok(reductions
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner))
}

/// The findings that are left to do.
struct Queue<'q> {
    rounds: &'q [Vec<PathBuf>],
    /// The round and the finding in it that come next.
    next: Mutex<(usize, usize)>,
    /// By how much the slowest so far was longer than its share: what was begun must be
    /// finished, which takes long on a machine that has other work to do.
    longest_overrun: Mutex<Duration>,
    deadline: Option<Instant>,
    workers: usize,
}

impl<'q> Queue<'q> {
    /// Notes by how much one was longer than its share, for those that come.
    fn learn(&self, overrun: Duration) {
        let longest = self.longest_overrun.lock();
        let mut longest = longest.unwrap_or_else(PoisonError::into_inner);
        *longest = overrun.max(*longest);
    }

    /// The next finding with its share of the time that is left, which is at most `most`.
    /// What one does not need is for the others of its round.
    fn take(&self, most: Duration) -> Option<(&'q Path, Duration)> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (round, at) = *next;
        let findings = self.rounds.get(round)?;
        let time = match self.deadline {
            None => most,
            Some(deadline) => {
                let overrun = self.longest_overrun.lock();
                let overrun = *overrun.unwrap_or_else(PoisonError::into_inner);
                let left = deadline.saturating_duration_since(Instant::now());
                let left = left.saturating_sub(overrun);
                // Whoever wants less than that has at least one begun.
                if left < LEAST_TIME && *next != (0, 0) {
                    return None;
                }
                // The first of many rounds leaves something for the others.
                let others: usize = self.rounds[round + 1..].iter().map(Vec::len).sum();
                let own = findings.len() - at;
                let turns = |findings: usize| findings.div_ceil(self.workers) as u32;
                (left / turns(own).max(turns(own + others).min(ROUNDS))).min(most)
            }
        };
        *next = if at + 1 < findings.len() {
            (round, at + 1)
        } else {
            (round + 1, 0)
        };
        Some((&findings[at], time))
    }
}

/// What came of one finding.
fn reduce_one(lab: &Lab, directory: &Path, options: &TriageOptions<'_>) -> ReductionEvent {
    let work = || -> Result<_> {
        let case = Case::open(lab.clone(), directory)?;
        options.observer.observe(&ReductionEvent::Began {
            directory: directory.to_owned(),
            verdict: case.finding.verdict.clone(),
        })?;
        triage(&case, options)
    };
    let worked = work();
    let directory = directory.to_owned();
    match worked {
        Ok(Ok(reduced)) => ReductionEvent::Done {
            directory,
            reduced: Box::new(reduced),
        },
        Ok(Err(unseen)) => ReductionEvent::NotReproduced {
            directory,
            script: unseen.script,
        },
        Err(error) => ReductionEvent::Failed { directory, error },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(rounds: &[Vec<PathBuf>], seconds: Option<u64>, workers: usize) -> Queue<'_> {
        Queue {
            rounds,
            next: Mutex::default(),
            longest_overrun: Mutex::default(),
            deadline: seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
            workers,
        }
    }

    #[test]
    fn findings_of_a_round_share_the_time_that_is_left() {
        let rounds = [vec!["a".into(), "b".into(), "c".into()], vec!["d".into()]];
        let most = Duration::from_secs(1000);
        let taken = |seconds, workers| -> Vec<(String, u64)> {
            let queue = queue(&rounds, seconds, workers);
            let each = std::iter::from_fn(|| queue.take(most));
            let shown = each.map(|(path, time)| (path.display().to_string(), time));
            shown
                .map(|(name, time)| (name, time.as_secs_f64().round() as u64))
                .collect()
        };
        let of = |times: [u64; 4]| -> Vec<(String, u64)> {
            let names = ["a", "b", "c", "d"].map(String::from);
            names.into_iter().zip(times).collect()
        };
        // Nobody has used any of it so far.
        assert_eq!(taken(Some(60), 1), of([15, 20, 30, 60]));
        assert_eq!(taken(Some(60), 2), of([30, 30, 60, 60]));
        assert_eq!(taken(None, 1), of([1000; 4]));
        assert_eq!(
            taken(Some(1), 1).len(),
            1,
            "there is no time left for others"
        );
    }

    #[test]
    fn what_one_has_overrun_is_kept_for_the_others() {
        let rounds = [vec!["a".into(), "b".into(), "c".into()]];
        let most = Duration::from_secs(1000);
        let queue = queue(&rounds, Some(60), 1);
        let share = || {
            queue
                .take(most)
                .map(|(_, time)| time.as_secs_f64().round() as u64)
        };
        assert_eq!(share(), Some(20));
        queue.learn(Duration::from_secs(10));
        queue.learn(Duration::from_secs(4));
        assert_eq!(share(), Some(25));
        queue.learn(Duration::from_secs(58));
        assert_eq!(share(), None, "it would end too late");
    }
}
