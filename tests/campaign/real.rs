//! Real compilers on programs of Csmith: no false finding, little overhead, and two
//! jobs that do the work of two.

use super::{Place, campaign, rows};
use std::time::Instant;

/// All strategies, as campaigns have them by default.
const MIX: [&str; 4] = ["--strategy", "hermes,orion,athena,all", "--swarm", "true"];

#[test]
#[ignore = "long"]
fn real_compilers_on_fifty_programs_give_no_false_finding() {
    let place = Place::new();
    let out = place.path("out");
    let mut arguments = vec!["--count", "50", "-n", "10"];
    arguments.extend(MIX);
    // tcc and pcc have defects that are known; gcc and clang of these versions are
    // not known to miscompile what is made here.
    let compilers = mestra::lab::toolchain::Compiler::installed();
    let names: Vec<String> = compilers
        .into_iter()
        .map(|compiler| compiler.name)
        .collect();
    for name in names
        .iter()
        .filter(|n| n.starts_with("gcc") || n.starts_with("clang"))
    {
        arguments.extend(["--compiler", name]);
    }
    let outcome = campaign(&out, &arguments);
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    println!("{said}");
    for finding in rows(&out, "SELECT id, verdict, signature FROM findings") {
        println!("to be looked at: {finding}");
    }
    let overhead = said
        .lines()
        .find_map(|line| line.strip_prefix("mestra itself: "))
        .and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    assert!(
        overhead.is_some_and(|percent| percent <= 3.0),
        "{overhead:?}"
    );
    let findings = "SELECT id FROM findings WHERE verdict IN ('wrong-output', 'run-crash', 'run-hang', 'rejected')";
    assert_eq!(rows(&out, findings), [""; 0]);
}

#[test]
#[ignore = "long"]
fn two_jobs_do_the_work_of_two() {
    let place = Place::new();
    let time = |jobs: &str| {
        let out = place.path(jobs);
        let start = Instant::now();
        campaign(
            &out,
            &[
                "--count",
                "12",
                "-n",
                "6",
                "--compiler",
                "gcc",
                "--jobs",
                jobs,
            ],
        );
        start.elapsed().as_secs_f64()
    };
    let (one, two) = (time("1"), time("2"));
    println!(
        "one job {one:.1} s, two jobs {two:.1} s: {:.2} times the work",
        one / two
    );
    assert!(one / two >= 1.9, "{:.2}", one / two);
}
