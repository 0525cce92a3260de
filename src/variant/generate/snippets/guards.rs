//! Questions about one number, asked one after the other with the same answer: what merges
//! comparisons into ranges and bit tests must get every limit right.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::weights::COMPARISONS;
use rand::Rng;

impl SnippetWriter {
    /// `if (!p || !q) return c; if (r > d) return c; … return e;`, called with numbers that are
    /// near to one variable.
    pub(super) fn guards(&mut self) {
        let kind = if self.percent(60) {
            IntKind::Int
        } else {
            self.counting_kind()
        };
        let count = self.dice.random_range(2..=5);
        let params: Vec<Var> = (0..count).map(|_| self.var("p", Type::Int(kind))).collect();
        let answer = self.constant();
        // Comparisons with zero and an end of a range are merged first of all.
        let plain = self.percent(60);
        let mut items = Vec::new();
        let mut at = 0;
        while at < count {
            let mut asked = self.guard(&params[at], plain);
            at += 1;
            while at < count && self.percent(40) {
                let op = if plain || self.percent(65) {
                    LogicalOp::Or
                } else {
                    LogicalOp::And
                };
                asked = Expr::logical(op, asked, self.guard(&params[at], plain));
                at += 1;
            }
            let given = if plain || self.percent(80) {
                answer.clone()
            } else {
                self.constant()
            };
            items.push(Stmt::if_then(asked, Stmt::Return(Some(given))));
        }
        let result = Type::Int(self.kind());
        let other = if self.percent(70) {
            self.constant()
        } else {
            Expr::Var(params[0].clone())
        };
        let callee = self.giving(params, items, result.clone(), other);
        if self.percent(80)
            && let Some(definition) = self.snippet.functions.last_mut()
        {
            // Questions meet where the function is copied into its caller.
            definition.attributes.clear();
            definition.is_inline = false;
        }
        let calls = self.one_of(&[1, 1, 2]);
        let added = (0..calls * count).map(|_| {
            if plain {
                self.dice.random_range(1..=40)
            } else {
                self.limit()
            }
        });
        let added: Vec<i32> = added.collect();
        // Answers change where an argument is zero.
        self.numbers = added.iter().map(|by| -i128::from(*by)).collect();
        let base = self.global(Type::Int(kind));
        if self.style == SnippetStyle::Once {
            let start = self.near_number().clamp(-64, 64) as i64;
            self.start_with(&base, start);
        }
        let mut lines = Vec::new();
        for added in added.chunks(count) {
            let args = added.iter().map(|by| match *by {
                0 => Expr::Var(base.clone()),
                by => Expr::binary(BinaryOp::Add, Expr::Var(base.clone()), Expr::int(by)),
            });
            let args = args.collect();
            let output = Expr::Var(self.output(result.clone()));
            let call = Expr::call(callee.clone(), args);
            lines.push(Stmt::Expr(Expr::assign(output, call)));
        }
        self.add_test(Stmt::Block(lines));
    }

    /// Something that is asked about one number.
    fn guard(&mut self, var: &Var, plain: bool) -> Expr {
        let name = Expr::Var(var.clone());
        match self.dice.random_range(0..10) {
            0..7 if plain => Expr::unary(UnaryOp::Not, name),
            _ if plain => {
                let op = self.one_of(&[BinaryOp::Gt, BinaryOp::Gt, BinaryOp::Lt]);
                Expr::binary(op, name, Expr::int(self.limit()))
            }
            0..3 => Expr::unary(UnaryOp::Not, name),
            3 => name,
            4 => {
                let bit = Expr::int(1 << self.dice.random_range(0..6));
                Expr::binary(BinaryOp::BitAnd, name, bit)
            }
            5 => {
                let shift = Expr::int(self.dice.random_range(1..=4));
                let shifted = Expr::binary(BinaryOp::Shr, name, shift);
                Expr::binary(BinaryOp::Eq, shifted, Expr::int(self.limit() & 7))
            }
            _ => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                Expr::binary(op, name, Expr::int(self.limit()))
            }
        }
    }

    /// A number up to which something may go; those of a snippet are near to each other.
    fn limit(&mut self) -> i32 {
        if self.percent(60) {
            self.dice.random_range(0..=36)
        } else {
            self.near_number().clamp(-64, 64) as i32
        }
    }
}
