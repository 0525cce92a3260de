//! How many mutations variants have, and of which kinds.

use super::{careful, everywhere, mutator, source, variants};
use crate::support::{csmith, repository};
use mestra::variant::mutation::Kind;
use mestra::variant::strategy::Hermes;
use std::collections::BTreeMap;

#[test]
fn kinds_have_their_shares_and_points_their_mutations() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = careful(0.1, everywhere());
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    let (mut points, mut mutations, mut count) = (0, 0, 0);
    for number in 1..=4 {
        let source = source(&mutator, &csmith(directory.path(), number)).unwrap();
        for variant in variants(&mutator, &source, 5) {
            points += source.points().len();
            count += 1;
            for mutation in variant.mutations() {
                *kinds.entry(mutation.kind()).or_default() += 1;
                mutations += 1;
            }
        }
    }
    println!("{mutations} mutations at {points} points of {count} variants: {kinds:?}");
    assert!(mutations * 100 >= points * 95, "{mutations} at {points}");
    assert!(mutations >= count * 10, "{mutations} in {count} variants");
    for kind in [Kind::FalseBlock, Kind::TrueGuard, Kind::TrueBlock] {
        assert!(kinds[&kind] * (kinds.len() + 2) >= mutations, "{kinds:?}");
    }
}

#[test]
fn as_many_live_blocks_check_themselves_as_is_asked_for() {
    let path = repository().join("corpora/for_forms.c");
    let share = |checks: f64| {
        let hermes = Hermes {
            checks,
            ..everywhere()
        };
        let mutator = mutator(&["tcc"], 1.0, hermes);
        let source = source(&mutator, &path).unwrap();
        let (mut blocks, mut checked) = (0, 0);
        for variant in variants(&mutator, &source, 20) {
            for mutation in variant.mutations() {
                if mutation.kind() == Kind::TrueBlock {
                    let stored = serde_json::to_string(mutation).unwrap();
                    checked += usize::from(stored.contains("\"abort\""));
                    blocks += 1;
                }
            }
        }
        assert!(blocks >= 100, "{blocks}");
        checked as f64 / blocks as f64
    };
    assert_eq!((share(0.0), share(1.0)), (0.0, 1.0));
    assert!((0.3..0.7).contains(&share(0.5)), "{}", share(0.5));
}
