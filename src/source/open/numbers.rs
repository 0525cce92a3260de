//! Numbers of which compilers disagree where they end.
//!
//! Since C99 a number goes on behind `p+` and `p-`, for the sake of `0x1p-3`. In strict C90
//! `0x1p+f` is a number, a `+` and a name, which may be a macro. gcc keeps to that; clang does
//! where the number is not hexadecimal, and tcc never. So one text is several programs.

use crate::source::program::{Token, TokenKind, Tokens};

/// The first number with a sign behind a `p`, also in a directive.
pub(super) fn first_signed(source: &[u8]) -> Option<u32> {
    let tokens = Tokens::new(source, &[]);
    let all = tokens.starting_at(0);
    let found = all.iter().find(|token| has_signed(&tokens, **token));
    found.map(|token| token.span.start)
}

fn has_signed(tokens: &Tokens<'_>, token: Token) -> bool {
    let text = tokens.text(token);
    match token.kind {
        TokenKind::Word => is_signed(text),
        TokenKind::Directive => {
            // The mark would make it a directive again.
            let inside = Tokens::within_line(text.get(1..).unwrap_or_default());
            let mut all = inside.starting_at(0).iter();
            all.any(|token| token.kind == TokenKind::Word && is_signed(inside.text(*token)))
        }
        TokenKind::Quoted | TokenKind::Punctuation(_) => false,
    }
}

fn is_signed(word: &[u8]) -> bool {
    let is_number = matches!(word.first(), Some(b'.' | b'0'..=b'9'));
    let mut pairs = word.windows(2);
    is_number && pairs.any(|pair| matches!(pair, [b'p' | b'P', b'+' | b'-']))
}

/// What asks for C90 and no more.
const STRICT: [&str; 5] = [
    "-ansi",
    "-std=c89",
    "-std=c90",
    "-std=iso9899:1990",
    "-std=iso9899:199409",
];

/// What asks for C90 with GNU's extensions.
const EXTENDED: [&str; 2] = ["-std=gnu89", "-std=gnu90"];

/// Whether of some flags the last that names a version of C asks for C90 and no more.
pub(crate) fn is_strict_c90<'f>(flags: impl Iterator<Item = &'f str>) -> bool {
    version(flags).is_some_and(|flag| STRICT.contains(&flag))
}

/// Whether it asks for C90, with or without extensions.
pub(crate) fn is_c90<'f>(flags: impl Iterator<Item = &'f str>) -> bool {
    version(flags).is_some_and(|flag| STRICT.contains(&flag) || EXTENDED.contains(&flag))
}

fn version<'f>(flags: impl Iterator<Item = &'f str>) -> Option<&'f str> {
    flags
        .filter(|flag| *flag == "-ansi" || flag.starts_with("-std="))
        .last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_with_a_sign_behind_its_p_is_found() {
        for text in [
            "int a;\ndouble d = 0x1.8p+3;\n",
            "#define SIZE \\\n .5P-x\n",
        ] {
            assert!(first_signed(text.as_bytes()).is_some(), "{text}");
        }
        for text in [
            "int x = 0xe+1, y = 1e-3 + 0x1p3;\n",
            "struct s *p; int a = p-p, b = v[0].p+1;\n",
            "/* 0x1p-3 */ char *s = \"0x1p-3\";\n",
        ] {
            assert_eq!(first_signed(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_last_version_of_c_counts() {
        assert!(is_strict_c90(["-std=c99", "-O2", "-ansi"].into_iter()));
        assert!(is_strict_c90(["-std=iso9899:1990", "-w"].into_iter()));
        for flags in [vec![], vec!["-std=gnu89"], vec!["-ansi", "-std=gnu17"]] {
            assert!(!is_strict_c90(flags.into_iter()));
        }
    }
}
