//! Code that never runs, before a statement that does.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - all names in the block are visible there; it declares none but its own;
//! - the guard is false in every recorded visit.
//!
//! Effect: the block, an `if` or loop with the guard, stands before the statement.

use super::kind::{MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::simpler::{Prover, tree, weight};
use super::{Maker, Unfit, one_line};
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::source::fit;
use crate::source::program::{Program, StatementId};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// An `if` or loop whose condition never holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FalseBlock {
    pub before: StatementId,
    pub block: Stmt,
}

impl MutationKind for FalseBlock {
    const IS_LIVE: bool = true;

    fn statement(&self) -> StatementId {
        self.before
    }

    fn check(&self, id: u32, program: &Program) -> Result<(), Unfit> {
        fit::block(program, self.before, id, &self.block)
    }

    fn text(&self) -> String {
        one_line(&self.block)
    }

    fn size(&self) -> Size {
        Size::of(&self.block)
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<FalseBlock> {
        let view = maker.view(place);
        let synth = &mut maker.synth;
        let guard = synth.predicate(&view, false);
        let is_loop = synth.one_in(3);
        let body = synth.dead_body(&place.around, is_loop);
        let block = match (is_loop, synth.rng.random()) {
            (true, true) => Stmt::while_loop(guard, body),
            (true, false) => Stmt::For {
                start: None,
                condition: Some(guard),
                step: None,
                body: body.into(),
            },
            _ => Stmt::if_then(guard, body),
        };
        Some(FalseBlock {
            before: place.site.statement,
            block,
        })
    }

    fn reason(&self) -> Reason<'_> {
        match guard(&self.block) {
            Some(condition) => Reason::Holds {
                condition,
                truth: false,
            },
            None => Reason::ByConstruction,
        }
    }

    fn weight(&self) -> usize {
        weight(Part::Stmt(&self.block))
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<FalseBlock> {
        let Some(view) = prover.view(self.before) else {
            return vec![];
        };
        let types = prover.types();
        let is_proved = |block: &Stmt| {
            let guard = guard(block);
            let is_false = |guard| view.world.truth(types, guard) == Some(false);
            types.check(block).is_ok() && guard.is_some_and(is_false)
        };
        let blocks = tree::statements(&self.block).into_iter();
        let blocks = blocks.filter(is_proved).map(|block| FalseBlock {
            before: self.before,
            block,
        });
        blocks.collect()
    }
}

/// The condition in front of everything else in a block.
fn guard(block: &Stmt) -> Option<&Expr> {
    match block {
        Stmt::If {
            condition,
            no: None,
            ..
        }
        | Stmt::While { condition, .. } => Some(condition),
        Stmt::For {
            start: None,
            condition,
            ..
        } => condition.as_ref(),
        _ => None,
    }
}
