//! Where expressions are in the text. Most ends follow from those of the operands and the
//! text beside them. Only the rest is asked of libclang, for which each answer is a search.

use super::statements::Body;
use super::text::TextPlace;
use super::tree::NodeId;
use crate::source::program::ids::{ExprId, Span};

impl Body<'_, '_, '_> {
    /// Notes the parentheses at `node` around an expression.
    pub(super) fn enclose(&mut self, id: ExprId, node: NodeId) {
        let text = &self.lowering.text;
        let beside = self.editable(id).and_then(|inner| text.parentheses(inner));
        let located = match beside {
            Some(span) => Some(text.located(span, true)),
            None => text.locate(self.tree.cursor(node)),
        };
        let expr = &mut self.lowering.exprs[id.index()];
        if let Some(located) = located
            && !located.is_in_macro
            && located.span.contains(expr.outer)
        {
            expr.outer = located.span;
        }
    }

    pub(super) fn place(&mut self, id: ExprId, located: Option<TextPlace>) {
        if let Some(located) = located {
            let expr = &mut self.lowering.exprs[id.index()];
            expr.span = located.span;
            expr.outer = located.span;
            expr.is_in_macro = located.is_in_macro;
        }
    }

    /// Places an expression where clang says it is.
    pub(super) fn place_at(&mut self, id: ExprId, node: NodeId) {
        let located = self.lowering.text.locate(self.tree.cursor(node));
        self.place(id, located);
    }

    /// Places an expression by its operands if its ends follow from them, which spares libclang
    /// the search; otherwise where clang says it is.
    pub(super) fn place_within(&mut self, id: ExprId, node: NodeId, limits: Option<(u32, u32)>) {
        match limits {
            Some((start, end)) if start < end => {
                let located = self.lowering.text.located(Span::new(start, end), true);
                self.place(id, Some(located));
            }
            _ => self.place_at(id, node),
        }
    }

    pub(super) fn editable(&self, id: ExprId) -> Option<Span> {
        self.lowering.exprs[id.index()].editable()
    }

    /// From the first of some operands to the byte that closes the list behind the last.
    pub(super) fn closed(&self, first: ExprId, last: ExprId, byte: u8) -> Option<(u32, u32)> {
        let (first, last) = (self.editable(first)?, self.editable(last)?);
        Some((first.start, self.lowering.text.closed_by(last.end, byte)?))
    }

    /// From where clang says that the expression begins to the end of its last operand.
    pub(super) fn prefixed(&self, node: NodeId, last: ExprId) -> Option<(u32, u32)> {
        let last = self.editable(last)?;
        let start = self.lowering.text.offset(self.tree.cursor(node))?;
        Some((start, last.end))
    }

    /// Places an expression that begins with its first operand and ends with its last.
    pub(super) fn place_around(&mut self, id: ExprId, node: NodeId, first: ExprId, last: ExprId) {
        let [first, last] = [first, last].map(|id| self.lowering.exprs[id.index()].outer);
        let are_known = first.start < first.end && last.start < last.end && first.start < last.end;
        if !are_known {
            return self.place_at(id, node);
        }
        let located = self
            .lowering
            .text
            .located(Span::new(first.start, last.end), true);
        self.place(id, Some(located));
    }
}
