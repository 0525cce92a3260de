//! Reducing texts, and the whole way from a finding to its report.

use super::fake::wrong_output;
use super::finding::{config, named, variant, write};
use crate::support::{clang, csmith, repository};
use mestra::hunt::finding::{REDUCED, Reduced};
use mestra::hunt::reduce::lines;
use mestra::hunt::triage::{Case, ReductionEvent, TriageOptions, Unreproducible, triage};
use mestra::lab::Lab;
use mestra::lab::process::{Command, Limits};
use mestra::variant::observer::Observer;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Prints what happens, which is seen if a test fails.
#[derive(Debug)]
struct Printer(Instant);

impl Observer<ReductionEvent> for Printer {
    fn observe(&self, event: &ReductionEvent) -> anyhow::Result<()> {
        println!("{:6.1} s {event:?}", self.0.elapsed().as_secs_f64());
        Ok(())
    }
}

pub(crate) fn work(directory: &Path, time: Duration) -> Result<Reduced, Unreproducible> {
    let options = TriageOptions {
        time,
        with_cvise: false,
        jobs: None,
        should_stop: &|| false,
        observer: &Printer(Instant::now()),
    };
    triage(&Case::open(Lab::default(), directory).unwrap(), &options).unwrap()
}

/// Runs the reduced finding's script with no other file around.
pub(crate) fn reproduces(finding: &Path) -> bool {
    in_an_empty_directory(finding, "repro.sh", &["repro.sh"])
}

/// Runs a script of `reduced/` where there is nothing but some files of it.
pub(super) fn in_an_empty_directory(finding: &Path, script: &str, files: &[&str]) -> bool {
    let empty = tempfile::tempdir().unwrap();
    for name in files {
        fs::copy(finding.join(REDUCED).join(name), empty.path().join(name)).unwrap();
    }
    let outcome = Command::new("sh")
        .arg(empty.path().join(script))
        .directory(empty.path())
        // Sanitizers need more than any limit.
        .limits(Limits {
            memory: None,
            ..Limits::default()
        })
        .run()
        .unwrap();
    println!(
        "{}{}",
        String::from_utf8_lossy(&outcome.stdout),
        String::from_utf8_lossy(&outcome.stderr)
    );
    outcome.ending.is_success()
}

/// Takes any C program with a certain word.
struct HasWord(&'static str);

impl mestra::hunt::reduce::Test for HasWord {
    fn seems(&self, text: &[u8]) -> anyhow::Result<bool> {
        let file = tempfile::NamedTempFile::with_suffix(".c")?;
        fs::write(file.path(), text)?;
        let words = ["-fsyntax-only", "-pedantic-errors"];
        let outcome = Command::new("gcc").args(words).arg(file.path()).run()?;
        let has_word = String::from_utf8_lossy(text).contains(self.0);
        Ok(has_word && outcome.ending.is_success())
    }

    fn holds(&self, _: &[u8]) -> anyhow::Result<bool> {
        Ok(true)
    }
}

#[test]
fn names_of_types_and_empty_statements_go() {
    let text = "typedef unsigned long inner; typedef inner outer;
        struct pair { outer one, two; };
        outer f(struct pair *p) { ; ; outer kept = p->one; if (kept) ; return kept; }
        int main(void) { struct pair p = { 1, 2 }; ; return f(&p); }";
    let reducer = mestra::hunt::reduce::Reducer {
        clang: &clang(),
        path: Path::new("test.c"),
        flags: &[],
        test: &HasWord("kept"),
        should_stop: &|| false,
        observer: &mestra::variant::observer::Unobserved,
    };
    let reduction = reducer.reduce(text.as_bytes(), None).unwrap();
    let text = String::from_utf8(reduction.text).unwrap();
    assert!(
        !text.contains("typedef") && !text.contains("outer"),
        "{text}"
    );
    assert!(!text.lines().any(|line| line.trim() == ";"), "{text}");
}

#[test]
fn a_finding_becomes_a_small_program_that_reproduces_alone() {
    let directory = tempfile::tempdir().unwrap();
    let (seed, variant) = variant(&repository().join("corpora/switch_fallthrough.c"), 1.0);
    let guilty = named(&variant)[0];
    let fake = wrong_output(directory.path(), "gcc", &[&format!("mestra_{guilty}_")]);
    let path = write(
        directory.path(),
        "f",
        &seed,
        Some(&variant),
        &config(&fake, &["-O1"]),
    );
    let reduced = work(&path, Duration::from_secs(300)).unwrap();
    assert_eq!(reduced.shrunk.unwrap().after, 1);
    let text = fs::read(path.join(REDUCED).join("reduced.c")).unwrap();
    println!("{}", String::from_utf8_lossy(&text));
    assert!(reduced.lines <= 8 && reduced.is_finished);
    assert!(reproduces(&path));
    let report = fs::read_to_string(path.join(REDUCED).join("report.md")).unwrap();
    println!("{report}");
    assert!(report.contains("## Expected") && report.contains("wrong"));
}

#[test]
#[ignore = "long"]
fn a_csmith_variant_of_2000_lines_becomes_small() {
    let directory = tempfile::tempdir().unwrap();
    let number: u32 = std::env::var("MESTRA_CSMITH").map_or(8, |n| n.parse().unwrap());
    let (seed, variant) = variant(&csmith(directory.path(), number), 0.1);
    let guilty = named(&variant)[3];
    let fake = wrong_output(directory.path(), "gcc", &[&format!("mestra_{guilty}_")]);
    let path = write(
        directory.path(),
        "f",
        &seed,
        Some(&variant),
        &config(&fake, &["-O1"]),
    );
    let begin = Instant::now();
    let reduced = work(&path, Duration::from_secs(300)).unwrap();
    let text = fs::read(path.join(REDUCED).join("reduced.c")).unwrap();
    println!(
        "{} lines became {} in {:.1} s and {} tests:\n{}",
        reduced.lines_before,
        reduced.lines,
        begin.elapsed().as_secs_f64(),
        reduced.tests,
        String::from_utf8_lossy(&text)
    );
    assert!(reduced.lines_before >= 2000 && lines(&text) < 30);
    assert!(reproduces(&path));
}
