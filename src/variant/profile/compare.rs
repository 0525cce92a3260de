//! Which points depend on the order in which a compiler evaluates operands.
//!
//! C leaves the order of `f() + g()`, of arguments and of assignments open. A
//! seed may print the same under every order and still hold other values in
//! between, so a point counts as stable only if all records agree on it.

use super::instrument::{Instrumented, SamplePlan};
use super::read::{RawSample, Record};
use super::{Profile, SampledValues};
use crate::source::program::StatementId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How two compilers' records of one point differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// One reaches the point and another does not.
    Reached,
    /// These columns (indices into the profile's) took other values; empty if only
    /// their combinations differ.
    Values(Vec<u32>),
}

/// Compares one point of several records.
pub(super) fn difference(
    point: usize,
    sample: Option<(usize, &SamplePlan)>,
    records: &[Record],
) -> Option<Difference> {
    let (first, others) = records.split_first()?;
    if others
        .iter()
        .any(|other| (other.visits[point] == 0) != (first.visits[point] == 0))
    {
        return Some(Difference::Reached);
    }
    let (index, plan) = sample?;
    let one = &first.samples[index];
    let differing = others
        .iter()
        .map(|other| &other.samples[index])
        .find(|other| *other != one)?;
    Some(Difference::Values(differing_columns(one, differing, plan)))
}

fn differing_columns(one: &RawSample, other: &RawSample, plan: &SamplePlan) -> Vec<u32> {
    let differs = |index: &usize| match (&one.values, &other.values) {
        (SampledValues::Rows(a), SampledValues::Rows(b)) => {
            let values = |rows: &[Vec<u64>]| -> BTreeSet<u64> {
                rows.iter().map(|row| row[*index]).collect()
            };
            values(a) != values(b)
        }
        (SampledValues::Ranges(a), SampledValues::Ranges(b)) => a[*index] != b[*index],
        _ => true,
    };
    (0..plan.columns.len())
        .filter(differs)
        .map(|index| plan.columns[index])
        .collect()
}

/// Where a record leaves the rows of a profile.
///
/// The record is of the same instrumented text by another compiler. For each of
/// the given points the answer tells whether all it saw was predicted; points
/// that hold back no values, or whose values are ranges, are judged by those.
pub(super) fn outside(
    profile: &Profile,
    instrumented: &Instrumented,
    record: &Record,
    points: &[StatementId],
) -> Vec<StatementId> {
    let is_outside = |statement: &StatementId| {
        let Some(predicted) = profile.point(*statement) else {
            return true;
        };
        let Ok(number) = instrumented.points.binary_search(statement) else {
            return true;
        };
        if predicted.visits == 0 {
            return record.visits[number] > 0;
        }
        let Some(sample) = &predicted.sample else {
            return false;
        };
        let Some(index) = instrumented
            .samples
            .iter()
            .position(|plan| plan.point == number)
        else {
            return true;
        };
        let seen = record.samples[index].visible(&instrumented.samples[index]);
        !covers(&sample.values, &seen.values)
    };
    points.iter().copied().filter(is_outside).collect()
}

/// Whether everything in `seen` is allowed by `predicted`.
fn covers(predicted: &SampledValues, seen: &SampledValues) -> bool {
    match (predicted, seen) {
        (SampledValues::Rows(predicted), SampledValues::Rows(seen)) => {
            seen.iter().all(|row| predicted.binary_search(row).is_ok())
        }
        (SampledValues::Ranges(predicted), SampledValues::Rows(seen)) => seen.iter().all(|row| {
            row.iter()
                .zip(predicted)
                .all(|(&value, range)| range.allows(value))
        }),
        (SampledValues::Ranges(predicted), SampledValues::Ranges(seen)) => predicted
            .iter()
            .zip(seen)
            .all(|(predicted, seen)| predicted.contains(seen)),
        // More rows than were ever predicted.
        (SampledValues::Rows(_), SampledValues::Ranges(_)) => false,
    }
}

impl super::ObservedRange {
    /// Whether a value is one that the range says may occur.
    pub fn allows(&self, value: u64) -> bool {
        let signed = value as i64;
        (self.unsigned_min..=self.unsigned_max).contains(&value)
            && (self.signed_min..=self.signed_max).contains(&signed)
            && value & self.known_ones == self.known_ones
            && value & self.known_zeros == 0
            && self
                .values
                .as_ref()
                .is_none_or(|values| values.binary_search(&value).is_ok())
    }

    /// Whether every value of the other range is allowed by this one.
    fn contains(&self, other: &super::ObservedRange) -> bool {
        let values_fit = match (&self.values, &other.values) {
            (None, _) => true,
            (Some(mine), Some(theirs)) => {
                theirs.iter().all(|value| mine.binary_search(value).is_ok())
            }
            (Some(_), None) => false,
        };
        values_fit
            && self.unsigned_min <= other.unsigned_min
            && other.unsigned_max <= self.unsigned_max
            && self.signed_min <= other.signed_min
            && other.signed_max <= self.signed_max
            && self.known_ones & !other.known_ones == 0
            && self.known_zeros & !other.known_zeros == 0
    }
}
