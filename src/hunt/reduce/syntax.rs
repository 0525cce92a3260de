//! The syntax of expressions, as far as it takes to replace one by a part of
//! itself. What is not understood is taken as a leaf.

use super::draft::{Draft, closing, pieces};
use crate::source::program::{Span, Token, TokenKind};

/// An expression and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) shape: Shape,
    pub(super) children: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A name, a constant, or text that is not looked into.
    Leaf,
    Parentheses,
    /// `{ … }` of an initialiser.
    Braces,
    /// Any operator, call, subscript, member or cast with its operands.
    Operator,
}

/// Reads an expression, or an initialiser in braces, that takes up all tokens.
pub(super) fn parse(draft: &Draft, tokens: &[Token]) -> Option<Node> {
    let mut parser = Parser {
        draft,
        tokens,
        at: 0,
    };
    let node = match parser.peek(b"{") {
        true => parser.braces(),
        false => parser.expression(COMMA),
    }?;
    (parser.at == tokens.len()).then_some(node)
}

const COMMA: u32 = 0;
const ASSIGNMENT: u32 = 1;
const CONDITIONAL: u32 = 2;
const LONGEST_FIRST: &[(&[u8], u32)] = &[
    (b"<<=", ASSIGNMENT),
    (b">>=", ASSIGNMENT),
    (b"+=", ASSIGNMENT),
    (b"-=", ASSIGNMENT),
    (b"*=", ASSIGNMENT),
    (b"/=", ASSIGNMENT),
    (b"%=", ASSIGNMENT),
    (b"&=", ASSIGNMENT),
    (b"|=", ASSIGNMENT),
    (b"^=", ASSIGNMENT),
    (b"||", 3),
    (b"&&", 4),
    (b"==", 8),
    (b"!=", 8),
    (b"<=", 9),
    (b">=", 9),
    (b"<<", 10),
    (b">>", 10),
    (b",", COMMA),
    (b"=", ASSIGNMENT),
    (b"?", CONDITIONAL),
    (b"|", 5),
    (b"^", 6),
    (b"&", 7),
    (b"<", 9),
    (b">", 9),
    (b"+", 11),
    (b"-", 11),
    (b"*", 12),
    (b"/", 12),
    (b"%", 12),
];

struct Parser<'d, 't> {
    draft: &'d Draft,
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_, '_> {
    fn expression(&mut self, least: u32) -> Option<Node> {
        let mut left = self.unary()?;
        while let Some((length, strength)) = self.operator().filter(|(_, s)| *s >= least) {
            self.at += length;
            let mut children = vec![left];
            match strength {
                ASSIGNMENT => children.push(self.expression(ASSIGNMENT)?),
                CONDITIONAL => {
                    // GNU C allows `a ?: b`.
                    if !self.peek(b":") {
                        children.push(self.expression(COMMA)?);
                    }
                    self.take(b":")?;
                    children.push(self.expression(CONDITIONAL)?);
                }
                _ => children.push(self.expression(strength + 1)?),
            }
            left = operator(children[0].span.start, children);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Node> {
        let first = *self.tokens.get(self.at)?;
        let start = first.span.start;
        if self.peek(b"(") {
            let next = *self.tokens.get(self.at + 1)?;
            let close = closing(self.tokens, self.at)?;
            if self.draft.starts_type(next) {
                self.at = close + 1;
                let value = match self.peek(b"{") {
                    true => self.braces()?,
                    false => self.unary()?,
                };
                let whole = operator(start, vec![value]);
                return self.postfix(whole);
            }
            if next.kind == TokenKind::Punctuation(b'{') {
                self.at = close + 1;
                return self.postfix(self.leaf(start));
            }
            self.at += 1;
            let inner = self.expression(COMMA)?;
            self.take(b")")?;
            let whole = Node {
                span: Span::new(start, self.end()),
                shape: Shape::Parentheses,
                children: vec![inner],
            };
            return self.postfix(whole);
        }
        for sign in [&b"++"[..], b"--", b"&&", b"&", b"*", b"+", b"-", b"~", b"!"] {
            if self.peek(sign) {
                self.at += sign.len();
                let value = self.unary()?;
                return Some(operator(start, vec![value]));
            }
        }
        match first.kind {
            TokenKind::Word => self.word(first),
            TokenKind::Quoted => {
                while self
                    .tokens
                    .get(self.at)
                    .is_some_and(|t| t.kind == TokenKind::Quoted)
                {
                    self.at += 1;
                }
                self.postfix(self.leaf(start))
            }
            _ => None,
        }
    }

    fn word(&mut self, word: Token) -> Option<Node> {
        self.at += 1;
        let text = self.draft.text(word.span);
        match text {
            b"sizeof" | b"_Alignof" | b"__alignof__" | b"_Generic" => {
                if self.peek(b"(") {
                    self.at = closing(self.tokens, self.at)? + 1;
                } else {
                    self.unary()?;
                }
                self.postfix(self.leaf(word.span.start))
            }
            b"__extension__" | b"__real__" | b"__imag__" => {
                let value = self.unary()?;
                Some(operator(word.span.start, vec![value]))
            }
            _ => self.postfix(self.leaf(word.span.start)),
        }
    }

    fn postfix(&mut self, mut node: Node) -> Option<Node> {
        let start = node.span.start;
        loop {
            let mut children = vec![node.clone()];
            if self.peek(b"[") || self.peek(b"(") {
                let close = closing(self.tokens, self.at)?;
                let inside = &self.tokens[self.at + 1..close];
                let list = pieces(inside).into_iter().filter(|piece| !piece.is_empty());
                children.extend(list.filter_map(|piece| parse(self.draft, piece)));
                self.at = close + 1;
            } else if self.peek(b"->") {
                self.at += 3;
            } else if self.peek(b".") || self.peek(b"++") || self.peek(b"--") {
                self.at += 2;
            } else {
                return Some(node);
            }
            node = Node {
                span: Span::new(start, self.end()),
                shape: Shape::Operator,
                children,
            };
        }
    }

    fn braces(&mut self) -> Option<Node> {
        let start = self.tokens.get(self.at)?.span.start;
        let close = closing(self.tokens, self.at)?;
        let list = pieces(&self.tokens[self.at + 1..close]);
        let values = list.into_iter().filter_map(|piece| {
            // Behind the designator, if there is one.
            let designated = piece
                .first()
                .is_some_and(|token| matches!(token.kind, TokenKind::Punctuation(b'.' | b'[')));
            let skipped = match designated {
                true => {
                    piece
                        .iter()
                        .position(|t| t.kind == TokenKind::Punctuation(b'='))?
                        + 1
                }
                false => 0,
            };
            parse(self.draft, &piece[skipped..])
        });
        let children = values.collect();
        self.at = close + 1;
        Some(Node {
            span: Span::new(start, self.end()),
            shape: Shape::Braces,
            children,
        })
    }

    /// The binary operator that comes next: its tokens and how strong it binds.
    fn operator(&self) -> Option<(usize, u32)> {
        let mut all = LONGEST_FIRST.iter();
        let (text, strength) = all.find(|(text, _)| self.peek(text))?;
        Some((text.len(), *strength))
    }

    /// Whether these bytes of punctuation come next, with nothing between them.
    fn peek(&self, text: &[u8]) -> bool {
        let Some(found) = self.tokens.get(self.at..self.at + text.len()) else {
            return false;
        };
        let adjoin = found
            .windows(2)
            .all(|two| two[0].span.end == two[1].span.start);
        let bytes = found.iter().zip(text);
        adjoin
            && bytes
                .into_iter()
                .all(|(t, byte)| t.kind == TokenKind::Punctuation(*byte))
    }

    fn take(&mut self, text: &[u8]) -> Option<()> {
        let is_there = self.peek(text);
        self.at += text.len();
        is_there.then_some(())
    }

    /// Where the last token taken ends.
    fn end(&self) -> u32 {
        self.tokens[self.at - 1].span.end
    }

    fn leaf(&self, start: u32) -> Node {
        Node {
            span: Span::new(start, self.end()),
            shape: Shape::Leaf,
            children: vec![],
        }
    }
}

fn operator(start: u32, children: Vec<Node>) -> Node {
    let end = children.last().map_or(start, |child| child.span.end);
    Node {
        span: Span::new(start, end),
        shape: Shape::Operator,
        children,
    }
}
