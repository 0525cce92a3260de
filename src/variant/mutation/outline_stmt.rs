//! A statement of the seed, or several in a row, move into a function of their own.
//!
//! Precondition:
//! - the statements can stand in another function (`source::outline` lists what that
//!   takes), and a function may be put before that around them;
//! - several begin with the first of their block that declares nothing;
//! - the function's name is the mutation's own.
//!
//! Effect: a static function with the statements' text stands before the function around
//! them, with the variables they use by address; a call of it stands in their place.
//! Changes inside them are gone.

use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::{Kind, Maker, Unfit};
use crate::source::edit::Edits;
use crate::source::outline::{Outline, most_further, outline};
use crate::source::outside::OwnNames;
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
    /// How many of the statements that follow move, too.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub further: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl MutationKind for OutlineStmt {
    const IS_LIVE: bool = true;
    const EFFECT: Effect = Effect::Rewrites;

    fn statement(&self) -> StatementId {
        self.statement
    }

    fn reason(&self) -> Reason<'_> {
        Reason::ByConstruction(
            "the statement moves into a function that is given the addresses of its variables",
        )
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        if !own.is_own(&self.function) {
            return Err(Unfit::ForeignName(self.function.to_string()));
        }
        self.outline(program).map(|_| ())
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        let Ok(outline) = self.outline(program) else {
            return;
        };
        let attribute = if self.is_noinline {
            "__attribute__((noinline)) "
        } else {
            ""
        };
        let function = format!("{attribute}{} ", outline.function);
        edits.insert_before(outline.definition, function);
        edits.replace_unless_replaced(outline.span, outline.call);
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
        outline(program, statement, 0, "").is_ok()
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<OutlineStmt> {
        if !place.takes(Kind::OutlineStmt) {
            return None;
        }
        let statement = place.site.statement;
        let most = most_further(place.site.program, statement);
        let rng = &mut *maker.synth.rng;
        let mut made = OutlineStmt {
            statement,
            function: format!("mestra_{}_o", maker.synth.number).into(),
            is_noinline: rng.random(),
            further: rng.random_range(0..=most),
        };
        // Together they may use more variables than one function takes.
        while made.further > 0 && made.outline(place.site.program).is_err() {
            made.further -= 1;
        }
        Some(made)
    }

    fn weight(&self) -> usize {
        usize::from(self.is_noinline) + self.further as usize
    }

    fn simpler(&self, _prover: &super::Prover<'_>) -> Vec<OutlineStmt> {
        let fewer = OutlineStmt {
            further: self.further / 2,
            ..self.clone()
        };
        let inlined = OutlineStmt {
            is_noinline: false,
            ..self.clone()
        };
        vec![fewer, inlined]
    }
}

impl OutlineStmt {
    fn outline(&self, program: &Program) -> Result<Outline, Unfit> {
        outline(program, self.statement, self.further, &self.function)
    }
}
