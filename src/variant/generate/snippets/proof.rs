//! Snippets run on all rows of their inputs, and inputs exchanged where they are undefined.

use super::{Snippet, SnippetWriter};
use crate::code::expr::Expr;
use crate::code::session::Session;
use crate::code::stmt::Stmt;
use crate::code::table::Column;
use crate::code::trouble::{Refused, Stop};
use crate::variant::generate::tree::TreeGlobal;
use rand::Rng;
use std::collections::BTreeSet;

/// Instructions that a row may execute.
const STEPS: u64 = 1_000;
/// How often inputs of a snippet are drawn anew.
const REDRAWN: u32 = 6;
/// Of a hundred snippets that come to the same in all rows, so many are kept.
const KEPT: u32 = 10;

impl SnippetWriter {
    /// The snippet that was written, with inputs for which it is defined. `None` if there are
    /// hardly any, or if they do not matter.
    pub(super) fn proven(&mut self) -> Option<Snippet> {
        let mut snippet = std::mem::take(&mut self.snippet);
        let mut left = REDRAWN;
        let mut bad = BTreeSet::new();
        loop {
            let good: Vec<u32> = (0..self.rows).filter(|row| !bad.contains(row)).collect();
            if good.is_empty() || good.len() * 4 < self.rows as usize {
                return None;
            }
            match self.run(&snippet, &good)? {
                Ok(session) => {
                    if !self.results_vary(&snippet, &session, &good)? && !self.percent(KEPT) {
                        return None;
                    }
                    for row in bad {
                        let other = good[self.dice.random_range(0..good.len())];
                        let inputs = snippet.inputs.iter_mut();
                        inputs.for_each(|input| input.fill.copy_row(other, row));
                    }
                    return Some(snippet);
                }
                Err(row) if left > 0 => {
                    left -= 1;
                    self.redraw(&mut snippet, row);
                }
                Err(row) => {
                    bad.insert(row);
                }
            }
        }
    }

    /// Runs it on the given rows: what all variables hold then, or the first row in which it is
    /// undefined. `None` if it cannot be run.
    fn run(&self, snippet: &Snippet, rows: &[u32]) -> Option<Result<Session, u32>> {
        let mut session = Session::new(self.types.clone(), rows.len() as u32);
        session.set_step_limit(snippet.steps.max(STEPS));
        for global in snippet.globals() {
            let columns = self.start_of(global, rows)?.into_iter();
            let columns = columns.map(Column::values).collect();
            let object = session.global(&global.var.name, global.var.ty.clone(), columns)?;
            if global.is_volatile {
                session.set_volatile(object);
            }
        }
        for pointer in &snippet.pointers {
            pointer.add_to(&mut session)?;
        }
        for definition in &snippet.functions {
            session.define(&definition.function).ok()?;
        }
        let call = Stmt::Expr(Expr::call(snippet.test()?, Vec::new()));
        match session.step(&call) {
            Ok(exits) if exits.ends() => Some(Ok(session)),
            // With other inputs it would hardly end sooner, and finding that out is dear.
            Err(Stop::Trouble(trouble)) if trouble.cause == Refused::StepLimit.into() => None,
            Err(Stop::Trouble(trouble)) => Some(Err(*rows.get(trouble.row as usize)?)),
            Ok(_) | Err(Stop::Mistake(_)) => None,
        }
    }

    /// What the cells of a global hold at the start, by row.
    fn start_of(&self, global: &TreeGlobal, rows: &[u32]) -> Option<Vec<Vec<i64>>> {
        let column = |cell| {
            let all = global.fill.column(cell);
            rows.iter().map(|row| all[*row as usize]).collect()
        };
        Some((0..self.types.cells(&global.var.ty)?).map(column).collect())
    }

    /// What the cells of a global hold at the end, by row. `None` if one of them holds nothing:
    /// a copy of something that was never written is defined, but what it copies is not.
    fn end_of(&self, global: &TreeGlobal, session: &Session) -> Option<Vec<Vec<i64>>> {
        let table = session.table();
        let object = table.object(table.find(&global.var.name)?);
        let column = |cell| {
            let rows = 0..table.rows();
            rows.map(|row| object.get(cell, row).ok()).collect()
        };
        (0..self.types.cells(&global.var.ty)?).map(column).collect()
    }

    /// Whether something that was computed differs between rows, if there are several: what
    /// comes to the same whatever the inputs are leaves an optimiser little to do. `None` if something is not
    /// known.
    fn results_vary(&self, snippet: &Snippet, session: &Session, rows: &[u32]) -> Option<bool> {
        let mut vary = false;
        for global in snippet.globals() {
            let start = self.start_of(global, rows)?;
            let end = self.end_of(global, session)?;
            let differs = |column: &Vec<i64>| {
                column.len() == 1 || column.iter().any(|value| *value != column[0])
            };
            let mut both = start.iter().zip(&end);
            vary |= both.any(|(start, end)| start != end && differs(end));
        }
        Some(vary)
    }

    fn redraw(&mut self, snippet: &mut Snippet, row: u32) {
        let Snippet { inputs, keys, .. } = snippet;
        for input in inputs.iter_mut().filter(|input| !keys.contains(&input.var)) {
            let values = self.row_of(&input.var);
            input.fill.set_row(row, values);
        }
    }
}
