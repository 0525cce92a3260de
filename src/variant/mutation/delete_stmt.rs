//! A statement that never runs is deleted.
//!
//! Precondition:
//! - the statement can be deleted (`source::deletion` lists what that takes). Code of
//!   other mutations names no variable that goes with it
//!   (`Variable::is_used_elsewhere`);
//! - the profile shows that nothing of it ever ran.
//!
//! Effect: the statement is deleted, together with all changes inside it. Its named
//! labels stay, since a `goto` of the seed or of a mutation may need them.

use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::Prepared;
use super::{Maker, Unfit};
use crate::source::deletion;
use crate::source::edit::Edits;
use crate::source::outside::OwnNames;
use crate::source::program::{Program, StatementId};
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// The deletion of a statement that never runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteStmt {
    pub statement: StatementId,
}

impl MutationKind for DeleteStmt {
    const IS_LIVE: bool = false;
    const EFFECT: Effect = Effect::Deletes;

    fn statement(&self) -> StatementId {
        self.statement
    }

    fn check(&self, _own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        deletion::check(program, self.statement)
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        deletion::delete(program, self.statement, "", edits);
    }

    fn text(&self) -> String {
        String::new()
    }

    fn size(&self) -> Size {
        Size::default()
    }

    fn reason(&self) -> Reason<'_> {
        Reason::Unreached
    }

    fn has_dead_place(prepared: &Prepared<'_>) -> bool {
        !prepared.deletable.is_empty()
    }

    fn dead(maker: &mut Maker<'_, '_>) -> Option<DeleteStmt> {
        let statement = *maker.prepared.deletable.list().choose(maker.synth.rng)?;
        Some(DeleteStmt { statement })
    }
}
