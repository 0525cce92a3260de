//! The environment of an evaluation: objects, and what each of their cells
//! holds in every row.
//!
//! A [`Table`] is stored by column, one for each cell, so that an operator can
//! run over all rows at once. A cell of a row either has a value or a reason
//! why it has none.

mod column;
mod pointer;

pub use column::{Column, State};
pub use pointer::{ObjectId, Pointer};

pub(super) use column::Stamp;
pub(crate) use column::States;

use super::ctype::{Type, Types};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

fn is_false(flag: &bool) -> bool {
    !flag
}

/// A variable: its name and type, and its cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// The name in the program; several objects may share it.
    pub name: Arc<str>,
    /// The type of the whole object.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Writing it is undefined.
    #[serde(default)]
    pub constant: bool,
    /// Every access to it is a side effect.
    #[serde(default, skip_serializing_if = "is_false")]
    pub volatile: bool,
    /// The state of cells that have no column; those with a value are 0.
    pub(super) rest: States,
    pub(super) columns: BTreeMap<u32, Column>,
    pub(super) cells: u32,
}

impl Object {
    /// The value of a cell in a row, or the reason why there is none.
    pub fn get(&self, cell: u32, row: u32) -> Result<i64, State> {
        match self.columns.get(&cell) {
            Some(column) => column.get(row),
            None if self.rest.get(row) == State::Value => Ok(0),
            None => Err(self.rest.get(row)),
        }
    }

    /// The state of cells without a column, in a table without rows.
    pub(super) fn rest_state(&self) -> State {
        match &self.rest {
            States::All(state) => *state,
            States::Each(_) => State::Unknown,
        }
    }

    /// The number of cells.
    pub(crate) fn cells(&self) -> u32 {
        self.cells
    }
}

/// Objects and their values in a number of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub(super) rows: u32,
    pub(super) objects: Vec<Object>,
    /// The object a name means; a later object of the same name hides the earlier.
    names: BTreeMap<Arc<str>, ObjectId>,
}

impl Table {
    /// A table without objects.
    pub fn new(rows: u32) -> Table {
        Table {
            rows,
            objects: Vec::new(),
            names: BTreeMap::new(),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Adds a variable, all of whose cells have the given state; with
    /// [`State::Value`] they are 0. `None` if its type is incomplete.
    pub fn add(&mut self, types: &Types, name: &str, ty: Type, rest: State) -> Option<ObjectId> {
        let id = self.push(types, name.into(), ty, rest)?;
        self.names.insert(name.into(), id);
        Some(id)
    }

    /// Adds an object without a name that trees could use.
    pub(super) fn push(
        &mut self,
        types: &Types,
        name: Arc<str>,
        ty: Type,
        rest: State,
    ) -> Option<ObjectId> {
        let cells = types.cells(&ty)?;
        let id = ObjectId(self.objects.len() as u32);
        let (rest, columns) = (States::All(rest), BTreeMap::new());
        self.objects.push(Object {
            name,
            ty,
            constant: false,
            volatile: false,
            rest,
            columns,
            cells,
        });
        Some(id)
    }

    /// Adds a scalar variable with its values in every row; of a type of two carriers,
    /// all lower halves come first.
    pub fn add_values(&mut self, name: &str, ty: impl Into<Type>, values: Vec<i64>) -> ObjectId {
        let ty = ty.into();
        assert!(ty.is_computable(), "a scalar type, not {ty:?}");
        let cells = if ty.is_pair() { 2 } else { 1 };
        let rows = self.rows as usize;
        assert_eq!(values.len(), cells * rows, "one value for each row");
        let id = ObjectId(self.objects.len() as u32);
        let halves = values
            .chunks(rows.max(1))
            .map(|half| Column::values(half.to_vec()));
        let columns: BTreeMap<u32, Column> = (0..).zip(halves).collect();
        let rest = States::All(State::Unknown);
        self.objects.push(Object {
            name: name.into(),
            ty,
            constant: false,
            volatile: false,
            rest,
            columns,
            cells: cells as u32,
        });
        self.names.insert(name.into(), id);
        id
    }

    /// Says what a cell holds.
    pub fn set(&mut self, object: ObjectId, cell: u32, column: Column) {
        assert_eq!(
            column.values.len(),
            self.rows as usize,
            "one value for each row"
        );
        let object = &mut self.objects[object.0 as usize];
        assert!(cell < object.cells, "cell {cell} of {}", object.cells);
        object.columns.insert(cell, column);
    }

    /// Says what a cell holds in one row.
    pub(crate) fn set_cell(&mut self, object: ObjectId, cell: u32, row: u32, carrier: i64) {
        let (rows, object) = (self.rows, &mut self.objects[object.0 as usize]);
        let rest = &object.rest;
        let made = || Column::without_values(rest.clone(), rows);
        let column = object.columns.entry(cell).or_insert_with(made);
        column.put(row, rows, Ok(carrier));
    }

    /// Makes writing an object undefined, or defined again.
    pub fn set_constant(&mut self, object: ObjectId, constant: bool) {
        self.objects[object.0 as usize].constant = constant;
    }

    /// Gives the cells without a column a state, in a table without rows.
    pub(super) fn set_rest(&mut self, object: ObjectId, state: State) {
        self.objects[object.0 as usize].rest = States::All(state);
    }

    /// The object that a name means.
    pub fn find(&self, name: &str) -> Option<ObjectId> {
        self.names.get(name).copied()
    }

    /// An object of this table.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// All objects, also those that are out of scope.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects
            .iter()
            .enumerate()
            .map(|(index, object)| (ObjectId(index as u32), object))
    }

    /// A table of the given rows only, in the given order.
    pub fn select(&self, rows: &[u32]) -> Table {
        let pick = |states: &States| match states {
            States::All(state) => States::All(*state),
            States::Each(each) => {
                States::Each(rows.iter().map(|row| each[*row as usize]).collect())
            }
        };
        let mut table = self.clone();
        table.rows = rows.len() as u32;
        for object in &mut table.objects {
            object.rest = pick(&object.rest);
            for column in object.columns.values_mut() {
                column.states = pick(&column.states);
                column.values = rows
                    .iter()
                    .map(|row| column.values[*row as usize])
                    .collect();
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::Target;
    use super::*;

    #[test]
    fn selected_rows_keep_values_and_states() {
        let types = Types::new(Target::LP64);
        let mut table = Table::new(3);
        let a = table
            .add(&types, "a", Type::INT.array(2), State::Unknown)
            .unwrap();
        table.set(
            a,
            1,
            Column::mixed(&[Ok(4), Err(State::Uninitialised), Ok(6)]),
        );
        let picked = table.select(&[2, 1]);
        assert_eq!(picked.rows(), 2);
        assert_eq!(picked.object(a).get(1, 0), Ok(6));
        assert_eq!(picked.object(a).get(1, 1), Err(State::Uninitialised));
        assert_eq!(picked.object(a).get(0, 0), Err(State::Unknown));
    }
}
