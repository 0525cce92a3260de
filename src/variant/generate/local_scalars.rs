//! Local variables that hold one number.

use super::Author;
use super::expr::Term;
use super::feature::Feature;
use super::names::{Holder, KnownVariable, VariableHome};
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;

impl Author<'_> {
    pub(super) fn declare_scalar(&mut self) {
        let term = self.expression();
        self.declare_with(term);
    }

    /// A new local that starts with a term.
    pub(super) fn declare_with(&mut self, term: Term) {
        let kind = if self.percent(60) {
            term.numbers.kind
        } else {
            self.kind()
        };
        let features = self.policy.features;
        let qualified = features.has(Feature::Qualifiers) && self.percent(15);
        // It is assigned at once, so it does not matter that it keeps its value.
        let is_static = self.may_write_globals() && self.ledger.is_outermost();
        if qualified && is_static && self.percent(30) {
            let holder = self.new_local(kind, &term, true);
            return self.push(Stmt::Expr(Expr::assign(holder.expr, term.expr)));
        }
        self.start_local(kind, term, qualified);
    }

    /// Declares a local that starts with a term.
    pub(super) fn start_local(&mut self, kind: IntKind, term: Term, constant: bool) -> Holder {
        let (named, holder) = self.add_scalar(kind, &term, !constant);
        self.push(Stmt::Declare(Declaration {
            var: Var {
                name: named.name.clone(),
                ty: named.ty.clone(),
            },
            specifiers: Specifiers {
                constant,
                ..Specifiers::default()
            },
            init: Some(Init::Value(term.expr)),
        }));
        self.locals.push(named);
        holder
    }

    /// A new local that holds a term; the caller assigns it.
    pub(super) fn new_local(&mut self, kind: IntKind, term: &Term, is_static: bool) -> Holder {
        let (named, holder) = self.add_scalar(kind, term, true);
        self.push_declaration(Stmt::Declare(Declaration {
            var: Var {
                name: named.name.clone(),
                ty: named.ty.clone(),
            },
            specifiers: Specifiers {
                is_static,
                ..Specifiers::default()
            },
            init: None,
        }));
        self.locals.push(named);
        holder
    }

    /// Declares a variable that gets its value later.
    pub(super) fn declare_bare(&mut self, var: &Var) {
        self.push_declaration(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers::default(),
            init: None,
        }));
    }

    /// A new scalar that holds a term and is not in sight yet.
    fn add_scalar(
        &mut self,
        kind: IntKind,
        term: &Term,
        writable: bool,
    ) -> (KnownVariable, Holder) {
        let name = self.fresh("x");
        let storage = if self.ledger.is_outermost() {
            let object = self.ledger.add_object(&name, kind.into());
            VariableHome::Object(object.expect("a scalar type is complete"))
        } else {
            let zero = vec![0; self.ledger.len()];
            VariableHome::Body(self.ledger.add_local(&zero))
        };
        let named = KnownVariable {
            name: name.as_str().into(),
            ty: kind.into(),
            storage,
            writable,
            global: false,
        };
        let holder = self
            .scalar_of(&named, true)
            .expect("a scalar is its own holder");
        self.store(&holder, term);
        (named, holder)
    }
}
