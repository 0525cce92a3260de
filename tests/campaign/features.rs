//! Programs of our own where compilers differ in what they know beyond C.

use super::{Place, SEED, campaign, rows};
use crate::support::executable;
use std::path::Path;

/// How many programs a config was given, by whether they may have vectors.
fn given(out: &Path, config: &str) -> Vec<String> {
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
    assert_eq!(given(&out, "tcc -O0"), [plain.as_str()]);
    let rejected = "SELECT seed FROM runs WHERE verdict = 'rejected'";
    assert_eq!(rows(&out, rejected), [""; 0]);
}

/// A compiler of C alone: it rejects what still has an attribute once it was preprocessed.
const PLAIN_C: &str = "#!/bin/sh
case $1 in --version) echo plain 1; exit;; esac
for word; do case $word in *.c) source=$word;; esac; done
case $source in ?*)
    if gcc -undef -D__x86_64__ -D__LP64__ -E -P \"$source\" | grep -q __attribute__; then
        echo \"$source:1: __attribute__((noinline)) static int f(void)
               ^ expected ';'\" >&2
        exit 1
    fi;;
esac
exec tcc \"$@\"
";

#[test]
fn a_compiler_without_attributes_sees_own_programs_and_no_variant_that_adds_one() {
    let place = Place::new();
    let plain = executable(&place.path("plain"), PLAIN_C);
    let plain = plain.to_str().unwrap();
    let seed = place.write("seed.c", SEED);
    let out = place.path("out");
    let words = ["--compiler", "tcc", "--compiler", plain, "--flag-set=-O0"];
    let seeds = [
        "--seeds",
        seed.to_str().unwrap(),
        "--seeds",
        "own",
        "--count",
        "3",
    ];
    let often = [
        "-n",
        "8",
        "--weights",
        "outline_stmt=1",
        "--profile-probability",
        "1",
    ];
    campaign(&out, &[&words[..], &seeds, &often].concat());

    let rejected = "SELECT seed, signature FROM runs WHERE verdict = 'rejected'";
    assert_eq!(rows(&out, rejected), [""; 0]);
    let of_seed = |config: &str| {
        let query =
            format!("SELECT count(*) FROM runs WHERE seed = 1 AND config LIKE '{config} %'");
        rows(&out, &query)[0].parse::<u32>().unwrap()
    };
    let (all, some) = (of_seed("tcc"), of_seed(plain));
    assert!(some < all && some > 1, "{some} of {all}");
}
