//! What was written and not read since, so that little is computed in vain.
//!
//! Optimisers delete what nobody needs, and then a program tests nothing but that. So a value
//! that nobody has read is not overwritten but built upon, and what a block leaves unread in
//! its variables goes into something that outlives it.

use super::Author;
use super::expr::Term;
use super::ledger::Address;
use super::names::{Holder, KnownVariable};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::{Part, Stmt};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Operators that keep what both operands say.
const KEEPING: [BinaryOp; 4] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::BitXor,
    BinaryOp::BitXor,
];

/// What is known about reads and writes of the text so far.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// Places that were written since their variable was last read, by variable.
    unread: BTreeMap<Arc<str>, Vec<Expr>>,
    mentioned: BTreeSet<Arc<str>>,
}

impl Usage {
    /// Notes what a statement reads and writes, in its order.
    pub(super) fn note(&mut self, stmt: &Stmt) {
        if let Stmt::Declare(declaration) = stmt {
            self.mentioned.insert(declaration.var.name.clone());
        }
        for part in stmt.parts() {
            match part {
                Part::Stmt(inside) => self.note(inside),
                Part::Expr(expr) => self.note_expr(expr),
            }
        }
        if let Stmt::Declare(declaration) = stmt
            && declaration.init.is_some()
        {
            self.written(&Expr::Var(declaration.var.clone()));
        }
    }

    fn note_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Var(var) => {
                self.mentioned.insert(var.name.clone());
                self.unread.remove(&var.name);
            }
            Expr::Assign { target, value } | Expr::Compound { target, value, .. } => {
                self.note_expr(value);
                self.note_target(target);
            }
            Expr::Step { target, .. } => self.note_target(target),
            _ => expr
                .children()
                .into_iter()
                .for_each(|child| self.note_expr(child)),
        }
    }

    /// A place that is written: its indices are read, its variable is not.
    fn note_target(&mut self, target: &Expr) {
        let mut place = target;
        loop {
            match place {
                Expr::Index { base, index } => {
                    self.note_expr(index);
                    place = base;
                }
                Expr::Field { base, .. } => place = base,
                Expr::Deref(pointer) => place = pointer,
                Expr::Var(var) => {
                    self.mentioned.insert(var.name.clone());
                    if let Some(unread) = self.unread.get_mut(&var.name) {
                        // A pointer is used where something is written through it.
                        unread.retain(|place| !matches!(place, Expr::Var(_)));
                    }
                    break self.written(target);
                }
                _ => break self.note_expr(place),
            }
        }
    }

    /// Notes that a place is written.
    pub(super) fn written(&mut self, place: &Expr) {
        if let Some(name) = root(place) {
            let unread = self.unread.entry(name).or_default();
            if !unread.contains(place) {
                unread.push(place.clone());
            }
        }
    }

    /// Whether a place was written and nobody has read it since.
    pub(super) fn is_unread(&self, place: &Expr) -> bool {
        root(place)
            .and_then(|name| self.unread.get(&name))
            .is_some_and(|unread| unread.contains(place))
    }

    /// Whether something of a variable was written and nobody has read it since.
    fn has_unread(&self, name: &str) -> bool {
        self.unread
            .get(name)
            .is_some_and(|unread| !unread.is_empty())
    }

    /// Whether any statement names a variable.
    pub(super) fn is_mentioned(&self, name: &str) -> bool {
        self.mentioned.contains(name)
    }
}

/// The variable that a place belongs to or is reached from.
fn root(place: &Expr) -> Option<Arc<str>> {
    match place {
        Expr::Var(var) => Some(var.name.clone()),
        Expr::Index { base, .. } | Expr::Field { base, .. } | Expr::Deref(base) => root(base),
        _ => None,
    }
}

impl Author<'_> {
    /// An operator that loses nothing of its operands.
    pub(super) fn keeping_op(&mut self) -> BinaryOp {
        KEEPING[self.dice.random_range(0..KEEPING.len())]
    }

    /// Puts what the variables from a number on hold unread into something that stays.
    pub(super) fn save_unread(&mut self, from: usize) {
        if self.ledger.active().is_empty() {
            return;
        }
        for named in self.unread_since(from) {
            if let Some(term) = self.held_by(&named)
                && let Some(target) = self.lasting_holder(from)
            {
                let op = self.keeping_op();
                self.update(&target, op, term);
            }
        }
    }

    /// What a variable holds, or an element of it.
    pub(super) fn held_by(&mut self, named: &KnownVariable) -> Option<Term> {
        let indexing = std::mem::replace(&mut self.indexing, true);
        let holder = self.scalar_of(named, false);
        self.indexing = indexing;
        self.read(&holder?)
    }

    /// The variables and arrays from a number on that nobody has read since they were written.
    pub(super) fn unread_since(&self, from: usize) -> Vec<KnownVariable> {
        let of_numbers = |ty: &Type| match ty {
            Type::Array { of, .. } => of.int_kind().is_some(),
            _ => ty.int_kind().is_some(),
        };
        self.locals[from..]
            .iter()
            .filter(|named| of_numbers(&named.ty) && self.usage.has_unread(&named.name))
            .cloned()
            .collect()
    }

    /// A scalar that may be written here and outlives the locals from a number on.
    fn lasting_holder(&mut self, from: usize) -> Option<Holder> {
        if !self.loops.is_empty() {
            return self
                .own_element(true)
                .or_else(|| self.outer_body_variable(from));
        }
        let globals = self.globals.iter().map(|global| &global.named);
        let globals = globals.filter(|_| self.may_write_globals());
        let locals = self.locals[self.frame_start()..from.max(self.frame_start())].iter();
        let fitting: Vec<KnownVariable> = locals
            .chain(globals)
            .filter(|named| named.writable && named.ty.int_kind().is_some())
            .cloned()
            .collect();
        let named = fitting.choose(&mut self.dice)?;
        Some(Holder {
            expr: named.expr(),
            kind: named.ty.int_kind()?,
            bits: None,
            address: Address::Fixed(named.object()?, 0),
        })
    }

    /// A variable of the loop's body that was declared before a number.
    fn outer_body_variable(&mut self, from: usize) -> Option<Holder> {
        let space = self.ledger.depth();
        let start = self.frame_start();
        let fitting: Vec<KnownVariable> = self.locals[start..from.max(start)]
            .iter()
            .filter(|named| named.writable && named.is_of_space(space))
            .filter(|named| !self.reduced.contains(&named.name))
            .cloned()
            .collect();
        let named = fitting.choose(&mut self.dice)?.clone();
        self.scalar_of(&named, true)
    }
}
