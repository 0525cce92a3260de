//! Running planned statements over ranges.
//!
//! States that meet at an instruction are joined; the earliest instruction goes
//! first, as in a run over rows. A loop is followed turn by turn until its
//! condition is certain, or the step limit is reached.

use super::super::plan::{Code, Instr, Jump, Way};
use super::super::table::State;
use super::super::trouble::Refused;
use super::env::Ranges;
use super::eval::{RangeMachine, Step};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a statement may have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeOutcome {
    /// The variables afterwards, whichever way it was left.
    pub ranges: Ranges,
    /// Whether its end may be reached, and no other way out can be taken.
    pub ends: bool,
}

impl<'a> RangeMachine<'a> {
    fn set_locals(&mut self, locals: &[u32], state: State) {
        for local in locals {
            let object = self.frame[*local as usize];
            self.ranges.cells.retain(|(of, _), _| *of != object);
            self.ranges.table.set_rest(object, state);
        }
    }

    /// Gives the locals of the current code objects to live in.
    pub(in super::super) fn enter_frame(&mut self) {
        for local in &self.code.locals {
            let (name, ty) = (local.name.clone(), local.ty.clone());
            let id = self.ranges.table.push(self.types, name, ty, State::Dead);
            self.frame
                .push(id.expect("the planner saw that the type is complete"));
        }
    }

    pub(in super::super) fn leave_frame(&mut self) {
        let Some(first) = self.frame.first().copied() else {
            return;
        };
        self.ranges.cells.retain(|(object, _), _| *object < first);
        self.ranges.table.objects.truncate(first.0 as usize);
        self.frame.clear();
    }

    /// Runs the current code. States that meet at an instruction are joined;
    /// the earliest instruction goes first, as in a run over rows.
    pub(in super::super) fn run(&mut self, step_limit: u64) -> Step<BTreeSet<WayOut>> {
        let code: &'a Code = self.code;
        let mut waiting: BTreeMap<usize, Ranges> = BTreeMap::new();
        let mut exits = BTreeSet::new();
        let mut after: Option<Ranges> = None;
        waiting.insert(0, self.ranges.clone());
        while let Some((at, ranges)) = waiting.pop_first() {
            self.ranges = ranges;
            let Some(instr) = code.instrs.get(at) else {
                exits.insert(WayOut::End);
                merge(&mut after, &self.ranges);
                continue;
            };
            self.steps += 1;
            if self.steps > step_limit {
                return Err(self.trouble(Refused::StepLimit, code.places[at]));
            }
            match instr {
                Instr::Eval(full) => {
                    self.full(full)?;
                    meet(&mut waiting, at + 1, &self.ranges);
                }
                Instr::Branch {
                    condition,
                    otherwise,
                } => {
                    let truth = self.full(condition)?.truth();
                    if truth != Some(false) {
                        meet(&mut waiting, at + 1, &self.ranges);
                    }
                    if truth != Some(true) {
                        meet(&mut waiting, *otherwise, &self.ranges);
                    }
                }
                Instr::Jump(jump) => self.jump(jump, &mut waiting, &mut exits, &mut after),
                Instr::Switch {
                    value,
                    cases,
                    otherwise,
                } => {
                    let value = self.full(value)?;
                    let before = self.ranges.clone();
                    // A case is a carrier; a range holds numbers. Compare bits.
                    let may = |case: i64| {
                        value.contains(case.into()) || value.contains((case as u64).into())
                    };
                    let mut decided = false;
                    for (case, jump) in cases {
                        if may(*case) {
                            decided |= value.only().is_some();
                            self.ranges = before.clone();
                            self.jump(jump, &mut waiting, &mut exits, &mut after);
                        }
                    }
                    if !decided {
                        self.ranges = before;
                        self.jump(otherwise, &mut waiting, &mut exits, &mut after);
                    }
                }
                Instr::Enter(locals) => {
                    self.set_locals(locals, State::Uninitialised);
                    meet(&mut waiting, at + 1, &self.ranges);
                }
                Instr::Leave(locals) => {
                    self.set_locals(locals, State::Dead);
                    meet(&mut waiting, at + 1, &self.ranges);
                }
                Instr::Zero(local) => {
                    self.set_locals(&[*local], State::Value);
                    meet(&mut waiting, at + 1, &self.ranges);
                }
                Instr::Return(value) => {
                    if let Some(value) = value {
                        self.full(value)?;
                    }
                    exits.insert(WayOut::Other);
                    merge(&mut after, &self.ranges);
                }
            }
        }
        if let Some(after) = after {
            self.ranges = after;
        }
        Ok(exits)
    }

    fn jump(
        &mut self,
        jump: &Jump,
        waiting: &mut BTreeMap<usize, Ranges>,
        exits: &mut BTreeSet<WayOut>,
        after: &mut Option<Ranges>,
    ) {
        self.set_locals(&jump.leave, State::Dead);
        self.set_locals(&jump.enter, State::Uninitialised);
        match &jump.way {
            Way::To(at) => meet(waiting, *at, &self.ranges),
            Way::Break | Way::Continue | Way::Goto(_) => {
                exits.insert(WayOut::Other);
                merge(after, &self.ranges);
            }
        }
    }
}

/// How a statement can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum WayOut {
    End,
    Other,
}

fn meet(waiting: &mut BTreeMap<usize, Ranges>, at: usize, ranges: &Ranges) {
    match waiting.get_mut(&at) {
        Some(there) => there.join(ranges),
        None => {
            waiting.insert(at, ranges.clone());
        }
    }
}

fn merge(after: &mut Option<Ranges>, ranges: &Ranges) {
    match after {
        Some(there) => there.join(ranges),
        None => *after = Some(ranges.clone()),
    }
}
