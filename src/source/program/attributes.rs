//! Attributes that libclang does not tell of, looked up in the seed's text.
//!
//! Where one stands and what it belongs to is not asked: those that matter here are
//! rare, and a program with one of them is treated with care as a whole.

use super::tokens::mentions;

/// Whether some `__attribute__((…))` or `[[…]]` of the text has this word, which is
/// also spelled with two underscores on either side.
pub(super) fn has_attribute(source: &[u8], word: &str) -> bool {
    let underlined = format!("__{word}__");
    let mut attributes = attributes(source);
    attributes.any(|text| mentions(text, word.as_bytes()) || mentions(text, underlined.as_bytes()))
}

/// Whether two names may mean one object or function: `alias`, `weakref`,
/// `#pragma weak`.
pub(super) fn has_second_names(source: &[u8]) -> bool {
    let is_weak = |line: &[u8]| mentions(line, b"pragma") && mentions(line, b"weak");
    has_attribute(source, "alias")
        || has_attribute(source, "weakref")
        || source.split(|byte| *byte == b'\n').any(is_weak)
}

/// What stands between the parentheses or brackets of attributes; more of the text
/// where they are not balanced.
fn attributes(source: &[u8]) -> impl Iterator<Item = &[u8]> {
    const OPENINGS: [(&[u8], u8, u8); 3] = [
        (b"__attribute__", b'(', b')'),
        (b"__attribute", b'(', b')'),
        (b"[[", b'[', b']'),
    ];
    (0..source.len()).filter_map(move |at| {
        let rest = &source[at..];
        let found = OPENINGS.iter().find(|(word, ..)| rest.starts_with(word));
        found.map(|(_, open, close)| balanced(rest, *open, *close))
    })
}

/// The start of a text up to where the first bracket in it is closed.
fn balanced(text: &[u8], open: u8, close: u8) -> &[u8] {
    let mut depth = 0;
    for (at, byte) in text.iter().enumerate() {
        match *byte {
            byte if byte == open => depth += 1,
            byte if byte == close => {
                depth -= 1;
                if depth <= 0 {
                    return &text[..at];
                }
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_inside_attributes_only() {
        let has = |text: &str| has_attribute(text.as_bytes(), "malloc");
        assert!(has("__attribute__((malloc)) char *get(int n);"));
        assert!(has(
            "#define OWN __attribute__((noinline, __malloc__(free, 1)))"
        ));
        assert!(has("[[gnu::malloc]] char *get(int n);"));
        assert!(!has(
            "__attribute__((noinline)) char *get(int n) { return malloc(n); }"
        ));
        assert!(!has("int a[2]; char *p = malloc(a[a[0]]);"));
    }

    #[test]
    fn every_way_to_give_a_second_name_is_known() {
        for text in [
            "int y __attribute__((alias(\"x\")));",
            "static int y __attribute__((weakref(\"x\")));",
            "int x;\n#pragma weak y = x\nextern int y;",
        ] {
            assert!(has_second_names(text.as_bytes()), "{text}");
        }
        assert!(!has_second_names(
            b"int alias, weak; __attribute__((weak)) int w;"
        ));
    }
}
