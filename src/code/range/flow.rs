//! Control flow over ranges: what is known where ways meet is joined.
//!
//! A loop is followed turn by turn until its condition is certain, or the step
//! limit is reached.

use super::super::ctype::Type;
use super::super::expr::Callee;
use super::super::interp::Exit;
use super::super::interp::{Domain, Fault};
use super::super::plan::Jump;
use super::super::table::ObjectId;
use super::super::trouble::{Refused, Undefined};
use super::domain::{RangeDomain, fault};
use super::{Range, Ranges};
use std::borrow::Cow;

/// The ways in which the code may be left, and what is known then.
#[derive(Default)]
pub(in super::super) struct RangeExits {
    /// At its end.
    at_end: bool,
    /// By a `return` without a value.
    without_value: bool,
    /// By a jump out of it.
    by_jump: bool,
    /// By a `return` with a value.
    returned: Option<Range>,
    after: Option<Ranges>,
}

impl RangeExits {
    /// Whether the end may be reached, and no other way out can be taken.
    pub(in super::super) fn ends(&self) -> bool {
        let others = self.without_value || self.by_jump || self.returned.is_some();
        self.at_end && !others
    }
}

impl Domain for RangeDomain<'_> {
    type Waiting = Ranges;
    type Saved = Ranges;
    type Exits = RangeExits;

    fn all(&self) {}

    fn split(&self, condition: &Range, (): &()) -> [Option<()>; 2] {
        let truth = condition.truth();
        [true, false].map(|side| (truth != Some(!side)).then_some(()))
    }

    fn dispatch(&self, value: Range, cases: &[(i64, Jump)], (): &()) -> Vec<(usize, ())> {
        // A case is a carrier; a range holds numbers. Compare bits.
        let may = |case: i64| value.contains(case.into()) || value.contains((case as u64).into());
        let mut ways: Vec<(usize, ())> = (0..cases.len())
            .filter(|index| may(cases[*index].0))
            .map(|index| (index, ()))
            .collect();
        if ways.is_empty() || value.only().is_none() {
            ways.push((cases.len(), ()));
        }
        ways
    }

    fn functions(&self, _: &Range, (): &()) -> Result<Vec<(i64, ())>, Fault> {
        Err(fault(Refused::TooVague))
    }

    fn save(&self) -> Ranges {
        self.ranges.clone().into_owned()
    }

    fn swap(&mut self, saved: Ranges) -> Ranges {
        std::mem::replace(&mut self.ranges, Cow::Owned(saved)).into_owned()
    }

    fn join(&mut self, other: Ranges) {
        self.ranges.to_mut().join(&other);
    }

    fn count_step(&mut self, limit: u64, (): &()) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > limit {
            return Err(fault(Refused::StepLimit));
        }
        Ok(())
    }

    fn wait(&self, (): &()) -> Ranges {
        self.save()
    }

    fn meet(&self, waiting: &mut Ranges, (): &()) {
        waiting.join(&self.ranges);
    }

    fn resume(&mut self, waiting: Ranges) {
        self.ranges = Cow::Owned(waiting);
    }

    fn leave(&self, exits: &mut RangeExits, exit: Exit<Range>, (): &()) {
        match exit {
            Exit::End => exits.at_end = true,
            Exit::Break | Exit::Continue | Exit::Goto(_) => exits.by_jump = true,
            Exit::Return(None) => exits.without_value = true,
            Exit::Return(Some(value)) => {
                let others = exits.returned.map(|others| others.join(value));
                exits.returned = Some(others.unwrap_or(value));
            }
        }
        match &mut exits.after {
            Some(after) => after.join(&self.ranges),
            None => exits.after = Some(self.save()),
        }
    }

    fn finish(&mut self, exits: &mut RangeExits) {
        if let Some(after) = exits.after.take() {
            self.ranges = Cow::Owned(after);
        }
    }

    fn returned(
        &self,
        exits: RangeExits,
        callee: &Callee,
        _: ObjectId,
        (): &(),
    ) -> Result<Range, Fault> {
        if callee.result == Type::Void {
            return Ok(Range::one(0));
        }
        match exits.returned {
            Some(value) if !exits.at_end && !exits.without_value => Ok(value),
            _ => Err(fault(Undefined::MissingReturn)),
        }
    }
}
