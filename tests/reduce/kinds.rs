//! Every way to fail, from the finding's directory by `mestra reduce` to a small
//! program, a report and a script that shows it alone.

use super::fake::{adding, failing};
use super::finding::{config, variant, write_patiently};
use super::text::{in_an_empty_directory, reproduces};
use crate::campaign::command;
use mestra::hunt::finding::verdict::VerdictKind;
use mestra::hunt::finding::{REDUCED, Reduced};
use mestra::lab::Patience;
use mestra::lab::process::Ending;
use mestra::source::seed::Seed;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is wrong is the function `guilty`.
const SEED: &str = "#include <stdio.h>
static int total;
static int twice(int x) {
    int y = x + x;
    if (y > 2)
        total++;
    return y;
}
static int guilty(int x) { return twice(x) - x; }
int main(void) {
    int i, sum = 0;
    for (i = 0; i < 3; i++)
        sum += guilty(i);
    printf(\"%d %d\\n\", sum, total);
    return 0;
}
";

/// Short, since some of the fakes are waited for in every test that finds them guilty.
fn patience() -> Patience {
    Patience {
        compile: Duration::from_millis(1500),
        run: Duration::from_millis(700),
        compile_memory: 256 << 20,
        ..Patience::default()
    }
}

/// Reduces the finding of [`SEED`] with a compiler, and looks at all that comes of it.
fn reduced(directory: &Path, compiler: &Path, kind: VerdictKind) -> (PathBuf, Reduced) {
    let path = directory.join("seed.c");
    fs::write(&path, SEED).unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let config = config(compiler, &["-O1"]);
    let finding = write_patiently(directory, "f", &seed, None, &config, patience());
    let reduced = reduce(&finding, kind);
    (finding, reduced)
}

/// Reduces a finding with the command.
fn reduce(finding: &Path, kind: VerdictKind) -> Reduced {
    let name = finding.to_str().unwrap();
    let outcome = command(&["reduce", "--no-cvise", "--time", "5m", name])
        .run()
        .unwrap();
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.ending, Ending::Exited(2), "{said}{complaints}");
    let reduced = Reduced::read(finding).unwrap().unwrap();
    assert_eq!(reduced.finding.verdict.kind, kind, "{said}");
    assert!(reduced.is_finished && reduced.lines <= 8, "{said}");
    assert!(reproduces(finding), "{kind}");
    let of = |name: &str| fs::read_to_string(finding.join(REDUCED).join(name)).unwrap();
    let small = ["interesting.sh", "reduced.c"];
    assert!(
        in_an_empty_directory(finding, "interesting.sh", &small),
        "{kind}: {}{}",
        of("interesting.sh"),
        of("reduced.c")
    );
    // With the real compiler nothing is wrong.
    let right = of("repro.sh").replace("cc=${CC:-", "cc=gcc # ");
    fs::write(finding.join(REDUCED).join("right.sh"), right).unwrap();
    assert!(!in_an_empty_directory(finding, "right.sh", &["right.sh"]));
    let report = of("report.md");
    for part in [
        "## Program",
        "## Expected",
        "## Actual",
        "## Where it fails",
    ] {
        assert!(report.contains(part), "{report}");
    }
    assert!(
        !report.contains(finding.parent().unwrap().to_str().unwrap()),
        "{report}"
    );
    reduced
}

#[test]
fn a_crash_of_a_compiler_becomes_small() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    fs::write(&path, SEED).unwrap();
    let (seed, variant) = variant(&path, 1.0);
    let body =
        "echo \"$source:1:2: internal compiler error: in fake_pass, at fake.cc:12\" >&2; exit 1";
    let fake = failing(directory.path(), "gcc-crash", "mestra_[0-9]*_", body);
    let config = config(&fake, &["-O1"]);
    let finding = write_patiently(
        directory.path(),
        "f",
        &seed,
        Some(&variant),
        &config,
        patience(),
    );
    let reduced = reduce(&finding, VerdictKind::CompilerCrash);
    assert_eq!(reduced.shrunk.unwrap().after, 1);
    let report = fs::read_to_string(finding.join("reduced/report.md")).unwrap();
    let title = "# gcc-crash -O1 crashes: in fake_pass, at fake.cc:12\n";
    assert!(report.starts_with(title), "{report}");
    assert!(
        report.contains("reduced.c:1:2: internal compiler error"),
        "{report}"
    );
    assert!(report.contains("trusted compilers accept it"), "{report}");
}

#[test]
fn crashes_without_a_word_become_small() {
    for (body, signature) in [
        ("kill -SEGV $$", "SIGSEGV"),
        ("exit 0", "success without a result"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let fake = failing(directory.path(), "gcc-mute", "guilty", body);
        let (_, reduced) = reduced(directory.path(), &fake, VerdictKind::CompilerCrash);
        assert_eq!(reduced.finding.verdict.signature, signature);
    }
}

#[test]
fn a_rejection_becomes_small_and_stays_the_same_one() {
    let directory = tempfile::tempdir().unwrap();
    // Another complaint about almost any other text.
    let body = "case $(cat \"$source\") in *main*) ;; *) echo 'error: no main' >&2; exit 1 ;; esac
        echo \"$source:1:2: error: 'guilty' is bad\" >&2; exit 1";
    let fake = failing(directory.path(), "gcc-rejects", "guilty", body);
    let (finding, reduced) = reduced(directory.path(), &fake, VerdictKind::Rejected);
    assert_eq!(reduced.finding.verdict.signature, "'…' is bad");
    let report = fs::read_to_string(finding.join("reduced/report.md")).unwrap();
    assert!(report.contains("The program is valid"), "{report}");
}

#[test]
fn compilers_that_hang_or_take_all_memory_become_small() {
    for (body, kind) in [
        ("exec sleep 1000", VerdictKind::CompilerHang),
        ("exec tail /dev/zero", VerdictKind::CompilerMemory),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let fake = failing(directory.path(), "gcc-endless", "guilty", body);
        reduced(directory.path(), &fake, kind);
    }
}

#[test]
fn programs_that_crash_hang_or_print_too_much_become_small() {
    let at = |when: &str, what: &str| {
        format!("__attribute__(({when})) static void added(void) {{ {what} }}")
    };
    for (lines, kind) in [
        (
            at("constructor", "__builtin_abort();"),
            VerdictKind::RunCrash,
        ),
        (
            at(
                "constructor",
                "extern unsigned sleep(unsigned); sleep(1000);",
            ),
            VerdictKind::RunHang,
        ),
        (
            at("destructor", "__builtin_puts(\"more\");"),
            VerdictKind::WrongOutput,
        ),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let fake = adding(directory.path(), "gcc-adds", &[("guilty", &lines)]);
        reduced(directory.path(), &fake, kind);
    }
}

#[test]
fn a_wrong_output_does_not_become_another_defect_with_a_wrong_status() {
    let directory = tempfile::tempdir().unwrap();
    let at_the_end =
        |what: &str| format!("__attribute__((destructor)) static void added(void) {{ {what} }}");
    let defects = [
        ("guilty", at_the_end("__builtin_puts(\"more\");")),
        ("main", at_the_end("extern void _exit(int); _exit(3);")),
    ];
    let defects = defects
        .each_ref()
        .map(|(shape, lines)| (*shape, lines.as_str()));
    let fake = adding(directory.path(), "gcc-adds", &defects);
    let (finding, _) = reduced(directory.path(), &fake, VerdictKind::WrongOutput);
    let small = fs::read_to_string(finding.join(REDUCED).join("reduced.c")).unwrap();
    assert!(small.contains("guilty"), "{small}");
}
