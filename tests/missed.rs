//! Optimisations that compilers miss are shown, and only those.

use crate::campaign::{Place, command, ends_with};
use serde_json::Value;

/// What never runs, for all that can be known of `zero` and `one`.
const SEED: &str = "#include <stdio.h>\n\
    static int zero, one = 1;\n\
    static int f(int a)\n\
    {\n    if (a != 1)\n        return 7;\n    return a;\n}\n\
    int main(int argc, char **argv)\n\
    {\n    int x = f(one);\n\
    \x20   (void)argv;\n\
    \x20   if (zero)\n        x++;\n\
    \x20   if (argc > 5)\n        x += 2;\n\
    \x20   printf(\"%d\\n\", x);\n    return 0;\n}\n";

fn missed(place: &Place, compilers: &[&str]) -> Value {
    let seed = place.write("seed.c", SEED);
    let mut words = vec!["missed", "--json", seed.to_str().unwrap()];
    for compiler in compilers {
        words.extend(["--compiler", compiler]);
    }
    let output = command(&words).run().unwrap();
    ends_with(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_level_that_optimises_less_than_a_lower_one_is_shown_with_what_it_keeps() {
    let place = Place::new();
    let lazy = "case \" $* \" in *' -O3 '*) exec gcc \"$@\" -O0;; esac";
    let fake = place.fake("gcc-lazy", "gcc", "mestra_marker", lazy);
    let shown = missed(&place, &[&fake]);
    assert_eq!(shown["markers"], 3);
    let lines: Vec<(u64, &str)> = shown["missed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["line"].as_u64().unwrap(),
                one["kept_by"][0].as_str().unwrap(),
            )
        })
        .collect();
    let lazy = format!("{fake} -O3");
    assert_eq!(lines, [(6, lazy.as_str()), (14, lazy.as_str())]);
}

#[test]
fn nothing_is_shown_of_a_compiler_that_removes_more_at_higher_levels() {
    let shown = missed(&Place::new(), &["gcc"]);
    assert_eq!(shown["missed"], Value::Array(vec![]));
}
