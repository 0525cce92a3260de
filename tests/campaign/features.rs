//! Programs of our own where compilers differ in what they know beyond C.

use super::{Place, campaign, rows};

/// How many programs a config was given, by whether they may have vectors.
fn given(out: &std::path::Path, config: &str) -> Vec<String> {
    let query = format!(
        "SELECT origin LIKE '%--without vector%' AS plain, count(*)
         FROM runs JOIN seeds ON seeds.number = runs.seed
         WHERE config = '{config}' GROUP BY plain ORDER BY plain"
    );
    rows(out, &query)
}

#[test]
fn a_compiler_sees_no_program_with_what_it_lacks_and_the_others_do() {
    let place = Place::new();
    let out = place.path("out");
    campaign(
        &out,
        &[
            "--seeds",
            "own",
            "--count",
            "10",
            "--compiler",
            "gcc",
            "--compiler",
            "tcc",
            "--flag-set=-O0",
        ],
    );
    // Written for gcc, and written for tcc.
    let [full, plain] = &given(&out, "gcc -O0")[..] else {
        panic!("{:?}", given(&out, "gcc -O0"));
    };
    assert!(full.starts_with("0 | "), "{full}");
    assert_eq!([plain.clone()], given(&out, "tcc -O0")[..]);
    let rejected = "SELECT seed FROM runs WHERE verdict = 'rejected'";
    assert_eq!(rows(&out, rejected), [""; 0]);
}
