//! Names that a compiler may define as macros by itself. What it makes of them can depend on its
//! flags, and then one text is several programs.

use crate::source::program::{
    Lines, Program, SeedFunction, Token, TokenKind, Tokens, has_bare_attribute, mentions,
};
use std::collections::BTreeSet;

/// What `__attribute__((aligned))` means: the greatest alignment of any type, which compilers
/// choose, on some machines by their flags.
pub(crate) const GREATEST_ALIGNMENT: &str = "__BIGGEST_ALIGNMENT__";

/// What no listing can say: words of directives, and what changes while it is looked at.
const UNLISTED: &[&str] = &[
    "__VA_ARGS__",
    "__VA_OPT__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
];

/// The reserved names of a text, other than those that only its conditions ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReservedNames {
    /// The line of the first, from 1.
    pub(crate) line: usize,
    /// A text that says each of them once and can be preprocessed.
    pub(crate) listing: Vec<u8>,
}

impl ReservedNames {
    pub(super) fn of(source: &[u8]) -> Option<ReservedNames> {
        let tokens = Tokens::new(source, &[]);
        let mut names = BTreeSet::new();
        let mut first = None;
        for token in tokens.starting_at(0) {
            let known = names.len();
            match token.kind {
                TokenKind::Word => names.extend(reserved(&tokens, *token)),
                TokenKind::Directive if tokens.directive_name(*token) == b"define" => {
                    // The mark would make it a directive again.
                    let text = tokens.text(*token).get(1..).unwrap_or_default();
                    let inside = Tokens::within_line(text);
                    let all = inside.starting_at(0).iter();
                    names.extend(all.filter_map(|token| reserved(&inside, *token)));
                }
                _ => {}
            }
            if names.len() > known {
                first = first.or(Some(token.span.start));
            }
        }
        let line = Lines::new(source).locate(first?).0;
        let names: Vec<&[u8]> = names.into_iter().collect();
        let listing = [names.join(&b"\n"[..]), b"\n".to_vec()].concat();
        Some(ReservedNames { line, listing })
    }
}

/// The word, if compilers may define it.
fn reserved<'s>(tokens: &Tokens<'s>, token: Token) -> Option<&'s [u8]> {
    let word = tokens.text(token);
    let is_listed = token.kind == TokenKind::Word
        && word.starts_with(b"__")
        && !word.starts_with(b"__has_")
        && !word.starts_with(b"__builtin_")
        && !UNLISTED.iter().any(|name| name.as_bytes() == word);
    is_listed.then_some(word)
}

/// The line, from 1, where a text asks for the greatest alignment without saying how much that is.
pub(super) fn greatest_alignment(source: &[u8]) -> Option<usize> {
    let is_asked = has_bare_attribute(source, "aligned");
    is_asked.then(|| {
        let mut lines = source.split(|byte| *byte == b'\n');
        let names = |line: &[u8]| mentions(line, b"aligned") || mentions(line, b"__aligned__");
        lines.position(names).map_or(1, |index| index + 1)
    })
}

/// The line, from 1, of a macro's call that goes over several lines in a program that asks for
/// numbers of lines, be it by assertions.
pub(super) fn line_in_long_call(program: &Program) -> Option<usize> {
    let source = &program.source;
    let is_assertion = |function: &SeedFunction| function.name.starts_with("__assert");
    if !mentions(source, b"__LINE__") && !program.functions.iter().any(is_assertion) {
        return None;
    }
    let tokens = Tokens::new(source, &[]);
    let all = tokens.starting_at(0);
    let is_macro = |token: Token| {
        let name = std::str::from_utf8(tokens.text(token));
        token.kind == TokenKind::Word && name.is_ok_and(|name| program.macros.contains(name))
    };
    let mut calls = (0..all.len()).filter(|at| is_macro(all[*at]));
    calls.find_map(|at| {
        let mut depth = 0;
        for token in &all[at + 1..] {
            match token.kind {
                TokenKind::Punctuation(b'(') => depth += 1,
                TokenKind::Punctuation(b')') => depth -= 1,
                _ => {}
            }
            if depth <= 0 {
                let call = &source[all[at].span.start as usize..token.span.end as usize];
                let is_long = call.contains(&b'\n');
                return is_long.then(|| Lines::new(source).locate(all[at].span.start).0);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_that_may_become_part_of_the_program() {
        let text = b"int a;\n#if __GNUC__ > 3\n#define LINK __pie__\n#endif\n\
                     int b = __SSE2__; char *c = \"__AVX__\"; int d = __has_feature(x);\n\
                     #define ALL(...) f(__VA_ARGS__, __pie__)\n";
        let names = ReservedNames::of(text).unwrap();
        assert_eq!(names.line, 3);
        let listing = String::from_utf8(names.listing).unwrap();
        assert_eq!(listing, "__SSE2__\n__pie__\n");
        assert_eq!(ReservedNames::of(b"int main(void) { return 0; }"), None);
    }

    #[test]
    fn an_alignment_that_is_said_is_the_same_everywhere() {
        let line = |text: &str| greatest_alignment(text.as_bytes());
        assert_eq!(line("int a;\nint b __attribute__((aligned));"), Some(2));
        assert_eq!(line("int b __attribute__((unused, __aligned__));"), Some(1));
        assert_eq!(
            line("#define WIDE aligned\nint b __attribute__((WIDE));"),
            Some(1)
        );
        assert_eq!(line("int b __attribute__((aligned(16)));"), None);
        assert_eq!(
            line("int b __attribute__((__aligned__ (16), unused));"),
            None
        );
        assert_eq!(line("int aligned; int b __attribute__((unused));"), None);
    }
}
