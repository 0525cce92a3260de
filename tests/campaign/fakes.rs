//! Compilers that fail in every way, each with the right verdict.

use super::{ANY, LIVE, Place, SEED, VARIANT, campaign, ends_with, rows};
use crate::support::executable;
use mestra::hunt::finding::{self, Finding};
use mestra::lab::process::Command;
use std::collections::BTreeSet;
use std::path::Path;

/// Takes one finding of each compiler to another place and runs its script there.
fn one_of_each_reproduces_alone(place: &Place, out: &Path) {
    let mut seen = BTreeSet::new();
    for directory in finding::directories(out).unwrap() {
        let finding = Finding::read(&directory).unwrap();
        if !seen.insert(finding.config.name.clone()) {
            continue;
        }
        let elsewhere = place.path("elsewhere");
        let copied = Command::new("cp").arg("-r").args([&directory, &elsewhere]);
        assert!(copied.run().unwrap().ending.is_success());
        let repro = Command::new(elsewhere.join("repro.sh")).directory("/");
        let outcome = repro.run().unwrap();
        let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
        let is_seen = outcome.ending.is_success() && said.contains("the failure is reproduced");
        assert!(is_seen, "{}: {said}", finding.id);
        std::fs::remove_dir_all(elsewhere).unwrap();
    }
}

#[test]
fn every_way_to_fail_gets_its_verdict() {
    let place = Place::new();
    let seed = place.write("seeds/seed.c", SEED);
    let fakes = [
        ("wrong", VARIANT, "exec gcc -DWRONG \"$@\""),
        ("crashing-program", VARIANT, "exec gcc -DCRASH \"$@\""),
        (
            "crash",
            VARIANT,
            "echo \"$source:1:2: internal compiler error: in fake_pass, at fake.cc:12\" >&2; exit 1",
        ),
        ("signal", VARIANT, "kill -SEGV $$"),
        (
            "crash-on-seed",
            ANY,
            "echo 'internal compiler error: in seed_pass, at fake.cc:34' >&2; exit 4",
        ),
        (
            "rejects",
            VARIANT,
            "echo \"$source:1:2: error: 'mestra_1_x' is bad\" >&2; exit 1",
        ),
        ("nothing", VARIANT, "exit 0"),
        // A compiler that leaves children behind is not wrong.
        ("leaves-children", ANY, "sleep 12345 & sleep 12345 &"),
        // Wrong every other time.
        (
            "nondeterministic",
            VARIANT,
            "n=$(cat $here/count 2>/dev/null || echo 0); echo $((n+1)) >$here/count\n\
             [ $((n % 2)) -eq 1 ] || exec gcc -DWRONG \"$@\"",
        ),
        // As legal as any: C leaves the order of the operands of + open.
        ("other-order", ANY, "exec gcc '-DADD(a,b)=((b)+(a))' \"$@\""),
    ];
    let paths: Vec<String> = fakes
        .iter()
        .map(|(name, when, body)| place.fake(&format!("gcc-{name}"), "gcc", when, body))
        .collect();
    let mut arguments = vec!["--seeds", seed.to_str().unwrap(), "--flag-set=-O1"];
    for path in &paths {
        arguments.extend(["--compiler", path]);
    }
    arguments.extend(["-n", "2", "--profile-probability", "1", "--json"]);
    // In another order a variant may well run without end.
    arguments.extend(["--seed-timeout", "2"]);
    let out = place.path("out");
    let outcome = campaign(&out, &arguments);
    ends_with(&outcome, 2);

    let found = rows(
        &out,
        "SELECT config, variant > 0, verdict, signature, count(*) FROM findings
         GROUP BY 1, 2, 3, 4 ORDER BY 1",
    );
    let found: Vec<&str> = found
        .iter()
        .map(|row| row.split("gcc-").last().unwrap())
        .collect();
    let expected = [
        "crash -O1 | 1 | compiler-crash | in fake_pass, at fake.cc:12 | 2",
        "crash-on-seed -O1 | 0 | compiler-crash | in seed_pass, at fake.cc:34 | 1",
        "crashing-program -O1 | 1 | run-crash | SIGABRT | 2",
        "nothing -O1 | 1 | compiler-crash | success without a result | 2",
        "rejects -O1 | 1 | rejected | '…' is bad | 2",
        "signal -O1 | 1 | compiler-crash | SIGSEGV | 2",
        "wrong -O1 | 1 | wrong-output | output | 2",
    ];
    assert_eq!(found, expected);
    one_of_each_reproduces_alone(&place, &out);

    let dismissed = rows(
        &out,
        "SELECT config, dismissed FROM runs WHERE dismissed IS NOT NULL ORDER BY config",
    );
    let says = |config: &str, reason: &str| {
        let is_so = |row: &&String| row.contains(config) && row.contains(reason);
        dismissed.iter().filter(is_so).count()
    };
    assert!(
        says("other-order", r#""kind":"other-values""#) > 0,
        "{dismissed:?}"
    );
    assert!(
        says(
            "nondeterministic",
            r#"{"kind":"not-reproduced","verdict":{"kind":"same""#
        ) > 0,
        "{dismissed:?}"
    );
    let others = dismissed.len() - says("other-order", "") - says("nondeterministic", "");
    assert_eq!(others, 0, "{dismissed:?}");

    // Nothing is left running.
    let left = std::process::Command::new("pgrep")
        .args(["-f", "^sleep 12345"])
        .output();
    assert!(left.unwrap().stdout.is_empty());
}

// The decisions are unit tests of `confirm`; what is real here are the processes.
#[test]
#[ignore = "long"]
fn what_takes_without_end_is_ended_and_believed_only_if_seen_again() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let fakes = [
        // Slow once: a machine that was busy for a moment.
        (
            "busy",
            "[ -e $here/was-slow ] || { touch $here/was-slow; sleep 1000; }",
        ),
        ("endless", "yes endless; yes endless >&2"),
        (
            "forks",
            "i=0; while [ $i -lt 220 ]; do sleep 100 & i=$((i+1)); done; wait",
        ),
        ("hanging", "exec sleep 1000"),
        ("hanging-program", "exec gcc -DHANG \"$@\""),
        ("memory", "exec tail /dev/zero"),
    ];
    let paths = fakes.map(|(name, body)| place.fake(&format!("gcc-{name}"), "gcc", VARIANT, body));
    let out = place.path("out");
    let mut arguments = vec![
        "--seeds",
        seed.to_str().unwrap(),
        "--flag-set=-O0",
        "-n",
        "1",
    ];
    for path in &paths {
        arguments.extend(["--compiler", path]);
    }
    arguments.extend(["--compile-timeout", "6", "--seed-timeout", "1"]);
    arguments.extend(["--compile-memory", "512", "--profile-probability", "1"]);
    ends_with(&campaign(&out, &arguments), 2);
    let found = rows(
        &out,
        "SELECT config, verdict, signature FROM findings ORDER BY 1",
    );
    let found: Vec<&str> = found
        .iter()
        .map(|row| row.rsplit("gcc-").next().unwrap())
        .collect();
    let expected = [
        "endless -O0 | compiler-crash | more output than allowed",
        "forks -O0 | compiler-crash | more processes than allowed",
        "hanging -O0 | compiler-hang | no end in time",
        "hanging-program -O0 | run-hang | no end in time",
        "memory -O0 | compiler-memory | out of memory",
    ];
    assert_eq!(found, expected);
    one_of_each_reproduces_alone(&place, &out);
    let dismissed = rows(
        &out,
        "SELECT verdict, dismissed FROM runs WHERE dismissed IS NOT NULL",
    );
    assert_eq!(
        dismissed,
        [r#"compiler-hang | {"kind":"only-under-load","verdict":{"kind":"same","signature":""}}"#]
    );
}

#[test]
fn children_have_no_network_and_no_descriptors_of_others() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let spy = place.fake(
        "gcc-spy",
        "gcc",
        ANY,
        "cat /proc/net/dev >$here/net; ls /proc/self/fd >$here/fds; env >$here/env",
    );
    let script = format!(
        "exec 7<{seed} 8>/dev/null; SECRET=1 exec {mestra} campaign --out {out} --seeds {seed} \
         --compiler {spy} --flag-set=-O0 -n 1 {live}",
        mestra = env!("CARGO_BIN_EXE_mestra"),
        out = place.path("out").display(),
        seed = seed.display(),
        live = LIVE.join(" "),
    );
    let status = std::process::Command::new("bash")
        .arg("-c")
        .arg(script)
        .status();
    assert_eq!(status.unwrap().code(), Some(0));
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let fds = read("fds");
    assert!(!fds.lines().any(|fd| fd == "7" || fd == "8"), "{fds}");
    assert!(!read("env").contains("SECRET"));
    let may = |option: &str| {
        let unshared = std::process::Command::new("unshare")
            .arg(option)
            .arg("true")
            .status();
        unshared.is_ok_and(|status| status.success())
    };
    if may("-n") || may("-Un") {
        let net = read("net");
        let interfaces: Vec<&str> = net.lines().skip(2).map(str::trim).collect();
        assert!(
            interfaces.iter().all(|line| line.starts_with("lo:")),
            "{net}"
        );
    }
}

#[test]
fn compilers_start_with_the_same_stack_every_time() {
    let place = Place::new();
    let seed = place.write("seeds/seed.c", SEED);
    let fake = place.fake("notes-stack", "gcc", ANY, "ulimit -s >>$here/stacks");
    let out = place.path("out");
    let mut words = vec!["--seeds", seed.to_str().unwrap(), "--compiler", &fake];
    words.extend(["--flag-set=-O1", "--schedule", "fixed", "-n", "6"]);
    ends_with(&campaign(&out, &words), 0);
    let noted = std::fs::read_to_string(place.path("stacks")).unwrap();
    assert!(noted.lines().count() > 6, "{noted}");
    assert!(
        noted.lines().all(|kilobytes| kilobytes == "8192"),
        "{noted}"
    );
}

#[test]
fn a_compiler_that_tells_no_version_is_known_by_its_file() {
    let place = Place::new();
    let seed = place.write("seeds/seed.c", SEED);
    let script = "#!/bin/sh\ncase $1 in --version|-v) exit 1;; esac\nexec tcc \"$@\"\n";
    let mute = executable(&place.path("mute"), script);
    let mute = mute.to_str().unwrap();
    let out = place.path("out");
    let words = ["--seeds", seed.to_str().unwrap(), "--compiler", mute];
    let once = [&words[..], &["--flag-set=-O0", "-n", "1"]].concat();
    ends_with(&campaign(&out, &once), 0);
    ends_with(&campaign(&out, &["--resume"]), 0);

    executable(&place.path("mute"), &format!("{script}# another\n"));
    let outcome = campaign(&out, &["--resume"]);
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(
        said.contains("no version told; a file of 63 bytes"),
        "{said}"
    );
}
