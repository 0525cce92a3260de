//! Expressions used before: a ring of them, for common subexpressions.

use super::Author;
use super::expr::Term;
use super::names::Holder;
use crate::code::expr::{Expr, Var};
use rand::Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many expressions are remembered.
const RING: usize = 8;
/// Larger ones are not worth repeating.
const LARGEST: usize = 24;

/// An expression with what it reads, while its value stays what it is.
#[derive(Debug)]
struct Remembered {
    term: Term,
    /// The set of positions that the values belong to.
    set: u64,
    names: BTreeSet<Arc<str>>,
    /// Whether it reads through pointers, so that any write may change it.
    follows: bool,
}

/// The expressions used lately.
#[derive(Debug, Default)]
pub(super) struct CommonRing {
    kept: Vec<Remembered>,
    next: usize,
}

impl CommonRing {
    /// Forgets what reads variables that go out of scope.
    pub(super) fn forget_names(&mut self, names: impl Iterator<Item = Arc<str>>) {
        let gone: BTreeSet<Arc<str>> = names.collect();
        self.kept.retain(|kept| kept.names.is_disjoint(&gone));
    }
}

impl Author<'_> {
    /// Keeps an expression for reuse.
    pub(super) fn remember(&mut self, term: &Term) {
        if matches!(term.expr, Expr::Const(_) | Expr::Var(_))
            || term.expr.size() > LARGEST
            || term.expr.has_effects()
        {
            return;
        }
        let mut names = BTreeSet::new();
        term.expr.for_each_var(&mut |var: &Var| {
            names.insert(var.name.clone());
        });
        let kept = Remembered {
            term: term.clone(),
            set: self.ledger.active().id,
            names,
            follows: follows(&term.expr),
        };
        let ring = &mut self.common;
        if ring.kept.len() < RING {
            ring.kept.push(kept);
        } else {
            ring.kept[ring.next % RING] = kept;
            ring.next += 1;
        }
    }

    /// An expression that has the value it had before.
    pub(super) fn remembered(&mut self) -> Option<Term> {
        let set = self.ledger.active().id;
        let fitting = self.common.kept.iter().filter(|kept| kept.set == set);
        let count = fitting.clone().count();
        if count == 0 {
            return None;
        }
        let at = self.dice.random_range(0..count);
        let term = self
            .common
            .kept
            .iter()
            .filter(|kept| kept.set == set)
            .nth(at)?;
        Some(term.term.clone())
    }

    /// Forgets what a write may have changed.
    pub(super) fn forget_written(&mut self, holder: &Holder) {
        let mut written = None;
        holder.expr.for_each_var(&mut |var: &Var| {
            written.get_or_insert_with(|| var.name.clone());
        });
        let through_pointer = follows(&holder.expr);
        self.common.kept.retain(|kept| {
            let same = written
                .as_ref()
                .is_some_and(|name| kept.names.contains(name));
            !(same || through_pointer || kept.follows)
        });
    }
}

/// Whether an expression reads or names something through a pointer or a call.
fn follows(expr: &Expr) -> bool {
    matches!(expr, Expr::Deref(_) | Expr::Call { .. })
        || matches!(expr, Expr::Index { base, .. } if is_pointer(base))
        || expr.children().into_iter().any(follows)
}

pub(super) fn is_pointer(expr: &Expr) -> bool {
    use crate::code::ctype::Type;
    matches!(expr, Expr::Var(var) if matches!(var.ty, Type::Pointer { .. }))
}
