//! From a finding to a bug report: the record is shrunk, the text reduced, the pass at
//! fault located. Everything goes into a directory `reduced/` in that of the
//! finding, which appears whole. A reduction goes on from the one that is there, so it
//! only ever gets better:
//!
//! | file | content |
//! |---|---|
//! | `reduction.json` | [`Reduced`] |
//! | `reduced.c` | the small program |
//! | `units.c` | the same as two files in one, if it has to be compiled as two |
//! | `shrunk.c`, `shrunk.json` | the variant with the mutations that matter, and its record |
//! | `interesting.sh` | the test that the small program passes |
//! | `repro.sh` | reproduces the failure; needs no other file |
//! | `report.md` | all that is known, for people |
//! | `filing.txt` | the same in the form of the compiler's bug tracker |

mod case;
mod cvise;
mod earlier;
mod event;
mod files;
mod flags;
mod format;
pub(crate) mod locate;
mod oracle;
mod own;
mod queue;
mod script;
mod small;
mod write;

pub use case::Case;
pub use event::ReductionEvent;
pub(crate) use oracle::Oracle;
pub(crate) use queue::{
    FollowUp, Reductions, campaign_of, follow_up, is_campaign, reduce_each, select,
};

use crate::error::SeedRefused;
use crate::hunt::finding::{Located, Reduced, ShrunkSummary, reduced_file};
use crate::hunt::reduce::TextSize;
use crate::lab::toolchain::{Compiler, Config};
use crate::lab::{Deadline, Expectation, Stage};
use crate::source::program::lower;
use crate::variant::mutation::{Mutation, Prover};
use crate::variant::observer::Observer;
use crate::variant::profile::{ProfileOptions, Profiler};
use crate::variant::shrink::{Shrinker, Shrunk};
use anyhow::Result;
use earlier::Earlier;
use locate::Question;
use small::{Small, Smaller};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use write::{new_directory, small_finding, write};

/// How a finding is worked on.
#[derive(Clone, Copy)]
pub struct TriageOptions<'s> {
    /// How long one finding may take, from its first test to its report.
    pub time: Duration,
    /// Whether C-Vise or C-Reduce may be used.
    pub with_cvise: bool,
    /// The number of threads; that of cores if `None`.
    pub jobs: Option<usize>,
    /// Asked between tests: whether the user wants to stop.
    pub should_stop: &'s (dyn Fn() -> bool + Sync),
    pub observer: &'s dyn Observer<ReductionEvent>,
}

impl std::fmt::Debug for TriageOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("TriageOptions");
        shown.field("time", &self.time).finish_non_exhaustive()
    }
}

/// The failure is not reproducible any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreproducible {
    /// The script that should reproduce the failure by hand.
    pub script: String,
}

/// Where the work on a text begins.
struct Start {
    case: Case,
    shrunk: Option<Shrunk>,
    summary: Option<ShrunkSummary>,
    flag_tests: usize,
}

impl Start {
    fn text(&self) -> &[u8] {
        match &self.shrunk {
            // What was reduced before is smaller than its variant.
            Some(shrunk) if self.case.record.is_some() => &shrunk.text,
            _ => &self.case.program,
        }
    }
}

/// Does all of the work on the current rayon pool and writes `reduced/`. What an earlier
/// reduction has reached is where the work begins.
pub fn triage(case: &Case, options: &TriageOptions<'_>) -> Result<Result<Reduced, Unreproducible>> {
    let began = Instant::now();
    let deadline = Deadline::default();
    let case = &Case {
        lab: case.lab.with_deadline(&deadline),
        ..case.clone()
    };
    // Fails early if the result could not be written.
    new_directory(case)?;
    let stage = case.stage()?;
    let earlier = Earlier::find(case)?;
    if earlier.is_none() && !case.fails_as_found(&stage, &case.program)? {
        return Ok(Err(Unreproducible {
            script: case.script()?,
        }));
    }
    // At the end it is seen fail once more, as found and laid out: that takes about as long as
    // it did just now, which on a busy machine is long.
    let for_the_end = began.elapsed() * LAST_CHECKS;
    let time = options.time.saturating_sub(for_the_end);
    let end = began + time;
    // The rest is for locating the fault in what is small by then.
    let text_end = began + time.mul_f64(FOR_TEXT);
    let start = match &earlier {
        Some(earlier) => go_on(earlier),
        None => begin(case, &stage, (&deadline, text_end), options)?,
    };
    let smaller = Smaller {
        case: &start.case,
        stage: &stage,
        options,
        end: text_end,
        deadline: &deadline,
    };
    let mut small = smaller.reduce(start.text())?;
    let should_stop = || (options.should_stop)() || Instant::now() >= end;
    // What the large program needed, the small one may not.
    let (fewer, more_tests) =
        with_fewer_flags(&start.case, &small.text, &small.expected, &should_stop)?;
    if fewer.finding.config != start.case.finding.config {
        let oracle = Oracle::new(&fewer, &stage, start.text())?;
        small.test_script = oracle.script(&small.text, reduced_file::PROGRAM);
    }
    lay_out(&fewer, &stage, &mut small)?;
    let found = &case.finding.config;
    let tests = start.flag_tests + more_tests;
    let flags = flags::summary(found, &fewer.finding.config, tests);
    if let Some(flags) = &flags {
        let left = flags.after.clone();
        options
            .observer
            .observe(&ReductionEvent::FewerFlags { left })?;
    }
    let is_known = |earlier: &&Earlier| {
        let same = earlier.case.program == small.text
            && fewer.finding.config == earlier.case.finding.config;
        same && !earlier.reduced.located.tried.is_empty()
    };
    let located = match earlier.as_ref().filter(is_known) {
        Some(earlier) => earlier.reduced.located.clone(),
        None => locate(&fewer, &stage, &small, &should_stop)?,
    };
    if let Some(pass) = &located.pass {
        let pass = pass.clone();
        options
            .observer
            .observe(&ReductionEvent::Located { pass })?;
    }
    let (before, after) = (TextSize::of(&case.program), TextSize::of(&small.text));
    let by_earlier = earlier.as_ref().map(|earlier| &earlier.reduced);
    let reduced = Reduced {
        finding: small_finding(&fewer, &small, start.summary.as_ref())?,
        shrunk: start.summary,
        flags,
        lines_before: before.lines,
        lines: after.lines,
        tokens_before: before.tokens,
        tokens: after.tokens,
        tests: small.tests + by_earlier.map_or(0, |earlier| earlier.tests),
        is_finished: small.is_finished,
        is_interrupted: (options.should_stop)(),
        by_cvise: small.by_cvise || by_earlier.is_some_and(|earlier| earlier.by_cvise),
        located,
        build: fewer.lab.build_of(&fewer.finding.config.compiler),
    };
    write(&fewer, &reduced, &small, start.shrunk.as_ref())?;
    Ok(Ok(reduced))
}

/// How often the small program is tried after the time for making it small.
const LAST_CHECKS: u32 = 2;

/// The part of the time that is for making the text small.
const FOR_TEXT: f64 = 0.8;

/// Begins with what was found: flags and mutations that the failure does not need are
/// dropped.
fn begin(
    case: &Case,
    stage: &Stage<'_>,
    (deadline, end): (&Deadline, Instant),
    options: &TriageOptions<'_>,
) -> Result<Start> {
    let should_stop = || (options.should_stop)() || Instant::now() >= end;
    let expected = case.finding.expectation();
    // Few tests tell much, so they are made even if there is hardly any time.
    let (case, flag_tests) = with_fewer_flags(case, &case.program, &expected, options.should_stop)?;
    let smaller = deadline.hold(end, || own::smaller(&case, stage, &should_stop, options))?;
    let case = smaller.unwrap_or(case);
    let fails = |text: &[u8]| case.fails_as_found(stage, text);
    let shrunk = shrink(&case, &fails, &should_stop, options)?;
    Ok(Start {
        summary: shrunk.as_ref().map(|shrunk| summary(&case, shrunk)),
        shrunk,
        flag_tests,
        case,
    })
}

/// Begins with what an earlier reduction has reached.
fn go_on(earlier: &Earlier) -> Start {
    Start {
        // The small program has no record: it is no variant any more.
        case: Case {
            record: None,
            ..earlier.case.clone()
        },
        shrunk: earlier.shrunk.clone(),
        summary: earlier.reduced.shrunk.clone(),
        flag_tests: earlier
            .reduced
            .flags
            .as_ref()
            .map_or(0, |flags| flags.tests),
    }
}

/// Lays the small program out for readers, if it still fails then.
fn lay_out(case: &Case, stage: &Stage<'_>, small: &mut Small) -> Result<()> {
    let Some(text) = format::formatted(&case.lab, &small.text)? else {
        return Ok(());
    };
    let finding = &case.finding;
    let (config, patience) = (&finding.config, finding.patience);
    if case.fails(stage, config, patience, &text, &small.expected)? {
        small.text = text;
    }
    Ok(())
}

fn locate(
    case: &Case,
    stage: &Stage<'_>,
    small: &Small,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Result<Located> {
    let question = Question {
        case,
        stage,
        patience: case.patience(),
        text: &small.text,
        expected: &small.expected,
        should_stop,
    };
    question.locate()
}

/// The case under the flags and files that a text needs to fail, and how many tests the flags
/// took.
fn with_fewer_flags(
    case: &Case,
    text: &[u8],
    expected: &Expectation,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Result<(Case, usize)> {
    let stage = case.stage()?;
    let fails = |config: &Config, patience| case.fails(&stage, config, patience, text, expected);
    let hurried = |config: &Config| fails(config, case.patience());
    if let Some(simplest) = files::simplest(&case.finding.config, hurried)? {
        return Ok((case.under(simplest), 0));
    }
    let fewer = flags::reduce(&case.finding.config, hurried, should_stop)?;
    Ok(match fewer {
        // Under short limits, what only takes long passes for something that hangs.
        Some(fewer) if fails(&fewer.config, case.finding.patience)? => {
            (case.under(fewer.config), fewer.tests)
        }
        _ => (case.clone(), 0),
    })
}

/// Drops and simplifies mutations; nothing to do for a seed.
fn shrink(
    case: &Case,
    fails: &(dyn Fn(&[u8]) -> Result<bool> + Sync),
    should_stop: &(dyn Fn() -> bool + Sync),
    options: &TriageOptions<'_>,
) -> Result<Option<Shrunk>> {
    let Some(record) = &case.record else {
        return Ok(None);
    };
    let shrinker = Shrinker {
        clang: &case.clang,
        seed: &case.seed,
        fails,
        should_stop,
    };
    let dropped = shrinker.drop_mutations(record)?;
    let left: Vec<&Mutation> = dropped.record.mutations.iter().collect();
    if should_stop() {
        return Ok(Some(dropped));
    }
    options.observer.observe(&ReductionEvent::Shrunk {
        left: dropped.record.ids().len(),
        before: record.ids().len(),
        tests: dropped.tests,
    })?;
    let source = Arc::clone(&case.seed.source);
    let program = lower(&case.clang, &case.seed.path, source, &case.seed.flags)?;
    let points: Vec<_> = left.iter().map(|mutation| mutation.statement()).collect();
    let profile = match profiler(case)?.profile_at(&case.seed, &program, &points) {
        Ok(profile) => profile,
        // Without a profile nothing can be proved, and the text is reduced as it is.
        Err(error) => {
            let refused: SeedRefused = error.downcast()?;
            let reason = refused.reason.to_string();
            options
                .observer
                .observe(&ReductionEvent::NotSimplified { reason })?;
            return Ok(Some(dropped));
        }
    };
    let simplified = shrinker.simplify(&dropped, &Prover::new(&program, &profile))?;
    Ok(Some(simplified))
}

/// With the limits that the campaign had for variants.
fn profiler(case: &Case) -> Result<Profiler> {
    let patience = case.finding.patience;
    let options = ProfileOptions {
        seed_timeout: patience.run,
        seed_memory: patience.run_memory,
        ..ProfileOptions::default()
    };
    Profiler::new(case.lab.clone(), Compiler::trusted()?, options)
}

fn summary(case: &Case, shrunk: &Shrunk) -> ShrunkSummary {
    let mut kinds = BTreeMap::new();
    for mutation in shrunk.record.all_mutations() {
        *kinds.entry(mutation.kind().name().to_owned()).or_default() += 1;
    }
    ShrunkSummary {
        before: case.record.as_ref().map_or(0, |record| record.ids().len()),
        after: shrunk.record.ids().len(),
        kinds,
        tests: shrunk.tests,
    }
}
