//! Pointers: testing, comparing, moving and following them.

use super::super::ctype::Type;
use super::super::interp::Fault;
use super::super::plan::{Form, Move};
use super::super::table::{ObjectId, Pointer};
use super::super::trouble::{Cause, Refused, Undefined};
use super::RowDomain;
use super::log::Where;
use super::memory::address_of;
use super::set::Rows;

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
    for (left, right) in left.iter_mut().zip(right) {
        *left = i64::from((*left == *right) != negated);
    }
    Ok(left)
}

/// The object a pointer points to and the cell in it.
pub(super) fn target(pointer: i64) -> Result<(ObjectId, u32), Cause> {
    match Pointer::decode(pointer) {
        Pointer::Null => Err(Undefined::NullDereference.into()),
        Pointer::Unknown => Err(Refused::UnknownPointer.into()),
        Pointer::To { object, cell } => Ok((object, cell)),
    }
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
        let (object, cell) = match target(pointer) {
            // C leaves even `null + 0` undefined.
            Err(Cause::Undefined(_)) if !by.followed => Err(Undefined::IndexOutOfBounds.into()),
            other => other,
        }?;
        let whole = &self.table.object(object).ty;
        let stride = i128::from(self.types.cells(&by.to).unwrap_or(1));
        let Some(siblings) = self.types.siblings(whole, cell, &by.to) else {
            return Err(Refused::PointerType.into());
        };
        let moved = i128::from(cell) + count * stride;
        let (start, end) = (i128::from(siblings.start), i128::from(siblings.end));
        if (start..end).contains(&moved) {
            Ok(address_of(object, moved as u32))
        } else if moved == end && !by.followed {
            Err(Refused::PastTheEnd.into())
        } else {
            Err(Undefined::IndexOutOfBounds.into())
        }
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
