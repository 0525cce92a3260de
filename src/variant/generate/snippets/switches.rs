//! A number turned into another by cases: what becomes a table, a line through its points, a test
//! of bits or a tree of comparisons, and must hold for all numbers around the cases.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use rand::Rng;

/// What the cases give.
#[derive(Clone, Copy)]
enum CaseValues {
    /// Points of a line.
    Line { start: i128, step: i128 },
    /// One of two numbers.
    Either(i128, i128),
    /// Anything.
    Any,
}

impl SnippetWriter {
    /// A function that is such a mapping, called with numbers near to its cases.
    pub(super) fn cases(&mut self) {
        let kind = self.counting_kind();
        let result = self.counting_kind();
        let points = self.case_points(kind);
        let callee = self.mapping(kind, result, &points);
        // A number of 32 bits and more may look like a case if it is cut off.
        self.numbers = points.clone();
        if kind.bits(self.target()) > 32 && self.percent(50) {
            let shift = self.one_of(&[32, 32, 63, 8, 16]);
            let far = points[0] + (1 << shift);
            self.numbers.push(far as i64 as i128);
        }
        let first = points[0];
        if self.has(Feature::Loops) && self.percent(30) {
            self.all_near(&callee, result, first);
        } else {
            self.test_of(&callee);
        }
    }

    /// Numbers that have a case: dense, apart from each other, or powers of two.
    fn case_points(&mut self, kind: IntKind) -> Vec<i128> {
        let count = self.one_of(&[2, 3, 3, 4, 5, 6, 8, 11]);
        let target = self.target();
        let first = match self.dice.random_range(0..10) {
            0..4 => self.dice.random_range(0..=3),
            4..6 => self.near_number().clamp(-1_000, 1_000),
            6 => kind.min(target),
            7 => kind.max(target) - count,
            _ => self.dice.random_range(-9..=90),
        };
        let sort = self.dice.random_range(0..10);
        let step = self.one_of(&[2, 3, 4, 8, 16]);
        let mut points: Vec<i128> = (0..count)
            .map(|at| match sort {
                0..5 => first + at,
                5 => first + at * step,
                6 | 7 => 1 << at,
                _ => first + at + i128::from(at > count / 2),
            })
            .filter(|point| (kind.min(target)..=kind.max(target)).contains(point))
            .collect();
        if points.len() > 3 && self.percent(30) {
            points.remove(1);
        }
        if points.is_empty() {
            points.push(0);
        }
        points
    }

    fn case_values(&mut self) -> CaseValues {
        match self.dice.random_range(0..10) {
            0..5 => CaseValues::Line {
                start: self.dice.random_range(-20..=120),
                step: self.one_of(&[1, 1, -1, 2, 3, 7, 23, 41]),
            },
            5..8 => CaseValues::Either(self.near_number(), self.dice.random_range(-1..=2)),
            _ => CaseValues::Any,
        }
    }

    fn case_value(&mut self, values: CaseValues, at: usize) -> Expr {
        let number = match values {
            CaseValues::Line { start, step } => start + step * at as i128,
            CaseValues::Either(one, _) if self.percent(50) => one,
            CaseValues::Either(_, other) => other,
            CaseValues::Any => return self.constant(),
        };
        let kind = if i32::try_from(number).is_ok() {
            IntKind::Int
        } else {
            IntKind::Long
        };
        Expr::Const(Value::new(kind, number, self.target()))
    }

    /// `r = c; switch (x) { case 1: r = d; break; … } return r;`, or as a chain of questions.
    fn mapping(&mut self, kind: IntKind, result: IntKind, points: &[i128]) -> Callee {
        let param = self.var("p", Type::Int(kind));
        let given = self.var("x", Type::Int(result));
        let values = self.case_values();
        let asked = self.switched(&param);
        let returns = self.percent(40);
        let arm = |value: Expr| {
            if returns {
                return Stmt::Return(Some(value));
            }
            Stmt::Expr(Expr::assign(Expr::Var(given.clone()), value))
        };
        let as_chain = !self.has(Feature::Switches) || self.percent(20);
        let body = if as_chain {
            let mut items = Vec::new();
            for (at, point) in points.iter().enumerate() {
                let point = Expr::Const(Value::new(kind, *point, self.target()));
                let condition = Expr::binary(BinaryOp::Eq, asked.clone(), point);
                items.push(Stmt::if_then(condition, arm(self.case_value(values, at))));
            }
            Stmt::Block(items)
        } else {
            self.switch_over(&asked, points, values, returns, arm)
        };
        let start = self.constant();
        let declared = Stmt::declare(&given.name, Type::Int(result), Some(start));
        let end = Expr::Var(given);
        self.giving(vec![param], vec![declared, body], Type::Int(result), end)
    }

    /// What is switched over: the number, or something near it.
    fn switched(&mut self, param: &Var) -> Expr {
        let name = Expr::Var(param.clone());
        match self.dice.random_range(0..10) {
            0 => Expr::binary(BinaryOp::BitAnd, name, Expr::int(self.one_of(&[7, 15, 31]))),
            1 => Expr::binary(BinaryOp::Sub, name, Expr::int(1)),
            2 => {
                let kind = self.any_kind();
                name.cast(kind)
            }
            _ => name,
        }
    }

    fn switch_over(
        &mut self,
        asked: &Expr,
        points: &[i128],
        values: CaseValues,
        returns: bool,
        arm: impl Fn(Expr) -> Stmt,
    ) -> Stmt {
        let kind = self.types.type_of(asked).ok().and_then(|ty| ty.int_kind());
        let kind = kind.unwrap_or(IntKind::Int).promoted();
        let (least, most) = (kind.min(self.target()), kind.max(self.target()));
        let mut items = Vec::new();
        for (at, point) in points.iter().enumerate() {
            if !(least..=most).contains(point) {
                continue;
            }
            items.push(Stmt::Case(Value::new(kind, *point, self.target())));
            if self.percent(15) && at + 1 < points.len() {
                // Shares what the next one does.
                continue;
            }
            items.push(arm(self.case_value(values, at)));
            if !returns && self.percent(95) {
                items.push(Stmt::Break);
            }
        }
        if self.percent(45) {
            items.push(Stmt::Default);
            items.push(arm(self.constant()));
        } else {
            items.push(Stmt::Empty);
        }
        Stmt::switch(asked.clone(), Stmt::Block(items))
    }

    /// Calls for all numbers near to the cases.
    fn all_near(&mut self, callee: &Callee, result: IntKind, first: i128) {
        let Some(kind) = callee.params.first().and_then(Type::int_kind) else {
            return;
        };
        let first = first.clamp(-1_000, 1_000) as i32;
        let low = if kind.min(self.target()) < 0 {
            first - 3
        } else {
            (first - 3).max(0)
        };
        let output = self.output(Type::Int(IntKind::ULong));
        let body = self.block_of(
            |writer| {
                let counter = Expr::Var(writer.declare(IntKind::Int, None));
                let start = Expr::assign(counter.clone(), Expr::int(low));
                let goes_on = Expr::binary(BinaryOp::Le, counter.clone(), Expr::int(first + 15));
                let next = Expr::step(StepOp::PostIncrement, counter.clone());
                let sum = Expr::Var(output);
                let times = Expr::binary(BinaryOp::Mul, sum.clone(), Expr::int(31));
                let call = Expr::call(callee.clone(), vec![counter]).cast(result);
                let more = Expr::binary(BinaryOp::Add, times, call);
                let line = Stmt::Expr(Expr::assign(sum, more));
                vec![Stmt::for_loop(start, goes_on, next, line)]
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }
}
