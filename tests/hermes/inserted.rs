//! The text of mutations, looked at by itself.

use super::{quick, source, variants};
use crate::support::{csmith, repository};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use mestra::variant::mutation::{Change, Mutation};

/// Whether a parser that shares nothing with ours takes the text.
fn parses(mutation: &Mutation) -> Result<(), String> {
    let config = Config {
        flavor: Flavor::GnuC11,
        ..Config::default()
    };
    let text = mutation.text();
    // In a loop, where `break` and `continue` may stand; some are expressions.
    let program = format!("void f(void) {{ for (;;) {{ {text}; }} }}");
    match parse_preprocessed(&config, program) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{text}\n{error}")),
    }
}

#[test]
fn every_inserted_text_is_one_line_that_another_parser_takes() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = quick();
    let mut checked = 0;
    for path in [
        csmith(directory.path(), 1),
        csmith(directory.path(), 3),
        repository().join("corpora/bitfields_nested.c"),
        repository().join("corpora/switch_fallthrough.c"),
    ] {
        let source = source(&mutator, &path).unwrap();
        for variant in variants(&mutator, &source, 2) {
            for mutation in variant.mutations() {
                assert!(!mutation.text().contains('\n'), "{}", mutation.text());
                parses(mutation).unwrap_or_else(|problem| panic!("{problem}"));
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked} mutations");
}

#[test]
fn live_code_keeps_away_from_what_restrict_pointers_may_point_to() {
    let mutator = quick();
    let path = repository().join("corpora/restrict_pointers.c");
    let source = source(&mutator, &path).unwrap();
    let mut live = 0;
    for variant in variants(&mutator, &source, 10) {
        for mutation in variant.mutations() {
            let text = match &mutation.change {
                Change::TrueGuard(guard) => guard.guard.to_string(),
                Change::TrueBlock(_) | Change::AssertFact(_) | Change::ReplaceExpr(_) => {
                    mutation.text()
                }
                _ => continue,
            };
            let names = ["shared", "table"];
            assert!(!names.iter().any(|name| text.contains(name)), "{text}");
            live += usize::from(text.contains("own"));
        }
    }
    assert!(live > 20, "the other global is used {live} times");
}
