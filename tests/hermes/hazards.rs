//! Seeds with one rule each that variants once broke: attributes and corners of C
//! that let a compiler do what no run without optimisation shows.

use crate::campaign::{Place, command, ends_with, rows};
use crate::support::{newest_clang, repository};
use mestra::source::seed::seeds_in;
use std::path::PathBuf;

fn seeds() -> PathBuf {
    repository().join("tests/data/hazards")
}

#[test]
fn no_optimiser_is_accused_of_what_a_hazard_allows_it() {
    let place = Place::new();
    let (out, seeds) = (place.path("out"), seeds());
    let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    arguments.extend(["--seeds", seeds.to_str().unwrap(), "-n", "6"]);
    arguments.extend(["--compiler", "gcc", "--compiler", newest_clang()]);
    arguments.extend(["--flag-set=-O2", "--profile-probability", "1"]);
    let outcome = command(&arguments).run().unwrap();
    let failed = rows(
        &out,
        "SELECT seeds.name, variant, config, verdict, dismissed FROM runs
         JOIN seeds ON seeds.number = runs.seed WHERE verdict <> 'same'",
    );
    assert!(failed.is_empty(), "{failed:#?}");
    ends_with(&outcome, 0);
    let aside = rows(&out, "SELECT name, reason FROM seeds WHERE state <> 'done'");
    assert!(aside.is_empty(), "{aside:#?}");
}

#[test]
fn variants_of_hazards_are_clean() {
    let place = Place::new();
    for seed in seeds_in(&seeds()).unwrap() {
        let out = place.path(seed.file_stem().unwrap().to_str().unwrap());
        let mut mutate = vec!["mutate", "-n", "2", "--profile-probability", "1", "-o"];
        mutate.extend([out.to_str().unwrap(), seed.to_str().unwrap()]);
        ends_with(&command(&mutate).run().unwrap(), 0);
        let made = std::fs::read_dir(&out).unwrap();
        let variants: Vec<PathBuf> = made
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        let mut verify = vec!["verify".as_ref(), seed.as_os_str()];
        verify.extend(variants.iter().map(|path| path.as_os_str()));
        if !variants.is_empty() {
            ends_with(&command(&verify).run().unwrap(), 0);
        }
    }
}
