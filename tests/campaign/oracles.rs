//! What is asked of programs besides what they do at a level: sanitizers that report nothing,
//! compilers that do not take ages. And linkers that are not asked about.

use super::{Place, SEED, VARIANT, campaign, ends_with, rows};
use mestra::hunt::finding::{self, Finding};

#[test]
fn a_sanitizer_that_makes_another_program_is_found() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let wrong = "case \"$*\" in *-fsanitize=*) exec gcc -DWRONG \"$@\";; esac";
    let fake = place.fake("gcc-sanitizing", "gcc", VARIANT, wrong);
    let out = place.path("out");
    let words = ["--seeds", seed.to_str().unwrap(), "--compiler", &fake];
    let words = [
        &words[..],
        &["--flag-set=-O1", "--sanitizers", "true", "-n", "8"],
    ]
    .concat();
    ends_with(&campaign(&out, &words), 2);
    let wrong = rows(
        &out,
        "SELECT DISTINCT config FROM runs WHERE verdict <> 'same'",
    );
    assert_eq!(wrong, [format!("{fake} sanitizers")]);
    for directory in finding::directories(&out).unwrap() {
        let drawn = Finding::read(&directory).unwrap().config.drawn;
        assert!(
            drawn.len() == 2 && drawn[1].starts_with("-fsanitize="),
            "{drawn:?}"
        );
    }
}

#[test]
#[ignore = "long: waits for a compiler that takes 14 seconds of CPU"]
fn a_compiler_that_takes_far_longer_for_a_variant_is_found() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    // A loop that ends after so many seconds of CPU, however busy the machine is.
    let slow = "(ulimit -t 14; while :; do :; done) 2>/dev/null";
    let fake = place.fake("gcc-slow", "gcc", VARIANT, slow);
    let out = place.path("out");
    let words = ["--seeds", seed.to_str().unwrap(), "--compiler", &fake];
    ends_with(
        &campaign(&out, &[&words[..], &["--flag-set=-O1", "-n", "1"]].concat()),
        2,
    );
    let found = rows(&out, "SELECT verdict, signature FROM findings");
    assert_eq!(found, ["compiler-hang | no end in time"]);
    let found = finding::directories(&out).unwrap();
    let patience = Finding::read(&found[0]).unwrap().patience;
    assert_eq!(patience.compile.as_secs(), 5);
}

#[test]
fn what_only_some_linkers_know_is_no_difference() {
    let place = Place::new();
    let text = "#include <stdio.h>\n\
        static __thread int own = 7;\n\
        static int made;\n\
        __attribute__((constructor)) static void make(void) { made = 3; }\n\
        __attribute__((weak)) int weak(int a) { return a + 1; }\n\
        __attribute__((section(\"mine\"))) int placed = 5;\n\
        int main(void)\n\
        {\n    int i, sum = 0;\n    for (i = 0; i < 5; i++)\n        sum += weak(i) * own;\n\
        \x20   printf(\"%d %d %d\\n\", sum, made, placed);\n    return 0;\n}\n";
    let seed = place.write("seed.c", text);
    let out = place.path("out");
    let words = ["--seeds", seed.to_str().unwrap(), "--compiler", "gcc"];
    let words = [
        &words[..],
        &["--compiler", crate::support::newest_clang(), "-n", "2"],
    ]
    .concat();
    let words = [&words[..], &["--flag-set=-O0", "--flag-set=-O2"]].concat();
    ends_with(&campaign(&out, &words), 0);
    let runs = rows(&out, "SELECT DISTINCT verdict, dismissed FROM runs");
    assert_eq!(runs, ["same | -"]);
}
