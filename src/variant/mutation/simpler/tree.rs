//! Trees one step simpler: without one statement, a body without what encloses it, an
//! operand instead of the operation, a constant instead of anything.
//!
//! Nothing here knows whether the result is defined; the kinds of mutations do.

use crate::code::expr::Expr;
use crate::code::stmt::{Declaration, Init, Stmt};
use std::sync::Arc;

/// All statements that are one step simpler than this one.
pub(in crate::variant::mutation) fn statements(stmt: &Stmt) -> Vec<Stmt> {
    match stmt {
        Stmt::Block(items) => {
            let without = (0..items.len()).map(|at| {
                let mut rest = items.clone();
                rest.remove(at);
                Stmt::Block(rest)
            });
            let simpler = items
                .iter()
                .enumerate()
                .flat_map(|(at, item)| statements(item).into_iter().map(move |new| (at, new)));
            let replaced = simpler.map(|(at, new)| {
                let mut items = items.clone();
                items[at] = new;
                Stmt::Block(items)
            });
            without.chain(replaced).collect()
        }
        Stmt::If { condition, yes, no } => {
            let mut found = vec![yes.as_ref().clone()];
            if let Some(no) = no {
                found.push(no.as_ref().clone());
                found.push(Stmt::if_then(condition.clone(), yes.as_ref().clone()));
            }
            let rebuilt = |condition: &Expr, yes: &Arc<Stmt>, no: &Option<Arc<Stmt>>| Stmt::If {
                condition: condition.clone(),
                yes: yes.clone(),
                no: no.clone(),
            };
            found.extend(
                expressions(condition)
                    .iter()
                    .map(|new| rebuilt(new, yes, no)),
            );
            found.extend(inside(yes).map(|new| rebuilt(condition, &new, no)));
            let others = no.iter().flat_map(|no| inside(no));
            found.extend(others.map(|new| rebuilt(condition, yes, &Some(new))));
            found
        }
        Stmt::While { condition, body } => {
            let while_loop = |condition: Expr, body| Stmt::While { condition, body };
            around(condition, body, while_loop)
        }
        Stmt::Do { body, condition } => {
            let do_loop = |condition: Expr, body| Stmt::Do { body, condition };
            around(condition, body, do_loop)
        }
        Stmt::Switch { value, body } => {
            let switch = |value: Expr, body| Stmt::Switch { value, body };
            around(value, body, switch)
        }
        Stmt::For {
            start,
            condition,
            step,
            body,
        } => {
            let rebuilt = |body| Stmt::For {
                start: start.clone(),
                condition: condition.clone(),
                step: step.clone(),
                body,
            };
            let mut found = vec![body.as_ref().clone()];
            found.extend(inside(body).map(rebuilt));
            found
        }
        Stmt::Expr(expr) => expressions(expr).into_iter().map(Stmt::Expr).collect(),
        Stmt::Use { ty, value } => {
            let simpler = expressions(value).into_iter();
            simpler
                .map(|value| Stmt::Use {
                    ty: ty.clone(),
                    value,
                })
                .collect()
        }
        Stmt::Return(Some(value)) => {
            let simpler = expressions(value).into_iter();
            simpler.map(|value| Stmt::Return(Some(value))).collect()
        }
        Stmt::Declare(declaration) => match &declaration.init {
            Some(Init::Value(value)) => {
                let simpler = expressions(value).into_iter();
                simpler
                    .map(|value| {
                        Stmt::Declare(Declaration {
                            init: Some(Init::Value(value)),
                            ..declaration.clone()
                        })
                    })
                    .collect()
            }
            _ => vec![],
        },
        _ => vec![],
    }
}

/// The body by itself, and the statement with a simpler head or body.
fn around(head: &Expr, body: &Arc<Stmt>, rebuilt: impl Fn(Expr, Arc<Stmt>) -> Stmt) -> Vec<Stmt> {
    let mut found = vec![body.as_ref().clone()];
    let heads = expressions(head).into_iter();
    found.extend(heads.map(|new| rebuilt(new, body.clone())));
    found.extend(inside(body).map(|new| rebuilt(head.clone(), new)));
    found
}

fn inside(stmt: &Stmt) -> impl Iterator<Item = Arc<Stmt>> + use<> {
    statements(stmt).into_iter().map(Arc::new)
}

/// All expressions that are one step simpler than this one. What is assigned to
/// stays as it is.
pub(in crate::variant::mutation) fn expressions(expr: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    let is_leaf = matches!(expr, Expr::Const(_) | Expr::Null(_));
    if !is_leaf && !expr.has_effects() {
        found.extend([0, 1].map(Expr::int));
    }
    let children = expr.children();
    if matches!(
        expr,
        Expr::Cast { .. }
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Logical { .. }
            | Expr::Conditional { .. }
            | Expr::Comma { .. }
    ) {
        found.extend(children.iter().map(|child| (*child).clone()));
    }
    for (at, child) in children.iter().enumerate() {
        if is_place(expr, at) {
            continue;
        }
        found.extend(
            expressions(child)
                .into_iter()
                .map(|new| with_child(expr, at, new)),
        );
    }
    found
}

/// Whether an operand must be an lvalue or is part of one.
fn is_place(expr: &Expr, operand: usize) -> bool {
    match expr {
        Expr::Assign { .. } | Expr::Compound { .. } => operand == 0,
        Expr::Step { .. } | Expr::AddressOf(_) | Expr::Field { .. } | Expr::Deref(_) => true,
        Expr::Index { .. } => operand == 0,
        _ => false,
    }
}

/// The expression with another operand at a position of [`Expr::children`].
pub(in crate::variant::mutation) fn with_child(expr: &Expr, at: usize, new: Expr) -> Expr {
    let mut expr = expr.clone();
    if let Expr::Call { args, .. } = &mut expr {
        args[at] = new;
    } else if let Some(operand) = expr.operands_mut().into_iter().nth(at) {
        *operand = Arc::new(new);
    }
    expr
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::op::BinaryOp;
    use crate::code::types::IntKind;

    fn printed<T: std::fmt::Display>(found: Vec<T>) -> Vec<String> {
        let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        found
            .iter()
            .map(|tree| one_line(tree.to_string()))
            .collect()
    }

    #[test]
    fn an_expression_becomes_a_constant_or_an_operand() {
        let [a, b] = ["a", "b"].map(|name| Expr::var(name, IntKind::Int));
        let sum = Expr::binary(BinaryOp::Add, a.clone(), b);
        assert_eq!(
            printed(expressions(&sum)),
            ["0", "1", "a", "b", "0 + b", "1 + b", "a + 0", "a + 1"]
        );
        let set = Expr::assign(a, sum);
        let simpler = printed(expressions(&set));
        assert!(simpler.contains(&"a = b".to_owned()), "{simpler:?}");
        assert!(
            simpler.iter().all(|text| text.starts_with("a = ")),
            "{simpler:?}"
        );
    }

    #[test]
    fn a_block_loses_statements_and_an_if_its_condition() {
        let a = Expr::var("a", IntKind::Int);
        let set = |value| Stmt::Expr(Expr::assign(a.clone(), Expr::int(value)));
        let block = Stmt::Block(vec![set(5), Stmt::if_else(a.clone(), set(6), set(7))]);
        let simpler = printed(statements(&block));
        for expected in ["{ a = 5; }", "{ a = 5; a = 6; }", "{ a = 5; a = 7; }"] {
            assert!(simpler.contains(&expected.to_owned()), "{simpler:?}");
        }
        assert!(
            simpler
                .iter()
                .any(|text| text.contains("if (a)") && !text.contains("else"))
        );
        assert!(simpler.iter().any(|text| text.contains("if (1)")));
    }
}
