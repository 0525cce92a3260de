//! The domain of ranges: what all visits together are known to have.
//!
//! A trouble here means "some values in the ranges may have it". Where both
//! sides of a condition are possible, both are taken and joined. What ranges
//! cannot represent is refused: pointers, and expressions whose accesses would
//! have to be checked for their order.

use super::super::ctype::Types;
use super::super::interp::{Fault, Operators, Sequencing, Watch};
use super::super::op::BinaryOp;
use super::super::plan::{Binary, Cut, Form, Unary};
use super::super::table::ObjectId;
use super::super::trouble::{Cause, Refused};
use super::{Range, Ranges, bitwise, ops, wrap};
use std::borrow::Cow;

/// What is known of the variables, and what was done so far.
pub(in super::super) struct RangeDomain<'a> {
    pub(super) types: &'a Types,
    /// Written only when something is stored.
    pub(super) ranges: Cow<'a, Ranges>,
    pub(super) steps: u64,
}

impl<'a> RangeDomain<'a> {
    pub(in super::super) fn new(types: &'a Types, ranges: &'a Ranges) -> RangeDomain<'a> {
        RangeDomain {
            types,
            ranges: Cow::Borrowed(ranges),
            steps: 0,
        }
    }

    pub(in super::super) fn into_ranges(self) -> Ranges {
        self.ranges.into_owned()
    }
}

/// Ranges have no rows; all visits fail together.
pub(super) fn fault(cause: impl Into<Cause>) -> Fault {
    Fault::new(cause, 0)
}

/// The value with its bits read as the form says.
fn seen(range: Range, form: Form) -> Range {
    let (bits, signed) = (form.bits(), form.is_signed());
    wrap::cut(Cut::Wrap { bits, signed }, range)
}

impl Operators for RangeDomain<'_> {
    type Value = Range;
    /// Visits are not told apart.
    type Visits = ();

    fn first_row((): &()) -> Option<u32> {
        Some(0)
    }

    fn constant(carrier: i64, (): &()) -> Range {
        Range::one(carrier.into())
    }

    fn pair(_: [i64; 2], (): &()) -> Result<Range, Fault> {
        Err(fault(Refused::TooVague))
    }

    fn unary(&self, op: Unary, value: Range, (): &()) -> Result<Range, Fault> {
        match op {
            Unary::Convert(cut) => Ok(wrap::cut(cut, value)),
            Unary::Not => Ok(wrap::truth(value.truth().map(|truth| !truth))),
            Unary::Negate(form) => ops::negate(form, seen(value, form)).map_err(fault),
            Unary::Complement(form) => Ok(bitwise::complement(form, seen(value, form))),
            Unary::PointerTruth
            | Unary::Count(..)
            | Unary::SwapBytes(_)
            | Unary::Absolute(_)
            | Unary::Wide(_)
            | Unary::Float(_) => Err(fault(Refused::TooVague)),
        }
    }

    fn binary(&self, op: &Binary, left: Range, right: Range, (): &()) -> Result<Range, Fault> {
        let result = match *op {
            Binary::Arith(op, form) => ops::arith(op, form, seen(left, form), seen(right, form)),
            Binary::Shift { op, form, count } => {
                ops::shift(op, form, seen(left, form), seen(right, count))
            }
            Binary::Compare(op, form) => {
                let truth = ops::compare(op, seen(left, form), seen(right, form));
                Ok(wrap::truth(truth))
            }
            Binary::Exact(..)
            | Binary::Wide(..)
            | Binary::WideShift(..)
            | Binary::WideCompare(..)
            | Binary::Join
            | Binary::Float(..)
            | Binary::SamePointer { .. }
            | Binary::OrderPointers(..)
            | Binary::Distance(_)
            | Binary::MovePointer(_) => {
                return Err(fault(Refused::TooVague));
            }
        };
        result.map_err(fault)
    }

    fn overflow(
        _: BinaryOp,
        _: [bool; 2],
        _: Cut,
        _: Range,
        _: Range,
    ) -> Result<(Range, Range), Fault> {
        Err(fault(Refused::TooVague))
    }

    fn pick(value: &Range, (): &(), (): &()) -> Range {
        *value
    }

    fn gather(parts: Vec<((), Range)>, (): &()) -> Range {
        let values = parts.into_iter().map(|((), value)| value);
        values.reduce(Range::join).unwrap_or(Range::one(0))
    }

    fn select(condition: Range, yes: Option<Range>, no: Option<Range>) -> Range {
        [yes, no]
            .into_iter()
            .flatten()
            .reduce(Range::join)
            .unwrap_or(condition)
    }
}

/// Accesses are not logged: what would need a log is refused.
impl Sequencing for RangeDomain<'_> {
    fn watch(&mut self, unsequenced: bool) -> Result<Watch, Fault> {
        if unsequenced {
            return Err(fault(Refused::TooVague));
        }
        Ok(Watch::default())
    }

    fn unwatch(&mut self, _: Watch) {}

    fn mark(&self) -> usize {
        0
    }

    fn sequence(&mut self, _: usize) {}

    fn forget_accesses(&mut self, _: usize, _: ObjectId) {}

    fn check_unsequenced(&self, _: usize, _: usize) -> Result<(), Fault> {
        Ok(())
    }
}
