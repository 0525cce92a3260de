//! The expressions of a text as the reducer sees them: what can be replaced as a whole,
//! and by which of its parts. Parentheses count as a step of their own, since they can
//! go by themselves.

use crate::source::program::{ExprId, ExprKind, PartRole, Program, SeedExpr, Span, StatementPart};

/// An expression and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replaceable {
    pub(super) span: Span,
    pub(super) shape: ReplaceableShape,
    pub(super) children: Vec<Replaceable>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplaceableShape {
    /// A name, a constant, or text that is not looked into.
    Leaf,
    Parentheses,
    /// `{ … }` of an initialiser.
    Braces,
    /// Any operator, call, subscript, member or cast with its operands.
    Operator,
}

/// The whole expressions of a part of a statement; of a declaration only the initialiser,
/// since sizes of arrays are no matter of values.
pub(super) fn of_part(program: &Program, part: &StatementPart) -> Vec<Replaceable> {
    match part.role {
        PartRole::Declarator(variable) => {
            let initial = program.variable(variable).initial;
            initial
                .into_iter()
                .filter_map(|id| node(program, id))
                .collect()
        }
        PartRole::OtherDeclaration => vec![],
        _ => {
            let roots = program.roots(part);
            let known: Vec<Replaceable> = roots.filter_map(|id| node(program, id)).collect();
            if !known.is_empty() {
                return known;
            }
            // Macros hide where its expressions begin and end, but not the part itself.
            let hidden = Replaceable {
                span: part.span,
                shape: ReplaceableShape::Operator,
                children: vec![],
            };
            if part.span.start < part.span.end {
                vec![hidden]
            } else {
                vec![]
            }
        }
    }
}

/// An expression with those of its operands that have a text of their own.
pub(super) fn node(program: &Program, id: ExprId) -> Option<Replaceable> {
    let expr = program.expr(id);
    let whole = expr.editable()?;
    let shape = shape(expr);
    let children = match shape {
        ReplaceableShape::Leaf => vec![],
        _ => operands(program, id),
    };
    let inner = Replaceable {
        span: expr.span,
        shape,
        children,
    };
    Some(if expr.is_parenthesised() {
        Replaceable {
            span: whole,
            shape: ReplaceableShape::Parentheses,
            // Where a macro hides the limits, only the parentheses are certain.
            children: if expr.is_in_macro {
                vec![]
            } else {
                vec![inner]
            },
        }
    } else {
        inner
    })
}

fn operands(program: &Program, id: ExprId) -> Vec<Replaceable> {
    let is_list = program.expr(id).kind == ExprKind::InitList;
    let operands = program.operands(id).map(|operand| {
        if is_list {
            behind_designator(program, operand)
        } else {
            operand
        }
    });
    operands
        .filter_map(|operand| node(program, operand))
        .collect()
}

/// The value of `.x = value` and `[i] = value`.
fn behind_designator(program: &Program, id: ExprId) -> ExprId {
    let expr = program.expr(id);
    let is_designated = expr.kind == ExprKind::Other
        && matches!(program.text(expr.span).first(), Some(b'.' | b'['));
    let value = program.operands(id).last();
    value.filter(|_| is_designated).unwrap_or(id)
}

fn shape(expr: &SeedExpr) -> ReplaceableShape {
    match expr.kind {
        ExprKind::Integer(_)
        | ExprKind::Floating
        | ExprKind::String
        | ExprKind::Literal
        | ExprKind::Variable(_)
        | ExprKind::Function(_)
        | ExprKind::EnumConstant(_)
        | ExprKind::SizeOf
        | ExprKind::Generic
        | ExprKind::LabelAddress
        // Its statements are simplified by themselves.
        | ExprKind::StatementExpression(_) => ReplaceableShape::Leaf,
        ExprKind::InitList => ReplaceableShape::Braces,
        _ => ReplaceableShape::Operator,
    }
}
