//! A call of one of the seed's own functions is made again.
//!
//! Precondition:
//! - as for `replace_expr`, and the operand is a call of a function that does nothing but
//!   give a value (`source::plain_calls`), on one line;
//! - nothing else in the statement changes anything before the call has its value;
//! - the replacement has the operand's value whenever both calls have the same.
//!
//! Effect: an expression with the call and one or two copies of it stands in its place.

use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::replace_expr::{self, ORIGINAL, as_kind, originals, with_constant};
use super::simpler::{Prover, weight};
use super::{Kind, Maker, Unfit};
use crate::code::ctype::Types;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Part;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::source::edit::Edits;
use crate::source::operand::{self, SeedOperand};
use crate::source::outside::OwnNames;
use crate::source::plain_calls;
use crate::source::program::{Program, Span, StatementId};
use crate::variant::synth::View;
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// Stands for a copy of the call in a replacement.
const AGAIN: &str = "mestra_again";

/// The most copies of one call.
const MOST_COPIES: usize = 2;

/// A call, and its copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallAgain {
    pub at: StatementId,
    /// The text of the call, parentheses around it included.
    pub operand: Span,
    /// A cast to the operand's type; the variable `mestra_original` stands for the call as
    /// the seed has it, and `mestra_again` for a copy.
    pub by: Expr,
}

impl MutationKind for CallAgain {
    const IS_LIVE: bool = true;
    const EFFECT: Effect = Effect::Recomputes;

    fn statement(&self) -> StatementId {
        self.at
    }

    fn reason(&self) -> Reason<'_> {
        Reason::ByConstruction(
            "the function called does nothing but give a value, the same each time",
        )
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        let operand = operand::find(program, self.at, self.operand)?;
        plain_calls::check(program, self.at, operand)?;
        if originals(&self.by) != 1 || !(1..=MOST_COPIES).contains(&copies(&self.by)) {
            return Err(Unfit::NoOperand("it is not called again, or too often"));
        }
        let once = with_constant(&self.by, AGAIN);
        replace_expr::check(own, program, self.at, self.operand, (&once, None))
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        let copy = String::from_utf8_lossy(program.text(self.operand));
        let text = format!("({})", self.by).replace(AGAIN, &format!("({copy})"));
        if let Some((before, after)) = text.split_once(ORIGINAL) {
            edits.wrap(self.operand, format!("{before}("), format!("){after}"));
        }
    }

    fn text(&self) -> String {
        format!("({})", self.by)
    }

    fn size(&self) -> Size {
        Size::default()
    }

    fn is_taken_by(program: &Program, statement: StatementId) -> bool {
        !plain_calls::all(program, statement).is_empty()
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<CallAgain> {
        // What is called at every visit of a point in a loop may take long by itself.
        if !place.takes(Kind::CallAgain) || place.site.is_hot() {
            return None;
        }
        let at = place.site.statement;
        let program = maker.prepared.program;
        let operand = *plain_calls::all(program, at).choose(maker.synth.rng)?;
        let changed = operand::interference(program, maker.prepared.writes(), at, operand);
        let is_steady = |name: &str| operand::is_steady(program, at, &changed, name);
        let mut view = maker.steady_view(place, None, &is_steady);
        maker.expose(&mut view);
        let by = again(maker, &view, operand)?;
        let types = maker.synth.types;
        is_right(types, &view, &by, operand.kind.int()?).then_some(CallAgain {
            at,
            operand: operand.span,
            by,
        })
    }

    fn weight(&self) -> usize {
        weight(Part::Expr(&self.by))
    }

    fn simpler(&self, _prover: &Prover<'_>) -> Vec<CallAgain> {
        let Expr::Cast { to, .. } = &self.by else {
            return vec![];
        };
        let Some(kind) = to.int_kind() else {
            return vec![];
        };
        let both = Expr::binary(
            BinaryOp::BitAnd,
            standing(ORIGINAL, kind),
            standing(AGAIN, kind),
        );
        let by = as_kind(both, kind);
        let is_simpler = weight(Part::Expr(&by)) < self.weight();
        let simplest = CallAgain { by, ..self.clone() };
        is_simpler.then_some(simplest).into_iter().collect()
    }
}

/// A variable that stands for a text of the seed, in the unsigned type of its values.
fn standing(name: &str, kind: IntKind) -> Expr {
    let unsigned = kind.promoted().to_unsigned();
    Expr::var(name, kind).cast(unsigned)
}

/// An expression with the value of a call and of its copies, if these are the same.
fn again(maker: &mut Maker<'_, '_>, view: &View, operand: SeedOperand) -> Option<Expr> {
    let synth = &mut maker.synth;
    let kind = operand.kind.int()?;
    let unsigned = kind.promoted().to_unsigned();
    let (call, copy) = (standing(ORIGINAL, kind), standing(AGAIN, kind));
    let both = |op| Expr::binary(op, call.clone(), copy.clone());
    let difference = |op| Expr::binary(op, copy.clone(), copy.clone());
    let two = Value::new(unsigned, 2, synth.types.target);
    let by = match synth.rng.random_range(0..6) {
        0 => both(BinaryOp::BitAnd),
        1 => both(BinaryOp::BitOr),
        2 => {
            let twice = Expr::binary(BinaryOp::Mul, call, two.into());
            Expr::binary(BinaryOp::Sub, twice, copy)
        }
        3 => {
            let other = synth.some_mixed(view)?.cast(unsigned);
            let scaled = Expr::binary(BinaryOp::Mul, difference(BinaryOp::Sub), other);
            Expr::binary(BinaryOp::Add, call, scaled)
        }
        4 => {
            let other = synth.some_mixed(view)?.cast(unsigned);
            let masked = Expr::binary(BinaryOp::BitAnd, difference(BinaryOp::BitXor), other);
            Expr::binary(BinaryOp::BitXor, call, masked)
        }
        _ => {
            let other = synth.some_mixed(view)?.cast(unsigned);
            let op = *[BinaryOp::Eq, BinaryOp::Le, BinaryOp::Ge].choose(synth.rng)?;
            Expr::conditional(difference(op), call, other)
        }
    };
    Some(as_kind(by, kind))
}

/// Whether the replacement has a value that the call and its copies have in common.
fn is_right(types: &Types, view: &View, by: &Expr, kind: IntKind) -> bool {
    let target = types.target;
    let tried = [0, 1, -1, kind.min(target), kind.max(target), 0x5a5a_1234];
    tried.into_iter().all(|math| {
        let value = Expr::from(Value::new(kind, math, target));
        let mut world = view.world.clone();
        world.add_local(types, ORIGINAL, kind, &value)
            && world.add_local(types, AGAIN, kind, &value)
            && world.is_same(types, by, &value.cast(kind))
    })
}

/// How many copies of the call stand in a replacement.
fn copies(by: &Expr) -> usize {
    let mut found = 0;
    by.for_each_var(&mut |var| found += usize::from(&*var.name == AGAIN));
    found
}
