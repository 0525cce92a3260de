//! The interestingness test: a text fails as the finding does, and it is a program with
//! well-defined behaviour that C and compilers do not leave open.

use super::case::{Case, QUICK_RUN, SHORT_RUN};
use super::script;
use crate::hunt::campaign::confirm::{OtherReasons, Suspicion};
use crate::hunt::campaign::judge::Judge;
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{ProgramRole, file};
use crate::hunt::reduce::Test;
use crate::hunt::verify::Soundness;
use crate::lab::toolchain::Config;
use crate::lab::{Expectation, Patience, Stage};
use crate::source::program::lower;
use anyhow::Result;
use std::time::Duration;

/// Decides whether texts show the finding of a case.
#[derive(Debug)]
pub(crate) struct Oracle<'c> {
    case: &'c Case,
    stage: &'c Stage<'c>,
    sound: Soundness<'c>,
    patience: Patience,
    /// What texts are asked for; what the start is not free of itself is idle.
    asked: OtherReasons,
}

impl<'c> Oracle<'c> {
    /// `start` is a text that fails and should behave as the finding expects.
    pub(crate) fn new(case: &'c Case, stage: &'c Stage<'c>, start: &[u8]) -> Result<Oracle<'c>> {
        let timeout = SHORT_RUN.min(case.finding.patience.run);
        let mut oracle = Oracle::with(case, stage, start, case.patience(), timeout)?;
        // A slow program needs the full limits.
        if oracle.witnesses() == 0 {
            return Oracle::patient(case, stage, start);
        }
        oracle.hurry(start)?;
        Ok(oracle)
    }

    /// Waits no longer for programs than the start suggests. Among candidates there are many
    /// endless loops, and on most programs more time would go into these than into all others.
    fn hurry(&mut self, start: &[u8]) -> Result<()> {
        let finding = &self.case.finding;
        let is_hang = finding.verdict.kind == VerdictKind::RunHang;
        if !self.is_of_a_run() || is_hang || QUICK_RUN >= self.patience.run {
            return Ok(());
        }
        // What the accused compiler makes of it may take longer than what it should do.
        let fails_within = |run| {
            let patience = Patience {
                run,
                ..self.patience
            };
            let expected = finding.expectation();
            let config = &finding.config;
            self.case
                .fails(self.stage, config, patience, start, &expected)
        };
        if fails_within(QUICK_RUN / 4)? && self.sound.hurry(start, QUICK_RUN)? {
            self.patience.run = QUICK_RUN;
        }
        Ok(())
    }

    /// The same, with the limits of the campaign.
    pub(crate) fn patient(
        case: &'c Case,
        stage: &'c Stage<'c>,
        start: &[u8],
    ) -> Result<Oracle<'c>> {
        let patience = case.finding.patience;
        Oracle::with(case, stage, start, patience, patience.run)
    }

    fn with(
        case: &'c Case,
        stage: &'c Stage<'c>,
        start: &[u8],
        patience: Patience,
        timeout: Duration,
    ) -> Result<Oracle<'c>> {
        let (lab, clang, seed) = (&case.lab, &case.clang, &case.seed);
        let expected = case.finding.expectation();
        let plain = expected.without_records();
        let mut oracle = Oracle {
            case,
            stage,
            sound: Soundness::new(lab, clang, seed, start, &plain, timeout)?,
            patience,
            asked: OtherReasons::default(),
        };
        if oracle.is_of_a_run() {
            let none = OtherReasons::default();
            let open = OtherReasons { open: true, ..none };
            let aliasing = OtherReasons {
                aliasing: true,
                ..none
            };
            oracle.asked = OtherReasons {
                open: oracle.is_clear(start, &expected, open)?,
                aliasing: oracle.is_clear(start, &expected, aliasing)?,
            };
        }
        Ok(oracle)
    }

    /// Whether nothing of what is asked for explains the failure of a text.
    fn is_clear(&self, text: &[u8], expected: &Expectation, asked: OtherReasons) -> Result<bool> {
        if !(asked.open || asked.aliasing) {
            return Ok(true);
        }
        let (finding, seed) = (&self.case.finding, &self.case.seed);
        let lowered = lower(&self.case.clang, &seed.path, text.into(), &seed.flags);
        let (Ok(program), Some(lead)) = (lowered, self.sound.witness_with_flags()) else {
            return Ok(true);
        };
        let judge = Judge {
            patience: self.patience,
            ..Judge::of_finding(&self.case.lab, finding, self.stage)
        };
        let outcome = judge.trial(text)?;
        let suspicion = Suspicion {
            judge,
            text,
            expected,
            outcome: &outcome,
            verdict: &judge.verdict(&outcome, expected),
            lead: &Config::new(lead.clone(), &["-O0"]),
        };
        let role = match finding.variant {
            Some(_) => ProgramRole::Variant,
            None => ProgramRole::Seed,
        };
        suspicion.is_clear(&program, role, &finding.standing, asked)
    }

    /// How many compilers build a start that behaves as expected.
    pub(crate) fn witnesses(&self) -> usize {
        self.sound.witnesses()
    }

    /// Whether a sanitizer has something to say about the start.
    pub(crate) fn is_reported(&self) -> bool {
        self.sound.is_reported()
    }

    /// Whether a text passes the whole test.
    pub(crate) fn accepts(&self, text: &[u8]) -> Result<bool> {
        Ok(self.seems(text)? && self.holds(text)?)
    }

    /// What a text should do, for a failure that shows when it runs.
    pub(crate) fn behaviour(&self, text: &[u8]) -> Result<Option<Expectation>> {
        if !self.is_of_a_run() {
            return Ok(None);
        }
        match self.sound.glance(text)? {
            Some(seen) => self.case.expected_of(self.stage, self.patience, text, seen),
            None => Ok(None),
        }
    }

    /// Whether other compilers that we trust access volatile variables as expected, if that is
    /// what the finding is about.
    fn accesses_agree(&self, text: &[u8], expected: &Expectation) -> Result<bool> {
        let Some(lead) = self.case.finding.config.to_compare_with() else {
            return Ok(true);
        };
        let plain = self.sound.ways().filter(|way| !way.is_sanitizer());
        for compiler in plain.map(|way| &way.compiler) {
            let config = Config {
                compiler: compiler.clone(),
                ..lead.clone()
            };
            let judge = Judge {
                config: &config,
                patience: self.patience,
                ..Judge::of_finding(&self.case.lab, &self.case.finding, self.stage)
            };
            let is_able = config.is_for_two_files();
            if is_able && !judge.judge(text, expected)?.is_same() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The test as a script, for what this text becomes in a file of this name, or in that
    /// of its units.
    pub(crate) fn script(&self, text: &[u8], name: &str) -> String {
        let units = self.case.divided(text);
        let (text, name) = match &units {
            Some(units) => (units.as_slice(), file::UNITS),
            None => (text, name),
        };
        script::interestingness(self.case, self.patience, &self.sound, text, name)
    }

    fn is_of_a_run(&self) -> bool {
        self.case.finding.verdict.kind.is_of_a_run()
    }
}

impl Test for Oracle<'_> {
    fn seems(&self, text: &[u8]) -> Result<bool> {
        let (case, config) = (self.case, &self.case.finding.config);
        if !self.is_of_a_run() {
            let expected = Expectation::nothing();
            let fails = || case.fails(self.stage, config, self.patience, text, &expected);
            return Ok(self.sound.is_c(text) && fails()?);
        }
        match self.behaviour(text)? {
            Some(expected) => case.fails(self.stage, config, self.patience, text, &expected),
            None => Ok(false),
        }
    }

    fn holds(&self, text: &[u8]) -> Result<bool> {
        if !self.is_of_a_run() {
            return Ok(self.sound.compiles(text)? && !self.case.lab.is_late());
        }
        match self.behaviour(text)? {
            Some(expected) => Ok(self.sound.confirms(text, &expected.without_records())?
                && self.accesses_agree(text, &expected)?
                && self.is_clear(text, &expected, self.asked)?
                && !self.case.lab.is_late()),
            None => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::bucket::planted;
    use crate::hunt::finding::Finding;
    use crate::lab::fake::{self, Answer, Moment};
    use crate::lab::process::Ending;
    use crate::lab::toolchain::{Compiler, Family};
    use crate::lab::{Behaviour, Lab};
    use crate::source::clang::Clang;
    use crate::source::seed::Seed;
    use std::collections::BTreeSet;
    use std::fs;
    use std::sync::{Arc, Mutex};

    const DECLARED: &str = "int printf(const char *, ...);\n\
        int memcmp(const void *, const void *, unsigned long);\n";

    /// gcc -O2 prints another number for what is guilty, and otherwise another positive one for
    /// the result of `memcmp`.
    fn script(moment: &Moment) -> Answer {
        let is_optimised = moment.compiler == "gcc" && moment.has("-O2");
        let shows_result = moment.text.contains("memcmp(\"abz\", \"abc\", 3))");
        Answer::good(match (moment.is_run, shows_result) {
            (false, _) => "",
            (true, true) if is_optimised && moment.text.contains("guilty") => "7\n",
            (true, true) if is_optimised && !moment.has("-fno-builtin") => "1\n",
            (true, true) => "23\n",
            (true, false) if moment.has("-fno-strict-aliasing") => "5\n",
            (true, false) if is_optimised && moment.text.contains("guilty") => "6\n",
            (true, false) => "5\n",
        })
    }

    fn case(lab: Lab, seed: Seed, config: Config) -> Case {
        let behaviour = |stdout: &str| Behaviour {
            ending: Ending::Exited(0),
            stdout: stdout.into(),
            stderr: vec![],
        };
        let finding = Finding {
            config,
            expected: vec![behaviour("5\n")],
            actual: vec![behaviour("6\n")],
            ..planted::finding("1")
        };
        Case {
            lab,
            directory: "nowhere".into(),
            program: seed.source.to_vec(),
            seed,
            record: None,
            clang: Clang::load().unwrap(),
            finding,
        }
    }

    /// Asks the oracle of a finding against `gcc -O2` on a program.
    fn with_oracle(lab: Lab, start: &str, ask: impl FnOnce(&Oracle<'_>)) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("seed.c");
        fs::write(&path, start).unwrap();
        let seed = Seed::read(&path, &[]).unwrap();
        let mut trusted = Compiler::trusted().unwrap().into_iter();
        let gcc = trusted.find(|compiler| compiler.family == Family::Gcc);
        let case = case(lab, seed, Config::new(gcc.unwrap(), &["-O2"]));
        let stage = case.stage().unwrap();
        ask(&Oracle::new(&case, &stage, start.as_bytes()).unwrap());
    }

    #[test]
    fn no_text_is_interesting_for_an_aliasing_violation_though_the_start_is_open() {
        let program = |body: &str| {
            format!(
                "{DECLARED}long time(long *);\nint main(void)\n{{\n{body}int guilty = 5;\n\
                 printf(\"%d\\n\", guilty);\nreturn 0;\n}}\n"
            )
        };
        let start = program("time(0);\n");
        let punning = program("int x = 1;\nshort *p = (short *)&x;\n*p = 2;\n");
        with_oracle(fake::lab(script), &start, |oracle| {
            assert!(oracle.accepts(program("").as_bytes()).unwrap());
            assert!(oracle.seems(punning.as_bytes()).unwrap());
            assert!(!oracle.holds(punning.as_bytes()).unwrap());
        });
    }

    #[test]
    fn no_text_is_interesting_for_what_compilers_may_choose() {
        let program = |body: &str| format!("{DECLARED}int main(void)\n{{\n{body}return 0;\n}}\n");
        let start =
            program("int guilty = memcmp(\"abz\", \"abc\", 3) > 0;\nprintf(\"%d\\n\", guilty);\n");
        let smaller = program("int guilty = 5;\nprintf(\"%d\\n\", guilty);\n");
        let open = program("printf(\"%d\\n\", memcmp(\"abz\", \"abc\", 3));\n");
        // What fails as well if the library compares is wrong for another reason.
        let still = program("int guilty;\nprintf(\"%d\\n\", memcmp(\"abz\", \"abc\", 3));\n");
        with_oracle(fake::lab(script), &start, |oracle| {
            assert!(oracle.accepts(smaller.as_bytes()).unwrap());
            assert!(oracle.seems(open.as_bytes()).unwrap());
            assert!(!oracle.holds(open.as_bytes()).unwrap());
            assert!(oracle.accepts(still.as_bytes()).unwrap());
        });
    }

    /// How long programs may run that are asked about first, when the start takes so long.
    fn run_limits(millis: u64) -> BTreeSet<Duration> {
        let limits = Arc::new(Mutex::new(BTreeSet::new()));
        let seen = Arc::clone(&limits);
        let lab = fake::lab(move |moment| {
            if moment.is_run && moment.text.contains("smaller") {
                seen.lock().unwrap().insert(moment.wall);
            }
            if moment.is_run && moment.wall < Duration::from_millis(millis) {
                return Answer::hangs();
            }
            script(moment)
        });
        let start = "int main(void)\n{\nint guilty = 5;\nreturn 0;\n}\n";
        let smaller = start.replace("guilty = 5", "smaller, guilty = 5");
        with_oracle(lab, start, |oracle| {
            assert!(oracle.seems(smaller.as_bytes()).unwrap());
        });
        let limits = limits.lock().unwrap();
        limits.clone()
    }

    #[test]
    fn loops_are_waited_for_no_longer_than_the_start_suggests() {
        assert_eq!(run_limits(1), BTreeSet::from([QUICK_RUN]));
        assert_eq!(run_limits(60), BTreeSet::from([SHORT_RUN]));
        // With all the patience of the campaign.
        let patience = Patience::default().run;
        assert_eq!(run_limits(3000), BTreeSet::from([patience]));
    }
}
