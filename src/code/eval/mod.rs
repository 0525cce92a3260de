//! What trees compute, exactly over all rows of a table at once, or as far as
//! ranges tell.
//!
//! [`Evaluator`] is the entry point. One evaluator serves a single row too: a
//! table of one row is a row.

mod check;
pub mod operator;
mod outcome;

pub use super::interp::Exit;
pub(crate) use outcome::{RangeOutcome, RowOutcome, Values};

use super::ctype::{Type, Types};
use super::expr::{Expr, Var};
use super::interp::{Domain, Interpreter};
use super::plan::{Code, Full, Planner, Resolved, Resolver, Slot, plan_body};
use super::range::{Range, RangeDomain, Ranges};
use super::rows::RowDomain;
use super::stmt::{Function, Stmt};
use super::table::{Column, ObjectId, Table};
use super::trouble::{Mistake, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Evaluates trees over tables and ranges.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    types: &'a Types,
    functions: Option<&'a BTreeMap<Arc<str>, Function>>,
    step_limit: u64,
}

/// The names of a table.
pub(super) struct TableNames<'a>(pub(super) &'a Table);

impl Resolver for TableNames<'_> {
    fn find(&self, var: &Var) -> Option<Resolved> {
        let id = self.0.find(&var.name)?;
        let object = self.0.object(id);
        Some(Resolved {
            slot: Slot::Table(id),
            ty: object.ty.clone(),
            constant: object.constant,
            volatile: object.volatile,
        })
    }
}

/// Refuses static variables: what they hold depends on everything that ran
/// before.
fn check_statics(code: &Code) -> Result<(), Mistake> {
    if code.statics.is_empty() {
        return Ok(());
    }
    Err(Mistake {
        what: "a static variable outside a session",
        path: Vec::new(),
    })
}

impl<'a> Evaluator<'a> {
    /// Steps a row may take, unless set otherwise.
    pub(crate) const STEP_LIMIT: u64 = 10_000;

    /// An evaluator that knows no functions.
    pub fn new(types: &'a Types) -> Evaluator<'a> {
        Evaluator {
            types,
            functions: None,
            step_limit: Self::STEP_LIMIT,
        }
    }

    /// Calls of these functions are evaluated; all others are refused.
    pub fn with_functions(self, functions: &'a BTreeMap<Arc<str>, Function>) -> Evaluator<'a> {
        Evaluator {
            functions: Some(functions),
            ..self
        }
    }

    /// How many instructions a row may execute.
    pub fn with_step_limit(self, step_limit: u64) -> Evaluator<'a> {
        Evaluator { step_limit, ..self }
    }

    /// The value of an expression in every row. What it changes is forgotten.
    pub fn value(&self, expr: &Expr, table: &Table) -> Result<Values, Stop> {
        let mut domain = RowDomain::new(self.types, table);
        let (ty, values) = self.evaluate(expr, table, &mut domain)?;
        Ok(Values { ty, values })
    }

    /// The value of an expression in every row, and the variables afterwards.
    // Used by tests only.
    pub fn perform(&self, expr: &Expr, table: &Table) -> Result<(Values, Table), Stop> {
        let mut domain = RowDomain::new(self.types, table);
        let (ty, values) = self.evaluate(expr, table, &mut domain)?;
        Ok((Values { ty, values }, domain.into_table()))
    }

    /// Runs a statement from every row of a table.
    pub fn run(&self, stmt: &Stmt, table: &Table) -> Result<RowOutcome, Stop> {
        let mut domain = RowDomain::new(self.types, table);
        let exits = self.execute(stmt, table, &mut domain)?;
        Ok(RowOutcome {
            table: domain.into_table(),
            exits: exits.each().into_iter().map(|(_, exit)| exit).collect(),
        })
    }

    /// What an expression may be, over ranges. A trouble means that some
    /// values in the ranges may have it.
    pub fn range(&self, expr: &Expr, ranges: &Ranges) -> Result<(Type, Range), Stop> {
        let mut domain = RangeDomain::new(self.types, ranges);
        let (ty, range) = self.evaluate(expr, ranges.table(), &mut domain)?;
        let range = match ty.int_kind() {
            Some(kind) => range.seen_as(kind, self.types.target),
            None => range,
        };
        Ok((ty, range))
    }

    /// What a statement may do, over ranges.
    pub fn run_ranges(&self, stmt: &Stmt, ranges: &Ranges) -> Result<RangeOutcome, Stop> {
        let mut domain = RangeDomain::new(self.types, ranges);
        let exits = self.execute(stmt, ranges.table(), &mut domain)?;
        Ok(RangeOutcome {
            ranges: domain.into_ranges(),
            ends: exits.ends(),
        })
    }

    /// The type and value of an expression over the objects of `names`. The
    /// domain then knows what holds afterwards.
    fn evaluate<D: Domain>(
        &self,
        expr: &Expr,
        names: &Table,
        domain: &mut D,
    ) -> Result<(Type, D::Value), Stop> {
        let names = TableNames(names);
        let mut planner = Planner::new(self.types, &names);
        let typed = planner.value(expr)?;
        let full = Full::new(typed.node);
        let functions = self.plan_functions(&names, &planner.calls)?;
        let code = Code::of_expression(planner);
        let visits = domain.all();
        let mut interpreter = Interpreter::new(domain, &code, &functions, self.step_limit);
        let value = interpreter.alone(&full, &visits)?;
        Ok((typed.ty.to_type(), value))
    }

    /// How a statement over the objects of `names` is left. The domain then
    /// knows what holds afterwards.
    fn execute<D: Domain>(
        &self,
        stmt: &Stmt,
        names: &Table,
        domain: &mut D,
    ) -> Result<D::Exits, Stop> {
        let names = TableNames(names);
        let code = plan_body(self.types, &names, &[], None, stmt)?;
        check_statics(&code)?;
        let functions = self.plan_functions(&names, &code.calls)?;
        let visits = domain.all();
        let mut interpreter = Interpreter::new(domain, &code, &functions, self.step_limit);
        interpreter.enter_frame(&visits);
        let exits = interpreter.run(&visits)?;
        interpreter.leave_frame(&visits);
        Ok(exits)
    }

    /// The plans of all functions that may be called.
    fn plan_functions(
        &self,
        names: &dyn Resolver,
        calls: &BTreeSet<Arc<str>>,
    ) -> Result<BTreeMap<Arc<str>, Code>, Mistake> {
        let mut plans = BTreeMap::new();
        let mut wanted: Vec<Arc<str>> = calls.iter().cloned().collect();
        while let Some(name) = wanted.pop() {
            let Some(function) = self.functions.and_then(|functions| functions.get(&name)) else {
                continue;
            };
            if plans.contains_key(&name) {
                continue;
            }
            let code = self.types.plan_function(names, function)?;
            check_statics(&code)?;
            wanted.extend(code.calls.iter().cloned());
            plans.insert(name, code);
        }
        Ok(plans)
    }

    /// The object and cell that an lvalue without computed parts names, such
    /// as `s.f[2]`.
    pub fn cell(&self, expr: &Expr, table: &Table) -> Option<(ObjectId, u32)> {
        let names = TableNames(table);
        let place = Planner::new(self.types, &names).place(expr).ok()?;
        place.fixed()
    }

    /// Says what an lvalue without computed parts holds in every row; false if
    /// the tree names no such place.
    pub fn set(&self, expr: &Expr, table: &mut Table, column: Column) -> bool {
        match self.cell(expr, table) {
            Some((object, cell)) => {
                table.set(object, cell, column);
                true
            }
            None => false,
        }
    }
}
