//! Graphs of `goto`: labelled blocks that jump to each other until their fuel is spent, also
//! into the middle of cycles.

use super::Author;
use super::names::Holder;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;

impl Author<'_> {
    /// A graph of labelled blocks.
    pub(super) fn goto_graph(&mut self) {
        let mark = self.bookmark();
        let turns = self.dice.random_range(4..=24);
        let start = self.literal(IntKind::Int, turns);
        let fuel = self.start_local(IntKind::Int, start, false);
        if let Some(local) = self.locals.last_mut() {
            local.writable = false;
        }
        let mut targets = Vec::new();
        for _ in 0..self.dice.random_range(1..=4) {
            targets.extend(self.plain_holder());
        }
        if targets.is_empty() {
            return self.go_back(&mark);
        }
        let labels: Vec<String> = (0..self.dice.random_range(3..=8))
            .map(|_| self.fresh("l"))
            .collect();
        let end = self.fresh("l");
        let mut items = Vec::new();
        if self.percent(40) {
            // Enters the graph in the middle.
            let label = labels[self.dice.random_range(0..labels.len())].clone();
            let condition = self.condition(2, 3);
            items.push(Stmt::if_then(
                condition.expr,
                Stmt::Goto(label.as_str().into()),
            ));
        }
        for label in &labels {
            items.push(Stmt::Label(label.as_str().into()));
            let spent = Expr::step(StepOp::PreDecrement, fuel.expr.clone());
            let spent = Expr::binary(BinaryOp::Lt, spent, Expr::int(0));
            items.push(Stmt::if_then(spent, Stmt::Goto(end.as_str().into())));
            let mut leaves = vec![fuel.clone()];
            leaves.extend(targets.iter().cloned());
            let at = self.dice.random_range(0..targets.len());
            let count = self.dice.random_range(1..=2);
            items.extend(self.guessed_statements(leaves, &targets[at..], count, &fuel));
            self.jumps(&labels, &targets, &mut items);
        }
        items.push(Stmt::Label(end.as_str().into()));
        let block = Stmt::Block(items);
        let size = block.size();
        if let Some(stmt) = self.try_run(block) {
            self.spend(size as i64);
            self.push(stmt);
        } else {
            self.go_back(&mark);
        }
    }

    /// How a block of the graph goes on.
    fn jumps(&mut self, labels: &[String], targets: &[Holder], items: &mut Vec<Stmt>) {
        let old = std::mem::replace(&mut self.guesses, targets.to_vec());
        match self.dice.random_range(0..4) {
            // Falls into the next block.
            0 => {}
            1 => {
                let value = self.small_expression();
                let kind = value.numbers.kind.promoted();
                let mask = Expr::binary(BinaryOp::BitAnd, value.expr, Expr::int(3));
                let mut cases = Vec::new();
                for case in 0..self.dice.random_range(2..4) {
                    cases.push(Stmt::Case(Value::new(kind, case, self.target())));
                    cases.push(self.jump(labels));
                }
                items.push(Stmt::switch(mask, Stmt::Block(cases)));
            }
            _ => {
                let condition = self.condition(2, 3);
                let jump = self.jump(labels);
                items.push(Stmt::if_then(condition.expr, jump));
                if self.percent(40) {
                    items.push(self.jump(labels));
                }
            }
        }
        self.guesses = old;
    }

    fn jump(&mut self, labels: &[String]) -> Stmt {
        let label = &labels[self.dice.random_range(0..labels.len())];
        Stmt::Goto(label.as_str().into())
    }
}
