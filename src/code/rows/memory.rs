//! Reading and writing cells for a set of rows.

use super::super::builtin::MemoryOp;
use super::super::ctype::{Type, Types};
use super::super::interp::{Block, Fault, Memory, Writing};
use super::super::plan::Subscript;
use super::super::scalar::ScalarKind;
use super::super::table::{Column, Object, ObjectId, Pointer, State, States, Table};
use super::super::trouble::{Cause, Refused, Undefined};
use super::RowDomain;
use super::log::Where;
use super::set::Rows;
use super::undo::Undo;
use std::sync::Arc;

pub(super) fn missing(state: State) -> Cause {
    match state {
        State::Uninitialised => Undefined::UninitialisedRead.into(),
        State::Dangling | State::Dead => Undefined::DeadObject.into(),
        State::Unknown | State::Value => Refused::UnknownValue.into(),
    }
}

pub(super) fn address(carrier: i64) -> (usize, u32) {
    match Pointer::decode(carrier) {
        Pointer::To { object, cell } => (object.0 as usize, cell),
        _ => unreachable!("checked when the place was found"),
    }
}

/// The address of a cell.
pub(super) fn address_of(object: ObjectId, cell: u32) -> i64 {
    Pointer::To { object, cell }.encode()
}

impl Object {
    /// The column of a cell, made from the state of the rest if need be.
    fn column(&mut self, cell: u32, rows: u32) -> &mut Column {
        let rest = &self.rest;
        let made = || Column::without_values(rest.clone(), rows);
        self.columns.entry(cell).or_insert_with(made)
    }

    /// Gives all cells a state in some rows.
    fn set_all(&mut self, rows: &Rows, count: u32, state: State) {
        if rows.is_all() {
            self.rest = States::All(state);
            self.columns.clear();
            return;
        }
        for row in rows.list() {
            self.rest.set(count, *row, state);
            for column in self.columns.values_mut() {
                let value = if state == State::Value {
                    Ok(0)
                } else {
                    Err(state)
                };
                column.put(*row, count, value);
            }
        }
    }
}

impl Table {
    /// The values at a place.
    fn load(&self, from: &Where, rows: &Rows) -> Result<Vec<i64>, Fault> {
        let first = rows.list().first().copied().unwrap_or(0);
        if let Where::Same(carrier) = from {
            let (index, cell) = address(*carrier);
            let object = &self.objects[index];
            if cell >= object.cells {
                return Err(Fault::new(Undefined::IndexOutOfBounds, first));
            }
            if let Some(column) = object.columns.get(&cell)
                && column.states == States::All(State::Value)
            {
                return Ok(if rows.is_all() {
                    column.values.clone()
                } else {
                    rows.list()
                        .iter()
                        .map(|row| column.values[*row as usize])
                        .collect()
                });
            }
        }
        let mut values = Vec::with_capacity(rows.len());
        for (position, row) in rows.list().iter().enumerate() {
            let (index, cell) = address(from.get(position));
            let object = &self.objects[index];
            if cell >= object.cells {
                return Err(Fault::new(Undefined::IndexOutOfBounds, *row));
            }
            values.push(
                object
                    .get(cell, *row)
                    .map_err(|state| Fault::new(missing(state), *row))?,
            );
        }
        Ok(values)
    }

    /// Writes values at a place.
    fn store(
        &mut self,
        to: &Where,
        rows: &Rows,
        values: &[i64],
        initial: bool,
        undo: &mut Undo,
    ) -> Result<(), Fault> {
        if let (Where::Same(carrier), true) = (to, rows.is_all()) {
            let (index, cell) = address(*carrier);
            let object = &mut self.objects[index];
            let column = object.columns.get(&cell);
            let alive = match column {
                Some(column) => !column.may_be_dead(),
                None => !object.rest.contain(State::Dead),
            };
            if cell < object.cells && (initial || !object.constant) && alive {
                let wanted = undo.wants(index, column);
                let mut new = Column::values(values.to_vec());
                new.stamp = undo.stamp();
                let was = object.columns.insert(cell, new);
                if wanted {
                    undo.note_cell(index, cell, was);
                }
                return Ok(());
            }
        }
        for (position, row) in rows.list().iter().enumerate() {
            self.put(to.get(position), *row, Ok(values[position]), initial, undo)?;
        }
        Ok(())
    }

    /// Writes a value, or the lack of one, to a cell in one row.
    pub(super) fn put(
        &mut self,
        carrier: i64,
        row: u32,
        value: Result<i64, State>,
        initial: bool,
        undo: &mut Undo,
    ) -> Result<(), Fault> {
        let count = self.rows();
        let (index, cell) = address(carrier);
        let object = &mut self.objects[index];
        if cell >= object.cells {
            return Err(Fault::new(Undefined::IndexOutOfBounds, row));
        }
        if object.constant && !initial {
            return Err(Fault::new(Undefined::WriteToConst, row));
        }
        let column = object.columns.get(&cell);
        if undo.wants(index, column) {
            undo.note_cell(index, cell, column.cloned());
        }
        let column = object.column(cell, count);
        if column.get(row) == Err(State::Dead) {
            return Err(Fault::new(Undefined::DeadObject, row));
        }
        column.put(row, count, value);
        column.stamp = undo.stamp();
        Ok(())
    }

    /// Copies cells one by one, those without a value too.
    fn copy(
        &mut self,
        to: &Where,
        from: &Where,
        cells: u32,
        rows: &Rows,
        initial: bool,
        undo: &mut Undo,
    ) -> Result<(), Fault> {
        for (position, row) in rows.list().iter().enumerate() {
            let (index, start) = address(from.get(position));
            for cell in 0..cells {
                let object = &self.objects[index];
                let value = object.get(start + cell, *row);
                if value == Err(State::Dead) {
                    return Err(Fault::new(Undefined::DeadObject, *row));
                }
                self.put(
                    to.get(position) + i64::from(cell),
                    *row,
                    value,
                    initial,
                    undo,
                )?;
            }
        }
        Ok(())
    }

    /// Gives every cell of an object a state in some rows.
    pub(in super::super) fn set_object(
        &mut self,
        object: ObjectId,
        state: State,
        rows: &Rows,
        undo: &mut Undo,
    ) {
        let (index, count) = (object.0 as usize, self.rows());
        undo.note_object(index, &self.objects[index]);
        self.objects[index].set_all(rows, count, state);
    }

    /// Takes the value from pointers to objects that died.
    pub(in super::super) fn dangle(
        &mut self,
        types: &Types,
        dead: &[ObjectId],
        rows: &Rows,
        undo: &mut Undo,
    ) {
        let count = self.rows();
        for (index, object) in self.objects.iter_mut().enumerate() {
            let ty = &object.ty;
            if !types.holds_pointers(ty) {
                continue;
            }
            let pointers = object
                .columns
                .iter_mut()
                .filter(|(cell, _)| types.scalar_at(ty, **cell) == Some(ScalarKind::Pointer));
            for (cell, column) in pointers {
                let is_dangling = |row: &&u32| {
                    column.get(**row).is_ok_and(|value| {
                        matches!(Pointer::decode(value),
                            Pointer::To { object, .. } | Pointer::End { object, .. }
                                if dead.contains(&object))
                    })
                };
                let dangling: Vec<u32> = rows.list().iter().filter(is_dangling).copied().collect();
                if dangling.is_empty() {
                    continue;
                }
                if undo.wants(index, Some(column)) {
                    undo.note_cell(index, *cell, Some(column.clone()));
                }
                for row in dangling {
                    column.put(row, count, Err(State::Dangling));
                }
                column.stamp = undo.stamp();
            }
        }
    }
}

impl Memory for RowDomain<'_> {
    type Cells = Where;

    fn cell(object: ObjectId, cell: u32) -> Where {
        Where::Same(address_of(object, cell))
    }

    fn follow(
        &self,
        pointers: Vec<i64>,
        to: &Type,
        cell: u32,
        rows: &Rows,
    ) -> Result<Where, Fault> {
        self.followed(pointers, to, cell, rows)
    }

    fn element(
        &self,
        first: Where,
        mut index: Vec<i64>,
        subscript: &Subscript,
        rows: &Rows,
    ) -> Result<Where, Fault> {
        let is_outside = |index: &i64| *index < 0 || *index as u64 >= subscript.len;
        if let Some(position) = index.iter().position(is_outside) {
            let row = rows.list()[position];
            return Err(Fault::new(Undefined::IndexOutOfBounds, row));
        }
        for (position, index) in index.iter_mut().enumerate() {
            *index = first.get(position) + *index * i64::from(subscript.stride);
        }
        Ok(Where::Each(index))
    }

    fn address(cells: Where, rows: &Rows) -> Result<Vec<i64>, Fault> {
        Ok(match cells {
            Where::Same(address) => vec![address; rows.len()],
            Where::Each(addresses) => addresses,
        })
    }

    fn load(&mut self, from: &Where, volatile: bool, rows: &Rows) -> Result<Vec<i64>, Fault> {
        self.log.note_read(from, volatile, rows);
        self.table.load(from, rows)
    }

    fn load_pair(&mut self, from: &Where, volatile: bool, rows: &Rows) -> Result<Vec<i64>, Fault> {
        let mut values = self.load(from, volatile, rows)?;
        values.extend(self.load(&from.moved(1), volatile, rows)?);
        Ok(values)
    }

    fn store(
        &mut self,
        to: &Where,
        values: &Vec<i64>,
        writing: Writing,
        rows: &Rows,
    ) -> Result<(), Fault> {
        let (first, second) = values.split_at(rows.len());
        self.log.note_write(writing.since, to, rows)?;
        let table = self.table.to_mut();
        table.store(to, rows, first, writing.initial, &mut self.undo)?;
        if second.is_empty() {
            return Ok(());
        }
        let to = to.moved(1);
        self.log.note_write(writing.since, &to, rows)?;
        let table = self.table.to_mut();
        table.store(&to, rows, second, writing.initial, &mut self.undo)
    }

    fn copy(
        &mut self,
        to: &Where,
        from: &Where,
        count: u32,
        writing: Writing,
        rows: &Rows,
    ) -> Result<(), Fault> {
        if self.log.on {
            for cell in 0..count {
                self.log.note_read(&from.moved(cell), false, rows);
                self.log.note_write(writing.since, &to.moved(cell), rows)?;
            }
        }
        let table = self.table.to_mut();
        table.copy(to, from, count, rows, writing.initial, &mut self.undo)
    }

    fn memory(
        &mut self,
        op: MemoryOp,
        to: Vec<i64>,
        from: Vec<i64>,
        block: &Block<'_>,
        writing: Writing,
        rows: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        self.on_memory(op, to, from, block, writing, rows)
    }

    fn add_local(&mut self, name: &Arc<str>, ty: &Type, constant: bool) -> ObjectId {
        let table = self.table.to_mut();
        let added = table.push(self.types, name.clone(), ty.clone(), State::Dead);
        let object = added.expect("the planner saw that the type is complete");
        table.set_constant(object, constant);
        object
    }

    fn set_object(&mut self, object: ObjectId, state: State, rows: &Rows) {
        let table = self.table.to_mut();
        table.set_object(object, state, rows, &mut self.undo);
    }

    fn set_param(&mut self, object: ObjectId, values: &Vec<i64>, rows: &Rows) {
        for (cell, half) in values.chunks(rows.len().max(1)).enumerate() {
            let to = Self::cell(object, cell as u32);
            let table = self.table.to_mut();
            let stored = table.store(&to, rows, half, true, &mut self.undo);
            debug_assert!(stored.is_ok(), "a parameter is alive");
        }
    }

    fn dangle(&mut self, dead: &[ObjectId], rows: &Rows) {
        let table = self.table.to_mut();
        table.dangle(self.types, dead, rows, &mut self.undo);
    }

    fn remove_locals(&mut self, first: ObjectId) {
        self.table.to_mut().objects.truncate(first.0 as usize);
    }
}
