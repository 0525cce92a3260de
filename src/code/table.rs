//! The environment of an evaluation: objects, and what each of their cells
//! holds in every row.
//!
//! A [`Table`] is stored by column, one for each cell, so that an operator can
//! run over all rows at once. A cell of a row either has a value or a reason
//! why it has none.

use super::ctype::{Type, Types};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of one cell in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There is a value.
    Value,
    /// Reading it is undefined.
    Uninitialised,
    /// Not observed: reading it may well be defined, but we cannot say what it gives.
    Unknown,
    /// A pointer to an object whose lifetime has ended: reading it is undefined.
    Dangling,
    /// The object's lifetime has not begun or has ended: any access is undefined.
    Dead,
}

/// The states of one cell in all rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum States {
    /// The same state in every row.
    All(State),
    /// A state for each row.
    Each(Vec<State>),
}

impl States {
    /// The state in a row.
    pub(crate) fn get(&self, row: u32) -> State {
        match self {
            States::All(state) => *state,
            States::Each(states) => states[row as usize],
        }
    }

    /// The state in one of `rows` rows, of which each entry may serve several.
    pub(super) fn shared(&self, row: u32, rows: u32) -> State {
        match self {
            States::All(state) => *state,
            States::Each(states) => states[entry(row, states.len(), rows)],
        }
    }

    /// Whether some row has a state.
    pub(super) fn contain(&self, state: State) -> bool {
        match self {
            States::All(all) => *all == state,
            States::Each(states) => states.contains(&state),
        }
    }

    pub(super) fn set(&mut self, rows: u32, row: u32, state: State) {
        match self {
            States::All(all) if *all == state => {}
            States::All(all) => {
                let mut each = vec![*all; rows as usize];
                each[row as usize] = state;
                *self = States::Each(each);
            }
            States::Each(states) => {
                spread(states, rows);
                states[row as usize] = state;
            }
        }
    }
}

/// The entry that serves a row. A list shorter than the table has entries for
/// several neighbouring rows each: while a session looks at the turns of a loop
/// as rows, what was known before stays as it is.
fn entry(row: u32, len: usize, rows: u32) -> usize {
    if len == rows as usize {
        row as usize
    } else {
        row as usize / (rows as usize / len)
    }
}

/// Gives every row an entry of its own.
fn spread<T: Copy>(list: &mut Vec<T>, rows: u32) {
    if list.len() != rows as usize {
        let len = list.len();
        *list = (0..rows).map(|row| list[entry(row, len, rows)]).collect();
    }
}

/// When a column was last written, in the count of a session's steps; says
/// nothing of what it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stamp(pub(super) u64);

impl PartialEq for Stamp {
    fn eq(&self, _: &Stamp) -> bool {
        true
    }
}

impl Eq for Stamp {}

/// One cell in all rows. Values are carriers (see `value`), pointers are
/// [`Pointer::encode`]d; a value whose state is not [`State::Value`] is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub(super) states: States,
    pub(super) values: Vec<i64>,
    /// What single rows hold while an entry serves several.
    #[serde(skip)]
    patches: Vec<(u32, Result<i64, State>)>,
    #[serde(skip)]
    pub(super) stamp: Stamp,
}

/// So many rows may have a value of their own before every row gets an entry.
const MOST_PATCHES: usize = 16;

impl Column {
    /// A value in every row.
    pub fn values(values: Vec<i64>) -> Column {
        Column {
            states: States::All(State::Value),
            values,
            patches: Vec::new(),
            stamp: Stamp::default(),
        }
    }

    /// A value, or the reason why there is none, in every row.
    pub fn mixed(cells: &[Result<i64, State>]) -> Column {
        let values = cells.iter().map(|cell| cell.unwrap_or(0)).collect();
        let states = cells
            .iter()
            .map(|cell| cell.err().unwrap_or(State::Value))
            .collect();
        Column {
            states: States::Each(states),
            values,
            patches: Vec::new(),
            stamp: Stamp::default(),
        }
    }

    /// The value in a row, or the reason why there is none.
    pub(crate) fn get(&self, row: u32) -> Result<i64, State> {
        match self.states.get(row) {
            State::Value => Ok(self.values[row as usize]),
            missing => Err(missing),
        }
    }

    /// The value in one of `rows` rows, of which each entry may serve several.
    pub(super) fn shared(&self, row: u32, rows: u32) -> Result<i64, State> {
        let patch = self.patches.iter().find(|(patched, _)| *patched == row);
        if let Some((_, value)) = patch {
            return *value;
        }
        match self.states.shared(row, rows) {
            State::Value => Ok(self.values[entry(row, self.values.len(), rows)]),
            missing => Err(missing),
        }
    }

    /// A column of which nothing is known but the states.
    pub(super) fn without_values(states: States, entries: u32) -> Column {
        Column {
            states,
            values: vec![0; entries as usize],
            patches: Vec::new(),
            stamp: Stamp::default(),
        }
    }

    /// Whether some row may be outside the object's lifetime.
    pub(super) fn may_be_dead(&self) -> bool {
        let mut patched = self.patches.iter();
        self.states.contain(State::Dead) || patched.any(|(_, value)| *value == Err(State::Dead))
    }

    /// Gives every row an entry of its own.
    pub(super) fn spread(&mut self, rows: u32) {
        spread(&mut self.values, rows);
        if let States::Each(states) = &mut self.states {
            spread(states, rows);
        }
        for (row, value) in std::mem::take(&mut self.patches) {
            self.put(row, rows, value);
        }
    }

    /// Says what one of `rows` rows holds.
    pub(super) fn put(&mut self, row: u32, rows: u32, value: Result<i64, State>) {
        if self.values.len() != rows as usize {
            self.patches.retain(|(patched, _)| *patched != row);
            self.patches.push((row, value));
            if self.patches.len() > MOST_PATCHES {
                self.spread(rows);
            }
            return;
        }
        let state = value.err().unwrap_or(State::Value);
        self.states.set(rows, row, state);
        self.values[row as usize] = value.unwrap_or(0);
    }
}

/// Where an object stands in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectId(pub u32);

/// A pointer value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pointer {
    /// The null pointer.
    Null,
    /// Neither null nor to a known object: it can be copied, but neither
    /// dereferenced nor compared.
    Unknown,
    /// A pointer to a cell of a known object.
    To {
        /// The object.
        object: ObjectId,
        /// The first cell of what is pointed to.
        cell: u32,
    },
    /// A pointer past the last element of an array: it can be compared and
    /// moved back.
    End {
        /// The object.
        object: ObjectId,
        /// The cell after the array's last, which may belong to something else.
        cell: u32,
    },
    /// A pointer to a function, by a number made of its name.
    Function(i64),
}

const UNKNOWN: i64 = -1;

/// Marks the cell of an [`Pointer::End`]; no object has so many cells.
const END: u32 = 1 << 31;

impl Pointer {
    /// The carrier that stands for the pointer in a column.
    pub fn encode(self) -> i64 {
        match self {
            Pointer::Null => 0,
            Pointer::Unknown => UNKNOWN,
            Pointer::To { object, cell } => (i64::from(object.0) + 1) << 32 | i64::from(cell),
            Pointer::End { object, cell } => {
                (i64::from(object.0) + 1) << 32 | i64::from(cell | END)
            }
            Pointer::Function(number) => number,
        }
    }

    /// The pointer to a function.
    pub fn function(name: &str) -> Pointer {
        // FNV-1a: the same on every machine.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        // Negative, unlike pointers to objects; even, unlike one that is unknown.
        Pointer::Function((hash << 1 | 1 << 63) as i64)
    }

    /// The pointer that a carrier stands for.
    pub(crate) fn decode(carrier: i64) -> Pointer {
        match carrier {
            0 => Pointer::Null,
            UNKNOWN => Pointer::Unknown,
            ..0 => Pointer::Function(carrier),
            _ => {
                let object = ObjectId((carrier >> 32) as u32 - 1);
                let cell = carrier as u32 & !END;
                if carrier as u32 & END != 0 {
                    Pointer::End { object, cell }
                } else {
                    Pointer::To { object, cell }
                }
            }
        }
    }
}

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

    /// The value of a cell in one of `rows` rows, of which each entry may serve
    /// several.
    pub(super) fn shared(&self, cell: u32, row: u32, rows: u32) -> Result<i64, State> {
        match self.columns.get(&cell) {
            Some(column) => column.shared(row, rows),
            None => match self.rest.shared(row, rows) {
                State::Value => Ok(0),
                missing => Err(missing),
            },
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

    /// Adds a scalar variable with its values in every row.
    pub fn add_values(&mut self, name: &str, ty: impl Into<Type>, values: Vec<i64>) -> ObjectId {
        let ty = ty.into();
        assert!(ty.is_computable(), "a scalar type, not {ty:?}");
        assert_eq!(values.len(), self.rows as usize, "one value for each row");
        let id = ObjectId(self.objects.len() as u32);
        let columns = BTreeMap::from([(0, Column::values(values))]);
        let rest = States::All(State::Unknown);
        self.objects.push(Object {
            name: name.into(),
            ty,
            constant: false,
            volatile: false,
            rest,
            columns,
            cells: 1,
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
    fn pointers_survive_their_encoding() {
        let (object, cell) = (ObjectId(7), END - 1);
        let far = [
            Pointer::To { object, cell },
            Pointer::End { object, cell },
            Pointer::function("f"),
        ];
        for pointer in [Pointer::Null, Pointer::Unknown].into_iter().chain(far) {
            assert_eq!(Pointer::decode(pointer.encode()), pointer);
        }
    }

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
