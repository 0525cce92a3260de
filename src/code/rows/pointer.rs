//! Pointers: testing, comparing, moving and following them.

use super::super::ctype::Type;
use super::super::interp::Fault;
use super::super::op::BinaryOp;
use super::super::plan::{Form, Move};
use super::super::table::{ObjectId, Pointer};
use super::super::trouble::{Cause, Refused, Undefined};
use super::RowDomain;
use super::kernel;
use super::log::Where;
use super::memory::address_of;
use super::set::Rows;
use std::ops::Range;

/// Refuses pointers of which nothing is known.
fn check_known(pointers: &[i64], rows: &Rows) -> Result<(), Fault> {
    let unknown = Pointer::Unknown.encode();
    match pointers.iter().position(|pointer| *pointer == unknown) {
        Some(position) => Err(Fault::new(Refused::UnknownPointer, rows.list()[position])),
        None => Ok(()),
    }
}

/// Whether pointers are not null.
pub(super) fn truth(mut pointers: Vec<i64>, rows: &Rows) -> Result<Vec<i64>, Fault> {
    check_known(&pointers, rows)?;
    pointers
        .iter_mut()
        .for_each(|pointer| *pointer = i64::from(*pointer != 0));
    Ok(pointers)
}

/// Whether pointers are equal, or are not.
pub(super) fn same(
    negated: bool,
    mut left: Vec<i64>,
    right: &[i64],
    rows: &Rows,
) -> Result<Vec<i64>, Fault> {
    check_known(&left, rows)?;
    check_known(right, rows)?;
    for ((left, right), row) in left.iter_mut().zip(right).zip(rows.list()) {
        if may_touch(*left, *right) || may_touch(*right, *left) {
            return Err(Fault::new(Refused::PastTheEnd, *row));
        }
        *left = i64::from((*left == *right) != negated);
    }
    Ok(left)
}

/// Whether a pointer past the end of an array may be the address of what another
/// points to: C does not say what lies behind an array.
fn may_touch(end: i64, other: i64) -> bool {
    let Pointer::End { object, cell: end } = Pointer::decode(end) else {
        return false;
    };
    match Pointer::decode(other) {
        Pointer::To { object: of, cell } => cell == if of == object { end } else { 0 },
        _ => false,
    }
}

/// The object a pointer points to and the cell in it.
pub(super) fn target(pointer: i64) -> Result<(ObjectId, u32), Cause> {
    match Pointer::decode(pointer) {
        Pointer::Null => Err(Undefined::NullDereference.into()),
        Pointer::Unknown => Err(Refused::UnknownPointer.into()),
        Pointer::To { object, cell } => Ok((object, cell)),
        Pointer::End { .. } => Err(Undefined::IndexOutOfBounds.into()),
        Pointer::Function(_) => Err(Refused::PointerType.into()),
    }
}

/// An element of an array, or the end of one.
struct Element {
    object: ObjectId,
    cell: i128,
    /// The cells of the array.
    array: Range<u32>,
    /// The cells of an element.
    stride: i128,
}

impl RowDomain<'_> {
    /// Pointers moved within their arrays.
    pub(super) fn moved(
        &self,
        by: &Move,
        mut pointers: Vec<i64>,
        counts: &[i64],
        rows: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        for ((pointer, count), row) in pointers.iter_mut().zip(counts).zip(rows.list()) {
            let count = match by.form {
                Form::U64 => i128::from(*count as u64),
                _ => i128::from(*count),
            };
            let count = if by.backwards { -count } else { count };
            *pointer = self
                .moved_one(*pointer, count, by)
                .map_err(|cause| Fault::new(cause, *row))?;
        }
        Ok(pointers)
    }

    fn moved_one(&self, pointer: i64, count: i128, by: &Move) -> Result<i64, Cause> {
        let from = match self.element_of(pointer, &by.to) {
            // C leaves even `null + 0` undefined.
            Err(Cause::Undefined(_)) if !by.followed => Err(Undefined::IndexOutOfBounds.into()),
            other => other,
        }?;
        let moved = from.cell + count * from.stride;
        let (start, end) = (from.array.start, from.array.end);
        if (i128::from(start)..i128::from(end)).contains(&moved) {
            Ok(address_of(from.object, moved as u32))
        } else if moved == i128::from(end) && !by.followed {
            let (object, cell) = (from.object, end);
            Ok(Pointer::End { object, cell }.encode())
        } else {
            Err(Undefined::IndexOutOfBounds.into())
        }
    }

    /// The element of an array that a pointer points to, or past.
    fn element_of(&self, pointer: i64, to: &Type) -> Result<Element, Cause> {
        let stride = self.types.cells(to).unwrap_or(1);
        let (object, cell, last) = match Pointer::decode(pointer) {
            Pointer::End { object, cell } => (object, cell, cell.checked_sub(stride)),
            _ => {
                let (object, cell) = target(pointer)?;
                (object, cell, Some(cell))
            }
        };
        let whole = &self.table.object(object).ty;
        let array = last.and_then(|last| self.types.siblings(whole, last, to));
        match array {
            Some(array) if last == Some(cell) || array.end == cell => Ok(Element {
                object,
                cell: cell.into(),
                array,
                stride: stride.into(),
            }),
            _ => Err(Refused::PointerType.into()),
        }
    }

    /// The distances from right to left, in elements of one array.
    pub(super) fn distances(
        &self,
        to: &Type,
        mut left: Vec<i64>,
        right: &[i64],
        rows: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        check_known(&left, rows)?;
        check_known(right, rows)?;
        for ((left, right), row) in left.iter_mut().zip(right).zip(rows.list()) {
            let element = |pointer: i64| match self.element_of(pointer, to) {
                Err(Cause::Undefined(_)) => Err(Undefined::UnrelatedPointers.into()),
                other => other,
            };
            let fault = |cause: Cause| Fault::new(cause, *row);
            let one = element(*left).map_err(fault)?;
            let two = element(*right).map_err(fault)?;
            if (one.object, one.array) != (two.object, two.array) {
                return Err(Fault::new(Undefined::UnrelatedPointers, *row));
            }
            *left = ((one.cell - two.cell) / one.stride) as i64;
        }
        Ok(left)
    }

    /// How pointers to elements of one array are ordered.
    pub(super) fn ordered(
        &self,
        op: BinaryOp,
        to: &Type,
        left: Vec<i64>,
        right: &[i64],
        rows: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        let distances = self.distances(to, left, right, rows)?;
        let zeros = vec![0; distances.len()];
        Ok(kernel::compare(op, Form::I64, &distances, &zeros))
    }

    /// A cell of what each pointer points to.
    pub(super) fn followed(
        &self,
        mut pointers: Vec<i64>,
        to: &Type,
        cell: u32,
        rows: &Rows,
    ) -> Result<Where, Fault> {
        let mut last = None;
        for (position, pointer) in pointers.iter_mut().enumerate() {
            // Rows usually point to the same object: check it once.
            if last != Some(*pointer) {
                let row = rows.list()[position];
                self.check_type(*pointer, to)
                    .map_err(|cause| Fault::new(cause, row))?;
                last = Some(*pointer);
            }
            *pointer += i64::from(cell);
        }
        Ok(Where::Each(pointers))
    }

    /// Checks that something of the type lies where a pointer points to.
    fn check_type(&self, pointer: i64, to: &Type) -> Result<(), Cause> {
        let (object, cell) = target(pointer)?;
        let whole = &self.table.object(object).ty;
        match self.types.siblings(whole, cell, to) {
            Some(_) => Ok(()),
            None => Err(Refused::PointerType.into()),
        }
    }
}
