//! Columns: one cell in all rows, with the reason where it has no value.

use serde::{Deserialize, Serialize};

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

    /// Whether some row has a state.
    pub(in super::super) fn contain(&self, state: State) -> bool {
        match self {
            States::All(all) => *all == state,
            States::Each(states) => states.contains(&state),
        }
    }

    pub(in super::super) fn set(&mut self, rows: u32, row: u32, state: State) {
        match self {
            States::All(all) if *all == state => {}
            States::All(all) => {
                let mut each = vec![*all; rows as usize];
                each[row as usize] = state;
                *self = States::Each(each);
            }
            States::Each(states) => {
                states[row as usize] = state;
            }
        }
    }
}

/// When a column was last written, in the count of a session's steps; says
/// nothing of what it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Stamp(pub(in super::super) u64);

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
    pub(in super::super) states: States,
    pub(in super::super) values: Vec<i64>,
    #[serde(skip)]
    pub(in super::super) stamp: Stamp,
}

impl Column {
    /// A value in every row.
    pub fn values(values: Vec<i64>) -> Column {
        Column {
            states: States::All(State::Value),
            values,
            stamp: Stamp::default(),
        }
    }

    /// A value, or the reason why there is none, in every row.
    // Used by tests only.
    pub fn mixed(cells: &[Result<i64, State>]) -> Column {
        let values = cells.iter().map(|cell| cell.unwrap_or(0)).collect();
        let states = cells
            .iter()
            .map(|cell| cell.err().unwrap_or(State::Value))
            .collect();
        Column {
            states: States::Each(states),
            values,
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

    /// A column of which nothing is known but the states.
    pub(in super::super) fn without_values(states: States, rows: u32) -> Column {
        Column {
            states,
            values: vec![0; rows as usize],
            stamp: Stamp::default(),
        }
    }

    /// Whether some row may be outside the object's lifetime.
    pub(in super::super) fn may_be_dead(&self) -> bool {
        self.states.contain(State::Dead)
    }

    /// Says what one of `rows` rows holds.
    pub(in super::super) fn put(&mut self, row: u32, rows: u32, value: Result<i64, State>) {
        let state = value.err().unwrap_or(State::Value);
        self.states.set(rows, row, state);
        self.values[row as usize] = value.unwrap_or(0);
    }
}
