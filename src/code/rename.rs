//! Functions under other names: what they declare, their labels, and the functions they call.
//!
//! Members and types keep their names. Only what a function of integers is made of is renamed;
//! there is no such function for calls through pointers, builtins and vectors.

use super::expr::{Callee, Expr, Var};
use super::stmt::{Declaration, Function, Init, Stmt};
use std::sync::Arc;

impl Function {
    /// The function with all names exchanged, also those of the functions that it calls.
    /// `None` if it has something that cannot be renamed.
    pub fn renamed(&self, name: &impl Fn(&str) -> Arc<str>) -> Option<Function> {
        let renaming = Renaming { name };
        Some(Function {
            name: name(&self.name),
            result: self.result.clone(),
            params: self.params.iter().map(|one| renaming.var(one)).collect(),
            body: renaming.stmt(&self.body)?.into(),
        })
    }
}

struct Renaming<'n, F> {
    name: &'n F,
}

impl<F: Fn(&str) -> Arc<str>> Renaming<'_, F> {
    fn var(&self, var: &Var) -> Var {
        Var {
            name: (self.name)(&var.name),
            ty: var.ty.clone(),
        }
    }

    fn expr(&self, expr: &Expr) -> Option<Expr> {
        Some(match expr {
            Expr::Var(var) => Expr::Var(self.var(var)),
            Expr::Call { callee, args } => {
                let callee = Callee {
                    name: (self.name)(&callee.name),
                    ..(**callee).clone()
                };
                let args: Option<Vec<Expr>> = args.iter().map(|arg| self.expr(arg)).collect();
                Expr::call(callee, args?)
            }
            Expr::FunctionName(_)
            | Expr::CallPointer { .. }
            | Expr::Builtin { .. }
            | Expr::Memory(_)
            | Expr::Vector(_) => return None,
            _ => {
                let mut made = expr.clone();
                for operand in made.operands_mut() {
                    *operand = self.expr(operand)?.into();
                }
                made
            }
        })
    }

    /// A clause that may be absent.
    fn clause(&self, expr: &Option<Expr>) -> Option<Option<Expr>> {
        Some(match expr {
            Some(expr) => Some(self.expr(expr)?),
            None => None,
        })
    }

    fn init(&self, init: &Init) -> Option<Init> {
        Some(match init {
            Init::Value(expr) => Init::Value(self.expr(expr)?),
            Init::List(items) => {
                let items: Option<Vec<Init>> = items.iter().map(|item| self.init(item)).collect();
                Init::List(items?)
            }
            Init::Room { length, room } => Init::Room {
                length: self.expr(length)?,
                room: *room,
            },
        })
    }

    fn inner(&self, stmt: &Stmt) -> Option<Arc<Stmt>> {
        Some(self.stmt(stmt)?.into())
    }

    fn stmt(&self, stmt: &Stmt) -> Option<Stmt> {
        Some(match stmt {
            Stmt::Empty
            | Stmt::Case(_)
            | Stmt::Default
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Abort => stmt.clone(),
            Stmt::Block(items) => {
                let items: Option<Vec<Stmt>> = items.iter().map(|item| self.stmt(item)).collect();
                Stmt::Block(items?)
            }
            Stmt::Declare(declaration) => Stmt::Declare(Declaration {
                var: self.var(&declaration.var),
                specifiers: declaration.specifiers.clone(),
                init: match &declaration.init {
                    Some(init) => Some(self.init(init)?),
                    None => None,
                },
            }),
            Stmt::Expr(expr) => Stmt::Expr(self.expr(expr)?),
            Stmt::If { condition, yes, no } => Stmt::If {
                condition: self.expr(condition)?,
                yes: self.inner(yes)?,
                no: match no {
                    Some(no) => Some(self.inner(no)?),
                    None => None,
                },
            },
            Stmt::While { condition, body } => Stmt::While {
                condition: self.expr(condition)?,
                body: self.inner(body)?,
            },
            Stmt::Do { body, condition } => Stmt::Do {
                body: self.inner(body)?,
                condition: self.expr(condition)?,
            },
            Stmt::For {
                start,
                condition,
                step,
                body,
            } => Stmt::For {
                start: self.clause(start)?,
                condition: self.clause(condition)?,
                step: self.clause(step)?,
                body: self.inner(body)?,
            },
            Stmt::Switch { value, body } => Stmt::Switch {
                value: self.expr(value)?,
                body: self.inner(body)?,
            },
            Stmt::Goto(label) => Stmt::Goto((self.name)(label)),
            Stmt::Label(label) => Stmt::Label((self.name)(label)),
            Stmt::Return(value) => Stmt::Return(self.clause(value)?),
            Stmt::Use { ty, value } => Stmt::Use {
                ty: ty.clone(),
                value: self.expr(value)?,
            },
        })
    }
}
