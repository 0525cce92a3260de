//! Attributes that libclang does not report, looked up in the seed's text.
//!
//! What an attribute belongs to is not determined: those that matter here are rare, and a
//! program with one of them is treated with care as a whole.

use super::macros::definition;
use super::tokens::{Token, TokenKind, Tokens, mentions};
use memchr::memmem;

/// Whether some `__attribute__((…))` or `[[…]]` of the text has this word, which is
/// also spelled with two underscores on either side, or a macro that may stand in one.
pub(crate) fn has_attribute(source: &[u8], word: &str) -> bool {
    has(source, word, |_, _| true)
}

/// The same for an attribute without arguments.
pub(crate) fn has_bare_attribute(source: &[u8], word: &str) -> bool {
    has(source, word, |tokens, at| {
        let next = tokens.get(at + 1).map(|token| token.kind);
        next != Some(TokenKind::Punctuation(b'('))
    })
}

/// Whether some attribute has the word at a place that is as wanted, given the tokens around it.
fn has(source: &[u8], word: &str, is_wanted: impl Fn(&[Token], usize) -> bool) -> bool {
    let underlined = format!("__{word}__");
    let is_word = |tokens: &Tokens<'_>, token: &Token| {
        tokens.is_word(*token, word.as_bytes()) || tokens.is_word(*token, underlined.as_bytes())
    };
    // Most programs do not contain the word at all; those of Csmith have it in a comment.
    let is_known = mentions(source, word.as_bytes()) || mentions(source, underlined.as_bytes());
    if !is_known || !may_have_attributes(source) {
        return false;
    }
    let tokens = Tokens::new(source, &[]);
    let bodies: Vec<Tokens<'_>> = tokens
        .directives()
        .filter_map(|directive| definition(tokens.text(directive)))
        .map(|found| Tokens::within_line(found.body))
        .collect();
    let all = || std::iter::once(&tokens).chain(&bodies);
    let is_among = |tokens: &Tokens<'_>, some: &[Token]| {
        let mut places = 0..some.len();
        places.any(|at| is_word(tokens, &some[at]) && is_wanted(some, at))
    };
    let is_inside = |tokens: &Tokens<'_>| {
        let mut found = attributes(tokens);
        found.any(|inside| is_among(tokens, inside))
    };
    let is_named = |body: &Tokens<'_>| is_among(body, body.starting_at(0));
    let has_any = || all().any(|tokens| attributes(tokens).next().is_some());
    all().any(is_inside) || (bodies.iter().any(is_named) && has_any())
}

/// Whether there may be attributes at all, judging by the bytes.
fn may_have_attributes(source: &[u8]) -> bool {
    let is_bracket = |at: usize| {
        let next = source[at + 1..].trim_ascii_start();
        matches!(next, [b'[' | b'<' | b'?' | b'/' | b'\\', ..])
    };
    // A line break may split the keyword, and brackets have other spellings.
    let has = |text: &str| memmem::find(source, text.as_bytes()).is_some();
    ["__attribute", "\\\n", "\\\r", "<:", "??"]
        .into_iter()
        .any(has)
        || memchr::memchr_iter(b'[', source).any(is_bracket)
}

/// Whether two names may mean one object or function: `alias`, `weakref`,
/// `#pragma weak`, and `_Pragma` of the same.
pub(super) fn has_second_names(source: &[u8]) -> bool {
    let has_pragma = || mentions(source, b"pragma") || mentions(source, b"_Pragma");
    has_attribute(source, "alias")
        || has_attribute(source, "weakref")
        || (mentions(source, b"weak") && has_pragma())
}

/// The tokens between the parentheses or brackets of attributes; more of them where
/// they are not balanced.
fn attributes<'t>(tokens: &'t Tokens<'_>) -> impl Iterator<Item = &'t [Token]> {
    let all = tokens.starting_at(0);
    let is = |token: Option<&Token>, byte| {
        token.is_some_and(|token| token.kind == TokenKind::Punctuation(byte))
    };
    (0..all.len()).filter_map(move |at| {
        let token = all[at];
        let is_keyword =
            tokens.is_word(token, b"__attribute__") || tokens.is_word(token, b"__attribute");
        if is_keyword {
            // What follows may be the parameter of a macro.
            Some(balanced(&all[at + 1..], b'(', b')'))
        } else if is(Some(&token), b'[') && is(all.get(at + 1), b'[') {
            Some(balanced(&all[at..], b'[', b']'))
        } else {
            None
        }
    })
}

/// The start of a text up to where the first bracket in it is closed.
fn balanced(tokens: &[Token], open: u8, close: u8) -> &[Token] {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Punctuation(byte) if byte == open => depth += 1,
            TokenKind::Punctuation(byte) if byte == close => {
                depth -= 1;
                if depth <= 0 {
                    return &tokens[..at];
                }
            }
            _ => {}
        }
    }
    tokens
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
    fn neither_comments_nor_macros_hide_an_attribute() {
        for text in [
            "int y __attribute__ /* :) */ ((alias(\"x\")));",
            "int y __attribute__((/* ) */ alias(\"x\")));",
            "int y __attribute__((section(\")\"), alias(\"x\")));",
            "int y __attribute__ // :)\n((alias(\"x\")));",
            "int y [ [gnu::alias(\"x\")]];",
            "#define ATTRIBUTE __attribute__\n#define AS(x) alias(x)\nint y ATTRIBUTE((AS(\"x\")));",
            "#define SECOND(x) __attribute__ /* :) */ ((alias(x)))\nint y SECOND(\"x\");",
        ] {
            assert!(has_second_names(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn every_way_to_give_a_second_name_is_known() {
        for text in [
            "int y __attribute__((alias(\"x\")));",
            "static int y __attribute__((weakref(\"x\")));",
            "int x;\n#pragma weak y = x\nextern int y;",
            "int x;\n/* :) */ #pragma \\\n weak y = x\nextern int y;",
            "int x;\n_Pragma(\"weak y = x\") extern int y;",
        ] {
            assert!(has_second_names(text.as_bytes()), "{text}");
        }
        assert!(!has_second_names(
            b"int alias, weak; __attribute__((weak)) int w;"
        ));
    }
}
