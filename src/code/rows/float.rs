//! The operators on floating-point numbers, each as one loop over carriers.

use super::super::op::BinaryOp;
use super::super::plan::FloatUnary;
use super::super::real::Precision;
use super::super::trouble::Undefined;
use super::kernel::FirstUndefined;

/// `+ - * /` and comparisons.
pub(super) fn binary(
    op: BinaryOp,
    precision: Precision,
    left: &[i64],
    right: &[i64],
) -> Result<Vec<i64>, FirstUndefined> {
    match precision {
        Precision::Single => pairs(op, left, right, single, |number: f32| {
            i64::from(number.to_bits())
        }),
        Precision::Double => pairs(op, left, right, double, |number: f64| {
            number.to_bits() as i64
        }),
    }
}

fn single(carrier: i64) -> f32 {
    f32::from_bits(carrier as u32)
}

fn double(carrier: i64) -> f64 {
    f64::from_bits(carrier as u64)
}

/// A number as the processor computes with it.
trait Number:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
{
    fn is_finite(self) -> bool;
}

impl Number for f32 {
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
}

impl Number for f64 {
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

fn pairs<N: Number>(
    op: BinaryOp,
    left: &[i64],
    right: &[i64],
    number: impl Fn(i64) -> N,
    carrier: impl Fn(N) -> i64,
) -> Result<Vec<i64>, FirstUndefined> {
    let pairs = left.iter().zip(right);
    let pairs = pairs.map(|(left, right)| (number(*left), number(*right)));
    let truth = |holds: fn(&N, &N) -> bool| {
        let results = pairs
            .clone()
            .map(|(left, right)| i64::from(holds(&left, &right)));
        Ok(results.collect())
    };
    let compute = |step: fn(N, N) -> N| {
        let results = pairs.clone().enumerate().map(|(row, (left, right))| {
            let result = step(left, right);
            if result.is_finite() {
                return Ok(carrier(result));
            }
            // What is not a number comes from 0 / 0: all operands are finite.
            let divided = op == BinaryOp::Div && right == number(0);
            let undefined = if divided {
                Undefined::DivisionByZero
            } else {
                Undefined::FloatOverflow
            };
            Err(FirstUndefined { undefined, row })
        });
        results.collect()
    };
    match op {
        BinaryOp::Add => compute(|left, right| left + right),
        BinaryOp::Sub => compute(|left, right| left - right),
        BinaryOp::Mul => compute(|left, right| left * right),
        BinaryOp::Div => compute(|left, right| left / right),
        BinaryOp::Lt => truth(N::lt),
        BinaryOp::Le => truth(N::le),
        BinaryOp::Gt => truth(N::gt),
        BinaryOp::Ge => truth(N::ge),
        BinaryOp::Eq => truth(N::eq),
        BinaryOp::Ne => truth(N::ne),
        _ => unreachable!("refused when planned"),
    }
}

/// Signs, truths and conversions.
pub(super) fn unary(op: FloatUnary, mut values: Vec<i64>) -> Result<Vec<i64>, FirstUndefined> {
    match op {
        FloatUnary::Negate(precision) => {
            let sign = match precision {
                Precision::Single => 1 << 31,
                Precision::Double => i64::MIN,
            };
            values.iter_mut().for_each(|value| *value ^= sign);
        }
        FloatUnary::Truth(from) => values
            .iter_mut()
            .for_each(|value| *value = i64::from(from.number(*value) != 0.0)),
        FloatUnary::OfInt { unsigned, to } => values
            .iter_mut()
            .for_each(|value| *value = to.of_int(*value, unsigned)),
        FloatUnary::ToInt { from, bits, signed } => {
            let bits = bits - u32::from(signed);
            let (min, max) = (
                if signed { -1_i128 << bits } else { 0 },
                (1_i128 << bits) - 1,
            );
            for (row, value) in values.iter_mut().enumerate() {
                // Far beyond all integer types, the cast gives the largest `i128`.
                let whole = from.number(*value).trunc() as i128;
                if whole < min || whole > max {
                    let undefined = Undefined::FloatToInteger;
                    return Err(FirstUndefined { undefined, row });
                }
                *value = whole as i64;
            }
        }
        FloatUnary::Change { from, to } => {
            for (row, value) in values.iter_mut().enumerate() {
                *value = to.carrier(from.number(*value));
                if !to.number(*value).is_finite() {
                    let undefined = Undefined::FloatOverflow;
                    return Err(FirstUndefined { undefined, row });
                }
            }
        }
    }
    Ok(values)
}
