//! Volatile variables: each statement accesses one of them once, so that no two accesses are
//! unsequenced.

use super::Author;
use super::data::Global;
use super::ledger::Address;
use super::names::Holder;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Volatile variables of a program.
const MOST: usize = 4;

impl Author<'_> {
    /// Writes a volatile variable, or reads one into a new local.
    pub(super) fn volatile_statement(&mut self) {
        if !self.may_write_globals() {
            return self.assign();
        }
        let Some(holder) = self.volatile_holder() else {
            return self.assign();
        };
        if self.dice.random() {
            let term = self.expression();
            self.assign_to(&holder, term);
        } else if let Some(term) = self.read(&holder) {
            self.declare_with(term);
        }
    }

    fn volatile_holder(&mut self) -> Option<Holder> {
        if self.volatiles.is_empty() || self.volatiles.len() < MOST && self.percent(20) {
            let global = self.new_volatile()?;
            self.volatiles.push(global);
        }
        let named = &self.volatiles.choose(&mut self.dice)?.named;
        Some(Holder {
            expr: named.expr(),
            kind: named.ty.int_kind()?,
            bits: None,
            address: Address::Fixed(named.object()?, 0),
        })
    }

    fn new_volatile(&mut self) -> Option<Global> {
        self.scalar_global();
        let global = self.globals.pop()?;
        self.ledger.session.set_volatile(global.named.object()?);
        Some(global)
    }
}
