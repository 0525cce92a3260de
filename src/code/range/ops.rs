//! The arithmetic operators over ranges.
//!
//! Each gives a range that holds every possible result, or the first undefined
//! behaviour that some operands could have.

use super::super::op::BinaryOp;
use super::super::plan::Form;
use super::super::trouble::Undefined;
use super::wrap::{landed, limits};
use super::{Range, bitwise};

type Result = std::result::Result<Range, Undefined>;

/// The known bits of a sum with a carry coming in (0 or 1).
fn sum_bits(left: (u64, u64), right: (u64, u64), carry: u64) -> (u64, u64) {
    let (left_zeros, left_ones) = left;
    let (right_zeros, right_ones) = right;
    // The largest and the smallest sum the known bits allow; where both agree
    // on the carry into a known pair of bits, the bit of the sum is known.
    let most = (!left_zeros).wrapping_add(!right_zeros).wrapping_add(carry);
    let least = left_ones.wrapping_add(right_ones).wrapping_add(carry);
    let carry_zero = !(most ^ left_zeros ^ right_zeros);
    let carry_one = least ^ left_ones ^ right_ones;
    let known = (left_zeros | left_ones) & (right_zeros | right_ones) & (carry_zero | carry_one);
    (!most & known, least & known)
}

pub(super) fn arith(op: BinaryOp, form: Form, left: Range, right: Range) -> Result {
    match op {
        BinaryOp::Add => {
            let (zeros, ones) = sum_bits((left.zeros, left.ones), (right.zeros, right.ones), 0);
            let bounds = (left.lo + right.lo, left.hi + right.hi);
            landed(form, Some(bounds), zeros, ones)
        }
        BinaryOp::Sub => {
            let (zeros, ones) = sum_bits((left.zeros, left.ones), (right.ones, right.zeros), 1);
            let bounds = (left.lo - right.hi, left.hi - right.lo);
            landed(form, Some(bounds), zeros, ones)
        }
        BinaryOp::Mul => {
            // Trailing zeros add up.
            let trailing = left.zeros.trailing_ones() + right.zeros.trailing_ones();
            let zeros = 1_u64.checked_shl(trailing).map_or(u64::MAX, |bit| bit - 1);
            landed(form, corners(left, right, i128::checked_mul), zeros, 0)
        }
        BinaryOp::Div => {
            let divisors = divisors(form, left, right)?;
            let quotients = [left.lo, left.hi]
                .into_iter()
                .flat_map(|dividend| divisors.iter().map(move |divisor| dividend / divisor));
            let (lo, hi) = bounds(quotients);
            Ok(Range::between(lo, hi))
        }
        BinaryOp::Rem => remainder(form, left, right),
        BinaryOp::BitAnd => Ok(bitwise::and(form, left, right)),
        BinaryOp::BitOr => Ok(bitwise::or(form, left, right)),
        BinaryOp::BitXor => Ok(bitwise::xor(form, left, right)),
        _ => unreachable!("planned as a shift or a comparison"),
    }
}

fn remainder(form: Form, left: Range, right: Range) -> Result {
    let divisors = divisors(form, left, right)?;
    if let (Some(dividend), Some(divisor)) = (left.only(), right.only()) {
        return Ok(Range::one(dividend % divisor));
    }
    let sizes = || divisors.iter().map(|divisor| divisor.abs());
    let most = sizes().max().unwrap_or(1) - 1;
    let least = sizes().min().unwrap_or(1);
    if right.lo > 0 && -least < left.lo && left.hi < least {
        return Ok(left);
    }
    // The sign is the dividend's, and it never grows.
    let (lo, hi) = (left.lo.clamp(-most, 0), left.hi.clamp(0, most));
    Ok(Range::between(lo, hi))
}

fn bounds(values: impl Iterator<Item = i128>) -> (i128, i128) {
    values.fold((i128::MAX, i128::MIN), |(lo, hi), value| {
        (lo.min(value), hi.max(value))
    })
}

/// The bounds of an operator that is monotonic in each operand; `None` if they
/// are too large to compute.
fn corners(
    left: Range,
    right: Range,
    op: impl Fn(i128, i128) -> Option<i128>,
) -> Option<(i128, i128)> {
    let mut results = Vec::with_capacity(4);
    for one in [left.lo, left.hi] {
        for two in [right.lo, right.hi] {
            results.push(op(one, two)?);
        }
    }
    Some(bounds(results.into_iter()))
}

/// The divisors at which quotients are extreme, once division is defined.
fn divisors(form: Form, left: Range, right: Range) -> std::result::Result<Vec<i128>, Undefined> {
    if right.contains(0) {
        return Err(Undefined::DivisionByZero);
    }
    if form.is_signed() && left.contains(limits(form).0) && right.contains(-1) {
        return Err(Undefined::SignedOverflow);
    }
    let mut divisors = vec![right.lo, right.hi];
    if right.lo < 0 && right.hi > 0 {
        divisors.extend([-1, 1]);
    }
    // A bound may be 0 although the bits say that no value is.
    divisors.retain(|divisor| *divisor != 0);
    if right.lo == 0 {
        divisors.push(1);
    }
    if right.hi == 0 {
        divisors.push(-1);
    }
    Ok(divisors)
}

pub(super) fn shift(op: BinaryOp, form: Form, left: Range, count: Range) -> Result {
    if count.lo < 0 {
        return Err(Undefined::ShiftCountNegative);
    }
    if count.hi >= i128::from(form.bits()) {
        return Err(Undefined::ShiftCountTooLarge);
    }
    let (least, most) = (count.lo as u32, count.hi as u32);
    if op == BinaryOp::Shr {
        let (lo, hi) = bounds(
            [left.lo, left.hi]
                .into_iter()
                .flat_map(|bound| [bound >> least, bound >> most]),
        );
        let range = Range::between(lo, hi);
        if least != most {
            return Ok(range);
        }
        // Carriers are extended as their form says; a 64-bit unsigned one is not.
        let (zeros, ones) = if form == Form::U64 {
            (!(!left.zeros >> least), left.ones >> least)
        } else {
            (
                ((left.zeros as i64) >> least) as u64,
                ((left.ones as i64) >> least) as u64,
            )
        };
        return Ok(Range {
            zeros,
            ones,
            ..range
        }
        .tightened());
    }
    if form.is_signed() {
        if left.lo < 0 {
            return Err(Undefined::ShiftOfNegative);
        }
        if left.hi << most > limits(form).1 {
            return Err(Undefined::ShiftOverflow);
        }
    }
    let (zeros, ones) = if least == most {
        (!(!left.zeros << least), left.ones << least)
    } else {
        ((1 << least) - 1, 0)
    };
    landed(form, Some((left.lo << least, left.hi << most)), zeros, ones)
}

pub(super) fn compare(op: BinaryOp, left: Range, right: Range) -> Option<bool> {
    let apart = left.hi < right.lo
        || right.hi < left.lo
        || left.zeros & right.ones != 0
        || left.ones & right.zeros != 0;
    let equal = left.only().is_some() && left.only() == right.only();
    match op {
        BinaryOp::Eq if apart => Some(false),
        BinaryOp::Eq if equal => Some(true),
        BinaryOp::Ne if apart => Some(true),
        BinaryOp::Ne if equal => Some(false),
        BinaryOp::Lt => ordered(left, right),
        BinaryOp::Gt => ordered(right, left),
        BinaryOp::Ge => ordered(left, right).map(|less| !less),
        BinaryOp::Le => ordered(right, left).map(|less| !less),
        _ => None,
    }
}

/// Whether one is less than the other.
fn ordered(left: Range, right: Range) -> Option<bool> {
    if left.hi < right.lo {
        Some(true)
    } else if left.lo >= right.hi {
        Some(false)
    } else {
        None
    }
}

pub(super) fn negate(form: Form, value: Range) -> Result {
    arith(BinaryOp::Sub, form, Range::one(0), value)
}

#[cfg(test)]
mod tests {
    use super::super::super::plan::Cut;
    use super::super::wrap::cut;
    use super::*;

    /// Every operator on every pair of small ranges holds every result.
    #[test]
    fn results_of_all_members_are_contained() {
        let mut ranges = Vec::new();
        for lo in [-9_i128, -4, -1, 0, 1, 2, 5] {
            for len in [0, 1, 3, 6] {
                ranges.push(Range::between(lo, lo + len));
            }
        }
        ranges.extend([
            Range::observed(-9, 9, 1, 0).unwrap(),
            Range::observed(-9, 9, 0, 1).unwrap(),
            Range::observed(0, 30, 8, 2).unwrap(),
        ]);
        let edge = i128::from(i32::MAX);
        ranges.extend([
            Range::between(edge - 2, edge),
            Range::between(-edge - 1, 3 - edge),
        ]);
        let members = |range: Range| (range.lo..=range.hi).filter(move |v| range.contains(*v));
        let ops = BinaryOp::ALL.into_iter().filter(|op| !op.is_comparison());
        let mut checked = 0;
        for op in ops {
            for left in &ranges {
                for right in &ranges {
                    let result = if op.is_shift() {
                        shift(op, Form::I32, *left, *right)
                    } else {
                        arith(op, Form::I32, *left, *right)
                    };
                    let Ok(result) = result else { continue };
                    for one in members(*left) {
                        for two in members(*right) {
                            let exact = exactly(op, one, two);
                            assert!(result.contains(exact), "{one} {op:?} {two} = {exact}");
                            checked += 1;
                        }
                    }
                }
            }
        }
        assert!(checked > 50_000, "only {checked}");
    }

    #[test]
    fn known_bits_flow_through_operators() {
        let even = Range::observed(-100, 100, 1, 0).unwrap();
        let odd = arith(BinaryOp::Sub, Form::I32, even, Range::one(1)).unwrap();
        assert_eq!(odd.ones() & 1, 1);
        let again = arith(BinaryOp::Add, Form::I32, odd, Range::one(1)).unwrap();
        assert_eq!(again.zeros() & 1, 1);
        let fours = arith(BinaryOp::Mul, Form::I32, even, even).unwrap();
        assert_eq!(fours.zeros() & 3, 3);
        // An odd divisor is not zero, whatever its bounds.
        assert!(arith(BinaryOp::Div, Form::I32, even, odd).is_ok());
        assert!(arith(BinaryOp::Div, Form::I32, odd, even).is_err());
        assert_eq!(compare(BinaryOp::Eq, even, odd), Some(false));
        let high = shift(
            BinaryOp::Shl,
            Form::U32,
            Range::between(0, 255),
            Range::one(28),
        )
        .unwrap();
        assert_eq!(high.zeros() & 0xfff_ffff, 0xfff_ffff);
        let byte = cut(
            Cut::Wrap {
                bits: 8,
                signed: true,
            },
            Range::between(300, 310),
        );
        assert_eq!((byte.lo(), byte.hi()), (44, 54));
    }

    fn exactly(op: BinaryOp, one: i128, two: i128) -> i128 {
        match op {
            BinaryOp::Add => one + two,
            BinaryOp::Sub => one - two,
            BinaryOp::Mul => one * two,
            BinaryOp::Div => one / two,
            BinaryOp::Rem => one % two,
            BinaryOp::Shl => one << two,
            BinaryOp::Shr => one >> two,
            BinaryOp::BitAnd => one & two,
            BinaryOp::BitOr => one | two,
            BinaryOp::BitXor => one ^ two,
            _ => unreachable!(),
        }
    }
}
