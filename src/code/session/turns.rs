//! The turns of a loop as rows of their own, for loops whose turns are
//! independent.
//!
//! With R rows and T turns a statement of the body is run for R × T rows at
//! once, and is known to be defined in all turns when that succeeds. What the
//! variables held before is not copied: a column that is shorter than the table
//! serves the turns of a row alike. Afterwards everything is taken back and the
//! finished loop is run for the R rows, which also tells whether its turns were
//! independent.

use super::super::expr::Expr;
use super::super::rows::{Rows, UndoMark};
use super::super::stmt::Stmt;
use super::super::table::{ObjectId, Pointer, State};
use super::super::trouble::{Mistake, Stop};
use super::Session;
use super::scope::OpenScope;
use std::rc::Rc;

/// What to go back to when turns are no longer rows.
#[derive(Debug)]
pub(super) struct Expansion {
    undo: UndoMark,
    scope: Option<Rc<OpenScope>>,
    active: Vec<Rows>,
    rows: u32,
    /// The objects there were before.
    objects: u32,
    /// The writes of the turns around, if these are rows, too.
    trail: Option<Vec<(i64, u32)>>,
}

/// What a cell of a row is to hold: its address, the row, the value.
type Predicted = (i64, u32, Result<i64, State>);

impl Session {
    /// The rows before any turns were made rows.
    pub(super) fn base_rows(&self) -> u32 {
        let first = self.expansions.first();
        first.map_or(self.table.rows(), |expansion| expansion.rows)
    }

    /// Makes the turns of a loop the active rows: for each row that is active
    /// now, the values that the counter has in its turns. The counter is an
    /// lvalue without computed parts. Ends with [`Session::settle`] or
    /// [`Session::collapse`].
    pub fn expand(&mut self, counter: &Expr, turns: &[Vec<i64>]) -> Result<(), Mistake> {
        assert_eq!(turns.len(), self.rows().len(), "turns for each row");
        let (place, _) = self.plan(|planner| planner.place(counter))?;
        if place.fixed().is_none() {
            let (what, path) = ("a counter with computed parts", Vec::new());
            return Err(Mistake { what, path });
        }
        let most = turns.iter().map(Vec::len).max().unwrap_or(0).max(1) as u32;
        self.marks += 1;
        let rows = self.table.rows();
        let mut list = Vec::new();
        for (row, values) in self.rows().list().iter().zip(turns) {
            list.extend((0..values.len() as u32).map(|turn| row * most + turn));
        }
        self.expansions.push(Expansion {
            undo: self.undo.mark(&self.table),
            scope: self.scope.clone(),
            active: self.active.clone(),
            rows,
            objects: self.table.objects.len() as u32,
            trail: self.undo.trail.take(),
        });
        self.table.rows = rows * most;
        self.active = vec![Rows::of(list, rows * most)];
        if !self.set(counter, &turns.concat()) {
            self.collapse();
            let (what, path) = ("a counter that cannot be written", Vec::new());
            return Err(Mistake { what, path });
        }
        self.undo.trail = Some(Vec::new());
        Ok(())
    }

    /// Takes back everything since the last [`Session::expand`].
    pub fn collapse(&mut self) {
        let expansion = self.expansions.pop().expect("expanded before");
        self.table.rows = expansion.rows;
        self.undo.rollback(&mut self.table, expansion.undo);
        self.undo.trail = expansion.trail;
        (self.scope, self.active) = (expansion.scope, expansion.active);
        self.marks -= 1;
        self.forget();
    }

    /// Takes back everything since the last [`Session::expand`] and runs the
    /// finished loop. Whether it did what its turns did on their own: if not,
    /// they depend on each other, and what the loop did counts.
    pub fn settle(&mut self, finished: &Stmt) -> Result<bool, Stop> {
        let predicted = self.predict();
        self.collapse();
        self.step(finished)?;
        let rows = self.table.rows();
        let agrees =
            |(address, row, value): &Predicted| self.held(*address, *row, rows) == Some(*value);
        Ok(predicted.iter().all(agrees))
    }

    /// What the last turn that wrote a cell has left in it.
    fn predict(&self) -> Vec<Predicted> {
        let expansion = self.expansions.last().expect("expanded before");
        let rows = self.table.rows();
        let turns = rows / expansion.rows;
        let is_older = |address: &i64| match Pointer::decode(*address) {
            Pointer::To { object, .. } => object < ObjectId(expansion.objects),
            _ => false,
        };
        let trail = self.undo.trail.iter().flatten();
        let mut written: Vec<(i64, u32)> = trail.copied().collect();
        written.retain(|(address, _)| is_older(address));
        // The rows of a row's turns are neighbours: its last turn comes last.
        written.sort_unstable();
        let same =
            |one: &(i64, u32), two: &(i64, u32)| one.0 == two.0 && one.1 / turns == two.1 / turns;
        let last = written.chunk_by(same).filter_map(|turns| turns.last());
        let value = |(address, row): &(i64, u32)| {
            let value = self.held(*address, *row, rows)?;
            Some((*address, row / turns, value))
        };
        last.filter_map(value).collect()
    }

    /// What a cell holds in a row.
    fn held(&self, address: i64, row: u32, rows: u32) -> Option<Result<i64, State>> {
        let Pointer::To { object, cell } = Pointer::decode(address) else {
            return None;
        };
        let object = self.table.objects.get(object.0 as usize)?;
        Some(object.shared(cell, row, rows))
    }
}
