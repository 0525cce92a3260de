//! Seeds that would do harm if they could: nothing outside their scratch directory
//! is touched, and nothing of them stays.

mod deep;

use crate::support::repository;
use mestra::lab::process::{Command, Ending, Limits, Output, missing_protection};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Runs `mestra mutate` on a seed of `tests/data/hostile`, which gets this argument.
fn mutate(name: &str, argument: &str) -> Output {
    let out = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["mutate", "-n", "1", "-o"])
        .arg(out.path())
        .args(["--arg", argument])
        .arg(repository().join("tests/data/hostile").join(name))
        .limits(Limits {
            wall: Duration::from_secs(120),
            // It is to count them itself.
            processes: 5000,
            ..Limits::default()
        })
        .run()
        .expect("mestra starts")
}

/// How many processes have this word on their command lines.
fn count(word: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let has_word = |line: &Vec<u8>| line.split(|&byte| byte == 0).any(|w| w == word.as_bytes());
    lines.filter(has_word).count()
}

fn said(outcome: &Output) -> String {
    String::from_utf8_lossy(&outcome.stderr).into_owned()
}

#[test]
fn an_eraser_erases_nothing() {
    if missing_protection().is_some() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let kept = directory.path().join("kept");
    fs::write(&kept, "text").unwrap();
    let outcome = mutate("eraser.c", directory.path().to_str().unwrap());
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", said(&outcome));
    assert_eq!(fs::read(&kept).unwrap(), b"text");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_signaller_ends_nobody() {
    if missing_protection().is_some() {
        return;
    }
    let mut other = std::process::Command::new("sleep")
        .arg("600")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let outcome = mutate("signaller.c", &other.id().to_string());
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", said(&outcome));
    assert!(other.try_wait().unwrap().is_none());
    let _ = other.kill();
    let _ = other.wait();
}

#[test]
fn a_daemon_does_not_outlive_the_command() {
    let word = "daemon-of-a-test";
    let outcome = mutate("daemon.c", word);
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", said(&outcome));
    assert_eq!(count(word), 0);
}

#[test]
fn a_fork_bomb_is_put_out() {
    let word = "bomb-of-a-test";
    let outcome = mutate("bomb.c", word);
    assert_eq!(outcome.ending, Ending::Exited(3), "{}", said(&outcome));
    assert!(said(&outcome).contains("processes"), "{}", said(&outcome));
    assert_eq!(count(word), 0);
}

#[test]
fn a_compiler_leaves_no_process_behind() {
    let directory = tempfile::tempdir().unwrap();
    let word = "600.25";
    let script =
        format!("#!/bin/sh\n(cd /; setsid sleep {word} >/dev/null 2>&1 &)\nexec gcc \"$@\"\n");
    let compiler = crate::support::executable(&directory.path().join("gcc-daemon"), &script);
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["mutate", "-n", "1", "-o"])
        .arg(directory.path())
        .arg("--profile-compiler")
        .arg(compiler)
        .arg(Path::new("corpora/statement_forms.c"))
        .directory(repository())
        .run()
        .unwrap();
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", said(&outcome));
    assert_eq!(count(word), 0);
}
