//! Control flow over rows: each row goes its own way, in the company of those
//! that go the same.

use super::super::ctype::Type;
use super::super::expr::Callee;
use super::super::interp::Exit;
use super::super::interp::{Domain, Fault, Sequencing, Watch};
use super::super::plan::Jump;
use super::super::table::{ObjectId, Pointer};
use super::super::trouble::{Refused, Undefined};
use super::RowDomain;
use super::exits::RowExits;
use super::memory::address_of;
use super::set::Rows;

impl Sequencing for RowDomain<'_> {
    fn watch(&mut self, unsequenced: bool) -> Result<Watch, Fault> {
        let (was_on, mark) = (self.log.on, self.log.mark());
        self.log.on |= unsequenced;
        Ok(Watch { was_on, mark })
    }

    fn unwatch(&mut self, watch: Watch) {
        self.log.on = watch.was_on;
        if watch.was_on {
            self.log.settle(watch.mark);
        } else {
            self.log.truncate(watch.mark);
        }
    }

    fn mark(&self) -> usize {
        self.log.mark()
    }

    fn sequence(&mut self, since: usize) {
        self.log.settle(since);
    }

    fn forget_accesses(&mut self, since: usize, first: ObjectId) {
        self.log.forget(since, address_of(first, 0));
    }

    fn check_unsequenced(&self, start: usize, middle: usize) -> Result<(), Fault> {
        if !self.log.on {
            return Ok(());
        }
        match self.log.conflict(start..middle, middle..self.log.mark()) {
            Some(row) => Err(Fault::new(Undefined::Unsequenced, row)),
            None => Ok(()),
        }
    }
}

impl Domain for RowDomain<'_> {
    type Waiting = Rows;
    /// The rows of one side never touch those of the other.
    type Saved = ();
    type Exits = RowExits;

    fn all(&self) -> Rows {
        Rows::all(self.table.rows())
    }

    fn split(&self, condition: &Vec<i64>, rows: &Rows) -> [Option<Rows>; 2] {
        rows.split(condition, self.table.rows())
    }

    fn dispatch(&self, values: Vec<i64>, cases: &[(i64, Jump)], rows: &Rows) -> Vec<(usize, Rows)> {
        let mut ways: Vec<Vec<u32>> = vec![Vec::new(); cases.len() + 1];
        for (row, value) in rows.list().iter().zip(values) {
            let way = cases.iter().position(|(case, _)| *case == value);
            ways[way.unwrap_or(cases.len())].push(*row);
        }
        let taken = ways.into_iter().enumerate();
        taken
            .filter(|(_, list)| !list.is_empty())
            .map(|(way, list)| (way, Rows::of(list, self.table.rows())))
            .collect()
    }

    fn functions(&self, pointer: &Vec<i64>, rows: &Rows) -> Result<Vec<(i64, Rows)>, Fault> {
        let mut called: Vec<(i64, Vec<u32>)> = Vec::new();
        for (address, row) in pointer.iter().zip(rows.list()) {
            match Pointer::decode(*address) {
                Pointer::Function(_) => {}
                Pointer::Null => return Err(Fault::new(Undefined::NullDereference, *row)),
                Pointer::Unknown => return Err(Fault::new(Refused::UnknownPointer, *row)),
                _ => return Err(Fault::new(Refused::PointerType, *row)),
            }
            match called.iter_mut().find(|(other, _)| other == address) {
                Some((_, list)) => list.push(*row),
                None => called.push((*address, vec![*row])),
            }
        }
        let count = self.table.rows();
        let called = called.into_iter();
        Ok(called
            .map(|(address, list)| (address, Rows::of(list, count)))
            .collect())
    }

    fn save(&self) {}

    fn swap(&mut self, (): ()) {}

    fn join(&mut self, (): ()) {}

    fn count_step(&mut self, limit: u64, rows: &Rows) -> Result<(), Fault> {
        if self.steps.is_empty() {
            self.steps = vec![0; self.table.rows() as usize];
        }
        for row in rows.list() {
            let steps = &mut self.steps[*row as usize];
            *steps += 1;
            if *steps > limit {
                return Err(Fault::new(Refused::StepLimit, *row));
            }
        }
        Ok(())
    }

    fn wait(&self, rows: &Rows) -> Rows {
        rows.clone()
    }

    fn meet(&self, waiting: &mut Rows, rows: &Rows) {
        *waiting = waiting.union(rows, self.table.rows());
    }

    fn resume(&mut self, waiting: Rows) -> Rows {
        waiting
    }

    fn leave(&self, exits: &mut RowExits, exit: Exit<Vec<i64>>, rows: &Rows) {
        exits.add(rows, exit);
    }

    fn finish(&mut self, _: &mut RowExits) {}

    fn returned(
        &self,
        mut exits: RowExits,
        callee: &Callee,
        locals: ObjectId,
        _: &Rows,
    ) -> Result<Vec<i64>, Fault> {
        // The address of a local is worth nothing to the caller.
        let is_local = |value: i64| match Pointer::decode(value) {
            Pointer::To { object, .. } | Pointer::End { object, .. } => object >= locals,
            _ => false,
        };
        let gives_pointer = matches!(callee.result, Type::Pointer { .. });
        if let Some((rows, values)) = exits.all_returned() {
            let local = values
                .iter()
                .position(|value| gives_pointer && is_local(*value));
            return match local {
                Some(position) => Err(Fault::new(Undefined::DeadObject, rows.list()[position])),
                None => Ok(values),
            };
        }
        if let Some(pairs) = exits.pairs() {
            return pairs;
        }
        let mut results = Vec::new();
        for (row, exit) in exits.each() {
            match exit {
                Exit::Return(Some(value)) if gives_pointer && is_local(value) => {
                    return Err(Fault::new(Undefined::DeadObject, row));
                }
                Exit::Return(Some(value)) => results.push(value),
                Exit::Return(None) | Exit::End if callee.result == Type::Void => results.push(0),
                // A jump to a label that is not there is refused when planning.
                _ => return Err(Fault::new(Undefined::MissingReturn, row)),
            }
        }
        Ok(results)
    }
}
