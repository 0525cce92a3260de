//! A block that runs whenever control comes by, and leaves no trace.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - all names in the block are visible there; it declares none but its own;
//! - the strategy ran the block over every recorded visit: it is defined, ends,
//!   and restores every variable of the seed that it changes.
//!
//! Effect: the block stands before the statement.

use super::{Unfit, insert, one_line};
use crate::code::stmt::Stmt;
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::program::{Program, StatementId};
use serde::{Deserialize, Serialize};

/// Backups, a guard that always holds, changes, and the old values again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrueBlock {
    pub before: StatementId,
    pub block: Stmt,
}

impl TrueBlock {
    pub(super) fn check(&self, id: u32, program: &Program) -> Result<(), Unfit> {
        fit::block(program, self.before, id, &self.block)
    }

    pub(super) fn apply(&self, program: &Program, edits: &mut Edits) {
        insert(program, self.before, &one_line(&self.block), edits);
    }
}
