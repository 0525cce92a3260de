//! Shrinking a record to the mutations that a failure needs.

use super::fake::wrong_output;
use super::finding::{config, named, variant, write};
use crate::support::{csmith, repository};
use mestra::hunt::triage::Case;
use mestra::lab::Lab;
use mestra::variant::shrink::Shrinker;

/// The numbers of the mutations that are left, and how many tests that took.
fn shrunk(case: &Case) -> (Vec<u32>, usize) {
    let stage = case.stage().unwrap();
    let fails = |text: &[u8]| case.fails_as_found(&stage, text);
    let shrinker = Shrinker {
        clang: &case.clang,
        seed: &case.seed,
        fails: &fails,
        should_stop: &|| false,
    };
    let shrunk = shrinker
        .drop_mutations(case.record.as_ref().unwrap())
        .unwrap();
    (shrunk.record.ids().into_iter().collect(), shrunk.tests)
}

#[test]
fn the_one_or_two_guilty_mutations_are_found_in_few_tests() {
    let directory = tempfile::tempdir().unwrap();
    let seed = repository().join("corpora/switch_fallthrough.c");
    let (seed, variant) = variant(&seed, 1.0);
    let named = named(&variant);
    let total = variant.mutations().count();
    assert!(named.len() >= 4 && total >= 10, "{named:?} of {total}");
    let shape = |id: u32| format!("mestra_{id}_");
    for (number, guilty) in named.iter().take(3).enumerate() {
        let fake = wrong_output(directory.path(), "tcc", &[&shape(*guilty)]);
        let path = write(
            directory.path(),
            &format!("one-{number}"),
            &seed,
            Some(&variant),
            &config(&fake, &[]),
        );
        let (left, tests) = shrunk(&Case::open(Lab::default(), &path).unwrap());
        assert_eq!(left, [*guilty]);
        let most = 4.0 * (total as f64).log2() + 20.0;
        assert!(tests as f64 <= most, "{tests} tests for one of {total}");
    }
    let pair = [named[0], named[named.len() - 1]];
    let fake = wrong_output(directory.path(), "tcc", &[&shape(pair[0]), &shape(pair[1])]);
    let path = write(
        directory.path(),
        "two",
        &seed,
        Some(&variant),
        &config(&fake, &[]),
    );
    assert_eq!(shrunk(&Case::open(Lab::default(), &path).unwrap()).0, pair);
}

#[test]
#[ignore = "long"]
fn one_of_many_mutations_of_a_csmith_program_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let (seed, variant) = variant(&csmith(directory.path(), 8), 1.0);
    let total = variant.mutations().count();
    let guilty = named(&variant)[total / 5];
    let fake = wrong_output(directory.path(), "tcc", &[&format!("mestra_{guilty}_")]);
    let path = write(
        directory.path(),
        "f",
        &seed,
        Some(&variant),
        &config(&fake, &[]),
    );
    let (left, tests) = shrunk(&Case::open(Lab::default(), &path).unwrap());
    println!("{total} mutations: one found in {tests} tests");
    assert_eq!(left, [guilty]);
    assert!(tests as f64 <= 4.0 * (total as f64).log2() + 20.0);
}
