//! Statements with integers of up to 128 bits: assigned, updated, carried through loops,
//! passed by value.
//!
//! A statement is made as a whole and run; what is undefined in it is mended.

use super::Author;
use super::weights::COMPOUND_OF_WIDE;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp, UnaryOp};
use crate::code::stmt::{Function, Stmt};
use crate::code::types::IntKind;
use crate::code::wide::WideKind;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::sync::Arc;

/// Statements tried before something else is written.
const TRIES: u32 = 4;

/// What an expression without known values may name.
struct WideScope {
    wide: Vec<(Expr, WideKind)>,
    usual: Vec<Expr>,
}

impl Author<'_> {
    /// A statement with wide numbers.
    pub(super) fn wide_statement(&mut self) {
        for _ in 0..TRIES {
            let made = match self.dice.random_range(0..12) {
                0..4 => self.wide_assignment(),
                4 | 5 => self.wide_update(),
                6 | 7 => self.wide_loop(),
                8 | 9 => self.wide_call(),
                10 => self.wide_copied(),
                _ => self.wide_element(),
            };
            if let Some(stmt) = made.and_then(|stmt| self.try_run(stmt)) {
                return self.push(stmt);
            }
        }
        self.assign();
    }

    fn wide_assignment(&mut self) -> Option<Stmt> {
        let (_, target, ..) = self.wide_place()?;
        let operators = self.dice.random_range(1..=5);
        let term = self.wide_tree(operators, 6);
        Some(Stmt::Expr(Expr::assign(target, term.expr)))
    }

    fn wide_update(&mut self) -> Option<Stmt> {
        let (_, target, kind, _) = self.wide_place()?;
        if self.percent(15) {
            let op = *StepOp::ALL.choose(&mut self.dice)?;
            return Some(Stmt::Expr(Expr::step(op, target)));
        }
        let op = self.wide_op();
        let value = if op.is_shift() {
            let term = self.small_expression();
            self.bent(term, kind.bits().into()).expr
        } else if self.dice.random() {
            self.small_expression().expr
        } else {
            self.wide_tree(2, 4).expr
        };
        Some(Stmt::Expr(Expr::compound(op, target, value)))
    }

    fn wide_op(&mut self) -> BinaryOp {
        COMPOUND_OF_WIDE[self.dice.random_range(0..COMPOUND_OF_WIDE.len())]
    }

    /// An element at a computed index, read or written.
    fn wide_element(&mut self) -> Option<Stmt> {
        let arrays = self.wide.variables.iter();
        let arrays = arrays.filter(|named| matches!(named.ty, Type::Array { .. }));
        let arrays: Vec<_> = arrays.cloned().collect();
        let array = arrays.choose(&mut self.dice)?.clone();
        let Type::Array { len, .. } = array.ty else {
            return None;
        };
        let index = self.scalar_leaf()?;
        let index = self.bent(index, len);
        let element = array.expr().index(index.expr);
        let (_, other, ..) = self.wide_place()?;
        Some(Stmt::Expr(if self.dice.random() {
            Expr::assign(element, other)
        } else {
            Expr::assign(other, element)
        }))
    }

    /// A struct with such a member copied to another, or one of its usual members read.
    fn wide_copied(&mut self) -> Option<Stmt> {
        let records = self.wide.variables.iter();
        let records = records.filter(|named| matches!(named.ty, Type::Record(_)));
        let records: Vec<_> = records.cloned().collect();
        let from = records.choose(&mut self.dice)?.clone();
        let to = self.scratch("q", &from.ty)?;
        let holder = self.writable_holder()?;
        Some(Stmt::Block(vec![
            Stmt::Expr(Expr::assign(to.clone(), from.expr())),
            Stmt::Expr(Expr::step(StepOp::PreIncrement, from.expr().field("m1"))),
            Stmt::Expr(Expr::assign(holder.expr, to.field("m1").cast(holder.kind))),
        ]))
    }

    /// An expression whose values are not known while it is made.
    fn wide_blind(&mut self, scope: &WideScope, depth: u32) -> Option<(Expr, WideKind)> {
        if depth == 0 {
            if self.percent(25) {
                let kind = *self.wide.kinds.choose(&mut self.dice)?;
                return Some((self.wide_constant(kind).expr, kind));
            }
            if self.percent(30)
                && let Some(usual) = scope.usual.choose(&mut self.dice).cloned()
            {
                let kind = *self.wide.kinds.choose(&mut self.dice)?;
                return Some((usual.cast(kind), kind));
            }
            return scope.wide.choose(&mut self.dice).cloned();
        }
        let (left, kind) = self.wide_blind(scope, depth - 1)?;
        let op = self.wide_op();
        if op.is_shift() {
            let count = match scope.usual.choose(&mut self.dice) {
                Some(usual) if self.percent(50) => {
                    let count = usual.clone().cast(IntKind::UInt);
                    Expr::binary(BinaryOp::Rem, count, Expr::int(kind.bits() as i32))
                }
                _ => Expr::int(self.dice.random_range(0..kind.bits() as i32)),
            };
            return Some((Expr::binary(op, left, count), kind));
        }
        if self.percent(10) {
            return Some((Expr::unary(UnaryOp::Complement, left), kind));
        }
        let (right, _) = self.wide_blind(scope, depth - 1)?;
        let expr = Expr::binary(op, left.clone(), right);
        match self.types().type_of(&expr) {
            Ok(Type::Wide(kind)) => Some((expr, kind)),
            _ => Some((left, kind)),
        }
    }

    /// A number that changes from turn to turn.
    fn wide_loop(&mut self) -> Option<Stmt> {
        let counter = self.scratch("i", &Type::INT)?;
        let turns = self.dice.random_range(2..=20);
        let mut scope = WideScope {
            wide: Vec::new(),
            usual: vec![counter.clone()],
        };
        for _ in 0..3 {
            let (_, expr, kind, _) = self.wide_place()?;
            scope.wide.push((expr, kind));
        }
        scope.usual.extend(self.scalar_leaf().map(|term| term.expr));
        let mut body = Vec::new();
        for _ in 0..self.dice.random_range(1..=3) {
            let (target, _) = scope.wide.choose(&mut self.dice)?.clone();
            let depth = self.dice.random_range(1..=2);
            let (value, _) = self.wide_blind(&scope, depth)?;
            let compounds = [BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub];
            body.push(Stmt::Expr(if self.percent(40) {
                Expr::compound(*compounds.choose(&mut self.dice)?, target, value)
            } else {
                Expr::assign(target, value)
            }));
        }
        if self.percent(30)
            && let Some(holder) = self.writable_holder()
        {
            let (value, kind) = scope.wide.choose(&mut self.dice)?.clone();
            let upper = Expr::int(kind.bits() as i32 / 2);
            let part = Expr::binary(BinaryOp::Shr, value, upper);
            body.push(Stmt::Expr(Expr::assign(
                holder.expr,
                part.cast(holder.kind),
            )));
        }
        Some(Stmt::counted(counter, turns, Stmt::Block(body)))
    }

    /// A call of a function that takes and gives such numbers, a new one or one of before.
    fn wide_call(&mut self) -> Option<Stmt> {
        let known = self.wide.functions.choose(&mut self.dice).cloned();
        let function = match known {
            Some(function) if self.percent(60) => function,
            _ => self.wide_function()?,
        };
        let (_, target, ..) = self.wide_place()?;
        let args = vec![
            self.wide_tree(1, 4).expr,
            self.wide_leaf(1, 3).expr,
            self.small_expression().expr,
        ];
        let call = Expr::call(function.callee(), args);
        Some(Stmt::Expr(Expr::assign(target, call)))
    }

    fn wide_function(&mut self) -> Option<Arc<Function>> {
        let kinds = &self.wide.kinds;
        // Without a sign, nothing in it is undefined but what is avoided.
        let one = kinds.choose(&mut self.dice)?.to_unsigned();
        let two = kinds.choose(&mut self.dice)?.to_unsigned();
        let param = |name: &str, ty: Type| Var {
            name: name.into(),
            ty,
        };
        let params = vec![
            param("a", one.into()),
            param("b", two.into()),
            param("n", Type::Int(IntKind::UInt)),
        ];
        let [a, b, n] = [0, 1, 2].map(|at: usize| Expr::Var(params[at].clone()));
        let scope = WideScope {
            wide: vec![(a.clone(), one), (b.clone(), two)],
            usual: vec![n.clone()],
        };
        let (first, _) = self.wide_blind(&scope, 2)?;
        let (second, _) = self.wide_blind(&scope, 1)?;
        let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
        let condition = Expr::binary(BinaryOp::COMPARISONS[at], a.clone(), b);
        let mut body = vec![Stmt::Expr(Expr::assign(a.clone(), first))];
        if self.dice.random() {
            body.push(Stmt::if_then(condition, Stmt::Return(Some(second))));
        } else {
            let step = Expr::step(StepOp::PreDecrement, a.clone());
            body.push(Stmt::if_then(condition, Stmt::Expr(step)));
        }
        body.push(Stmt::Return(Some(a)));
        let function = self.pure_function(one.into(), params, body)?;
        self.wide.functions.push(function.clone());
        Some(function)
    }
}
