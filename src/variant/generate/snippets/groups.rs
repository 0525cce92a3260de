//! Neighbouring elements that are treated alike, which vectorisers look for.

use super::SnippetWriter;
use super::memory::length_of;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::value::Value;
use crate::variant::generate::weights::COMPOUND;
use rand::Rng;

/// Elements of an array, from one on.
struct Neighbours {
    array: Expr,
    /// What is added to the number of the lane.
    start: Expr,
}

impl Neighbours {
    fn element(&self, lane: i32) -> Expr {
        let index = match &self.start {
            Expr::Const(start) => Expr::int(start.math() as i32 + lane),
            start if lane == 0 => start.clone(),
            start => Expr::binary(BinaryOp::Add, start.clone(), Expr::int(lane)),
        };
        self.array.clone().index(index)
    }
}

impl SnippetWriter {
    /// `a[i] = b[i] + x; a[i + 1] = b[i + 1] + x; …`, or numbers that gather such elements.
    pub(super) fn group(&mut self) -> Stmt {
        let count = self.one_of(&[2, 2, 3, 4, 4, 4, 8]);
        let Some(from) = self.lanes(count) else {
            return self.assignment();
        };
        let lines = if self.percent(30) {
            self.gathered(&from, count)
        } else {
            self.lanes(count)
                .map(|to| self.lane_by_lane(&to, &from, count))
        };
        match lines {
            Some(lines) => Stmt::Block(lines),
            None => self.assignment(),
        }
    }

    /// So many elements of an array that has as many.
    fn lanes(&mut self, count: i32) -> Option<Neighbours> {
        let runs = self.runs.clone();
        let length = self.length;
        let room = |var: &Var| match &var.ty {
            Type::Array { of, .. } if of.int_kind().is_some() => length_of(&var.ty),
            Type::Array { of, .. } => length_of(of),
            Type::Pointer { to, .. } if to.int_kind().is_some() && runs.contains(var) => length,
            _ => 0,
        };
        let arrays = self.objects.iter().filter(|var| room(var) >= count as u64);
        let arrays: Vec<Var> = arrays.cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        let array = arrays[self.dice.random_range(0..arrays.len())].clone();
        let spare = room(&array) as i32 - count;
        if let Type::Array { of, len } = &array.ty
            && of.int_kind().is_none()
        {
            // A row of a matrix, which a counter numbers.
            let row = self.index(*len);
            let start = Expr::int(self.dice.random_range(0..=spare));
            let array = Expr::Var(array).index(row);
            return Some(Neighbours { array, start });
        }
        let array = Expr::Var(array);
        let start = match self.counters.last().cloned() {
            Some(counter) if self.percent(70) => {
                let counter = Expr::Var(counter);
                match self.dice.random_range(0..3) {
                    0 => counter,
                    _ => Expr::binary(BinaryOp::Mul, counter, Expr::int(count)),
                }
            }
            _ => Expr::int(self.dice.random_range(0..=spare)),
        };
        Some(Neighbours { array, start })
    }

    fn lane_by_lane(&mut self, to: &Neighbours, from: &Neighbours, count: i32) -> Vec<Stmt> {
        let features = self.policy.features;
        let op = self
            .policy
            .draw_where(&COMPOUND, &mut self.dice, |op| features.allows_operator(op));
        let (op, other) = (op.unwrap_or(BinaryOp::Add), self.leaf());
        let step = self.one_of(&[0, 0, 0, 1, 1, -1, 2]);
        let plain = self.percent(35);
        let turned = self.percent(20);
        let odd = self.percent(20).then(|| self.dice.random_range(0..count));
        let mut lines = Vec::new();
        for lane in 0..count {
            let source = from.element(if turned { count - 1 - lane } else { lane });
            let value = if plain && odd != Some(lane) {
                source
            } else {
                let op = if odd == Some(lane) { BinaryOp::Sub } else { op };
                Expr::binary(op, source, self.stepped(&other, step * i128::from(lane)))
            };
            lines.push(Stmt::Expr(Expr::assign(to.element(lane), value)));
        }
        if self.percent(15) {
            let at = self.dice.random_range(1..lines.len());
            lines.rotate_left(at);
        }
        lines
    }

    /// A constant with something added; anything else as it is.
    fn stepped(&self, expr: &Expr, by: i128) -> Expr {
        match expr {
            Expr::Const(value) => {
                Expr::Const(Value::new(value.kind(), value.math() + by, self.target()))
            }
            other => other.clone(),
        }
    }

    /// `s += a[i]; t += a[i + 1];`, or the same number each time.
    fn gathered(&mut self, from: &Neighbours, count: i32) -> Option<Vec<Stmt>> {
        let op = self.one_of(&[
            BinaryOp::Add,
            BinaryOp::Add,
            BinaryOp::BitXor,
            BinaryOp::BitOr,
            BinaryOp::BitAnd,
            BinaryOp::Mul,
        ]);
        let same = self.percent(30);
        let chosen = self.percent(25);
        let first = self.plain_variable()?;
        let mut lines = Vec::new();
        for lane in 0..count {
            let target = if same {
                first.clone()
            } else {
                self.plain_variable()?
            };
            let target = Expr::Var(target);
            lines.push(if chosen {
                let value = self.constant();
                let set = Stmt::Expr(Expr::assign(target, value));
                Stmt::if_then(from.element(lane), set)
            } else {
                Stmt::Expr(Expr::compound(op, target, from.element(lane)))
            });
        }
        Some(lines)
    }
}
