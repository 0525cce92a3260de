//! The environment of an evaluation over ranges.

use super::super::ctype::{Type, Types};
use super::super::plan::Cut;
use super::super::scalar::ScalarKind;
use super::super::table::{Object, ObjectId, State, Table};
use super::super::types::IntKind;
use super::{Range, wrap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Objects, and what is known of each of their cells in all visits together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranges {
    /// The objects; there are no rows.
    pub(super) table: Table,
    #[serde(with = "cells")]
    pub(super) cells: BTreeMap<(ObjectId, u32), Cell>,
}

/// What is known of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cell {
    Value(Range),
    /// There is no value, at least in some visits.
    Without(State),
}

impl Cell {
    pub(super) fn join(self, other: Cell) -> Cell {
        match (self, other) {
            (Cell::Value(one), Cell::Value(two)) => Cell::Value(one.join(two)),
            // Undefined beats unknown: both keep the cell from being read.
            (Cell::Without(State::Unknown), without @ Cell::Without(_)) => without,
            (without @ Cell::Without(_), _) => without,
            (_, without @ Cell::Without(_)) => without,
        }
    }
}

impl Ranges {
    /// No objects.
    pub fn new() -> Ranges {
        Ranges {
            table: Table::new(0),
            cells: BTreeMap::new(),
        }
    }

    /// What the rows of a table have in common: the least ranges that contain
    /// them. Pointers become unknown.
    // Used by tests only.
    pub fn of_table(types: &Types, table: &Table) -> Ranges {
        let mut ranges = Ranges {
            table: table.select(&[]),
            cells: BTreeMap::new(),
        };
        for (id, object) in table.objects() {
            for cell in object.columns.keys() {
                let known = of_column(types, object, *cell, table.rows());
                ranges.cells.insert((id, *cell), known);
            }
        }
        ranges
    }

    /// Adds a variable, all of whose cells have the given state; with
    /// [`State::Value`] they are 0. `None` if its type is incomplete.
    pub fn add(&mut self, types: &Types, name: &str, ty: Type, rest: State) -> Option<ObjectId> {
        self.table.add(types, name, ty, rest)
    }

    /// Says what a cell holds.
    pub fn set(&mut self, object: ObjectId, cell: u32, range: Range) {
        assert!(cell < self.table.object(object).cells(), "cell {cell}");
        self.cells.insert((object, cell), Cell::Value(range));
    }

    /// What a cell holds, or the reason why it holds nothing we know.
    // Used by tests only.
    pub fn get(&self, object: ObjectId, cell: u32) -> Result<Range, State> {
        match self.cell(object, cell) {
            Cell::Value(range) => Ok(range),
            Cell::Without(state) => Err(state),
        }
    }

    /// The objects.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// The object that a name means.
    pub fn find(&self, name: &str) -> Option<ObjectId> {
        self.table.find(name)
    }

    pub(super) fn cell(&self, object: ObjectId, cell: u32) -> Cell {
        match self.cells.get(&(object, cell)) {
            Some(known) => *known,
            None => match self.table.object(object).rest_state() {
                State::Value => Cell::Value(Range::one(0)),
                state => Cell::Without(state),
            },
        }
    }

    /// What holds whichever of two branches was taken.
    pub(super) fn join(&mut self, other: &Ranges) {
        let keys: Vec<_> = self
            .cells
            .keys()
            .chain(other.cells.keys())
            .copied()
            .collect();
        for (object, cell) in keys {
            let joined = self.cell(object, cell).join(other.cell(object, cell));
            self.cells.insert((object, cell), joined);
        }
        let objects: Vec<ObjectId> = self.table.objects().map(|(id, _)| id).collect();
        for object in objects {
            let (mine, theirs) = (
                self.table.object(object).rest_state(),
                other.table.object(object).rest_state(),
            );
            // A cell that has a value on one branch only may have none.
            if mine == State::Value || (mine == State::Unknown && theirs != State::Value) {
                self.table.set_rest(object, theirs);
            }
        }
    }
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges::new()
    }
}

fn of_column(types: &Types, object: &Object, cell: u32, rows: u32) -> Cell {
    let Some(ScalarKind::Int(kind)) = types.scalar_at(&object.ty, cell) else {
        return Cell::Without(State::Unknown);
    };
    let mut known: Option<Cell> = None;
    for row in 0..rows {
        let here = match object.get(cell, row) {
            Ok(carrier) => Cell::Value(ranged(types, carrier, kind)),
            Err(state) => Cell::Without(state),
        };
        known = Some(known.map_or(here, |known| known.join(here)));
    }
    known.unwrap_or(Cell::Without(State::Unknown))
}

fn ranged(types: &Types, carrier: i64, kind: IntKind) -> Range {
    match kind {
        IntKind::Bool => Range::one(carrier.into()),
        _ => wrap::cut(Cut::to(kind, types.target), Range::one(carrier.into())),
    }
}

/// JSON has no maps with pairs as keys.
mod cells {
    use super::{BTreeMap, Cell, ObjectId};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct CellEntry {
        object: ObjectId,
        cell: u32,
        #[serde(flatten)]
        known: Cell,
    }

    pub(super) fn serialize<S: Serializer>(
        cells: &BTreeMap<(ObjectId, u32), Cell>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let entries = cells.iter().map(|((object, cell), known)| CellEntry {
            object: *object,
            cell: *cell,
            known: *known,
        });
        serializer.collect_seq(entries)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<(ObjectId, u32), Cell>, D::Error> {
        let entries = Vec::<CellEntry>::deserialize(deserializer)?;
        Ok(entries
            .into_iter()
            .map(|entry| ((entry.object, entry.cell), entry.known))
            .collect())
    }
}
