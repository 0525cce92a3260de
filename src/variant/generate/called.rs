//! Which functions of a program are called.
//!
//! Functions of snippets are written before it is known who calls them, and everyday ones are
//! there from the start. Those that nobody calls would take compilers almost a third of their
//! time for a snippet, for code whose faults nobody sees.

use crate::code::expr::Expr;
use crate::code::stmt::Part;
use crate::code::unit::FunctionDefinition;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Drops the functions that others do not lead to, beginning with some. A function calls itself
/// and those before it.
pub(super) fn keep_called(
    functions: &mut Vec<FunctionDefinition>,
    first: impl IntoIterator<Item = Arc<str>>,
) {
    let mut called: BTreeSet<Arc<str>> = first.into_iter().collect();
    for definition in functions.iter().rev() {
        if called.contains(&definition.function.name) {
            add_called(Part::Stmt(&definition.function.body), &mut called);
        }
    }
    functions.retain(|one| called.contains(&one.function.name));
}

/// Adds the names of the functions that a piece of code calls or points to.
fn add_called(code: Part<'_>, called: &mut BTreeSet<Arc<str>>) {
    match code {
        Part::Expr(expr) => {
            if let Expr::Call { callee, .. } | Expr::FunctionName(callee) = expr {
                called.insert(callee.name.clone());
            }
            for child in expr.children() {
                add_called(Part::Expr(child), called);
            }
        }
        Part::Stmt(stmt) => {
            for part in stmt.parts() {
                add_called(part, called);
            }
        }
    }
}
