//! Expressions in code that never runs: anything in scope, and anything behind it.

use super::DeadBody;
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Steps from a variable to a scalar in it or behind it.
const MOST_STEPS: u32 = 6;

impl<R: Rng> DeadBody<'_, '_, R> {
    /// An expression of integer type, over whatever is in scope.
    pub(super) fn expression(&mut self, depth: u32) -> Expr {
        let expr = self.tree(depth);
        match self.synth.types.type_of(&expr) {
            Ok(ty) if ty.int_kind().is_some() => expr,
            _ => Expr::int(1),
        }
    }

    fn tree(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.synth.one_in(4) {
            return self.leaf();
        }
        match self.synth.rng.random_range(0..12) {
            0 => {
                let op = *UnaryOp::ALL.choose(self.synth.rng).expect("there are four");
                Expr::unary(op, self.expression(depth - 1))
            }
            1 => {
                let kind = *IntKind::ALL
                    .choose(self.synth.rng)
                    .expect("there are twelve");
                self.expression(depth - 1).cast(kind)
            }
            2 => {
                let op = if self.synth.rng.random() {
                    LogicalOp::And
                } else {
                    LogicalOp::Or
                };
                Expr::logical(op, self.expression(depth - 1), self.expression(depth - 1))
            }
            3 => Expr::conditional(
                self.expression(depth - 1),
                self.expression(depth - 1),
                self.expression(depth - 1),
            ),
            4 => match self.call() {
                Some(call) => call,
                None => self.leaf(),
            },
            _ => {
                let op = *BinaryOp::ALL
                    .choose(self.synth.rng)
                    .expect("there are sixteen");
                let left = self.expression(depth - 1);
                let right = self.operand(op, depth - 1);
                Expr::binary(op, left, right)
            }
        }
    }

    /// A right operand. Compilers complain about a constant divisor of zero or a
    /// constant shift out of the type, so those are kept harmless.
    pub(super) fn operand(&mut self, op: BinaryOp, depth: u32) -> Expr {
        let right = self.expression(depth);
        let is_partial = matches!(op, BinaryOp::Div | BinaryOp::Rem) || op.is_shift();
        let mut is_constant = true;
        right.for_each_var(&mut |_| is_constant = false);
        if is_partial && is_constant {
            Expr::int(self.synth.rng.random_range(1..16))
        } else {
            right
        }
    }

    fn leaf(&mut self) -> Expr {
        if !self.counters.is_empty() && self.synth.one_in(6) {
            return self.counters[self.counters.len() - 1].clone();
        }
        if !self.synth.one_in(5)
            && let Some(scalar) = self.scalar(false)
        {
            return self.synth.types.clear(scalar);
        }
        self.synth.constant()
    }

    /// An access path from some variable to an integer in it or behind it.
    pub(super) fn scalar(&mut self, is_written: bool) -> Option<Expr> {
        for _ in 0..6 {
            let (near, _) = self.around.variables.split_at(self.around.near);
            let pool = if near.is_empty() || self.synth.one_in(3) {
                &self.around.variables[..]
            } else {
                near
            };
            let (root, ty, is_const) = pool.choose(self.synth.rng)?;
            if let Some(found) = self.walk(root.clone(), ty.clone(), *is_const, is_written) {
                return Some(found);
            }
        }
        None
    }

    fn walk(
        &mut self,
        mut at: Expr,
        mut ty: Type,
        mut is_const: bool,
        is_written: bool,
    ) -> Option<Expr> {
        for _ in 0..MOST_STEPS {
            match ty {
                Type::Int(_) | Type::Enum { .. } => {
                    return (!is_written || !is_const).then_some(at);
                }
                Type::Array { of, len } if len > 0 => {
                    at = at.index(self.index(len));
                    ty = (*of).clone();
                }
                Type::Pointer {
                    to,
                    constant,
                    volatile: false,
                } => {
                    self.synth.types.cells(&to)?;
                    if !self.is_complete(&to) {
                        return None;
                    }
                    at = if self.synth.one_in(3) {
                        at.index(self.index(4))
                    } else {
                        at.deref()
                    };
                    is_const = constant;
                    ty = (*to).clone();
                }
                Type::Record(name) => {
                    let record = self.synth.types.get(&name)?;
                    let field = record.fields.choose(self.synth.rng)?;
                    at = at.field(&field.name);
                    is_const |= field.constant;
                    ty = field.ty.clone();
                }
                _ => return None,
            }
        }
        None
    }

    fn is_complete(&self, ty: &Type) -> bool {
        match ty {
            Type::Array { of, .. } => self.is_complete(of),
            Type::Record(name) => self.around.complete.contains(name),
            _ => true,
        }
    }

    /// An index: a constant within bounds, or a variable.
    fn index(&mut self, len: u64) -> Expr {
        let plain: Vec<&Expr> = self
            .around
            .variables
            .iter()
            .filter(|(_, ty, _)| matches!(ty, Type::Int(_)))
            .map(|(variable, _, _)| variable)
            .collect();
        match plain.choose(self.synth.rng) {
            _ if !self.counters.is_empty() && self.synth.rng.random() => {
                self.counters[self.synth.rng.random_range(0..self.counters.len())].clone()
            }
            Some(variable) if self.synth.rng.random() => (*variable).clone(),
            _ => {
                let most = len.min(i32::MAX as u64) as i32;
                Expr::int(self.synth.rng.random_range(0..most))
            }
        }
    }
}
