//! What cells held before they were written, so that a session can go back.
//!
//! A cell is noted once between two marks, however often it is written: its
//! column carries the number of the mark since which it was noted. Objects that
//! were added since the last mark vanish on the way back, so nothing of them is
//! noted at all.

use super::super::table::{Column, Object, Stamp, States, Table};
use std::collections::BTreeMap;

/// The way back, if there must be one.
#[derive(Debug, Default)]
pub(in super::super) struct Undo {
    /// The number of the last mark; 0 as long as nothing is noted.
    epoch: u64,
    /// The objects that existed at the last mark.
    known: u32,
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Cell {
        object: u32,
        cell: u32,
        was: Option<Column>,
    },
    Object {
        object: u32,
        rest: States,
        columns: BTreeMap<u32, Column>,
    },
}

/// A state to go back to.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct UndoMark {
    entries: usize,
}

impl Undo {
    /// Notes everything that is written from here on.
    pub(in super::super) fn mark(&mut self, table: &Table) -> UndoMark {
        self.epoch += 1;
        self.known = table.objects.len() as u32;
        UndoMark {
            entries: self.entries.len(),
        }
    }

    /// Goes back to a mark.
    pub(in super::super) fn rollback(&mut self, table: &mut Table, mark: UndoMark) {
        while self.entries.len() > mark.entries {
            match self.entries.pop().expect("there is one more") {
                Entry::Cell { object, cell, was } => {
                    let columns = &mut table.objects[object as usize].columns;
                    match was {
                        Some(column) => columns.insert(cell, column),
                        None => columns.remove(&cell),
                    };
                }
                Entry::Object {
                    object,
                    rest,
                    columns,
                } => {
                    let object = &mut table.objects[object as usize];
                    (object.rest, object.columns) = (rest, columns);
                }
            }
        }
        self.epoch += 1;
        self.known = table.objects.len() as u32;
    }

    /// Forgets the way back.
    pub(in super::super) fn forget(&mut self) {
        self.entries.clear();
    }

    pub(super) fn stamp(&self) -> Stamp {
        Stamp(self.epoch)
    }

    /// Whether what a column holds must be noted before it is written.
    pub(super) fn wants(&self, object: usize, column: Option<&Column>) -> bool {
        self.epoch != 0
            && (object as u32) < self.known
            && column.is_none_or(|column| column.stamp.0 != self.epoch)
    }

    pub(super) fn note_cell(&mut self, object: usize, cell: u32, was: Option<Column>) {
        let object = object as u32;
        self.entries.push(Entry::Cell { object, cell, was });
    }

    /// Notes an object all of whose cells are about to change.
    pub(super) fn note_object(&mut self, index: usize, object: &Object) {
        if self.epoch != 0 && (index as u32) < self.known {
            self.entries.push(Entry::Object {
                object: index as u32,
                rest: object.rest.clone(),
                columns: object.columns.clone(),
            });
        }
    }
}
