//! An open evaluation: a program is run while it is being written.
//!
//! A [`Session`] owns a table of rows and runs one statement after the other in
//! place. A step that is undefined in some row leaves no trace, so that its
//! writer can mend it or leave it out. Whatever a step costs, it does not depend
//! on how many variables, functions and statements there are besides.
//!
//! What a session does equals one [`run`](super::eval::Evaluator::run) of the
//! block that its steps make up.
//!
//! ```
//! use mestra::code::expr::Expr;
//! use mestra::code::op::BinaryOp;
//! use mestra::code::session::Session;
//! use mestra::code::ctype::Types;
//! use mestra::code::stmt::Stmt;
//! use mestra::code::table::Column;
//! use mestra::code::types::{IntKind, Target};
//!
//! // Two rows: what the program computes for two inputs.
//! let mut session = Session::new(Types::new(Target::LP64), 2);
//! session.global("g", IntKind::Int, vec![Column::values(vec![3, 0])]).unwrap();
//! let g = || Expr::var("g", IntKind::Int);
//!
//! // A statement that some row cannot do is as if it had never been tried.
//! let quotient = Expr::binary(BinaryOp::Div, Expr::int(12), g());
//! let divide = Stmt::Expr(Expr::assign(g(), quotient.clone()));
//! assert_eq!(session.step(&divide).unwrap_err().to_string(), "division by zero in row 1 at [0, 1]");
//!
//! // It is defined for the rows that are left.
//! let mark = session.mark();
//! session.activate_list(vec![0]);
//! session.step(&divide).unwrap();
//! assert_eq!(session.value(&g()).unwrap().values, [4]);
//! session.deactivate();
//! assert_eq!(session.value(&g()).unwrap().values, [4, 0]);
//!
//! // And there is a way back.
//! session.rollback(&mark);
//! session.release(mark);
//! assert_eq!(session.value(&g()).unwrap().values, [3, 0]);
//! ```

use super::ctype::{Field, Type, Types};
use super::eval::{Evaluator, Exit, TableNames, Values};
use super::expr::Expr;
use super::interp::Interpreter;
use super::plan::{Code, Full, Node, Planner, plan_body};
use super::rows::{RowDomain, Rows, Undo, UndoMark};
use super::stmt::{Function, Stmt};
use super::table::{Column, ObjectId, State, Table};
use super::trouble::{Mistake, Stop, Trouble};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An open evaluation. See the [module](self) for how to use it.
///
/// Globals and functions exist from the start of the program, whenever they are
/// added, so going back keeps them.
#[derive(Debug)]
pub struct Session {
    types: Types,
    table: Table,
    functions: BTreeMap<Arc<str>, Code>,
    /// The rows that are active, innermost last; never empty.
    active: Vec<Rows>,
    undo: Undo,
    marks: u32,
    step_limit: u64,
    open_calls: u32,
}

/// A state of a session to go back to.
#[derive(Debug)]
pub struct Mark {
    undo: UndoMark,
    active: Vec<Rows>,
}

/// How each active row left a statement.
#[derive(Clone, Debug)]
pub struct Exits {
    each: Vec<Exit>,
}

impl Exits {
    /// Whether every row reached the end of the statement.
    pub fn ends(&self) -> bool {
        self.each.iter().all(|exit| *exit == Exit::End)
    }
}

impl Session {
    /// A session without variables.
    pub fn new(types: Types, rows: u32) -> Session {
        Session::over(types, Table::new(rows))
    }

    /// A session that goes on from a table, whose objects are its globals.
    pub fn over(types: Types, table: Table) -> Session {
        Session {
            active: vec![Rows::all(table.rows())],
            types,
            table,
            functions: BTreeMap::new(),
            undo: Undo::default(),
            marks: 0,
            step_limit: Evaluator::STEP_LIMIT,
            open_calls: 0,
        }
    }

    /// Says how many calls are open around what is run, at most: calls may be nested less
    /// deeply then, and what is run by itself can also be run from there.
    pub(crate) fn set_open_calls(&mut self, calls: u32) {
        self.open_calls = calls;
    }

    /// How many instructions a row may execute in one step.
    pub fn set_step_limit(&mut self, limit: u64) {
        self.step_limit = limit;
    }

    /// The types that trees may use.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// Says what a struct's name means.
    pub fn define_struct(&mut self, name: &str, fields: Vec<Field>) -> Type {
        self.types.define(name, fields)
    }

    /// Says that a name is that of a union.
    pub fn define_union(&mut self, name: &str, fields: Vec<Field>) -> Type {
        self.types.define_union(name, fields)
    }

    /// A vector type that the program has a name for.
    pub fn define_vector(&mut self, of: impl Into<Type>, len: u32) -> Type {
        self.types.define_vector(of, len)
    }

    /// The variables.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Runs what follows for the rows of an ascending list, whether or not they
    /// are active now, until [`Session::deactivate`].
    pub fn activate_list(&mut self, rows: Vec<u32>) {
        self.active.push(Rows::of(rows, self.table.rows()));
    }

    /// Says what a cell holds in one row. Going back to a mark does not undo it.
    pub(crate) fn set_cell(&mut self, object: ObjectId, cell: u32, row: u32, carrier: i64) {
        self.table.set_cell(object, cell, row, carrier);
    }

    /// Goes back to the rows that were active before the last
    /// [`Session::activate_list`].
    pub fn deactivate(&mut self) {
        assert!(self.active.len() > 1, "activated before");
        self.active.pop();
    }

    /// Adds a global, which exists from the start of the program; what its cells
    /// hold then, in order. Those not listed are 0. `None` if the type is
    /// incomplete.
    pub fn global(
        &mut self,
        name: &str,
        ty: impl Into<Type>,
        columns: Vec<Column>,
    ) -> Option<ObjectId> {
        let object = self.table.add(&self.types, name, ty.into(), State::Value)?;
        for (cell, column) in columns.into_iter().enumerate() {
            let rows = self.table.rows() as usize;
            assert_eq!(column.values.len(), rows, "one value for each row");
            let columns = &mut self.table.objects[object.0 as usize].columns;
            columns.insert(cell as u32, column);
        }
        Some(object)
    }

    /// Makes reading an object a side effect.
    pub fn set_volatile(&mut self, object: ObjectId) {
        self.table.objects[object.0 as usize].volatile = true;
    }

    /// Keeps the plan of a function, which may use globals and call functions
    /// that are defined before it is called. A function of the same name is
    /// replaced.
    pub fn define(&mut self, function: &Function) -> Result<(), Stop> {
        let names = TableNames(&self.table);
        let mut code = self.types.plan_function(&names, function)?;
        self.add_statics(&mut code)?;
        self.functions.insert(function.name.clone(), code);
        Ok(())
    }

    /// Gives static variables objects, with the values they start with. Like
    /// globals they are kept when the session goes back.
    fn add_statics(&mut self, code: &mut Code) -> Result<(), Stop> {
        for local in &code.statics {
            let (name, ty) = (local.var.name.clone(), local.var.ty.clone());
            let added = self.table.push(&self.types, name, ty, State::Value);
            let object = added.ok_or_else(|| Mistake {
                what: "an object of incomplete type",
                path: Vec::new(),
            })?;
            code.static_objects.push(object);
        }
        let all = Rows::all(self.table.rows());
        for (local, object) in code.statics.iter().zip(&code.static_objects) {
            let Some(full) = &local.initial.full else {
                continue;
            };
            self.active.push(all.clone());
            let before = self.undo.mark(&self.table);
            let begun = self.keep_way_back(|session| {
                session.attempt(|domain, functions, limit, rows| {
                    Interpreter::new(domain, code, functions, limit).alone(full, rows)
                })
            });
            self.deactivate();
            begun?;
            let mut begun = self.table.object(*object).clone();
            begun.constant = local.constant;
            self.undo.rollback(&mut self.table, before);
            self.table.objects[object.0 as usize] = begun;
        }
        Ok(())
    }

    /// The value of an expression in every active row. What it changes is
    /// forgotten.
    pub fn value(&mut self, expr: &Expr) -> Result<Values, Stop> {
        let before = self.undo.mark(&self.table);
        let value = self.keep_way_back(|session| session.perform(expr));
        self.undo.rollback(&mut self.table, before);
        value
    }

    /// The value of an expression in every active row; what it changes stays.
    pub fn perform(&mut self, expr: &Expr) -> Result<Values, Stop> {
        let (typed, code) = self.plan(|planner| planner.value(expr))?;
        let values = self.evaluate(typed.node, &code)?;
        Ok(Values {
            ty: typed.ty.to_type(),
            values,
        })
    }

    /// Runs a statement from every active row. If it fails in one, nothing has
    /// changed. Rows that leave it stay active.
    pub fn step(&mut self, stmt: &Stmt) -> Result<Exits, Stop> {
        let names = TableNames(&self.table);
        let mut code = plan_body(&self.types, &names, &[], None, stmt)?;
        self.add_statics(&mut code)?;
        let open = self.open_calls;
        let exits = self.attempt(|domain, functions, limit, rows| {
            let mut interpreter = Interpreter::new(domain, &code, functions, limit).inside(open);
            interpreter.enter_frame(rows);
            let exits = interpreter.run(rows)?;
            interpreter.leave_frame(rows);
            Ok(exits)
        })?;
        Ok(Exits {
            each: exits.each().into_iter().map(|(_, exit)| exit).collect(),
        })
    }

    /// A state to go back to. It costs memory until it is
    /// [released](Session::release).
    pub fn mark(&mut self) -> Mark {
        self.marks += 1;
        Mark {
            undo: self.undo.mark(&self.table),
            active: self.active.clone(),
        }
    }

    /// Goes back to a mark, which can be used again. Globals stay, with the
    /// values they start with, and so do functions.
    pub fn rollback(&mut self, mark: &Mark) {
        self.undo.rollback(&mut self.table, mark.undo);
        self.active = mark.active.clone();
    }

    /// Gives up the way back to a mark, but not that to earlier ones.
    pub fn release(&mut self, _: Mark) {
        self.marks -= 1;
        self.forget();
    }

    /// Runs several steps that may have to be taken back together.
    fn keep_way_back<T>(&mut self, run: impl FnOnce(&mut Session) -> T) -> T {
        self.marks += 1;
        let result = run(self);
        self.marks -= 1;
        result
    }

    fn forget(&mut self) {
        if self.marks == 0 {
            self.undo.forget();
        }
    }

    /// Plans something over the names in scope, and what it runs in.
    fn plan<T>(
        &self,
        plan: impl FnOnce(&mut Planner<'_>) -> Result<T, Mistake>,
    ) -> Result<(T, Code), Mistake> {
        let names = TableNames(&self.table);
        let mut planner = Planner::new(&self.types, &names);
        let planned = plan(&mut planner)?;
        Ok((planned, Code::of_expression(planner)))
    }

    fn evaluate(&mut self, node: Node, code: &Code) -> Result<Vec<i64>, Stop> {
        let full = Full::new(node);
        let open = self.open_calls;
        self.attempt(|domain, functions, limit, rows| {
            let interpreter = Interpreter::new(domain, code, functions, limit);
            interpreter.inside(open).alone(&full, rows)
        })
    }

    /// Runs something on the table itself, and takes it back if it fails.
    fn attempt<T>(
        &mut self,
        run: impl FnOnce(
            &mut RowDomain<'_>,
            &BTreeMap<Arc<str>, Code>,
            u64,
            &Rows,
        ) -> Result<T, Trouble>,
    ) -> Result<T, Stop> {
        let before = self.undo.mark(&self.table);
        let objects = self.table.objects.len();
        let table = std::mem::replace(&mut self.table, Table::new(0));
        let undo = std::mem::take(&mut self.undo);
        let mut domain = RowDomain::in_place(&self.types, table, undo);
        let rows = self.active.last().expect("never empty");
        let result = run(&mut domain, &self.functions, self.step_limit, rows);
        (self.table, self.undo) = domain.into_parts();
        match result {
            Ok(result) => {
                self.forget();
                Ok(result)
            }
            Err(trouble) => {
                // The locals of functions that were left half-way.
                self.table.objects.truncate(objects);
                self.undo.rollback(&mut self.table, before);
                Err(trouble.into())
            }
        }
    }
}
