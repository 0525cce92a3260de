//! Arrays of ours and of the program, and their elements by counters.

use super::{Counter, Pieces};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

/// An array of integers whose first `len` elements may be used.
#[derive(Clone, Debug)]
pub(in super::super) struct Array {
    pub(in super::super) base: Expr,
    pub(in super::super) len: u64,
}

impl<R: Rng> Synth<'_, R> {
    /// An array of ours: what the compiler sees of it are constants, and some elements
    /// then get values that it cannot know.
    pub(super) fn own_array(&mut self, pieces: &Pieces, role: &str) -> (Array, Vec<Stmt>) {
        let kind = self.width();
        let len = self.rng.random_range(3..=pieces.turns.max(3));
        let (array, declaration) = self.declared(role, kind, len);
        let mut setup = vec![declaration];
        for _ in 0..self.rng.random_range(1..=3) {
            let at = Expr::int(self.rng.random_range(0..len as i32));
            let value = self.operand(pieces);
            let element = array.base.clone().index(at);
            setup.push(Stmt::Expr(Expr::assign(element, value)));
        }
        (array, setup)
    }

    /// An array of ours with constants in its first elements and zeros behind them.
    fn declared(&mut self, role: &str, kind: IntKind, len: u64) -> (Array, Stmt) {
        let name = self.name(role);
        let ty = Type::from(kind).array(len);
        let listed = self.rng.random_range(1..=len.min(6));
        let constants = (0..listed).map(|_| Init::Value(self.constant_of(kind)));
        let init = Some(Init::List(constants.collect()));
        let var = Var {
            name: name.as_str().into(),
            ty: ty.clone(),
        };
        let base = Expr::var(&name, ty);
        (
            Array { base, len },
            Stmt::Declare(Declaration {
                var,
                specifiers: Specifiers::default(),
                init,
            }),
        )
    }

    /// An array to read: one of the program if there is any, or the given one.
    pub(super) fn some_array(&mut self, pieces: &Pieces, own: &Array) -> Array {
        match pieces.arrays.choose(self.rng) {
            Some(array) if self.rng.random() => array.clone(),
            _ => own.clone(),
        }
    }

    /// An element by a counter: `a[i]`, `a[i + 1]`, `a[n - 1 - i]`, `a[i * 3 % n]`.
    pub(super) fn element(&mut self, pieces: &Pieces, array: &Array, counter: &Counter) -> Expr {
        let at = self.position(pieces, array.len, counter);
        array.base.clone().index(at)
    }

    fn position(&mut self, pieces: &Pieces, len: u64, counter: &Counter) -> Expr {
        let i = counter.var.clone();
        let number = |value: u64| Expr::int(value as i32);
        let plus = |left, right| Expr::binary(BinaryOp::Add, left, right);
        let minus = |left, right| Expr::binary(BinaryOp::Sub, left, right);
        if pieces.is_wild && self.one_in(4) {
            return i;
        }
        let (least, most) = (counter.least, counter.most);
        let room = len.saturating_sub(1).checked_sub(most);
        match (self.rng.random_range(0..8), room) {
            (0..=2, Some(_)) => i,
            (3, Some(room)) if room > 0 => plus(i, number(self.rng.random_range(1..=room.min(4)))),
            (4, Some(_)) if least > 0 => minus(i, number(self.rng.random_range(1..=least.min(4)))),
            (5 | 6, Some(_)) => minus(number(len - 1), i),
            (7, _) if len.is_power_of_two() => Expr::binary(BinaryOp::BitAnd, i, number(len - 1)),
            (_, Some(_)) if self.rng.random() => i,
            _ => {
                let factor = self.rng.random_range(1..=3);
                let scaled = match factor {
                    1 => i,
                    _ => Expr::binary(BinaryOp::Mul, i, number(factor)),
                };
                Expr::binary(BinaryOp::Rem, scaled, number(len))
            }
        }
    }

    /// A constant of a type, or of `int` if the type is narrower.
    pub(super) fn constant_of(&mut self, kind: IntKind) -> Expr {
        let kind = kind.promoted();
        let target = self.types.target;
        let math = match self.rng.random_range(0..6) {
            0 => kind.max(target),
            1 => 1 << self.rng.random_range(0..kind.bits(target) - 1),
            2 => i128::from(self.rng.random::<i16>()),
            _ => self.rng.random_range(-9..=33),
        };
        Value::new(kind, math, target).into()
    }

    /// One of the program's values.
    pub(super) fn operand(&mut self, pieces: &Pieces) -> Expr {
        match pieces.operands.choose(self.rng) {
            Some(operand) => operand.clone(),
            None => self.constant(),
        }
    }
}
