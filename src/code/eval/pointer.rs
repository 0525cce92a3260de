//! Where places are: following pointers, moving them, computing subscripts.

use super::super::ctype::Type;
use super::super::plan::{Place, Root};
use super::super::table::{ObjectId, Pointer};
use super::super::trouble::{Cause, Refused, Trouble, Undefined};
use super::log::Where;
use super::machine::Machine;
use super::memory::{address_of, object_of};
use super::rows::Rows;

impl Machine<'_> {
    /// Refuses pointers of which we know nothing.
    pub(super) fn known(&self, pointers: &[i64], rows: &Rows, at: u32) -> Result<(), Trouble> {
        let unknown = Pointer::Unknown.encode();
        match pointers.iter().position(|pointer| *pointer == unknown) {
            Some(position) => Err(self.trouble(Refused::UnknownPointer, at, rows.list()[position])),
            None => Ok(()),
        }
    }

    /// The object a pointer points to and the cell in it.
    fn target(&self, pointer: i64) -> Result<(ObjectId, u32), Cause> {
        match Pointer::decode(pointer) {
            Pointer::Null => Err(Undefined::NullDereference.into()),
            Pointer::Unknown => Err(Refused::UnknownPointer.into()),
            Pointer::To { object, cell } => Ok((object, cell)),
        }
    }

    /// A pointer moved within its array.
    pub(super) fn moved(
        &self,
        pointer: i64,
        by: i128,
        to: &Type,
        followed: bool,
    ) -> Result<i64, Cause> {
        let (object, cell) = match self.target(pointer) {
            // C leaves even `null + 0` undefined.
            Err(Cause::Undefined(_)) if !followed => Err(Undefined::IndexOutOfBounds.into()),
            other => other,
        }?;
        let whole = &self.table.object(object).ty;
        let stride = i128::from(self.types.cells(to).unwrap_or(1));
        let Some(siblings) = self.types.siblings(whole, cell, to) else {
            return Err(Refused::PointerType.into());
        };
        let moved = i128::from(cell) + by * stride;
        let (start, end) = (i128::from(siblings.start), i128::from(siblings.end));
        if (start..end).contains(&moved) {
            Ok(address_of(object, moved as u32))
        } else if moved == end && !followed {
            Err(Refused::PastTheEnd.into())
        } else {
            Err(Undefined::IndexOutOfBounds.into())
        }
    }

    /// The address a place means in each row.
    pub(super) fn locate(&mut self, place: &Place, rows: &Rows) -> Result<Where, Trouble> {
        let start = self.log.mark();
        let mut found = match &place.root {
            Root::Slot(slot) => Where::Same(address_of(object_of(*slot, &self.frame), place.cell)),
            Root::Pointer { pointer, to, at } => {
                let mut pointers = self.eval(pointer, rows)?;
                let mut last = None;
                for (position, pointer) in pointers.iter_mut().enumerate() {
                    // Rows mostly point to the same object: look once.
                    if last != Some(*pointer) {
                        let row = rows.list()[position];
                        self.follow(*pointer, to)
                            .map_err(|cause| self.trouble(cause, *at, row))?;
                        last = Some(*pointer);
                    }
                    *pointer += i64::from(place.cell);
                }
                Where::Each(pointers)
            }
        };
        for index in &place.indices {
            let middle = self.log.mark();
            let by = self.eval(&index.index, rows)?;
            self.unordered(start, middle, index.at)?;
            let wrong = by.iter().position(|by| {
                let negative = *by < 0;
                negative || *by as u64 >= index.len
            });
            if let Some(position) = wrong {
                let row = rows.list()[position];
                return Err(self.trouble(Undefined::IndexOutOfBounds, index.at, row));
            }
            let moved = by
                .into_iter()
                .enumerate()
                .map(|(position, by)| found.get(position) + by * i64::from(index.stride));
            found = Where::Each(moved.collect());
        }
        Ok(found)
    }

    /// Checks that a pointer can be followed.
    fn follow(&self, pointer: i64, to: &Type) -> Result<(), Cause> {
        let (object, cell) = self.target(pointer)?;
        let whole = &self.table.object(object).ty;
        match self.types.siblings(whole, cell, to) {
            Some(_) => Ok(()),
            None => Err(Refused::PointerType.into()),
        }
    }
}
