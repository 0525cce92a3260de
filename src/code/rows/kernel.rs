//! The operators, each as one loop over carriers.
//!
//! A kernel computes every row and only notes whether any was undefined; which
//! one, it looks up afterwards. That keeps the loops short enough for the
//! compiler to turn into vector code.

use super::super::op::BinaryOp;
use super::super::plan::{Cut, Form};
use super::super::trouble::Undefined;

/// What is undefined, and the first row in which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstUndefined {
    /// What C leaves undefined.
    pub undefined: Undefined,
    /// The position among the operator's values.
    pub row: usize,
}

fn first(undefined: Undefined, row: usize) -> FirstUndefined {
    FirstUndefined { undefined, row }
}

/// Runs a checked operator over all pairs.
#[inline(always)]
fn checked(
    left: &[i64],
    right: &[i64],
    kind: Undefined,
    step: impl Fn(i64, i64) -> (i64, bool),
) -> Result<Vec<i64>, FirstUndefined> {
    let mut bad = false;
    let results = left
        .iter()
        .zip(right)
        .map(|(&left, &right)| {
            let (result, wrong) = step(left, right);
            bad |= wrong;
            result
        })
        .collect();
    if !bad {
        return Ok(results);
    }
    let row = left
        .iter()
        .zip(right)
        .position(|(&left, &right)| step(left, right).1);
    Err(first(kind, row.unwrap_or(0)))
}

#[inline(always)]
fn total(left: &[i64], right: &[i64], step: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    left.iter()
        .zip(right)
        .map(|(&left, &right)| step(left, right))
        .collect()
}

/// `+ - * / % & | ^` in the given form.
pub(in super::super) fn arith(
    op: BinaryOp,
    form: Form,
    left: &[i64],
    right: &[i64],
) -> Result<Vec<i64>, FirstUndefined> {
    macro_rules! signed {
        ($ty:ty, $method:ident) => {
            checked(left, right, Undefined::SignedOverflow, |left, right| {
                let (result, wrong) = (left as $ty).$method(right as $ty);
                (result as i64, wrong)
            })
        };
    }
    macro_rules! unsigned {
        ($ty:ty, $method:ident) => {
            Ok(total(left, right, |left, right| {
                (left as $ty).$method(right as $ty) as i64
            }))
        };
    }
    macro_rules! overflowing {
        ($signed:ident, $unsigned:ident) => {
            match form {
                Form::I32 => signed!(i32, $signed),
                Form::I64 => signed!(i64, $signed),
                Form::U32 => unsigned!(u32, $unsigned),
                Form::U64 => unsigned!(u64, $unsigned),
            }
        };
    }
    macro_rules! dividing {
        ($signed:ident, $unsigned:ident) => {{
            if let Some(row) = right.iter().position(|&right| right == 0) {
                // An overflow in an earlier row comes first.
                let overflow = match form {
                    Form::I32 => Some(i64::from(i32::MIN)),
                    Form::I64 => Some(i64::MIN),
                    Form::U32 | Form::U64 => None,
                };
                let before = left.iter().zip(right).take(row);
                let earlier = overflow.and_then(|min| {
                    before
                        .enumerate()
                        .find(|(_, (left, right))| **left == min && **right == -1)
                });
                return Err(match earlier {
                    Some((row, _)) => first(Undefined::SignedOverflow, row),
                    None => first(Undefined::DivisionByZero, row),
                });
            }
            overflowing!($signed, $unsigned)
        }};
    }
    match op {
        BinaryOp::Add => overflowing!(overflowing_add, wrapping_add),
        BinaryOp::Sub => overflowing!(overflowing_sub, wrapping_sub),
        BinaryOp::Mul => overflowing!(overflowing_mul, wrapping_mul),
        BinaryOp::Div => dividing!(overflowing_div, wrapping_div),
        BinaryOp::Rem => dividing!(overflowing_rem, wrapping_rem),
        // Both operands are extended alike, and so is the result.
        BinaryOp::BitAnd => Ok(total(left, right, |left, right| left & right)),
        BinaryOp::BitOr => Ok(total(left, right, |left, right| left | right)),
        BinaryOp::BitXor => Ok(total(left, right, |left, right| left ^ right)),
        BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne => unreachable!("planned as a shift or a comparison"),
    }
}

/// `<<` and `>>`: the left operand in its form, the count in its own.
pub(in super::super) fn shift(
    op: BinaryOp,
    form: Form,
    left: &[i64],
    right: &[i64],
    count: Form,
) -> Result<Vec<i64>, FirstUndefined> {
    // A count that is negative or too large is rare: rule it out first.
    let bits = i64::from(form.bits());
    if let Some(row) = right.iter().position(|&count| !(0..bits).contains(&count)) {
        let base = shift(op, form, &left[..row], &right[..row], count);
        base?;
        let negative = right[row] < 0 && count != Form::U64;
        let kind = if negative {
            Undefined::ShiftCountNegative
        } else {
            Undefined::ShiftCountTooLarge
        };
        return Err(first(kind, row));
    }
    if op == BinaryOp::Shr {
        // Carriers are extended as their form says, so one shift serves all but `U64`.
        return Ok(match form {
            Form::U64 => total(left, right, |left, right| (left as u64 >> right) as i64),
            _ => total(left, right, |left, right| left >> right),
        });
    }
    match form {
        Form::U32 => Ok(total(left, right, |left, right| {
            i64::from((left as u32) << right)
        })),
        Form::U64 => Ok(total(left, right, |left, right| left << right)),
        Form::I32 | Form::I64 => {
            // C11 6.5.7p4: a negative value, or a one into or past the sign bit.
            let top = bits - 1;
            let wrong = |left: i64, right: i64| {
                let left = if form == Form::I32 {
                    i64::from(left as u32)
                } else {
                    left
                };
                (left as u64 >> (top - right)) != 0
            };
            let result = checked(left, right, Undefined::ShiftOverflow, |left, right| {
                (left << right, wrong(left, right))
            });
            result.map_err(|wrong| {
                if left[wrong.row] < 0 {
                    first(Undefined::ShiftOfNegative, wrong.row)
                } else {
                    wrong
                }
            })
        }
    }
}

/// Relational and equality operators: 0 or 1.
pub(in super::super) fn compare(op: BinaryOp, form: Form, left: &[i64], right: &[i64]) -> Vec<i64> {
    macro_rules! by {
        ($operator:tt) => {
            match form {
                Form::U64 => total(left, right, |left, right| {
                    i64::from((left as u64) $operator (right as u64))
                }),
                _ => total(left, right, |left, right| i64::from(left $operator right)),
            }
        };
    }
    match op {
        BinaryOp::Lt => by!(<),
        BinaryOp::Le => by!(<=),
        BinaryOp::Gt => by!(>),
        BinaryOp::Ge => by!(>=),
        BinaryOp::Eq => by!(==),
        BinaryOp::Ne => by!(!=),
        _ => unreachable!("planned as arithmetic or a shift"),
    }
}

/// Unary minus.
pub(in super::super) fn negate(
    form: Form,
    mut values: Vec<i64>,
) -> Result<Vec<i64>, FirstUndefined> {
    let min = match form {
        Form::I32 => Some(i64::from(i32::MIN)),
        Form::I64 => Some(i64::MIN),
        Form::U32 | Form::U64 => None,
    };
    if let Some(row) = min.and_then(|min| values.iter().position(|&value| value == min)) {
        return Err(first(Undefined::SignedOverflow, row));
    }
    match form {
        Form::U32 => values
            .iter_mut()
            .for_each(|v| *v = i64::from((*v as u32).wrapping_neg())),
        _ => values
            .iter_mut()
            .for_each(|value| *value = value.wrapping_neg()),
    }
    Ok(values)
}

/// `~`.
pub(in super::super) fn complement(form: Form, mut values: Vec<i64>) -> Vec<i64> {
    match form {
        Form::U32 => values
            .iter_mut()
            .for_each(|value| *value = i64::from(!(*value as u32))),
        _ => values.iter_mut().for_each(|value| *value = !*value),
    }
    values
}

/// `!`.
pub(in super::super) fn not(mut values: Vec<i64>) -> Vec<i64> {
    values
        .iter_mut()
        .for_each(|value| *value = i64::from(*value == 0));
    values
}

/// A conversion.
pub(in super::super) fn cut(cut: Cut, mut values: Vec<i64>) -> Vec<i64> {
    match cut {
        Cut::Truth => values
            .iter_mut()
            .for_each(|value| *value = i64::from(*value != 0)),
        // The widths of types have loops of their own, without variable shifts.
        Cut::Wrap {
            bits: 32,
            signed: true,
        } => {
            values
                .iter_mut()
                .for_each(|value| *value = i64::from(*value as i32));
        }
        Cut::Wrap {
            bits: 32,
            signed: false,
        } => {
            values
                .iter_mut()
                .for_each(|value| *value = i64::from(*value as u32));
        }
        Cut::Wrap { .. } => values
            .iter_mut()
            .for_each(|value| *value = cut.apply(*value)),
    }
    values
}
