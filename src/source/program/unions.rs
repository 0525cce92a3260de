//! Members of unions that can be read whichever member was written last.
//!
//! A write to a member gives values to the member's own bytes, and to no others. So the bytes
//! that all members have in common always hold values, provided that none of them is padding
//! in any member, and a number that consists of just these bytes can be read at any time: gcc
//! and clang promise that for accesses through the union. It may also be written if no member
//! has any other bytes. Pointers among the members would make the value an address.

use super::Program;
use super::ids::{RecordId, TypeId};
use super::types::{SeedField, SeedType};
use crate::code::types::IntKind;

/// The number that a union can always be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommonMember {
    /// Its position among the members.
    pub(crate) field: usize,
    /// Whether all members have its size, so that it stands for the whole union.
    pub(crate) is_whole: bool,
}

impl Program {
    /// The member of a union that holds a value whichever member was written last: a
    /// floating-point number, or else an integer. (An integer would show the sign of a NaN,
    /// which is anybody's.)
    pub(crate) fn common_member(&self, union: RecordId) -> Option<CommonMember> {
        let record = self.types.record(union);
        let fields = record.fields.as_ref().filter(|_| record.is_union)?;
        let size = |field: &SeedField| self.types.info(field.ty.id).size;
        let sizes: Option<Vec<u64>> = fields.iter().map(size).collect();
        let sizes = sizes?;
        let least = *sizes.iter().min()?;
        let is_plain = |field: &SeedField| {
            field.bit_width.is_none() && !field.ty.is_volatile && self.is_dense(field.ty.id)
        };
        if !fields.iter().all(is_plain) {
            return None;
        }
        let is_named = |field: &SeedField| {
            let name = field.name.as_ref();
            name.is_some_and(|name| !self.macros.contains(name))
        };
        let is_integer = |field: &SeedField| match self.types.get(field.ty.id) {
            // A byte other than 0 and 1 is no value of it.
            SeedType::Int(kind) => *kind != IntKind::Bool,
            _ => false,
        };
        let is_float = |field: &SeedField| match self.types.get(field.ty.id) {
            SeedType::Float(kind) => kind.precision().is_some(),
            _ => false,
        };
        let find = |is_it: &dyn Fn(&SeedField) -> bool| {
            let mut fields = fields.iter().zip(&sizes);
            fields.position(|(field, size)| *size == least && is_named(field) && is_it(field))
        };
        let field = find(&is_float).or_else(|| find(&is_integer))?;
        let is_whole = sizes.iter().all(|size| *size == least);
        Some(CommonMember { field, is_whole })
    }

    /// Whether every byte of a type belongs to a number.
    fn is_dense(&self, id: TypeId) -> bool {
        match self.types.get(id) {
            SeedType::Int(_) | SeedType::Int128 { .. } | SeedType::Enum { .. } => true,
            SeedType::Float(kind) => kind.precision().is_some(),
            SeedType::Array {
                element,
                length: Some(length),
            } => *length > 0 && self.is_dense(element.id),
            SeedType::Vector { element, .. } => self.is_dense(element.id),
            SeedType::Record(record) => self.is_dense_record(id, *record),
            _ => false,
        }
    }

    fn is_dense_record(&self, id: TypeId, record: RecordId) -> bool {
        let record = self.types.record(record);
        let (Some(fields), Some(size)) = (&record.fields, self.types.info(id).size) else {
            return false;
        };
        let mut reached = 0;
        for field in fields {
            let Some(bytes) = self.types.info(field.ty.id).size else {
                return false;
            };
            let start = if record.is_union { 0 } else { reached };
            let follows = field.offset == Some(8 * start);
            if field.bit_width.is_some() || !follows || !self.is_dense(field.ty.id) {
                return false;
            }
            if record.is_union && bytes != size {
                return false;
            }
            reached = start + bytes;
        }
        reached == size && size > 0
    }
}
