//! A condition that always holds, around a statement.
//!
//! Precondition:
//! - code may be put before the statement, and the text shows where it ends;
//! - it is no declaration, whose names would end with the braces;
//! - it is no label and holds none, nor a `case` of a `switch` around it: jumps
//!   would enter past the condition, which is sound but changes what is tested;
//! - it is no empty or attributed statement, which may be a fallthrough;
//! - it has no compound literal, which would end with the braces, nor declares a type;
//! - all names in the condition and in the other branch are visible there; that
//!   branch declares none but its own;
//! - the strategy made the condition true in every recorded visit.
//!
//! Effect: `if (condition) { … }` stands around the statement, perhaps with an `else`
//! that never runs, in braces of its own where the statement is the unbraced body of
//! something.

use super::{Unfit, one_line};
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::program::{Insertion, Program, StatementId, StatementKind};
use serde::{Deserialize, Serialize};

/// An `if` around a statement, whose condition always holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrueGuard {
    pub around: StatementId,
    pub guard: Expr,
    /// What never runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Stmt>,
}

impl TrueGuard {
    /// Whether a guard could stand around a statement at all.
    pub fn fits(program: &Program, around: StatementId) -> Result<(), Unfit> {
        let statement = fit::point(program, around)?;
        match &statement.kind {
            StatementKind::Declaration { .. } => return Err(Unfit::Declaration),
            kind if kind.is_labelled() => return Err(Unfit::Label),
            _ => fit::kind(statement)?,
        }
        if !statement.end_is_known {
            return Err(Unfit::EndUnknown);
        }
        if statement.has_literal || fit::declares_type(program, statement) {
            return Err(Unfit::Declaration);
        }
        match program.has_case(around) || program.has_label(around) {
            true => Err(Unfit::Label),
            false => Ok(()),
        }
    }

    pub(super) fn check(&self, id: u32, program: &Program) -> Result<(), Unfit> {
        TrueGuard::fits(program, self.around)?;
        fit::names(program, self.around, None, Part::Expr(&self.guard))?;
        match &self.otherwise {
            Some(branch) => fit::names(program, self.around, Some(id), Part::Stmt(branch)),
            None => Ok(()),
        }
    }

    pub(super) fn apply(&self, program: &Program, edits: &mut Edits) {
        let statement = program.statement(self.around);
        if statement.insertion == Ok(Insertion::Braced) {
            edits.brace(statement.span);
        }
        edits.wrap(statement.span, self.before(), self.after());
    }

    /// The code with nothing in its place for the statement.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before(), self.after())
    }

    fn before(&self) -> String {
        format!("if ({}) {{ ", self.guard)
    }

    fn after(&self) -> String {
        match &self.otherwise {
            Some(branch) => format!(" }} else {}", one_line(branch)),
            None => " }".into(),
        }
    }
}
