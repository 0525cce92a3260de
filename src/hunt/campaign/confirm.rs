//! Whether a verdict is to be believed. Nothing becomes a finding without passing these
//! checks.
//!
//! A compiler that crashes, hangs or runs out of memory is wrong whatever the
//! program; it only has to do so again. That a program behaves wrongly or is
//! rejected says something about the compiler only if the program is valid, so
//! then everything is checked: what C leaves open in it ([`open`]), the seed under the
//! same config and changed in ways that should not matter ([`steady`]), trusted compilers
//! and sanitizers on the variant, and the values that the accused compiler's own
//! build of the seed holds where the variant was changed.
//!
//! A failure that goes away with a flag says nothing by itself: most true faults of
//! optimisers do, with `-fwrapv` or without a pass.

/// Returns if a question has an answer that makes all others idle.
macro_rules! unless {
    ($done:ident, $answer:expr) => {
        if let Some(answer) = $answer {
            return Ok(Conclusion::from(answer).ruling($done));
        }
    };
}

mod accesses;
mod open;
mod repeat;
mod steady;

use super::judge::Judge;
use crate::error::{MachineBusy, SeedRefused};
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Confirmation, Doubt, ProgramRole, Standing, Unchecked};
use crate::hunt::verify::{Objection, Problem, Verifier, Witness};
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Config, Runner};
use crate::lab::{Expectation, Outcome, Way};
use crate::source::open::Openness;
use crate::source::program::Program;
use crate::variant::mutate::{Mutator, Source, Variant};
use crate::variant::mutation::Mutation;
use crate::variant::profile::Profiler;
use anyhow::Result;

/// How often the seed must succeed in between.
const SEED_REPEATS: usize = 2;

/// What came of a suspicion.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ruling {
    /// It is a finding, or something else that is kept; what was established.
    Kept(Standing, Vec<Confirmation>),
    /// It is not.
    Dismissed(Doubt),
}

/// Why no more questions are asked.
#[derive(Clone, Debug, PartialEq)]
enum Conclusion {
    Doubt(Doubt),
    Unchecked(Unchecked),
}

impl From<Doubt> for Conclusion {
    fn from(doubt: Doubt) -> Conclusion {
        Conclusion::Doubt(doubt)
    }
}

impl Conclusion {
    fn ruling(self, done: Vec<Confirmation>) -> Ruling {
        match self {
            Conclusion::Doubt(doubt) => Ruling::Dismissed(doubt),
            Conclusion::Unchecked(reason) => Ruling::Kept(Standing::Unchecked { reason }, done),
        }
    }
}

/// A question that the machine had no time for leaves a suspicion unchecked, whichever it was.
fn settled(ruling: Result<Ruling>) -> Result<Ruling> {
    match ruling {
        Err(error) if error.is::<MachineBusy>() => {
            Ok(Conclusion::Unchecked(Unchecked::BusyMachine).ruling(Vec::new()))
        }
        ruling => ruling,
    }
}

/// A text under suspicion of having been miscompiled.
#[derive(Debug)]
pub(crate) struct Suspicion<'a> {
    pub(crate) judge: Judge<'a>,
    pub(crate) text: &'a [u8],
    pub(crate) expected: &'a Expectation,
    pub(crate) outcome: &'a Outcome,
    pub(crate) verdict: &'a Verdict,
    /// The config whose build defines what a seed does.
    pub(crate) lead: &'a Config,
}

/// What else than a fault of the compiler a text is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OtherReasons {
    /// Something that C or compilers leave open.
    pub(crate) open: bool,
    /// An aliasing violation.
    pub(crate) aliasing: bool,
}

/// What is known of a seed before it is asked whether a failure of its own is believed.
#[derive(Debug, Default)]
pub(super) struct SeedEvidence {
    pub(super) known: Vec<Confirmation>,
    /// See [`Verifier::unsteady`].
    pub(super) unsteady: Option<Witness>,
}

impl SeedEvidence {
    /// What trusted compilers and sanitizers say that agree on the seed.
    pub(super) fn of(verifier: &Verifier<'_>) -> SeedEvidence {
        let witnesses = verifier.ways().map(Witness::from);
        SeedEvidence {
            known: Confirmation::of_witnesses(ProgramRole::Seed, witnesses),
            unsteady: verifier.unsteady().cloned(),
        }
    }
}

impl Suspicion<'_> {
    /// A seed that fails although sanitizers report nothing.
    pub(super) fn of_seed(&self, program: &Program, evidence: SeedEvidence) -> Result<Ruling> {
        settled(self.rule_on_seed(program, evidence))
    }

    fn rule_on_seed(&self, program: &Program, evidence: SeedEvidence) -> Result<Ruling> {
        let mut done = Vec::new();
        let openness = Openness::of(program);
        let SeedEvidence { known, unsteady } = evidence;
        if self.verdict.kind.is_of_a_run() {
            unless!(done, unsteady.map(|witness| Doubt::Unsteady { witness }));
            unless!(done, self.is_open(&openness, ProgramRole::Seed)?);
        } else if self.verdict.kind == VerdictKind::Rejected {
            unless!(done, self.may_be_rejected(&openness)?);
        }
        unless!(done, self.repeat(&mut done)?);
        unless!(done, self.own_name(&mut done)?);
        done.extend(known);
        Ok(Ruling::Kept(self.standing(&openness)?, done))
    }

    /// A compiler that fails on a program of which nothing is known, as none may.
    pub(super) fn of_compiler(&self) -> Result<Ruling> {
        let mut done = Vec::new();
        unless!(done, self.repeat(&mut done)?);
        Ok(Ruling::Kept(Standing::Confirmed, done))
    }

    /// A variant that fails although its seed does not. A verifier is given if the
    /// verdict says something only of a valid program.
    pub(super) fn of_variant(
        &self,
        variant: &Variant,
        source: &Source,
        verifier: Option<&Verifier<'_>>,
        mutator: &Mutator,
    ) -> Result<Ruling> {
        settled(self.rule_on_variant(variant, source, verifier, mutator))
    }

    fn rule_on_variant(
        &self,
        variant: &Variant,
        source: &Source,
        verifier: Option<&Verifier<'_>>,
        mutator: &Mutator,
    ) -> Result<Ruling> {
        let mut done = Vec::new();
        let is_of_program = self.verdict.kind.is_of_a_run();
        let openness = Openness::of(&source.program);
        if is_of_program {
            let unsteady = verifier.and_then(Verifier::unsteady).cloned();
            unless!(done, unsteady.map(|witness| Doubt::Unsteady { witness }));
            unless!(done, self.is_open(&openness, ProgramRole::Variant)?);
        } else if self.verdict.kind == VerdictKind::Rejected {
            unless!(done, self.may_be_rejected(&openness)?);
        }
        // Waiting for a program to hang again takes longest, and nothing else runs meanwhile.
        let is_slow = self.verdict.kind == VerdictKind::RunHang;
        let mut unchecked = None;
        if !is_slow {
            match self.repeat(&mut done)? {
                Some(Conclusion::Unchecked(reason @ Unchecked::WrongAnew)) => {
                    unchecked = Some(reason);
                }
                answer => unless!(done, answer),
            }
        }
        unless!(done, self.seed_passes(source, &mut done)?);
        if let Some(verifier) = verifier {
            unless!(done, self.variant_is_good(verifier, &mut done)?);
        }
        // Of a program whose output is known nothing is open, and a seed that fails when it is
        // changed is another failure of the same compiler.
        if is_of_program && !self.expected.is_predicted() {
            unless!(done, self.seed_is_steady(source, &mut done)?);
        }
        if is_of_program {
            match self.all_values_are_predicted(variant, source, mutator, &mut done)? {
                Some(Conclusion::Unchecked(reason)) => unchecked = Some(reason),
                doubt => unless!(done, doubt),
            }
        }
        if is_slow {
            unless!(done, self.repeat(&mut done)?);
        }
        Ok(match unchecked {
            Some(reason) => Conclusion::Unchecked(reason).ruling(done),
            None => Ruling::Kept(self.standing(&openness)?, done),
        })
    }

    /// Whether nothing open explains the failure, for a text that was made of a failing one
    /// and has no seed to be asked. `as_believed` is what that failure is kept as.
    pub(crate) fn is_clear(
        &self,
        program: &Program,
        of: ProgramRole,
        as_believed: &Standing,
        asked: OtherReasons,
    ) -> Result<bool> {
        match self.has_another_reason(program, of, as_believed, asked) {
            Err(error) if error.is::<MachineBusy>() => Ok(false),
            answer => answer.map(|has| !has),
        }
    }

    fn has_another_reason(
        &self,
        program: &Program,
        of: ProgramRole,
        as_believed: &Standing,
        asked: OtherReasons,
    ) -> Result<bool> {
        let openness = Openness::of(program);
        let is_apart = asked.aliasing && as_believed.is_confirmed();
        Ok(asked.open && self.is_open(&openness, of)?.is_some()
            || is_apart && !self.standing(&openness)?.is_confirmed())
    }

    /// The verdict of a judge on a text. That a busy machine gave it no time is no verdict.
    fn ask(&self, judge: &Judge<'_>, text: &[u8]) -> Result<Verdict> {
        let outcome = judge.trial(text)?;
        if outcome.is_starved() {
            return Err(MachineBusy.into());
        }
        Ok(judge.verdict(&outcome, self.expected))
    }

    /// A compiler that runs programs itself passes them another `argv[0]`.
    fn own_name(&self, done: &mut Vec<Confirmation>) -> Result<Option<Doubt>> {
        if !matches!(self.judge.config.runner, Runner::InProcess(_)) {
            return Ok(None);
        }
        let mut config = self.judge.config.clone();
        config.runner = Runner::Direct;
        let judge = Judge {
            config: &config,
            purpose: Some(Purpose::Confirm),
            ..self.judge
        };
        if self.ask(&judge, self.text)?.is_same() {
            return Ok(Some(Doubt::OnlyInProcess));
        }
        done.push(Confirmation::WithoutRunner);
        Ok(None)
    }

    fn seed_passes(&self, source: &Source, done: &mut Vec<Confirmation>) -> Result<Option<Doubt>> {
        let judge = Judge {
            purpose: Some(Purpose::Confirm),
            ..self.judge
        };
        for _ in 0..SEED_REPEATS {
            let verdict = self.ask(&judge, &source.seed.source)?;
            if !verdict.is_same() {
                return Ok(Some(Doubt::SeedFails { verdict }));
            }
        }
        done.push(Confirmation::SeedPasses);
        Ok(None)
    }

    fn variant_is_good(
        &self,
        verifier: &Verifier<'_>,
        done: &mut Vec<Confirmation>,
    ) -> Result<Option<Conclusion>> {
        let accused = &self.judge.config.compiler.path;
        let problems = verifier.check(self.text)?;
        // The accused compiler does not count, except for sanitizer reports.
        let counts = |problem: &&Problem| {
            problem.way.compiler.path != *accused || problem.objection.is_report()
        };
        let is_late =
            |problem: &&Problem| matches!(problem.objection, Objection::DoesNotEnd { .. });
        let mut objections = problems.iter().filter(counts);
        if let Some(problem) = objections.clone().find(|problem| !is_late(problem)) {
            return Ok(Some(Conclusion::Doubt(Doubt::InvalidVariant {
                witness: Witness::from(&problem.way),
                objection: problem.objection.clone(),
            })));
        }
        if let Some(late) = objections.next() {
            let witness = Witness::from(&late.way);
            return Ok(Some(Conclusion::Unchecked(Unchecked::OutOfTime {
                witness,
            })));
        }
        let objects = |way: &Way| problems.iter().any(|problem| problem.way == *way);
        let content = verifier.ways().filter(|way| !objects(way));
        let content = content.map(Witness::from);
        done.extend(Confirmation::of_witnesses(ProgramRole::Variant, content));
        Ok(None)
    }

    /// Whether the accused compiler holds the values that each step of the variant's chain
    /// was made for, in the program that it was made of.
    fn all_values_are_predicted(
        &self,
        variant: &Variant,
        source: &Source,
        mutator: &Mutator,
        done: &mut Vec<Confirmation>,
    ) -> Result<Option<Conclusion>> {
        let (record, profiler) = (&variant.record, &mutator.profiler);
        let later = match mutator.later_steps(source, record) {
            Ok(later) => later,
            Err(error) => return not_observable(error),
        };
        for (source, mutations) in later {
            let doubt = self.values_are_predicted(&mutations, &source, profiler, done)?;
            if doubt.is_some() {
                return Ok(doubt);
            }
            done.pop();
        }
        self.values_are_predicted(&record.mutations, source, profiler, done)
    }

    /// C leaves the order of evaluation open, and a compiler may rightly hold other
    /// values in between than those the mutations were made for.
    fn values_are_predicted(
        &self,
        mutations: &[Mutation],
        source: &Source,
        profiler: &Profiler,
        done: &mut Vec<Confirmation>,
    ) -> Result<Option<Conclusion>> {
        let Source {
            seed,
            program,
            profile,
            ..
        } = source;
        // Of two files, both compilers hold values; the first is asked last.
        if let Some(config) = self.judge.config.of_second()
            && config.compiler != self.judge.config.compiler
        {
            let judge = Judge {
                config: &config,
                ..self.judge
            };
            let of_second = Suspicion { judge, ..*self };
            let doubt = of_second.values_are_predicted(mutations, source, profiler, done)?;
            if doubt.is_some() {
                return Ok(doubt);
            }
            done.pop();
        }
        let observed = profiler.observe(seed, program, profile, self.judge.config);
        let observed = match observed {
            Ok(observed) => observed,
            Err(error) => return not_observable(error),
        };
        let seen = Verdict::of_runs(
            self.expected,
            &observed.behaviours,
            &self.judge.config.runner,
        );
        if !seen.is_same() {
            let reason = Unchecked::FailsWhenObserved { verdict: seen };
            return Ok(Some(Conclusion::Unchecked(reason)));
        }
        let outside = observed.outside(profile, &source.rests_on(mutations));
        if let Some(first) = outside.first() {
            let statements = outside.len();
            let first = *first;
            return Ok(Some(Doubt::OtherValues { statements, first }.into()));
        }
        done.push(Confirmation::ValuesPredicted);
        Ok(None)
    }
}

/// What follows if a program cannot be observed.
fn not_observable(error: anyhow::Error) -> Result<Option<Conclusion>> {
    match error.downcast_ref::<SeedRefused>() {
        Some(refused) => {
            let reason = refused.reason.to_string();
            let reason = Unchecked::NotObservable { reason };
            Ok(Some(Conclusion::Unchecked(reason)))
        }
        None => Err(error),
    }
}

#[cfg(test)]
mod tests;
