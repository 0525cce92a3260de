//! What a campaign survives: being killed, interrupted, short of room.

use super::{
    LIVE, Place, SEED, VARIANT, campaign, ends_with, files, results, rows, store, with_findings,
};
use crate::support::{is_gone_soon, signal};
use rand::{Rng, SeedableRng};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(out: &Path, arguments: &[String]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["campaign", "--no-reduce", "--out"])
        .arg(out)
        .args(LIVE)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn run(out: &Path, arguments: &[String]) -> mestra::lab::process::Output {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    campaign(out, &words)
}

/// The scratch directory that a campaign notes down, once it has.
fn scratch_of(out: &Path) -> Option<PathBuf> {
    let note = std::fs::read_to_string(out.join("scratch")).ok()?;
    Some(note.into())
}

#[test]
fn a_campaign_that_is_killed_finds_the_same() {
    is_the_same_if_killed(2, 5);
}

#[test]
#[ignore = "long"]
fn a_campaign_that_is_killed_two_hundred_times_finds_the_same() {
    is_the_same_if_killed(3, 200);
}

fn is_the_same_if_killed(seeds: u32, times: u32) {
    let place = Place::new();
    let arguments = with_findings(&place, seeds);
    let undisturbed = place.path("undisturbed");
    ends_with(&run(&undisturbed, &arguments), 2);
    let out = place.path("out");
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let resume = ["--resume".to_owned()];
    let mut begun = false;
    for _ in 0..times {
        let words = if begun { &resume[..] } else { &arguments[..] };
        let mut child = start(&out, words);
        std::thread::sleep(Duration::from_millis(rng.random_range(20..2000)));
        let was_running = child.try_wait().unwrap().is_none();
        if was_running {
            signal(&child, "-KILL");
        }
        child.wait().unwrap();
        if let Some(scratch) = scratch_of(&out) {
            assert!(is_gone_soon(&scratch), "{} is left", scratch.display());
        }
        begun = out.join("campaign.db").exists() && !rows_are_missing(&out);
        if !begun {
            // Killed before there was a campaign.
            let _ = std::fs::remove_dir_all(&out);
        }
    }
    let words = if begun { &resume[..] } else { &arguments[..] };
    ends_with(&run(&out, words), 2);
    assert_eq!(results(&out), results(&undisturbed));
    assert!(files(&out.join("findings")) == files(&undisturbed.join("findings")));
    let names: Vec<PathBuf> = std::fs::read_dir(&out)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// Whether the store has not got its tables yet.
fn rows_are_missing(out: &Path) -> bool {
    store(out).prepare("SELECT * FROM meta").is_err()
}

/// Waits until a campaign has begun a variant.
fn wait_for_variants(out: &Path) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        let is_there = out.join("campaign.db").exists() && !rows_are_missing(out);
        if is_there && !rows(out, "SELECT number FROM variants").is_empty() {
            std::thread::sleep(Duration::from_millis(300));
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no variant is begun");
}

/// The words for a campaign of one seed whose compiler takes its time.
fn slowly(place: &Place) -> [String; 11] {
    let slow = place.fake("gcc-slow", "gcc", VARIANT, "sleep 5");
    let seed = place.write("seed.c", SEED);
    [
        "--seeds",
        seed.to_str().unwrap(),
        "--compiler",
        &slow,
        "--flag-set=-O0",
        "-n",
        "9",
        "--jobs",
        "1",
        "--profile-probability",
        "1",
    ]
    .map(String::from)
}

fn finished(out: &Path) -> u32 {
    let count = "SELECT count(*) FROM variants WHERE finished IS NOT NULL";
    rows(out, count)[0].parse().unwrap()
}

#[test]
fn interrupted_once_it_saves_and_twice_it_stops_at_once() {
    let place = Place::new();
    let words = slowly(&place);
    let out = place.path("once");
    let mut child = start(&out, &words);
    wait_for_variants(&out);
    let scratch = scratch_of(&out).unwrap();
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(is_gone_soon(&scratch));
    let saved = finished(&out);
    assert!((1..9).contains(&saved), "{saved}");

    let out = place.path("twice");
    let mut child = start(&out, &words);
    wait_for_variants(&out);
    let scratch = scratch_of(&out).unwrap();
    let asked = Instant::now();
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        asked.elapsed() < Duration::from_secs(4),
        "{:?}",
        asked.elapsed()
    );
    assert!(is_gone_soon(&scratch));
    assert_eq!(rows(&out, "PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn under_nohup_it_outlives_the_terminal() {
    let place = Place::new();
    let out = place.path("out");
    let mut child = Command::new("nohup")
        .arg(env!("CARGO_BIN_EXE_mestra"))
        .args(["campaign", "--no-reduce", "--out"])
        .arg(&out)
        .args(LIVE)
        .args(slowly(&place))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_variants(&out);
    signal(&child, "-HUP");
    // The first request is this one, so what is in flight is finished.
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(finished(&out) >= 1);
}

#[test]
fn a_full_disk_is_a_clear_error_and_the_store_stays_whole() {
    let place = Place::new();
    let arguments = with_findings(&place, 2);
    let live = LIVE.map(String::from);
    let quoted: Vec<String> = arguments
        .iter()
        .chain(&live)
        .map(|word| format!("'{word}'"))
        .collect();
    let (small, saved) = (place.path("small"), place.path("saved"));
    std::fs::create_dir_all(&small).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=200k tmpfs {small} || exit 99\n\
         {mestra} campaign --out {small}/out {words}\n\
         status=$?\ncp -r {small}/out {saved}\nexit $status",
        small = small.display(),
        saved = saved.display(),
        mestra = env!("CARGO_BIN_EXE_mestra"),
        words = quoted.join(" "),
    );
    let in_own_mounts = |option: &str| {
        let output = Command::new("unshare")
            .args([option, "sh", "-c", &script])
            .output();
        let output = output.expect("unshare is part of every Linux");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let mut ended = in_own_mounts("-m");
    if ended.0 != Some(1) {
        ended = in_own_mounts("-rm");
    }
    let (status, said) = ended;
    assert_eq!(status, Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    let is_clear = last.contains("full") || last.contains("No space left");
    assert!(last.starts_with("mestra: ") && is_clear, "{said}");
    assert_eq!(rows(&saved, "PRAGMA integrity_check"), ["ok"]);

    // With room again, it goes on to the same end.
    let undisturbed = place.path("undisturbed");
    ends_with(&run(&undisturbed, &arguments), 2);
    ends_with(&run(&saved, &["--resume".to_owned()]), 2);
    assert_eq!(results(&saved), results(&undisturbed));
}

#[test]
fn a_directory_that_cannot_be_written_or_is_in_use_is_a_clear_error() {
    let place = Place::new();
    let file = place.write("file", "");
    let outcome = campaign(&file.join("out"), &[]);
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(
        said.contains("making the directory") && said.lines().count() == 1,
        "{said}"
    );

    let out = place.path("out");
    let words = with_findings(&place, 1);
    let mut first = start(&out, &words);
    let begun = Instant::now();
    while !out.join("scratch").exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let outcome = run(&out, &["--resume".to_owned()]);
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(said.contains("is in use by another campaign"), "{said}");
    signal(&first, "-TERM");
    assert_eq!(first.wait().unwrap().code(), Some(130));
    let outcome = run(&out, &words);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(said.contains("--resume"), "{said}");
    let outcome = run(
        &out,
        &["--resume".to_owned(), "-n".to_owned(), "7".to_owned()],
    );
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(said.contains("begun with other settings"), "{said}");
}

#[test]
fn a_campaign_ends_as_usual_though_nobody_reads_what_it_prints() {
    let place = Place::new();
    let out = place.path("out");
    let status = Command::new("bash")
        .args(["-c", "\"$0\" \"$@\" | true; exit ${PIPESTATUS[0]}"])
        .args([env!("CARGO_BIN_EXE_mestra"), "campaign", "--out"])
        .arg(&out)
        .args(LIVE)
        .args(with_findings(&place, 1))
        .args(["--reduce-time", "5s"])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(out.join("report.html").exists());
}

#[test]
fn names_may_be_odd() {
    let place = Place::new();
    place.write("l$(x) #y.c", SEED);
    let odd = OsStr::from_bytes(b"o\xff");
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args([
            "campaign",
            "--no-reduce",
            "--compiler",
            "tcc",
            "-n1",
            "--seeds",
        ])
        .arg(place.path("l$(x) #y.c"))
        .arg("--out")
        .arg(place.path("out").with_file_name(odd))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status.code(), Some(0), "{said}");
}
