//! Code that never runs: anything that every compiler accepts.

mod expression;
mod pieces;
mod undefined;

use super::{Surroundings, Synth};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::StepOp;
use crate::code::stmt::Stmt;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// The nesting depth of expressions in dead code.
const EXPRESSION_DEPTH: u32 = 3;

/// Makes one dead body.
#[derive(Debug)]
struct DeadBody<'s, 'a, R> {
    synth: &'s mut Synth<'a, R>,
    around: &'s Surroundings,
    loops: u32,
    switches: u32,
    /// The counters of the loops around, the innermost last.
    counters: Vec<Expr>,
}

impl<'a, R: Rng> Synth<'a, R> {
    /// A block of random statements over everything in scope. If `is_in_loop`, they may
    /// `break` and `continue`.
    pub(crate) fn dead_body(&mut self, around: &Surroundings, is_in_loop: bool) -> Stmt {
        let depth = self.sizes.dead_depth;
        let mut body = DeadBody {
            synth: self,
            around,
            loops: u32::from(is_in_loop),
            switches: 0,
            counters: vec![],
        };
        Stmt::Block(body.statements(depth))
    }
}

impl<R: Rng> DeadBody<'_, '_, R> {
    fn statements(&mut self, depth: u32) -> Vec<Stmt> {
        let count = self.synth.rng.random_range(1..=1 + depth.min(2));
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn block(&mut self, depth: u32) -> Stmt {
        Stmt::Block(self.statements(depth))
    }

    /// A statement that is valid C; the empty one if nothing better was found.
    fn statement(&mut self, depth: u32) -> Stmt {
        for _ in 0..4 {
            if let Some(stmt) = self.candidate(depth)
                && self.synth.types.check(&stmt).is_ok()
            {
                return stmt;
            }
        }
        Stmt::Empty
    }

    fn candidate(&mut self, depth: u32) -> Option<Stmt> {
        let most = if depth == 0 { 12 } else { 22 };
        match self.synth.rng.random_range(0..most) {
            0..=4 => self.assignment().map(Stmt::Expr),
            5 => self.call().map(Stmt::Expr),
            6 if self.around.may_abort && self.synth.one_in(4) => Some(Stmt::Abort),
            6 => self.jump(),
            7 => {
                let value = self.expression(EXPRESSION_DEPTH);
                let ty = self.synth.types.type_of(&value).ok()?;
                Some(Stmt::use_value(ty, value))
            }
            8 => {
                let label = self.around.labels.choose(self.synth.rng)?;
                Some(Stmt::Goto(label.clone()))
            }
            9 => self.back(),
            10 => self.pointing().map(Stmt::Expr),
            11 if self.synth.undefined => self.undefined(),
            11 => self.whole_copy().map(Stmt::Expr),
            12 | 13 => {
                let condition = self.expression(2);
                let yes = self.block(depth - 1);
                if self.synth.rng.random() {
                    Some(Stmt::if_then(condition, yes))
                } else {
                    Some(Stmt::if_else(condition, yes, self.block(depth - 1)))
                }
            }
            14 => {
                self.loops += 1;
                let body = self.block(depth - 1);
                self.loops -= 1;
                Some(self.around_loop(body))
            }
            15 | 16 => Some(self.counted_loop(depth - 1)),
            17..=20 => self.structure(),
            _ => {
                self.switches += 1;
                let body = self.cases(depth - 1);
                self.switches -= 1;
                Some(Stmt::switch(self.expression(1), Stmt::Block(body)))
            }
        }
    }

    fn around_loop(&mut self, body: Stmt) -> Stmt {
        let condition = self.expression(2);
        match self.synth.rng.random_range(0..3) {
            0 => Stmt::while_loop(condition, body),
            1 => Stmt::do_loop(body, condition),
            _ => Stmt::For {
                start: self.assignment(),
                condition: Some(condition),
                step: self.assignment(),
                body: body.into(),
            },
        }
    }

    /// A loop with a counter of its own around any statements.
    fn counted_loop(&mut self, depth: u32) -> Stmt {
        let pieces = self.pieces();
        let turns = if self.synth.one_in(4) { 200 } else { 12 };
        let role = format!("c{}", self.counters.len());
        let counter = self.synth.counter(&pieces, &role, turns);
        self.counters.push(counter.var.clone());
        self.loops += 1;
        let body = self.statements(depth);
        self.loops -= 1;
        self.counters.pop();
        Stmt::Block(vec![counter.declaration.clone(), counter.loop_over(body)])
    }

    fn cases(&mut self, depth: u32) -> Vec<Stmt> {
        let first = self.synth.rng.random_range(0..5);
        let mut body = Vec::new();
        for number in 0..self.synth.rng.random_range(1..=3) {
            body.push(Stmt::Case(Value::int(first + 2 * number)));
            body.push(self.statement(depth));
            if self.synth.rng.random() {
                body.push(Stmt::Break);
            }
        }
        body.push(Stmt::Default);
        body.push(self.statement(depth));
        body
    }

    fn jump(&mut self) -> Option<Stmt> {
        let may_break = self.around.may_break || self.loops + self.switches > 0;
        let may_continue = self.around.may_continue || self.loops > 0;
        match self.synth.rng.random::<bool>() {
            true if may_break => Some(Stmt::Break),
            false if may_continue => Some(Stmt::Continue),
            _ => None,
        }
    }

    fn back(&mut self) -> Option<Stmt> {
        match &self.around.result {
            Some(Type::Void) => Some(Stmt::Return(None)),
            Some(_) => Some(Stmt::Return(Some(self.expression(EXPRESSION_DEPTH)))),
            None => None,
        }
    }

    fn assignment(&mut self) -> Option<Expr> {
        let target = self.scalar(true)?;
        Some(match self.synth.rng.random_range(0..6) {
            0 => {
                let op = *StepOp::ALL.choose(self.synth.rng)?;
                Expr::step(op, target)
            }
            1 | 2 => {
                let op = self.synth.assigning();
                let value = self.operand(op, 2);
                Expr::compound(op, target, value)
            }
            _ => Expr::assign(target, self.expression(EXPRESSION_DEPTH)),
        })
    }

    fn call(&mut self) -> Option<Expr> {
        let callee = self.around.callees.choose(self.synth.rng)?.clone();
        let args = callee.params.iter().map(|_| self.expression(1)).collect();
        Some(Expr::call(callee, args))
    }
}
