//! Campaigns: fake compilers that fail in every way, campaigns that are killed,
//! divided and short of room, and what must come out all the same.

mod chained;
mod compile_only;
mod drawn;
mod fakes;
mod faults;
mod features;
mod findings;
mod instances;
mod merging;
mod mirror;
mod open;
mod oracles;
mod real;
mod shards;
mod two_files;
mod usual;

use crate::support::executable;
use mestra::lab::process::{Command, Limits, Output};
use rusqlite::Connection;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A seed that compilers can be told to get wrong, by macros.
pub(crate) const SEED: &str = r#"#include <stdio.h>
#include <stdlib.h>
#ifndef ADD
#define ADD(a, b) ((a) + (b))
#endif
static int calls, total;
static int first(void)
{
    int mine = calls;
    calls++;
    total += 3;
    if (mine >= 0)
        total ^= 1;
    return 10;
}
static int second(void)
{
    int mine = calls;
    calls++;
    total += 3;
    if (mine >= 0)
        total ^= 1;
    return 20;
}
int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 4; i++) {
        sum += ADD(first(), second());
        if (i & 1)
            sum += total;
    }
#ifdef WRONG
    sum++;
#endif
#ifdef CRASH
    abort();
#endif
#ifdef HANG
    for (;;)
        ;
#endif
    printf("sum = %d\n", sum);
    return 0;
}
"#;

/// A directory with everything that a test makes.
pub(crate) struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A script that is given the words of a compiler. `$source` is the C file among
    /// them, if there is one; on the texts that `when` matches, `body` is run, and
    /// otherwise the real compiler.
    pub(crate) fn fake(&self, name: &str, real: &str, when: &str, body: &str) -> String {
        let script = format!(
            "#!/bin/sh\n\
             here={}\n\
             case \"$*\" in --version) echo \"fake 1.0 of {real}\"; exit 0;; esac\n\
             source=\n\
             for word; do case $word in *.c) source=$word;; esac; done\n\
             if [ -n \"$source\" ] && grep -q '{when}' \"$source\"; then\n{body}\nfi\n\
             exec {real} \"$@\"\n",
            self.directory.path().display()
        );
        let path = executable(&self.path(&format!("bin/{name}")), &script);
        path.to_str().unwrap().to_owned()
    }
}

/// What only variants of [`SEED`] have, and all texts of it have.
pub(crate) const VARIANT: &str = "mestra_[0-9]";
pub(crate) const ANY: &str = "static int calls";

pub(crate) fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .limits(Limits {
            wall: Duration::from_secs(900),
            // Sanitizers need more than any limit.
            memory: None,
            ..Limits::default()
        })
}

/// Live mutations of every kind, so that every variant has names of ours; none is chained, since
/// which ones are depends on the seed's text.
pub(crate) const LIVE: [&str; 6] = ["--strategy", "hermes", "--swarm", "false", "--chained", "0"];

/// Runs a campaign with its output in `out`.
pub(crate) fn campaign(out: &Path, arguments: &[&str]) -> Output {
    let mut all = vec!["campaign", "--no-reduce", "--out", out.to_str().unwrap()];
    let says = |word| arguments.contains(&word);
    if says("--chained") {
        all.extend(LIVE.iter().take(4).filter(|_| !says("--strategy")));
    } else if !says("--strategy") {
        all.extend(LIVE);
    } else if !says("--resume") {
        all.extend(["--chained", "0"]);
    }
    all.extend_from_slice(arguments);
    command(&all).run().expect("mestra starts")
}

/// The words for a campaign with findings, on so many seeds and quick compilers.
pub(crate) fn with_findings(place: &Place, seeds: u32) -> Vec<String> {
    for number in 0..seeds {
        let text = SEED.replace("i < 4", &format!("i < {}", 4 + number));
        place.write(&format!("seeds/seed{number}.c"), &text);
    }
    let wrong = place.fake("tcc-wrong", "tcc", VARIANT, "exec tcc -DWRONG \"$@\"");
    let seeds = place.path("seeds");
    let words = [
        "--seeds",
        seeds.to_str().unwrap(),
        "--compiler",
        "tcc",
        "--compiler",
        &wrong,
        "-n",
        "2",
        "--profile-probability",
        "1",
    ];
    words.map(String::from).to_vec()
}

pub(crate) fn store(out: &Path) -> Connection {
    Connection::open(out.join("campaign.db")).unwrap()
}

/// The rows of a query, each as words.
pub(crate) fn rows(out: &Path, query: &str) -> Vec<String> {
    let store = store(out);
    let mut query = store.prepare(query).unwrap();
    let columns = query.column_count();
    let rows = query.query_map([], |row| {
        let words = (0..columns).map(|column| {
            use rusqlite::types::ValueRef;
            Ok(match row.get_ref(column)? {
                ValueRef::Null => "-".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                ValueRef::Blob(bytes) => format!("{bytes:02x?}"),
            })
        });
        Ok(words.collect::<rusqlite::Result<Vec<_>>>()?.join(" | "))
    });
    rows.unwrap().map(|row| row.unwrap()).collect()
}

/// Everything in a store that does not depend on the clock.
pub(crate) fn results(out: &Path) -> Vec<String> {
    let queries = [
        "SELECT number, name, origin, state, reason, points FROM seeds ORDER BY number",
        "SELECT seed, number, mutations, record FROM variants ORDER BY seed, number",
        "SELECT seed, variant, config, verdict, signature, dismissed, object_bytes, object_hash
         FROM runs ORDER BY seed, variant, config",
        "SELECT id, json FROM findings ORDER BY id",
    ];
    queries.iter().flat_map(|query| rows(out, query)).collect()
}

/// All files below a directory, with their bytes.
pub(crate) fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_owned();
                found.push((name, fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
pub(crate) fn ends_with(outcome: &Output, code: i32) {
    assert_eq!(
        outcome.ending,
        mestra::lab::process::Ending::Exited(code),
        "{}\n{}",
        String::from_utf8_lossy(&outcome.stdout),
        String::from_utf8_lossy(&outcome.stderr)
    );
}
