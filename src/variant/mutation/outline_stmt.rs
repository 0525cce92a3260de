//! A statement of the seed moves into a function of its own.
//!
//! Precondition:
//! - the statement can stand in another function (`source::outline` lists what that
//!   takes), and a function may be put before that around it;
//! - the function's name is the mutation's own.
//!
//! Effect: a static function with the statement's text stands before the function around
//! it, with the variables it uses by address; a call of it stands in the statement's
//! place. Changes inside the statement are gone.

use super::kind::{Effect, MutationKind, Size};
use super::prepared::LivePlace;
use super::{Kind, Maker, Unfit};
use crate::source::edit::Edits;
use crate::source::outline::outline;
use crate::source::program::{Program, StatementId};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A statement as a call of a function that does what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineStmt {
    pub statement: StatementId,
    pub function: Arc<str>,
    /// Whether compilers must not put it back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_noinline: bool,
}

impl MutationKind for OutlineStmt {
    const IS_LIVE: bool = true;
    const IS_PICKY: bool = true;
    const EFFECT: Effect = Effect::Rewrites;

    fn statement(&self) -> StatementId {
        self.statement
    }

    fn check(&self, id: u32, program: &Program) -> Result<(), Unfit> {
        if !self.function.starts_with(&format!("mestra_{id}_")) {
            return Err(Unfit::ForeignName(self.function.to_string()));
        }
        outline(program, self.statement, &self.function).map(|_| ())
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        let Ok(outline) = outline(program, self.statement, &self.function) else {
            return;
        };
        let attribute = if self.is_noinline {
            "__attribute__((noinline)) "
        } else {
            ""
        };
        let function = format!("{attribute}{} ", outline.function);
        edits.insert_before(outline.definition, function);
        edits.replace_unless_replaced(program.statement(self.statement).span, outline.call);
    }

    fn text(&self) -> String {
        format!("{}();", self.function)
    }

    fn size(&self) -> Size {
        Size {
            statements: 1,
            edges: 1,
        }
    }

    fn is_taken_by(program: &Program, statement: StatementId) -> bool {
        outline(program, statement, "").is_ok()
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<OutlineStmt> {
        let fits = place.takes(Kind::OutlineStmt);
        fits.then(|| OutlineStmt {
            statement: place.site.statement,
            function: format!("mestra_{}_o", maker.synth.number).into(),
            is_noinline: maker.synth.rng.random(),
        })
    }

    fn weight(&self) -> usize {
        usize::from(self.is_noinline)
    }

    fn simpler(&self, _prover: &super::Prover<'_>) -> Vec<OutlineStmt> {
        vec![OutlineStmt {
            is_noinline: false,
            ..self.clone()
        }]
    }
}
