//! One operator over columns of values, for callers that build an expression
//! from the leaves up and keep the values of its parts.
//!
//! The results equal those of [`Evaluator::value`](super::Evaluator::value) on
//! the whole tree.

use super::super::builtin::Builtin;
use super::super::op::{BinaryOp, UnaryOp};
use super::super::plan::{Cut, Form, Unary, Width};
use super::super::rows::{bits, kernel, wide};
use super::super::types::{IntKind, Target};
use super::super::wide::WideKind;

pub(crate) use kernel::FirstUndefined;

/// Values of one integer type, a carrier for each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The type of all the values.
    pub kind: IntKind,
    /// The carriers, in the order of the rows.
    pub values: Vec<i64>,
}

/// The operands must have as many values as each other.
pub fn binary(
    target: Target,
    op: BinaryOp,
    left: &Numbers,
    right: &Numbers,
) -> Result<Numbers, FirstUndefined> {
    assert_eq!(
        left.values.len(),
        right.values.len(),
        "as many values on both sides"
    );
    if op.is_shift() {
        let kind = left.kind.promoted();
        let (form, count) = (Form::of(kind, target), Form::of(right.kind, target));
        let values = kernel::shift(op, form, &left.values, &right.values, count)?;
        return Ok(Numbers { kind, values });
    }
    let kind = left.kind.common(right.kind, target);
    let form = Form::of(kind, target);
    let (left, right) = (brought(target, left, kind), brought(target, right, kind));
    if op.is_comparison() {
        let values = kernel::compare(op, form, &left, &right);
        return Ok(Numbers {
            kind: IntKind::Int,
            values,
        });
    }
    let values = kernel::arith(op, form, &left, &right)?;
    Ok(Numbers { kind, values })
}

/// A unary operator.
pub(crate) fn unary(
    target: Target,
    op: UnaryOp,
    operand: &Numbers,
) -> Result<Numbers, FirstUndefined> {
    let kind = operand.kind.promoted();
    let form = Form::of(kind, target);
    let values = operand.values.clone();
    let (kind, values) = match op {
        UnaryOp::Plus => (kind, values),
        UnaryOp::Minus => (kind, kernel::negate(form, values)?),
        UnaryOp::Complement => (kind, kernel::complement(form, values)),
        UnaryOp::Not => (IntKind::Int, kernel::not(values)),
    };
    Ok(Numbers { kind, values })
}

/// A builtin function of one value.
pub(crate) fn builtin(
    target: Target,
    builtin: Builtin,
    operand: &Numbers,
) -> Option<Result<Numbers, FirstUndefined>> {
    let (param, kind) = builtin.signature()?;
    let values = convert(target, operand, param).values;
    let values = match builtin.unary(param.bits(target)) {
        Some(Unary::Count(op, of)) => bits::count(op, of, values),
        Some(Unary::SwapBytes(of)) => Ok(bits::swap_bytes(of, values)),
        _ => bits::absolute(Form::of(param, target), values),
    };
    Some(values.map(|values| Numbers { kind, values }))
}

/// An operator on two numbers of one type of up to 128 bits, each extended to 128 as its
/// sign says; of a shift, the right one is the count. `None` where it is undefined.
pub(crate) fn wide(op: BinaryOp, kind: WideKind, left: i128, right: i128) -> Option<i128> {
    let width = Width {
        bits: kind.bits(),
        signed: kind.signed(),
    };
    if op.is_shift() {
        let count = i64::try_from(right).ok()?;
        return wide::shifted(op, width, left, count).ok();
    }
    if op.is_comparison() {
        return Some(wide::holds(op, width.signed, left, right).into());
    }
    wide::one(op, width, left, right).ok()
}

/// A conversion to another type, as a cast or an assignment makes it.
pub(crate) fn convert(target: Target, operand: &Numbers, kind: IntKind) -> Numbers {
    Numbers {
        kind,
        values: kernel::cut(Cut::to(kind, target), operand.values.clone()),
    }
}

/// The values in the common type; copied only if the conversion does something.
fn brought(target: Target, numbers: &Numbers, kind: IntKind) -> std::borrow::Cow<'_, [i64]> {
    let from = numbers.kind;
    let fits = from.min(target) >= kind.min(target) && from.max(target) <= kind.max(target);
    if fits || kind.bits(target) == 64 {
        return (&numbers.values[..]).into();
    }
    kernel::cut(Cut::to(kind, target), numbers.values.clone()).into()
}
