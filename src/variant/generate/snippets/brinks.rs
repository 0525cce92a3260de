//! Sums and products that just fit: numbers next to the limits of their type, and arithmetic that
//! comes back from there. What is regrouped, multiplied out or taken out of a loop may overflow
//! where the program did not, and later passes believe that nothing does.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::weights::COMPARISONS;
use rand::Rng;

/// The numbers of such a snippet.
struct Brink {
    kind: IntKind,
    vars: Vec<Var>,
    numbers: Vec<i128>,
    /// The terms that most sums consist of: rules are about those that occur twice.
    terms: Vec<Expr>,
}

impl SnippetWriter {
    /// A test of a few lines of such sums, and questions about them.
    pub(super) fn brinks(&mut self) {
        let kind = self.one_of(&[IntKind::Int, IntKind::Int, IntKind::Int, IntKind::Long]);
        let most = kind.max(self.target());
        let limits = [most, -most, most - 1, -most - 1, most / 2, most / 2 + 1];
        let numbers = vec![self.one_of(&limits), self.one_of(&limits)];
        self.numbers = numbers.clone();
        let marks = self.global(Type::INT);
        let vars = (0..self.dice.random_range(2..=3)).map(|_| {
            let var = self.global(Type::Int(kind));
            if self.style == SnippetStyle::Once {
                let near = self.one_of(&numbers);
                let start = self.one_of(&[0, 0, 1, 1, -1, 2, near, -near]);
                self.start_with(&var, start as i64);
            }
            var
        });
        let mut brink = Brink {
            kind,
            vars: vars.collect(),
            numbers,
            terms: Vec::new(),
        };
        for _ in 0..self.one_of(&[2, 3, 3, 4]) {
            let term = self.new_brink_term(&brink);
            brink.terms.push(term);
        }
        let lines = self.dice.random_range(1..=4);
        let body = self.block_of(
            |writer| {
                if writer.percent(60) {
                    let start = writer.brink_sum(&brink);
                    brink.vars.push(writer.declare(kind, Some(start)));
                }
                (0..lines)
                    .map(|_| writer.brink_line(&brink, &marks))
                    .collect()
            },
            |writer, locals, items| {
                for local in locals {
                    if local.ty.int_kind() == Some(kind) {
                        let output = Expr::Var(writer.output(local.ty.clone()));
                        items.push(Stmt::Expr(Expr::assign(output, Expr::Var(local.clone()))));
                    }
                }
            },
        );
        self.add_test(body);
    }

    fn brink_line(&mut self, brink: &Brink, marks: &Var) -> Stmt {
        let at = self.dice.random_range(0..brink.vars.len());
        let target = Expr::Var(brink.vars[at].clone());
        let value = self.brink_sum(brink);
        let set = Stmt::Expr(Expr::assign(target, value));
        match self.dice.random_range(0..10) {
            0..4 => set,
            4..7 => {
                let mark = self.mark(marks);
                Stmt::if_then(self.brink_question(brink), mark)
            }
            7 => Stmt::if_else(self.brink_question(brink), set, self.mark(marks)),
            _ => {
                let asked = self.brink_question(brink);
                let goes_on = Expr::logical(LogicalOp::And, asked, self.fuel());
                let mark = self.mark(marks);
                let mut items = vec![set, mark];
                if self.percent(50) {
                    items.swap(0, 1);
                }
                Stmt::while_loop(goes_on, Stmt::Block(items))
            }
        }
    }

    fn brink_question(&mut self, brink: &Brink) -> Expr {
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let left = self.brink_sum(brink);
        let right = if self.percent(50) {
            Expr::int(self.one_of(&[0, 0, 1, -1]))
        } else {
            self.brink_sum(brink)
        };
        Expr::binary(op, left, right)
    }

    /// Two or three terms, or the larger of two such sums, multiplied.
    fn brink_sum(&mut self, brink: &Brink) -> Expr {
        let mut sum = self.brink_term(brink);
        for _ in 0..self.one_of(&[1, 1, 1, 2]) {
            let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Sub]);
            sum = Expr::binary(op, sum, self.brink_term(brink));
        }
        match self.dice.random_range(0..12) {
            0 => {
                let other = self.brink_term(brink);
                let op = self.one_of(&[BinaryOp::Lt, BinaryOp::Gt]);
                let asked = Expr::binary(op, sum.clone(), other.clone());
                let by = Expr::int(self.one_of(&[2, 3, -1]));
                let op = self.one_of(&[BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem]);
                Expr::binary(op, Expr::conditional(asked, sum, other), by)
            }
            1 => Expr::unary(self.one_of(&[UnaryOp::Minus, UnaryOp::Complement]), sum),
            2 => {
                let by = Expr::int(self.one_of(&[2, 3, 4, 8, -1]));
                let op = self.one_of(&[BinaryOp::Div, BinaryOp::Rem]);
                Expr::binary(op, sum, by)
            }
            _ => sum,
        }
    }

    fn brink_term(&mut self, brink: &Brink) -> Expr {
        if self.percent(75) {
            return brink.terms[self.dice.random_range(0..brink.terms.len())].clone();
        }
        self.new_brink_term(brink)
    }

    fn new_brink_term(&mut self, brink: &Brink) -> Expr {
        let at = self.dice.random_range(0..brink.vars.len());
        let var = Expr::Var(brink.vars[at].clone());
        let far = self.one_of(&brink.numbers);
        let far = Expr::Const(Value::new(brink.kind, far, self.target()));
        match self.dice.random_range(0..12) {
            0..5 => var,
            5 => Expr::unary(self.one_of(&[UnaryOp::Complement, UnaryOp::Minus]), var),
            6 | 7 => Expr::binary(BinaryOp::Mul, far, var),
            8 => {
                let by = Expr::int(self.one_of(&[2, 3, 5, 9]));
                Expr::binary(BinaryOp::Mul, by, var)
            }
            9 | 10 => far,
            _ => Expr::int(self.one_of(&[1, 1, 2, 3])),
        }
    }
}
