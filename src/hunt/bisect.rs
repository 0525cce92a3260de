//! The commit that brought a defect: bisection over a compiler's git history.
//!
//! Revisions are built in a worktree of their own. What each one showed is kept with the
//! finding, so that a bisection that was interrupted goes on, and no revision is built twice.

use crate::hunt::bucket::BucketEntry;
use crate::hunt::defects::RetestOutcome;
use crate::hunt::finding::format;
use crate::hunt::retest::retest_one;
use crate::lab::files::write_whole;
use crate::lab::process::{Command, Limits, Output};
use crate::lab::toolchain::{Compiler, error_line};
use crate::lab::{Lab, scratch};
use crate::variant::observer::Observer;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What was learned of revisions, in a finding's directory.
const FILE: &str = "bisect.json";

/// Changes when older files can no longer be read.
const FORMAT: u32 = 1;

/// A build that takes longer does not count.
const LONGEST_BUILD: Duration = Duration::from_secs(2 * 3600);

/// What is bisected.
#[derive(Clone, Debug)]
pub struct History {
    /// The compiler's repository.
    pub git: PathBuf,
    /// A shell command that builds it in the current directory.
    pub build: String,
    /// What the build leaves, relative to that directory.
    pub compiler: PathBuf,
    /// A revision without the defect, and one that has it.
    pub good: String,
    pub bad: String,
}

/// What a revision makes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Revision {
    Good,
    Bad,
    /// It cannot be built, or fails in another way.
    Untestable,
}

/// A revision that was tried.
#[derive(Clone, Debug)]
pub struct TriedRevision {
    pub commit: String,
    pub revision: Revision,
    /// How many are left between the last good and the first bad one.
    pub left: usize,
}

/// The end of a bisection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Culprit {
    /// The first commit that has the defect.
    pub commit: String,
    pub subject: String,
    /// Those before it that nobody could test.
    pub untestable: Vec<String>,
}

/// The content of [`FILE`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Tested {
    revisions: BTreeMap<String, Revision>,
}

/// Finds the first commit that has the defect of a finding.
///
/// # Errors
/// If the history cannot be read, or its ends are not as they were said to be.
pub fn bisect(
    lab: &Lab,
    finding: &Path,
    history: &History,
    observer: &dyn Observer<TriedRevision>,
) -> Result<Culprit> {
    let mut work = Bisection::new(lab, finding, history)?;
    let range = format!("{}..{}", history.good, history.bad);
    let listed = work.git(&["rev-list", "--first-parent", "--reverse", &range])?;
    let commits: Vec<String> = listed.lines().map(str::to_owned).collect();
    ensure!(!commits.is_empty(), "there are no commits in {range}");
    let ends = [
        (&history.good, Revision::Good),
        (&history.bad, Revision::Bad),
    ];
    for (name, expected) in ends {
        let commit = work.git(&["rev-parse", &format!("{name}^{{commit}}")])?;
        let commit = commit.trim();
        let revision = work.ask(commit)?;
        ensure!(
            revision == expected,
            "{name} was said to be {} and is {}",
            expected.word(),
            revision.word()
        );
    }
    let (mut first_bad, mut after_good) = (commits.len() - 1, 0);
    // Between them only what nobody can test is left at the end.
    while let Some(at) = work.next(&commits, after_good, first_bad) {
        let revision = work.ask(&commits[at])?;
        match revision {
            Revision::Good => after_good = at + 1,
            Revision::Bad => first_bad = at,
            Revision::Untestable => {}
        }
        observer.observe(&TriedRevision {
            commit: commits[at].clone(),
            revision,
            left: first_bad - after_good,
        })?;
    }
    let commit = commits[first_bad].clone();
    let subject = work.git(&["log", "-1", "--format=%s", &commit])?;
    Ok(Culprit {
        subject: subject.trim().to_owned(),
        untestable: commits[after_good..first_bad].to_vec(),
        commit,
    })
}

impl Revision {
    fn word(self) -> &'static str {
        match self {
            Revision::Good => "good",
            Revision::Bad => "bad",
            Revision::Untestable => "untestable",
        }
    }
}

/// A bisection under way.
struct Bisection<'w> {
    lab: &'w Lab,
    history: &'w History,
    entry: BucketEntry,
    tested: Tested,
    /// Where revisions are built; the repository's own files stay as they are.
    tree: tempfile::TempDir,
    has_tree: bool,
}

impl<'w> Bisection<'w> {
    fn new(lab: &'w Lab, finding: &Path, history: &'w History) -> Result<Bisection<'w>> {
        let path = finding.join(FILE);
        let tested = if path.is_file() {
            format::read(&path, FORMAT, "a bisection")?
        } else {
            Tested::default()
        };
        Ok(Bisection {
            lab,
            history,
            entry: BucketEntry::read(finding.to_owned())?,
            tested,
            tree: scratch::directory().context("making a directory to build in")?,
            has_tree: false,
        })
    }

    /// The revision to ask next: the middle one, or the nearest to it that nobody has found
    /// untestable.
    fn next(&self, commits: &[String], after_good: usize, first_bad: usize) -> Option<usize> {
        let is_open = |at: &usize| {
            let known = self.tested.revisions.get(&commits[*at]);
            known != Some(&Revision::Untestable)
        };
        let middle = after_good + (first_bad - after_good) / 2;
        let open = (after_good..first_bad).filter(is_open);
        open.min_by_key(|at| at.abs_diff(middle))
    }

    fn ask(&mut self, commit: &str) -> Result<Revision> {
        if let Some(known) = self.tested.revisions.get(commit) {
            return Ok(*known);
        }
        let revision = self.build_and_try(commit)?;
        self.tested.revisions.insert(commit.to_owned(), revision);
        let json = format::to_json(&self.tested, FORMAT)?;
        write_whole(&self.entry.directory.join(FILE), &json)?;
        Ok(revision)
    }

    fn build_and_try(&mut self, commit: &str) -> Result<Revision> {
        let tree = self.tree.path().join("tree");
        let place = tree.display().to_string();
        if self.has_tree {
            self.git_in(
                &tree,
                &["checkout", "--quiet", "--force", "--detach", commit],
            )?;
            self.git_in(&tree, &["clean", "--quiet", "-fdx"])?;
        } else {
            self.git(&[
                "worktree", "add", "--quiet", "--force", "--detach", &place, commit,
            ])?;
            self.has_tree = true;
        }
        let command = Command::new("sh")
            .args(["-c", &self.history.build])
            .directory(&tree)
            .limits(limits(LONGEST_BUILD))
            .for_the_rest();
        let built = self.lab.run_tool(&command).context("starting a build")?;
        let path = tree.join(&self.history.compiler);
        let compiler = Compiler::find(&path.display().to_string());
        let (true, Ok(compiler)) = (built.ending.is_success(), compiler) else {
            return Ok(Revision::Untestable);
        };
        let tried = retest_one(self.lab, &self.entry, &compiler, commit)?;
        Ok(match tried.outcome {
            RetestOutcome::Fixed => Revision::Good,
            RetestOutcome::StillFails => Revision::Bad,
            RetestOutcome::OtherFailure | RetestOutcome::CannotBuild => Revision::Untestable,
        })
    }

    fn git(&self, words: &[&str]) -> Result<String> {
        self.git_in(&self.history.git, words)
    }

    fn git_in(&self, directory: &Path, words: &[&str]) -> Result<String> {
        let command = Command::new("git")
            .args(words)
            .directory(directory)
            .limits(limits(Duration::from_secs(600)))
            .for_the_rest();
        let output = self.lab.run_tool(&command).context("starting git")?;
        said(&output).with_context(|| format!("git {}", words.join(" ")))
    }
}

impl Drop for Bisection<'_> {
    fn drop(&mut self) {
        if self.has_tree {
            let tree = self.tree.path().join("tree").display().to_string();
            // What is left of it, git forgets by itself.
            let _ = self.git(&["worktree", "remove", "--force", &tree]);
        }
    }
}

fn limits(wall: Duration) -> Limits {
    Limits {
        wall,
        memory: None,
        output: usize::MAX,
        ..Limits::default()
    }
}

/// What a command printed, or its complaint.
fn said(output: &Output) -> Result<String> {
    if output.ending.is_success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    match error_line(&complaint) {
        Some(line) => bail!("{}", line.trim()),
        None => bail!("{}", output.ending),
    }
}
