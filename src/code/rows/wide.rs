//! The operators on integers of up to 128 bits. A column of them is all lower halves, then
//! all upper ones.

use super::super::op::BinaryOp;
use super::super::plan::{WideUnary, Width};
use super::super::real::Precision;
use super::super::trouble::Undefined;
use super::super::wide::{joined, wrap};
use super::kernel::FirstUndefined;

/// The numbers of a column of pairs, by their bits.
fn numbers(values: &[i64]) -> impl Iterator<Item = i128> + '_ {
    let (low, high) = values.split_at(values.len() / 2);
    low.iter().zip(high).map(|(low, high)| joined(*low, *high))
}

/// A column of pairs.
fn pairs(numbers: &[i128]) -> Vec<i64> {
    let low = numbers.iter().map(|number| *number as i64);
    let high = numbers.iter().map(|number| (*number >> 64) as i64);
    low.chain(high).collect()
}

fn each<T>(
    values: &[i64],
    step: impl Fn(i128) -> Result<T, Undefined>,
) -> Result<Vec<T>, FirstUndefined> {
    let results = numbers(values).enumerate().map(|(row, number)| {
        let result = step(number);
        result.map_err(|undefined| FirstUndefined { undefined, row })
    });
    results.collect()
}

/// Arithmetic and bits.
pub(super) fn arith(
    op: BinaryOp,
    width: Width,
    left: &[i64],
    right: &[i64],
) -> Result<Vec<i64>, FirstUndefined> {
    let operands = numbers(left).zip(numbers(right)).enumerate();
    let results = operands.map(|(row, (left, right))| {
        let result = one(op, width, left, right);
        result.map_err(|undefined| FirstUndefined { undefined, row })
    });
    let results: Result<Vec<i128>, FirstUndefined> = results.collect();
    Ok(pairs(&results?))
}

/// `+ - * / % & | ^` of two numbers.
pub(in super::super) fn one(
    op: BinaryOp,
    width: Width,
    left: i128,
    right: i128,
) -> Result<i128, Undefined> {
    let Width { bits, signed } = width;
    if matches!(op, BinaryOp::Div | BinaryOp::Rem) && right == 0 {
        return Err(Undefined::DivisionByZero);
    }
    match op {
        BinaryOp::BitAnd => return Ok(left & right),
        BinaryOp::BitOr => return Ok(left | right),
        BinaryOp::BitXor => return Ok(left ^ right),
        _ => {}
    }
    if !signed {
        let (left, right) = (left as u128, right as u128);
        let result = match op {
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Sub => left.wrapping_sub(right),
            BinaryOp::Mul => left.wrapping_mul(right),
            BinaryOp::Div => left / right,
            BinaryOp::Rem => left % right,
            _ => unreachable!("planned as a shift or a comparison"),
        };
        return Ok(wrap(result as i128, bits, false));
    }
    let result = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        // The remainder is undefined where the quotient is.
        BinaryOp::Rem => left
            .checked_div(right)
            .filter(|quotient| wrap(*quotient, bits, true) == *quotient)
            .and_then(|_| left.checked_rem(right)),
        _ => unreachable!("planned as a shift or a comparison"),
    };
    result
        .filter(|result| wrap(*result, bits, true) == *result)
        .ok_or(Undefined::SignedOverflow)
}

/// `<<` and `>>`; counts are ordinary numbers.
pub(super) fn shift(
    op: BinaryOp,
    width: Width,
    left: &[i64],
    counts: &[i64],
) -> Result<Vec<i64>, FirstUndefined> {
    let operands = numbers(left).zip(counts).enumerate();
    let results = operands.map(|(row, (left, count))| {
        let result = shifted(op, width, left, *count);
        result.map_err(|undefined| FirstUndefined { undefined, row })
    });
    let results: Result<Vec<i128>, FirstUndefined> = results.collect();
    Ok(pairs(&results?))
}

/// A shift of one number.
pub(in super::super) fn shifted(
    op: BinaryOp,
    width: Width,
    left: i128,
    count: i64,
) -> Result<i128, Undefined> {
    let Width { bits, signed } = width;
    if count < 0 {
        return Err(Undefined::ShiftCountNegative);
    }
    if count >= i64::from(bits) {
        return Err(Undefined::ShiftCountTooLarge);
    }
    if op == BinaryOp::Shr {
        return Ok(if signed {
            left >> count
        } else {
            (left as u128 >> count) as i128
        });
    }
    if !signed {
        return Ok(wrap(left << count, bits, false));
    }
    if left < 0 {
        return Err(Undefined::ShiftOfNegative);
    }
    // A one must not come to the sign bit or past it.
    if left >> (i64::from(bits) - 1 - count) != 0 {
        return Err(Undefined::ShiftOverflow);
    }
    Ok(left << count)
}

/// Relational and equality operators: 0 or 1.
pub(super) fn compare(op: BinaryOp, signed: bool, left: &[i64], right: &[i64]) -> Vec<i64> {
    let operands = numbers(left).zip(numbers(right));
    let results = operands.map(|(left, right)| holds(op, signed, left, right).into());
    results.collect()
}

/// Whether a comparison of two numbers holds.
pub(in super::super) fn holds(op: BinaryOp, signed: bool, left: i128, right: i128) -> bool {
    // With the sign bit turned, unsigned numbers are in the order of signed ones.
    let turn = if signed { 0 } else { i128::MIN };
    let (left, right) = (left ^ turn, right ^ turn);
    match op {
        BinaryOp::Lt => left < right,
        BinaryOp::Le => left <= right,
        BinaryOp::Gt => left > right,
        BinaryOp::Ge => left >= right,
        BinaryOp::Eq => left == right,
        BinaryOp::Ne => left != right,
        _ => unreachable!("planned as arithmetic or a shift"),
    }
}

/// Signs, truths and conversions.
pub(super) fn unary(op: WideUnary, values: Vec<i64>) -> Result<Vec<i64>, FirstUndefined> {
    match op {
        WideUnary::Negate(width) => {
            let results = each(&values, |number| {
                if !width.signed {
                    return Ok(wrap(number.wrapping_neg(), width.bits, false));
                }
                let result = number.checked_neg();
                result
                    .filter(|result| wrap(*result, width.bits, true) == *result)
                    .ok_or(Undefined::SignedOverflow)
            });
            results.map(|results| pairs(&results))
        }
        WideUnary::Complement(width) => {
            let results = each(&values, |number| {
                Ok(wrap(!number, width.bits, width.signed))
            });
            results.map(|results| pairs(&results))
        }
        WideUnary::Truth => each(&values, |number| Ok(i64::from(number != 0))),
        WideUnary::OfInt { unsigned, to } => {
            let numbers = values.iter().map(|value| {
                let number = if unsigned {
                    i128::from(*value as u64)
                } else {
                    i128::from(*value)
                };
                wrap(number, to.bits, to.signed)
            });
            let numbers: Vec<i128> = numbers.collect();
            Ok(pairs(&numbers))
        }
        WideUnary::ToInt(cut) => each(&values, |number| Ok(cut.apply(number as i64))),
        WideUnary::Change(to) => {
            let results = each(&values, |number| Ok(wrap(number, to.bits, to.signed)));
            results.map(|results| pairs(&results))
        }
        WideUnary::Count { signed } => each(&values, |number| {
            let negative = signed && number < 0;
            let count = u64::try_from(number as u128).unwrap_or(u64::MAX);
            Ok(if negative {
                -1
            } else {
                i64::try_from(count).unwrap_or(i64::MAX)
            })
        }),
        WideUnary::OfFloat { from, to } => {
            let numbers = values.iter().enumerate().map(|(row, value)| {
                whole(from.number(*value), to).ok_or(FirstUndefined {
                    undefined: Undefined::FloatToInteger,
                    row,
                })
            });
            let numbers: Result<Vec<i128>, FirstUndefined> = numbers.collect();
            Ok(pairs(&numbers?))
        }
        WideUnary::ToFloat { signed, to } => each(&values, |number| {
            let carrier = nearest(number, signed, to);
            if to.number(carrier).is_finite() {
                Ok(carrier)
            } else {
                Err(Undefined::FloatOverflow)
            }
        }),
        WideUnary::Half(half) => {
            let (low, high) = values.split_at(values.len() / 2);
            Ok([low, high][half].to_vec())
        }
    }
}

/// A number without its fraction, if it fits.
fn whole(number: f64, to: Width) -> Option<i128> {
    let number = number.trunc();
    // Powers of two are exact.
    let limit = 2f64.powi((to.bits - u32::from(to.signed)) as i32);
    let least = if to.signed { -limit } else { 0.0 };
    if number < least || number >= limit {
        return None;
    }
    Some(if to.signed {
        number as i128
    } else {
        number as u128 as i128
    })
}

/// The carrier of the number nearest to an integer: each is rounded once.
fn nearest(number: i128, signed: bool, to: Precision) -> i64 {
    match (to, signed) {
        (Precision::Single, true) => i64::from((number as f32).to_bits()),
        (Precision::Single, false) => i64::from((number as u128 as f32).to_bits()),
        (Precision::Double, true) => (number as f64).to_bits() as i64,
        (Precision::Double, false) => (number as u128 as f64).to_bits() as i64,
    }
}
