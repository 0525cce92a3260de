//! Reading and writing cells of which only ranges are known.

use super::super::builtin::MemoryOp;
use super::super::ctype::Type;
use super::super::interp::{Block, Fault, Memory, Writing};
use super::super::plan::{Cut, Subscript};
use super::super::scalar::ScalarKind;
use super::super::table::{ObjectId, State};
use super::super::trouble::{Refused, Undefined};
use super::super::types::IntKind;
use super::domain::{RangeDomain, fault};
use super::env::Cell;
use super::{Range, wrap};
use std::sync::Arc;

/// An index that may mean more cells than this is too vague.
const MOST_CELLS: i128 = 256;

/// The cells of one object that an lvalue may mean.
pub(in super::super) struct CellSet {
    object: ObjectId,
    cells: Vec<u32>,
}

impl RangeDomain<'_> {
    fn check_bounds(&self, places: &CellSet) -> Result<(), Fault> {
        let count = self.ranges.table.object(places.object).cells();
        if places.cells.iter().any(|cell| *cell >= count) {
            return Err(fault(Undefined::IndexOutOfBounds));
        }
        Ok(())
    }

    /// A stored value with its bits read as the cell's type says.
    fn typed(&self, object: ObjectId, cell: u32, value: Range) -> Range {
        let ty = &self.ranges.table.object(object).ty;
        match self.types.scalar_at(ty, cell) {
            Some(ScalarKind::Int(kind)) if kind != IntKind::Bool => {
                wrap::cut(Cut::to(kind, self.types.target), value)
            }
            _ => value,
        }
    }
}

impl Memory for RangeDomain<'_> {
    type Cells = CellSet;

    fn cell(object: ObjectId, cell: u32) -> CellSet {
        let cells = vec![cell];
        CellSet { object, cells }
    }

    fn follow(&self, _: Range, _: &Type, _: u32, (): &()) -> Result<CellSet, Fault> {
        Err(fault(Refused::TooVague))
    }

    fn element(
        &self,
        mut first: CellSet,
        index: Range,
        subscript: &Subscript,
        (): &(),
    ) -> Result<CellSet, Fault> {
        if index.lo < 0 || index.hi >= i128::from(subscript.len) {
            return Err(fault(Undefined::IndexOutOfBounds));
        }
        if (index.hi - index.lo + 1) * first.cells.len() as i128 > MOST_CELLS {
            return Err(fault(Refused::TooVague));
        }
        let choices = (index.lo..=index.hi).filter(|choice| index.contains(*choice));
        let skips: Vec<u32> = choices.map(|by| by as u32 * subscript.stride).collect();
        let cells = first.cells.iter();
        first.cells = cells
            .flat_map(|cell| skips.iter().map(move |skip| cell + skip))
            .collect();
        Ok(first)
    }

    fn address(_: CellSet, (): &()) -> Result<Range, Fault> {
        Err(fault(Refused::TooVague))
    }

    fn load(&mut self, from: &CellSet, _: bool, (): &()) -> Result<Range, Fault> {
        self.check_bounds(from)?;
        let cells = from.cells.iter();
        let known = cells.map(|cell| self.ranges.cell(from.object, *cell));
        match known.reduce(Cell::join) {
            Some(Cell::Value(range)) => Ok(range),
            Some(Cell::Without(State::Uninitialised)) => Err(fault(Undefined::UninitialisedRead)),
            Some(Cell::Without(State::Dead | State::Dangling)) => Err(fault(Undefined::DeadObject)),
            _ => Err(fault(Refused::UnknownValue)),
        }
    }

    fn load_pair(&mut self, _: &CellSet, _: bool, (): &()) -> Result<Range, Fault> {
        Err(fault(Refused::TooVague))
    }

    fn store(
        &mut self,
        to: &CellSet,
        value: &Range,
        writing: Writing,
        (): &(),
    ) -> Result<(), Fault> {
        self.check_bounds(to)?;
        if self.ranges.table.object(to.object).constant && !writing.initial {
            return Err(fault(Undefined::WriteToConst));
        }
        for cell in &to.cells {
            let mut new = Cell::Value(self.typed(to.object, *cell, *value));
            if to.cells.len() > 1 {
                // Only one of them is written, and we do not know which.
                new = new.join(self.ranges.cell(to.object, *cell));
            }
            self.ranges.to_mut().cells.insert((to.object, *cell), new);
        }
        Ok(())
    }

    fn copy(
        &mut self,
        to: &CellSet,
        from: &CellSet,
        count: u32,
        _: Writing,
        (): &(),
    ) -> Result<(), Fault> {
        self.check_bounds(to)?;
        self.check_bounds(from)?;
        let ([target], [source]) = (&to.cells[..], &from.cells[..]) else {
            return Err(fault(Refused::TooVague));
        };
        for cell in 0..count {
            let known = self.ranges.cell(from.object, source + cell);
            let cells = &mut self.ranges.to_mut().cells;
            cells.insert((to.object, target + cell), known);
        }
        Ok(())
    }

    fn memory(
        &mut self,
        _: MemoryOp,
        _: Range,
        _: Range,
        _: &Block<'_>,
        _: Writing,
        (): &(),
    ) -> Result<Range, Fault> {
        Err(fault(Refused::TooVague))
    }

    fn add_local(&mut self, name: &Arc<str>, ty: &Type, constant: bool) -> ObjectId {
        let table = &mut self.ranges.to_mut().table;
        let added = table.push(self.types, name.clone(), ty.clone(), State::Dead);
        let object = added.expect("the planner saw that the type is complete");
        table.set_constant(object, constant);
        object
    }

    fn set_object(&mut self, object: ObjectId, state: State, (): &()) {
        let ranges = self.ranges.to_mut();
        ranges.cells.retain(|(of, _), _| *of != object);
        ranges.table.set_rest(object, state);
    }

    fn set_param(&mut self, object: ObjectId, value: &Range, (): &()) {
        let value = Cell::Value(self.typed(object, 0, *value));
        self.ranges.to_mut().cells.insert((object, 0), value);
    }

    /// No pointer has a value.
    fn dangle(&mut self, _: &[ObjectId], (): &()) {}

    fn remove_locals(&mut self, first: ObjectId) {
        let ranges = self.ranges.to_mut();
        ranges.cells.retain(|(object, _), _| *object < first);
        ranges.table.objects.truncate(first.0 as usize);
    }
}
