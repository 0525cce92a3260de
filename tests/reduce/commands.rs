//! `mestra reduce` and `mestra report` as users meet them: bad input, failures that
//! are gone, Ctrl-C.

use super::fake::failing;
use super::finding::{config, variant, write, write_patiently};
use super::planted::{CRASH, campaign, plant};
use super::text::reproduces;
use crate::campaign::command;
use crate::support::signal;
use mestra::hunt::finding::Finding;
use mestra::hunt::finding::Reduced;
use mestra::lab::Patience;
use mestra::lab::process::Ending;
use mestra::source::seed::Seed;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

const SEED: &str = "#include <stdio.h>
static int half(int x) { return x / 2; }
static int guilty(int x) { int y = half(x); return y + 1; }
int main(void) {
    int i, sum = 0;
    for (i = 0; i < 9; i++) sum += guilty(i);
    printf(\"%d\\n\", sum);
    return 0;
}
";

fn seed(directory: &Path) -> Seed {
    let path = directory.join("seed.c");
    fs::write(&path, SEED).unwrap();
    Seed::read(&path, &[]).unwrap()
}

/// A finding of a compiler that crashes; the compiler is the second.
fn crash(directory: &Path) -> (PathBuf, PathBuf) {
    let body = "echo 'internal compiler error: in f, at g.cc:1' >&2; exit 1";
    let fake = failing(directory, "gcc-crash", "guilty", body);
    let finding = write(
        directory,
        "f",
        &seed(directory),
        None,
        &config(&fake, &["-O1"]),
    );
    (finding, fake)
}

/// How a command ends and what it says, on either stream.
fn said(arguments: &[&str]) -> (Ending, String) {
    let outcome = command(arguments).run().unwrap();
    let said = [outcome.stdout, outcome.stderr].concat();
    (outcome.ending, String::from_utf8(said).unwrap())
}

#[test]
fn what_is_no_finding_or_no_campaign_is_one_clear_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(path("empty")).unwrap();
    fs::create_dir(path("broken")).unwrap();
    fs::write(path("broken/finding.json"), "{").unwrap();
    fs::write(path("file"), "").unwrap();
    let now = path("now");
    campaign(Path::new(&now));
    let old = path("old");
    drop(campaign(Path::new(&old)));
    let store = rusqlite::Connection::open(path("old/campaign.db")).unwrap();
    store
        .execute("UPDATE meta SET value = '1' WHERE key = 'format'", [])
        .unwrap();
    for (words, what) in [
        (vec!["reduce", "no/such"], "no/such does not exist"),
        (
            vec!["reduce", &path("empty")],
            "is not a finding: it has no finding.json",
        ),
        (
            vec!["reduce", &path("file")],
            "is not a finding: it has no finding.json",
        ),
        (
            vec!["reduce", &path("broken")],
            "broken/finding.json is not a finding",
        ),
        (
            vec!["report", "no/such"],
            "no/such does not contain a campaign",
        ),
        (
            vec!["report", &path("empty")],
            "does not contain a campaign",
        ),
        (
            vec!["report", &old],
            "made by another version of mestra (format 1",
        ),
        (
            vec!["report", "--known", "no/such", &now],
            "no/such contains no findings",
        ),
        (
            vec!["report", "-o", &path("file"), &now],
            "making the directory",
        ),
    ] {
        let (ending, said) = said(&words);
        assert_eq!(ending, Ending::Exited(1), "{words:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
        assert!(said.contains(what), "{words:?}: {said}");
    }
    assert!(!Path::new("no").exists(), "asking has made it");
}

#[test]
fn a_failure_that_is_gone_is_said_so_with_the_script_that_shows_it() {
    let directory = tempfile::tempdir().unwrap();
    let (finding, fake) = crash(directory.path());
    fs::write(&fake, "#!/bin/sh\nexec gcc \"$@\"\n").unwrap();
    let (ending, text) = said(&["reduce", finding.to_str().unwrap()]);
    assert_eq!(ending, Ending::Exited(0), "{text}");
    assert!(
        text.contains("the failure is not reproducible any more"),
        "{text}"
    );
    assert!(text.contains("f/repro.sh by hand"), "{text}");
    let script = fs::read_to_string(finding.join("repro.sh")).unwrap();
    assert!(text.contains(&script), "{text}");
    assert!(!finding.join("reduced").exists());
    // Without its compiler nothing can be said.
    fs::remove_file(&fake).unwrap();
    let (ending, text) = said(&["reduce", finding.to_str().unwrap()]);
    assert_eq!(ending, Ending::Exited(4), "{text}");
    assert!(text.contains("gcc-crash of f was not found"), "{text}");
}

#[test]
fn a_seed_that_is_too_slow_for_a_profile_is_said_to_be() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    let slow = SEED.replace("return 0;", "usleep(500000); return 0;");
    fs::write(&path, format!("#include <unistd.h>\n{slow}")).unwrap();
    let (seed, variant) = variant(&path, 1.0);
    let body = "echo 'internal compiler error: in f, at g.cc:1' >&2; exit 1";
    let fake = failing(directory.path(), "gcc-crash", "mestra_[0-9]", body);
    let config = config(&fake, &["-O1"]);
    let finding = write(directory.path(), "f", &seed, Some(&variant), &config);
    // As if the campaign had waited for programs no longer than this.
    let mut impatient = Finding::read(&finding).unwrap();
    impatient.patience.run = Duration::from_millis(100);
    let json = serde_json::to_vec(&impatient).unwrap();
    fs::write(finding.join("finding.json"), json).unwrap();
    let (_, text) = said(&[
        "reduce",
        "--time",
        "20s",
        "--no-cvise",
        finding.to_str().unwrap(),
    ]);
    let told = "mutations are not simplified: the seed does not end within 0.1 s";
    assert!(text.contains(told), "{text}");
}

#[test]
fn a_finding_that_cannot_be_reduced_does_not_hold_up_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("campaign");
    drop(campaign(&out));
    let (finding, _) = crash(directory.path());
    let broken = out.join("findings/a");
    for (from, to) in [
        (&finding, out.join("findings/b")),
        (&finding, broken.clone()),
    ] {
        fs::create_dir(&to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    fs::remove_file(broken.join("seed.c")).unwrap();
    let names = ["a", "b"].map(|name| out.join("findings").join(name).display().to_string());
    let (ending, text) = said(&["reduce", "--no-cvise", &names[0], &names[1]]);
    assert_eq!(ending, Ending::Exited(1), "{text}");
    assert!(text.contains("findings/a: reading"), "{text}");
    assert!(reproduces(Path::new(&names[1])), "{text}");
    // A campaign stands for those of its findings that are left to do.
    plant(&out, 1, CRASH, 3);
    fs::remove_dir_all(&broken).unwrap();
    let (ending, text) = said(&["reduce", out.to_str().unwrap()]);
    assert_eq!(
        (ending, text.as_str()),
        (Ending::Exited(0), "nothing is left to reduce\n")
    );
}

#[test]
fn ctrl_c_leaves_what_was_reached_by_then() {
    let directory = tempfile::tempdir().unwrap();
    let fake = failing(directory.path(), "gcc-hangs", "guilty", "exec sleep 1000");
    let patience = Patience {
        compile: Duration::from_secs(2),
        ..Patience::default()
    };
    let finding = write_patiently(
        directory.path(),
        "f",
        &seed(directory.path()),
        None,
        &config(&fake, &["-O1"]),
        patience,
    );
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["reduce", finding.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.find(|line| line.as_ref().unwrap().contains(" after "));
    assert!(first.is_some(), "a pass has made it smaller");
    signal(&child, "-INT");
    let rest: Vec<String> = lines.map(|line| line.unwrap()).collect();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130), "{rest:?}");
    assert!(
        rest.last().unwrap().contains("before the interrupt"),
        "{rest:?}"
    );
    let reduced = Reduced::read(&finding).unwrap().unwrap();
    assert!(reduced.is_interrupted && !reduced.is_finished);
    assert!(reproduces(&finding));
    let left = fs::read_dir(&finding).unwrap();
    let left = left.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_str().unwrap().starts_with('.')
    });
    assert_eq!(left.count(), 0, "nothing half-written is left");
}
