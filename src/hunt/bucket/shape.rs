//! What a small program is made of: the operators, statements and types that are left when
//! everything else is gone. Two reductions of one defect keep much the same.

use crate::source::program::{Token, TokenKind, Tokens};
use std::collections::BTreeSet;

/// Programs with more tokens are not small: their shape says nothing.
const MOST_TOKENS: usize = 400;

/// Features by what they are called in names and titles, the most telling first.
const FEATURES: [(&str, &[&str]); 30] = [
    ("setjmp", &["setjmp", "longjmp", "__builtin_setjmp"]),
    ("goto", &["goto"]),
    ("switch", &["switch"]),
    ("bit-field", &[":"]),
    ("union", &["union"]),
    ("varargs", &["va_arg", "__builtin_va_arg", "..."]),
    ("vector", &["vector_size", "__vector_size__"]),
    ("complex", &["_Complex"]),
    ("float", &["float", "double"]),
    ("shift", &["<<", ">>", "<<=", ">>="]),
    ("remainder", &["%", "%="]),
    ("division", &["/", "/="]),
    ("multiplication", &["a*b", "*="]),
    ("volatile", &["volatile"]),
    ("bool", &["_Bool", "bool"]),
    ("xor", &["^", "^="]),
    ("bit-or", &["|", "|="]),
    ("bit-and", &["a&b", "&="]),
    ("complement", &["~"]),
    ("conditional", &["?"]),
    ("struct", &["struct", "->", "."]),
    ("array", &["["]),
    ("pointer", &["*a", "&a"]),
    ("narrow", &["char", "short"]),
    ("long", &["long"]),
    ("unsigned", &["unsigned"]),
    ("loop", &["for", "while", "do"]),
    ("logical", &["&&", "||", "!"]),
    ("equality", &["==", "!="]),
    ("relation", &["<", ">", "<=", ">="]),
];

/// How many features a name or title has.
const SAID: usize = 3;

/// The features of a program, and how large it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramShape {
    pub(super) tokens: usize,
    /// In the order of [`FEATURES`]; empty if the program is not small.
    pub(super) features: Vec<String>,
}

impl ProgramShape {
    pub(super) fn is_small(&self) -> bool {
        (1..=MOST_TOKENS).contains(&self.tokens)
    }

    pub(super) fn of(text: &[u8]) -> ProgramShape {
        let lexed = Tokens::new(text, &[]);
        let tokens = lexed.starting_at(0);
        if tokens.len() > MOST_TOKENS {
            return ProgramShape {
                tokens: tokens.len(),
                features: Vec::new(),
            };
        }
        let words: BTreeSet<String> = spelled(&lexed);
        let has = |spellings: &[&str]| spellings.iter().any(|word| words.contains(*word));
        let features = FEATURES.iter().filter(|(_, spellings)| has(spellings));
        ProgramShape {
            tokens: tokens.len(),
            features: features.map(|(name, _)| (*name).to_owned()).collect(),
        }
    }
}

/// The words and operators of a text, with unary and binary `*` and `&` told apart.
fn spelled(lexed: &Tokens<'_>) -> BTreeSet<String> {
    let tokens = lexed.starting_at(0);
    let mut words = BTreeSet::new();
    let mut at = 0;
    while at < tokens.len() {
        // `int printf(const char *, …);` is in nearly every program.
        if let Some(end) = prototype_end(tokens, at) {
            at = end;
            continue;
        }
        let first = tokens[at];
        let start = at;
        at += 1;
        if first.kind == TokenKind::Word {
            let text = String::from_utf8_lossy(lexed.text(first));
            let is_number = text.starts_with(|c: char| c.is_ascii_digit());
            if is_number && text.contains('.') {
                words.insert("double".into());
            }
            words.insert(text.into_owned());
        }
        let TokenKind::Punctuation(_) = first.kind else {
            continue;
        };
        let mut text = lexed.text(first).to_vec();
        // The longest operator counts.
        while let Some(next) = tokens.get(at)
            && next.span.start == tokens[at - 1].span.end
            && matches!(next.kind, TokenKind::Punctuation(_))
            && is_operator(&[&text, lexed.text(*next)].concat())
        {
            text.extend_from_slice(lexed.text(*next));
            at += 1;
        }
        let before = start.checked_sub(1).map(|before| tokens[before]);
        let is_behind_operand = before.is_some_and(|before| match before.kind {
            TokenKind::Word => {
                let word = lexed.text(before);
                !(word == b"return" || TYPES.iter().any(|name| name.as_bytes() == word))
            }
            TokenKind::Punctuation(byte) => matches!(byte, b')' | b']'),
            _ => false,
        });
        let text = String::from_utf8_lossy(&text).into_owned();
        words.insert(match (text.as_str(), is_behind_operand) {
            ("*" | "&", true) => format!("a{text}b"),
            ("*" | "&", false) => format!("{text}a"),
            // Behind a condition or a label, a colon is no bit-field.
            (":", _) if !is_bit_field(lexed, start) => continue,
            _ => text,
        });
    }
    words
}

/// Where a declaration of a function that starts at this token ends; `None` if none does.
fn prototype_end(tokens: &[Token], start: usize) -> Option<usize> {
    let is = |at: usize, bytes: &[u8]| {
        let token = tokens.get(at).map(|token| token.kind);
        matches!(token, Some(TokenKind::Punctuation(byte)) if bytes.contains(&byte))
    };
    let starts =
        start == 0 || is(start - 1, b";}") || tokens[start - 1].kind == TokenKind::Directive;
    let length = tokens[start..].iter().position(|token| {
        matches!(
            token.kind,
            TokenKind::Punctuation(b';' | b'{' | b'=' | b'}')
        )
    })?;
    let words = tokens[start..start + length].iter();
    let named = words.take_while(|token| token.kind != TokenKind::Punctuation(b'('));
    let named = named.filter(|token| token.kind == TokenKind::Word).count();
    let is_prototype =
        is(start + length, b";") && is(start + length - usize::from(length > 0), b")");
    // A call has one word before its parenthesis, a declaration has two.
    (starts && is_prototype && named > 1).then_some(start + length + 1)
}

/// Words that a declarator with a `*` stands behind.
const TYPES: [&str; 9] = [
    "int", "char", "short", "long", "unsigned", "signed", "void", "float", "double",
];

fn is_operator(text: &[u8]) -> bool {
    const LONG: [&[u8]; 21] = [
        b"<<", b">>", b"<<=", b">>=", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"->", b"++",
        b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
    ];
    LONG.contains(&text)
}

/// Whether the colon stands between a member's name and a number that ends the member.
fn is_bit_field(lexed: &Tokens<'_>, colon: usize) -> bool {
    let tokens = lexed.starting_at(0);
    let is_width = |at: usize| {
        let is_number = tokens
            .get(at)
            .is_some_and(|token| lexed.text(*token)[0].is_ascii_digit());
        let ends = tokens.get(at + 1).is_some_and(|token| {
            matches!(
                token.kind,
                TokenKind::Punctuation(b';') | TokenKind::Punctuation(b',')
            )
        });
        is_number && ends
    };
    let statement = tokens[..colon].iter().rev().take_while(|token| {
        !matches!(
            token.kind,
            TokenKind::Punctuation(b';') | TokenKind::Punctuation(b'{' | b'}')
        )
    });
    let mut statement = statement.map(|token| lexed.text(*token));
    is_width(colon + 1) && !statement.any(|word| [&b"?"[..], b"case", b"default"].contains(&word))
}

/// How much two sets of features have in common, from 0 to 1.
pub(super) fn similarity(one: &[String], other: &[String]) -> f64 {
    let common = one.iter().filter(|feature| other.contains(feature)).count();
    let all = one.len() + other.len() - common;
    if all == 0 {
        1.0
    } else {
        common as f64 / all as f64
    }
}

/// How much of some features is among others, from 0 to 1; of none, nothing can be said.
pub(super) fn contained(features: &[String], others: &[String]) -> f64 {
    let common = features.iter().filter(|feature| others.contains(feature));
    if features.is_empty() {
        0.0
    } else {
        common.count() as f64 / features.len() as f64
    }
}

/// The features that tell most, for a name or title.
pub(super) fn telling(features: &[String]) -> &[String] {
    &features[..features.len().min(SAID)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str) -> Vec<String> {
        ProgramShape::of(text.as_bytes()).features
    }

    #[test]
    fn operators_count_as_a_reader_sees_them() {
        assert_eq!(features("int a = 1 << 3;"), ["shift"]);
        assert_eq!(features("int a = b * c;"), ["multiplication"]);
        assert_eq!(features("int *a = &b;"), ["pointer"]);
        assert_eq!(
            features("int f(int a) { return *a & 3; }"),
            ["bit-and", "pointer"]
        );
        assert_eq!(
            features("struct { int a : 3; } s;"),
            ["bit-field", "struct"]
        );
        assert_eq!(features("int a = b ? c : 3;"), ["conditional"]);
        assert_eq!(features("int main(void) { return 0; }"), [""; 0]);
        let prototype = "int printf(const char *__format, ...);";
        assert_eq!(features(prototype), [""; 0]);
        let program = format!("{prototype} int main(void) {{ f(a << 3); return *p; }}");
        assert_eq!(features(&program), ["shift", "pointer"]);
    }

    #[test]
    fn a_large_program_has_no_shape() {
        let text = "int a = 1 << 3;\n".repeat(100);
        assert!(features(&text).is_empty());
    }

    #[test]
    fn shapes_are_alike_by_what_they_share() {
        let one = features("for (;;) a = a << 3;");
        let other = features("while (1) a >>= 3;");
        assert_eq!(similarity(&one, &other), 1.0);
        assert_eq!(similarity(&one, &features("a = b % 3;")), 0.0);
        assert_eq!(similarity(&[], &[]), 1.0);
    }
}
