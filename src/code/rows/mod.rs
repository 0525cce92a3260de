//! The domain of rows: what every visit is known to have, value by value.
//!
//! Values are dense: an expression evaluated for 10 of 200 rows gives 10
//! values. Short-circuit operators and `?:` evaluate an operand only for the
//! rows that reach it, by splitting the set of rows; no operator ever sees a
//! row it does not apply to, so no kernel needs a mask.

pub(super) mod bits;
mod block;
mod exact;
mod exits;
mod float;
mod flow;
pub(super) mod kernel;
mod log;
mod memory;
mod pointer;
mod set;
mod undo;
pub(super) mod wide;

pub use set::Rows;
pub(super) use undo::{Undo, UndoMark};

use super::ctype::Types;
use super::interp::{Fault, Operators};
use super::op::BinaryOp;
use super::plan::{Binary, Cut, Unary};
use super::table::Table;
use kernel::FirstUndefined;
use log::Log;
use std::borrow::Cow;

/// The variables in every row, and what the rows have done so far.
pub(super) struct RowDomain<'a> {
    types: &'a Types,
    /// Written only when something is stored.
    table: Cow<'a, Table>,
    log: Log,
    /// Instructions executed, by row; empty before the first.
    steps: Vec<u64>,
    undo: Undo,
}

impl<'a> RowDomain<'a> {
    pub(super) fn new(types: &'a Types, table: &'a Table) -> RowDomain<'a> {
        RowDomain {
            types,
            table: Cow::Borrowed(table),
            log: Log::default(),
            steps: Vec::new(),
            undo: Undo::default(),
        }
    }

    /// A domain that writes to the table itself and keeps a way back.
    pub(super) fn in_place(types: &'a Types, table: Table, undo: Undo) -> RowDomain<'a> {
        RowDomain {
            types,
            table: Cow::Owned(table),
            log: Log::default(),
            steps: Vec::new(),
            undo,
        }
    }

    /// The table and the way back.
    pub(super) fn into_parts(self) -> (Table, Undo) {
        (self.table.into_owned(), self.undo)
    }

    pub(super) fn into_table(self) -> Table {
        self.table.into_owned()
    }
}

/// A fault that a kernel found.
fn fault(first: FirstUndefined, rows: &Rows) -> Fault {
    Fault::new(first.undefined, rows.list()[first.row])
}

impl Operators for RowDomain<'_> {
    /// A carrier for each row of the set, in order.
    type Value = Vec<i64>;
    type Visits = Rows;

    fn first_row(rows: &Rows) -> Option<u32> {
        rows.list().first().copied()
    }

    fn constant(carrier: i64, rows: &Rows) -> Vec<i64> {
        vec![carrier; rows.len()]
    }

    fn pair([low, high]: [i64; 2], rows: &Rows) -> Result<Vec<i64>, Fault> {
        let mut values = vec![low; rows.len()];
        values.resize(2 * rows.len(), high);
        Ok(values)
    }

    fn unary(&self, op: Unary, values: Vec<i64>, rows: &Rows) -> Result<Vec<i64>, Fault> {
        match op {
            Unary::Convert(cut) => Ok(kernel::cut(cut, values)),
            Unary::Not => Ok(kernel::not(values)),
            Unary::Negate(form) => kernel::negate(form, values).map_err(|first| fault(first, rows)),
            Unary::Complement(form) => Ok(kernel::complement(form, values)),
            Unary::PointerTruth => pointer::truth(values, rows),
            Unary::Count(op, of) => bits::count(op, of, values).map_err(|first| fault(first, rows)),
            Unary::SwapBytes(of) => Ok(bits::swap_bytes(of, values)),
            Unary::Absolute(form) => {
                bits::absolute(form, values).map_err(|first| fault(first, rows))
            }
            Unary::Wide(op) => wide::unary(op, values).map_err(|first| fault(first, rows)),
            Unary::Float(op) => float::unary(op, values).map_err(|first| fault(first, rows)),
        }
    }

    fn binary(
        &self,
        op: &Binary,
        left: Vec<i64>,
        right: Vec<i64>,
        rows: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        match op {
            Binary::Arith(op, form) => kernel::arith(*op, *form, &left, &right),
            Binary::Shift { op, form, count } => kernel::shift(*op, *form, &left, &right, *count),
            Binary::Compare(op, form) => Ok(kernel::compare(*op, *form, &left, &right)),
            Binary::Exact(op, width) => exact::binary(*op, *width, &left, &right),
            Binary::Wide(op, width) => wide::arith(*op, *width, &left, &right),
            Binary::WideShift(op, width) => wide::shift(*op, *width, &left, &right),
            Binary::WideCompare(op, signed) => Ok(wide::compare(*op, *signed, &left, &right)),
            Binary::Join => Ok([left, right].concat()),
            Binary::Float(op, precision) => float::binary(*op, *precision, &left, &right),
            Binary::SamePointer { negated } => return pointer::same(*negated, left, &right, rows),
            Binary::OrderPointers(op, to) => return self.ordered(*op, to, left, &right, rows),
            Binary::Distance(to) => return self.distances(to, left, &right, rows),
            Binary::MovePointer(by) => return self.moved(by, left, &right, rows),
        }
        .map_err(|first| fault(first, rows))
    }

    fn overflow(
        op: BinaryOp,
        unsigned: [bool; 2],
        cut: Cut,
        left: Vec<i64>,
        right: Vec<i64>,
    ) -> Result<(Vec<i64>, Vec<i64>), Fault> {
        Ok(bits::overflow(op, unsigned, cut, &left, &right))
    }

    fn pick(values: &Vec<i64>, rows: &Rows, some: &Rows) -> Vec<i64> {
        if some.len() == rows.len() {
            return values.clone();
        }
        if values.len() != rows.len() {
            let halves = values.chunks(rows.len().max(1));
            let picked = halves.map(|half| Self::pick(&half.to_vec(), rows, some));
            return picked.collect::<Vec<_>>().concat();
        }
        let mut wanted = some.list().iter().peekable();
        let known = rows.list().iter().zip(values);
        known
            .filter(|(row, _)| wanted.next_if_eq(row).is_some())
            .map(|(_, value)| *value)
            .collect()
    }

    fn gather(parts: Vec<(Rows, Vec<i64>)>, rows: &Rows) -> Vec<i64> {
        let is_pair = parts.iter().any(|(some, part)| part.len() > some.len());
        let count = rows.len();
        let mut values = vec![0; if is_pair { 2 * count } else { count }];
        for (some, part) in parts {
            for (index, row) in some.list().iter().enumerate() {
                if let Ok(position) = rows.list().binary_search(row) {
                    values[position] = part[index];
                    if is_pair {
                        values[count + position] = part[some.len() + index];
                    }
                }
            }
        }
        values
    }

    fn select(mut condition: Vec<i64>, yes: Option<Vec<i64>>, no: Option<Vec<i64>>) -> Vec<i64> {
        match (yes, no) {
            (Some(yes), Some(no)) if yes.len() + no.len() > condition.len() => {
                let (yes_low, yes_high) = yes.split_at(yes.len() / 2);
                let (no_low, no_high) = no.split_at(no.len() / 2);
                let half = |yes: &[i64], no: &[i64]| {
                    let sides = (Some(yes.to_vec()), Some(no.to_vec()));
                    Self::select(condition.clone(), sides.0, sides.1)
                };
                [half(yes_low, no_low), half(yes_high, no_high)].concat()
            }
            (Some(yes), Some(no)) => {
                let (mut yes, mut no) = (yes.into_iter(), no.into_iter());
                for value in &mut condition {
                    let side = if *value != 0 { &mut yes } else { &mut no };
                    *value = side.next().expect("a value for each row of a side");
                }
                condition
            }
            (Some(all), None) | (None, Some(all)) => all,
            (None, None) => condition,
        }
    }
}
