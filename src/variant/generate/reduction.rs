//! Reductions: one variable that all turns of a loop add to.

use super::Author;
use super::carried::plain;
use super::expr::Term;
use super::ledger::Address;
use super::names::Holder;
use super::weights::REDUCTIONS;
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Author<'_> {
    /// A scalar that the turns of a loop may add to: it lies at one place while the loop runs,
    /// and the loop's end does not depend on it.
    pub(super) fn reduction_target(&mut self, frozen: &[Arc<str>]) -> Option<Holder> {
        for _ in 0..4 {
            let Some(holder) = self.writable_holder() else {
                break;
            };
            let mut is_frozen = false;
            holder
                .expr
                .for_each_var(&mut |var| is_frozen |= frozen.contains(&var.name));
            let fits = matches!(holder.address, Address::Fixed(..) | Address::Local { .. });
            if fits && plain(&holder.expr) && !is_frozen && holder.kind != IntKind::Bool {
                return Some(holder);
            }
        }
        // A new one; wide and unsigned ones take any sum.
        let kind = [IntKind::UInt, IntKind::ULong, IntKind::Int, IntKind::Long];
        let kind = kind[self.dice.random_range(0..4)];
        let start = self.constant(kind);
        Some(self.start_local(kind, start, false))
    }

    /// The statement of the body that adds to the variable.
    pub(super) fn reduce(&mut self, total: &Holder) {
        if self.ledger.active().is_empty() {
            return;
        }
        let around = self.ledger.active().clone();
        let condition = if self.percent(30) {
            let condition = self.condition(2, 3);
            let [yes, _] = self.ledger.split(&condition.numbers.values);
            (!yes.is_empty()).then(|| {
                self.ledger.activate(yes);
                condition.expr
            })
        } else {
            None
        };
        let mut term = self.small_expression();
        for unread in self.unread_of_turn() {
            let op = self.keeping_op();
            term = self.combine(op, term, unread);
        }
        let op = self.draw(&REDUCTIONS);
        let stmt = match op {
            BinaryOp::Lt | BinaryOp::Gt => self.extreme(total, op, &term),
            _ => self.accumulated(total, op, &term),
        };
        self.ledger.activate(around);
        if let Some(stmt) = stmt {
            let stmt = match condition {
                Some(condition) => Stmt::if_then(condition, stmt),
                None => stmt,
            };
            self.push(stmt);
        }
    }

    /// What the turn has computed and nobody has read.
    fn unread_of_turn(&mut self) -> Vec<Term> {
        let space = self.ledger.depth();
        let mut unread = self.unread_since(self.frame_start());
        unread.retain(|named| named.is_of_space(space) && !self.reduced.contains(&named.name));
        unread
            .iter()
            .filter_map(|named| self.held_by(named))
            .collect()
    }

    /// `total op= term`, in the unsigned type if a sum overflows.
    fn accumulated(&mut self, total: &Holder, op: BinaryOp, term: &Term) -> Option<Stmt> {
        let target = self.target();
        let step = |total: &Numbers, term: &Numbers| operator::binary(target, op, total, term).ok();
        if self.fold(total, term, step) {
            return Some(Stmt::Expr(Expr::compound(
                op,
                total.expr.clone(),
                term.expr.clone(),
            )));
        }
        let kind = total.kind.common(term.numbers.kind, target).to_unsigned();
        let step = |total: &Numbers, term: &Numbers| {
            let total = operator::convert(target, total, kind);
            operator::binary(target, op, &total, term).ok()
        };
        let cast = self.cast(term, kind);
        self.fold(total, &cast, step).then(|| {
            let old = total.expr.clone().cast(kind);
            let sum = Expr::binary(op, old, cast.expr);
            Stmt::Expr(Expr::assign(total.expr.clone(), sum.cast(total.kind)))
        })
    }

    /// The smallest or the largest term of all turns.
    fn extreme(&mut self, total: &Holder, op: BinaryOp, term: &Term) -> Option<Stmt> {
        let target = self.target();
        let step = |total: &Numbers, term: &Numbers| {
            let better = operator::binary(target, op, term, total).ok()?;
            Some(if better.values[0] != 0 {
                term.clone()
            } else {
                total.clone()
            })
        };
        self.fold(total, term, step).then(|| {
            let (old, new) = (total.expr.clone(), term.expr.clone());
            let better = Expr::binary(op, new.clone(), old.clone());
            if self.dice.random() {
                Stmt::if_then(better, Stmt::Expr(Expr::assign(old, new)))
            } else {
                let chosen = Expr::conditional(better, new, old.clone());
                Stmt::Expr(Expr::assign(old, chosen))
            }
        })
    }

    /// Runs a step for every turn, in order; false, and nothing is changed, if one is
    /// undefined.
    fn fold(
        &mut self,
        total: &Holder,
        term: &Term,
        step: impl Fn(&Numbers, &Numbers) -> Option<Numbers>,
    ) -> bool {
        let Some(start) = self.read(total) else {
            return false;
        };
        let owners = self.ledger.owners();
        let mut sums: BTreeMap<usize, i64> = BTreeMap::new();
        let kind = start.numbers.kind;
        let one = |kind, value| Numbers {
            kind,
            values: vec![value],
        };
        for (at, owner) in owners.iter().enumerate() {
            let old = *sums.entry(*owner).or_insert(start.numbers.values[at]);
            let term = one(term.numbers.kind, term.numbers.values[at]);
            let Some(new) = step(&one(kind, old), &term) else {
                return false;
            };
            sums.insert(*owner, self.stored(total, &new)[0]);
        }
        let values = owners.iter().map(|owner| sums[owner]).collect();
        let sum = Self::term(total.expr.clone(), kind, values);
        self.store(total, &sum);
        true
    }
}
