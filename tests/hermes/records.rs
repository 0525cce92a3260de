//! Records: replay gives the same bytes, and any part of a variant is a variant.

use super::{quick, source, variants};
use crate::support::{clang, csmith, repository};
use mestra::hunt::verify::Verifier;
use mestra::lab::Lab;
use mestra::source::seed::Seed;
use mestra::variant::replay::{VariantRecord, apply};
use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn replay_of_a_stored_record_is_byte_identical() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = quick();
    for path in [
        csmith(directory.path(), 1),
        repository().join("corpora/bitfields_nested.c"),
    ] {
        let source = source(&mutator, &path).unwrap();
        for variant in variants(&mutator, &source, 3) {
            let stored = serde_json::to_string(&variant.record).unwrap();
            let record: VariantRecord = serde_json::from_str(&stored).unwrap();
            assert_eq!(record, variant.record);
            let again = record.replay(&clang(), &source.seed, None).unwrap();
            assert!(again == variant.text, "{}", path.display());
        }
    }
}

#[test]
fn two_hundred_subsequences_fit_and_some_are_verified() {
    let mutator = super::careful(1.0, Default::default());
    let path = repository().join("corpora/switch_fallthrough.c");
    let source = source(&mutator, &path).unwrap();
    let verifier = Verifier::new(&Lab::default(), &source.seed, Duration::from_secs(10)).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (number, variant) in variants(&mutator, &source, 4).iter().enumerate() {
        for round in 0..50 {
            let part: BTreeSet<u32> = variant
                .mutations()
                .map(|mutation| mutation.id)
                .filter(|_| rng.random())
                .collect();
            let mutations = variant.mutations().filter(|m| part.contains(&m.id));
            let text = apply(&source.program, mutations).unwrap();
            let replayed = variant.record.replay(&clang(), &source.seed, Some(&part));
            assert!(replayed.unwrap() == text);
            if round < 2 {
                let problems = verifier.check(&text).unwrap();
                assert!(problems.is_empty(), "v{number} {part:?}: {problems:?}");
            }
        }
    }
}

#[test]
fn nothing_of_a_variant_is_the_seed() {
    let mutator = quick();
    let source = source(&mutator, &repository().join("corpora/for_forms.c")).unwrap();
    let variant = &variants(&mutator, &source, 1)[0];
    let none = BTreeSet::new();
    let text = variant.record.replay(&clang(), &source.seed, Some(&none));
    assert_eq!(text.unwrap(), source.seed.source.to_vec());
    assert_ne!(variant.text, source.seed.source.to_vec());
}

#[test]
fn a_record_of_another_program_and_unknown_numbers_are_refused() {
    let mutator = quick();
    let one = source(&mutator, &repository().join("corpora/for_forms.c")).unwrap();
    let other = source(&mutator, &repository().join("corpora/dead_code.c")).unwrap();
    let record = &variants(&mutator, &one, 1)[0].record;
    let refusal = record.replay(&clang(), &other.seed, None).unwrap_err();
    assert!(refusal.to_string().contains("another program"), "{refusal}");
    let wrong = BTreeSet::from([9_999]);
    let refusal = record
        .replay(&clang(), &one.seed, Some(&wrong))
        .unwrap_err();
    assert!(
        refusal.to_string().contains("no mutation 9999"),
        "{refusal}"
    );
}

#[test]
fn a_chain_is_replayed_step_by_step() {
    let mut mutator = super::careful(0.3, Default::default());
    mutator.chain.steps = 3;
    let path = repository().join("corpora/for_forms.c");
    let source = source(&mutator, &path).unwrap();
    let variant = &variants(&mutator, &source, 1)[0];
    assert_eq!(variant.record.then.len(), 2);
    let ids: Vec<u32> = variant.mutations().map(|mutation| mutation.id).collect();
    let distinct: BTreeSet<u32> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "numbers are used once");
    let again = variant.record.replay(&clang(), &source.seed, None).unwrap();
    assert!(again == variant.text);
    let verifier = Verifier::new(&Lab::default(), &source.seed, Duration::from_secs(10)).unwrap();
    let problems = verifier.check(&variant.text).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    // Leaving out the start takes the ground from under the rest.
    let last = BTreeSet::from([*ids.last().unwrap()]);
    assert!(
        variant
            .record
            .replay(&clang(), &source.seed, Some(&last))
            .is_err()
    );
}

/// Records of an earlier version, with the variants that it made of them, are in
/// `data/records/`; their seeds are in `corpora/`.
#[test]
fn records_of_an_earlier_version_replay_and_are_written_to_the_same_bytes() {
    let directory = repository().join("tests/data/records");
    let mut seen = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let record = VariantRecord::read(&path).unwrap();
        let seed = repository().join("corpora").join(&record.seed);
        let seed = Seed::read(&seed, &[]).unwrap();
        let text = record.replay(&clang(), &seed, None).unwrap();
        let expected = std::fs::read(path.with_extension("c")).unwrap();
        assert!(text == expected, "{}", path.display());
        let stored = std::fs::read_to_string(&path).unwrap();
        let written = serde_json::to_string(&record).unwrap();
        assert!(written == stored.trim_end(), "{}", path.display());
        seen += 1;
    }
    assert_eq!(seen, 7);
}
