//! Expressions from clang's tree into ours: kinds, types, places in the text, effects.
//!
//! Parentheses and implicit conversions are looked through and noted at what they
//! enclose. libclang calls a conversion `UnexposedExpr`, but also `va_arg`, `offsetof`
//! and designated initialisers; only a conversion starts with the token of its operand.

use super::declarations::DeclarationSite;
use super::operators;
use super::statements::Body;
use super::tree::{NodeId, Tree};
use crate::source::clang::CursorKind;
use crate::source::program::expression::{Conversion, Effects, ExprKind, SeedExpr, siblings};
use crate::source::program::ids::{ExprId, TypeId};
use crate::source::program::types::{Qualified, SeedType};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// `None` at file level.
    pub(super) site: Option<DeclarationSite>,
    pub(super) is_constant: bool,
    is_evaluated: bool,
    parent: Option<ExprId>,
}

impl Around {
    /// A whole expression.
    pub(super) fn whole(site: Option<DeclarationSite>, is_constant: bool) -> Around {
        Around {
            site,
            is_constant,
            is_evaluated: true,
            parent: None,
        }
    }

    /// The operand of `sizeof`.
    pub(super) fn unevaluated(self) -> Around {
        Around {
            is_evaluated: false,
            ..self
        }
    }
}

impl Body<'_, '_, '_> {
    /// Lowers the expression at `node` with all that it contains.
    pub(super) fn expression(&mut self, node: NodeId, around: Around) -> ExprId {
        let tree = self.tree;
        match (tree.kind(node), only(tree, node)) {
            (CursorKind::Paren, Some(inner)) => {
                let id = self.expression(inner, around);
                self.enclose(id, node);
                return id;
            }
            (CursorKind::OtherExpression, Some(inner))
                if tree.cursor(node).starts_like(tree.cursor(inner)) =>
            {
                let id = self.expression(inner, around);
                self.convert(id, node);
                return id;
            }
            // Newer libclang shows what a `case` demands to be constant twice. Nothing
            // that is written starts with an operand of its own kind, but `f()()`.
            (kind, Some(inner))
                if kind != CursorKind::Call
                    && kind == tree.kind(inner)
                    && tree.cursor(node).starts_like(tree.cursor(inner)) =>
            {
                return self.expression(inner, around);
            }
            _ => {}
        }
        let id = self.push(around);
        let operands = Around {
            parent: Some(id),
            ..around
        };
        let (kind, ty) = match tree.kind(node) {
            CursorKind::DeclRef => self.reference(node, id),
            kind if kind.is_literal() => self.literal(node, id),
            _ => {
                let kind = self.composite(node, id, operands);
                let ty = self.lowering.types.lower(tree.cursor(node).ty());
                (kind, ty)
            }
        };
        self.finish(id, kind, ty);
        id
    }

    /// Takes a number for an expression, before those that it contains.
    fn push(&mut self, around: Around) -> ExprId {
        let id = ExprId::new(self.lowering.exprs.len());
        // Kind, type and place are told by `finish` and `place`.
        let unknown = TypeId(0);
        self.lowering.exprs.push(SeedExpr {
            kind: ExprKind::Other,
            ty: Qualified::plain(unknown),
            converted: unknown,
            conversion: Conversion::None,
            span: self.fallback_span,
            outer: self.fallback_span,
            parent: around.parent.or(self.enclosing),
            end: id.0 + 1,
            own_effects: Effects::NONE,
            effects: Effects::NONE,
            is_constant: around.is_constant,
            is_evaluated: around.is_evaluated,
            is_in_macro: true,
        });
        id
    }

    fn finish(&mut self, id: ExprId, kind: ExprKind, ty: Qualified) {
        let end = self.lowering.exprs.len() as u32;
        let exprs = &self.lowering.exprs;
        let mut inner = siblings(exprs, id.0 + 1..end).map(|child| &exprs[child.index()]);
        let target = inner.next();
        let mut effects = target.map_or(Effects::NONE, |target| target.effects);
        for child in inner {
            effects |= child.effects;
        }
        let own = if !exprs[id.index()].is_evaluated {
            Effects::NONE
        } else if kind == ExprKind::SizeOf && self.computes_size(id, end) {
            Effects::UNKNOWN
        } else {
            self.own_effects(kind, target)
        };
        let expr = &mut self.lowering.exprs[id.index()];
        expr.kind = kind;
        expr.ty = ty;
        expr.converted = ty.id;
        expr.end = end;
        expr.own_effects = own;
        expr.effects = effects | own;
    }

    /// Whether a `sizeof` calls or writes: `sizeof(int[n()])` computes the size of an array of
    /// variable length, so what stands in the brackets of a type is evaluated, and so is an
    /// operand of such a type.
    fn computes_size(&self, id: ExprId, end: u32) -> bool {
        let exprs = &self.lowering.exprs;
        let is_computed = |operand: ExprId| {
            let expr = &exprs[operand.index()];
            let before = &self.lowering.text.source[..expr.outer.start as usize];
            expr.is_in_macro
                || before.trim_ascii_end().ends_with(b"[")
                || self.lowering.types.types.is_variably_modified(expr.ty.id)
        };
        let acts = |expr: &SeedExpr| {
            matches!(
                expr.kind,
                ExprKind::Call(_)
                    | ExprKind::Assign
                    | ExprKind::CompoundAssign(_)
                    | ExprKind::Step(_)
                    | ExprKind::StatementExpression(_)
            )
        };
        let inside = id.index() + 1..end as usize;
        exprs[inside].iter().any(acts) && siblings(exprs, id.0 + 1..end).any(is_computed)
    }

    /// What an expression does besides what its operands do. Whether an object is read
    /// is known only when its conversion has been seen.
    fn own_effects(&self, kind: ExprKind, target: Option<&SeedExpr>) -> Effects {
        let touched = || target.map_or(Effects::UNKNOWN, |target| self.touching(target.ty));
        match kind {
            ExprKind::Assign => Effects::WRITES | touched(),
            ExprKind::CompoundAssign(_) | ExprKind::Step(_) => {
                Effects::READS | Effects::WRITES | touched()
            }
            ExprKind::Call(_) => Effects::CALLS,
            ExprKind::HiddenUnary
            | ExprKind::HiddenBinary
            | ExprKind::StatementExpression(_)
            | ExprKind::Generic
            | ExprKind::VaArg
            | ExprKind::Other => Effects::UNKNOWN,
            _ => Effects::NONE,
        }
    }

    fn touching(&self, ty: Qualified) -> Effects {
        let is_atomic = matches!(
            self.lowering.types.types.get(ty.id),
            SeedType::Atomic { .. }
        );
        if ty.is_volatile || is_atomic {
            Effects::VOLATILE
        } else {
            Effects::NONE
        }
    }

    /// Notes the implicit conversion at `node` of an expression.
    fn convert(&mut self, id: ExprId, node: NodeId) {
        let to = self.lowering.types.lower(self.tree.cursor(node).ty());
        let expr = self.lowering.exprs[id.index()];
        let from = self.lowering.types.types.get(expr.converted);
        let is_designator = matches!(
            from,
            SeedType::Array { .. } | SeedType::VariableArray { .. } | SeedType::Function { .. }
        );
        let is_read = !is_designator
            && expr.kind.is_lvalue()
            && expr.conversion == Conversion::None
            && expr.is_evaluated;
        let effects = if is_read {
            Effects::READS | self.touching(expr.ty)
        } else {
            Effects::NONE
        };
        let expr = &mut self.lowering.exprs[id.index()];
        if is_designator {
            expr.conversion = Conversion::Decay;
        } else if expr.kind.is_lvalue() && expr.conversion == Conversion::None {
            expr.conversion = Conversion::Read;
        }
        expr.own_effects |= effects;
        expr.effects |= effects;
        expr.converted = to.id;
    }

    fn reference(&mut self, node: NodeId, id: ExprId) -> (ExprKind, Qualified) {
        let cursor = self.tree.cursor(node);
        let target = cursor.referenced();
        let variable = target
            .filter(|target| matches!(target.kind(), CursorKind::Variable | CursorKind::Parameter))
            .and_then(|target| self.lowering.variable_referenced(target));
        if let Some(variable) = variable {
            let held = &self.lowering.variables[variable.index()];
            let (length, ty) = (held.name.len() as u32, held.ty);
            let located = self.lowering.text.locate_name(cursor, length);
            self.place(id, located);
            return (ExprKind::Variable(variable), ty);
        }
        self.place_at(id, node);
        let kind = match target {
            Some(target) if target.kind() == CursorKind::Function => {
                let function = self.lowering.function_referenced(target);
                // The declaration's type: libclang crashes when asked for the size of the
                // type that a mention of a builtin has.
                let ty = self.lowering.functions[function.index()].ty;
                return (ExprKind::Function(function), ty);
            }
            Some(target) if target.kind() == CursorKind::EnumConstant => {
                ExprKind::EnumConstant(target.enum_value())
            }
            _ => ExprKind::Other,
        };
        (kind, self.lowering.types.lower(cursor.ty()))
    }

    fn literal(&mut self, node: NodeId, id: ExprId) -> (ExprKind, Qualified) {
        let cursor = self.tree.cursor(node);
        let number = match self.tree.kind(node) {
            CursorKind::IntegerLiteral => self.lowering.text.locate_number(cursor),
            _ => None,
        };
        match number {
            Some(located) => self.place(id, Some(located)),
            None => self.place_at(id, node),
        }
        let expr = &self.lowering.exprs[id.index()];
        let text = &self.lowering.text.source[expr.span.range()];
        let kind = match self.tree.kind(node) {
            CursorKind::FloatingLiteral => ExprKind::Floating,
            CursorKind::StringLiteral => ExprKind::String,
            _ if expr.is_in_macro => ExprKind::Literal,
            CursorKind::IntegerLiteral => {
                operators::integer(text).map_or(ExprKind::Literal, ExprKind::Integer)
            }
            CursorKind::CharacterLiteral => operators::character(text, self.lowering.char_signed)
                .map_or(ExprKind::Literal, |value| ExprKind::Integer(value as u64)),
            _ => ExprKind::Literal,
        };
        (kind, self.lowering.types.lower(cursor.ty()))
    }
}

/// The only expression below a node.
fn only(tree: &Tree<'_>, node: NodeId) -> Option<NodeId> {
    let mut operands = tree.expressions(node);
    operands.next().filter(|_| operands.next().is_none())
}
