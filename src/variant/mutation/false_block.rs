//! Code that never runs, before a statement that does.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - all names in the block are visible there; it declares none but its own;
//! - the strategy made the guard false in every recorded visit.
//!
//! Effect: the block, an `if` or loop with the guard, stands before the statement.

use super::{Unfit, insert, one_line};
use crate::code::stmt::Stmt;
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::program::{Program, StatementId};
use serde::{Deserialize, Serialize};

/// An `if` or loop whose condition never holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FalseBlock {
    pub before: StatementId,
    pub block: Stmt,
}

impl FalseBlock {
    pub(super) fn check(&self, id: u32, program: &Program) -> Result<(), Unfit> {
        fit::block(program, self.before, id, &self.block)
    }

    pub(super) fn apply(&self, program: &Program, edits: &mut Edits) {
        insert(program, self.before, &one_line(&self.block), edits);
    }
}
