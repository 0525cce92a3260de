//! The blocks that are open in a session, and the names in them.
//!
//! A scope is a list that shares its tail with the scope around it, so that a
//! mark keeps it for free.

use super::super::ctype::Type;
use super::super::eval::TableNames;
use super::super::expr::{Expr, Var};
use super::super::interp::{Interpreter, Memory};
use super::super::plan::{Code, Resolved, Resolver, Slot, plan_body};
use super::super::rows::Rows;
use super::super::stmt::{Declaration, Init, Specifiers, Stmt};
use super::super::table::{ObjectId, State, Table};
use super::super::trouble::{Mistake, Stop};
use super::Session;
use std::rc::Rc;
use std::sync::Arc;

/// What was opened or declared last, and the scope before that.
#[derive(Debug)]
pub(super) struct OpenScope {
    outer: Option<Rc<OpenScope>>,
    entry: Opened,
}

#[derive(Debug)]
enum Opened {
    Block,
    /// A function with this result; what is local to its caller is out of scope.
    Function(Type),
    Local {
        name: Arc<str>,
        object: ObjectId,
        is_static: bool,
    },
}

impl OpenScope {
    fn entries(scope: &Option<Rc<OpenScope>>) -> impl Iterator<Item = &OpenScope> {
        std::iter::successors(scope.as_deref(), |scope| scope.outer.as_deref())
    }

    /// The result type of the function that is being written.
    pub(super) fn result(scope: &Option<Rc<OpenScope>>) -> Option<&Type> {
        OpenScope::entries(scope).find_map(|scope| match &scope.entry {
            Opened::Function(result) => Some(result),
            _ => None,
        })
    }
}

/// The names in scope: locals up to the function, then globals.
pub(super) struct Names<'s> {
    scope: &'s Option<Rc<OpenScope>>,
    table: &'s Table,
}

impl Resolver for Names<'_> {
    fn find(&self, var: &Var) -> Option<Resolved> {
        for scope in OpenScope::entries(self.scope) {
            match &scope.entry {
                Opened::Function(_) => break,
                Opened::Local { name, object, .. } if *name == var.name => {
                    let known = self.table.object(*object);
                    return Some(Resolved {
                        slot: Slot::Table(*object),
                        ty: known.ty.clone(),
                        constant: known.constant,
                        volatile: known.volatile,
                    });
                }
                Opened::Local { .. } | Opened::Block => {}
            }
        }
        TableNames(self.table).find(var)
    }
}

fn mistake(what: &'static str) -> Mistake {
    Mistake {
        what,
        path: Vec::new(),
    }
}

impl Session {
    pub(super) fn names(&self) -> Names<'_> {
        Names {
            scope: &self.scope,
            table: &self.table,
        }
    }

    fn push_scope(&mut self, entry: Opened) {
        let outer = self.scope.take();
        self.scope = Some(Rc::new(OpenScope { outer, entry }));
    }

    /// Opens a block.
    pub fn open(&mut self) {
        self.push_scope(Opened::Block);
    }

    /// Runs a declaration in the innermost open block, from the active rows.
    pub fn declare(&mut self, stmt: &Stmt) -> Result<ObjectId, Stop> {
        let Stmt::Declare(declaration) = stmt else {
            return Err(mistake("something other than a declaration").into());
        };
        let name = &declaration.var.name;
        for scope in OpenScope::entries(&self.scope) {
            match &scope.entry {
                Opened::Block | Opened::Function(_) => break,
                Opened::Local { name: other, .. } if other == name => {
                    return Err(mistake("a name declared twice in one block").into());
                }
                Opened::Local { .. } => {}
            }
        }
        if self.scope.is_none() {
            return Err(mistake("a declaration outside a block").into());
        }
        let specifiers = &declaration.specifiers;
        let declared = if specifiers.is_static {
            self.begin_static(declaration)
        } else {
            let before = self.undo.mark(&self.table);
            let begun = self.begin(declaration);
            if begun.is_err() {
                self.undo.rollback(&mut self.table, before);
            }
            begun
        };
        if let Ok(object) = declared {
            let known = &mut self.table.objects[object.0 as usize];
            known.constant = specifiers.constant;
            known.volatile = specifiers.volatile;
            self.push_scope(Opened::Local {
                name: name.clone(),
                object,
                is_static: specifiers.is_static,
            });
            self.forget();
        }
        declared
    }

    /// A variable that lives as long as the program.
    fn begin_static(&mut self, declaration: &Declaration) -> Result<ObjectId, Stop> {
        let block = Stmt::Block(vec![Stmt::Declare(declaration.clone())]);
        let mut code = plan_body(&self.types, &self.names(), &[], None, &block)?;
        self.add_statics(&mut code)?;
        Ok(code.static_objects[0])
    }

    /// Gives static variables objects, with the values they start with. Like
    /// globals they are kept when the session goes back.
    pub(super) fn add_statics(&mut self, code: &mut Code) -> Result<(), Stop> {
        for local in &code.statics {
            let (name, ty) = (local.var.name.clone(), local.var.ty.clone());
            let added = self.table.push(&self.types, name, ty, State::Value);
            let object = added.ok_or_else(|| mistake("an object of incomplete type"))?;
            code.static_objects.push(object);
        }
        let all = Rows::all(self.table.rows());
        for (local, object) in code.statics.iter().zip(&code.static_objects) {
            let Some(full) = &local.initial.full else {
                continue;
            };
            self.activate(all.clone());
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
            // Constants are the same in all turns of a loop.
            for column in begun.columns.values_mut() {
                column.values.truncate(self.base_rows() as usize);
            }
            self.undo.rollback(&mut self.table, before);
            self.table.objects[object.0 as usize] = begun;
        }
        Ok(())
    }

    /// Begins the life of a variable in the active rows.
    fn begin(&mut self, declaration: &Declaration) -> Result<ObjectId, Stop> {
        self.plan(|planner| planner.check_own_name(declaration))?;
        let object = self.add_local(&declaration.var)?;
        self.keep_way_back(|session| session.initialise(declaration, object))?;
        Ok(object)
    }

    /// Runs the initialiser of a local.
    fn initialise(&mut self, declaration: &Declaration, object: ObjectId) -> Result<(), Stop> {
        let slot = Slot::Table(object);
        let (initial, code) = self.plan(|planner| planner.initial(declaration, slot))?;
        let state = if initial.zeroed {
            State::Value
        } else {
            State::Uninitialised
        };
        self.attempt(|domain, functions, limit, rows| {
            domain.set_object(object, state, rows);
            if let Some(full) = &initial.full {
                Interpreter::new(domain, &code, functions, limit).alone(full, rows)?;
            }
            Ok(())
        })
    }

    /// An object that is not alive yet.
    fn add_local(&mut self, var: &Var) -> Result<ObjectId, Stop> {
        let (name, ty) = (var.name.clone(), var.ty.clone());
        let added = self.table.push(&self.types, name, ty, State::Dead);
        let object = added.ok_or_else(|| mistake("an object of incomplete type"))?;
        self.undo.note_added(object);
        Ok(object)
    }

    /// Closes the innermost open block: its variables are dead, and pointers to
    /// them dangle.
    pub fn close(&mut self) {
        let mut dead = Vec::new();
        loop {
            let scope = self.scope.take().expect("a block is open");
            self.scope = scope.outer.clone();
            match &scope.entry {
                Opened::Local {
                    is_static: true, ..
                } => {}
                Opened::Local { object, .. } => dead.push(*object),
                Opened::Block | Opened::Function(_) => break,
            }
        }
        if dead.is_empty() {
            return;
        }
        self.undo.mark(&self.table);
        // Also where control has left the block already.
        let all = Rows::all(self.table.rows());
        for object in &dead {
            let (table, undo) = (&mut self.table, &mut self.undo);
            table.set_object(*object, State::Dead, &all, undo);
        }
        let (table, undo) = (&mut self.table, &mut self.undo);
        table.dangle(&self.types, &dead, &all, undo);
        self.forget();
    }

    /// Enters a function that is still being written, from a call with these
    /// arguments in the active rows: its parameters are in scope, and nothing
    /// that is local to the caller. `return` converts to its result type.
    pub fn enter(&mut self, params: &[Var], result: &Type, args: &[Expr]) -> Result<(), Stop> {
        if params.len() != args.len() {
            return Err(mistake("a call with the wrong number of arguments").into());
        }
        let before = self.undo.mark(&self.table);
        let entered = self.keep_way_back(|session| {
            let mut objects = Vec::new();
            for (param, arg) in params.iter().zip(args) {
                let object = session.add_local(param)?;
                let declaration = Declaration {
                    var: param.clone(),
                    specifiers: Specifiers::default(),
                    init: Some(Init::Value(arg.clone())),
                };
                session.initialise(&declaration, object)?;
                objects.push(object);
            }
            Ok(objects)
        });
        let objects = match entered {
            Ok(objects) => objects,
            Err(stop) => {
                self.undo.rollback(&mut self.table, before);
                return Err(stop);
            }
        };
        self.push_scope(Opened::Function(result.clone()));
        for (param, object) in params.iter().zip(objects) {
            self.push_scope(Opened::Local {
                name: param.name.clone(),
                object,
                is_static: false,
            });
        }
        self.forget();
        Ok(())
    }

    /// Leaves the function that was entered last, all of whose blocks are
    /// closed.
    pub fn leave(&mut self) {
        self.close();
    }
}
