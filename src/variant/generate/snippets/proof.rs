//! Snippets run on all rows of their inputs, and inputs exchanged where they are undefined.

use super::{Snippet, SnippetWriter};
use crate::code::expr::Expr;
use crate::code::session::Session;
use crate::code::stmt::Stmt;
use crate::code::table::Column;
use crate::code::trouble::Stop;
use rand::Rng;
use std::collections::BTreeSet;

/// Instructions that a row may execute.
const STEPS: u64 = 2_000;
/// How often inputs of a snippet are drawn anew.
const REDRAWN: u32 = 6;

impl SnippetWriter {
    /// The snippet that was written, with inputs for which it is defined. `None` if there are
    /// hardly any.
    pub(super) fn proven(&mut self) -> Option<Snippet> {
        let mut snippet = std::mem::take(&mut self.snippet);
        let mut left = REDRAWN;
        let mut bad = BTreeSet::new();
        loop {
            let good: Vec<u32> = (0..self.rows).filter(|row| !bad.contains(row)).collect();
            if good.is_empty() || good.len() * 4 < self.rows as usize {
                return None;
            }
            match self.failing_row(&snippet, &good) {
                Ok(None) => {
                    for row in bad {
                        let other = good[self.dice.random_range(0..good.len())];
                        let inputs = snippet.inputs.iter_mut();
                        inputs.for_each(|input| input.fill.copy_row(other, row));
                    }
                    return Some(snippet);
                }
                Ok(Some(row)) if left > 0 => {
                    left -= 1;
                    self.redraw(&mut snippet, row);
                }
                Ok(Some(row)) => {
                    bad.insert(row);
                }
                Err(()) => return None,
            }
        }
    }

    /// The first of the given rows in which it is undefined; an error if it cannot be run.
    fn failing_row(&self, snippet: &Snippet, rows: &[u32]) -> Result<Option<u32>, ()> {
        let mut session = Session::new(self.types.clone(), rows.len() as u32);
        session.set_step_limit(STEPS);
        for global in snippet.inputs.iter().chain(&snippet.outputs) {
            let cells = self.types.cells(&global.var.ty).ok_or(())?;
            let columns = (0..cells).map(|cell| {
                let all = global.fill.column(cell);
                Column::values(rows.iter().map(|row| all[*row as usize]).collect())
            });
            let (name, ty) = (&global.var.name, global.var.ty.clone());
            session.global(name, ty, columns.collect()).ok_or(())?;
        }
        for definition in &snippet.functions {
            session.define(&definition.function).map_err(|_| ())?;
        }
        let test = snippet.test().ok_or(())?;
        let call = Stmt::Expr(Expr::call(test, Vec::new()));
        match session.step(&call) {
            Ok(exits) if exits.ends() => Ok(None),
            Err(Stop::Trouble(trouble)) => Ok(rows.get(trouble.row as usize).copied()),
            Ok(_) | Err(Stop::Mistake(_)) => Err(()),
        }
    }

    fn redraw(&mut self, snippet: &mut Snippet, row: u32) {
        for input in &mut snippet.inputs {
            let values = self.row_of(&input.var);
            input.fill.set_row(row, values);
        }
    }
}
