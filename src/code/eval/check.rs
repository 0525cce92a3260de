//! Typing trees without evaluating them.

use super::super::ctype::{Type, Types};
use super::super::expr::{Expr, Var};
use super::super::op::UnaryOp;
use super::super::plan::{Code, Planner, Resolved, Resolver, Slot, plan_body};
use super::super::stmt::{Function, Stmt};
use super::super::table::{ObjectId, Pointer};
use super::super::trouble::Mistake;
use std::sync::Arc;

/// Every name means what the tree says.
struct AnyName;

impl Resolver for AnyName {
    fn find(&self, var: &Var) -> Option<Resolved> {
        let slot = Slot::Table(ObjectId(0));
        Some(Resolved {
            slot,
            ty: var.ty.clone(),
            constant: false,
            volatile: false,
        })
    }
}

impl Types {
    /// The type of an expression's value: what `_Generic` would see, with
    /// arrays decayed, an enum as its integer type, and a bit-field by its
    /// declared type.
    pub fn type_of(&self, expr: &Expr) -> Result<Type, Mistake> {
        Ok(Planner::new(self, &AnyName).value(expr)?.ty.to_type())
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

    /// Whether a statement is C: well typed, and jumps have targets or leave it.
    pub fn check(&self, stmt: &Stmt) -> Result<(), Mistake> {
        plan_body(self, &AnyName, &[], None, stmt).map(drop)
    }

    /// Whether a function is C.
    // Used by tests only.
    pub fn check_function(&self, function: &Function) -> Result<(), Mistake> {
        self.plan_function(&AnyName, function).map(drop)
    }

    pub(in super::super) fn plan_function(
        &self,
        names: &dyn Resolver,
        function: &Function,
    ) -> Result<Code, Mistake> {
        let (params, result) = (&function.params, Some(&function.result));
        let code = plan_body(self, names, params, result, &function.body)?;
        match code.leaves() {
            Some(what) => Err(Mistake {
                what,
                path: Vec::new(),
            }),
            None => Ok(Code {
                signature: Some(Arc::new(function.callee())),
                address: Pointer::function(&function.name).encode(),
                ..code
            }),
        }
    }
}
