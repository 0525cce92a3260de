//! Expressions with operands: what they are, once their operands are lowered.

use super::declarations::DeclarationSite;
use super::expressions::Around;
use super::operators;
use super::statements::Body;
use super::tree::NodeId;
use crate::source::clang::CursorKind;
use crate::source::program::expression::ExprKind;
use crate::source::program::function::HandsOff;
use crate::source::program::ids::{ExprId, Span, StatementId};
use crate::source::program::statement::Role;

impl Body<'_, '_, '_> {
    /// Lowers the operands of an expression and tells what it is.
    pub(super) fn composite(&mut self, node: NodeId, id: ExprId, operands: Around) -> ExprKind {
        let tree = self.tree;
        let mut children = tree.expressions(node);
        let children = [children.next(), children.next(), children.next()];
        match (tree.kind(node), children) {
            (CursorKind::Binary, [Some(left), Some(right), None]) => {
                let [left, right] = self.pair(node, id, [left, right], operands);
                self.operator_between(left, right)
                    .and_then(operators::binary)
                    .unwrap_or(ExprKind::HiddenBinary)
            }
            (CursorKind::CompoundAssign, [Some(left), Some(right), None]) => {
                let [left, right] = self.pair(node, id, [left, right], operands);
                let operator = self.operator_between(left, right);
                ExprKind::CompoundAssign(operator.and_then(operators::compound))
            }
            (CursorKind::Conditional, [Some(condition), Some(yes), Some(no)]) => {
                let condition = self.expression(condition, operands);
                self.expression(yes, operands);
                let no = self.expression(no, operands);
                self.place_around(id, node, condition, no);
                ExprKind::Conditional
            }
            (CursorKind::Unary, [Some(operand), None, None]) => {
                let operand = self.expression(operand, operands);
                // A postfix operator begins where its operand does.
                let limits = self.prefixed(node, operand);
                let start = self.editable(operand).map(|span| span.start);
                let is_prefix = limits.is_some_and(|limits| Some(limits.0) != start);
                self.place_within(id, node, limits.filter(|_| is_prefix));
                self.unary(id, operand)
            }
            (CursorKind::MemberRef, [Some(base), None, None]) => {
                let base = self.expression(base, operands);
                self.member(node, id, base)
            }
            (CursorKind::Subscript, [Some(left), Some(right), None]) => {
                let left = self.expression(left, operands);
                let right = self.expression(right, operands);
                let limits = self.closed(left, right, b']');
                self.place_within(id, node, limits);
                ExprKind::Subscript
            }
            (CursorKind::Cast, [Some(value), None, None]) => {
                let value = self.expression(value, operands);
                let limits = self.prefixed(node, value);
                self.place_within(id, node, limits);
                ExprKind::Cast
            }
            (CursorKind::Call, [Some(callee), ..]) => {
                let callee = self.expression(callee, operands);
                let mut last = None;
                for argument in tree.expressions(node).skip(1) {
                    last = Some(self.expression(argument, operands));
                }
                let limits = last.and_then(|last| self.closed(callee, last, b')'));
                self.place_within(id, node, limits);
                ExprKind::Call(match self.lowering.exprs[callee.index()].kind {
                    ExprKind::Function(function) => Some(function),
                    _ => None,
                })
            }
            (CursorKind::StatementExpression, _) => {
                self.place_at(id, node);
                self.statement_expression(node, id, operands.site)
            }
            (kind, _) => {
                self.place_at(id, node);
                self.other(kind, node, id, operands)
            }
        }
    }

    fn pair(
        &mut self,
        node: NodeId,
        id: ExprId,
        [left, right]: [NodeId; 2],
        operands: Around,
    ) -> [ExprId; 2] {
        let left = self.expression(left, operands);
        let right = self.expression(right, operands);
        self.place_around(id, node, left, right);
        [left, right]
    }

    fn member(&mut self, node: NodeId, id: ExprId, base: ExprId) -> ExprKind {
        let cursor = self.tree.cursor(node);
        let member = cursor.referenced();
        let Some((record, field)) = member.and_then(|m| self.lowering.types.field_of(m)) else {
            self.place_at(id, node);
            return ExprKind::Other;
        };
        // Clang gives the position of the member's name.
        let fields = self.lowering.types.types.record(record).fields.as_ref();
        let name = fields.and_then(|fields| fields[field as usize].name.as_ref());
        let end = name.and_then(|name| {
            let named = self.lowering.text.locate_name(cursor, name.len() as u32)?;
            (!named.is_in_macro).then_some(named.span.end)
        });
        let start = self.editable(base).map(|span| span.start);
        self.place_within(id, node, start.zip(end));
        ExprKind::Member { record, field }
    }

    /// Expressions with any number of operands.
    fn other(&mut self, kind: CursorKind, node: NodeId, id: ExprId, operands: Around) -> ExprKind {
        let tree = self.tree;
        let inner = match kind {
            CursorKind::SizeOrAlignOf => operands.unevaluated(),
            _ => operands,
        };
        let mut last = None;
        for child in tree.expressions(node) {
            // `a ?: b` shows its first operand three times.
            if last.is_some_and(|last| tree.cursor(last) == tree.cursor(child)) {
                continue;
            }
            last = Some(child);
            self.expression(child, inner);
        }
        match kind {
            CursorKind::SizeOrAlignOf => {
                if let Some(site) = operands.site {
                    self.lowering.tags_within(site.scope, tree, node);
                }
                ExprKind::SizeOf
            }
            CursorKind::CompoundLiteral => {
                if let Some(site) = operands.site {
                    let statement = &mut self.lowering.statements[site.statement.index()];
                    statement.has_literal = true;
                }
                ExprKind::CompoundLiteral
            }
            CursorKind::InitList => ExprKind::InitList,
            CursorKind::GenericSelection => ExprKind::Generic,
            CursorKind::AddressOfLabel => {
                self.hands_off.push(HandsOff::ComputedGoto);
                ExprKind::LabelAddress
            }
            _ => {
                let text = &self.lowering.text.source;
                let from = self.lowering.exprs[id.index()].span.start as usize;
                let is_va_arg = [&b"va_arg"[..], b"__builtin_va_arg"]
                    .iter()
                    .any(|word| text[from..].starts_with(word));
                if is_va_arg {
                    ExprKind::VaArg
                } else {
                    ExprKind::Other
                }
            }
        }
    }

    /// The statements of `({ … })` become children of the statement it stands in;
    /// they may run any number of times, at an unspecified moment.
    fn statement_expression(
        &mut self,
        node: NodeId,
        id: ExprId,
        site: Option<DeclarationSite>,
    ) -> ExprKind {
        // At file scope C has no statement expressions.
        let Some(DeclarationSite {
            statement: owner,
            scope,
            ..
        }) = site
        else {
            return ExprKind::Other;
        };
        let tree = self.tree;
        let mut block: Option<StatementId> = None;
        for inner in tree
            .children(node)
            .filter(|&child| tree.kind(child) == CursorKind::Compound)
        {
            let first_use = self.lowering.uses.len();
            let outside = self.enclosing.replace(id);
            let child = self.statement(inner, Some(owner), Role::InExpression, scope);
            self.enclosing = outside;
            self.lowering.statements[owner.index()].children.push(child);
            for used in &mut self.lowering.uses[first_use..] {
                used.is_conditional = true;
            }
            block = Some(child);
        }
        block.map_or(ExprKind::Other, ExprKind::StatementExpression)
    }

    fn unary(&self, id: ExprId, operand: ExprId) -> ExprKind {
        let text = &self.lowering.text;
        let [whole, operand] = [id, operand].map(|id| &self.lowering.exprs[id.index()]);
        let (start, end) = (whole.span.start, whole.span.end);
        let is_known = start < end && operand.outer.start < operand.outer.end;
        // A prefix operator would come first.
        let is_postfix = start == operand.outer.start && operand.outer.end < end;
        let operator = if is_postfix { end - 1 } else { start };
        if !is_known || text.macro_at(operator).is_some() {
            return ExprKind::HiddenUnary;
        }
        let written = if is_postfix {
            &text.source[operand.outer.end as usize..end as usize]
        } else {
            &text.source[start as usize..end as usize]
        };
        operators::unary(written, is_postfix)
    }

    /// The operator that stands between two operands, unless a macro hides it.
    fn operator_between(&self, left: ExprId, right: ExprId) -> Option<&'static str> {
        let [left, right] = [left, right].map(|id| self.lowering.exprs[id.index()].outer);
        let is_known = left.start < left.end && right.start < right.end && left.end < right.start;
        if !is_known {
            return None;
        }
        self.lowering
            .text
            .operator_in(Span::new(left.end, right.start))
    }
}
