//! Which functions of a program are called.
//!
//! Functions of snippets are written before it is known who calls them, and everyday ones are
//! there from the start. Those that nobody calls would take compilers almost a third of their
//! time for a snippet, for code whose faults nobody sees.

use crate::code::functions::{CodeName, for_each_name};
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
            for_each_name(Part::Stmt(&definition.function.body), &mut |name| {
                if let CodeName::Function(name) = name {
                    called.insert(name.clone());
                }
            });
        }
    }
    functions.retain(|one| called.contains(&one.function.name));
}
