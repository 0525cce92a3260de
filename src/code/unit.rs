//! Whole programs as trees: what stands outside functions.
//!
//! Printing needs the structs and the order of what is declared; evaluation
//! knows nothing of this and is told of globals and functions one by one (see
//! [`Session`](super::session::Session)).

use super::ctype::Types;
use super::stmt::{Attribute, Declaration, Function};
use std::collections::BTreeSet;

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

/// Something outside functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopLevel {
    /// Text that stands as it is, such as a comment or a directive.
    Text(String),
    /// A variable.
    Global(Declaration),
    /// What a function is called with, before it is defined.
    Prototype(FunctionDefinition),
    /// A function with its body.
    Function(FunctionDefinition),
}

/// A program in one file: the structs it uses, then everything in order.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// The structs, which are printed first.
    pub types: Types,
    /// What follows.
    pub items: Vec<TopLevel>,
}
