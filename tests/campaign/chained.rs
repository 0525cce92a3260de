//! Variants that were profiled and mutated a second time.

use super::{Place, SEED, VARIANT, campaign, ends_with, rows};
use mestra::hunt::finding::{self, Finding};
use mestra::variant::replay::VariantRecord;

/// A compiler that is wrong about the first step is accused of that; one that is wrong about
/// the second step only, of both.
#[test]
fn a_failure_is_told_by_the_shortest_chain_that_fails() {
    let place = Place::new();
    let seed = place.write("seeds/seed.c", SEED);
    // The only mutation of the first step has number 1, that of the second number 2.
    let wrong = "exec tcc -DWRONG \"$@\"";
    let first = place.fake("tcc-first", "tcc", VARIANT, wrong);
    let second = place.fake("tcc-second", "tcc", "mestra_2_", wrong);
    let out = place.path("out");
    let arguments = [
        "--seeds",
        seed.to_str().unwrap(),
        "--compiler",
        &first,
        "--compiler",
        &second,
        "-n",
        "2",
        "--chained",
        "1",
        "--max-mutations",
        "1",
        "--weights",
        "true_block=1",
        "--profile-probability",
        "1",
    ];
    ends_with(&campaign(&out, &arguments), 2);
    let steps = rows(&out, "SELECT count(*) FROM variants WHERE mutations = 2");
    assert_eq!(steps, ["2"]);
    let mut seen = Vec::new();
    for directory in finding::directories(&out).unwrap() {
        let finding = Finding::read(&directory).unwrap();
        let record = VariantRecord::read(&directory.join(finding::file::RECORD)).unwrap();
        let is_first = finding.config.name.contains("first");
        seen.push((is_first, record.then.len()));
        let confirmed = format!("{:?}", finding.confirmations);
        assert!(confirmed.contains("ValuesPredicted"), "{confirmed}");
    }
    seen.sort_unstable();
    assert_eq!(seen, [(false, 1), (false, 1), (true, 0), (true, 0)]);
}
