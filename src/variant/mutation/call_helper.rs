//! A sub-expression of the seed becomes a call of a function of our own.
//!
//! Precondition:
//! - as for `replace_expr`, of which this is a form with a call in it;
//! - the function names nothing but its parameters, its own variables and functions that
//!   come with it, and all these names are the mutation's; it has no effects, and ends in
//!   every recorded visit with the value that was wanted.
//!
//! The function is written for the place, or borrowed from another program.
//!
//! Effect: the function is defined in the prologue, and an expression with a call of it
//! stands in the operand's place, or around it.

use super::helper::{CallRoute, Helper};
use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::replace_expr::{self, ORIGINAL, as_kind, originals};
use super::simpler::{Prover, weight};
use super::{Kind, Maker, Unfit};
use crate::code::ctype::Types;
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::stmt::{Attribute, Part};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::source::edit::Edits;
use crate::source::operand::{self, SeedOperand};
use crate::source::outside::OwnNames;
use crate::source::program::{Program, Span, StatementId};
use crate::variant::synth::{HelperCall, View};
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// How often the dice choose an operand and a function.
const TRIES: u32 = 6;

/// A call in the place of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallHelper {
    pub at: StatementId,
    /// The text that is replaced, parentheses included.
    pub operand: Span,
    pub helper: Helper,
    /// A cast to the operand's type of something with a call; the variable
    /// `mestra_original` stands for the operand as the seed has it.
    pub by: Expr,
}

impl MutationKind for CallHelper {
    const IS_LIVE: bool = true;
    const EFFECT: Effect = Effect::Recomputes;

    fn statement(&self) -> StatementId {
        self.at
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        self.helper.check(own)?;
        let by = (&self.by, Some(&*self.helper.function.name));
        replace_expr::check(own, program, self.at, self.operand, by)
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        edits.define(program, &self.helper.text());
        replace_expr::apply(self.operand, &self.by, edits);
    }

    fn text(&self) -> String {
        format!("({})", self.by)
    }

    fn size(&self) -> Size {
        Size::of(&self.helper.function.body)
    }

    fn is_taken_by(program: &Program, statement: StatementId) -> bool {
        operand::has_any(program, statement)
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<CallHelper> {
        if !place.takes(Kind::CallHelper) {
            return None;
        }
        let at = place.site.statement;
        let operands = operand::all(maker.prepared.program, at);
        (0..TRIES).find_map(|_| {
            let operand = *operands.choose(maker.synth.rng)?;
            let (helper, by) = call(maker, place, operand)?;
            Some(CallHelper {
                at,
                operand: operand.span,
                helper,
                by,
            })
        })
    }

    fn reason(&self) -> Reason<'_> {
        Reason::SameValue {
            operand: self.operand,
            by: &self.by,
            original: ORIGINAL,
            helper: Some(&self.helper),
        }
    }

    fn weight(&self) -> usize {
        let helper = &self.helper;
        let detour = usize::from(helper.route != CallRoute::Direct);
        weight(Part::Expr(&self.by)) + helper.attributes.len() + detour
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<CallHelper> {
        let with = |helper: Helper| CallHelper {
            helper,
            ..self.clone()
        };
        let helper = &self.helper;
        let mut simpler = vec![
            with(Helper {
                route: CallRoute::Direct,
                ..helper.clone()
            }),
            with(Helper {
                attributes: vec![],
                ..helper.clone()
            }),
        ];
        let values = replace_expr::simpler(prover, self.at, &self.by).into_iter();
        simpler.extend(values.map(|by| CallHelper { by, ..self.clone() }));
        simpler
    }
}

/// A function, and an expression with a call of it in the place of an operand.
fn call(
    maker: &mut Maker<'_, '_>,
    place: &LivePlace<'_>,
    operand: SeedOperand,
) -> Option<(Helper, Expr)> {
    let kind = operand.kind.int()?;
    let (view, tree) = replace_expr::surroundings(maker, place, operand)?;
    let is_hot = place.site.is_hot();
    let synth = &mut maker.synth;
    let original = Expr::var(ORIGINAL, kind);
    let constant = tree.and_then(|tree| synth.only_value(&view, &tree));
    let donor = maker.prepared.some_function(synth.rng);
    let HelperCall {
        function,
        callees,
        expr,
    } = match (constant, donor) {
        (_, Some(donor)) if synth.rng.random() => {
            synth.by_borrowed_call(&view, &original, donor, is_hot)?
        }
        (Some(value), _) if synth.rng.random() => synth.worth_by_call(&view, value, is_hot)?,
        _ if !is_hot && synth.one_in(4) => synth.carried_down(&view, &original)?,
        _ => synth.carried(&view, &original, is_hot)?,
    };
    let by = as_kind(expr, kind);
    if originals(&by) > 1 {
        return None;
    }
    let mut helper = Helper {
        function,
        callees,
        attributes: vec![],
        route: CallRoute::Direct,
    };
    let is_recursive = helper.is_recursive();
    if !is_recursive {
        helper.route = *CallRoute::ALL.choose(synth.rng)?;
    }
    helper.attributes = match synth.rng.random_range(0..6) {
        0 | 1 => vec![Attribute::Noinline],
        // gcc refuses to put a function into itself.
        2 if !is_recursive => vec![Attribute::AlwaysInline],
        3 => vec![Attribute::Const],
        _ => vec![],
    };
    let types = synth.types;
    is_right(types, &view, &helper, &by, kind, constant).then_some((helper, by))
}

/// Whether the expression has the operand's value in every visit: the constant that it
/// is known to be, or whatever the seed's own text may be.
fn is_right(
    types: &Types,
    view: &View,
    helper: &Helper,
    by: &Expr,
    kind: IntKind,
    constant: Option<Value>,
) -> bool {
    let functions = helper.by_name();
    let evaluator = Evaluator::new(types).with_functions(&functions);
    let target = types.target;
    if originals(by) == 0 {
        let wanted = constant.map(Expr::from);
        return wanted.is_some_and(|wanted| view.world.may_be(evaluator, by, &wanted));
    }
    let tried = [0, 1, -1, kind.min(target), kind.max(target), 0x5a5a_1234];
    tried.into_iter().all(|math| {
        let value = Expr::from(Value::new(kind, math, target));
        let mut world = view.world.clone();
        world.add_local(types, ORIGINAL, kind, &value) && world.may_be(evaluator, by, &value)
    })
}
