//! Expressions: replacing each by a constant or by one of its operands.

use super::draft::{Draft, Rewrite};
use super::syntax::{Replaceable, ReplaceableShape, node, of_part};

/// What an expression is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simpler {
    Constant(&'static str),
    Operand(usize),
}

/// All expressions of the functions and the initialisers at file level.
pub(super) struct Expressions {
    /// Whole expressions; an initialiser may be in braces.
    roots: Vec<Replaceable>,
}

impl Expressions {
    pub(super) fn new(draft: &Draft) -> Expressions {
        let program = &draft.program;
        let parts = program
            .statements
            .iter()
            .flat_map(|statement| &statement.parts);
        let mut roots: Vec<Replaceable> = parts.flat_map(|part| of_part(program, part)).collect();
        let globals = program.variables.iter().filter(|v| v.function.is_none());
        let initials = globals.filter_map(|variable| variable.initial);
        roots.extend(initials.filter_map(|id| node(program, id)));
        Expressions { roots }
    }

    /// How deep the deepest expression lies in another; whole ones are at 0.
    pub(super) fn depth(&self) -> usize {
        fn depth(node: &Replaceable) -> usize {
            let inner = node.children.iter().map(|child| 1 + depth(child));
            inner.max().unwrap_or(0)
        }
        self.roots.iter().map(depth).max().unwrap_or(0)
    }

    /// Each expression of one level replaced in one way.
    pub(super) fn simplify_level(&self, draft: &Draft, level: usize, how: Simpler) -> Vec<Rewrite> {
        let mut found: Vec<&Replaceable> = self.roots.iter().collect();
        for _ in 0..level {
            found = found.iter().flat_map(|node| &node.children).collect();
        }
        let changes = found
            .into_iter()
            .filter_map(|node| simplify(draft, node, how));
        changes.collect()
    }
}

fn simplify(draft: &Draft, node: &Replaceable, how: Simpler) -> Option<Rewrite> {
    let old = draft.text(node.span);
    let new: Vec<u8> = match how {
        Simpler::Constant(text) if node.shape == ReplaceableShape::Braces => {
            format!("{{{text}}}").into()
        }
        // A constant for a constant or a name is no gain.
        Simpler::Constant(_) if old.first().is_some_and(u8::is_ascii_digit) => return None,
        Simpler::Constant(text) => text.into(),
        Simpler::Operand(index) => {
            let operand = node.children.get(index)?;
            let text = draft.text(operand.span).to_vec();
            let is_whole = matches!(
                operand.shape,
                ReplaceableShape::Leaf | ReplaceableShape::Parentheses | ReplaceableShape::Braces
            );
            if is_whole || node.shape == ReplaceableShape::Parentheses {
                text
            } else {
                [b"(", &text[..], b")"].concat()
            }
        }
    };
    (new != old).then(|| Rewrite::new().replace(node.span, new))
}
