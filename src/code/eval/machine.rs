//! Evaluation of planned expressions over rows.
//!
//! Values are dense: an expression evaluated for 10 of 200 rows gives 10
//! values. Short-circuit operators and `?:` evaluate an operand only for the
//! rows that reach it, by splitting the set of rows; no operator ever sees a
//! row it does not apply to, so no kernel needs a mask.

use super::super::ctype::Types;
use super::super::op::LogicalOp;
use super::super::plan::{Code, Form, Full, Node};
use super::super::table::{ObjectId, Table};
use super::super::trouble::{Cause, Trouble, Undefined};
use super::kernel;
use super::log::{Log, Where};
use super::rows::Rows;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) type Values = Result<Vec<i64>, Trouble>;

/// The state of an evaluation.
pub(super) struct Machine<'a> {
    pub(super) types: &'a Types,
    /// Written only when something is stored.
    pub(super) table: Cow<'a, Table>,
    pub(super) functions: &'a BTreeMap<Arc<str>, Code>,
    /// The code that is running, and the objects of its locals.
    pub(super) code: &'a Code,
    pub(super) function: Option<Arc<str>>,
    pub(super) frame: Vec<ObjectId>,
    /// The values that the updates around the current node have read.
    pub(super) old: Vec<Vec<i64>>,
    pub(super) log: Log,
    /// Instructions done, by row.
    pub(super) steps: Vec<u64>,
    pub(super) step_limit: u64,
    pub(super) depth: u32,
}

impl<'a> Machine<'a> {
    pub(super) fn trouble(&self, cause: impl Into<Cause>, at: u32, row: u32) -> Trouble {
        Trouble {
            cause: cause.into(),
            path: self.code.paths[at as usize].clone(),
            function: self.function.clone(),
            row,
        }
    }

    fn kernel(&self, fault: kernel::Fault, at: u32, rows: &Rows) -> Trouble {
        self.trouble(fault.0, at, rows.list()[fault.1])
    }

    /// Evaluates a full expression.
    pub(super) fn full(&mut self, full: &Full, rows: &Rows) -> Values {
        let (was_on, mark) = (self.log.on, self.log.mark());
        self.log.on |= full.logged;
        let values = self.eval(&full.node, rows)?;
        self.log.on = was_on;
        if was_on {
            self.log.settle(mark);
        } else {
            self.log.truncate(mark);
        }
        Ok(values)
    }

    /// Reports a conflict between what was done since `start` up to `middle`
    /// and what was done since.
    pub(super) fn unordered(&self, start: usize, middle: usize, at: u32) -> Result<(), Trouble> {
        if !self.log.on {
            return Ok(());
        }
        match self.log.conflict(start..middle, middle..self.log.mark()) {
            Some(row) => Err(self.trouble(Undefined::Unsequenced, at, row)),
            None => Ok(()),
        }
    }

    /// Both operands of an operator that does not order them.
    fn pair(
        &mut self,
        left: &Node,
        right: &Node,
        rows: &Rows,
        at: u32,
    ) -> Result<(Vec<i64>, Vec<i64>), Trouble> {
        let start = self.log.mark();
        let left = self.eval(left, rows)?;
        let middle = self.log.mark();
        let right = self.eval(right, rows)?;
        self.unordered(start, middle, at)?;
        Ok((left, right))
    }

    pub(super) fn eval(&mut self, node: &Node, rows: &Rows) -> Values {
        match node {
            Node::Const(carrier) => Ok(vec![*carrier; rows.len()]),
            Node::Load { place, at } => {
                let from = self.locate(place, rows)?;
                self.log.note(&from, rows, false);
                self.table
                    .load(&from, rows)
                    .map_err(|(cause, row)| self.trouble(cause, *at, row))
            }
            Node::Old => Ok(self.old.last().expect("inside an update").clone()),
            Node::Address(place) => Ok(match self.locate(place, rows)? {
                Where::Same(address) => vec![address; rows.len()],
                Where::Each(addresses) => addresses,
            }),
            Node::Convert { cut, value } => Ok(kernel::cut(*cut, self.eval(value, rows)?)),
            Node::PointerTruth { value, at } => {
                let mut values = self.eval(value, rows)?;
                self.known(&values, rows, *at)?;
                values
                    .iter_mut()
                    .for_each(|value| *value = i64::from(*value != 0));
                Ok(values)
            }
            Node::Not(value) => Ok(kernel::not(self.eval(value, rows)?)),
            Node::Negate { form, value, at } => {
                let values = self.eval(value, rows)?;
                kernel::negate(*form, values).map_err(|fault| self.kernel(fault, *at, rows))
            }
            Node::Complement { form, value } => {
                Ok(kernel::complement(*form, self.eval(value, rows)?))
            }
            Node::Arith {
                op,
                form,
                left,
                right,
                at,
            } => {
                let (left, right) = self.pair(left, right, rows, *at)?;
                kernel::arith(*op, *form, &left, &right)
                    .map_err(|fault| self.kernel(fault, *at, rows))
            }
            Node::Shift {
                op,
                form,
                left,
                right,
                count,
                at,
            } => {
                let (left, right) = self.pair(left, right, rows, *at)?;
                kernel::shift(*op, *form, &left, &right, *count)
                    .map_err(|fault| self.kernel(fault, *at, rows))
            }
            Node::Compare {
                op,
                form,
                left,
                right,
                at,
            } => {
                let (left, right) = self.pair(left, right, rows, *at)?;
                Ok(kernel::compare(*op, *form, &left, &right))
            }
            Node::Same {
                negated,
                left,
                right,
                at,
            } => {
                let (mut left, right) = self.pair(left, right, rows, *at)?;
                self.known(&left, rows, *at)?;
                self.known(&right, rows, *at)?;
                for (left, right) in left.iter_mut().zip(&right) {
                    *left = i64::from((*left == *right) != *negated);
                }
                Ok(left)
            }
            Node::Move {
                pointer,
                by,
                form,
                backwards,
                to,
                followed,
                at,
            } => {
                let (mut pointers, by) = self.pair(pointer, by, rows, *at)?;
                for ((pointer, by), row) in pointers.iter_mut().zip(by).zip(rows.list()) {
                    let by = match form {
                        Form::U64 => i128::from(by as u64),
                        _ => i128::from(by),
                    };
                    let by = if *backwards { -by } else { by };
                    *pointer = self
                        .moved(*pointer, by, to, *followed)
                        .map_err(|cause| self.trouble(cause, *at, *row))?;
                }
                Ok(pointers)
            }
            Node::Logical { op, left, right } => {
                let start = self.log.mark();
                let mut values = self.eval(left, rows)?;
                self.log.settle(start);
                let [yes, no] = rows.split(&values, self.table.rows());
                let (decided, (rest, positions)) = match op {
                    LogicalOp::And => (0, yes),
                    LogicalOp::Or => (1, no),
                };
                values.fill(decided);
                if !rest.is_empty() {
                    let more = self.eval(right, &rest)?;
                    for (position, value) in positions.iter().zip(more) {
                        values[*position as usize] = i64::from(value != 0);
                    }
                }
                Ok(values)
            }
            Node::Choose { condition, yes, no } => {
                let start = self.log.mark();
                let mut values = self.eval(condition, rows)?;
                self.log.settle(start);
                let parts = rows.split(&values, self.table.rows());
                for (node, (rest, positions)) in [yes, no].into_iter().zip(parts) {
                    if rest.is_empty() {
                        continue;
                    }
                    let chosen = self.eval(node, &rest)?;
                    for (position, value) in positions.iter().zip(chosen) {
                        values[*position as usize] = value;
                    }
                }
                Ok(values)
            }
            Node::Comma { left, right } => {
                let start = self.log.mark();
                self.eval(left, rows)?;
                self.log.settle(start);
                self.eval(right, rows)
            }
            Node::Store { place, value, at } => {
                let start = self.log.mark();
                let to = self.locate(place, rows)?;
                let middle = self.log.mark();
                let values = self.eval(value, rows)?;
                self.unordered(start, middle, *at)?;
                self.write(&to, rows, &values, start, *at)?;
                Ok(values)
            }
            Node::Update {
                place,
                value,
                gives_old,
                at,
            } => {
                let start = self.log.mark();
                let to = self.locate(place, rows)?;
                self.log.note(&to, rows, false);
                let old = self.table.load(&to, rows);
                let old = old.map_err(|(cause, row)| self.trouble(cause, *at, row))?;
                let middle = self.log.mark();
                self.old.push(old);
                let values = self.eval(value, rows);
                let old = self.old.pop().expect("pushed above");
                let values = values?;
                self.unordered(start, middle, *at)?;
                self.write(&to, rows, &values, start, *at)?;
                Ok(if *gives_old { old } else { values })
            }
            Node::Copy {
                to,
                from,
                cells,
                at,
            } => {
                let start = self.log.mark();
                let to = self.locate(to, rows)?;
                let middle = self.log.mark();
                let from = self.locate(from, rows)?;
                self.unordered(start, middle, *at)?;
                for cell in 0..*cells {
                    let to = shifted(&to, cell);
                    self.log.note(&shifted(&from, cell), rows, false);
                    if let Some(row) = self.log.overtakes(start, &to, rows) {
                        return Err(self.trouble(Undefined::Unsequenced, *at, row));
                    }
                    self.log.note(&to, rows, true);
                }
                let copied = self.table.to_mut().copy(&to, &from, *cells, rows);
                copied.map_err(|(cause, row)| self.trouble(cause, *at, row))?;
                Ok(vec![0; rows.len()])
            }
            Node::Together { stores, at } => {
                let start = self.log.mark();
                for store in stores {
                    let middle = self.log.mark();
                    self.eval(store, rows)?;
                    self.unordered(start, middle, *at)?;
                }
                Ok(vec![0; rows.len()])
            }
            Node::Call {
                callee,
                args,
                gives_value,
                at,
            } => {
                let start = self.log.mark();
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    let middle = self.log.mark();
                    values.push(self.eval(arg, rows)?);
                    self.unordered(start, middle, *at)?;
                }
                self.log.settle(start);
                let results = self.call(callee, values, *gives_value, *at, rows)?;
                self.log.settle(start);
                Ok(results)
            }
        }
    }

    fn write(
        &mut self,
        to: &Where,
        rows: &Rows,
        values: &[i64],
        start: usize,
        at: u32,
    ) -> Result<(), Trouble> {
        if let Some(row) = self.log.overtakes(start, to, rows) {
            return Err(self.trouble(Undefined::Unsequenced, at, row));
        }
        self.log.note(to, rows, true);
        let stored = self.table.to_mut().store(to, rows, values);
        stored.map_err(|(cause, row)| self.trouble(cause, at, row))
    }
}

fn shifted(place: &Where, cells: u32) -> Where {
    match place {
        Where::Same(address) => Where::Same(address + i64::from(cells)),
        Where::Each(addresses) => Where::Each(
            addresses
                .iter()
                .map(|address| address + i64::from(cells))
                .collect(),
        ),
    }
}
