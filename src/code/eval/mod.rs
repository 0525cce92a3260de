//! What trees compute, exactly, over all rows of a table at once.
//!
//! [`Evaluator`] is the way in. One evaluator serves a single row too: a table
//! of one row is a row.

mod kernel;
mod log;
mod machine;
mod memory;
pub mod operator;
mod pointer;
mod rows;
mod run;

pub use run::Exit;

use super::ctype::{Type, Types};
use super::expr::{Expr, Var};
use super::op::UnaryOp;
use super::plan::{Code, Full, Known, Planner, Scope, Slot, plan_body};
use super::range::{Range, RangeMachine, RangeOutcome, Ranges, WayOut};
use super::stmt::{Function, Stmt};
use super::table::{Column, ObjectId, Table};
use super::trouble::{Mistake, Stop};
use log::Log;
use machine::Machine;
use rows::Rows;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of an expression: a carrier for each row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    #[serde(rename = "type")]
    pub ty: Type,
    pub values: Vec<i64>,
}

/// What a statement did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The variables afterwards.
    pub table: Table,
    /// How each row left the statement.
    pub exits: Vec<Exit>,
}

impl Outcome {
    /// Whether every row reached the end of the statement.
    pub fn ends(&self) -> bool {
        self.exits.iter().all(|exit| *exit == Exit::End)
    }
}

/// Evaluates trees over tables.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    types: &'a Types,
    functions: Option<&'a BTreeMap<Arc<str>, Function>>,
    step_limit: u64,
}

/// The names of a table.
struct TableScope<'a>(&'a Table);

impl Scope for TableScope<'_> {
    fn find(&self, var: &Var) -> Option<Known> {
        let id = self.0.find(&var.name)?;
        let object = self.0.object(id);
        Some(Known {
            slot: Slot::Table(id),
            ty: object.ty.clone(),
            constant: object.constant,
        })
    }
}

/// Every name means what the tree says.
struct AnyScope;

impl Scope for AnyScope {
    fn find(&self, var: &Var) -> Option<Known> {
        let slot = Slot::Table(ObjectId(0));
        Some(Known {
            slot,
            ty: var.ty.clone(),
            constant: false,
        })
    }
}

impl Types {
    /// The type of an expression's value: what `_Generic` would see, with
    /// arrays decayed, an enum as its integer type, and a bit-field by its
    /// declared type.
    pub fn type_of(&self, expr: &Expr) -> Result<Type, Mistake> {
        Ok(Planner::new(self, &AnyScope).value(expr)?.ty.to_type())
    }

    /// The expression, with a cast to its declared type if compilers disagree
    /// on what arithmetic with it means (see `plan/typing`).
    pub fn clear(&self, expr: Expr) -> Expr {
        let Ok(ty) = self.type_of(&expr) else {
            return expr;
        };
        let plus = Expr::unary(UnaryOp::Plus, expr.clone());
        match ty.int_kind() {
            Some(kind) if self.type_of(&plus).is_err() => expr.cast(kind),
            _ => expr,
        }
    }

    /// Whether a statement is C: well typed, jumps have targets (or leave it),
    /// declarations stand where C89 wants them.
    pub fn check(&self, stmt: &Stmt) -> Result<(), Mistake> {
        plan_body(self, &AnyScope, &[], None, stmt).map(drop)
    }

    /// Whether a function is C.
    pub fn check_function(&self, function: &Function) -> Result<(), Mistake> {
        self.plan_function(&AnyScope, function).map(drop)
    }

    fn plan_function(&self, scope: &dyn Scope, function: &Function) -> Result<Code, Mistake> {
        let code = plan_body(
            self,
            scope,
            &function.params,
            Some(&function.result),
            &function.body,
        )?;
        match code.leaves() {
            Some(what) => Err(Mistake {
                what,
                path: Vec::new(),
            }),
            None => Ok(Code {
                signature: Some(function.callee()),
                ..code
            }),
        }
    }
}

impl<'a> Evaluator<'a> {
    /// Steps a row may take, unless set otherwise.
    pub const STEP_LIMIT: u64 = 10_000;

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
        self.expression(expr, table).map(|(values, _)| values)
    }

    /// The value of an expression in every row, and the variables afterwards.
    pub fn perform(&self, expr: &Expr, table: &Table) -> Result<(Values, Table), Stop> {
        let (values, after) = self.expression(expr, table)?;
        Ok((values, after.into_owned()))
    }

    fn expression<'t>(
        &self,
        expr: &Expr,
        table: &'t Table,
    ) -> Result<(Values, Cow<'t, Table>), Stop> {
        let scope = TableScope(table);
        let mut planner = Planner::new(self.types, &scope);
        let typed = planner.value(expr)?;
        let full = Full::new(typed.node);
        let functions = self.plan_functions(&scope, &planner.calls)?;
        let code = Code::of_expression(std::mem::take(&mut planner.paths));
        let mut machine = self.machine(table, &code, &functions);
        let values = machine.full(&full, &Rows::all(table.rows()))?;
        // The result borrows the caller's table, not our plan.
        let after = match machine.table {
            Cow::Borrowed(_) => Cow::Borrowed(table),
            Cow::Owned(after) => Cow::Owned(after),
        };
        Ok((
            Values {
                ty: typed.ty.to_type(),
                values,
            },
            after,
        ))
    }

    /// Runs a statement from every row of a table.
    pub fn run(&self, stmt: &Stmt, table: &Table) -> Result<Outcome, Stop> {
        let scope = TableScope(table);
        let code = plan_body(self.types, &scope, &[], None, stmt)?;
        let functions = self.plan_functions(&scope, &code.calls)?;
        let mut machine = self.machine(table, &code, &functions);
        let rows = Rows::all(table.rows());
        machine.enter_frame();
        let exits = machine.run(&rows)?;
        machine.leave_frame(&rows);
        Ok(Outcome {
            table: machine.table.into_owned(),
            exits,
        })
    }

    /// What an expression may be, over ranges. A trouble means that some
    /// values in the ranges may have it.
    pub fn range(&self, expr: &Expr, ranges: &Ranges) -> Result<(Type, Range), Stop> {
        let scope = TableScope(ranges.table());
        let mut planner = Planner::new(self.types, &scope);
        let typed = planner.value(expr)?;
        let full = Full::new(typed.node);
        let code = Code::of_expression(std::mem::take(&mut planner.paths));
        let range = self.range_machine(&code, ranges).full(&full)?;
        let ty = typed.ty.to_type();
        let range = match ty.int_kind() {
            Some(kind) => range.seen_as(kind, self.types.target),
            None => range,
        };
        Ok((ty, range))
    }

    /// What a statement may do, over ranges.
    pub fn run_ranges(&self, stmt: &Stmt, ranges: &Ranges) -> Result<RangeOutcome, Stop> {
        let scope = TableScope(ranges.table());
        let code = plan_body(self.types, &scope, &[], None, stmt)?;
        let mut machine = self.range_machine(&code, ranges);
        machine.enter_frame();
        let exits = machine.run(self.step_limit)?;
        machine.leave_frame();
        let ends = exits.iter().all(|exit| *exit == WayOut::End) && !exits.is_empty();
        Ok(RangeOutcome {
            ranges: machine.ranges,
            ends,
        })
    }

    fn range_machine<'m>(&self, code: &'m Code, ranges: &Ranges) -> RangeMachine<'m>
    where
        'a: 'm,
    {
        let (ranges, frame, old) = (ranges.clone(), Vec::new(), Vec::new());
        RangeMachine {
            types: self.types,
            code,
            ranges,
            frame,
            old,
            steps: 0,
        }
    }

    fn machine<'m>(
        &self,
        table: &'m Table,
        code: &'m Code,
        functions: &'m BTreeMap<Arc<str>, Code>,
    ) -> Machine<'m>
    where
        'a: 'm,
    {
        Machine {
            types: self.types,
            table: Cow::Borrowed(table),
            functions,
            code,
            function: None,
            frame: Vec::new(),
            old: Vec::new(),
            log: Log::default(),
            steps: vec![0; table.rows() as usize],
            step_limit: self.step_limit,
            depth: 0,
        }
    }

    /// The plans of all functions that may be called.
    fn plan_functions(
        &self,
        scope: &dyn Scope,
        calls: &std::collections::BTreeSet<Arc<str>>,
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
            let code = self.types.plan_function(scope, function)?;
            wanted.extend(code.calls.iter().cloned());
            plans.insert(name, code);
        }
        Ok(plans)
    }

    /// The object and cell that an lvalue without computed parts names, such
    /// as `s.f[2]`.
    pub fn cell(&self, expr: &Expr, table: &Table) -> Option<(ObjectId, u32)> {
        let scope = TableScope(table);
        let place = Planner::new(self.types, &scope).place(expr).ok()?;
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
