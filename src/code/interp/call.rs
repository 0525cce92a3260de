//! Calls, and the objects that locals live in.

use super::super::ctype::FunctionType;
use super::super::expr::Callee;
use super::super::plan::{At, Code, Temporary};
use super::super::table::{ObjectId, State};
use super::super::trouble::{Refused, Trouble};
use super::{Domain, Fault, Interpreter, Writing};
use std::sync::Arc;

/// What a call gives to the function, and where it wants the result.
pub(super) struct Given<'n, V> {
    pub(super) values: Vec<V>,
    /// The arguments that are structs.
    pub(super) records: &'n [(u32, Temporary)],
    pub(super) result: Option<Temporary>,
}

/// Calls may nest this deep; each needs some of our own stack.
const CALL_DEPTH: u32 = 64;

impl<'a, D: Domain> Interpreter<'a, D> {
    /// Gives the locals of the current code objects to live in.
    pub(in super::super) fn enter_frame(&mut self, visits: &D::Visits) {
        for local in &self.code.locals {
            let object = self
                .domain
                .add_local(&local.name, &local.ty, local.constant);
            self.frame.push(object);
        }
        for ty in &self.code.temporaries {
            let object = self.domain.add_local(&"".into(), ty, false);
            self.domain.set_object(object, State::Uninitialised, visits);
            self.frame.push(object);
        }
    }

    /// Removes the locals of the current code.
    pub(in super::super) fn leave_frame(&mut self, visits: &D::Visits) {
        let Some(first) = self.frame.first().copied() else {
            return;
        };
        let locals = self.code.locals.iter().zip(&self.frame);
        let dead: Vec<ObjectId> = locals
            .filter(|(local, _)| local.taken)
            .map(|(_, object)| *object)
            .collect();
        if !dead.is_empty() {
            self.domain.dangle(&dead, visits);
        }
        self.domain.remove_locals(first);
        self.frame.clear();
    }

    /// Copies a struct from one frame to another.
    fn hand_over(
        &mut self,
        from: ObjectId,
        to: ObjectId,
        cells: u32,
        at: At,
        visits: &D::Visits,
    ) -> Result<(), Trouble> {
        let (from, to) = (D::cell(from, 0), D::cell(to, 0));
        let writing = Writing {
            since: self.domain.mark(),
            initial: true,
        };
        let copied = self.domain.copy(&to, &from, cells, writing, visits);
        copied.map_err(|fault| self.trouble(fault, at))
    }

    pub(super) fn call_named(
        &mut self,
        callee: &Arc<Callee>,
        given: &Given<'_, D::Value>,
        at: At,
        visits: &D::Visits,
    ) -> Result<D::Value, Trouble> {
        let code = self.functions.get(&callee.name);
        let code = code.filter(|code| code.signature.as_ref() == Some(callee));
        self.call(code, given, at, visits)
    }

    /// Calls each function that some of the visits call.
    pub(super) fn call_pointer(
        &mut self,
        pointer: &D::Value,
        ty: &FunctionType,
        given: &Given<'_, D::Value>,
        at: At,
        visits: &D::Visits,
    ) -> Result<D::Value, Trouble> {
        let called = self.domain.functions(pointer, visits);
        let called = called.map_err(|fault| self.trouble(fault, at))?;
        let mut results = Vec::with_capacity(called.len());
        for (address, some) in called {
            let has_type =
                |callee: &Callee| callee.result == ty.result && callee.params == ty.params;
            let code = self.functions.values().find(|code| {
                code.address == address && code.signature.as_deref().is_some_and(has_type)
            });
            let values = given.values.iter();
            let given = Given {
                values: values.map(|value| D::pick(value, visits, &some)).collect(),
                ..*given
            };
            let result = self.call(code, &given, at, &some)?;
            results.push((some, result));
        }
        Ok(D::gather(results, visits))
    }

    fn call(
        &mut self,
        code: Option<&'a Code>,
        given: &Given<'_, D::Value>,
        at: At,
        visits: &D::Visits,
    ) -> Result<D::Value, Trouble> {
        let refused = |refused| Fault::new(refused, D::first_row(visits).unwrap_or(0));
        let Some((code, callee)) = code.and_then(|code| Some((code, code.signature.as_ref()?)))
        else {
            return Err(self.trouble(refused(Refused::UnknownFunction), at));
        };
        if self.depth == CALL_DEPTH {
            return Err(self.trouble(refused(Refused::CallDepth), at));
        }
        let records: Vec<(u32, ObjectId, u32)> = given
            .records
            .iter()
            .map(|(param, object)| (*param, self.temporary(*object), object.cells))
            .collect();
        let result_object = given.result.map(|object| self.temporary(object));
        let start = self.domain.mark();
        let frame = std::mem::take(&mut self.frame);
        let caller = (self.code, frame, self.function.take());
        (self.code, self.function) = (code, Some(callee.name.clone()));
        self.depth += 1;
        self.enter_frame(visits);
        let mut records = records.into_iter().peekable();
        for (param, arg) in given.values.iter().enumerate() {
            let object = self.frame[param];
            self.domain.set_object(object, State::Uninitialised, visits);
            match records.next_if(|(record, ..)| *record as usize == param) {
                Some((_, from, cells)) => self.hand_over(from, object, cells, at, visits)?,
                None => self.domain.set_param(object, arg, visits),
            }
        }
        let exits = self.run(visits)?;
        if let (Some(to), Some(from)) = (result_object, code.result) {
            self.hand_over(self.temporary(from), to, from.cells, at, visits)?;
        }
        let locals = self.frame.first().copied();
        self.leave_frame(visits);
        (self.code, self.frame, self.function) = caller;
        self.depth -= 1;
        if let Some(first) = locals {
            self.domain.forget_accesses(start, first);
        }
        let locals = locals.unwrap_or(ObjectId(u32::MAX));
        let result = self.domain.returned(exits, callee, locals, visits);
        result.map_err(|fault| self.trouble(fault, at))
    }
}
