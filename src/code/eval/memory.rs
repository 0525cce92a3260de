//! Reading and writing cells for a set of rows.

use super::super::plan::Slot;
use super::super::table::{Column, Object, ObjectId, Pointer, State, States, Table};
use super::super::trouble::{Cause, Refused, Undefined};
use super::log::Where;
use super::rows::Rows;

/// Why a read or write failed, and in which row.
pub(super) type Fault = (Cause, u32);

fn missing(state: State) -> Cause {
    match state {
        State::Uninitialised => Undefined::UninitialisedRead.into(),
        State::Dangling | State::Dead => Undefined::DeadObject.into(),
        State::Unknown | State::Value => Refused::UnknownValue.into(),
    }
}

fn address(carrier: i64) -> (usize, u32) {
    match Pointer::decode(carrier) {
        Pointer::To { object, cell } => (object.0 as usize, cell),
        Pointer::Null | Pointer::Unknown => unreachable!("checked when the place was found"),
    }
}

/// The address of a cell.
pub(super) fn address_of(object: ObjectId, cell: u32) -> i64 {
    Pointer::To { object, cell }.encode()
}

pub(super) fn object_of(slot: Slot, frame: &[ObjectId]) -> ObjectId {
    match slot {
        Slot::Table(object) => object,
        Slot::Local(local) => frame[local as usize],
    }
}

impl Object {
    /// The column of a cell, made from the state of the rest if need be.
    fn column(&mut self, cell: u32, rows: u32) -> &mut Column {
        let rest = &self.rest;
        self.columns.entry(cell).or_insert_with(|| Column {
            states: rest.clone(),
            values: vec![0; rows as usize],
        })
    }

    /// Gives all cells a state in some rows.
    pub(super) fn set_all(&mut self, rows: &Rows, count: u32, state: State) {
        if rows.is_all() {
            self.rest = States::All(state);
            self.columns.clear();
            return;
        }
        for row in rows.list() {
            self.rest.set(count, *row, state);
            for column in self.columns.values_mut() {
                column.states.set(count, *row, state);
                column.values[*row as usize] = 0;
            }
        }
    }
}

impl Table {
    /// The values at a place.
    pub(super) fn load(&self, from: &Where, rows: &Rows) -> Result<Vec<i64>, Fault> {
        let first = rows.list().first().copied().unwrap_or(0);
        if let Where::Same(carrier) = from {
            let (index, cell) = address(*carrier);
            let object = &self.objects[index];
            if cell >= object.cells {
                return Err((Undefined::IndexOutOfBounds.into(), first));
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
                return Err((Undefined::IndexOutOfBounds.into(), *row));
            }
            values.push(
                object
                    .get(cell, *row)
                    .map_err(|state| (missing(state), *row))?,
            );
        }
        Ok(values)
    }

    /// Writes values at a place.
    pub(super) fn store(&mut self, to: &Where, rows: &Rows, values: &[i64]) -> Result<(), Fault> {
        let count = self.rows();
        if let (Where::Same(carrier), true) = (to, rows.is_all()) {
            let (index, cell) = address(*carrier);
            let object = &mut self.objects[index];
            if cell < object.cells && !object.constant {
                let column = object.column(cell, count);
                let alive = match &column.states {
                    States::All(state) => *state != State::Dead,
                    States::Each(states) => !states.contains(&State::Dead),
                };
                if alive {
                    *column = Column::values(values.to_vec());
                    return Ok(());
                }
            }
        }
        for (position, row) in rows.list().iter().enumerate() {
            self.put(to.get(position), *row, Ok(values[position]))?;
        }
        Ok(())
    }

    /// Writes a value, or the lack of one, to a cell in one row.
    fn put(&mut self, carrier: i64, row: u32, value: Result<i64, State>) -> Result<(), Fault> {
        let count = self.rows();
        let (index, cell) = address(carrier);
        let object = &mut self.objects[index];
        if cell >= object.cells {
            return Err((Undefined::IndexOutOfBounds.into(), row));
        }
        if object.constant {
            return Err((Undefined::WriteToConst.into(), row));
        }
        let column = object.column(cell, count);
        if column.states.get(row) == State::Dead {
            return Err((Undefined::DeadObject.into(), row));
        }
        column
            .states
            .set(count, row, value.err().unwrap_or(State::Value));
        column.values[row as usize] = value.unwrap_or(0);
        Ok(())
    }

    /// Copies cells one by one, those without a value too.
    pub(super) fn copy(
        &mut self,
        to: &Where,
        from: &Where,
        cells: u32,
        rows: &Rows,
    ) -> Result<(), Fault> {
        for (position, row) in rows.list().iter().enumerate() {
            let (index, start) = address(from.get(position));
            for cell in 0..cells {
                let object = &self.objects[index];
                let value = object.get(start + cell, *row);
                if value == Err(State::Dead) {
                    return Err((Undefined::DeadObject.into(), *row));
                }
                self.put(to.get(position) + i64::from(cell), *row, value)?;
            }
        }
        Ok(())
    }
}
