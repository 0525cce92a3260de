//! Bisection over a git history whose every commit is a compiler.

use super::finding::{config, write};
use crate::campaign::command;
use crate::docs::schemas::fits;
use crate::support::executable;
use mestra::lab::process::Ending;
use mestra::source::seed::Seed;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn git(directory: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(words)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commit_that_brought_a_defect_is_found_and_nothing_is_built_twice() {
    let directory = tempfile::tempdir().unwrap();
    let repository = directory.path().join("tcc");
    fs::create_dir(&repository).unwrap();
    git(&repository, &["init", "--quiet"]);
    let compiler = |flags: &str| {
        let version = "case \"$*\" in --version | -v) exec tcc -v ;; esac";
        format!("#!/bin/sh\n{version}\nexec tcc {flags} \"$@\"\n")
    };
    for number in 0..12 {
        // One that cannot be built stands right before the culprit.
        let text = match number {
            0..6 => compiler(""),
            6 => "broken".to_owned(),
            _ => compiler("-DWRONG"),
        };
        fs::write(repository.join("source"), text).unwrap();
        fs::write(repository.join("number"), number.to_string()).unwrap();
        git(&repository, &["add", "."]);
        git(
            &repository,
            &["commit", "--quiet", "-m", &format!("change {number}")],
        );
    }
    let bad = executable(&directory.path().join("tcc-bad"), &compiler("-DWRONG"));
    let text = "#include <stdio.h>\nint main(void) {\n#ifdef WRONG\n    puts(\"wrong\");\n#endif\n    \
                puts(\"right\");\n    return 0;\n}\n";
    let path = directory.path().join("seed.c");
    fs::write(&path, text).unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let finding = write(directory.path(), "f", &seed, None, &config(&bad, &["-O0"]));
    let log = directory.path().join("log");
    let build = format!(
        "grep -q broken source && exit 1; cat number >>{log}; echo >>{log}; \
         cp source tcc-mine && chmod +x tcc-mine",
        log = log.display()
    );
    let run = |good: &str| {
        let arguments = [
            "bisect",
            finding.to_str().unwrap(),
            "--git",
            repository.to_str().unwrap(),
            "--build",
            &build,
            "--compiler",
            "tcc-mine",
            "--good",
            good,
        ];
        let outcome = command(&arguments).run().unwrap();
        let said = [outcome.stdout, outcome.stderr].concat();
        (outcome.ending, String::from_utf8(said).unwrap())
    };
    let built = || fs::read_to_string(&log).unwrap().lines().count();
    let (ending, said) = run("HEAD~11");
    assert_eq!(ending, Ending::Exited(0), "{said}");
    assert!(said.contains(" change 7\n"), "{said}");
    let broken = git(&repository, &["rev-parse", "HEAD~5"]);
    let told = format!("or one that could not be tested: {broken}");
    assert!(said.contains(&told), "{said}");
    fits(
        "bisect",
        &fs::read_to_string(finding.join("bisect.json")).unwrap(),
    );
    let first = built();
    assert!(first <= 6, "{first} builds");
    // Again, all of it is known.
    let (_, again) = run("HEAD~11");
    assert!(again.contains(" change 7\n"), "{again}");
    assert_eq!(built(), first);
    assert_eq!(git(&repository, &["worktree", "list"]).lines().count(), 1);
    let (ending, said) = run("HEAD~1");
    assert_eq!(ending, Ending::Exited(1));
    assert!(
        said.contains("HEAD~1 was said to be good and is bad"),
        "{said}"
    );
}

/// A compiler's history of two commits, of which the second brought a defect, and a finding of
/// it.
fn two_commits(directory: &Path) -> [String; 2] {
    let repository = directory.join("two");
    fs::create_dir(&repository).unwrap();
    git(&repository, &["init", "--quiet"]);
    let compiler = |flags: &str| {
        let version = "case \"$*\" in --version | -v) exec tcc -v ;; esac";
        format!("#!/bin/sh\n{version}\nexec tcc {flags} \"$@\"\n")
    };
    for (tag, flags) in [("v1", ""), ("v2", "-DWRONG")] {
        fs::write(repository.join("source"), compiler(flags)).unwrap();
        git(&repository, &["add", "."]);
        git(&repository, &["commit", "--quiet", "-m", tag]);
        git(&repository, &["tag", tag]);
    }
    let bad = executable(&directory.join("tcc-bad"), &compiler("-DWRONG"));
    let text = "#include <stdio.h>\nint main(void) {\n#ifdef WRONG\n    puts(\"wrong\");\n#endif\n    \
                puts(\"right\");\n    return 0;\n}\n";
    let path = directory.join("seed.c");
    fs::write(&path, text).unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let finding = write(directory, "f", &seed, None, &config(&bad, &["-O0"]));
    [finding, repository].map(|path| path.to_str().unwrap().to_owned())
}

const BUILD: &str = "cp source tcc-mine && chmod +x tcc-mine";

#[test]
fn an_end_that_cannot_be_tested_is_told_why_and_asked_again() {
    let directory = tempfile::tempdir().unwrap();
    let [finding, repository] = two_commits(directory.path());
    let run = |build: &str, compiler: &str| {
        let mut words = vec!["bisect", &finding, "--git", &repository, "--good", "v1"];
        words.extend(["--build", build, "--compiler", compiler]);
        let outcome = command(&words).run().unwrap();
        let said = [outcome.stdout, outcome.stderr].concat();
        (outcome.ending, String::from_utf8(said).unwrap())
    };
    let (ending, said) = run("echo no such thing >&2; exit 3", "tcc-mine");
    assert_eq!(ending, Ending::Exited(1));
    let told = "v1 cannot be tested: the build failed with exit status 3: no such thing";
    assert!(said.contains(told), "{said}");
    let (_, said) = run(BUILD, "tcc-nobody");
    let told = "v1 cannot be tested: the build leaves no program tcc-nobody";
    assert!(said.contains(told), "{said}");
    let (ending, said) = run(BUILD, "tcc-mine");
    assert_eq!(ending, Ending::Exited(0), "{said}");
    assert!(said.contains(" v2\n"), "{said}");
}

#[test]
fn an_interrupted_build_says_nothing_of_its_revision() {
    let directory = tempfile::tempdir().unwrap();
    let [finding, repository] = two_commits(directory.path());
    let begun = directory.path().join("begun");
    // The first time, the build takes for ever.
    let build = format!(
        "[ -e {0} ] || {{ touch {0}; sleep 60; }}; {BUILD}",
        begun.display()
    );
    let bisect = || {
        let mut words = vec!["bisect", &finding, "--git", &repository, "--good", "v1"];
        words.extend(["--build", &build, "--compiler", "tcc-mine"]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_mestra"));
        command.args(words).stderr(Stdio::null());
        command
    };
    let mut child = bisect().stdout(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !begun.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no build begins");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!Path::new(&finding).join("bisect.json").exists());
    let output = bisect().output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(" v2\n"), "{said}");
    // Nor does the interrupted one leave its worktree in the repository.
    let trees = git(Path::new(&repository), &["worktree", "list"]);
    assert_eq!(trees.lines().count(), 1, "{trees}");
}
