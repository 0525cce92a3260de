//! Changes to one place in a statement, by the path that leads there.

use crate::code::expr::Expr;
use crate::code::stmt::{Init, Stmt};
use std::sync::Arc;

/// The statement with the expression at a path replaced; `None` if there is none, or it cannot
/// be.
pub(super) fn with_expr(
    stmt: &Stmt,
    path: &[u32],
    change: &dyn Fn(&Expr) -> Option<Expr>,
) -> Option<Stmt> {
    let [first, rest @ ..] = path else {
        return None;
    };
    let index = *first as usize;
    let in_stmt = |stmt: &Arc<Stmt>| with_expr(stmt, rest, change).map(Arc::new);
    let in_expr = |expr: &Expr| in_expr(expr, rest, change);
    let mut new = stmt.clone();
    match &mut new {
        Stmt::Block(items) => items[index] = with_expr(items.get(index)?, rest, change)?,
        Stmt::Expr(expr) | Stmt::Return(Some(expr)) => *expr = in_expr(expr)?,
        Stmt::Declare(declaration) => match &mut declaration.init {
            Some(Init::Value(expr)) => *expr = in_expr(expr)?,
            _ => return None,
        },
        Stmt::If { condition, yes, no } => match index {
            0 => *condition = in_expr(condition)?,
            1 => *yes = in_stmt(yes)?,
            _ => *no = Some(in_stmt(no.as_ref()?)?),
        },
        Stmt::While { condition, body } => match index {
            0 => *condition = in_expr(condition)?,
            _ => *body = in_stmt(body)?,
        },
        Stmt::Do { body, condition } => match index {
            0 => *body = in_stmt(body)?,
            _ => *condition = in_expr(condition)?,
        },
        Stmt::For {
            start,
            condition,
            step,
            body,
        } => {
            let mut parts: Vec<&mut Expr> =
                [start, condition, step].into_iter().flatten().collect();
            match parts.get_mut(index) {
                Some(expr) => **expr = in_expr(expr)?,
                None => *body = in_stmt(body)?,
            }
        }
        Stmt::Switch { value, body } => match index {
            0 => *value = in_expr(value)?,
            _ => *body = in_stmt(body)?,
        },
        _ => return None,
    }
    Some(new)
}

fn in_expr(expr: &Expr, path: &[u32], change: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Expr> {
    let [first, rest @ ..] = path else {
        return change(expr);
    };
    let mut new = expr.clone();
    if let Expr::Call { args, .. } | Expr::Builtin { args, .. } = &mut new {
        let arg = args.get_mut(*first as usize)?;
        *arg = in_expr(arg, rest, change)?;
        return Some(new);
    }
    let mut operands = new.operands_mut();
    let operand = operands.get_mut(*first as usize)?;
    **operand = Arc::new(in_expr(operand, rest, change)?);
    Some(new)
}

/// The statement with every statement inside it replaced by what a function makes of it; the
/// function is given its path.
pub(super) fn with_statements(
    stmt: &Stmt,
    path: &mut Vec<u32>,
    change: &dyn Fn(&[u32], &Stmt) -> Option<Stmt>,
) -> Stmt {
    let mut inside = |index: u32, stmt: &Stmt| {
        path.push(index);
        let changed = change(path, stmt).map(|stmt| with_statements(&stmt, path, change));
        path.pop();
        changed
    };
    let mut new = stmt.clone();
    match &mut new {
        Stmt::Block(items) => {
            let kept = items.iter().enumerate();
            *items = kept
                .filter_map(|(index, item)| inside(index as u32, item))
                .collect();
        }
        Stmt::If { yes, no, .. } => {
            *yes = inside(1, yes).unwrap_or(Stmt::Block(vec![])).into();
            *no = no.as_ref().and_then(|no| inside(2, no)).map(Arc::new);
        }
        Stmt::While { body, .. } | Stmt::Switch { body, .. } => {
            *body = inside(1, body).unwrap_or(Stmt::Block(vec![])).into();
        }
        Stmt::Do { body, .. } => {
            *body = inside(0, body).unwrap_or(Stmt::Block(vec![])).into();
        }
        Stmt::For {
            start,
            condition,
            step,
            body,
        } => {
            let parts = [start, condition, step];
            let index = parts.into_iter().flatten().count() as u32;
            *body = inside(index, body).unwrap_or(Stmt::Block(vec![])).into();
        }
        _ => {}
    }
    new
}
