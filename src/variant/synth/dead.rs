//! Code that never runs: anything that every compiler accepts.

use super::{Surroundings, Synth};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// The nesting depth of expressions in dead code.
const EXPRESSION_DEPTH: u32 = 3;

/// Steps from a variable to a scalar in it or behind it.
const MOST_STEPS: u32 = 6;

/// Makes one dead body.
#[derive(Debug)]
struct DeadBody<'s, 'a, R> {
    synth: &'s mut Synth<'a, R>,
    around: &'s Surroundings,
    loops: u32,
    switches: u32,
}

impl<'a, R: Rng> Synth<'a, R> {
    /// A block of random statements over everything in scope. If `is_in_loop`, they may
    /// `break` and `continue`.
    pub(crate) fn dead_body(&mut self, around: &Surroundings, is_in_loop: bool) -> Stmt {
        let depth = self.sizes.dead_depth;
        let mut body = DeadBody {
            synth: self,
            around,
            loops: u32::from(is_in_loop),
            switches: 0,
        };
        Stmt::Block(body.statements(depth))
    }
}

impl<R: Rng> DeadBody<'_, '_, R> {
    fn statements(&mut self, depth: u32) -> Vec<Stmt> {
        let count = self.synth.rng.random_range(1..=1 + depth.min(2));
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn block(&mut self, depth: u32) -> Stmt {
        Stmt::Block(self.statements(depth))
    }

    /// A statement that is valid C; the empty one if nothing better was found.
    fn statement(&mut self, depth: u32) -> Stmt {
        for _ in 0..4 {
            if let Some(stmt) = self.candidate(depth)
                && self.synth.types.check(&stmt).is_ok()
            {
                return stmt;
            }
        }
        Stmt::Empty
    }

    fn candidate(&mut self, depth: u32) -> Option<Stmt> {
        let choice = self
            .synth
            .rng
            .random_range(0..if depth == 0 { 10 } else { 16 });
        match choice {
            0..=4 => self.assignment().map(Stmt::Expr),
            5 => self.call().map(Stmt::Expr),
            6 => self.jump(),
            7 => {
                let value = self.expression(EXPRESSION_DEPTH);
                let ty = self.synth.types.type_of(&value).ok()?;
                Some(Stmt::use_value(ty, value))
            }
            8 => {
                let label = self.around.labels.choose(self.synth.rng)?;
                Some(Stmt::Goto(label.clone()))
            }
            9 => self.back(),
            10 | 11 => {
                let condition = self.expression(2);
                let yes = self.block(depth - 1);
                if self.synth.rng.random() {
                    Some(Stmt::if_then(condition, yes))
                } else {
                    Some(Stmt::if_else(condition, yes, self.block(depth - 1)))
                }
            }
            12..=14 => {
                self.loops += 1;
                let body = self.block(depth - 1);
                self.loops -= 1;
                Some(self.around_loop(body))
            }
            _ => {
                self.switches += 1;
                let body = self.cases(depth - 1);
                self.switches -= 1;
                Some(Stmt::switch(self.expression(1), Stmt::Block(body)))
            }
        }
    }

    fn around_loop(&mut self, body: Stmt) -> Stmt {
        let condition = self.expression(2);
        match self.synth.rng.random_range(0..3) {
            0 => Stmt::while_loop(condition, body),
            1 => Stmt::do_loop(body, condition),
            _ => Stmt::For {
                start: self.assignment(),
                condition: Some(condition),
                step: self.assignment(),
                body: body.into(),
            },
        }
    }

    fn cases(&mut self, depth: u32) -> Vec<Stmt> {
        let first = self.synth.rng.random_range(0..5);
        let mut body = Vec::new();
        for number in 0..self.synth.rng.random_range(1..=3) {
            body.push(Stmt::Case(Value::int(first + 2 * number)));
            body.push(self.statement(depth));
            if self.synth.rng.random() {
                body.push(Stmt::Break);
            }
        }
        body.push(Stmt::Default);
        body.push(self.statement(depth));
        body
    }

    fn jump(&mut self) -> Option<Stmt> {
        let may_break = self.around.may_break || self.loops + self.switches > 0;
        let may_continue = self.around.may_continue || self.loops > 0;
        match self.synth.rng.random::<bool>() {
            true if may_break => Some(Stmt::Break),
            false if may_continue => Some(Stmt::Continue),
            _ => None,
        }
    }

    fn back(&mut self) -> Option<Stmt> {
        match &self.around.result {
            Some(Type::Void) => Some(Stmt::Return(None)),
            Some(_) => Some(Stmt::Return(Some(self.expression(EXPRESSION_DEPTH)))),
            None => None,
        }
    }

    fn assignment(&mut self) -> Option<Expr> {
        let target = self.scalar(true)?;
        Some(match self.synth.rng.random_range(0..6) {
            0 => {
                let op = *StepOp::ALL.choose(self.synth.rng)?;
                Expr::step(op, target)
            }
            1 | 2 => {
                let op = self.synth.assigning();
                let value = self.operand(op, 2);
                Expr::compound(op, target, value)
            }
            _ => Expr::assign(target, self.expression(EXPRESSION_DEPTH)),
        })
    }

    fn call(&mut self) -> Option<Expr> {
        let callee = self.around.callees.choose(self.synth.rng)?.clone();
        let args = callee.params.iter().map(|_| self.expression(1)).collect();
        Some(Expr::call(callee, args))
    }

    /// An expression of integer type, over whatever is in scope.
    fn expression(&mut self, depth: u32) -> Expr {
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
    fn operand(&mut self, op: BinaryOp, depth: u32) -> Expr {
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
        if !self.synth.one_in(5)
            && let Some(scalar) = self.scalar(false)
        {
            return self.synth.types.clear(scalar);
        }
        self.synth.constant()
    }

    /// An access path from some variable to an integer in it or behind it.
    fn scalar(&mut self, is_written: bool) -> Option<Expr> {
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
            Some(variable) if self.synth.rng.random() => (*variable).clone(),
            _ => {
                let most = len.min(i32::MAX as u64) as i32;
                Expr::int(self.synth.rng.random_range(0..most))
            }
        }
    }
}
