//! A text that is being reduced, with its tree and tokens, and the changes that are
//! proposed to it.

use crate::error::SeedRefused;
use crate::source::clang::Clang;
use crate::source::edit::Edits;
use crate::source::program::{Program, Span, Token, TokenKind, Tokens, lower};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// What a pass proposes as one step: all of its replacements, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rewrite {
    replacements: Vec<(Span, Vec<u8>)>,
}

impl Rewrite {
    pub(super) fn new() -> Rewrite {
        Rewrite::default()
    }

    pub(super) fn replace(mut self, span: Span, text: impl Into<Vec<u8>>) -> Rewrite {
        self.replacements.push((span, text.into()));
        self
    }

    pub(super) fn delete(self, span: Span) -> Rewrite {
        self.replace(span, Vec::new())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }
}

/// A text that compiles, with its tree and tokens.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) program: Program,
    /// Without comments; a directive is one token.
    pub(super) tokens: Vec<Token>,
}

impl Draft {
    pub(super) fn new(
        clang: &Clang,
        path: &Path,
        flags: &[OsString],
        text: &[u8],
    ) -> Result<Draft, SeedRefused> {
        let program = lower(clang, path, Arc::from(text), flags)?;
        let tokens = Tokens::new(text, &[]).starting_at(0).to_vec();
        Ok(Draft { program, tokens })
    }

    /// The text with the changes applied; `None` if they conflict.
    pub(super) fn with<'c>(
        &self,
        changes: impl IntoIterator<Item = &'c Rewrite>,
    ) -> Option<Vec<u8>> {
        let mut edits = Edits::new();
        for change in changes {
            for (span, text) in &change.replacements {
                // A space keeps the words on both sides apart.
                let text = if text.is_empty() {
                    b" "
                } else {
                    text.as_slice()
                };
                edits.replace(*span, text);
            }
        }
        edits.render(&self.program.source).ok()
    }

    pub(super) fn text(&self, span: Span) -> &[u8] {
        self.program.text(span)
    }

    /// The tokens that lie in a span.
    pub(super) fn tokens_in(&self, span: Span) -> &[Token] {
        let first = self.tokens.partition_point(|t| t.span.start < span.start);
        let last = self.tokens.partition_point(|t| t.span.end <= span.end);
        &self.tokens[first..last.max(first)]
    }

    pub(super) fn is(&self, token: Token, text: &[u8]) -> bool {
        self.text(token.span) == text
    }
}

/// The size of a text in tokens, which does not depend on white space.
pub(super) fn size(text: &[u8]) -> usize {
    Tokens::new(text, &[]).starting_at(0).len()
}

/// The index of the bracket that closes the one at `open`.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Punctuation(b')' | b']' | b'}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The tokens outside brackets, with their indices.
pub(super) fn outermost(tokens: &[Token]) -> Vec<(usize, Token)> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = depth;
        match token.kind {
            TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Punctuation(b')' | b']' | b'}') => depth -= 1,
            _ => {}
        }
        if before == 0 || depth == 0 {
            found.push((at, *token));
        }
    }
    found
}

/// The pieces between commas outside brackets, without the commas.
pub(super) fn pieces(tokens: &[Token]) -> Vec<&[Token]> {
    let commas = outermost(tokens)
        .into_iter()
        .filter(|(_, token)| token.kind == TokenKind::Punctuation(b','));
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in commas {
        pieces.push(&tokens[start..at]);
        start = at + 1;
    }
    pieces.push(&tokens[start..]);
    pieces
}

/// From the first to the last of some tokens.
pub(super) fn span_of(tokens: &[Token]) -> Option<Span> {
    Some(Span::new(
        tokens.first()?.span.start,
        tokens.last()?.span.end,
    ))
}
