//! A finished program as trees: it can be run again and printed again, also after something
//! was left out.

use super::data::Fill;
use super::driver::FinishedText;
use super::facts;
use super::request::{OutputCheck, ProgramLanguage};
use crate::code::ctype::Types;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::functions::{CodeName, for_each_name};
use crate::code::session::Session;
use crate::code::stmt::{Part, Stmt};
use crate::code::table::{Column, ObjectId};
use crate::code::types::Target;
use crate::code::unit::FunctionDefinition;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Instructions that a row may execute in one test.
const STEPS: u64 = 400_000;

/// A global with what it starts with.
#[derive(Clone, Debug)]
pub(super) struct TreeGlobal {
    pub(super) var: Var,
    pub(super) fill: Fill,
    pub(super) is_volatile: bool,
    pub(super) is_static: bool,
    /// Loaded and hashed by the loops over the list of globals; such globals come first.
    pub(super) is_listed: bool,
}

/// A global that is not made of integers alone.
#[derive(Clone, Debug)]
pub(super) struct TreeExtra {
    pub(super) var: Var,
    pub(super) fill: Fill,
    /// Of floating-point numbers: what they are multiples of, as a power of two.
    pub(super) grain: i32,
}

/// A global pointer, which starts with the address of a global that stands before it. Nobody
/// asks where it points in the end.
#[derive(Clone, Debug)]
pub(super) struct TreePointer {
    pub(super) var: Var,
    pub(super) start: Expr,
    pub(super) is_static: bool,
}

impl TreePointer {
    /// What gives it its start.
    pub(super) fn assignment(&self) -> Stmt {
        Stmt::Expr(Expr::assign(
            Expr::Var(self.var.clone()),
            self.start.clone(),
        ))
    }

    /// Lets a session know it. The globals that it may point to are there already.
    pub(super) fn add_to(&self, session: &mut Session) -> Option<()> {
        session.global(&self.var.name, self.var.ty.clone(), Vec::new())?;
        session.step(&self.assignment()).ok()?;
        Some(())
    }
}

/// How a program gets its inputs and shows its outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramForm {
    /// Rows from a table, and a check of all outputs.
    Checked(OutputCheck),
    /// One row, in initialisers, which an optimiser can see, and a check of all outputs.
    Initialised(OutputCheck),
    /// One row, in initialisers; every output is printed.
    Plain,
}

/// A program that is finished.
#[derive(Clone, Debug)]
pub(super) struct ProgramTree {
    /// The command that makes it.
    pub(super) title: String,
    pub(super) form: ProgramForm,
    pub(super) language: ProgramLanguage,
    pub(super) types: Types,
    pub(super) rows: u32,
    pub(super) globals: Vec<TreeGlobal>,
    /// These have no plain form.
    pub(super) extras: Vec<TreeExtra>,
    pub(super) pointers: Vec<TreePointer>,
    pub(super) functions: Vec<FunctionDefinition>,
    /// The functions that `main` calls for each row.
    pub(super) tests: Vec<Callee>,
}

impl ProgramTree {
    /// Runs it: what its globals hold at the end, by row. `None` if it is not defined.
    pub(super) fn run(&self) -> Option<Vec<Vec<i64>>> {
        let mut session = self.session()?;
        let objects = self.add_globals(&mut session)?;
        let extras = self.add_extras(&mut session)?;
        self.add_pointers(&mut session)?;
        self.call_tests(&mut session)?;
        let of_row = |row| {
            let mut values = Vec::new();
            for (global, object) in self.globals.iter().zip(&objects) {
                let object = session.table().object(*object);
                for cell in 0..self.types.cells(&global.var.ty)? {
                    values.push(object.get(cell, row).ok()?);
                }
            }
            values.extend(self.extra_outputs(session.table(), &extras, row));
            Some(values)
        };
        (0..self.rows).map(of_row).collect()
    }

    /// What a variable of another name holds at the end of the first row.
    pub(super) fn run_with(&self, probe: &Var) -> Option<i64> {
        let mut session = self.session()?;
        self.add_globals(&mut session)?;
        self.add_extras(&mut session)?;
        self.add_pointers(&mut session)?;
        let object = session.global(&probe.name, probe.ty.clone(), Vec::new())?;
        self.call_tests(&mut session)?;
        session.table().object(object).get(0, 0).ok()
    }

    fn session(&self) -> Option<Session> {
        let mut session = Session::new(self.types.clone(), self.rows);
        session.set_step_limit(STEPS);
        session.define(&facts::assume_function()).ok()?;
        Some(session)
    }

    fn add_globals(&self, session: &mut Session) -> Option<Vec<ObjectId>> {
        let mut objects = Vec::new();
        for global in &self.globals {
            let cells = self.types.cells(&global.var.ty)?;
            let columns = (0..cells).map(|cell| Column::values(global.fill.column(cell)));
            let (name, ty) = (&global.var.name, global.var.ty.clone());
            let object = session.global(name, ty, columns.collect())?;
            if global.is_volatile {
                session.set_volatile(object);
            }
            objects.push(object);
        }
        Some(objects)
    }

    fn add_extras(&self, session: &mut Session) -> Option<Vec<ObjectId>> {
        let mut objects = Vec::new();
        for extra in &self.extras {
            let cells = self.types.cells(&extra.var.ty)?;
            let columns = (0..cells).map(|cell| Column::values(extra.fill.column(cell)));
            let (name, ty) = (&extra.var.name, extra.var.ty.clone());
            objects.push(session.global(name, ty, columns.collect())?);
        }
        Some(objects)
    }

    fn add_pointers(&self, session: &mut Session) -> Option<()> {
        let mut pointers = self.pointers.iter();
        pointers.try_for_each(|pointer| pointer.add_to(session))
    }

    fn call_tests(&self, session: &mut Session) -> Option<()> {
        for definition in &self.functions {
            session.define(&definition.function).ok()?;
        }
        for test in &self.tests {
            let call = Stmt::Expr(Expr::call(test.clone(), Vec::new()));
            session.step(&call).ok()?.ends().then_some(())?;
        }
        Some(())
    }

    /// The text with what it prints; `None` if it is not defined.
    pub(super) fn predicted(&self) -> Option<FinishedText> {
        let outputs = self.run()?;
        Some(self.text(&outputs))
    }

    /// Without functions that nothing calls and globals that nothing names.
    pub(super) fn pruned(mut self) -> ProgramTree {
        let mut named: BTreeSet<Arc<str>> =
            self.tests.iter().map(|test| test.name.clone()).collect();
        // Callers stand behind what they call.
        let mut kept = Vec::new();
        for definition in self.functions.drain(..).rev() {
            let function = &definition.function;
            if named.contains(&function.name) {
                add_names(Part::Stmt(&function.body), &mut named);
                kept.push(definition);
            }
        }
        kept.reverse();
        self.functions = kept;
        // What they point to stands before them.
        let mut pointers = Vec::new();
        for pointer in self.pointers.drain(..).rev() {
            if named.contains(&pointer.var.name) {
                add_names(Part::Expr(&pointer.start), &mut named);
                pointers.push(pointer);
            }
        }
        pointers.reverse();
        self.pointers = pointers;
        self.globals
            .retain(|global| named.contains(&global.var.name));
        self.extras.retain(|extra| named.contains(&extra.var.name));
        self
    }

    /// The number of nodes, and of values of inputs.
    pub(super) fn size(&self) -> usize {
        let bodies = self.functions.iter();
        let bodies: usize = bodies
            .map(|definition| definition.function.body.size())
            .sum();
        let globals = self.globals.len() + self.extras.len();
        bodies + globals * self.rows as usize + self.pointers.len() + self.tests.len()
    }

    pub(super) fn target(&self) -> Target {
        self.types.target
    }
}

/// Adds the names of the variables and functions in a piece of code.
fn add_names(code: Part<'_>, named: &mut BTreeSet<Arc<str>>) {
    for_each_name(code, &mut |name| match name {
        CodeName::Variable(name) | CodeName::Function(name) => {
            named.insert(name.clone());
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::variant::generate::{GenerateRequest, generate, generate_tree};

    #[test]
    fn a_program_that_is_run_again_as_a_whole_does_what_was_predicted() {
        let request = GenerateRequest {
            size: 2_000..=6_000,
            ..GenerateRequest::default()
        };
        for number in 1..25 {
            let again = generate_tree(&request, number).predicted();
            let again = again.unwrap_or_else(|| panic!("{number} is not defined"));
            assert_eq!(again.text, generate(&request, number).text, "{number}");
        }
    }
}
