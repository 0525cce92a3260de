//! Ctrl-C: commands that end soon by themselves stop at once and leave nothing behind.

use crate::support::{executable, is_gone_soon, repository, signal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A compiler that notes where it works, and never ends if it is to compile.
fn sleeper(directory: &Path) -> PathBuf {
    let text = "#!/bin/sh\n\
                case \" $* \" in *' -c '*|*' -o '*) ;; *) exec gcc \"$@\" ;; esac\n\
                pwd > \"$0.tmp\" && mv \"$0.tmp\" \"$0.works\"\n\
                exec sleep 600\n";
    executable(&directory.join("gcc-asleep"), text)
}

#[track_caller]
fn stops_at_once(arguments: &[&str], option: &str, name: &str) {
    let directory = tempfile::tempdir().unwrap();
    let compiler = sleeper(directory.path());
    let mut child = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .args(["--seed-timeout", "300", option])
        .arg(&compiler)
        .current_dir(repository())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let workplace = loop {
        if let Ok(place) = std::fs::read_to_string(directory.path().join("gcc-asleep.works")) {
            break PathBuf::from(place.trim_end());
        }
        assert_eq!(child.try_wait().unwrap(), None, "{arguments:?}");
        assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?}");
        std::thread::sleep(Duration::from_millis(20));
    };
    let asked = Instant::now();
    signal(&child, name);
    let said = child.wait_with_output().unwrap();
    let took = asked.elapsed();
    assert_eq!(said.status.code(), Some(130), "{arguments:?}: {said:?}");
    assert!(said.stderr.is_empty(), "{arguments:?}: {said:?}");
    assert!(took < Duration::from_secs(10), "{arguments:?}: {took:?}");
    assert!(is_gone_soon(&workplace), "{}", workplace.display());
}

#[test]
fn profile_stops_at_once() {
    stops_at_once(
        &["profile", "corpora/dead_code.c"],
        "--profile-compiler",
        "-INT",
    );
}

#[test]
fn mutate_stops_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let seeds = ["corpora/dead_code.c", "corpora/dangling_else.c"];
    let arguments = ["mutate", seeds[0], seeds[1], "-o", out];
    stops_at_once(&arguments, "--profile-compiler", "-TERM");
    assert_eq!(std::fs::read_dir(out).unwrap().count(), 0);
}

#[test]
fn verify_stops_at_once() {
    let seed = "corpora/dead_code.c";
    stops_at_once(&["verify", seed, seed], "--compiler", "-TERM");
}
