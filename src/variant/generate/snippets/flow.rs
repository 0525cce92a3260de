//! `switch`, and loops made of `goto`.

use super::SnippetWriter;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::request::ProgramLanguage;
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeSet;

impl SnippetWriter {
    /// A `switch` over numbers that have to do with each other.
    pub(super) fn a_switch(&mut self, depth: u32) -> Stmt {
        let value = self.expr(1);
        let first = self.near_number().clamp(-1_000, 1_000);
        let numbers: Vec<i128> = (0..self.dice.random_range(1..=6))
            .map(|_| first + self.dice.random_range(0..=7))
            .collect();
        self.cases_over(value, numbers, 80, depth)
    }

    /// A `switch` over a remainder, with a case for nearly each, in any order.
    pub(super) fn switch_over_all(&mut self, depth: u32) -> Stmt {
        let count = self.dice.random_range(3..=8);
        let value = self.expr(1).cast(IntKind::UInt);
        let value = Expr::binary(BinaryOp::Rem, value, Expr::int(count));
        let mut numbers: Vec<i128> = (0..i128::from(count)).collect();
        numbers.shuffle(&mut self.dice);
        if self.percent(30) {
            numbers.pop();
        }
        self.cases_over(value, numbers, 60, depth)
    }

    /// A `switch` with such cases, of which so many in a hundred do not go on with the next.
    fn cases_over(&mut self, value: Expr, numbers: Vec<i128>, breaks: u32, depth: u32) -> Stmt {
        let value = self.fit_for_cases(value);
        let mut taken = BTreeSet::new();
        let mut items = Vec::new();
        // A loop around it is not left by its `break`.
        self.breakable += 1;
        for number in numbers {
            if taken.insert(number) {
                items.push(Stmt::Case(Value::new(IntKind::Int, number, self.target())));
                items.push(self.arm(depth));
                if self.percent(breaks) {
                    items.push(Stmt::Break);
                }
            }
        }
        if self.percent(60) {
            items.push(Stmt::Default);
            items.push(self.arm(depth));
        }
        self.breakable -= 1;
        Stmt::switch(value, Stmt::Block(items))
    }

    /// What a `switch` asks: in C++, cases of `int` must fit its type.
    pub(super) fn fit_for_cases(&self, value: Expr) -> Expr {
        match self.language {
            ProgramLanguage::C => value,
            ProgramLanguage::CPlusPlus => value.cast(IntKind::Int),
        }
    }

    fn arm(&mut self, depth: u32) -> Stmt {
        match self.dice.random_range(0..6) {
            0 => self.small_block(depth),
            1 if self.result.is_some() => Stmt::Return(self.returned(0)),
            2 | 3 => {
                let value = self.constant();
                match self.writable() {
                    Some(target) => Stmt::Expr(Expr::assign(target, value)),
                    None => Stmt::Empty,
                }
            }
            _ => self.assignment(),
        }
    }

    /// `fuel-- > 0` with a variable of its own, which nothing else names: true a few times.
    pub(super) fn fuel(&mut self) -> Expr {
        let turns = self.dice.random_range(1..=4);
        let fuel = self.declare(IntKind::Int, Some(Expr::int(turns)));
        self.objects.retain(|var| *var != fuel);
        let left = Expr::step(StepOp::PostDecrement, Expr::Var(fuel));
        Expr::binary(BinaryOp::Gt, left, Expr::int(0))
    }

    /// `label: … if (condition && fuel-- > 0) goto label;`.
    pub(super) fn jump_back(&mut self, depth: u32) -> Stmt {
        let label: std::sync::Arc<str> = self.fresh("l").into();
        let left = self.fuel();
        let body = self.small_block(depth);
        let again = self.condition(1);
        let condition = if self.dice.random() {
            Expr::logical(LogicalOp::And, again, left)
        } else {
            Expr::logical(LogicalOp::And, left, again)
        };
        let back = Stmt::if_then(condition, Stmt::Goto(label.clone()));
        Stmt::Block(vec![Stmt::Label(label), body, back])
    }

    /// A loop that can be entered in its middle:
    /// `if (condition) goto label; while (fuel-- > 0 && condition) { … label: … }`.
    pub(super) fn jump_in(&mut self, depth: u32) -> Stmt {
        let label: std::sync::Arc<str> = self.fresh("l").into();
        let left = self.fuel();
        let enter = self.condition(1);
        let again = if self.percent(60) {
            Expr::logical(LogicalOp::And, left, self.condition(1))
        } else {
            left
        };
        self.breakable += 1;
        self.loops += 1;
        // Blocks of their own: no declaration is jumped over.
        let before = self.small_block(depth);
        let behind = self.small_block(depth);
        self.loops -= 1;
        self.breakable -= 1;
        let body = Stmt::Block(vec![before, Stmt::Label(label.clone()), behind]);
        Stmt::Block(vec![
            Stmt::if_then(enter, Stmt::Goto(label)),
            Stmt::while_loop(again, body),
        ])
    }
}
