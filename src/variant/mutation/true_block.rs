//! A block that runs whenever its point is reached, and leaves no trace.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - all names in the block are visible there; it declares none but its own;
//! - evaluated over every recorded visit, the block is defined, ends, and restores
//!   every variable of the seed that it changes.
//!
//! Effect: the block stands before the statement.

use super::kind::{MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::simpler::{Prover, tree, weight};
use super::{Maker, Unfit, one_line};
use crate::code::stmt::{Part, Stmt};
use crate::source::fit;
use crate::source::outside::OwnNames;
use crate::source::program::{Program, StatementId};
use crate::variant::synth::BlockShape;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// A guard that always holds, changes, and the old values again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrueBlock {
    pub before: StatementId,
    /// How the old values come back, if that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<BlockShape>,
    pub block: Stmt,
}

impl MutationKind for TrueBlock {
    const IS_LIVE: bool = true;

    fn statement(&self) -> StatementId {
        self.before
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        fit::block(program, self.before, own, &self.block)
    }

    fn text(&self) -> String {
        one_line(&self.block)
    }

    fn size(&self) -> Size {
        Size::of(&self.block)
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<TrueBlock> {
        // No random number is drawn where nothing is to be decided.
        let is_checked = maker.checks > 0.0 && maker.synth.rng.random_bool(maker.checks);
        let (block, shape) = maker.synth.live_block(&place.site, is_checked)?;
        Some(TrueBlock {
            before: place.site.statement,
            shape: Some(shape),
            block,
        })
    }

    fn reason(&self) -> Reason<'_> {
        Reason::Restores(&self.block)
    }

    fn weight(&self) -> usize {
        weight(Part::Stmt(&self.block))
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<TrueBlock> {
        let Some(view) = prover.view(self.before) else {
            return vec![];
        };
        let types = prover.types();
        // It is defined, ends, and leaves every variable as it was in every visit.
        let is_proved = |block: &Stmt| {
            view.world.after(types, block).is_ok_and(|after| {
                let mut kept = view.kept();
                kept.all(|expr| after.agrees_with(&view.world, types, expr))
            })
        };
        let blocks = tree::statements(&self.block).into_iter();
        let blocks = blocks.filter(is_proved).map(|block| TrueBlock {
            block,
            ..self.clone()
        });
        blocks.collect()
    }
}
