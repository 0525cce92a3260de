//! A statement that never runs is deleted.
//!
//! Precondition:
//! - the statement can be deleted (`source::deletion` lists what that takes). Code of
//!   other mutations names no variable that goes with it
//!   (`Variable::is_used_elsewhere`);
//! - the strategy saw that nothing of it ever ran.
//!
//! Effect: the statement is gone, together with all changes inside it. Its named
//! labels stay, since a `goto` of the seed or of a mutation may need them.

use super::Unfit;
use crate::source::deletion;
use crate::source::edit::Edits;
use crate::source::program::{Program, StatementId};
use serde::{Deserialize, Serialize};

/// The end of a statement that never runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteStmt {
    pub statement: StatementId,
}

impl DeleteStmt {
    pub(super) fn check(&self, program: &Program) -> Result<(), Unfit> {
        deletion::check(program, self.statement)
    }

    pub(super) fn apply(&self, program: &Program, edits: &mut Edits) {
        deletion::delete(program, self.statement, "", edits);
    }
}
