//! `if` and `switch`: the active positions divided among arms.

use super::Author;
use super::ledger::ActiveSet;
use crate::code::stmt::Stmt;
use crate::code::value::Value;
use rand::Rng;
use std::collections::BTreeSet;

/// Conditions of a hundred that are written although they can go one way only.
const ONE_WAY: u32 = 25;

impl Author<'_> {
    pub(super) fn branch(&mut self, depth: u32) {
        // Where one position is left, it goes one way only.
        if self.ledger.len() < 2 && !self.percent(ONE_WAY) {
            return self.assign();
        }
        let condition = self.condition(3, 4);
        let [yes, no] = self.ledger.split(&condition.numbers.values);
        self.stats.condition(!yes.is_empty() && !no.is_empty());
        let count = self.dice.random_range(1..=if self.simple { 1 } else { 4 });
        let other = self.percent(50);
        let yes_stmt = if yes.is_empty() {
            self.dead_arm()
        } else {
            self.arm(yes, count, depth - 1)
        };
        let no_count = if other {
            self.dice.random_range(1..=3)
        } else {
            0
        };
        let no_stmt = if no.is_empty() && other {
            self.dead_arm()
        } else {
            self.arm(no, no_count, depth - 1)
        };
        let stmt = match (yes_stmt, no_stmt) {
            (None, None) => return,
            (Some(yes), None) => Stmt::if_then(self.hinted(condition.expr), yes),
            (yes, Some(no)) => {
                Stmt::if_else(condition.expr, yes.unwrap_or(Stmt::Block(vec![])), no)
            }
        };
        self.push(stmt);
    }

    /// The statements that some of the active positions run; `None` if there are none.
    fn arm(&mut self, set: ActiveSet, count: u32, depth: u32) -> Option<Stmt> {
        if set.is_empty() || count == 0 {
            return None;
        }
        let around = self.ledger.activate(set);
        let block = self.block(count, depth);
        self.rejoin(around);
        Some(block)
    }

    /// Makes the positions around an arm active again, but for those that have returned.
    fn rejoin(&mut self, around: ActiveSet) {
        self.ledger.activate(around);
        if let Some(function) = self.functions.last()
            && !function.gone.is_empty()
            && self.ledger.is_outermost()
        {
            let gone = function.gone.clone();
            self.ledger.drop_rows(&gone);
        }
    }

    pub(super) fn switch(&mut self, depth: u32) {
        let value = self.small_expression();
        let kind = value.numbers.kind.promoted();
        let seen: BTreeSet<i64> = value.numbers.values.iter().copied().collect();
        let mut cases: Vec<i64> = seen.into_iter().take(5).collect();
        // Cases beside those that are taken, for tables and ranges.
        for _ in 0..self.dice.random_range(1..=5) {
            let near = cases.first().copied().unwrap_or(0);
            let other = near.wrapping_add(self.dice.random_range(-4..=8));
            let other = Value::new(kind, other.into(), self.target()).carrier();
            if !cases.contains(&other) {
                cases.push(other);
            }
        }
        let left_out = self.percent(20);
        if left_out {
            cases.remove(0);
        }
        let mut items = Vec::new();
        let mut rest = value.numbers.values.clone();
        let around = self.ledger.active().clone();
        for case in cases {
            items.push(Stmt::Case(Value::from_carrier(kind, case)));
            let truth: Vec<i64> = rest.iter().map(|value| i64::from(*value == case)).collect();
            let [taken, others] = self.ledger.split(&truth);
            let count = self.dice.random_range(1..=3);
            if let Some(arm) = self.arm(taken, count, depth - 1) {
                items.push(arm);
            } else if self.percent(30) {
                // Falls through, to what other positions run.
                continue;
            }
            items.push(Stmt::Break);
            rest.retain(|value| *value != case);
            self.ledger.activate(others);
        }
        items.push(Stmt::Default);
        let others = self.ledger.active().clone();
        if let Some(arm) = self.arm(others, 2, depth - 1) {
            items.push(arm);
        }
        items.push(Stmt::Break);
        self.rejoin(around);
        self.push(Stmt::switch(value.expr, Stmt::Block(items)));
    }
}
