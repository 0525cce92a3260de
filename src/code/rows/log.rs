//! What an expression touches, to see whether C orders it.
//!
//! The log is a flat list; an operand's accesses are a range of it. Two
//! operands that C does not order conflict if one writes a cell that the other
//! touches in the same row. A write is *pending* until a sequence point: a later
//! write to the same cell by an operator around it is not ordered after it
//! (`i = i++`), although the operator's reads are.
//!
//! A called function's accesses are indeterminately sequenced to those beside
//! the call, which is not undefined but would show in the result, so they
//! conflict all the same.

use super::super::interp::Fault;
use super::super::trouble::Undefined;
use super::set::Rows;
use std::ops::Range;

/// Where a value lies: one address for all rows, or one for each. Addresses
/// are encoded pointers.
#[derive(Clone, Debug)]
pub(in super::super) enum Where {
    Same(i64),
    Each(Vec<i64>),
}

impl Where {
    pub(super) fn get(&self, position: usize) -> i64 {
        match self {
            Where::Same(address) => *address,
            Where::Each(addresses) => addresses[position],
        }
    }

    /// The place that many cells further on.
    pub(super) fn moved(&self, cells: u32) -> Where {
        let moved = |address: &i64| address + i64::from(cells);
        match self {
            Where::Same(address) => Where::Same(moved(address)),
            Where::Each(addresses) => Where::Each(addresses.iter().map(moved).collect()),
        }
    }
}

#[derive(Debug)]
struct LoggedAccess {
    to: Where,
    rows: Rows,
    write: bool,
    pending: bool,
}

impl LoggedAccess {
    /// Forgets the rows that access objects from `first` on; whether any are left.
    fn forget(&mut self, first: i64) -> bool {
        match &mut self.to {
            Where::Same(address) => *address < first,
            Where::Each(addresses) if addresses.iter().all(|address| *address < first) => true,
            Where::Each(addresses) => {
                let rows = self.rows.list().iter().zip(addresses.iter());
                let kept = rows.filter(|(_, address)| **address < first);
                let (rows, kept): (Vec<u32>, Vec<i64>) =
                    kept.map(|(row, address)| (*row, *address)).unzip();
                self.rows = Rows::some(rows);
                *addresses = kept;
                !addresses.is_empty()
            }
        }
    }

    /// The first row in which two accesses meet.
    fn meets(&self, other: &LoggedAccess) -> Option<u32> {
        if let (Where::Same(one), Where::Same(two)) = (&self.to, &other.to)
            && one != two
        {
            return None;
        }
        let (mine, theirs) = (self.rows.list(), other.rows.list());
        let (mut i, mut j) = (0, 0);
        while i < mine.len() && j < theirs.len() {
            match mine[i].cmp(&theirs[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    if self.to.get(i) == other.to.get(j) {
                        return Some(mine[i]);
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        None
    }
}

/// The accesses of the running full expression, if they must be known.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) on: bool,
    accesses: Vec<LoggedAccess>,
}

impl Log {
    pub(super) fn mark(&self) -> usize {
        self.accesses.len()
    }

    pub(super) fn truncate(&mut self, mark: usize) {
        self.accesses.truncate(mark);
    }

    /// Notes a read; that of a volatile object is a side effect like a write.
    pub(super) fn note_read(&mut self, from: &Where, volatile: bool, rows: &Rows) {
        if self.on {
            self.accesses.push(LoggedAccess {
                to: from.clone(),
                rows: rows.clone(),
                write: volatile,
                pending: false,
            });
        }
    }

    /// A sequence point after everything since the mark.
    pub(super) fn settle(&mut self, mark: usize) {
        self.accesses[mark..]
            .iter_mut()
            .for_each(|access| access.pending = false);
    }

    /// Forgets accesses since the mark to addresses of objects from `first` on. Without
    /// this, the accesses of two calls in one expression would be compared one by one.
    pub(super) fn forget(&mut self, mark: usize, first: i64) {
        let mut kept = mark;
        for index in mark..self.accesses.len() {
            if self.accesses[index].forget(first) {
                self.accesses.swap(kept, index);
                kept += 1;
            }
        }
        self.accesses.truncate(kept);
    }

    /// The first row in which two unordered ranges conflict.
    pub(super) fn conflict(&self, one: Range<usize>, two: Range<usize>) -> Option<u32> {
        let (one, two) = (&self.accesses[one], &self.accesses[two]);
        let mut first: Option<u32> = None;
        for a in one {
            for b in two.iter().filter(|b| a.write || b.write) {
                first = [first, a.meets(b)].into_iter().flatten().min();
            }
        }
        first
    }

    /// Notes a write, unless it meets one that is pending since the mark.
    pub(super) fn note_write(&mut self, mark: usize, to: &Where, rows: &Rows) -> Result<(), Fault> {
        if !self.on {
            return Ok(());
        }
        let write = LoggedAccess {
            to: to.clone(),
            rows: rows.clone(),
            write: true,
            pending: true,
        };
        let met = self.accesses[mark..]
            .iter()
            .filter(|access| access.pending)
            .filter_map(|access| access.meets(&write))
            .min();
        if let Some(row) = met {
            return Err(Fault::new(Undefined::Unsequenced, row));
        }
        self.accesses.push(write);
        Ok(())
    }
}
