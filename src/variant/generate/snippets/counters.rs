//! Loops whose counter is asked about inside, and counters that go on by way of a narrower type, a
//! function or a factor: how many turns there are, what the last value is and where the answer
//! changes is computed by formulas that must hold for every step and every start.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::weights::COMPARISONS;
use rand::Rng;

/// A loop that counts.
struct CountingLoop {
    counter: Expr,
    from: i32,
    /// What is added in each turn.
    step: i32,
    turns: i32,
}

impl CountingLoop {
    /// A value that the counter has.
    fn value(&self, turn: i32) -> i32 {
        self.from + turn * self.step
    }
}

impl SnippetWriter {
    /// A test with one such loop, or one inside another.
    pub(super) fn counters(&mut self) {
        let kind = self.kind();
        let marks = self.global(Type::INT);
        self.global(Type::Int(kind));
        let is_nested = self.percent(35);
        let body = self.block_of(
            |writer| {
                let inner = writer.counting_loop(&marks);
                if !is_nested {
                    return inner;
                }
                let outer = writer.outer_counter();
                let turns = writer.dice.random_range(1..=4);
                let end = writer.steered_sometimes(25, turns);
                let goes_on = Expr::binary(BinaryOp::Lt, outer.clone(), end);
                let start = Expr::assign(outer.clone(), Expr::int(0));
                let next = Expr::step(StepOp::PostIncrement, outer);
                vec![Stmt::for_loop(start, goes_on, next, Stmt::Block(inner))]
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    fn outer_counter(&mut self) -> Expr {
        let kind = self.counting_kind();
        if self.percent(50) {
            return Expr::Var(self.global(Type::Int(kind)));
        }
        Expr::Var(self.declare(kind, None))
    }

    /// The loop, and what its counter comes to.
    fn counting_loop(&mut self, marks: &Var) -> Vec<Stmt> {
        let is_global = self.percent(50);
        let kind = self.counting_kind();
        let counter = if is_global {
            self.global(Type::Int(kind))
        } else {
            self.declare(kind, None)
        };
        self.objects.retain(|var| *var != counter);
        let signed = kind.min(self.target()) < 0;
        let turns = self.dice.random_range(1..=12);
        let size = self.one_of(&[1, 1, 2, 3, 3, 4, 5, 7]);
        let back = signed && self.percent(35);
        let first = match self.dice.random_range(0..10) {
            0..4 => 0,
            4..8 if signed => -self.dice.random_range(1..=24),
            _ => self.dice.random_range(0..=20),
        };
        let line = CountingLoop {
            counter: Expr::Var(counter.clone()),
            from: first,
            step: if back { -size } else { size },
            turns,
        };
        let (start, condition, next) = self.counting_head(&line, kind);
        self.counters.push(counter.clone());
        self.breakable += 1;
        self.loops += 1;
        let mut items = Vec::new();
        for _ in 0..self.one_of(&[1, 1, 2]) {
            items.push(self.counted_question(&line, marks));
        }
        if self.percent(30) {
            items.push(self.statement(1));
        }
        self.loops -= 1;
        self.breakable -= 1;
        self.counters.pop();
        let body = Stmt::Block(items);
        let looped = match self.dice.random_range(0..10) {
            // Where it starts is left to what was there, or said before.
            0..7 => Stmt::for_loop(start, condition, next, body),
            7 => Stmt::Block(vec![
                Stmt::Expr(start),
                Stmt::do_loop(Stmt::Block(vec![body, Stmt::Expr(next)]), condition),
            ]),
            _ => Stmt::Block(vec![
                Stmt::Expr(start),
                Stmt::while_loop(condition, Stmt::Block(vec![body, Stmt::Expr(next)])),
            ]),
        };
        let output = Expr::Var(self.output(Type::Int(kind)));
        vec![looped, Stmt::Expr(Expr::assign(output, Expr::Var(counter)))]
    }

    /// `i = first`, `i < last` and `i += step`, or something that comes to the same.
    fn counting_head(&mut self, line: &CountingLoop, kind: IntKind) -> (Expr, Expr, Expr) {
        let from = self.steered_sometimes(30, line.from);
        let start = Expr::assign(line.counter.clone(), from);
        let end = line.value(line.turns);
        let (op, end) = match (line.step > 0, self.dice.random_range(0..6)) {
            (true, 0..3) => (BinaryOp::Lt, end - self.slack(line.step)),
            (true, 3 | 4) => (BinaryOp::Le, end - 1 - self.slack(line.step)),
            (false, 0..3) => (BinaryOp::Gt, end + self.slack(-line.step)),
            (false, 3 | 4) => (BinaryOp::Ge, end + 1 + self.slack(-line.step)),
            _ => (BinaryOp::Ne, end),
        };
        let end = self.steered_sometimes(25, end);
        let condition = Expr::binary(op, line.counter.clone(), end);
        (start, condition, self.counting_step(line, kind))
    }

    /// How far an end may lie before the value that the counter has there.
    fn slack(&mut self, step: i32) -> i32 {
        if self.percent(60) {
            return 0;
        }
        self.dice.random_range(0..step)
    }

    fn counting_step(&mut self, line: &CountingLoop, kind: IntKind) -> Expr {
        let counter = line.counter.clone();
        let step = Expr::int(line.step);
        let plain = Expr::compound(BinaryOp::Add, counter.clone(), step.clone());
        let next = match self.dice.random_range(0..12) {
            0..5 => return plain,
            5 | 6 => {
                let narrow = self.any_kind();
                Expr::binary(BinaryOp::Add, counter.clone(), step).cast(narrow)
            }
            7 | 8 if self.has(Feature::Calls) => {
                // Through a function that changes the type, and back again.
                let apart = self.dice.random_range(-90..=90);
                let given = Expr::binary(BinaryOp::Add, counter.clone(), Expr::int(apart));
                let call = self.converted_by_call(given);
                let back = Expr::int(line.step - apart);
                Expr::binary(BinaryOp::Add, call, back)
            }
            9 => {
                let twice = self.one_of(&[2, 2, 3, -1]);
                let product = Expr::binary(BinaryOp::Mul, counter.clone(), Expr::int(twice));
                Expr::binary(BinaryOp::Add, product, Expr::int(line.step))
            }
            10 => {
                let op = self.one_of(&[BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Div]);
                let by = self.one_of(&[1, 2, 3]);
                Expr::binary(op, counter.clone(), Expr::int(by))
            }
            _ => {
                let narrow = self.one_of(&[IntKind::SChar, IntKind::Short, IntKind::UShort]);
                let value = Expr::binary(BinaryOp::Add, counter.clone(), step).cast(narrow);
                value.cast(kind)
            }
        };
        Expr::assign(counter, next)
    }

    /// A value that goes through a function of some types.
    fn converted_by_call(&mut self, value: Expr) -> Expr {
        let [taken, given] = [(); 2].map(|()| {
            if self.percent(50) {
                self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::Long])
            } else {
                self.any_kind()
            }
        });
        let param = self.var("p", Type::Int(taken));
        let result = Expr::Var(param.clone());
        let callee = self.giving(vec![param], Vec::new(), Type::Int(given), result);
        Expr::call(callee, vec![value])
    }

    /// Something that is done on one side of a value of the counter.
    fn counted_question(&mut self, line: &CountingLoop, marks: &Var) -> Stmt {
        let counter = line.counter.clone();
        // Near to where it starts or ends.
        let turn = if self.percent(50) {
            line.turns - self.dice.random_range(0..=2)
        } else {
            self.dice.random_range(-1..=line.turns)
        };
        let limit = line.value(turn) + self.one_of(&[0, 0, 1, -1]);
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let mut asked = match self.dice.random_range(0..10) {
            0 => {
                let by = Expr::int(self.one_of(&[2, 2, 3, 4]));
                let rest = Expr::binary(BinaryOp::Rem, counter, by);
                Expr::binary(BinaryOp::Eq, rest, Expr::int(self.one_of(&[0, 0, 1])))
            }
            1 => Expr::binary(op, counter, self.leaf()),
            2 => counter,
            _ => {
                let limit = self.steered_sometimes(15, limit);
                Expr::binary(op, counter, limit)
            }
        };
        if self.percent(20) {
            let op = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
            asked = Expr::logical(op, asked, self.condition(1));
        }
        let yes = self.mark(marks);
        match self.dice.random_range(0..10) {
            0..4 => Stmt::if_else(asked, yes, self.mark(marks)),
            4 => Stmt::if_else(asked, yes, Stmt::Break),
            5 => {
                let choice = Expr::conditional(asked, self.leaf(), self.leaf());
                let name = Expr::Var(marks.clone());
                Stmt::Expr(Expr::compound(BinaryOp::BitXor, name, choice))
            }
            _ => Stmt::if_then(asked, yes),
        }
    }
}
