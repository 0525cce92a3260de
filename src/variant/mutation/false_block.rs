//! Code that never runs, before a statement that does.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - all names in the block are visible there; it declares none but its own;
//! - the guard is false in every recorded visit.
//!
//! Effect: the block, an `if` or loop with the guard and perhaps locals that the guard
//! reads, stands before the statement.

use super::kind::{MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::simpler::{Prover, tree, weight};
use super::{Maker, Unfit, one_line};
use crate::code::ctype::Types;
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::source::fit;
use crate::source::outside::OwnNames;
use crate::source::program::{Program, StatementId};
use crate::variant::synth::World;
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

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        fit::block(program, self.before, own, &self.block)
    }

    fn text(&self) -> String {
        one_line(&self.block)
    }

    fn size(&self) -> Size {
        Size::of(&self.block)
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<FalseBlock> {
        let mut view = maker.view(place);
        maker.expose(&mut view);
        let synth = &mut maker.synth;
        // Where optimisers may know all values, they need not know the guard's.
        let is_clear = view.scalars.iter().all(|known| !known.is_opaque);
        let is_hidden = is_clear || synth.one_in(8);
        let hidden = if is_hidden {
            synth.hidden(&mut view)
        } else {
            None
        };
        let guard = synth.predicate(&view, false);
        if hidden.is_some() {
            // Nothing but the guard reads it.
            view.scalars.pop();
        }
        let is_loop = synth.one_in(3);
        let body = synth.dead_body(place.around(), is_loop);
        let body = synth.with_effect(&view, body);
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
        let block = match hidden {
            Some(mut items) => {
                items.push(block);
                Stmt::Block(items)
            }
            None => block,
        };
        Some(FalseBlock {
            before: place.site.statement,
            block,
        })
    }

    fn reason(&self) -> Reason<'_> {
        match guarded(&self.block) {
            Some((locals, condition)) => Reason::Holds {
                locals,
                condition,
                truth: false,
            },
            None => Reason::AsRecorded("control never enters the block"),
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
            types.check(block).is_ok() && is_false(types, view.world.clone(), block) == Some(true)
        };
        let blocks = tree::statements(&self.block).into_iter();
        let blocks = blocks.filter(is_proved).map(|block| FalseBlock {
            before: self.before,
            block,
        });
        blocks.collect()
    }
}

/// Whether the guard of a block is false in a world.
fn is_false(types: &Types, world: World, block: &Stmt) -> Option<bool> {
    let (locals, condition) = guarded(block)?;
    let world = world.with_locals(types, locals)?;
    Some(world.truth(types, condition) == Some(false))
}

/// The guard of a block, and the locals that stand before it.
fn guarded(block: &Stmt) -> Option<(&[Stmt], &Expr)> {
    match block {
        Stmt::Block(items) => {
            let (last, locals) = items.split_last()?;
            Some((locals, guard(last)?))
        }
        plain => Some((&[], guard(plain)?)),
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
