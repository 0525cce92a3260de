//! How rows left the code: by groups, since most of them go together.

use super::super::interp::{Exit, Fault};
use super::super::trouble::Undefined;
use super::set::Rows;

/// The groups of rows that left in one way, with the values they returned.
#[derive(Default)]
pub(in super::super) struct RowExits {
    groups: Vec<(Rows, Exit<Vec<i64>>)>,
}

impl RowExits {
    pub(super) fn add(&mut self, rows: &Rows, exit: Exit<Vec<i64>>) {
        self.groups.push((rows.clone(), exit));
    }

    /// The values, if all rows returned one at the same place.
    pub(super) fn all_returned(&mut self) -> Option<(Rows, Vec<i64>)> {
        match &mut self.groups[..] {
            [(rows, Exit::Return(Some(values)))] => Some((rows.clone(), std::mem::take(values))),
            _ => None,
        }
    }

    /// The values in the order of the rows, if each is a pair of carriers.
    pub(super) fn pairs(&self) -> Option<Result<Vec<i64>, Fault>> {
        let is_pair = |(rows, exit): &(Rows, Exit<Vec<i64>>)| matches!(exit, Exit::Return(Some(values)) if values.len() > rows.len());
        if !self.groups.iter().any(is_pair) {
            return None;
        }
        let mut each: Vec<(u32, i64, i64)> = Vec::new();
        for (rows, exit) in &self.groups {
            let Exit::Return(Some(values)) = exit else {
                let row = rows.list().first().copied().unwrap_or(0);
                return Some(Err(Fault::new(Undefined::MissingReturn, row)));
            };
            let (low, high) = values.split_at(rows.len());
            let halves = low.iter().zip(high);
            let rows = rows.list().iter().zip(halves);
            each.extend(rows.map(|(row, (low, high))| (*row, *low, *high)));
        }
        each.sort_unstable_by_key(|(row, ..)| *row);
        let low = each.iter().map(|(_, low, _)| *low);
        let high = each.iter().map(|(.., high)| *high);
        Some(Ok(low.chain(high).collect()))
    }

    /// How each row left, in the order of the rows; of a pair, its lower half.
    pub(in super::super) fn each(self) -> Vec<(u32, Exit)> {
        let mut each = Vec::new();
        for (rows, exit) in self.groups {
            let list = rows.list().iter().copied();
            let all = match exit {
                Exit::Return(Some(values)) => {
                    let returned = values.into_iter().map(|value| Exit::Return(Some(value)));
                    each.extend(list.zip(returned));
                    continue;
                }
                Exit::Return(None) => Exit::Return(None),
                Exit::End => Exit::End,
                Exit::Break => Exit::Break,
                Exit::Continue => Exit::Continue,
                Exit::Goto(label) => Exit::Goto(label),
            };
            each.extend(list.map(|row| (row, all.clone())));
        }
        if !each.is_sorted_by_key(|(row, _)| *row) {
            each.sort_unstable_by_key(|(row, _)| *row);
        }
        each
    }
}
