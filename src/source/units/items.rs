//! What stands at file level, read off its tokens: types, variables, functions, and the names
//! that they declare.

use crate::source::program::{Token, TokenKind};
use std::ops::Range;

/// Words before or after a type that are not part of it.
const QUALIFIERS: [&[u8]; 14] = [
    b"static",
    b"extern",
    b"register",
    b"const",
    b"volatile",
    b"restrict",
    b"__restrict",
    b"__const",
    b"__volatile__",
    b"_Noreturn",
    b"_Thread_local",
    b"__thread",
    b"__extension__",
    b"inline",
];

/// Words that are followed by parentheses and declare nothing.
const ATTRIBUTES: [&[u8]; 5] = [
    b"__attribute__",
    b"__attribute",
    b"_Alignas",
    b"__asm__",
    b"asm",
];

/// Words that types are made of.
const TYPES: [&[u8]; 13] = [
    b"void",
    b"char",
    b"short",
    b"int",
    b"long",
    b"float",
    b"double",
    b"signed",
    b"unsigned",
    b"__signed__",
    b"_Bool",
    b"__int128",
    b"_Complex",
];

/// Words that mark a function whose definition every unit needs.
const INLINE: [&[u8]; 5] = [
    b"inline",
    b"__inline",
    b"__inline__",
    b"always_inline",
    b"__always_inline__",
];

/// The tokens of a whole text; places in it are numbers of tokens.
pub(super) struct FileItems<'t> {
    pub(super) text: &'t [u8],
    pub(super) tokens: &'t [Token],
}

/// What stands at file level, as far as it matters here; the numbers are those of tokens.
#[derive(Debug, PartialEq)]
pub(super) enum FileItem {
    /// The same for both units, such as a type.
    Common,
    /// A declaration of a function.
    Prototype,
    /// A definition of variables; where the type that it begins with ends.
    Variables { specifiers: usize },
    /// A definition of a function, with the number of its body's brace.
    Function { body: usize },
}

impl<'t> FileItems<'t> {
    /// The last token of the item that begins at a token, and the brace of its body if it
    /// defines a function.
    pub(super) fn end_of_item(&self, first: usize) -> Option<(usize, Option<usize>)> {
        if self.tokens[first].kind == TokenKind::Directive {
            return Some((first, None));
        }
        let mut at = first;
        let mut is_initialiser = false;
        loop {
            match self.tokens.get(at)?.kind {
                TokenKind::Punctuation(b';') => return Some((at, None)),
                TokenKind::Punctuation(b'=') => is_initialiser = true,
                TokenKind::Punctuation(b'{') if !is_initialiser => {
                    let close = self.closing(at)?;
                    // What follows a tag is a type.
                    let is_body = at > first && self.is(at - 1, b')');
                    if is_body {
                        return Some((close, Some(at)));
                    }
                    // A definition in the old style has declarations before its body.
                    if at == first {
                        return None;
                    }
                    at = close;
                }
                TokenKind::Punctuation(b'(' | b'[' | b'{') => at = self.closing(at)?,
                _ => {}
            }
            at += 1;
        }
    }

    pub(super) fn kind(&self, first: usize, last: usize, body: Option<usize>) -> FileItem {
        let has = |word: &[u8]| self.has_word(first, body.unwrap_or(last), word);
        let is_directive = self.tokens[first].kind == TokenKind::Directive;
        if is_directive || has(b"typedef") || INLINE.into_iter().any(has) {
            return FileItem::Common;
        }
        if let Some(body) = body {
            return FileItem::Function { body };
        }
        let specifiers = self.specifiers_end(first, last);
        match self.declarator(specifiers, last) {
            None => FileItem::Common,
            Some((_, true)) => FileItem::Prototype,
            Some((_, false)) if has(b"extern") => FileItem::Common,
            Some((_, false)) => FileItem::Variables { specifiers },
        }
    }

    /// Where the type that a declaration begins with ends.
    fn specifiers_end(&self, first: usize, last: usize) -> usize {
        let mut at = first;
        let mut has_type = false;
        while at < last && self.tokens[at].kind == TokenKind::Word {
            match self.word(at) {
                word if QUALIFIERS.contains(&word) => at += 1,
                word if ATTRIBUTES.contains(&word) => at = self.past_group(at + 1),
                b"struct" | b"union" | b"enum" => {
                    has_type = true;
                    at = self.past_attributes(at + 1);
                    at += usize::from(self.tokens[at].kind == TokenKind::Word);
                    at = self.past_group(at);
                }
                b"typeof" | b"__typeof" | b"__typeof__" => {
                    has_type = true;
                    at = self.past_group(at + 1);
                }
                word if TYPES.contains(&word) || !has_type => {
                    has_type = true;
                    at += 1;
                }
                _ => break,
            }
        }
        at
    }

    /// The name that a declarator declares, and whether that is a function's.
    fn declarator(&self, from: usize, last: usize) -> Option<(&'t [u8], bool)> {
        let mut at = from;
        while at < last {
            at = self.past_attributes(at);
            match self.tokens[at].kind {
                TokenKind::Punctuation(b'*') => at += 1,
                TokenKind::Word if QUALIFIERS.contains(&self.word(at)) => at += 1,
                TokenKind::Word => return Some((self.word(at), self.is(at + 1, b'('))),
                TokenKind::Punctuation(b'(') => {
                    let is_pointer = self.is(at + 1, b'*');
                    let (name, is_function) = self.declarator(at + 1, self.closing(at)?)?;
                    // `int (*f(int))(void)` is a function, `int (*f)(int)` is not.
                    return Some((name, is_function || !is_pointer && !self.is(at + 1, b'(')));
                }
                _ => return None,
            }
        }
        None
    }

    /// All names that an item declares.
    pub(super) fn names(&self, first: usize, last: usize, body: Option<usize>) -> Vec<&'t [u8]> {
        match body {
            Some(body) => self.name(first, body).into_iter().collect(),
            None => {
                let starts = self.declarators(self.specifiers_end(first, last), last);
                let names = starts.iter().map(|(from, _)| self.declarator(*from, last));
                names.flatten().map(|(name, _)| name).collect()
            }
        }
    }

    /// The name of the function that is defined with this body.
    pub(super) fn name(&self, first: usize, body: usize) -> Option<&'t [u8]> {
        let from = self.specifiers_end(first, body);
        self.declarator(from, body).map(|(name, _)| name)
    }

    /// Declarators, each with the token behind it where its initialiser is left out.
    pub(super) fn declarators(&self, from: usize, last: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut start, mut end, mut at) = (from, None, from);
        while at <= last {
            match self.tokens[at].kind {
                TokenKind::Punctuation(b'(' | b'[' | b'{') => {
                    at = self.closing(at).unwrap_or(last);
                }
                TokenKind::Punctuation(b'=') => end = end.or(Some(at)),
                TokenKind::Punctuation(b',' | b';') => {
                    found.push((start, end.unwrap_or(at)));
                    (start, end) = (at + 1, None);
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// Whether there is nothing but bounds of an array between two tokens.
    pub(super) fn is_array_from(&self, from: usize, end: usize) -> bool {
        let mut at = from;
        while at < end {
            match self.closing(at).filter(|_| self.is(at, b'[')) {
                Some(close) => at = close + 1,
                None => return false,
            }
        }
        true
    }

    /// Whether a token of an item is outside all brackets.
    pub(super) fn is_outside(&self, first: usize, at: usize) -> bool {
        let depth = self.tokens[first..at].iter().map(|token| match token.kind {
            TokenKind::Punctuation(b'(' | b'[' | b'{') => 1,
            TokenKind::Punctuation(b')' | b']' | b'}') => -1,
            _ => 0,
        });
        depth.sum::<i32>() == 0
    }

    /// Whether a word stands in an item, outside of braces.
    pub(super) fn has_word(&self, first: usize, last: usize, word: &[u8]) -> bool {
        let mut at = first;
        while at <= last {
            if self.is(at, b'{') {
                at = self.closing(at).unwrap_or(last);
            } else if self.is_word(at, word) {
                return true;
            }
            at += 1;
        }
        false
    }

    fn past_attributes(&self, mut at: usize) -> usize {
        while at + 1 < self.tokens.len() && ATTRIBUTES.contains(&self.word(at)) {
            at = self.past_group(at + 1);
        }
        at
    }

    /// The token after the brackets that open at a token, if any do.
    fn past_group(&self, at: usize) -> usize {
        if self.is(at, b'(') || self.is(at, b'{') {
            self.closing(at).map_or(at, |close| close + 1)
        } else {
            at
        }
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Punctuation(b')' | b']' | b'}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn is(&self, at: usize, punctuation: u8) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| token.kind == TokenKind::Punctuation(punctuation))
    }

    pub(super) fn is_word(&self, at: usize, word: &[u8]) -> bool {
        self.tokens[at].kind == TokenKind::Word && self.word(at) == word
    }

    pub(super) fn word(&self, at: usize) -> &'t [u8] {
        &self.text[self.tokens[at].span.range()]
    }

    /// The bytes from the first token to the last.
    pub(super) fn span(&self, first: usize, last: usize) -> Range<usize> {
        self.tokens[first].span.range().start..self.tokens[last].span.range().end
    }
}
