//! Functions as a program defines them, with storage and attributes.
//!
//! Only printing needs these; evaluation is told of functions one by one (see
//! [`Session`](super::session::Session)) and knows nothing else of the program.

use super::stmt::{Attribute, Function};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A function as the program defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDefinition {
    /// Name, types and body.
    pub function: Function,
    /// `static`: other files cannot call it.
    pub is_static: bool,
    /// `inline`, which together with `static` is the same in all versions of C.
    pub is_inline: bool,
    /// Attributes of gcc and clang.
    pub attributes: Vec<Attribute>,
    /// The parameters, by number, that are `restrict` pointers.
    pub restrict: BTreeSet<usize>,
    /// The body as it is written, where trees cannot hold it: the function's own body is then
    /// a model of it, which does the same.
    pub text: Option<Arc<str>>,
}

impl FunctionDefinition {
    /// A function that other files could call.
    pub fn new(function: Function) -> FunctionDefinition {
        FunctionDefinition {
            function,
            is_static: false,
            is_inline: false,
            attributes: Vec::new(),
            restrict: BTreeSet::new(),
            text: None,
        }
    }

    /// A function of this file only.
    pub fn new_static(function: Function) -> FunctionDefinition {
        FunctionDefinition {
            is_static: true,
            ..FunctionDefinition::new(function)
        }
    }
}
