//! Running planned statements over rows.
//!
//! Rows that stand at the same instruction go on together; of several such
//! groups the one at the earliest instruction goes first, so that groups that
//! parted at a branch meet again behind it. Every jump of C, `goto` into a
//! block included, is then the same thing.

use super::super::ctype::Type;
use super::super::expr::Callee;
use super::super::layout::CellType;
use super::super::plan::{Code, Instr, Jump, Way};
use super::super::table::{Column, ObjectId, Pointer, State};
use super::super::trouble::{Refused, Trouble, Undefined};
use super::machine::{Machine, Values};
use super::rows::Rows;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a row left a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// At its end.
    End,
    /// By a `break` or `continue` of a loop around it.
    Break,
    Continue,
    /// To a label outside it.
    Goto(Arc<str>),
    /// The carrier of the returned value, if there is one.
    Return(Option<i64>),
}

/// Calls may nest this deep; each needs some of our own stack.
const CALL_DEPTH: u32 = 64;

impl<'a> Machine<'a> {
    /// Runs the current code from its start. Gives the exits in the order of
    /// the rows.
    pub(super) fn run(&mut self, rows: &Rows) -> Result<Vec<Exit>, Trouble> {
        let code: &'a Code = self.code;
        let count = self.table.rows();
        let mut exits: BTreeMap<u32, Exit> = BTreeMap::new();
        let mut groups: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        groups.insert(0, rows.list().to_vec());
        while let Some((at, list)) = groups.pop_first() {
            let group = Rows::of(list, count);
            let Some(instr) = code.instrs.get(at) else {
                exits.extend(group.list().iter().map(|row| (*row, Exit::End)));
                continue;
            };
            self.count_steps(&group, code.places[at])?;
            match instr {
                Instr::Eval(full) => {
                    self.full(full, &group)?;
                    join(&mut groups, at + 1, &group);
                }
                Instr::Branch {
                    condition,
                    otherwise,
                } => {
                    let values = self.full(condition, &group)?;
                    let [(yes, _), (no, _)] = group.split(&values, count);
                    join(&mut groups, at + 1, &yes);
                    join(&mut groups, *otherwise, &no);
                }
                Instr::Jump(jump) => self.jump(jump, &group, &mut groups, &mut exits),
                Instr::Switch {
                    value,
                    cases,
                    otherwise,
                } => {
                    let values = self.full(value, &group)?;
                    let mut ways: Vec<Vec<u32>> = vec![Vec::new(); cases.len() + 1];
                    for (row, value) in group.list().iter().zip(values) {
                        let way = cases.iter().position(|(case, _)| *case == value);
                        ways[way.unwrap_or(cases.len())].push(*row);
                    }
                    let jumps = cases.iter().map(|(_, jump)| jump).chain([otherwise]);
                    for (jump, list) in jumps.zip(ways) {
                        self.jump(jump, &Rows::of(list, count), &mut groups, &mut exits);
                    }
                }
                Instr::Enter(locals) => {
                    self.set_locals(locals, &group, State::Uninitialised);
                    join(&mut groups, at + 1, &group);
                }
                Instr::Leave(locals) => {
                    self.leave(locals, &group);
                    join(&mut groups, at + 1, &group);
                }
                Instr::Zero(local) => {
                    self.set_locals(&[*local], &group, State::Value);
                    join(&mut groups, at + 1, &group);
                }
                Instr::Return(None) => {
                    exits.extend(group.list().iter().map(|row| (*row, Exit::Return(None))));
                }
                Instr::Return(Some(full)) => {
                    let values = self.full(full, &group)?;
                    let returned = values.into_iter().map(|value| Exit::Return(Some(value)));
                    exits.extend(group.list().iter().copied().zip(returned));
                }
            }
        }
        Ok(exits.into_values().collect())
    }

    fn count_steps(&mut self, rows: &Rows, at: u32) -> Result<(), Trouble> {
        for row in rows.list() {
            let steps = &mut self.steps[*row as usize];
            *steps += 1;
            if *steps > self.step_limit {
                return Err(self.trouble(Refused::StepLimit, at, *row));
            }
        }
        Ok(())
    }

    fn jump(
        &mut self,
        jump: &Jump,
        rows: &Rows,
        groups: &mut BTreeMap<usize, Vec<u32>>,
        exits: &mut BTreeMap<u32, Exit>,
    ) {
        if rows.is_empty() {
            return;
        }
        self.leave(&jump.leave, rows);
        self.set_locals(&jump.enter, rows, State::Uninitialised);
        let exit = match &jump.way {
            Way::To(at) => return join(groups, *at, rows),
            Way::Break => Exit::Break,
            Way::Continue => Exit::Continue,
            Way::Goto(label) => Exit::Goto(label.clone()),
        };
        exits.extend(rows.list().iter().map(|row| (*row, exit.clone())));
    }

    fn set_locals(&mut self, locals: &[u32], rows: &Rows, state: State) {
        if locals.is_empty() {
            return;
        }
        let table = self.table.to_mut();
        let count = table.rows();
        for local in locals {
            let object = self.frame[*local as usize];
            table.objects[object.0 as usize].set_all(rows, count, state);
        }
    }

    /// Ends the lives of locals.
    fn leave(&mut self, locals: &[u32], rows: &Rows) {
        self.set_locals(locals, rows, State::Dead);
        let taken = locals
            .iter()
            .filter(|local| self.code.locals[**local as usize].taken);
        let dead: Vec<ObjectId> = taken.map(|local| self.frame[*local as usize]).collect();
        self.dangle(rows, |object| dead.contains(&object), dead.is_empty());
    }

    /// Pointers to dead objects lose their value.
    fn dangle(&mut self, rows: &Rows, dead: impl Fn(ObjectId) -> bool, none: bool) {
        if none {
            return;
        }
        let types = self.types;
        let table = self.table.to_mut();
        let count = table.rows();
        for object in &mut table.objects {
            let ty = &object.ty;
            let is_pointer = |cell| {
                types
                    .cell_type(ty, cell)
                    .is_some_and(|cell| CellType::is_pointer(&cell))
            };
            let pointers = object
                .columns
                .iter_mut()
                .filter(|(cell, _)| is_pointer(**cell));
            for (_, column) in pointers {
                for row in rows.list() {
                    wither(column, *row, count, &dead);
                }
            }
        }
    }

    /// Gives the locals of the current code objects to live in.
    pub(super) fn enter_frame(&mut self) {
        let code = self.code;
        let types = self.types;
        if code.locals.is_empty() {
            return;
        }
        let table = self.table.to_mut();
        for local in &code.locals {
            let id = table.push(types, local.name.clone(), local.ty.clone(), State::Dead);
            self.frame
                .push(id.expect("the planner saw that the type is complete"));
        }
    }

    /// Ends the lives of all locals of the current code.
    pub(super) fn leave_frame(&mut self, rows: &Rows) {
        let Some(first) = self.frame.first().copied() else {
            return;
        };
        let none = !self.code.locals.iter().any(|local| local.taken);
        self.dangle(rows, |object| object >= first, none);
        self.table.to_mut().objects.truncate(first.0 as usize);
        self.frame.clear();
    }

    /// Calls a function for some rows.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        args: Vec<Vec<i64>>,
        gives_value: bool,
        at: u32,
        rows: &Rows,
    ) -> Values {
        let first = rows.list().first().copied().unwrap_or(0);
        let code = match self.functions.get(&callee.name) {
            Some(code) if code.signature.as_ref() == Some(callee) => code,
            _ => return Err(self.trouble(Refused::UnknownFunction, at, first)),
        };
        if self.depth == CALL_DEPTH {
            return Err(self.trouble(Refused::CallDepth, at, first));
        }
        let caller = (
            self.code,
            std::mem::take(&mut self.frame),
            self.function.take(),
        );
        (self.code, self.function) = (code, Some(callee.name.clone()));
        self.depth += 1;
        self.enter_frame();
        let params: Vec<u32> = (0..args.len() as u32).collect();
        self.set_locals(&params, rows, State::Uninitialised);
        for (param, values) in args.into_iter().enumerate() {
            let to = super::log::Where::Same(super::memory::address_of(self.frame[param], 0));
            let stored = self.table.to_mut().store(&to, rows, &values);
            debug_assert!(stored.is_ok(), "a parameter is alive");
        }
        let exits = self.run(rows)?;
        let locals = self.frame.first().map_or(u32::MAX, |object| object.0);
        self.leave_frame(rows);
        (self.code, self.frame, self.function) = caller;
        self.depth -= 1;
        let mut results = Vec::with_capacity(rows.len());
        for (exit, row) in exits.into_iter().zip(rows.list()) {
            match exit {
                Exit::Return(Some(value)) => {
                    // The address of a local is worth nothing to the caller.
                    if matches!(callee.result, Type::Pointer { .. })
                        && let Pointer::To { object, .. } = Pointer::decode(value)
                        && object.0 >= locals
                    {
                        return Err(self.trouble(Undefined::DeadObject, at, *row));
                    }
                    results.push(value);
                }
                Exit::Return(None) | Exit::End if !gives_value => results.push(0),
                // A jump to a label that is not there is refused when planning.
                _ => return Err(self.trouble(Undefined::MissingReturn, at, *row)),
            }
        }
        Ok(results)
    }
}

/// Adds rows to the group at an instruction, keeping their order.
fn join(groups: &mut BTreeMap<usize, Vec<u32>>, at: usize, rows: &Rows) {
    if rows.is_empty() {
        return;
    }
    let group = groups.entry(at).or_default();
    let sorted = group.last() < rows.list().first();
    group.extend_from_slice(rows.list());
    if !sorted {
        group.sort_unstable();
    }
}

fn wither(column: &mut Column, row: u32, count: u32, dead: &impl Fn(ObjectId) -> bool) {
    if let Ok(value) = column.get(row)
        && let Pointer::To { object, .. } = Pointer::decode(value)
        && dead(object)
    {
        column.states.set(count, row, State::Dangling);
        column.values[row as usize] = 0;
    }
}
