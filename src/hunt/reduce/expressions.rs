//! Expressions: replacing each by a constant or by one of its operands.

use super::draft::{Draft, Rewrite, outermost};
use super::syntax::{Node, Shape, parse};
use crate::source::program::{PartRole, Span, TokenKind};

/// What an expression is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simpler {
    Constant(&'static str),
    Operand(usize),
}

/// All expressions of the functions and the initialisers at file level.
pub(super) struct Expressions {
    /// Whole expressions; an initialiser may be in braces.
    roots: Vec<Node>,
}

impl Expressions {
    pub(super) fn new(draft: &Draft) -> Expressions {
        let mut roots = Vec::new();
        for statement in &draft.program.statements {
            for part in &statement.parts {
                let span = match part.role {
                    PartRole::Declarator(_) => initialiser(draft, part.span),
                    PartRole::OtherDeclaration => None,
                    _ => Some(part.span),
                };
                let tokens = span.map(|span| draft.tokens_in(span));
                roots.extend(tokens.and_then(|tokens| parse(draft, tokens)));
            }
        }
        for item in super::items::items(draft) {
            if item.defines.is_none() {
                let value = initialiser(draft, item.span);
                let tokens = value.map(|span| draft.tokens_in(span));
                roots.extend(tokens.and_then(|tokens| parse(draft, tokens)));
            }
        }
        Expressions { roots }
    }

    /// How deep the deepest expression lies in another; whole ones are at 0.
    pub(super) fn depth(&self) -> usize {
        fn depth(node: &Node) -> usize {
            let inner = node.children.iter().map(|child| 1 + depth(child));
            inner.max().unwrap_or(0)
        }
        self.roots.iter().map(depth).max().unwrap_or(0)
    }

    /// Each expression of one level replaced in one way.
    pub(super) fn simplify_level(&self, draft: &Draft, level: usize, how: Simpler) -> Vec<Rewrite> {
        let mut found: Vec<&Node> = self.roots.iter().collect();
        for _ in 0..level {
            found = found.iter().flat_map(|node| &node.children).collect();
        }
        let changes = found
            .into_iter()
            .filter_map(|node| simplify(draft, node, how));
        changes.collect()
    }
}

fn simplify(draft: &Draft, node: &Node, how: Simpler) -> Option<Rewrite> {
    let old = draft.text(node.span);
    let new: Vec<u8> = match how {
        Simpler::Constant(text) if node.shape == Shape::Braces => format!("{{{text}}}").into(),
        // A constant for a constant or a name is no gain.
        Simpler::Constant(_) if old.first().is_some_and(u8::is_ascii_digit) => return None,
        Simpler::Constant(text) => text.into(),
        Simpler::Operand(index) => {
            let operand = node.children.get(index)?;
            let text = draft.text(operand.span).to_vec();
            let is_whole = matches!(
                operand.shape,
                Shape::Leaf | Shape::Parentheses | Shape::Braces
            );
            match is_whole || node.shape == Shape::Parentheses {
                true => text,
                false => [b"(", &text[..], b")"].concat(),
            }
        }
    };
    (new != old).then(|| Rewrite::new().replace(node.span, new))
}

/// What follows the `=` of a declarator, up to the next declarator.
fn initialiser(draft: &Draft, span: Span) -> Option<Span> {
    let tokens = draft.tokens_in(span);
    let outer = outermost(tokens);
    let mut rest = outer
        .iter()
        .skip_while(|(_, token)| token.kind != TokenKind::Punctuation(b'='))
        .skip(1);
    let start = rest.next()?.1.span.start;
    let is_end = |token: &&(usize, crate::source::program::Token)| {
        matches!(token.1.kind, TokenKind::Punctuation(b',' | b';'))
    };
    let end = rest
        .find(is_end)
        .map_or(span.end, |(_, token)| token.span.start);
    Some(Span::new(start, end))
}
