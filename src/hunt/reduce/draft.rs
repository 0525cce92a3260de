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
    /// Texts that go before what stands at a place.
    insertions: Vec<(Span, Vec<u8>)>,
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

    pub(super) fn insert_before(mut self, span: Span, text: impl Into<Vec<u8>>) -> Rewrite {
        self.insertions.push((span, text.into()));
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.replacements.is_empty() && self.insertions.is_empty()
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
            for (span, text) in &change.insertions {
                edits.insert_before(*span, text.as_slice());
            }
        }
        edits.render(&self.program.source).ok()
    }

    pub(super) fn text(&self, span: Span) -> &[u8] {
        self.program.text(span)
    }

    /// The text of a span with other texts in the place of some of its parts, which are apart.
    pub(super) fn text_with(&self, span: Span, mut parts: Vec<(Span, Vec<u8>)>) -> Vec<u8> {
        parts.retain(|(part, _)| span.contains(*part));
        parts.sort_by_key(|(part, _)| part.start);
        let (mut text, mut at) = (Vec::new(), span.start);
        for (part, instead) in parts.iter().filter(|(part, _)| part.start >= span.start) {
            if part.start < at {
                continue;
            }
            text.extend_from_slice(self.text(Span::new(at, part.start)));
            text.extend_from_slice(instead);
            at = part.end;
        }
        text.extend_from_slice(self.text(Span::new(at, span.end)));
        text
    }

    /// Whether a word occurs anywhere in the text.
    pub(super) fn has_word(&self, word: &[u8]) -> bool {
        let mut words = self.tokens.iter();
        words.any(|token| token.kind == TokenKind::Word && self.text(token.span) == word)
    }

    /// A name that nothing has so far: this one, if it is free.
    pub(super) fn fresh(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names
            .find(|name| !self.has_word(name.as_bytes()))
            .unwrap_or_default()
    }

    /// Those of the changes that do not make the text larger when made alone.
    pub(super) fn without_growth(&self, changes: Vec<Rewrite>) -> Vec<Rewrite> {
        let most = self.tokens.len();
        let fits = |change: &Rewrite| self.with([change]).is_some_and(|text| size(&text) <= most);
        changes.into_iter().filter(fits).collect()
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

/// What a pass makes of a text, each of its changes made alone, laid out in one line.
#[cfg(test)]
pub(super) fn proposed(text: &str, pass: impl Fn(&Draft) -> Vec<Rewrite>) -> Vec<String> {
    let clang = Clang::load().unwrap();
    let draft = Draft::new(&clang, Path::new("test.c"), &[], text.as_bytes()).unwrap();
    let texts = pass(&draft)
        .into_iter()
        .filter_map(|change| draft.with([&change]));
    let lines = texts.map(|text| {
        let text = String::from_utf8(super::lay_out(&text)).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    lines.collect()
}

/// A pass proposes nothing for any of these texts.
#[cfg(test)]
#[track_caller]
pub(super) fn refuses(pass: impl Fn(&Draft) -> Vec<Rewrite>, texts: &[&str]) {
    for text in texts {
        assert!(proposed(text, &pass).is_empty(), "{text}");
    }
}
