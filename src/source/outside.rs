//! Variables that we add and that other files could change, so that an optimiser knows their
//! values only if it sees the whole program.

use crate::code::expr::Expr;
use crate::code::print::declare;
use crate::code::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A variable at file level with external linkage that never changes its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideVariable {
    pub name: Arc<str>,
    pub value: Value,
}

impl OutsideVariable {
    /// The definition, as one line.
    pub(crate) fn text(&self) -> String {
        let declared = declare(&self.name, &self.value.kind().into());
        format!("{declared} = {};\n", Expr::from(self.value))
    }
}

/// What a change may name beside what the program declares: the number that all its names
/// carry, and its variables at file level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnNames<'o> {
    pub(crate) id: u32,
    pub(crate) outside: &'o [OutsideVariable],
}

impl OwnNames<'_> {
    /// Whether a name carries the number.
    pub(crate) fn is_own(self, name: &str) -> bool {
        name.starts_with(&format!("mestra_{}_", self.id))
    }

    /// Whether it is one of the variables at file level.
    pub(crate) fn is_outside(self, name: &str) -> bool {
        self.outside.iter().any(|variable| *variable.name == *name)
    }

    /// A variable at file level that does not carry the number.
    pub(crate) fn foreign(&self) -> Option<&str> {
        let mut names = self.outside.iter().map(|variable| &*variable.name);
        names.find(|name| !self.is_own(name))
    }
}
