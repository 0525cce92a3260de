//! Which rows an expression is evaluated for.

use std::rc::Rc;

/// A set of rows, in ascending order. Values of an evaluation stand in the
/// same order, one for each row of the set.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    list: Rc<[u32]>,
    /// Whether these are all rows of the table.
    all: bool,
}

impl Rows {
    pub(super) fn all(count: u32) -> Rows {
        Rows {
            list: (0..count).collect(),
            all: true,
        }
    }

    /// The rows of a list in ascending order, out of so many.
    pub(super) fn of(list: Vec<u32>, count: u32) -> Rows {
        let all = list.len() == count as usize;
        Rows {
            list: list.into(),
            all,
        }
    }

    pub(super) fn is_all(&self) -> bool {
        self.all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Splits by a condition into the rows where it holds and where not, with
    /// the positions of each in this set.
    pub(super) fn split(&self, holds: &[i64], count: u32) -> [(Rows, Vec<u32>); 2] {
        let mut parts = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for (position, (row, holds)) in self.list.iter().zip(holds).enumerate() {
            let (rows, positions) = &mut parts[usize::from(*holds == 0)];
            rows.push(*row);
            positions.push(position as u32);
        }
        parts.map(|(rows, positions)| (Rows::of(rows, count), positions))
    }
}
