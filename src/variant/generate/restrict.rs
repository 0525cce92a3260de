//! Pointer parameters that may be called `restrict`: what they point to is reached in no other
//! way while the function runs.

use super::Author;
use super::common::is_pointer;
use crate::code::expr::Expr;
use crate::code::stmt::{Function, Part, Stmt};
use crate::code::table::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a body names.
#[derive(Default)]
struct BodyNames {
    names: BTreeSet<Arc<str>>,
    pointers: BTreeSet<Arc<str>>,
    /// Whether it calls something, or takes an address.
    leaks: bool,
    /// Pointers that are made to point elsewhere.
    moved: BTreeSet<Arc<str>>,
}

impl BodyNames {
    fn see(&mut self, stmt: &Stmt) {
        for part in stmt.parts() {
            match part {
                Part::Stmt(inside) => self.see(inside),
                Part::Expr(expr) => self.see_expr(expr),
            }
        }
    }

    fn see_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Var(var) => {
                let names = if is_pointer(expr) {
                    &mut self.pointers
                } else {
                    &mut self.names
                };
                names.insert(var.name.clone());
            }
            Expr::Call { .. } | Expr::CallPointer { .. } | Expr::AddressOf(_) => self.leaks = true,
            Expr::Assign { target, .. }
            | Expr::Compound { target, .. }
            | Expr::Step { target, .. } => {
                if let Expr::Var(var) = &**target {
                    self.moved.insert(var.name.clone());
                }
            }
            _ => {}
        }
        expr.children()
            .into_iter()
            .for_each(|child| self.see_expr(child));
    }
}

impl Author<'_> {
    /// The parameters, by number, that may be restrict pointers; `targets` has what each
    /// parameter points to in any row.
    pub(super) fn restricted(
        &self,
        function: &Function,
        targets: &[BTreeSet<ObjectId>],
    ) -> BTreeSet<usize> {
        let mut body = BodyNames::default();
        body.see(&function.body);
        let is_param = |name: &Arc<str>| function.params.iter().any(|param| param.name == *name);
        if body.leaks || !body.pointers.iter().all(is_param) {
            return BTreeSet::new();
        }
        let named = |object: &ObjectId| {
            let mut globals = self.globals.iter().map(|global| &global.named);
            globals.any(|named| named.object() == Some(*object) && body.names.contains(&named.name))
        };
        let alone = |at: usize| {
            let mut others = targets.iter().enumerate().filter(|(other, _)| *other != at);
            others.all(|(_, other)| other.is_disjoint(&targets[at]))
        };
        (0..targets.len())
            .filter(|at| !targets[*at].is_empty() && alone(*at))
            .filter(|at| !targets[*at].iter().any(named))
            .filter(|at| !body.moved.contains(&function.params[*at].name))
            .collect()
    }
}
