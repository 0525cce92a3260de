//! The bitwise operators over ranges.

use super::super::plan::Form;
use super::Range;
use super::wrap::limits;

pub(super) fn and(form: Form, left: Range, right: Range) -> Range {
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
    let hi = hi.max(lo);
    Range {
        lo,
        hi,
        zeros,
        ones,
    }
    .tightened()
}

pub(super) fn or(form: Form, left: Range, right: Range) -> Range {
    let (zeros, ones) = (left.zeros & right.zeros, left.ones | right.ones);
    let (min, max) = limits(form);
    let (lo, hi) = if left.hi < 0 || right.hi < 0 {
        (min, -1)
    } else if left.lo >= 0 && right.lo >= 0 {
        (left.lo.max(right.lo), max)
    } else {
        (min, max)
    };
    Range {
        lo,
        hi,
        zeros,
        ones,
    }
    .tightened()
}

pub(super) fn xor(form: Form, left: Range, right: Range) -> Range {
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
    Range {
        lo,
        hi,
        zeros,
        ones,
    }
    .tightened()
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
