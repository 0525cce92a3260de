//! What snippets ask and choose: comparisons, conditions, and selections around one value.

use super::expr::is_constant;
use super::{SnippetStyle, SnippetWriter};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::variant::generate::feature::Feature;
use crate::variant::generate::weights::{COMPARISONS, UNARY};
use rand::Rng;

impl SnippetWriter {
    /// Something that is compared with a constant or something else.
    pub(super) fn comparison(&mut self, depth: u32) -> Expr {
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let left = if self.style == SnippetStyle::Once && self.percent(8) {
            let small = self.dice.random_range(-2..=4);
            self.steered(small)
        } else if self.percent(50) {
            self.variable()
        } else {
            self.expr(depth)
        };
        let right = match self.dice.random_range(0..10) {
            0..6 => self.constant(),
            6..9 => self.leaf(),
            _ => self.expr(depth),
        };
        let right = if right == left {
            self.constant()
        } else {
            right
        };
        Expr::binary(op, left, right)
    }

    /// What an `if` or a loop asks; sometimes what was asked before, or nearly.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        if self.percent(18)
            && let Some(expr) = self.again(|writer| &writer.recent_conditions)
        {
            return match expr {
                Expr::Binary { op, left, right }
                    if op.is_comparison() && is_constant(&right) && self.percent(60) =>
                {
                    let op = if self.percent(50) {
                        self.policy.draw(&COMPARISONS, &mut self.dice)
                    } else {
                        op
                    };
                    Expr::binary(op, (*left).clone(), self.constant())
                }
                expr if self.percent(30) => Expr::unary(UnaryOp::Not, expr),
                expr => expr,
            };
        }
        let expr = self.new_condition(depth);
        self.remember(&expr, |writer| &mut writer.recent_conditions);
        expr
    }

    fn new_condition(&mut self, depth: u32) -> Expr {
        match self.dice.random_range(0..20) {
            0..13 => self.comparison(depth),
            13 | 14 => {
                let left = self.variable();
                Expr::binary(BinaryOp::BitAnd, left, self.constant())
            }
            15 | 16 if depth > 0 && self.has(Feature::Choices) => {
                let op = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
                let left = self.comparison(depth - 1);
                Expr::logical(op, left, self.comparison(depth - 1))
            }
            17 => Expr::unary(UnaryOp::Not, self.expr(depth)),
            _ => self.expr(depth),
        }
    }

    /// `x < c ? f(x) : g(x)`, where the constants are near to each other.
    pub(super) fn selection(&mut self) -> Expr {
        let value = self.variable();
        let limit = if self.percent(75) {
            self.constant()
        } else {
            self.leaf()
        };
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let condition = Expr::binary(op, value.clone(), limit.clone());
        let [yes, no] = [(); 2].map(|()| self.selected(&value, &limit));
        Expr::conditional(condition, yes, no)
    }

    /// What may be chosen after something was compared with a limit.
    fn selected(&mut self, value: &Expr, limit: &Expr) -> Expr {
        match self.dice.random_range(0..14) {
            0..3 => value.clone(),
            3 | 4 => limit.clone(),
            5 | 6 => self.constant(),
            7 => {
                let op = self.policy.draw(&UNARY, &mut self.dice);
                Expr::unary(op, value.clone())
            }
            8 => value.clone().cast(self.kind()),
            9 if self.has(Feature::Builtins) => self.builtin_of(value.clone()),
            10 => {
                // The same again, with a limit of its own.
                let limit = self.constant();
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let condition = Expr::binary(op, value.clone(), limit.clone());
                let other = self.constant();
                Expr::conditional(condition, value.clone(), other)
            }
            _ => {
                let ops = [
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::BitXor,
                    BinaryOp::BitAnd,
                    BinaryOp::BitOr,
                    BinaryOp::Mul,
                ];
                let op = self.one_of(&ops);
                let other = if self.percent(60) {
                    self.constant()
                } else {
                    self.leaf()
                };
                Expr::binary(op, value.clone(), other)
            }
        }
    }
}
