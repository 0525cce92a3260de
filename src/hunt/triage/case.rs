//! A finding that is being worked on: its texts, its config, and whether another text
//! fails in the same way.

use crate::error::ToolMissing;
use crate::hunt::campaign::judge::Judge;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Finding, file};
use crate::lab::toolchain::{Config, is_executable, newest_clang};
use crate::lab::{Expectation, Lab, Patience, Stage, Way};
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::replay::VariantRecord;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// While texts are reduced, a program that takes longer than this is assumed not to end:
/// loops often lose their increment.
pub(super) const SHORT_RUN: Duration = Duration::from_secs(1);

/// The same where the program at the start ends in a quarter of this.
pub(super) const QUICK_RUN: Duration = Duration::from_millis(100);

/// The same for compilers.
const SHORT_COMPILE: Duration = Duration::from_secs(20);

/// The same for compilers that are known to hang, which every test waits for.
const SHORT_HANG: Duration = Duration::from_secs(5);

/// A finding with what its directory holds.
#[derive(Clone, Debug)]
pub struct Case {
    pub lab: Lab,
    pub directory: PathBuf,
    pub finding: Finding,
    pub seed: Seed,
    /// The text that fails.
    pub program: Vec<u8>,
    /// How it was made; `None` if the seed itself fails.
    pub record: Option<VariantRecord>,
    pub clang: Clang,
}

impl Case {
    pub fn open(lab: Lab, directory: &Path) -> Result<Case> {
        let finding = Finding::read(directory)?;
        let compiler = &finding.config.compiler;
        if !is_executable(&compiler.path) {
            let path = compiler.path.display();
            return Err(ToolMissing {
                what: format!("the compiler {path} of {} was not found", finding.id),
                remedy: "reinstall it to reduce the finding".into(),
            }
            .into());
        }
        let record = match finding.variant {
            Some(_) => Some(VariantRecord::read(&directory.join(file::RECORD))?),
            None => None,
        };
        Ok(Case {
            lab,
            directory: directory.to_owned(),
            seed: finding.seed(directory)?,
            program: finding.program(directory)?,
            record,
            clang: Clang::load()?,
            finding,
        })
    }

    pub fn stage(&self) -> Result<Stage<'_>> {
        Stage::new(&self.seed)
    }

    /// The same finding as another config shows it.
    pub(super) fn under(&self, config: Config) -> Case {
        let mut case = self.clone();
        case.finding.config = config;
        case
    }

    /// A text as the two files that the config wants, both in one.
    pub(super) fn divided(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.finding.config.both_files(text)
    }

    /// The limits for candidates during reduction.
    pub(crate) fn patience(&self) -> Patience {
        let given = self.finding.patience;
        let run = match self.finding.verdict.kind {
            // Only compiling matters; what compiles need not run.
            kind if !kind.is_of_a_run() => Duration::from_millis(50),
            VerdictKind::RunHang => given.run.min(3 * SHORT_RUN),
            _ => given.run.min(SHORT_RUN),
        };
        let compile = match self.finding.verdict.kind {
            VerdictKind::CompilerHang => SHORT_HANG,
            _ => SHORT_COMPILE,
        };
        Patience {
            run,
            compile: given.compile.min(compile),
            ..given
        }
    }

    /// Whether a verdict is that of the finding.
    pub(crate) fn is_same_failure(&self, verdict: &Verdict) -> bool {
        let own = &self.finding.verdict;
        match own.kind {
            // A smaller program prints less, and returns something else.
            VerdictKind::WrongOutput => {
                verdict.kind == own.kind && verdict.ends_otherwise() == own.ends_otherwise()
            }
            _ => verdict == own,
        }
    }

    /// Whether a text that should behave in a known way fails as the finding does
    /// under a config. After a deadline nothing does: a run that was ended is no hang.
    pub(crate) fn fails(
        &self,
        stage: &Stage<'_>,
        config: &Config,
        patience: Patience,
        text: &[u8],
        expected: &Expectation,
    ) -> Result<bool> {
        let judge = Judge {
            config,
            patience,
            ..Judge::of_finding(&self.lab, &self.finding, stage)
        };
        let verdict = judge.judge(text, expected)?;
        Ok(self.is_same_failure(&verdict) && !self.lab.is_late())
    }

    /// What a text should do under the finding's config, given what it does anywhere: it may
    /// have to access volatile variables as another compiler's build does. `None` if nobody
    /// can tell.
    pub(crate) fn expected_of(
        &self,
        stage: &Stage<'_>,
        patience: Patience,
        text: &[u8],
        expected: Expectation,
    ) -> Result<Option<Expectation>> {
        let Some(lead) = self.finding.config.to_compare_with() else {
            return Ok(Some(expected));
        };
        let judge = Judge {
            config: &lead,
            patience,
            ..Judge::of_finding(&self.lab, &self.finding, stage)
        };
        judge.recorded(text, &expected)
    }

    /// Whether a text fails under the very conditions of the finding.
    pub fn fails_as_found(&self, stage: &Stage<'_>, text: &[u8]) -> Result<bool> {
        let finding = &self.finding;
        let (config, patience) = (&finding.config, finding.patience);
        self.fails(stage, config, patience, text, &finding.expectation())
    }

    /// The text as the preprocessor leaves it; `None` if that fails.
    pub(crate) fn preprocessed(&self, text: &[u8]) -> Result<Option<Vec<u8>>> {
        // What libclang reads must not depend on the built-in macros of another compiler.
        let Some(clang) = newest_clang() else {
            return Ok(None);
        };
        let way = Way::plain(clang, Patience::default());
        self.lab.preprocess(&self.stage()?, text, &way)
    }

    /// The script that reproduces the failure by hand.
    pub(crate) fn script(&self) -> Result<String> {
        let path = self.directory.join(file::REPRO);
        fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    }
}
