//! The commit that brought a defect: bisection over a compiler's git history.
//!
//! Revisions are built in a worktree of their own. What each one showed is kept with the
//! finding, so that a bisection that was interrupted goes on, and no revision is built twice.
//! That one could not be tested is kept only for the same build, and never of the two ends:
//! there, it is most likely a mistake of the command line.

use crate::hunt::bucket::BucketEntry;
use crate::hunt::defects::RetestOutcome;
use crate::hunt::retest::retest_one;
use crate::lab::files::write_whole;
use crate::lab::format;
use crate::lab::process::{Command, Limits, Output};
use crate::lab::toolchain::{Compiler, error_line};
use crate::lab::{Lab, scratch};
use crate::variant::observer::Observer;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What was learned of revisions, in a finding's directory.
const FILE: &str = "bisect.json";

/// Changes when older files can no longer be read.
const FORMAT: u32 = 1;

/// The worktree in a scratch directory.
const TREE: &str = "tree";

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
    /// Why it cannot be tested, if that was found out now.
    pub problem: Option<String>,
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
    /// How they were built; older files do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    build: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compiler: Option<PathBuf>,
    revisions: BTreeMap<String, Revision>,
}

impl Tested {
    /// What still holds for a build: what could not be tested may be so now if it is built
    /// otherwise, while a program that was right or wrong stays so.
    fn under(mut self, history: &History) -> Tested {
        let is_same = self.build.as_ref() == Some(&history.build)
            && self.compiler.as_ref() == Some(&history.compiler);
        if !is_same {
            let is_telling = |_: &String, kept: &mut Revision| *kept != Revision::Untestable;
            self.revisions.retain(is_telling);
        }
        self.build = Some(history.build.clone());
        self.compiler = Some(history.compiler.clone());
        self
    }
}

/// A revision just tried, and why it cannot be tested if so.
struct Answered {
    revision: Revision,
    problem: Option<String>,
}

impl Answered {
    fn untestable(problem: String) -> Answered {
        Answered {
            revision: Revision::Untestable,
            problem: Some(problem),
        }
    }
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
        let Answered { revision, problem } = work.ask_end(commit)?;
        if let Some(problem) = problem {
            bail!("{name} cannot be tested: {problem}");
        }
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
        let Answered { revision, problem } = work.ask(&commits[at])?;
        match revision {
            Revision::Good => after_good = at + 1,
            Revision::Bad => first_bad = at,
            Revision::Untestable => {}
        }
        observer.observe(&TriedRevision {
            commit: commits[at].clone(),
            revision,
            problem,
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
        let bisection = Bisection {
            lab,
            history,
            entry: BucketEntry::read(finding.to_owned())?,
            tested: tested.under(history),
            tree: scratch::directory().context("making a directory to build in")?,
            has_tree: false,
        };
        bisection.forget_trees()?;
        Ok(bisection)
    }

    /// Takes the worktrees out of the repository that bisections left there which could not
    /// clean up: an alarm lets nothing be started any more, not even git. Other worktrees
    /// that are gone stay: their disk may only be elsewhere today.
    fn forget_trees(&self) -> Result<()> {
        let listed = self.git(&["worktree", "list", "--porcelain"])?;
        for tree in listed
            .lines()
            .filter_map(|line| line.strip_prefix("worktree "))
        {
            if is_left_tree(Path::new(tree)) {
                // Twice, since git locks one that it is just making.
                self.git(&["worktree", "remove", "--force", "--force", tree])?;
            }
        }
        Ok(())
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

    fn ask(&mut self, commit: &str) -> Result<Answered> {
        if let Some(known) = self.tested.revisions.get(commit) {
            return Ok(Answered {
                revision: *known,
                problem: None,
            });
        }
        let tried = self.build_and_try(commit)?;
        self.keep(commit, tried.revision)?;
        Ok(tried)
    }

    /// Asks one of the two that everything rests on, again if it could not be tested.
    fn ask_end(&mut self, commit: &str) -> Result<Answered> {
        match self.tested.revisions.get(commit) {
            Some(Revision::Good | Revision::Bad) => return self.ask(commit),
            Some(Revision::Untestable) | None => {}
        }
        let tried = self.build_and_try(commit)?;
        if tried.revision != Revision::Untestable {
            self.keep(commit, tried.revision)?;
        }
        Ok(tried)
    }

    fn keep(&mut self, commit: &str, revision: Revision) -> Result<()> {
        self.tested.revisions.insert(commit.to_owned(), revision);
        let json = format::to_json(&self.tested, FORMAT)?;
        write_whole(&self.entry.directory.join(FILE), &json)
    }

    fn build_and_try(&mut self, commit: &str) -> Result<Answered> {
        let tree = self.tree.path().join(TREE);
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
            .limits(limits(LONGEST_BUILD));
        // An interrupted build is an error and says nothing of the revision.
        let built = self.lab.run_tool(&command).context("starting a build")?;
        let path = tree.join(&self.history.compiler);
        let compiler = Compiler::find(&path.display().to_string());
        if !built.ending.is_success() {
            return Ok(Answered::untestable(build_problem(&built)));
        }
        let Ok(compiler) = compiler else {
            let name = self.history.compiler.display();
            let problem = format!("the build leaves no program {name}");
            return Ok(Answered::untestable(problem));
        };
        let tried = retest_one(self.lab, &self.entry, &compiler, commit)?;
        let revision = match tried.outcome {
            RetestOutcome::Fixed => Revision::Good,
            RetestOutcome::StillFails => Revision::Bad,
            RetestOutcome::OtherFailure | RetestOutcome::CannotBuild => Revision::Untestable,
        };
        Ok(Answered {
            problem: (revision == Revision::Untestable)
                .then(|| tried.reason.unwrap_or_else(|| "it fails otherwise".into())),
            revision,
        })
    }

    fn git(&self, words: &[&str]) -> Result<String> {
        self.git_in(&self.history.git, words)
    }

    fn git_in(&self, directory: &Path, words: &[&str]) -> Result<String> {
        let command = Command::new("git")
            .args(words)
            .directory(directory)
            .limits(limits(Duration::from_secs(600)));
        let output = self.lab.run_tool(&command).context("starting git")?;
        said(&output).with_context(|| format!("git {}", words.join(" ")))
    }
}

impl Drop for Bisection<'_> {
    fn drop(&mut self) {
        if self.has_tree {
            let tree = self.tree.path().join(TREE).display().to_string();
            // After an alarm it stays registered until the next bisection.
            let _ = self.git(&["worktree", "remove", "--force", &tree]);
        }
    }
}

/// A compiler is built by many processes, and with its debugging information it is large.
fn limits(wall: Duration) -> Limits {
    Limits {
        wall,
        memory: None,
        output: usize::MAX,
        file: 1 << 40,
        processes: 1 << 16,
        ..Limits::default()
    }
}

/// Whether a worktree was one of ours, as [`scratch`] names them, and is gone.
fn is_left_tree(tree: &Path) -> bool {
    let parent = tree.parent().and_then(Path::file_name);
    let is_ours =
        parent.is_some_and(|name| name.as_bytes().starts_with(scratch::PREFIX.as_bytes()));
    is_ours && tree.file_name() == Some(OsStr::new(TREE)) && !tree.exists()
}

/// How a build ended, with the last that it said.
fn build_problem(built: &Output) -> String {
    let said = [&built.stdout, &built.stderr].map(|said| String::from_utf8_lossy(said));
    let lines = said.iter().rev().flat_map(|said| said.lines().rev());
    let mut lines = lines.map(str::trim).filter(|line| !line.is_empty());
    match lines.next() {
        Some(last) => format!("the build failed with {}: {last}", built.ending),
        None => format!("the build failed with {}", built.ending),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::process::Ending;

    fn history(build: &str) -> History {
        History {
            git: PathBuf::new(),
            build: build.into(),
            compiler: "cc".into(),
            good: String::new(),
            bad: String::new(),
        }
    }

    #[test]
    fn what_could_not_be_tested_is_forgotten_with_another_build() {
        // As earlier versions wrote it.
        let text = r#"{"revisions": {"a": "good", "b": "untestable"}}"#;
        let older: Tested = serde_json::from_str(text).unwrap();
        let mut now = older.under(&history("make"));
        assert_eq!(now.revisions.keys().collect::<Vec<_>>(), ["a"]);
        now.revisions.insert("c".into(), Revision::Untestable);
        let same = now.under(&history("make"));
        assert_eq!(same.revisions.len(), 2);
        assert_eq!(same.under(&history("make -j2")).revisions.len(), 1);
    }

    #[test]
    fn a_failed_build_is_told_with_its_status_and_last_line() {
        let built = |stdout: &str, stderr: &str| Output {
            ending: Ending::Exited(2),
            stdout: stdout.into(),
            stderr: stderr.into(),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak: 0,
        };
        let failed = "the build failed with exit status 2";
        assert_eq!(build_problem(&built("", "")), failed);
        let told = build_problem(&built("cc a.c\n", "a.c: no\nmake: *** [a]\n\n"));
        assert_eq!(told, format!("{failed}: make: *** [a]"));
        assert_eq!(build_problem(&built("x\n", "")), format!("{failed}: x"));
    }

    #[test]
    fn only_worktrees_of_bisections_that_are_gone_are_left_over() {
        assert!(is_left_tree(Path::new("/nowhere/mestra-a1b2/tree")));
        assert!(!is_left_tree(Path::new("/nowhere/elsewhere/tree")));
        assert!(!is_left_tree(Path::new("/nowhere/mestra-a1b2/work")));
        let kept = tempfile::Builder::new()
            .prefix("mestra-")
            .tempdir()
            .unwrap();
        std::fs::create_dir(kept.path().join(TREE)).unwrap();
        assert!(!is_left_tree(&kept.path().join(TREE)));
    }
}
