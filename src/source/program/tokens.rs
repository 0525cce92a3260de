//! The seed's text as tokens: enough lexing to find semicolons, statement
//! boundaries and preprocessor directives that clang's tree does not show.

use super::ids::Span;
use memchr::memmem;

/// A token of the seed. Comments and white space are left out; a directive is one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word or number.
    Word,
    /// A string or character constant.
    Quoted,
    /// One byte of punctuation, or a digraph for a brace, bracket or `#`.
    Punctuation(u8),
    /// A whole preprocessor line, continuation lines included.
    Directive,
}

/// All tokens of a source, in order.
#[derive(Debug)]
pub(crate) struct Tokens<'s> {
    source: &'s [u8],
    tokens: Vec<Token>,
}

impl<'s> Tokens<'s> {
    /// Leaves out what starts inside one of the `skipped` spans, which are in order.
    pub(crate) fn new(source: &'s [u8], skipped: &[Span]) -> Tokens<'s> {
        Tokens::lex(source, skipped, true)
    }

    /// The tokens of a text that does not start a line, so that a `#` at its start is
    /// an operator.
    pub(crate) fn within_line(source: &'s [u8]) -> Tokens<'s> {
        Tokens::lex(source, &[], false)
    }

    fn lex(source: &'s [u8], skipped: &[Span], starts_line: bool) -> Tokens<'s> {
        // Csmith programs have a token in about four bytes.
        let mut tokens = Vec::with_capacity(source.len() / 4);
        let mut skipped = skipped.iter().peekable();
        let mut lexer = Lexer {
            source,
            at: 0,
            line_is_empty: starts_line,
        };
        while let Some(token) = lexer.next() {
            while skipped
                .next_if(|span| span.end <= token.span.start)
                .is_some()
            {}
            let is_skipped = skipped
                .peek()
                .is_some_and(|span| span.start <= token.span.start);
            if !is_skipped {
                tokens.push(token);
            }
        }
        Tokens { source, tokens }
    }

    /// Whether the token is this word, which may be split by backslash-newlines.
    pub(crate) fn is_word(&self, token: Token, word: &[u8]) -> bool {
        let text = self.text(token);
        if token.kind != TokenKind::Word || text.len() == word.len() {
            return text == word;
        }
        text.iter()
            .filter(|byte| !matches!(byte, b'\\' | b'\r' | b'\n'))
            .eq(word)
    }

    pub(crate) fn text(&self, token: Token) -> &'s [u8] {
        &self.source[token.span.range()]
    }

    /// Tokens that start at or after `offset`.
    pub(crate) fn starting_at(&self, offset: u32) -> &[Token] {
        &self.tokens[self.first_at_or_after(offset)..]
    }

    /// Tokens that end at or before `offset`.
    pub(crate) fn before(&self, offset: u32) -> &[Token] {
        &self.tokens[..self.first_at_or_after(offset)]
    }

    fn first_at_or_after(&self, offset: u32) -> usize {
        self.tokens
            .partition_point(|token| token.span.start < offset)
    }

    /// The end of the `;` that is the first token at or after `offset`.
    pub(crate) fn semicolon_end(&self, offset: u32) -> Option<u32> {
        let next = self.starting_at(offset).first()?;
        (next.kind == TokenKind::Punctuation(b';')).then_some(next.span.end)
    }

    /// The name of a directive token: `define`, `pragma`, …; digits for a line marker.
    pub(crate) fn directive_name(&self, directive: Token) -> &'s [u8] {
        let text = self.text(directive);
        // Behind the mark, `#` or the digraph.
        let after = if text.starts_with(b"%:") { 2 } else { 1 };
        let mut inner = Lexer {
            source: text,
            at: after,
            line_is_empty: false,
        };
        match inner.next() {
            Some(token) if token.kind == TokenKind::Word => &text[token.span.range()],
            _ => &[],
        }
    }

    pub(crate) fn directives(&self) -> impl Iterator<Item = Token> + '_ {
        self.tokens
            .iter()
            .copied()
            .filter(|token| token.kind == TokenKind::Directive)
    }
}

struct Lexer<'s> {
    source: &'s [u8],
    at: usize,
    /// No token has been seen on the current line: a `#` starts a directive.
    line_is_empty: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn starts_with(&self, text: &[u8]) -> bool {
        self.source[self.at..].starts_with(text)
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_trivia();
        let start = self.at;
        let first = *self.source.get(start)?;
        let kind = match first {
            b'#' if self.line_is_empty => self.directive(),
            b'%' if self.line_is_empty && self.peek(1) == b':' => self.directive(),
            b'"' | b'\'' => self.quoted(first),
            b'.' if self.peek(1).is_ascii_digit() => self.word(),
            _ if is_word_byte(first) => self.word(),
            _ => self.punctuation(first),
        };
        self.line_is_empty = false;
        Some(Token {
            kind,
            span: Span::new(start as u32, self.at as u32),
        })
    }

    fn skip_trivia(&mut self) {
        while self.at < self.source.len() {
            match self.peek(0) {
                b'\n' => {
                    self.line_is_empty = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.continuation() > 0 => self.at += self.continuation(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                _ => break,
            }
        }
    }

    /// The length of a backslash-newline here, or 0.
    fn continuation(&self) -> usize {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    fn block_comment(&mut self) {
        self.at += 2;
        while self.at < self.source.len() && !self.starts_with(b"*/") {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.source.len());
    }

    /// Up to, not over, the newline that no backslash hides.
    fn skip_line(&mut self) {
        while self.at < self.source.len() && self.peek(0) != b'\n' {
            self.at += self.continuation().max(1);
        }
    }

    fn directive(&mut self) -> TokenKind {
        while self.at < self.source.len() && self.peek(0) != b'\n' {
            if self.starts_with(b"/*") {
                self.block_comment();
            } else if self.starts_with(b"//") {
                self.skip_line();
            } else if matches!(self.peek(0), b'"' | b'\'') {
                let quote = self.peek(0);
                self.quoted(quote);
            } else {
                self.at += self.continuation().max(1);
            }
        }
        TokenKind::Directive
    }

    /// A constant in quotes; an unclosed one ends with its line.
    fn quoted(&mut self, quote: u8) -> TokenKind {
        self.at += 1;
        while self.at < self.source.len() {
            match self.peek(0) {
                b'\n' => break,
                b'\\' => self.at = (self.at + self.continuation().max(2)).min(self.source.len()),
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        TokenKind::Quoted
    }

    /// An identifier, or a preprocessing number such as `0x1p-3` or `1.5e+2`.
    fn word(&mut self) -> TokenKind {
        let is_number = self.peek(0).is_ascii_digit() || self.peek(0) == b'.';
        loop {
            let byte = self.peek(0);
            if is_number && matches!(byte, b'e' | b'E' | b'p' | b'P') {
                self.at += if matches!(self.peek(1), b'+' | b'-') {
                    2
                } else {
                    1
                };
            } else if self.at < self.source.len()
                && (is_word_byte(byte) || (is_number && byte == b'.'))
            {
                self.at += 1;
            } else if self.continuation() > 0 {
                self.at += self.continuation();
            } else {
                return TokenKind::Word;
            }
        }
    }

    fn punctuation(&mut self, first: u8) -> TokenKind {
        let (means, length) = match (first, self.peek(1)) {
            (b'<', b'%') => (b'{', 2),
            (b'%', b'>') => (b'}', 2),
            (b'<', b':') => (b'[', 2),
            (b':', b'>') => (b']', 2),
            _ => (first, 1),
        };
        self.at += length;
        TokenKind::Punctuation(means)
    }
}

/// Bytes above ASCII belong to words: clang takes UTF-8 identifiers.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Whether a word stands anywhere in a text, comments and strings included.
pub(crate) fn mentions(text: &[u8], word: &[u8]) -> bool {
    let is_part = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    memmem::find_iter(text, word).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        let tokens = Tokens::new(source.as_bytes(), &[]);
        tokens
            .tokens
            .iter()
            .map(|t| &source[t.span.range()])
            .collect()
    }

    #[test]
    fn comments_and_continuations_are_between_tokens() {
        assert_eq!(texts("a/* ; */b// ;\\\n;\nc \\\n;"), ["a", "b", "c", ";"]);
    }

    #[test]
    fn quotes_hide_what_they_hold() {
        assert_eq!(
            texts(r#"x=";\";"+';'+'\''"#),
            ["x", "=", r#"";\";""#, "+", "';'", "+", r"'\''"]
        );
    }

    #[test]
    fn a_directive_is_one_token_with_its_continuation_lines() {
        let source = "a;\n  # define M(x) \\\n  x; /* \n */ y\nb # c";
        assert_eq!(
            texts(source),
            ["a", ";", "# define M(x) \\\n  x; /* \n */ y", "b", "#", "c"]
        );
    }

    #[test]
    fn directive_names_are_read_past_comments() {
        let source = b"# /* x */ pragma once\n%: line 3\n# 7 \"f\"\n#\n";
        let tokens = Tokens::new(source, &[]);
        let names: Vec<_> = tokens
            .directives()
            .map(|d| tokens.directive_name(d))
            .collect();
        assert_eq!(names, [b"pragma".as_slice(), b"line", b"7", b""]);
    }

    #[test]
    fn numbers_take_their_exponent_signs() {
        assert_eq!(
            texts("0x1p-3+1.5e+2-.5f"),
            ["0x1p-3", "+", "1.5e+2", "-", ".5f"]
        );
    }

    #[test]
    fn a_semicolon_is_found_only_as_the_next_token() {
        let tokens = Tokens::new(b"x = 1 /* c */ ; y", &[]);
        assert_eq!(tokens.semicolon_end(5), Some(15));
        assert_eq!(tokens.semicolon_end(0), None);
    }

    #[test]
    fn skipped_parts_have_no_tokens_and_split_words_are_known() {
        let tokens = Tokens::new(b"a b c el\\\nse", &[Span::new(2, 3)]);
        let all = tokens.starting_at(0);
        assert_eq!(all.len(), 3);
        assert!(tokens.is_word(all[1], b"c"));
        assert!(tokens.is_word(all[2], b"else"));
    }

    #[test]
    fn any_bytes_are_lexed_without_panic() {
        for source in [
            &b"\\"[..],
            b"'\\",
            b"\"\\",
            b"/*",
            b"#",
            b"%:",
            b"\xff\x00;",
            b"1e",
            b"1e+",
        ] {
            Tokens::new(source, &[]);
        }
    }
}
