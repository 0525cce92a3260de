//! What is asked of programs besides what they do at a level: sanitizers that report nothing,
//! compilers that do not take ages. And linkers that are not asked about.

use super::{Place, SEED, VARIANT, campaign, ends_with, rows};
use crate::reduce::text::{reproduces, work};
use mestra::hunt::finding::{self, Finding};
use mestra::lab::toolchain::{Compiler, Family};
use std::fs;
use std::time::Duration;

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

/// A program that prints nothing of what it does to a volatile variable.
const PORT: &str = "#include <stdio.h>\n\
    static volatile int port;\n\
    static int calls;\n\
    static int step(int a) { calls++; port = a; port = a + calls; return a * 3 + calls; }\n\
    int main(void)\n\
    {\n    int i, sum = 0;\n    for (i = 0; i < 5; i++)\n        sum += step(i);\n\
    \x20   printf(\"sum = %d\\n\", sum);\n    return 0;\n}\n";

/// A gcc whose assembler code at -O2 is edited where it writes the variable first.
fn editing(place: &Place, name: &str, edit: &str) -> String {
    let body = r#"
case "$*" in *-O2*" -c "*) ;; *) exec gcc "$@";; esac
for word; do
    shift
    case $before-$word in
    -o-*) made=$word; set -- "$@" edited.s;;
    *--c) set -- "$@" -S;;
    *) set -- "$@" "$word";;
    esac
    before=$word
done
gcc "$@" && sed '0,/mov.*port(%rip)$/{/mov.*port(%rip)$/EDIT;}' edited.s >other.s &&
    exec gcc -c -o "$made" other.s"#;
    let body = body.replace("EDIT", edit);
    place.fake(name, "gcc", "volatile int port", &body)
}

/// What becomes of the program under such a compiler.
fn accesses_found(edit: &str) -> (Place, Vec<String>) {
    let place = Place::new();
    let seed = place.write("seed.c", PORT);
    let fake = editing(&place, "gcc-editing", edit);
    let out = place.path("out");
    let words = ["--seeds", seed.to_str().unwrap(), "--compiler", &fake];
    let words = [
        &words[..],
        &["--flag-set=-O2", "--volatile", "1", "-n", "2"],
    ]
    .concat();
    ends_with(&campaign(&out, &words), 2);
    let wrong = "SELECT DISTINCT config, verdict, signature FROM findings ORDER BY signature";
    let found = rows(&out, wrong);
    (place, found)
}

#[test]
fn an_access_that_is_made_twice_is_found_and_the_finding_reduced() {
    let (place, found) = accesses_found("p");
    assert_eq!(found, ["volatile accesses | wrong-accesses | more writes"]);
    let directory = &finding::directories(&place.path("out")).unwrap()[0];
    let units = fs::read_to_string(directory.join("units.c")).unwrap();
    assert!(units.contains("section(\"mestra_volatile\")"), "{units}");
    work(directory, Duration::from_secs(30)).unwrap();
    assert!(reproduces(directory));
    let read = |name: &str| fs::read_to_string(directory.join("reduced").join(name)).unwrap();
    let small = read("reduced.c");
    // How small it becomes depends on how busy the machine is.
    assert!(small.contains("volatile int port"), "{small}");
    let report = read("report.md");
    assert!(report.contains("[volatile] port: 0 reads"), "{report}");
}

#[test]
fn an_access_that_is_not_made_is_found() {
    let (_place, found) = accesses_found("d");
    assert_eq!(found, ["volatile accesses | wrong-accesses | fewer writes"]);
}

#[test]
#[ignore = "long: a thousand programs"]
fn a_thousand_clean_programs_access_their_variables_as_they_should() {
    let place = Place::new();
    let out = place.path("out");
    let mut words: Vec<String> = ["--seeds", "own", "--seeds", "csmith", "--volatile", "1"]
        .map(str::to_owned)
        .to_vec();
    words.extend(["--count", "1100", "--variants", "1"].map(str::to_owned));
    for compiler in Compiler::installed() {
        if matches!(compiler.family, Family::Gcc | Family::Clang) {
            words.extend(["--compiler".to_owned(), compiler.name]);
        }
    }
    let levels = ["-O0", "-O1", "-O2", "-O3"];
    words.extend(levels.map(|level| format!("--flag-set={level}")));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    campaign(&out, &words);
    let of_accesses = "SELECT verdict, coalesce(dismissed, '-'), count(*) FROM runs
                       WHERE config = 'volatile accesses' GROUP BY 1, 2";
    let compared = rows(&out, of_accesses);
    let [all] = &compared[..] else {
        panic!("{compared:?}");
    };
    let number = all.strip_prefix("same | - | ").unwrap();
    assert!(number.parse::<u32>().unwrap() > 1000, "{all}");
}
