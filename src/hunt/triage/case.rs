//! A finding that is being worked on: its texts, its config, and whether another text
//! fails in the same way.

use crate::error::ToolMissing;
use crate::hunt::campaign::judge::Judge;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Finding, Patience, file};
use crate::lab::process::{Command, Purpose};
use crate::lab::toolchain::{Behaviour, Config, Stage, is_executable, newest_clang};
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::replay::Record;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// While texts are reduced, a program that takes longer than this is assumed not to end:
/// loops often lose their increment.
pub(super) const SHORT_RUN: Duration = Duration::from_secs(1);

/// The same for compilers.
const SHORT_COMPILE: Duration = Duration::from_secs(20);

/// The same for compilers that are known to hang, which every test waits for.
const SHORT_HANG: Duration = Duration::from_secs(5);

/// A finding with what its directory holds.
#[derive(Debug)]
pub struct Case {
    pub directory: PathBuf,
    pub finding: Finding,
    pub seed: Seed,
    /// The text that fails.
    pub program: Vec<u8>,
    /// How it was made; `None` if the seed itself fails.
    pub record: Option<Record>,
    pub clang: Clang,
}

impl Case {
    pub fn open(directory: &Path) -> Result<Case> {
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
            Some(_) => Some(Record::read(&directory.join(file::RECORD))?),
            None => None,
        };
        Ok(Case {
            directory: directory.to_owned(),
            seed: finding.seed(directory)?,
            program: finding.program(directory)?,
            record,
            clang: Clang::load()?,
            finding,
        })
    }

    pub fn stage(&self) -> Result<Stage<'_>> {
        Stage::new(&self.seed, Purpose::Other)
    }

    /// The limits for candidates during reduction.
    pub fn patience(&self) -> Patience {
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
    pub fn is_same_failure(&self, verdict: &Verdict) -> bool {
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
    /// under a config.
    pub fn fails(
        &self,
        stage: &Stage<'_>,
        config: &Config,
        patience: Patience,
        text: &[u8],
        expected: &[Behaviour],
    ) -> Result<bool> {
        let judge = Judge {
            config,
            patience,
            ..Judge::of_finding(&self.finding, stage)
        };
        let verdict = judge.trial(text)?.verdict(expected, &config.runner);
        Ok(self.is_same_failure(&verdict))
    }

    /// Whether a text fails under the very conditions of the finding.
    pub fn fails_as_found(&self, stage: &Stage<'_>, text: &[u8]) -> Result<bool> {
        let finding = &self.finding;
        let (config, patience) = (&finding.config, finding.patience);
        self.fails(stage, config, patience, text, &finding.expected)
    }

    /// The text as the preprocessor leaves it; `None` if that fails.
    pub fn preprocessed(&self, text: &[u8]) -> Result<Option<Vec<u8>>> {
        // What libclang reads must not depend on the built-in macros of another compiler.
        let Some(clang) = newest_clang() else {
            return Ok(None);
        };
        let directory = crate::lab::scratch::directory().context("making a directory")?;
        let stage = self.stage()?;
        let source = stage.put(directory.path(), text)?;
        let outcome = Command::new(&clang.path)
            .directory(directory.path())
            .args(["-E", "-P", "-w"])
            .args(&stage.flags)
            .arg(source)
            .run()
            .context("starting a preprocessor")?;
        Ok(outcome.ending.is_success().then_some(outcome.stdout))
    }

    /// The script that reproduces the failure by hand.
    pub fn script(&self) -> Result<String> {
        let path = self.directory.join(file::REPRO);
        fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    }
}
