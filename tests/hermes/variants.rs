//! How many mutations variants have, and what is said of a wrong variant.

use super::{careful, source, text_source, variants};
use crate::support::csmith;
use mestra::mutation::Kind;
use mestra::strategy::Hermes;
use mestra::verify::Verifier;
use std::collections::BTreeMap;
use std::time::Duration;

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

#[test]
fn a_wrong_variant_is_told_with_what_differs() {
    let mutator = careful(1.0, Hermes::default());
    let (_directory, source) = text_source(
        &mutator,
        "#include <stdio.h>\nint main(void) { int x = 3; printf(\"%d\\n\", x); return 0; }\n",
    );
    let verifier = Verifier::new(&source.seed, Duration::from_secs(10)).unwrap();
    let text = String::from_utf8(source.seed.source.to_vec()).unwrap();
    let problem = |text: String| verifier.check(text.as_bytes()).unwrap()[0].to_string();
    assert!(verifier.check(text.as_bytes()).unwrap().is_empty());
    let other = problem(text.replace("x = 3", "x = 4"));
    assert!(
        other.contains("line 1 of its output is \"4\", its seed's \"3\""),
        "{other}"
    );
    let ended = problem(text.replace("return 0", "return 1"));
    assert!(ended.contains("ends so: Exited(1)"), "{ended}");
    let broken = problem(text.replace("return 0", "return y"));
    assert!(broken.contains("does not compile"), "{broken}");
    let undefined = text.replace("return 0", "{ int m = 2147483647; m += x > 2; } return 0");
    let undefined = verifier.check(undefined.as_bytes()).unwrap();
    assert_eq!(undefined.len(), 1, "{undefined:?}");
    assert!(
        undefined[0].what.contains("signed integer overflow"),
        "{undefined:?}"
    );
}
