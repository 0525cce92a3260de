//! Code that never runs: arms of conditions that always go the other way, sometimes with
//! undefined behaviour in them.

use super::Author;
use super::feature::Feature;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;

/// Arms of a hundred that are written although nothing reaches them.
const WRITTEN: u32 = 40;
/// Those of a hundred that would be undefined.
const UNDEFINED: u32 = 15;

impl Author<'_> {
    /// A block that no position reaches; often there is none.
    pub(super) fn dead_arm(&mut self) -> Option<Stmt> {
        if !self.percent(WRITTEN) {
            return None;
        }
        let target = self.writable_holder()?;
        let count = self.dice.random_range(1..=3);
        let targets = [target.clone()];
        let mut items = self.guessed_statements(Vec::new(), &targets, count, &target);
        if self.policy.features.has(Feature::DeadUndefined) && self.percent(UNDEFINED) {
            let term = self.small_expression();
            let (op, by) = match self.dice.random_range(0..3) {
                0 => (BinaryOp::Div, 0),
                1 => (BinaryOp::Rem, 0),
                _ => (BinaryOp::Shl, 64),
            };
            // Behind a variable, so that compilers do not warn of a constant.
            let zero = Expr::binary(BinaryOp::BitAnd, target.expr.clone(), Expr::int(0));
            let by = Expr::binary(BinaryOp::BitOr, zero, self.literal(IntKind::Int, by).expr);
            let wrong = Expr::binary(op, term.expr, by);
            items.push(Stmt::Expr(Expr::assign(target.expr, wrong)));
        }
        Some(Stmt::Block(items))
    }
}
