//! What people do every day: small seeds, two compilers of one name, other flags, a
//! script that prints seeds, and nothing found.

use super::{LIVE, Place, SEED, campaign, command, ends_with, rows};
use crate::support::executable;
use std::os::unix::fs::symlink;

#[test]
fn a_campaign_without_findings_has_a_report_and_no_variant_is_the_seed() {
    let place = Place::new();
    let seed = crate::support::repository().join("docs/example/rain.c");
    let out = place.path("out");
    let mut arguments = vec!["campaign", "-o", out.to_str().unwrap(), "--seeds"];
    arguments.extend([seed.to_str().unwrap(), "--compiler", "tcc", "-n", "10"]);
    ends_with(&command(&arguments).run().unwrap(), 0);
    for file in ["report.html", "report.json", "report.xml", "report.sarif"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let made = rows(&out, "SELECT count(*), min(mutations) > 0 FROM variants");
    assert_eq!(made, ["10 | 1"]);
}

#[test]
fn programs_of_32_bits_are_tested_without_a_memory_sanitizer() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let out = place.path("out");
    let seed = seed.to_str().unwrap();
    let flags = [
        "--compiler",
        "gcc",
        "--flag-set=-O2",
        "-n",
        "2",
        "--",
        "-m32",
    ];
    let arguments = [&["--seeds", seed][..], &flags].concat();
    ends_with(&campaign(&out, &arguments), 0);
    let runs = rows(&out, "SELECT verdict, count(*) FROM runs GROUP BY 1");
    assert_eq!(runs, ["same | 3"]);
}

#[test]
fn two_compilers_of_one_name_are_told_apart() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let real = mestra::lab::toolchain::Compiler::find("tcc").unwrap().path;
    let compilers = ["release", "trunk"].map(|name| {
        let path = place.write(&format!("{name}/tcc-mine"), "");
        std::fs::remove_file(&path).unwrap();
        symlink(&real, &path).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let out = place.path("out");
    let seed = seed.to_str().unwrap();
    let mut arguments = vec!["--seeds", seed, "-n", "1", "--flag-set=-O0"];
    for compiler in &compilers {
        arguments.extend(["--compiler", compiler]);
    }
    ends_with(&campaign(&out, &arguments), 0);
    let names = rows(&out, "SELECT DISTINCT config FROM runs ORDER BY 1");
    let [release, trunk] = &compilers;
    assert_eq!(names, [format!("{release} -O0"), format!("{trunk} -O0 #2")]);
}

#[test]
fn programs_of_another_generator_beside_our_own_get_a_few_variants_in_a_part_of_the_configs() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let script = format!("#!/bin/sh\ncat '{}'\n", seed.display());
    let script = executable(&place.path("generator"), &script);
    let csmith = script.to_str().unwrap();
    let out = place.path("out");
    let sets = ["--flag-set=-O0", "--flag-set=-O0 -DA", "--flag-set=-O0 -DB"];
    let seeds = ["--seeds", "csmith", "--csmith", csmith, "--seeds", "own"];
    let words = [&seeds[..], &["--count", "2", "--compiler", "gcc"], &sets].concat();
    ends_with(&campaign(&out, &words), 0);
    let of_script = "JOIN seeds ON seeds.number = seed WHERE origin LIKE '%generator%'";
    let variants = format!("SELECT count(*) FROM variants {of_script}");
    assert_eq!(rows(&out, &variants), ["2"]);
    let runs = format!("SELECT variant, count(*) FROM runs {of_script} GROUP BY variant");
    assert_eq!(rows(&out, &runs), ["0 | 2", "1 | 2", "2 | 2"]);
}

#[test]
fn a_script_that_never_makes_a_seed_ends_the_campaign() {
    let place = Place::new();
    let out = place.path("out");
    let arguments = ["--seed-command", "false {seed}", "--compiler", "tcc"];
    let outcome = campaign(&out, &arguments);
    ends_with(&outcome, 1);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(
        said.contains("20 seeds in a row could not be generated"),
        "{said}"
    );
    assert!(said.contains("exit status 1"), "{said}");
    // With an end of their own, the failures are shown.
    let out = place.path("counted");
    let mut counted = arguments.to_vec();
    counted.extend(["--count", "30"]);
    counted.extend(LIVE);
    let outcome = campaign(&out, &counted);
    ends_with(&outcome, 3);
    let said = String::from_utf8_lossy(&outcome.stdout);
    assert!(
        said.contains("set aside 30: false … failed: exit status 1"),
        "{said}"
    );
}
