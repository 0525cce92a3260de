//! Expressions that are defined in every visit, built from the leaves up.

use super::{Synth, View};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::trouble::{Cause, Stop, Undefined};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// Unary operators that may follow each other on one operand.
const MOST_UNARY: u32 = 2;

/// An expression being built.
struct Operand {
    expr: Expr,
    unary: u32,
}

impl<R: Rng> Synth<'_, R> {
    /// An expression over some of the scalars, and constants.
    pub(crate) fn expression(&mut self, view: &View) -> Expr {
        let leaves = self.rng.random_range(1..=self.sizes.leaves);
        let mut items: Vec<Operand> = (0..leaves)
            .map(|_| Operand {
                expr: self.leaf(view),
                unary: 0,
            })
            .collect();
        loop {
            if self.one_in(3) {
                let at = self.rng.random_range(0..items.len());
                self.apply_unary(view, &mut items[at]);
            }
            if items.len() == 1 {
                return items.swap_remove(0).expr;
            }
            let left = items.swap_remove(self.rng.random_range(0..items.len()));
            let right = items.swap_remove(self.rng.random_range(0..items.len()));
            let expr = self.binary(view, left.expr, right.expr);
            items.push(Operand { expr, unary: 0 });
        }
    }

    /// A scalar or a constant.
    pub(super) fn leaf(&mut self, view: &View) -> Expr {
        match view.scalars.choose(self.rng) {
            Some(known) if !self.one_in(4) => known.read.clone(),
            _ => self.constant(),
        }
    }

    /// A scalar; a constant only where there is none.
    pub(super) fn scalar(&mut self, view: &View) -> Expr {
        match view.scalars.choose(self.rng) {
            Some(known) => known.read.clone(),
            None => self.constant(),
        }
    }

    /// A constant, mostly small, sometimes at the edge of its type.
    pub(super) fn constant(&mut self) -> Expr {
        let kind = *[
            IntKind::Int,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULongLong,
            IntKind::SChar,
            IntKind::UShort,
        ]
        .choose(self.rng)
        .expect("the list is not empty");
        let target = self.types.target;
        let math = match self.rng.random_range(0..8) {
            0 => kind.max(target),
            1 => kind.min(target),
            2 => i128::from(self.rng.random::<i32>()),
            3 => 1 << self.rng.random_range(0..kind.bits(target) - 1),
            _ => self.rng.random_range(-9..=33),
        };
        Value::new(kind, math, target).into()
    }

    fn apply_unary(&mut self, view: &View, item: &mut Operand) {
        if item.unary >= MOST_UNARY {
            return;
        }
        let mut operators = UnaryOp::ALL;
        operators.shuffle(self.rng);
        for op in operators {
            let candidate = Expr::unary(op, item.expr.clone());
            if view.world.is_defined(self.types, &candidate) {
                item.expr = candidate;
                item.unary += 1;
                return;
            }
        }
    }

    /// Joins two defined expressions by an operator that no visit makes undefined.
    fn binary(&mut self, view: &View, left: Expr, right: Expr) -> Expr {
        let mut operators = BinaryOp::ALL;
        operators.shuffle(self.rng);
        // Comparisons forget nearly all of their operands, so they are fewer.
        if !self.one_in(3) {
            operators.sort_by_key(|op| super::predicate::opposite(*op).is_some());
        }
        for op in operators {
            let candidate = Expr::binary(op, left.clone(), right.clone());
            match view.world.trouble(self.types, &candidate) {
                None => return candidate,
                Some(stop) => {
                    if let Some(repaired) = self.repaired(view, op, &left, &right, &stop) {
                        return repaired;
                    }
                }
            }
        }
        // Reached only if an operand is no number, which leaves never are.
        left
    }

    /// The operation repaired until it is defined: a related operator, or another right
    /// operand.
    fn repaired(
        &mut self,
        view: &View,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        stop: &Stop,
    ) -> Option<Expr> {
        let Stop::Trouble(trouble) = stop else {
            return None;
        };
        let join = |op, right: Expr| Expr::binary(op, left.clone(), right);
        let mut tries = Vec::new();
        match (trouble.cause, op) {
            (Cause::Undefined(Undefined::SignedOverflow), BinaryOp::Add) => {
                tries.push(join(BinaryOp::Sub, right.clone()));
            }
            (Cause::Undefined(Undefined::SignedOverflow), BinaryOp::Sub) => {
                tries.push(join(BinaryOp::Add, right.clone()));
            }
            (Cause::Undefined(Undefined::SignedOverflow), BinaryOp::Mul) => {
                tries.push(join(BinaryOp::Div, right.clone()));
            }
            (_, BinaryOp::Div | BinaryOp::Rem) => {
                if let Some(complement) = complemented(right) {
                    tries.push(join(op, complement));
                }
                tries.extend(self.shifted(view, right, 1).map(|right| join(op, right)));
            }
            (_, BinaryOp::Shl | BinaryOp::Shr) => {
                tries.extend(self.shifted(view, right, 0).map(|right| join(op, right)));
                let mask = Expr::int(self.rng.random_range(1..32));
                let masked = Expr::binary(BinaryOp::BitAnd, right.clone(), mask);
                tries.push(join(op, masked));
            }
            _ => {}
        }
        tries
            .into_iter()
            .find(|candidate| view.world.is_defined(self.types, candidate))
    }

    /// The expression plus a constant that makes its least value `least`.
    fn shifted(&mut self, view: &View, expr: &Expr, least: i128) -> Option<Expr> {
        let spread = view.world.spread(self.types, expr).ok()?;
        let by = i32::try_from(least - spread.min()).ok()?;
        Some(Expr::binary(BinaryOp::Add, expr.clone(), Expr::int(by)))
    }
}

/// The comparison that holds where this one does not.
fn complemented(expr: &Expr) -> Option<Expr> {
    let Expr::Binary { op, left, right } = expr else {
        return None;
    };
    Some(Expr::Binary {
        op: super::predicate::opposite(*op)?,
        left: left.clone(),
        right: right.clone(),
    })
}
