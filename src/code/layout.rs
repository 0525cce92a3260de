//! How an object is divided into scalar cells.
//!
//! An object of any type is a row of cells, one for each scalar in it: array
//! elements in order, struct members in order. A cell says nothing of bytes or
//! padding; it is what one read or one write touches.

use super::ctype::{Type, Types};
use super::real::Precision;
use super::scalar::ScalarKind;
use super::types::IntKind;
use std::ops::Range;
use std::sync::Arc;

/// The most cells an object may have. Beyond lies a type read from a broken
/// record, or an array that no row of values can describe.
const MOST_CELLS: u64 = 1 << 31;

/// What the cells of a union hold.
static BYTE: Type = Type::Int(IntKind::UChar);

impl Types {
    /// The bytes of an object that has no padding; `None` if it has any, or holds anything
    /// but numbers.
    pub(crate) fn bytes(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Int(kind) => Some(kind.bits(self.target).div_ceil(8)),
            // A bit-precise number may have padding.
            Type::Wide(kind) => (!kind.is_bit_precise()).then_some(16),
            Type::Float(kind) => kind.precision().map(Precision::bytes),
            Type::Vector { .. } => ty.vector_bytes(),
            Type::Array { of, len } => {
                let len = u32::try_from(*len).ok()?;
                self.bytes(of)?.checked_mul(len)
            }
            Type::Record(name) if self.is_union(name) => self.union_bytes(name),
            Type::Record(name) => {
                let (mut sum, mut strictest) = (0, 1);
                for field in &self.get(name)?.fields {
                    let alignment = self.alignment(&field.ty)?;
                    if field.bits.is_some() || sum % alignment != 0 {
                        return None;
                    }
                    strictest = strictest.max(alignment);
                    sum += self.bytes(&field.ty)?;
                }
                (sum % strictest == 0).then_some(sum)
            }
            Type::Void
            | Type::Enum { .. }
            | Type::Pointer { .. }
            | Type::Function(_)
            | Type::Opaque(_) => None,
        }
    }

    fn alignment(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Array { of, .. } => self.alignment(of),
            Type::Record(name) => {
                let fields = self.get(name)?.fields.iter();
                let mut each = fields.map(|field| self.alignment(&field.ty));
                each.try_fold(1, |most, one| Some(most.max(one?)))
            }
            _ => self.bytes(ty),
        }
    }

    /// The bytes of a union all of whose members are as large as it.
    pub(super) fn union_bytes(&self, name: &str) -> Option<u32> {
        let mut sizes = self.get(name)?.fields.iter();
        let first = self.bytes(&sizes.next()?.ty)?;
        let same = sizes.all(|field| self.bytes(&field.ty) == Some(first));
        same.then_some(first)
    }

    /// The byte that a member of a struct or union starts at, with its type.
    pub(super) fn member_bytes(&self, record: &str, name: &str) -> Option<Member> {
        let record = self.get(record)?;
        let mut cell = 0;
        for field in &record.fields {
            if *field.name == *name {
                return Some(Member {
                    cell,
                    ty: Arc::new(field.ty.clone()),
                    bits: field.bits,
                    constant: field.constant,
                });
            }
            if !record.is_union {
                cell += self.bytes(&field.ty)?;
            }
        }
        None
    }

    /// The number of cells of an object; `None` for an incomplete type.
    pub(crate) fn cells(&self, ty: &Type) -> Option<u32> {
        let cells = self.count(ty, 0)?;
        u32::try_from(cells).ok()
    }

    fn count(&self, ty: &Type, depth: u32) -> Option<u64> {
        // A struct that contains itself is not C, but a record may say it.
        if depth > 64 {
            return None;
        }
        let cells = match ty {
            Type::Void | Type::Function(_) => return None,
            Type::Int(_)
            | Type::Enum { .. }
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Opaque(_) => 1,
            Type::Wide(_) => 2,
            Type::Array { of, len } => self.count(of, depth + 1)?.checked_mul(*len)?,
            Type::Vector { of, len } => self.count(of, depth + 1)?.checked_mul(u64::from(*len))?,
            Type::Record(name) if self.is_union(name) => u64::from(self.union_bytes(name)?),
            Type::Record(name) => {
                let mut sum = 0;
                for field in &self.get(name)?.fields {
                    sum += self.count(&field.ty, depth + 1)?;
                    if sum > MOST_CELLS {
                        return None;
                    }
                }
                sum
            }
        };
        (cells <= MOST_CELLS).then_some(cells)
    }

    /// Whether some cell of an object holds a pointer.
    pub(crate) fn holds_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => self.holds_pointers(of),
            Type::Record(name) => self.get(name).is_some_and(|record| {
                let mut fields = record.fields.iter();
                fields.any(|field| self.holds_pointers(&field.ty))
            }),
            _ => false,
        }
    }

    /// What a cell of an object of type `ty` holds; `None` if there is no such
    /// cell, or it belongs to an opaque type.
    pub(crate) fn scalar_at(&self, ty: &Type, cell: u32) -> Option<ScalarKind> {
        let (found, _, _) = self.descend(ty, cell, |_| false)?;
        found.scalar()
    }

    /// The type of what a cell holds, and its width if it is a bit-field.
    pub(super) fn leaf_at<'t>(
        &'t self,
        ty: &'t Type,
        cell: u32,
    ) -> Option<(&'t Type, Option<u32>)> {
        let (found, bits, _) = self.descend(ty, cell, |_| false)?;
        Some((found, bits))
    }

    /// The part of type `part` that starts at `cell` of an object of type
    /// `whole`, as the cells of the array around it, or its own if it is in
    /// none. `None` if no such part starts there.
    ///
    /// C lets a pointer move within this range and no further.
    pub(crate) fn siblings(&self, whole: &Type, cell: u32, part: &Type) -> Option<Range<u32>> {
        let (found, bits, around) = self.descend(whole, cell, |ty| ty == part)?;
        if found != part || bits.is_some() {
            return None;
        }
        Some(around)
    }

    /// Walks from the whole down to the part at `cell`, stopping early at a
    /// part that starts there and that `stop` accepts.
    fn descend<'t>(
        &'t self,
        whole: &'t Type,
        cell: u32,
        stop: impl Fn(&Type) -> bool,
    ) -> Option<(&'t Type, Option<u32>, Range<u32>)> {
        let (mut ty, mut bits, mut start) = (whole, None, 0);
        let all = self.cells(ty)?;
        if cell >= all {
            return None;
        }
        let mut around = 0..all;
        loop {
            if start == cell && stop(ty) {
                return Some((ty, bits, around));
            }
            match ty {
                Type::Array { of, len } => {
                    let each = self.cells(of)?;
                    around = start..start + each * u32::try_from(*len).ok()?;
                    start += (cell - start) / each * each;
                    ty = of;
                }
                Type::Vector { of, len } => {
                    let each = self.cells(of)?;
                    (ty, around) = (of, start..start + each * len);
                    start += (cell - start) / each * each;
                }
                Type::Record(name) if self.is_union(name) => {
                    (ty, around) = (&BYTE, start..start + self.union_bytes(name)?);
                    start = cell;
                }
                Type::Record(name) => {
                    let mut inside = None;
                    for field in &self.get(name)?.fields {
                        let cells = self.cells(&field.ty)?;
                        if cell < start + cells {
                            inside = Some((field, cells));
                            break;
                        }
                        start += cells;
                    }
                    let (field, cells) = inside?;
                    (ty, bits, around) = (&field.ty, field.bits, start..start + cells);
                }
                _ => return Some((ty, bits, around)),
            }
        }
    }

    /// The cell a member starts at, its type, width and constness.
    pub(super) fn member(&self, record: &str, name: &str) -> Option<Member> {
        let mut cell = 0;
        for field in &self.get(record)?.fields {
            if *field.name == *name {
                let (ty, bits) = (Arc::new(field.ty.clone()), field.bits);
                return Some(Member {
                    cell,
                    ty,
                    bits,
                    constant: field.constant,
                });
            }
            cell += self.cells(&field.ty)?;
        }
        None
    }
}

/// Where a member lies in its struct, in cells.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) cell: u32,
    pub(super) ty: Arc<Type>,
    pub(super) bits: Option<u32>,
    pub(super) constant: bool,
}

#[cfg(test)]
mod tests {
    use super::super::ctype::Field;
    use super::super::types::{IntKind, Target};
    use super::*;

    fn types() -> (Types, Type) {
        let mut types = Types::new(Target::LP64);
        types.define(
            "struct I",
            vec![
                Field::new("a", IntKind::Int),
                Field::bits("b", IntKind::UInt, 3),
            ],
        );
        let inner = Type::record("struct I");
        let outer = types.define(
            "struct O",
            vec![
                Field::new("x", IntKind::Char),
                Field::new("m", inner.clone().array(2)),
                Field::new("next", Type::record("struct O").pointer()),
                Field::new("g", Type::INT.array(3).array(2)),
            ],
        );
        (types, outer)
    }

    #[test]
    fn cells_follow_members_and_elements_in_order() {
        let (types, outer) = types();
        assert_eq!(types.cells(&outer), Some(1 + 2 * 2 + 1 + 6));
        let scalar = |cell| types.scalar_at(&outer, cell);
        assert_eq!(scalar(0), Some(ScalarKind::Int(IntKind::Char)));
        assert_eq!(scalar(4), Some(ScalarKind::Int(IntKind::UInt)));
        assert_eq!(scalar(5), Some(ScalarKind::Pointer));
        assert_eq!(scalar(12), None);
    }

    #[test]
    fn a_pointer_moves_within_the_innermost_array() {
        let (types, outer) = types();
        assert_eq!(types.siblings(&outer, 7, &Type::INT), Some(6..9));
        assert_eq!(types.siblings(&outer, 9, &Type::INT), Some(9..12));
        assert_eq!(types.siblings(&outer, 9, &Type::INT.array(3)), Some(6..12));
        assert_eq!(
            types.siblings(&outer, 3, &Type::record("struct I")),
            Some(1..5)
        );
        assert_eq!(
            types.siblings(&outer, 4, &Type::Int(IntKind::UInt)),
            None,
            "a bit-field"
        );
        assert_eq!(
            types.siblings(&outer, 0, &Type::INT),
            None,
            "a char is there"
        );
    }

    #[test]
    fn a_struct_that_contains_itself_has_no_cells() {
        let mut types = Types::new(Target::LP64);
        let wrong = types.define("struct W", vec![Field::new("w", Type::record("struct W"))]);
        assert_eq!(types.cells(&wrong), None);
    }
}
