//! The operators over ranges.
//!
//! Each gives a range that holds every possible result, or the first undefined
//! behaviour that some operands could have.

use super::super::op::BinaryOp;
use super::super::plan::{Cut, Form};
use super::super::trouble::Undefined;
use super::Range;

type Result = std::result::Result<Range, Undefined>;

fn limits(form: Form) -> (i128, i128) {
    match form {
        Form::I32 => (i32::MIN.into(), i32::MAX.into()),
        Form::U32 => (0, u32::MAX.into()),
        Form::I64 => (i64::MIN.into(), i64::MAX.into()),
        Form::U64 => (0, u64::MAX.into()),
    }
}

/// A result known by its bounds before wrapping (`None`: beyond counting) and
/// by its bits.
fn landed(form: Form, bounds: Option<(i128, i128)>, zeros: u64, ones: u64) -> Result {
    let (min, max) = limits(form);
    match bounds {
        Some((lo, hi)) if min <= lo && hi <= max => Ok(Range {
            lo,
            hi,
            zeros,
            ones,
        }
        .tightened()),
        _ if form.is_signed() => Err(Undefined::SignedOverflow),
        Some((lo, hi)) => Ok(wrapped(lo, hi, zeros, ones, form.bits(), false)),
        None => Ok(wrapped(
            i128::MIN,
            i128::MAX,
            zeros,
            ones,
            form.bits(),
            false,
        )),
    }
}

/// Values between bounds, reduced modulo two to the width.
fn wrapped(lo: i128, hi: i128, zeros: u64, ones: u64, bits: u32, signed: bool) -> Range {
    let (min, max) = match signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    // Which turn of the wheel a bound lies in, as seen from the type's range.
    let size = 1_i128 << bits;
    let turn = |bound: i128| bound.checked_sub(min).map(|above| above.div_euclid(size));
    let (lo, hi) = match (turn(lo), turn(hi)) {
        (Some(one), Some(two)) if one == two => (lo - one * size, hi - two * size),
        _ => (min, max),
    };
    // Only the bits within the width survive; those above follow from the bounds.
    let mask = if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    let (mut zeros, mut ones) = (zeros & mask, ones & mask);
    if signed && bits < 64 {
        let sign = 1 << (bits - 1);
        if zeros & sign != 0 {
            zeros |= !mask;
        } else if ones & sign != 0 {
            ones |= !mask;
        }
    } else if !signed {
        zeros |= !mask;
    }
    let range = Range {
        lo,
        hi,
        zeros,
        ones,
    };
    if signed && zeros & (1 << (bits - 1)) != 0 {
        return range.within(0, max);
    }
    if signed && ones & (1 << (bits - 1)) != 0 {
        return range.within(min, -1);
    }
    range.tightened()
}

pub(super) fn cut(cut: Cut, value: Range) -> Range {
    match cut {
        Cut::Truth => truth(value.truth()),
        Cut::Wrap { bits, signed } => {
            let (min, max) = match signed {
                true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
                false => (0, (1_i128 << bits) - 1),
            };
            if min <= value.lo && value.hi <= max {
                return value;
            }
            wrapped(value.lo, value.hi, value.zeros, value.ones, bits, signed)
        }
    }
}

/// 0 or 1, as far as known.
pub(super) fn truth(known: Option<bool>) -> Range {
    match known {
        Some(known) => Range::one(known.into()),
        None => Range::between(0, 1),
    }
}

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
            landed(
                form,
                Some((left.lo + right.lo, left.hi + right.hi)),
                zeros,
                ones,
            )
        }
        BinaryOp::Sub => {
            let (zeros, ones) = sum_bits((left.zeros, left.ones), (right.ones, right.zeros), 1);
            landed(
                form,
                Some((left.lo - right.hi, left.hi - right.lo)),
                zeros,
                ones,
            )
        }
        BinaryOp::Mul => {
            // Trailing zeros add up.
            let trailing = left.zeros.trailing_ones() + right.zeros.trailing_ones();
            let zeros = 1_u64.checked_shl(trailing).map_or(u64::MAX, |bit| bit - 1);
            landed(form, corners(left, right, i128::checked_mul), zeros, 0)
        }
        BinaryOp::Div => {
            let divisors = divisors(form, left, right)?;
            let quotients = left_bounds(left)
                .into_iter()
                .flat_map(|dividend| divisors.iter().map(move |divisor| dividend / divisor));
            let (lo, hi) = bounds(quotients);
            Ok(Range::between(lo, hi))
        }
        BinaryOp::Rem => {
            let divisors = divisors(form, left, right)?;
            if let (Some(dividend), Some(divisor)) = (left.only(), right.only()) {
                return Ok(Range::one(dividend % divisor));
            }
            let most = divisors
                .iter()
                .map(|divisor| divisor.abs())
                .max()
                .unwrap_or(1)
                - 1;
            let least = divisors
                .iter()
                .map(|divisor| divisor.abs())
                .min()
                .unwrap_or(1);
            if right.lo > 0 && -least < left.lo && left.hi < least {
                return Ok(left);
            }
            // The sign is the dividend's, and it never grows.
            Ok(Range::between(
                left.lo.clamp(-most, 0),
                left.hi.clamp(0, most),
            ))
        }
        BinaryOp::BitAnd => {
            let (zeros, ones) = (left.zeros | right.zeros, left.ones & right.ones);
            let (min, max) = limits(form);
            let hi = match (left.lo >= 0, right.lo >= 0) {
                (true, true) => left.hi.min(right.hi),
                (true, false) => left.hi,
                (false, true) => right.hi,
                (false, false) => left.hi.max(right.hi).max(-1).min(max),
            };
            let lo = if left.lo >= 0 || right.lo >= 0 {
                0
            } else {
                min
            };
            let hi = if left.hi < 0 && right.hi < 0 { -1 } else { hi };
            Ok(Range {
                lo,
                hi: hi.max(lo),
                zeros,
                ones,
            }
            .tightened())
        }
        BinaryOp::BitOr => {
            let (zeros, ones) = (left.zeros & right.zeros, left.ones | right.ones);
            let (min, max) = limits(form);
            let (lo, hi) = if left.hi < 0 || right.hi < 0 {
                (min, -1)
            } else if left.lo >= 0 && right.lo >= 0 {
                (left.lo.max(right.lo), max)
            } else {
                (min, max)
            };
            Ok(Range {
                lo,
                hi,
                zeros,
                ones,
            }
            .tightened())
        }
        BinaryOp::BitXor => {
            let zeros = (left.zeros & right.zeros) | (left.ones & right.ones);
            let ones = (left.zeros & right.ones) | (left.ones & right.zeros);
            let (min, max) = limits(form);
            let sign = |range: Range| match range {
                Range { lo: 0.., .. } => Some(false),
                Range { hi: ..0, .. } => Some(true),
                _ => None,
            };
            let (lo, hi) = match (sign(left), sign(right)) {
                (Some(one), Some(two)) if one == two => (0, max),
                (Some(_), Some(_)) => (min, -1),
                _ => (min, max),
            };
            Ok(Range {
                lo,
                hi,
                zeros,
                ones,
            }
            .tightened())
        }
        _ => unreachable!("planned as a shift or a comparison"),
    }
}

fn left_bounds(left: Range) -> [i128; 2] {
    [left.lo, left.hi]
}

fn bounds(values: impl Iterator<Item = i128>) -> (i128, i128) {
    values.fold((i128::MAX, i128::MIN), |(lo, hi), value| {
        (lo.min(value), hi.max(value))
    })
}

/// The bounds of an operator that is monotonic in each operand; `None` beyond
/// counting.
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

pub(super) fn complement(form: Form, value: Range) -> Range {
    let (zeros, ones) = (value.ones, value.zeros);
    if form.is_signed() {
        return Range {
            lo: -1 - value.hi,
            hi: -1 - value.lo,
            zeros,
            ones,
        }
        .tightened();
    }
    let max = limits(form).1;
    let mask = max as u64;
    let (zeros, ones) = (zeros & mask | !mask, ones & mask);
    Range {
        lo: max - value.hi,
        hi: max - value.lo,
        zeros,
        ones,
    }
    .tightened()
}

#[cfg(test)]
mod tests {
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
                    let result = match op.is_shift() {
                        true => shift(op, Form::I32, *left, *right),
                        false => arith(op, Form::I32, *left, *right),
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
