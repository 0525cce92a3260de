//! Ranges of a type: its limits, and what conversion to it does to a range.

use super::super::plan::{Cut, Form};
use super::super::trouble::Undefined;
use super::Range;

/// The least and the greatest number of a form.
pub(super) fn limits(form: Form) -> (i128, i128) {
    limits_of(form.bits(), form.is_signed())
}

fn limits_of(bits: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// A result known by its bounds before wrapping (`None`: too large to compute) and
/// by its bits.
pub(super) fn landed(
    form: Form,
    bounds: Option<(i128, i128)>,
    zeros: u64,
    ones: u64,
) -> Result<Range, Undefined> {
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
    let (min, max) = limits_of(bits, signed);
    // How many times the modulus a bound lies above the least value of the type.
    let size = 1_i128 << bits;
    let multiple = |bound: i128| bound.checked_sub(min).map(|above| above.div_euclid(size));
    let (lo, hi) = match (multiple(lo), multiple(hi)) {
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

/// A conversion of every value.
pub(super) fn cut(cut: Cut, value: Range) -> Range {
    match cut {
        Cut::Truth => truth(value.truth()),
        Cut::Wrap { bits, signed } => {
            let (min, max) = limits_of(bits, signed);
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
