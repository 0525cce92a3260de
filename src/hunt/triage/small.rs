//! Reducing the failing text: our own reducer first, then C-Vise in the time that is left.
//! The result is checked once more under the campaign's own conditions.

use super::cvise;
use super::event::Passes;
use super::{Case, Oracle, ReductionEvent, TriageOptions};
use crate::error::SeedRefused;
use crate::hunt::finding::reduced_file;
use crate::hunt::reduce::{Reducer, lines, smaller};
use crate::lab::{Deadline, Expectation, Stage};
use anyhow::{Result, ensure};
use std::time::{Duration, Instant};

/// Compilers that must build a text without `#if` and see it behave as expected, or the one
/// with it is reduced.
const WITNESSES: usize = 2;

/// A reduced text.
#[derive(Debug)]
pub(super) struct Small {
    pub(super) text: Vec<u8>,
    /// What it should do.
    pub(super) expected: Expectation,
    /// How many texts were tested by our own reducer.
    pub(super) tests: usize,
    /// Whether nothing more could be removed.
    pub(super) is_finished: bool,
    pub(super) by_cvise: bool,
    /// The test that it passes, as a script.
    pub(super) test_script: String,
}

/// Reduces texts of one finding.
pub(super) struct Smaller<'s> {
    pub(super) case: &'s Case,
    pub(super) stage: &'s Stage<'s>,
    pub(super) options: &'s TriageOptions<'s>,
    /// When time is up.
    pub(super) end: Instant,
    /// Ends what the case's lab runs.
    pub(super) deadline: &'s Deadline,
}

impl Smaller<'_> {
    /// Reduces `start`, a text that fails and should behave as the finding expects.
    pub(super) fn reduce(&self, start: &[u8]) -> Result<Small> {
        let (case, stage) = (self.case, self.stage);
        let decided = self.decided(start)?;
        let start = decided.as_deref().unwrap_or(start);
        let small = self.by(&Oracle::new(case, stage, start)?, start)?;
        if self.fails_as_found(&small)? {
            return Ok(small);
        }
        // Under short limits, what only takes long passes for something that hangs.
        self.tell(ReductionEvent::Retrying)?;
        let small = self.by(&Oracle::patient(case, stage, start)?, start)?;
        if self.fails_as_found(&small)? {
            return Ok(small);
        }
        self.tell(ReductionEvent::Unstable)?;
        Ok(Small {
            text: start.to_vec(),
            expected: case.finding.expectation(),
            is_finished: false,
            by_cvise: false,
            ..small
        })
    }

    /// The text without `#if`, if it fails and enough trusted compilers still take it. What
    /// stood there for a compiler that is not accused, such as stand-ins for builtin
    /// functions, tells a reader nothing.
    fn decided(&self, start: &[u8]) -> Result<Option<Vec<u8>>> {
        if !has_conditionals(start) {
            return Ok(None);
        }
        let Some(text) = self.case.preprocessed(start)? else {
            return Ok(None);
        };
        let oracle = match Oracle::new(self.case, self.stage, &text) {
            Ok(oracle) => oracle,
            Err(error) if error.is::<SeedRefused>() => return Ok(None),
            Err(error) => return Err(error),
        };
        let enough = oracle.witnesses() >= WITNESSES || self.case.finding.expected.is_empty();
        Ok((enough && oracle.accepts(&text)?).then_some(text))
    }

    fn by(&self, oracle: &Oracle<'_>, start: &[u8]) -> Result<Small> {
        ensure!(
            oracle.witnesses() > 0 || self.case.finding.expected.is_empty(),
            "no trusted compiler builds a program that behaves as expected"
        );
        let case = self.case;
        let should_stop = || (self.options.should_stop)() || Instant::now() >= self.end;
        let reducer = Reducer {
            clang: &case.clang,
            path: &case.seed.path,
            flags: &case.seed.flags,
            test: oracle,
            should_stop: &should_stop,
            observer: &Passes(self.options.observer),
        };
        let preprocessed = case.preprocessed(start)?;
        let reduction = self
            .deadline
            .hold(self.end, || reducer.reduce(start, preprocessed.as_deref()))?;
        let mut small = Small {
            test_script: oracle.script(&reduction.text, reduced_file::PROGRAM),
            text: reduction.text,
            expected: case.finding.expectation(),
            tests: reduction.tests,
            is_finished: reduction.is_finished,
            by_cvise: false,
        };
        let is_one_file = case.finding.config.second.is_none();
        if self.options.with_cvise && small.is_finished && is_one_file {
            self.by_cvise(oracle, &mut small)?;
        }
        if let Some(expected) = oracle.behaviour(&small.text)? {
            small.expected = expected;
        }
        Ok(small)
    }

    fn by_cvise(&self, oracle: &Oracle<'_>, small: &mut Small) -> Result<()> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left < Duration::from_secs(5) {
            return Ok(());
        }
        let (name, script) = (reduced_file::PROGRAM, &small.test_script);
        let jobs = rayon::current_num_threads();
        let lab = &self.case.lab;
        let made = match cvise::reduce(lab, &small.text, name, script, jobs, left)? {
            Some(Ok(made)) => made,
            Some(Err(complaint)) => return self.tell(ReductionEvent::CviseFailed { complaint }),
            None => return Ok(()),
        };
        // Its result counts only if it passes our own test.
        if let Some(smaller) = smaller(&small.text, &made)
            && oracle.accepts(&smaller)?
        {
            small.text = smaller;
            small.by_cvise = true;
            let lines = lines(&small.text);
            self.tell(ReductionEvent::CviseDone { lines })?;
        }
        Ok(())
    }

    fn tell(&self, event: ReductionEvent) -> Result<()> {
        self.options.observer.observe(&event)
    }

    /// Whether it fails under the limits that the campaign had.
    fn fails_as_found(&self, small: &Small) -> Result<bool> {
        let finding = &self.case.finding;
        self.case.fails(
            self.stage,
            &finding.config,
            finding.patience,
            &small.text,
            &small.expected,
        )
    }
}

fn has_conditionals(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        let directive = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        directive.is_some_and(|directive| directive.starts_with(b"if"))
    })
}

#[cfg(test)]
mod tests {
    use super::has_conditionals;

    #[test]
    fn conditionals_are_known_by_their_directives() {
        for text in [
            "#if 1\n#endif",
            "int x;\n  # ifndef A\n#endif",
            "#ifdef A\n",
        ] {
            assert!(has_conditionals(text.as_bytes()), "{text}");
        }
        for text in [
            "int main(void) { if (1) return 0; }",
            "#include <if.h>",
            "#define if",
        ] {
            assert!(!has_conditionals(text.as_bytes()), "{text}");
        }
    }
}
