//! Where a statement is in the seed's text, and whether code may be inserted before it.

use super::operators::BINARY;
use crate::source::clang::{Cursor, FileId};
use crate::source::program::ids::Span;
use crate::source::program::prologue::ends_prologue;
use crate::source::program::statement::{NoPoint, Role};
use crate::source::program::tokens::{Token, TokenKind, Tokens};

/// The seed's text with what clang's tree does not show.
pub(super) struct Text<'s> {
    pub(super) source: &'s [u8],
    pub(super) tokens: Tokens<'s>,
    main_file: FileId,
    /// Uses of macros in the main file, outermost only, in order.
    macros: Vec<Span>,
    /// What conditional compilation leaves out, in order.
    skipped: Vec<Span>,
    /// Where the first `#line` or line marker of the seed's own stands.
    line_directive: Option<u32>,
}

/// The extent of a node in the main file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) span: Span,
    /// Whether it also ends in the main file.
    pub(super) ends_here: bool,
}

/// Where an expression lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPlace {
    pub(super) span: Span,
    /// Whether its limits are not in the text: a macro or another file has them.
    pub(super) is_in_macro: bool,
}

impl<'s> Text<'s> {
    /// `skipped` are the parts that conditional compilation leaves out.
    pub(super) fn new(
        source: &'s [u8],
        main_file: FileId,
        macro_uses: Vec<Span>,
        skipped: &[Span],
    ) -> Text<'s> {
        let tokens = Tokens::new(source, skipped);
        let mut previous = None;
        let line_directive = tokens
            .directives()
            .find(|&directive| {
                let name = tokens.directive_name(directive);
                let before = previous.replace(directive);
                let is_ours = before.is_some_and(|before| ends_prologue(&tokens, before));
                !is_ours && (name == b"line" || name.first().is_some_and(u8::is_ascii_digit))
            })
            .map(|directive| directive.span.start);
        Text {
            source,
            tokens,
            main_file,
            macros: outermost(macro_uses),
            skipped: skipped.to_vec(),
            line_directive,
        }
    }

    /// The extent of a node; `None` if it starts in another file.
    pub(super) fn extent(&self, cursor: Cursor<'_>) -> Option<Extent> {
        let (start, end) = cursor.extent();
        if start.file != self.main_file {
            return None;
        }
        let ends_here = end.file == self.main_file && end.offset >= start.offset;
        let end = if ends_here { end.offset } else { start.offset };
        Some(Extent {
            span: Span::new(start.offset, end),
            ends_here,
        })
    }

    /// The byte a declaration's name or an expression's start lies at.
    pub(super) fn offset(&self, cursor: Cursor<'_>) -> Option<u32> {
        let position = cursor.location();
        (position.file == self.main_file).then_some(position.offset)
    }

    /// Where an expression lies; `None` if it starts in another file.
    pub(super) fn locate(&self, cursor: Cursor<'_>) -> Option<TextPlace> {
        let extent = self.extent(cursor)?;
        Some(self.located(extent.span, extent.ends_here))
    }

    /// The same where the place is known already.
    pub(super) fn located(&self, span: Span, ends_here: bool) -> TextPlace {
        let is_in_macro = !ends_here
            || span.start == span.end
            || self.macro_at(span.start).is_some()
            || self.macro_at(span.end - 1).is_some();
        TextPlace { span, is_in_macro }
    }

    /// Where a name of so many bytes lies; all of the macro's use if it comes from one.
    pub(super) fn locate_name(&self, cursor: Cursor<'_>, length: u32) -> Option<TextPlace> {
        let offset = self.offset(cursor)?;
        Some(match self.macro_at(offset) {
            Some(expansion) => TextPlace {
                span: expansion,
                is_in_macro: true,
            },
            None => TextPlace {
                span: Span::new(offset, offset + length),
                is_in_macro: false,
            },
        })
    }

    /// Where an integer constant lies; `None` where the text must be asked for more.
    pub(super) fn locate_number(&self, cursor: Cursor<'_>) -> Option<TextPlace> {
        let offset = self.offset(cursor)?;
        let text = self.source.get(offset as usize..)?;
        let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let length = length.count();
        // A backslash may continue the number on the next line.
        let is_whole = length > 0 && text.get(length) != Some(&b'\\');
        let is_plain = is_whole && self.macro_at(offset).is_none();
        is_plain.then(|| TextPlace {
            span: Span::new(offset, offset + length as u32),
            is_in_macro: false,
        })
    }

    /// The end of this byte of punctuation, if nothing but space stands before it.
    pub(super) fn closed_by(&self, from: u32, byte: u8) -> Option<u32> {
        let rest = &self.source[from as usize..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        let at = space.count();
        let place = from + at as u32;
        (rest.get(at) == Some(&byte) && self.macro_at(place).is_none()).then_some(place + 1)
    }

    /// The span with the parentheses right around it, if nothing but space lies between.
    pub(super) fn parentheses(&self, inner: Span) -> Option<Span> {
        let end = self.closed_by(inner.end, b')')?;
        let before = self.source[..inner.start as usize].trim_ascii_end();
        let start = before.strip_suffix(b"(")?.len() as u32;
        self.macro_at(start)
            .is_none()
            .then(|| Span::new(start, end))
    }

    /// The operator that a span between two operands holds, unless a macro hides it.
    pub(super) fn operator_in(&self, between: Span) -> Option<&'static str> {
        let find = |text: &[u8]| {
            let mut all = BINARY.iter().copied();
            all.find(|operator| operator.as_bytes() == text)
        };
        let text = self.source[between.range()].trim_ascii();
        if let found @ Some(_) = find(text) {
            return found;
        }
        // There are comments, line breaks in the operator, or a macro.
        let tokens = self.tokens.starting_at(between.start).iter();
        let mut operator: Vec<u8> = Vec::with_capacity(3);
        for token in tokens.take_while(|token| token.span.end <= between.end) {
            if self.macro_at(token.span.start).is_some() {
                return None;
            }
            operator.extend_from_slice(self.tokens.text(*token));
        }
        find(&operator)
    }

    /// The use of a macro that the byte belongs to.
    pub(super) fn macro_at(&self, offset: u32) -> Option<Span> {
        let after = self.macros.partition_point(|span| span.start <= offset);
        let candidate = *self.macros.get(after.checked_sub(1)?)?;
        (offset < candidate.end).then_some(candidate)
    }

    /// Whether the token before `start` is one that a statement in this role can
    /// follow; if not, `start` is not where the statement's text begins.
    pub(super) fn check_start(&self, start: u32, role: Role) -> Result<(), NoPoint> {
        if self.line_directive.is_some_and(|line| line < start) {
            return Err(NoPoint::AfterLineDirective);
        }
        if self.macro_at(start).is_some() {
            return Err(NoPoint::InMacro);
        }
        // Clang counts some pragmas as the start of the loop behind them.
        let starts_with_pragma = self
            .tokens
            .starting_at(start)
            .first()
            .is_some_and(|first| first.kind == TokenKind::Directive);
        if starts_with_pragma {
            return Err(NoPoint::AfterPragma);
        }
        let mut earlier = self.tokens.before(start);
        while let Some((&last, rest)) = earlier.split_last() {
            if last.kind != TokenKind::Directive {
                break;
            }
            if self.tokens.directive_name(last) == b"pragma" {
                return Err(NoPoint::AfterPragma);
            }
            earlier = rest;
        }
        let Some(&previous) = earlier.last() else {
            return Err(NoPoint::Unclear);
        };
        if self.ends_pragma_operator(earlier) {
            return Err(NoPoint::AfterPragma);
        }
        if self.goes_on_from_skipped(previous.span.end, start) {
            return Err(NoPoint::Conditional);
        }
        // The last token of a macro is not inspected: it may be an attribute or a pragma that
        // belongs to this statement.
        if self.macro_at(previous.span.start).is_none() && self.may_precede(previous, role) {
            Ok(())
        } else {
            Err(NoPoint::Unclear)
        }
    }

    /// Whether code in this part of the text, left out here and perhaps not elsewhere, ends in
    /// the middle of a statement: an `if (x)` between `#ifdef` and `#endif`.
    fn goes_on_from_skipped(&self, after: u32, start: u32) -> bool {
        let from = self.skipped.partition_point(|span| span.end <= after);
        let between = self.skipped[from..].iter();
        let mut between = between.take_while(|span| span.start < start);
        between.any(|span| {
            let part = Tokens::new(&self.source[span.range()], &[]);
            let mut code = part.starting_at(0).iter();
            let last = code.rfind(|token| token.kind != TokenKind::Directive);
            last.is_some_and(|last| {
                !matches!(last.kind, TokenKind::Punctuation(b';' | b'{' | b'}'))
            })
        })
    }

    fn may_precede(&self, previous: Token, role: Role) -> bool {
        match (previous.kind, role) {
            (TokenKind::Punctuation(b';' | b'{' | b'}'), Role::Item) => true,
            (TokenKind::Punctuation(b':'), Role::Labelled) => true,
            (TokenKind::Punctuation(b')'), Role::Then | Role::LoopBody | Role::SwitchBody) => true,
            (TokenKind::Word, Role::Else) => self.tokens.is_word(previous, b"else"),
            (TokenKind::Word, Role::LoopBody) => self.tokens.is_word(previous, b"do"),
            _ => false,
        }
    }

    /// `_Pragma("…")` right at the end of these tokens.
    fn ends_pragma_operator(&self, tokens: &[Token]) -> bool {
        matches!(tokens, [.., word, _, _, close]
            if close.kind == TokenKind::Punctuation(b')')
                && self.tokens.is_word(*word, b"_Pragma"))
    }

    /// Whether the text of `span` starts with this word.
    pub(super) fn starts_with_word(&self, span: Span, word: &[u8]) -> bool {
        self.tokens
            .starting_at(span.start)
            .first()
            .is_some_and(|&token| {
                token.span.start == span.start && self.tokens.is_word(token, word)
            })
    }

    /// The two semicolons and the closing parenthesis of a `for` at `start`, if
    /// they stand in the text as such.
    pub(super) fn for_header(&self, start: u32) -> Option<ForHeader> {
        let mut tokens = self.tokens.starting_at(start).iter();
        let keyword = tokens.next()?;
        if !self.tokens.is_word(*keyword, b"for") {
            return None;
        }
        let mut depth = 0;
        let mut semicolons = Vec::with_capacity(2);
        for token in tokens {
            match token.kind {
                TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Punctuation(b')' | b']' | b'}') => {
                    depth -= 1;
                    if depth == 0 {
                        let &[first, second] = semicolons.as_slice() else {
                            return None;
                        };
                        return Some(ForHeader {
                            first,
                            second,
                            close: token.span.start,
                        });
                    }
                }
                TokenKind::Punctuation(b';') if depth == 1 => {
                    if self.macro_at(token.span.start).is_some() {
                        return None;
                    }
                    semicolons.push(token.span.start);
                }
                TokenKind::Directive => return None,
                _ => {}
            }
            if depth == 0 {
                return None;
            }
        }
        None
    }
}

/// Where the clauses of a `for` end.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForHeader {
    pub(super) first: u32,
    pub(super) second: u32,
    pub(super) close: u32,
}

/// Sorted, without those inside others.
fn outermost(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut kept: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match kept.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => kept.push(span),
        }
    }
    kept
}
