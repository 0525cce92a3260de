//! A sub-expression of the seed becomes another of the same value.
//!
//! Precondition:
//! - the text names an operand of the statement (`source::operand` lists what that takes):
//!   the value of a number that is computed at most once, right behind the point;
//! - the replacement has the type of the operand; all names in it are visible and mean
//!   the same in the statement as before it;
//! - the seed's own text stands in the replacement at most once; if nowhere, it is on one
//!   line;
//! - in every recorded visit the replacement is defined and has the operand's value;
//! - nothing in the statement may change what it reads, before it is read or meanwhile.
//!
//! Effect: the replacement stands in the operand's place, or around it.

use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::simpler::{Prover, tree, weight};
use super::{Kind, Maker, Unfit};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::stmt::Part;
use crate::code::value::Value;
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::operand::{self, OperandKind, SeedOperand};
use crate::source::outside::OwnNames;
use crate::source::program::{Program, Span, StatementId};
use crate::variant::synth::View;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// Stands for the seed's own text in a replacement.
pub(super) const ORIGINAL: &str = "mestra_original";

/// How often the dice choose an operand and a replacement.
const TRIES: u32 = 6;

/// An expression in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaceExpr {
    pub at: StatementId,
    /// The text that is replaced, parentheses included.
    pub operand: Span,
    /// A cast to the operand's type; the variable `mestra_original` stands for the
    /// operand as the seed has it.
    pub by: Expr,
}

impl MutationKind for ReplaceExpr {
    const IS_LIVE: bool = true;
    const EFFECT: Effect = Effect::Recomputes;

    fn statement(&self) -> StatementId {
        self.at
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        check(own, program, self.at, self.operand, (&self.by, None))
    }

    fn apply(&self, _program: &Program, edits: &mut Edits) {
        apply(self.operand, &self.by, edits);
    }

    fn text(&self) -> String {
        format!("({})", self.by)
    }

    fn size(&self) -> Size {
        Size::default()
    }

    fn is_taken_by(program: &Program, statement: StatementId) -> bool {
        operand::has_any(program, statement)
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<ReplaceExpr> {
        if !place.takes(Kind::ReplaceExpr) {
            return None;
        }
        let at = place.site.statement;
        let operands = operand::all(maker.prepared.program, at);
        (0..TRIES).find_map(|_| {
            let operand = *operands.choose(maker.synth.rng)?;
            Some(ReplaceExpr {
                at,
                operand: operand.span,
                by: replacement(maker, place, operand)?,
            })
        })
    }

    fn reason(&self) -> Reason<'_> {
        Reason::SameValue {
            operand: self.operand,
            by: &self.by,
            original: ORIGINAL,
            helper: None,
        }
    }

    fn weight(&self) -> usize {
        weight(Part::Expr(&self.by))
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<ReplaceExpr> {
        let simpler = simpler(prover, self.at, &self.by).into_iter();
        simpler
            .map(|by| ReplaceExpr { by, ..self.clone() })
            .collect()
    }
}

/// Whether a replacement fits; it may call the function of this name.
pub(super) fn check(
    own: OwnNames<'_>,
    program: &Program,
    at: StatementId,
    text: Span,
    (by, function): (&Expr, Option<&str>),
) -> Result<(), Unfit> {
    let operand = operand::find(program, at, text)?;
    let no = |why| Err(Unfit::NoOperand(why));
    if !matches!(by, Expr::Cast { to, .. } if *to == Type::from(operand.kind)) {
        return no("the replacement has another type");
    }
    if has_effects(by, function) {
        return no("the replacement has effects");
    }
    match originals(by) {
        0 if program.text(operand.span).contains(&b'\n') => return Err(Unfit::SeveralLines),
        0 | 1 => {}
        _ => return no("it would be computed twice"),
    }
    let mut shadowed = None;
    by.for_each_var(&mut |var| {
        if !operand::keeps_meaning(program, at, &var.name) {
            shadowed = Some(var.name.to_string());
        }
    });
    if let Some(name) = shadowed {
        return Err(Unfit::NotVisible(name));
    }
    let own_code = with_constant(by, ORIGINAL);
    fit::names(program, at, own, Part::Expr(&own_code))
}

/// Puts a replacement in the place of a text, or around it. Of two in the same place the
/// first is made: both have its value.
pub(super) fn apply(operand: Span, by: &Expr, edits: &mut Edits) {
    let text = format!("({by})");
    match text.split_once(ORIGINAL) {
        Some((before, after)) => {
            edits.wrap(operand, format!("{before}("), format!("){after}"));
        }
        None => edits.replace_unless_replaced(operand, text),
    }
}

/// Replacements that are one step simpler and have the same value in every visit.
pub(super) fn simpler(prover: &Prover<'_>, at: StatementId, by: &Expr) -> Vec<Expr> {
    let (Some(view), Expr::Cast { to, value }) = (prover.view(at), by) else {
        return vec![];
    };
    let values = simpler_values(prover, &view, value).into_iter();
    values.map(|value| value.cast(to.clone())).collect()
}

/// What a replacement of an operand may read, and the operand as a tree if its value is
/// known in every visit and its text can go. `None` if nothing may be computed with it.
pub(super) fn surroundings(
    maker: &mut Maker<'_, '_>,
    place: &LivePlace<'_>,
    operand: SeedOperand,
) -> Option<(View, Option<Expr>)> {
    let at = place.site.statement;
    let prepared = maker.prepared;
    let program = prepared.program;
    let changed = operand::interference(program, prepared.writes(), at, operand);
    let is_steady = |name: &str| operand::is_steady(program, at, &changed, name);
    let tree = prepared.vocabulary.tree_of(program, operand.id);
    let tree = tree.filter(|tree| !tree.has_effects() && are_all(tree, &is_steady));
    let mut view = maker.steady_view(place, tree.as_ref(), &is_steady);
    maker.expose(&mut view);
    let is_on_one_line = !program.text(operand.span).contains(&b'\n');
    let types = maker.synth.types;
    let tree = tree.filter(|tree| view.world.is_defined(types, tree));
    let is_usable = tree.is_some() || !operand::may_be_unwritten(program, operand);
    is_usable.then(|| (view, tree.filter(|_| is_on_one_line)))
}

/// Another expression for an operand, if the dice find one.
fn replacement(
    maker: &mut Maker<'_, '_>,
    place: &LivePlace<'_>,
    operand: SeedOperand,
) -> Option<Expr> {
    let (view, tree) = surroundings(maker, place, operand)?;
    let has_settled_floats = maker.prepared.vocabulary.has_settled_floats;
    let synth = &mut maker.synth;
    let original = Expr::var(ORIGINAL, operand.kind);
    let by = match (operand.kind, tree) {
        (OperandKind::Float(_), _) if !has_settled_floats => return None,
        (OperandKind::Float(kind), Some(tree)) if !synth.one_in(4) => {
            synth.equal_float(&view, &tree, kind)?
        }
        (OperandKind::Float(kind), _) => synth.equal_float(&view, &original, kind)?,
        (OperandKind::Int(_), Some(tree)) if !synth.one_in(4) => synth.equal(&view, &tree)?,
        (OperandKind::Int(_), _) => {
            let fixed = synth.fixed(&view)?;
            synth.entangled_with(&view, &original, fixed)?
        }
    };
    let by = as_kind(by, operand.kind);
    (originals(&by) <= 1).then_some(by)
}

/// The expression as a cast to a type.
pub(super) fn as_kind(expr: Expr, kind: impl Into<Type>) -> Expr {
    let kind = kind.into();
    match &expr {
        Expr::Cast { to, .. } if *to == kind => expr,
        _ => expr.cast(kind),
    }
}

/// How often the seed's own text stands in a replacement.
pub(super) fn originals(by: &Expr) -> usize {
    let mut found = 0;
    by.for_each_var(&mut |var| found += usize::from(&*var.name == ORIGINAL));
    found
}

/// Whether evaluating an expression may change anything; calls of one function do not.
fn has_effects(expr: &Expr, harmless: Option<&str>) -> bool {
    match expr {
        Expr::Call { callee, args } if Some(&*callee.name) == harmless => {
            args.iter().any(|arg| has_effects(arg, harmless))
        }
        Expr::Assign { .. } | Expr::Compound { .. } | Expr::Step { .. } | Expr::Call { .. } => true,
        _ => {
            let mut children = expr.children().into_iter();
            children.any(|child| has_effects(child, harmless))
        }
    }
}

/// A replacement with a constant in the place of a variable that stands for the seed's own
/// text.
pub(super) fn with_constant(by: &Expr, stands_for: &str) -> Expr {
    match by {
        Expr::Var(var) if *var.name == *stands_for => Expr::int(0),
        _ => {
            let children = by.children().into_iter().enumerate();
            children.fold(by.clone(), |by, (at, child)| {
                tree::with_child(&by, at, with_constant(child, stands_for))
            })
        }
    }
}

fn are_all(tree: &Expr, is_steady: &impl Fn(&str) -> bool) -> bool {
    let mut all = true;
    tree.for_each_var(&mut |var| all &= is_steady(&var.name));
    all
}

/// The expression with one part simpler that has the same type and values in every
/// visit; what the seed's own text is part of stays around it.
pub(super) fn simpler_values(prover: &Prover<'_>, view: &View, expr: &Expr) -> Vec<Expr> {
    let types = prover.types();
    if originals(expr) == 0 {
        let is_same = |new: &Expr| {
            types.type_of(new).ok() == types.type_of(expr).ok()
                && view.world.is_same(types, new, expr)
        };
        let spread = view.world.spread(types, expr).ok();
        let only = spread.filter(|spread| spread.is_exact && spread.values.len() == 1);
        let constant = only.map(|spread| Value::new(spread.kind, spread.min(), types.target));
        let simpler = constant.into_iter().map(Expr::from);
        let simpler = simpler.chain(tree::expressions(expr));
        return simpler.filter(is_same).collect();
    }
    let children = expr.children().into_iter().enumerate();
    let simpler = children.flat_map(|(at, child)| {
        let values = simpler_values(prover, view, child).into_iter();
        values.map(move |new| tree::with_child(expr, at, new))
    });
    simpler.collect()
}
