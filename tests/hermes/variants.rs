//! How many mutations variants have, and of which kinds.

use super::{careful, source, variants};
use crate::support::csmith;
use mestra::mutation::Kind;
use mestra::strategy::Hermes;
use std::collections::BTreeMap;

#[test]
fn kinds_have_their_shares_and_points_their_mutations() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = careful(0.1, Hermes::default());
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
    for kind in Kind::LIVE {
        assert!(kinds[&kind] * 4 >= mutations, "{kinds:?}");
    }
}
