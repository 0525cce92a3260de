//! Processes end as they are told to, and touch nothing else.

use super::*;

fn shell(script: &str) -> Command {
    Command::new("sh").arg("-c").arg(script)
}

#[test]
fn output_and_status_come_back() {
    let outcome = shell("echo out; echo err >&2; exit 3").run().unwrap();
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert_eq!(outcome.stdout, b"out\n");
    assert_eq!(outcome.stderr, b"err\n");
}

#[test]
fn more_output_than_a_pipe_holds_comes_back_whole() {
    let outcome = shell("head -c 3000000 /dev/zero").run().unwrap();
    assert_eq!(
        (outcome.ending, outcome.stdout.len()),
        (Ending::Exited(0), 3_000_000)
    );
}

#[test]
fn a_signal_is_told() {
    let outcome = shell("kill -SEGV $$").run().unwrap();
    assert_eq!(outcome.ending, Ending::Signalled(11));
}

#[test]
fn a_hang_is_ended_with_its_children() {
    let limits = Limits {
        wall: Duration::from_millis(300),
        ..Limits::default()
    };
    let script = "trap '' TERM; (trap '' TERM; sleep 60) & echo $!; sleep 60";
    let outcome = shell(script).limits(limits).run().unwrap();
    assert_eq!(outcome.ending, Ending::TimedOut);
    assert!(outcome.wall < Duration::from_secs(10));
    let grandchild = String::from_utf8(outcome.stdout).unwrap();
    let stat = format!("/proc/{}/stat", grandchild.trim());
    // Gone, or a zombie that init has not collected yet; a busy machine takes its
    // time to end what was killed.
    let is_gone = || std::fs::read_to_string(&stat).map_or(true, |text| text.contains(") Z "));
    let start = Instant::now();
    while !is_gone() {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "the grandchild lives on"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_child_is_given_cpu_time_and_may_not_sleep_it_away() {
    let limits = Limits {
        wall: Duration::from_millis(200),
        stretch: 100,
        ..Limits::default()
    };
    // What has ended before counts, and what works in the background.
    let half = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    let busy = shell(&format!("({half}); while :; do :; done & wait"));
    let outcome = busy.limits(limits).run().unwrap();
    assert_eq!(outcome.ending, Ending::TimedOut);
    let asleep = shell("sleep 60").limits(limits).run().unwrap();
    assert_eq!(asleep.ending, Ending::TimedOut);
    assert!(asleep.wall < Duration::from_secs(10));
}

#[test]
fn endless_output_is_cut_off() {
    let limits = Limits {
        output: 100_000,
        ..Limits::default()
    };
    let outcome = shell("yes").limits(limits).run().unwrap();
    assert_eq!(outcome.ending, Ending::TooMuchOutput);
    assert_eq!(outcome.stdout.len(), 100_000);
}

#[test]
fn a_grandchild_with_our_pipes_does_not_hold_us_up() {
    let outcome = shell("sleep 60 & echo done").run().unwrap();
    assert_eq!(
        (outcome.ending, outcome.stdout.as_slice()),
        (Ending::Exited(0), &b"done\n"[..])
    );
    assert!(outcome.wall < Duration::from_secs(10));
}

#[test]
fn memory_is_limited() {
    let limits = Limits {
        memory: Some(256 << 20),
        ..Limits::default()
    };
    let outcome = shell("x=$(head -c 900000000 /dev/zero | tr '\\0' a); echo ${#x}")
        .limits(limits)
        .run()
        .unwrap();
    assert_ne!(outcome.stdout, b"900000000\n");
}

#[test]
fn a_group_that_grows_and_grows_is_ended() {
    let limits = Limits {
        processes: 20,
        ..Limits::default()
    };
    let script = "for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3; do sleep 60 & done; done; wait";
    let outcome = shell(script).limits(limits).run().unwrap();
    assert_eq!(outcome.ending, Ending::TooManyProcesses);
    assert!(outcome.wall < Duration::from_secs(10));
}

/// A script that may write in a directory of its own only, which it starts in.
fn confined(script: &str) -> (tempfile::TempDir, Output) {
    let own = tempfile::tempdir().unwrap();
    let command = shell(script).directory(own.path()).confined_to(own.path());
    let outcome = command.run().unwrap();
    (own, outcome)
}

#[test]
fn a_confined_child_writes_in_its_own_directory() {
    let (own, outcome) = confined("echo text >file; echo lost >/dev/null; exit 3");
    assert_eq!(outcome.ending, Ending::Exited(3), "{outcome:?}");
    assert_eq!(std::fs::read(own.path().join("file")).unwrap(), b"text\n");
}

#[test]
fn a_confined_child_that_is_killed_gets_a_second_chance() {
    let (_own, outcome) =
        confined("if [ ! -e once ]; then touch once; kill -KILL $$; fi; echo alive");
    assert_eq!(
        (outcome.ending, outcome.stdout.as_slice()),
        (Ending::Exited(0), &b"alive\n"[..])
    );
    let (_own, outcome) = confined("kill -KILL $$");
    assert_eq!(outcome.ending, Ending::Signalled(libc::SIGKILL));
}

#[test]
fn a_child_that_somebody_terminates_gets_a_second_chance() {
    let own = tempfile::tempdir().unwrap();
    let once = |how: &str, file: &str| {
        let script = format!("if [ ! -e {file} ]; then touch {file}; {how}; fi; echo alive");
        shell(&script).directory(own.path()).run().unwrap()
    };
    for signal in ["TERM", "INT", "HUP"] {
        let outcome = once(&format!("kill -{signal} $$"), signal);
        assert_eq!(outcome.stdout, b"alive\n", "{signal}: {outcome:?}");
    }
    let said = "echo 'gcc: fatal error: Terminated signal terminated program cc1' >&2; exit 1";
    assert_eq!(once(said, "part").stdout, b"alive\n");
    // A compiler that does so by itself does so again.
    let outcome = shell("kill -TERM $$").run().unwrap();
    assert_eq!(outcome.ending, Ending::Signalled(libc::SIGTERM));
}

#[test]
fn a_confined_child_changes_no_file_elsewhere() {
    if missing_protection().is_some() {
        return;
    }
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("file");
    std::fs::write(&file, "text").unwrap();
    let before = std::fs::metadata(&file).unwrap();
    let script = format!(
        "cd '{}'; rm file; echo more >>file; mv file other; touch new; chmod 0 file; touch file; cat file",
        other.path().display()
    );
    let (_, outcome) = confined(&script);
    assert_eq!(outcome.stdout, b"text", "{outcome:?}");
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
    let after = std::fs::metadata(&file).unwrap();
    assert_eq!(before.permissions(), after.permissions());
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[test]
fn a_confined_child_signals_nobody_else() {
    if missing_protection().is_some() {
        return;
    }
    let mut other = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .unwrap();
    let script = format!("kill -KILL {}; echo done", other.id());
    let (_, outcome) = confined(&script);
    assert!(other.try_wait().unwrap().is_none(), "{outcome:?}");
    let _ = other.kill();
    let _ = other.wait();
}

#[test]
fn a_confined_child_dies_of_its_own_signals() {
    let (_, outcome) = confined("kill -ABRT $$");
    assert_eq!(outcome.ending, Ending::Signalled(6));
}

#[test]
#[ignore = "a measurement"]
fn confinement_costs_little() {
    let own = tempfile::tempdir().unwrap();
    let command = Command::new("true").directory(own.path());
    let confined = command.clone().confined_to(own.path());
    let time = |command: &Command| {
        let start = Instant::now();
        command.run().unwrap();
        start.elapsed()
    };
    let (mut free, mut caged) = (vec![], vec![]);
    for _ in 0..1000 {
        free.push(time(&command));
        caged.push(time(&confined));
    }
    free.sort();
    caged.sort();
    println!("free {:?}, confined {:?}", free[500], caged[500]);
    println!("fastest: {:?}, {:?}", free[0], caged[0]);
}

#[test]
fn cpu_time_is_told() {
    let outcome = shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
        .purpose(Purpose::Generate)
        .run()
        .unwrap();
    assert!(outcome.cpu > Duration::from_millis(5), "{:?}", outcome.cpu);
    assert!(outcome.cpu <= outcome.wall + Duration::from_millis(20));
    assert!(meter::children(Purpose::Generate) >= outcome.cpu);
}

#[test]
fn the_environment_is_clean() {
    let outcome = shell("echo ${CARGO_MANIFEST_DIR-unset} $LC_ALL")
        .run()
        .unwrap();
    assert_eq!(outcome.stdout, b"unset C\n");
}

#[test]
fn a_missing_program_is_an_error() {
    assert!(Command::new("no-such-program-anywhere").run().is_err());
}
