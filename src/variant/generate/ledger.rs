//! What every object holds while a program is written: in each row, and inside a loop whose
//! turns do not depend on each other, in each turn of each row.
//!
//! A *position* is one time that a statement runs. Outside loops the positions are the rows of
//! the table, one for each input vector. A loop of independent turns has a [`Space`] of its own
//! with a position for every turn of every position around it, so that one evaluation of a
//! statement covers all its turns. Some positions are *active*: those that reach the statement
//! that is being written.

use crate::code::ctype::{Type, Types};
use crate::code::session::Session;
use crate::code::table::{ObjectId, Pointer, Table};
use std::rc::Rc;

/// The positions of a loop's body, or of code outside loops.
#[derive(Debug)]
struct Space {
    /// The row of each position.
    rows: Rc<[u32]>,
    /// Which position of the space around each belongs to; empty in the outermost.
    outer: Rc<[u32]>,
    /// What the variables of the body hold at each position.
    locals: Vec<Vec<i64>>,
    /// What was active around the loop.
    around: ActiveSet,
}

/// The active positions, with a number that no other set has.
#[derive(Clone, Debug)]
pub(super) struct ActiveSet {
    positions: Rc<[u32]>,
    pub(super) id: u64,
}

impl ActiveSet {
    pub(super) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// Where a scalar lies at each of the active positions.
#[derive(Clone, Debug)]
pub(super) enum Address {
    /// A cell that is the same for all.
    Fixed(ObjectId, u32),
    /// A cell for each.
    Each(Vec<(ObjectId, u32)>),
    /// A variable of a loop's body, by the number of the space and its own.
    Local { space: usize, index: usize },
}

/// Calls that may be open where a statement stands that is run by itself when it is written:
/// functions are written inside others, but not deeper.
const AROUND: u32 = 8;

/// All that is known.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) session: Session,
    spaces: Vec<Space>,
    active: ActiveSet,
    sets: u64,
}

impl Ledger {
    pub(super) fn new(types: Types, rows: u32) -> Ledger {
        let all: Rc<[u32]> = (0..rows).collect();
        let active = ActiveSet {
            positions: all.clone(),
            id: 0,
        };
        let space = Space {
            rows: all,
            outer: Rc::default(),
            locals: Vec::new(),
            around: active.clone(),
        };
        let mut session = Session::new(types, rows);
        session.set_open_calls(AROUND);
        Ledger {
            session,
            spaces: vec![space],
            active,
            sets: 0,
        }
    }

    fn space(&self) -> &Space {
        self.spaces.last().expect("the outermost space stays")
    }

    /// How many positions are active.
    pub(super) fn len(&self) -> usize {
        self.active.positions.len()
    }

    /// Whether the positions are rows, so that statements can be run one by one.
    pub(super) fn is_outermost(&self) -> bool {
        self.spaces.len() == 1
    }

    /// How many loops are open.
    pub(super) fn depth(&self) -> usize {
        self.spaces.len() - 1
    }

    pub(super) fn active(&self) -> &ActiveSet {
        &self.active
    }

    /// The rows of the active positions.
    pub(super) fn rows(&self) -> Vec<u32> {
        let rows = &self.space().rows;
        let positions = self.active.positions.iter();
        positions.map(|position| rows[*position as usize]).collect()
    }

    /// Makes other positions active, and gives those that were.
    pub(super) fn activate(&mut self, set: ActiveSet) -> ActiveSet {
        std::mem::replace(&mut self.active, set)
    }

    /// The active positions in which a condition holds, and those in which it does not.
    pub(super) fn split(&mut self, condition: &[i64]) -> [ActiveSet; 2] {
        let pick = |truth: bool| {
            let positions = self.active.positions.iter().zip(condition);
            let positions = positions.filter(|(_, value)| (**value != 0) == truth);
            positions.map(|(position, _)| *position).collect()
        };
        let (yes, no): (Rc<[u32]>, Rc<[u32]>) = (pick(true), pick(false));
        [self.named(yes), self.named(no)]
    }

    /// Takes rows out of the active positions, which are rows themselves.
    pub(super) fn drop_rows(&mut self, gone: &[u32]) {
        let left = self.active.positions.iter();
        let left = left.filter(|position| !gone.contains(position));
        let left = left.copied().collect();
        self.active = self.named(left);
    }

    /// Runs something for the active rows, outside loops.
    pub(super) fn run<T>(&mut self, run: impl FnOnce(&mut Session) -> T) -> T {
        self.session.activate_list(self.active.positions.to_vec());
        let result = run(&mut self.session);
        self.session.deactivate();
        result
    }

    /// Adds an object that holds zeros.
    pub(super) fn add_object(&mut self, name: &str, ty: Type) -> Option<ObjectId> {
        self.session.global(name, ty, Vec::new())
    }

    pub(super) fn table(&self) -> &Table {
        self.session.table()
    }

    fn named(&mut self, positions: Rc<[u32]>) -> ActiveSet {
        if positions.len() == self.active.positions.len() {
            return self.active.clone();
        }
        self.sets += 1;
        ActiveSet {
            positions,
            id: self.sets,
        }
    }

    /// Opens a loop with a number of turns for each active position; all turns are active.
    pub(super) fn open_loop(&mut self, turns: &[u32]) {
        let (mut rows, mut outer) = (Vec::new(), Vec::new());
        let around = self.space();
        for (position, turns) in self.active.positions.iter().zip(turns) {
            for _ in 0..*turns {
                rows.push(around.rows[*position as usize]);
                outer.push(*position);
            }
        }
        self.sets += 1;
        let all = ActiveSet {
            positions: (0..rows.len() as u32).collect(),
            id: self.sets,
        };
        let around = self.activate(all);
        self.spaces.push(Space {
            rows: rows.into(),
            outer: outer.into(),
            locals: Vec::new(),
            around,
        });
    }

    pub(super) fn close_loop(&mut self) {
        if self.spaces.len() > 1
            && let Some(space) = self.spaces.pop()
        {
            self.active = space.around;
        }
    }

    /// For each active position the index, among the positions that were active around the
    /// loop, of the one it belongs to.
    pub(super) fn owners(&self) -> Vec<usize> {
        let space = self.space();
        let around = &space.around.positions;
        let positions = self.active.positions.iter();
        let outer = positions.map(|position| space.outer[*position as usize]);
        outer
            .map(|outer| around.binary_search(&outer).unwrap_or(0))
            .collect()
    }

    /// Adds a variable to the body of the innermost loop, with a value at each active position.
    pub(super) fn add_local(&mut self, values: &[i64]) -> Address {
        let space = self.spaces.len() - 1;
        let index = self.space().locals.len();
        let mut all = vec![0; self.space().rows.len()];
        for (position, value) in self.active.positions.iter().zip(values) {
            all[*position as usize] = *value;
        }
        self.spaces[space].locals.push(all);
        Address::Local { space, index }
    }

    /// The position of an outer space that an active one belongs to.
    fn in_space(&self, space: usize, mut position: u32) -> usize {
        for inner in self.spaces[space + 1..].iter().rev() {
            position = inner.outer[position as usize];
        }
        position as usize
    }

    /// What lies there at each active position; `None` if nothing does at some.
    pub(super) fn read(&self, address: &Address) -> Option<Vec<i64>> {
        let positions = &self.active.positions;
        let rows = &self.space().rows;
        match address {
            Address::Fixed(object, cell) => {
                let object = self.table().object(*object);
                let values = positions.iter();
                values
                    .map(|position| object.get(*cell, rows[*position as usize]).ok())
                    .collect()
            }
            Address::Each(cells) => {
                let values = positions.iter().zip(cells);
                values
                    .map(|(position, (object, cell))| {
                        let object = self.table().object(*object);
                        object.get(*cell, rows[*position as usize]).ok()
                    })
                    .collect()
            }
            Address::Local { space, index } => {
                let values = &self.spaces[*space].locals[*index];
                let read = positions
                    .iter()
                    .map(|position| values[self.in_space(*space, *position)]);
                Some(read.collect())
            }
        }
    }

    /// Writes a value at each active position.
    pub(super) fn write(&mut self, address: &Address, values: &[i64]) {
        let positions = self.active.positions.clone();
        let rows = self.space().rows.clone();
        for (index, (position, value)) in positions.iter().zip(values).enumerate() {
            let row = rows[*position as usize];
            match address {
                Address::Fixed(object, cell) => self.session.set_cell(*object, *cell, row, *value),
                Address::Each(cells) => {
                    let (object, cell) = cells[index];
                    self.session.set_cell(object, cell, row, *value);
                }
                Address::Local { space, index } => {
                    let position = self.in_space(*space, *position);
                    self.spaces[*space].locals[*index][position] = *value;
                }
            }
        }
    }

    /// What pointers with these carriers point to; `None` if one points to nothing.
    pub(super) fn targets(&self, pointers: &[i64]) -> Option<Vec<(ObjectId, u32)>> {
        let targets = pointers.iter();
        targets
            .map(|carrier| match Pointer::decode(*carrier) {
                Pointer::To { object, cell } => Some((object, cell)),
                _ => None,
            })
            .collect()
    }
}
