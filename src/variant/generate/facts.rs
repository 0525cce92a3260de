//! Facts that the compiler may take for granted: what holds at every position is told to it by
//! `__builtin_unreachable`, and what often holds by `__builtin_expect`.

use super::Author;
use super::feature::Feature;
use crate::code::builtin::Builtin;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::stmt::Stmt;
use rand::Rng;

impl Author<'_> {
    /// `if (!fact) __builtin_unreachable();`.
    pub(super) fn fact(&mut self) {
        let term = self.small_expression();
        let kind = term.numbers.kind.promoted();
        let Some((least, most)) = term.spread() else {
            return;
        };
        let (op, bound) = match self.dice.random_range(0..3) {
            _ if least == most => (BinaryOp::Eq, least),
            0 => (BinaryOp::Le, most),
            1 => (BinaryOp::Ge, least),
            _ => (BinaryOp::Lt, (most + 1).min(kind.max(self.target()))),
        };
        let fact = self.apply(op, &term, &self.literal(kind, bound));
        let Some(fact) = fact.filter(|fact| fact.numbers.values.iter().all(|value| *value != 0))
        else {
            return self.assign();
        };
        let broken = Expr::unary(UnaryOp::Not, fact.expr);
        let never = Expr::builtin(Builtin::Unreachable, vec![]);
        self.push(Stmt::if_then(broken, Stmt::Expr(never)));
    }

    /// A condition, sometimes with a hint which way it goes.
    pub(super) fn hinted(&mut self, condition: Expr) -> Expr {
        if !self.policy.features.has(Feature::Facts) || !self.percent(10) {
            return condition;
        }
        let truth = Expr::unary(UnaryOp::Not, Expr::unary(UnaryOp::Not, condition));
        let expected = Expr::int(self.dice.random_range(0..=1));
        Expr::builtin(Builtin::Expect, vec![truth, expected])
    }
}
