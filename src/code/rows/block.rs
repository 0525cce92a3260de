//! Functions on blocks of memory, cell by cell.

use super::super::builtin::MemoryOp;
use super::super::ctype::Type;
use super::super::interp::{Block, Fault, Writing};
use super::super::table::State;
use super::super::trouble::{Cause, Refused, Undefined};
use super::super::types::IntKind;
use super::super::value::wrap;
use super::RowDomain;
use super::log::Where;
use super::memory::address;
use super::set::Rows;

impl RowDomain<'_> {
    pub(super) fn on_memory(
        &mut self,
        op: MemoryOp,
        to: Vec<i64>,
        from: Vec<i64>,
        block: &Block<'_>,
        writing: Writing,
        rows: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        let reads = op != MemoryOp::Set;
        for (position, row) in rows.list().iter().enumerate() {
            let fault = |cause: Cause| Fault::new(cause, *row);
            self.check_block(to[position], block).map_err(fault)?;
            if reads {
                self.check_block(from[position], block).map_err(fault)?;
            }
            let apart = (to[position] - from[position]).unsigned_abs();
            if op == MemoryOp::Copy && apart < u64::from(block.cells) {
                return Err(Fault::new(Undefined::OverlappingCopy, *row));
            }
        }
        let (target, source) = (Where::Each(to), Where::Each(from));
        let writes = !matches!(op, MemoryOp::Equal | MemoryOp::Less);
        for cell in 0..block.cells {
            if reads {
                self.log.note_read(&source.moved(cell), false, rows);
            }
            if writes {
                let since = writing.since;
                self.log.note_write(since, &target.moved(cell), rows)?;
            } else {
                self.log.note_read(&target.moved(cell), false, rows);
            }
        }
        let mut results = Vec::with_capacity(rows.len());
        for (position, row) in rows.list().iter().enumerate() {
            let (to, from) = (target.get(position), source.get(position));
            let result = match op {
                MemoryOp::Copy | MemoryOp::Move => self.move_block(to, from, block, *row),
                MemoryOp::Set => self.fill_block(to, from, block, *row),
                MemoryOp::Equal | MemoryOp::Less => self.compare_blocks(op, to, from, block, *row),
            };
            results.push(result?);
        }
        Ok(results)
    }

    /// Checks that all elements lie in one array.
    fn check_block(&self, pointer: i64, block: &Block<'_>) -> Result<(), Cause> {
        let (object, cell) = super::pointer::target(pointer)?;
        let whole = &self.table.object(object).ty;
        match self.types.siblings(whole, cell, block.of) {
            None => Err(Refused::PointerType.into()),
            Some(array) if array.end - cell < block.cells => {
                Err(Undefined::IndexOutOfBounds.into())
            }
            Some(_) => Ok(()),
        }
    }

    fn cell(&self, carrier: i64, row: u32) -> Result<i64, State> {
        let (index, cell) = address(carrier);
        self.table.objects[index].get(cell, row)
    }

    fn move_block(
        &mut self,
        to: i64,
        from: i64,
        block: &Block<'_>,
        row: u32,
    ) -> Result<i64, Fault> {
        let cells = (0..i64::from(block.cells)).map(|cell| self.cell(from + cell, row));
        let cells: Vec<Result<i64, State>> = cells.collect();
        if cells.contains(&Err(State::Dead)) {
            return Err(Fault::new(Undefined::DeadObject, row));
        }
        for (cell, value) in cells.into_iter().enumerate() {
            let table = self.table.to_mut();
            table.put(to + cell as i64, row, value, false, &mut self.undo)?;
        }
        Ok(0)
    }

    fn fill_block(
        &mut self,
        to: i64,
        byte: i64,
        block: &Block<'_>,
        row: u32,
    ) -> Result<i64, Fault> {
        let (index, start) = address(to);
        for cell in 0..block.cells {
            let whole = &self.table.objects[index].ty;
            let filled = match self.types.leaf_at(whole, start + cell) {
                Some((ty, bits)) => self.filled(ty, bits, byte),
                None => Ok(Err(State::Unknown)),
            };
            let value = filled.map_err(|refused| Fault::new(refused, row))?;
            let table = self.table.to_mut();
            let to = to + i64::from(cell);
            table.put(to, row, value, false, &mut self.undo)?;
        }
        Ok(0)
    }

    /// What a cell holds all of whose bytes are the same.
    fn filled(
        &self,
        ty: &Type,
        bits: Option<u32>,
        byte: i64,
    ) -> Result<Result<i64, State>, Refused> {
        let target = self.types.target;
        let spread = (byte as u64).wrapping_mul(0x0101_0101_0101_0101) as i64;
        match (ty.int_kind(), bits) {
            (Some(IntKind::Bool), _) if byte > 1 => Err(Refused::Representation),
            (Some(IntKind::Bool), None) => Ok(Ok(byte)),
            // Which bits of a byte are in a bit-field is up to the compiler.
            (Some(_), Some(_)) if byte != 0 && byte != 255 => Err(Refused::Representation),
            (Some(kind), bits) => {
                let bits = bits.unwrap_or(kind.bits(target));
                Ok(Ok(wrap(spread, bits, kind.signed(target))))
            }
            (None, _) if !ty.is_computable() => Ok(Err(State::Unknown)),
            (None, _) if byte == 0 => Ok(Ok(0)),
            (None, _) if matches!(ty, Type::Wide(kind) if !kind.is_bit_precise()) => Ok(Ok(spread)),
            (None, _) => Err(Refused::Representation),
        }
    }

    fn compare_blocks(
        &mut self,
        op: MemoryOp,
        one: i64,
        two: i64,
        block: &Block<'_>,
        row: u32,
    ) -> Result<i64, Fault> {
        for cell in 0..i64::from(block.cells) {
            let read = |carrier: i64| {
                let value = self.cell(carrier + cell, row);
                value.map_err(|state| Fault::new(super::memory::missing(state), row))
            };
            let (one, two) = (read(one)?, read(two)?);
            if one != two {
                // Bytes compare as unsigned ones.
                let less = op == MemoryOp::Less && (one as u8) < (two as u8);
                return Ok(i64::from(less));
            }
        }
        Ok(i64::from(op == MemoryOp::Equal))
    }
}
