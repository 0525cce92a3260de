//! Pragmas and attributes that give a compiler more freedom than its flags do.

use super::names::{FLOAT_FREEDOMS, LOOP_PROMISES};
use crate::source::program::{Token, TokenKind, Tokens, mentions};

/// Where a text gives such freedoms first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Freedoms {
    /// To compute otherwise with floating-point numbers.
    pub(super) rounding: Option<u32>,
    /// To take iterations of a loop for independent, which nobody checks.
    pub(super) independence: Option<u32>,
}

impl Freedoms {
    pub(super) fn of(source: &[u8]) -> Freedoms {
        let has = |word: &str| mentions(source, word.as_bytes());
        if !["pragma", "_Pragma", "optimize", "__optimize__"]
            .into_iter()
            .any(has)
        {
            return Freedoms::default();
        }
        let tokens = Tokens::new(source, &[]);
        let places = |words: &[&str]| {
            let mut found = settings(&tokens).filter(|(_, text)| names_one(text, words));
            found.next().map(|(token, _)| token.span.start)
        };
        Freedoms {
            rounding: places(FLOAT_FREEDOMS),
            independence: places(LOOP_PROMISES),
        }
    }
}

/// The texts that can set something: pragmas, and strings behind `_Pragma` and `optimize`.
fn settings<'t>(tokens: &'t Tokens<'_>) -> impl Iterator<Item = (Token, &'t [u8])> {
    let pragmas = tokens.directives();
    let pragmas = pragmas.filter(|directive| tokens.directive_name(*directive) == b"pragma");
    // Macros that stand for attributes, and `_Pragma`.
    let definitions = tokens.directives();
    let definitions =
        definitions.filter(|directive| tokens.directive_name(*directive) == b"define");
    let definitions = definitions.filter(|directive| {
        let text = tokens.text(*directive);
        ["_Pragma", "optimize", "__optimize__"]
            .into_iter()
            .any(|word| mentions(text, word.as_bytes()))
    });
    let whole = pragmas.chain(definitions);
    let strings = strings(tokens);
    whole
        .chain(strings)
        .map(|token| (token, tokens.text(token)))
}

/// The strings in the parentheses behind `_Pragma` and `optimize`.
fn strings(tokens: &Tokens<'_>) -> impl Iterator<Item = Token> {
    let all = tokens.starting_at(0);
    let words: [&[u8]; 3] = [b"_Pragma", b"optimize", b"__optimize__"];
    let is_setting = move |at: &usize| words.iter().any(|word| tokens.is_word(all[*at], word));
    let is_inside = |token: &&Token| token.kind != TokenKind::Punctuation(b')');
    let inside = move |at: usize| all[at + 1..].iter().take_while(is_inside);
    let all = (0..all.len()).filter(is_setting).flat_map(inside);
    all.filter(|token| token.kind == TokenKind::Quoted).copied()
}

fn names_one(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| mentions(text, word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn freedoms(text: &str) -> (bool, bool) {
        let found = Freedoms::of(text.as_bytes());
        (found.rounding.is_some(), found.independence.is_some())
    }

    #[test]
    fn freedoms_are_found_in_every_form() {
        for text in [
            "#pragma STDC FP_CONTRACT ON\nint x;\n",
            "#pragma GCC optimize (\"O3\",\"fast-math\")\n",
            "void f(void) {\n#pragma clang fp reassociate(on)\n}\n",
            "__attribute__((noinline, optimize(\"Ofast\"))) int f(void) { return 1; }\n",
            "#define QUICK __attribute__((__optimize__(\"-fassociative-math\")))\n",
        ] {
            assert_eq!(freedoms(text), (true, false), "{text}");
        }
        for text in [
            "#pragma GCC ivdep\nfor (;;);\n",
            "#define FREE _Pragma(\"clang loop vectorize(assume_safety)\")\n",
        ] {
            assert_eq!(freedoms(text), (false, true), "{text}");
        }
        for text in [
            "#pragma pack(1)\nint fast, math;\n",
            "__attribute__((optimize(\"O0\"))) int f(void) { return 1; } int fast;\n",
            "/* ivdep */ int simd;\n",
        ] {
            assert_eq!(freedoms(text), (false, false), "{text}");
        }
    }
}
