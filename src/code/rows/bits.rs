//! The builtin functions on values, each as one loop over carriers.

use super::super::op::BinaryOp;
use super::super::plan::{CountOp, Cut, Form};
use super::super::trouble::Undefined;
use super::super::value::wrap;
use super::kernel::FirstUndefined;

/// Counts the bits of values of a width.
pub(in super::super) fn count(
    op: CountOp,
    bits: u32,
    mut values: Vec<i64>,
) -> Result<Vec<i64>, FirstUndefined> {
    let of = |value: i64| value as u64 & (u64::MAX >> (64 - bits));
    let needs_one = matches!(op, CountOp::LeadingZeros | CountOp::TrailingZeros);
    let zero = values.iter().position(|value| of(*value) == 0);
    if let (true, Some(row)) = (needs_one, zero) {
        let undefined = Undefined::CountOfZero;
        return Err(FirstUndefined { undefined, row });
    }
    for value in &mut values {
        let word = of(*value);
        *value = i64::from(match op {
            CountOp::LeadingZeros => word.leading_zeros() - (64 - bits),
            CountOp::TrailingZeros => word.trailing_zeros(),
            CountOp::Ones => word.count_ones(),
            CountOp::Parity => word.count_ones() % 2,
            // The sign itself is not counted, and nor are the bits above the width.
            CountOp::SignCopies => {
                let extended = wrap(*value, bits, true);
                let alike = if extended < 0 { !extended } else { extended };
                alike.leading_zeros() - (64 - bits) - 1
            }
            CountOp::FirstOne if word == 0 => 0,
            CountOp::FirstOne => word.trailing_zeros() + 1,
        });
    }
    Ok(values)
}

/// Reverses the bytes of unsigned values of a width.
pub(in super::super) fn swap_bytes(bits: u32, mut values: Vec<i64>) -> Vec<i64> {
    for value in &mut values {
        let swapped = (*value as u64).swap_bytes() >> (64 - bits);
        *value = wrap(swapped as i64, bits, false);
    }
    values
}

/// Absolute values.
pub(in super::super) fn absolute(
    form: Form,
    mut values: Vec<i64>,
) -> Result<Vec<i64>, FirstUndefined> {
    let min = match form {
        Form::I32 => i64::from(i32::MIN),
        _ => i64::MIN,
    };
    if let Some(row) = values.iter().position(|value| *value == min) {
        let undefined = Undefined::SignedOverflow;
        return Err(FirstUndefined { undefined, row });
    }
    values.iter_mut().for_each(|value| *value = value.abs());
    Ok(values)
}

/// What an operator on numbers without limits leaves in a type, and whether
/// that is the true result.
pub(super) fn overflow(
    op: BinaryOp,
    unsigned: [bool; 2],
    cut: Cut,
    left: &[i64],
    right: &[i64],
) -> (Vec<i64>, Vec<i64>) {
    let math = |carrier: i64, unsigned: bool| {
        if unsigned {
            i128::from(carrier as u64)
        } else {
            i128::from(carrier)
        }
    };
    let of_64 = matches!(
        cut,
        Cut::Wrap {
            bits: 64,
            signed: false
        }
    );
    let mut kept = Vec::with_capacity(left.len());
    let mut lost = Vec::with_capacity(left.len());
    for (left, right) in left.iter().zip(right) {
        let (left, right) = (math(*left, unsigned[0]), math(*right, unsigned[1]));
        let (exact, wrapped) = match op {
            BinaryOp::Add => (left.checked_add(right), left.wrapping_add(right)),
            BinaryOp::Sub => (left.checked_sub(right), left.wrapping_sub(right)),
            _ => (left.checked_mul(right), left.wrapping_mul(right)),
        };
        let result = cut.apply(wrapped as i64);
        lost.push(i64::from(exact != Some(math(result, of_64))));
        kept.push(result);
    }
    (kept, lost)
}
