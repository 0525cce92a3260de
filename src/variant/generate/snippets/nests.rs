//! Nests of loops over arrays: each access has an index of its own for every dimension, so that
//! turns may or may not depend on each other, and nothing is out of bounds.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::weights::{COMPARISONS, IN_NESTS, PLAIN};
use rand::Rng;

/// The most elements of an array.
const ELEMENTS: u64 = 144;

/// A nest that is being written.
struct LoopNest {
    /// Turns of each loop.
    turns: i32,
    /// The counters of open loops, outermost first.
    counters: Vec<Var>,
    arrays: Vec<Var>,
    /// What the loops work on besides.
    scalars: Vec<Var>,
}

impl SnippetWriter {
    /// A test that is a nest of loops, or two of them one after the other.
    pub(super) fn nest(&mut self) {
        let depth = self.one_of(&[1, 1, 2, 2, 2, 3]);
        let mut nest = LoopNest {
            turns: self.dice.random_range(1..=if depth == 3 { 3 } else { 5 }),
            counters: Vec::new(),
            arrays: Vec::new(),
            scalars: Vec::new(),
        };
        for _ in 0..self.dice.random_range(1..=3) {
            let array = self.nest_array(nest.turns, depth);
            nest.arrays.push(array);
        }
        for _ in 0..self.dice.random_range(1..=2) {
            let kind = self.kind();
            nest.scalars.push(self.global(Type::Int(kind)));
        }
        let nests = self.one_of(&[1, 1, 1, 2]);
        let body = self.block_of(
            |writer| {
                let mut all = Vec::new();
                for _ in 0..nests {
                    all.push(writer.level(&mut nest, depth));
                    nest.counters.pop();
                }
                all
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    /// An array whose dimensions have room for what indices add to counters.
    fn nest_array(&mut self, turns: i32, depth: u32) -> Var {
        let dimensions = self.dice.random_range(1..=depth);
        let turns = turns as u64;
        let wide = match dimensions {
            1 => 3 * turns + 4,
            2 => 2 * turns + 2,
            _ => turns + 2,
        };
        let mut ty = Type::Int(self.kind());
        let mut elements = 1;
        for _ in 0..dimensions {
            let len = wide.min(ELEMENTS / elements).max(turns);
            elements *= len;
            ty = ty.array(len);
        }
        self.global(ty)
    }

    /// A loop with what is inside.
    fn level(&mut self, nest: &mut LoopNest, depth: u32) -> Stmt {
        let counter = self.nest_counter();
        nest.counters.push(counter.clone());
        let name = Expr::Var(counter);
        let last = Expr::int(nest.turns - 1);
        let mut items = Vec::new();
        if depth > 1 {
            if self.percent(25) {
                items.push(self.nest_statement(nest));
            }
            items.push(self.level(nest, depth - 1));
            nest.counters.pop();
        }
        for _ in 0..self.one_of(if depth > 1 { &[0, 0, 1] } else { &[1, 2, 2, 3] }) {
            items.push(self.nest_statement(nest));
        }
        let body = Stmt::Block(items);
        if self.percent(30) {
            let start = Expr::assign(name.clone(), last);
            let condition = Expr::binary(BinaryOp::Ge, name.clone(), Expr::int(0));
            let step = Expr::compound(BinaryOp::Sub, name, Expr::int(1));
            return Stmt::for_loop(start, condition, step, body);
        }
        let start = Expr::assign(name.clone(), Expr::int(0));
        let condition = if self.percent(50) {
            Expr::binary(BinaryOp::Le, name.clone(), last)
        } else {
            Expr::binary(BinaryOp::Lt, name.clone(), Expr::int(nest.turns))
        };
        let by = self.one_of(&[1, 1, 1, 1, 2, 3]);
        let step = Expr::compound(BinaryOp::Add, name, Expr::int(by));
        Stmt::for_loop(start, condition, step, body)
    }

    /// A signed variable, since some loops count to -1.
    fn nest_counter(&mut self) -> Var {
        let kind = self.one_of(&[
            IntKind::Int,
            IntKind::Int,
            IntKind::Int,
            IntKind::Short,
            IntKind::SChar,
            IntKind::Long,
        ]);
        let as_global = if self.style == SnippetStyle::Once {
            60
        } else {
            15
        };
        if self.percent(as_global) {
            return self.global(Type::Int(kind));
        }
        self.declare(kind, None)
    }

    fn nest_statement(&mut self, nest: &LoopNest) -> Stmt {
        let target = match self.dice.random_range(0..10) {
            0..7 => self.element(nest),
            _ => self.nest_scalar(nest),
        };
        let value = self.nest_value(nest);
        let stmt = Stmt::Expr(if self.percent(45) {
            let op = self.one_of(&IN_NESTS);
            Expr::compound(op, target, value)
        } else {
            Expr::assign(target, value)
        });
        if !self.percent(22) {
            return stmt;
        }
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let asked = self.element(nest);
        let limit = if self.percent(60) {
            self.constant()
        } else {
            self.nest_scalar(nest)
        };
        let condition = Expr::binary(op, asked, limit);
        if self.percent(15) {
            return Stmt::if_else(condition, stmt, Stmt::Break);
        }
        Stmt::if_then(condition, stmt)
    }

    /// One or two operands.
    fn nest_value(&mut self, nest: &LoopNest) -> Expr {
        let first = self.nest_operand(nest);
        if self.percent(35) {
            return first;
        }
        let op = self.one_of(&PLAIN);
        let second = self.nest_operand(nest);
        let value = Expr::binary(op, first, second);
        if self.percent(20) {
            value.cast(self.kind())
        } else {
            value
        }
    }

    fn nest_operand(&mut self, nest: &LoopNest) -> Expr {
        match self.dice.random_range(0..20) {
            0..12 => self.element(nest),
            12..15 => self.nest_scalar(nest),
            15..17 => {
                let at = self.dice.random_range(0..nest.counters.len());
                Expr::Var(nest.counters[at].clone())
            }
            _ => self.constant(),
        }
    }

    fn nest_scalar(&mut self, nest: &LoopNest) -> Expr {
        let at = self.dice.random_range(0..nest.scalars.len());
        Expr::Var(nest.scalars[at].clone())
    }

    /// An element of one of the arrays.
    fn element(&mut self, nest: &LoopNest) -> Expr {
        let at = self.dice.random_range(0..nest.arrays.len());
        let array = nest.arrays[at].clone();
        let mut place = Expr::Var(array.clone());
        let mut ty = array.ty;
        while let Type::Array { of, len } = ty {
            let index = self.nest_index(nest, len as i32);
            place = place.index(index);
            ty = (*of).clone();
        }
        place
    }

    /// A counter with something added, two of them, or a number.
    fn nest_index(&mut self, nest: &LoopNest, len: i32) -> Expr {
        let room = len - nest.turns;
        let at = self.dice.random_range(0..nest.counters.len());
        let counter = Expr::Var(nest.counters[at].clone());
        let added = |counter: Expr, by: i32| {
            if by == 0 {
                return counter;
            }
            Expr::binary(BinaryOp::Add, counter, Expr::int(by))
        };
        match self.dice.random_range(0..20) {
            0..9 => counter,
            9..13 => added(counter, self.dice.random_range(0..=room.min(3))),
            13 if room >= nest.turns => {
                let twice = Expr::binary(BinaryOp::Mul, counter, Expr::int(2));
                added(twice, self.dice.random_range(0..=1))
            }
            14 => Expr::binary(BinaryOp::Sub, Expr::int(nest.turns - 1), counter),
            15 if room + 1 >= nest.turns => {
                let other = self.dice.random_range(0..nest.counters.len());
                let other = Expr::Var(nest.counters[other].clone());
                Expr::binary(BinaryOp::Add, counter, other)
            }
            _ => Expr::int(self.dice.random_range(0..len.min(4))),
        }
    }
}
