//! Declarations: dropping initialisers, members and words, replacing variables by constants
//! and names of types by what they stand for.

use super::draft::{Draft, Rewrite, closing, outermost, pieces, span_of};
use super::items::items;
use crate::source::program::{Access, Span, Token, TokenKind, Variable, VariableId};

/// Replaces the uses of each variable by its initial value, or by 0.
pub(super) fn inline_constants(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let mut changes = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId::new(index);
        let uses = program.uses.iter().filter(|used| used.variable == id);
        let mut change = Rewrite::new();
        for used in uses {
            if used.is_in_macro || used.is_partial || used.access != Access::Read {
                continue;
            }
            change = change.replace(used.span, start_value(draft, variable));
        }
        if !change.is_empty() {
            changes.push(change);
        }
    }
    changes
}

/// The variable's constant initial value, or 0.
fn start_value(draft: &Draft, variable: &Variable) -> Vec<u8> {
    let value = variable.declaration.and_then(|span| {
        let tokens = draft.tokens_in(span);
        let equals = tokens
            .iter()
            .position(|t| t.kind == TokenKind::Punctuation(b'='))?;
        let value = &tokens[equals + 1..];
        let is_constant = |token: &Token| match token.kind {
            TokenKind::Word => draft.text(token.span)[0].is_ascii_digit(),
            TokenKind::Punctuation(b'-' | b'(' | b')') => true,
            _ => false,
        };
        value.iter().all(is_constant).then(|| span_of(value))?
    });
    match value {
        Some(span) if draft.tokens_in(span).len() == 1 => draft.text(span).to_vec(),
        Some(span) => [b"(", draft.text(span), b")"].concat(),
        None => b"0".to_vec(),
    }
}

/// Replaces each name of a type that stands for a word or two by these, unless that
/// makes the text longer.
pub(super) fn inline_types(draft: &Draft) -> Vec<Rewrite> {
    let mut changes = Vec::new();
    for item in items(draft) {
        let tokens = draft.tokens_in(item.span);
        let [typedef, words @ .., name, end] = tokens else {
            continue;
        };
        let is_simple = draft.is(*typedef, b"typedef")
            && draft.is(*end, b";")
            && words
                .iter()
                .chain([name])
                .all(|t| t.kind == TokenKind::Word);
        let Some(ty) = span_of(words).filter(|_| is_simple) else {
            continue;
        };
        let is_use = |token: &&Token| {
            token.kind == TokenKind::Word
                && draft.text(token.span) == draft.text(name.span)
                && !item.span.contains(token.span)
        };
        let uses: Vec<&Token> = draft.tokens.iter().filter(is_use).collect();
        if uses.len() * words.len() > uses.len() + tokens.len() {
            continue;
        }
        let change = Rewrite::new().delete(item.span);
        changes.push(uses.iter().fold(change, |change, token| {
            change.replace(token.span, draft.text(ty))
        }));
    }
    changes
}

/// Drops each initialiser, at file level and in functions.
pub(super) fn drop_initialisers(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let locals = program
        .statements
        .iter()
        .flat_map(|s| &s.parts)
        .filter_map(|part| {
            matches!(part.role, crate::source::program::PartRole::Declarator(_))
                .then_some(part.span)
        });
    let globals = items(draft)
        .into_iter()
        .filter(|item| item.defines.is_none());
    let spans: Vec<Span> = locals.chain(globals.map(|item| item.span)).collect();
    let mut changes = Vec::new();
    for span in spans {
        let tokens = draft.tokens_in(span);
        for piece in pieces(tokens) {
            let outer = outermost(piece);
            let Some((_, equals)) = outer
                .iter()
                .find(|(_, t)| t.kind == TokenKind::Punctuation(b'='))
            else {
                continue;
            };
            let last = outer
                .iter()
                .rev()
                .find(|(_, t)| t.kind != TokenKind::Punctuation(b';'));
            if let Some((_, last)) = last {
                changes.push(Rewrite::new().delete(Span::new(equals.span.start, last.span.end)));
            }
        }
    }
    changes
}

/// Drops each member of a struct or union, each constant of an enum and each element
/// of an initialiser list.
pub(super) fn drop_elements(draft: &Draft) -> Vec<Rewrite> {
    let mut changes = Vec::new();
    for item in items(draft).iter().filter(|item| item.defines.is_none()) {
        let tokens = draft.tokens_in(item.span);
        for (open, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Punctuation(b'{') {
                continue;
            }
            let Some(close) = closing(tokens, open) else {
                continue;
            };
            let inside = &tokens[open + 1..close];
            let mark = if is_record(draft, &tokens[..open]) {
                b';'
            } else {
                b','
            };
            changes.extend(
                elements(inside, mark)
                    .into_iter()
                    .map(|span| Rewrite::new().delete(span)),
            );
        }
    }
    changes
}

fn is_record(draft: &Draft, before: &[Token]) -> bool {
    let mut last = before.iter().rev().take(2);
    last.any(|token| draft.is(*token, b"struct") || draft.is(*token, b"union"))
}

/// The elements of a list, each with the mark that follows it.
fn elements(inside: &[Token], mark: u8) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (at, token) in outermost(inside) {
        if token.kind == TokenKind::Punctuation(mark) {
            spans.push(Span::new(inside[start].span.start, token.span.end));
            start = at + 1;
        }
    }
    spans.extend(span_of(&inside[start..]));
    spans
}

/// Drops each word of a declaration that is not needed: `static`, `const`, `volatile`,
/// attributes.
pub(super) fn drop_words(draft: &Draft) -> Vec<Rewrite> {
    const WORDS: &[&[u8]] = &[
        b"static",
        b"const",
        b"volatile",
        b"register",
        b"inline",
        b"extern",
        b"restrict",
        b"__restrict",
        b"__inline",
        b"__extension__",
        b"unsigned",
        b"signed",
        b"long",
        b"short",
    ];
    let mut changes = Vec::new();
    for (at, token) in draft.tokens.iter().enumerate() {
        let text = draft.text(token.span);
        if WORDS.contains(&text) {
            changes.push(Rewrite::new().delete(token.span));
        } else if text == b"__attribute__" || text == b"__asm__" {
            let close = closing(&draft.tokens, at + 1);
            let last = close.map(|close| draft.tokens[close].span.end);
            changes.extend(last.map(|end| Rewrite::new().delete(Span::new(token.span.start, end))));
        }
    }
    changes
}
