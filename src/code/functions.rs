//! Functions by their names, and the names in a piece of code.

use super::expr::Expr;
use super::stmt::{Function, Part, Stmt};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a name in code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeName<'c> {
    /// A variable, where it is declared or used.
    Variable(&'c Arc<str>),
    /// A function, where it is called or pointed to.
    Function(&'c Arc<str>),
}

/// Functions by their names, for an evaluator.
pub(crate) fn by_name<'f>(
    functions: impl IntoIterator<Item = &'f Function>,
) -> BTreeMap<Arc<str>, Function> {
    let functions = functions.into_iter().cloned();
    functions.map(|one| (one.name.clone(), one)).collect()
}

/// Calls `see` for every name in a piece of code, in the order they are written.
pub(crate) fn for_each_name<'c>(code: Part<'c>, see: &mut impl FnMut(CodeName<'c>)) {
    match code {
        Part::Expr(expr) => {
            match expr {
                Expr::Var(var) => see(CodeName::Variable(&var.name)),
                Expr::Call { callee, .. } | Expr::FunctionName(callee) => {
                    see(CodeName::Function(&callee.name));
                }
                _ => {}
            }
            for child in expr.children() {
                for_each_name(Part::Expr(child), see);
            }
        }
        Part::Stmt(stmt) => {
            if let Stmt::Declare(declaration) = stmt {
                see(CodeName::Variable(&declaration.var.name));
            }
            for part in stmt.parts() {
                for_each_name(part, see);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::expr::Callee;
    use crate::code::types::IntKind;

    #[test]
    fn every_name_is_seen_where_it_is_written() {
        let callee = |name: &str| Callee {
            name: name.into(),
            result: IntKind::Int.into(),
            params: vec![IntKind::Int.into()],
        };
        let call = Expr::call(callee("f"), vec![Expr::var("x", IntKind::Int)]);
        let pointer = Expr::FunctionName(Arc::new(callee("g")));
        let points = Expr::call_pointer(pointer, vec![call]);
        let stmt = Stmt::use_value(IntKind::Int, points);
        let mut seen = Vec::new();
        for_each_name(Part::Stmt(&stmt), &mut |name| {
            seen.push(match name {
                CodeName::Variable(name) => format!("variable {name}"),
                CodeName::Function(name) => format!("function {name}"),
            });
        });
        assert_eq!(seen, ["function g", "function f", "variable x"]);
    }
}
