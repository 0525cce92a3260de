//! Templates with their holes filled: from idioms as text to trees.

use super::shapes::number_kind;
use super::template::{TemplateExpr, TemplateKind, TemplateStmt};
use crate::code::expr::Expr;
use crate::code::stmt::Stmt;
use crate::code::types::{IntKind, Target};
use crate::code::value::Value;

/// Knows what the holes of a template are filled with. A template that has a hole which
/// nothing suits cannot be used.
pub(super) trait HoleFiller {
    /// What a letter stands for, the same wherever it occurs.
    fn leaf(&mut self, letter: u8) -> Option<Expr>;

    /// The array that a letter stands for.
    fn array(&mut self, letter: u8) -> Option<Expr>;

    /// The type that a template names or leaves open.
    fn kind(&mut self, kind: TemplateKind) -> IntKind;

    /// Makes the local that a letter stands for from then on, which is declared elsewhere.
    fn local(&mut self, kind: TemplateKind, letter: u8, start: &TemplateExpr) -> Option<()>;

    /// The machine that numbers are for.
    fn target(&self) -> Target;
}

impl TemplateExpr {
    /// The expression that the template is.
    pub(super) fn fill(&self, filler: &mut impl HoleFiller) -> Option<Expr> {
        Some(match self {
            TemplateExpr::Number(number) => {
                Expr::Const(Value::new(number_kind(*number), *number, filler.target()))
            }
            TemplateExpr::Hole(letter) => filler.leaf(*letter)?,
            TemplateExpr::Element(letter, index) => {
                let array = filler.array(*letter)?;
                array.index(index.fill(filler)?)
            }
            TemplateExpr::Cast(kind, operand) => {
                let kind = filler.kind(*kind);
                operand.fill(filler)?.cast(kind)
            }
            TemplateExpr::Unary(op, operand) => Expr::unary(*op, operand.fill(filler)?),
            TemplateExpr::Binary(op, both) => {
                let left = both[0].fill(filler)?;
                Expr::binary(*op, left, both[1].fill(filler)?)
            }
            TemplateExpr::Logical(op, both) => {
                let left = both[0].fill(filler)?;
                Expr::logical(*op, left, both[1].fill(filler)?)
            }
            TemplateExpr::Conditional(parts) => {
                let condition = parts[0].fill(filler)?;
                let yes = parts[1].fill(filler)?;
                Expr::conditional(condition, yes, parts[2].fill(filler)?)
            }
        })
    }
}

impl TemplateStmt {
    /// The statement that the template is; `Some(None)` is left of a local.
    pub(super) fn fill(&self, filler: &mut impl HoleFiller) -> Option<Option<Stmt>> {
        Some(Some(match self {
            TemplateStmt::Local(kind, letter, start) => {
                filler.local(*kind, *letter, start)?;
                return Some(None);
            }
            TemplateStmt::Assign(to, value) => {
                let value = value.fill(filler)?;
                Stmt::Expr(Expr::assign(to.fill(filler)?, value))
            }
            TemplateStmt::Compound(op, to, value) => {
                let value = value.fill(filler)?;
                Stmt::Expr(Expr::compound(*op, to.fill(filler)?, value))
            }
            TemplateStmt::Step(op, to) => Stmt::Expr(Expr::step(*op, to.fill(filler)?)),
            TemplateStmt::Block(items) => {
                let items: Option<Vec<Stmt>> =
                    items.iter().map(|item| item.fill(filler)?).collect();
                Stmt::Block(items?)
            }
            TemplateStmt::If(condition, yes, no) => {
                let condition = condition.fill(filler)?;
                let yes = yes.fill(filler)??;
                match no {
                    Some(no) => Stmt::if_else(condition, yes, no.fill(filler)??),
                    None => Stmt::if_then(condition, yes),
                }
            }
            TemplateStmt::While(condition, body) => {
                let condition = condition.fill(filler)?;
                Stmt::while_loop(condition, body.fill(filler)??)
            }
            TemplateStmt::For(start, condition, step, body) => {
                let start = effect(start, filler)?;
                let condition = condition.fill(filler)?;
                let step = effect(step, filler)?;
                Stmt::for_loop(start, condition, step, body.fill(filler)??)
            }
            TemplateStmt::Break => Stmt::Break,
        }))
    }
}

/// A statement that is an expression.
fn effect(stmt: &TemplateStmt, filler: &mut impl HoleFiller) -> Option<Expr> {
    match stmt.fill(filler)?? {
        Stmt::Expr(expr) => Some(expr),
        _ => None,
    }
}

/// All statements of a template that are not locals.
pub(super) fn fill_all(
    statements: &[TemplateStmt],
    filler: &mut impl HoleFiller,
) -> Option<Vec<Stmt>> {
    let filled: Option<Vec<Option<Stmt>>> =
        statements.iter().map(|stmt| stmt.fill(filler)).collect();
    Some(filled?.into_iter().flatten().collect())
}
