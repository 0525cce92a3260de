//! Execution of planned statements.
//!
//! Visits that stand at the same instruction go on together; of several such
//! groups the one at the earliest instruction goes first, so that groups that
//! parted at a branch meet again behind it. Every jump of C, `goto` into a
//! block included, is then the same thing.

use super::super::plan::{Code, Destination, Instr, Jump};
use super::super::table::{ObjectId, State};
use super::super::trouble::Trouble;
use super::Exit;
use super::{Domain, Interpreter};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Where visits are: waiting at instructions, or out of the code.
struct Agenda<D: Domain> {
    waiting: BTreeMap<usize, D::Waiting>,
    exits: D::Exits,
}

impl<D: Domain> Agenda<D> {
    fn add(&mut self, domain: &D, at: usize, visits: &D::Visits) {
        // Without a visit nobody would count steps, and a loop might not end.
        if D::first_row(visits).is_none() {
            return;
        }
        match self.waiting.entry(at) {
            Entry::Vacant(entry) => {
                entry.insert(domain.wait(visits));
            }
            Entry::Occupied(mut entry) => domain.meet(entry.get_mut(), visits),
        }
    }
}

impl<'a, D: Domain> Interpreter<'a, D> {
    /// Runs the current code from its start.
    pub(in super::super) fn run(&mut self, visits: &D::Visits) -> Result<D::Exits, Trouble> {
        let code: &'a Code = self.code;
        let mut agenda = Agenda {
            waiting: BTreeMap::new(),
            exits: D::Exits::default(),
        };
        agenda.add(self.domain, 0, visits);
        while let Some((mut at, waiting)) = agenda.waiting.pop_first() {
            let visits = self.domain.resume(waiting);
            loop {
                let Some(instr) = code.instrs.get(at) else {
                    self.domain.leave(&mut agenda.exits, Exit::End, &visits);
                    break;
                };
                let counted = self.domain.count_step(self.step_limit, &visits);
                counted.map_err(|fault| self.trouble(fault, code.places[at]))?;
                match self.execute(instr, at, &visits, &mut agenda)? {
                    None => break,
                    // While nobody waits elsewhere, there is nobody to wait for.
                    Some(next) if agenda.waiting.is_empty() => at = next,
                    Some(next) => {
                        agenda.add(self.domain, next, &visits);
                        break;
                    }
                }
            }
        }
        self.domain.finish(&mut agenda.exits);
        Ok(agenda.exits)
    }

    /// Executes an instruction, and gives the next one if all visits go there.
    fn execute(
        &mut self,
        instr: &Instr,
        at: usize,
        visits: &D::Visits,
        agenda: &mut Agenda<D>,
    ) -> Result<Option<usize>, Trouble> {
        match instr {
            Instr::Eval(full) => {
                self.full(full, visits)?;
            }
            Instr::Branch {
                condition,
                otherwise,
            } => {
                let condition = self.full(condition, visits)?;
                return Ok(match self.domain.split(&condition, visits) {
                    [Some(_), None] => Some(at + 1),
                    [None, Some(_)] => Some(*otherwise),
                    sides => {
                        for (side, to) in sides.into_iter().zip([at + 1, *otherwise]) {
                            if let Some(visits) = side {
                                agenda.add(self.domain, to, &visits);
                            }
                        }
                        None
                    }
                });
            }
            Instr::Jump(jump) => return Ok(self.jump(jump, visits, agenda)),
            Instr::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.full(value, visits)?;
                let before = self.domain.save();
                for (case, visits) in self.domain.dispatch(value, cases, visits) {
                    let jump = cases.get(case).map_or(otherwise, |(_, jump)| jump);
                    self.domain.swap(before.clone());
                    if let Some(to) = self.jump(jump, &visits, agenda) {
                        agenda.add(self.domain, to, &visits);
                    }
                }
                return Ok(None);
            }
            Instr::Enter(locals) => self.set_locals(locals, State::Uninitialised, visits),
            Instr::Leave(locals) => self.end_locals(locals, visits),
            Instr::Zero(local) => self.set_locals(&[*local], State::Value, visits),
            Instr::Return(value) => {
                let value = match value {
                    Some(full) => Some(self.full(full, visits)?),
                    None => None,
                };
                let exit = Exit::Return(value);
                self.domain.leave(&mut agenda.exits, exit, visits);
                return Ok(None);
            }
        }
        Ok(Some(at + 1))
    }

    /// Jumps, and gives the next instruction unless the code is left.
    fn jump(&mut self, jump: &Jump, visits: &D::Visits, agenda: &mut Agenda<D>) -> Option<usize> {
        self.end_locals(&jump.leave, visits);
        self.set_locals(&jump.enter, State::Uninitialised, visits);
        let exit = match &jump.way {
            Destination::To(at) => return Some(*at),
            Destination::Break => Exit::Break,
            Destination::Continue => Exit::Continue,
            Destination::Goto(label) => Exit::Goto(label.clone()),
        };
        self.domain.leave(&mut agenda.exits, exit, visits);
        None
    }

    pub(super) fn set_locals(&mut self, locals: &[u32], state: State, visits: &D::Visits) {
        for local in locals {
            let object = self.frame[*local as usize];
            self.domain.set_object(object, state, visits);
        }
    }

    fn end_locals(&mut self, locals: &[u32], visits: &D::Visits) {
        self.set_locals(locals, State::Dead, visits);
        let taken = locals
            .iter()
            .filter(|local| self.code.locals[**local as usize].taken);
        let dead: Vec<ObjectId> = taken.map(|local| self.frame[*local as usize]).collect();
        if !dead.is_empty() {
            self.domain.dangle(&dead, visits);
        }
    }
}
