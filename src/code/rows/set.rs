//! Sets of rows: which of them an expression is evaluated for.

use std::rc::Rc;

/// A set of rows, in ascending order. Values of an evaluation stand in the
/// same order, one for each row of the set.
#[derive(Clone, Debug)]
pub struct Rows {
    list: Rc<[u32]>,
    /// Whether these are all rows of the table.
    all: bool,
}

impl Rows {
    pub(in super::super) fn all(count: u32) -> Rows {
        Rows {
            list: (0..count).collect(),
            all: true,
        }
    }

    /// The rows of an ascending list, out of `count` in the table.
    pub(in super::super) fn of(list: Vec<u32>, count: u32) -> Rows {
        let all = list.len() == count as usize;
        Rows {
            list: list.into(),
            all,
        }
    }

    /// The rows of an ascending list, which are not all.
    pub(super) fn some(list: Vec<u32>) -> Rows {
        Rows {
            list: list.into(),
            all: false,
        }
    }

    pub(super) fn is_all(&self) -> bool {
        self.all
    }

    /// The number of rows in the set.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The rows by number.
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// The rows in which a condition holds, and those in which it does not.
    pub(in super::super) fn split(&self, condition: &[i64], count: u32) -> [Option<Rows>; 2] {
        let holding = condition.iter().filter(|value| **value != 0).count();
        // All rows usually go the same way.
        if holding == self.len() {
            return [(holding > 0).then(|| self.clone()), None];
        }
        if holding == 0 {
            return [None, Some(self.clone())];
        }
        let mut yes = Vec::with_capacity(holding);
        let mut no = Vec::with_capacity(self.len() - holding);
        for (row, value) in self.list.iter().zip(condition) {
            if *value != 0 {
                yes.push(*row);
            } else {
                no.push(*row);
            }
        }
        [Some(Rows::of(yes, count)), Some(Rows::of(no, count))]
    }

    /// The rows of both sets, which have none in common.
    pub(super) fn union(&self, other: &Rows, count: u32) -> Rows {
        let mut list = [self.list(), other.list()].concat();
        if self.list.last() > other.list.first() {
            list.sort_unstable();
        }
        Rows::of(list, count)
    }
}
