//! Vectors with floating-point lanes in snippets.
//!
//! All numbers in them are exact (see `floats`): each vector has a bound and a grain, and what
//! would leave the precision of its lanes is not made. So they print the same whatever flags
//! allow.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var, VectorExpr};
use crate::code::op::BinaryOp;
use crate::code::scalar::FloatKind;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::floats::{Label, real};
use rand::Rng;
use std::sync::Arc;

/// A vector, and what is known of its lanes.
struct FloatVector {
    var: Var,
    label: Label,
}

/// The vectors of a block.
struct FloatVectors {
    all: Vec<FloatVector>,
    ty: Type,
    kind: FloatKind,
    len: u32,
}

/// What numbers of a snippet are cut down to: a few bits, in halves.
const LANE: Label = Label {
    bound: 16.0,
    grain: 1,
};

impl SnippetWriter {
    /// A block with vectors of its own, of which something is left in numbers of the snippet.
    pub(super) fn float_vector_block(&mut self) -> Stmt {
        let bytes = self.one_of(&[8, 16, 16, 16, 32]);
        let (kind, each) = self.one_of(&[(FloatKind::Float, 4), (FloatKind::Double, 8)]);
        let (bytes, len) = if bytes == each {
            (2 * bytes, 2)
        } else {
            (bytes, bytes / each)
        };
        debug_assert_eq!(bytes, len * each);
        let mut vectors = FloatVectors {
            all: Vec::new(),
            ty: self.types.define_vector(kind, len),
            kind,
            len,
        };
        let mut items = Vec::new();
        for _ in 0..self.dice.random_range(2..=3) {
            let start = self.float_lanes(&vectors);
            let var = self.var("v", vectors.ty.clone());
            items.push(Stmt::declare(&var.name, vectors.ty.clone(), Some(start)));
            vectors.all.push(FloatVector { var, label: LANE });
        }
        for _ in 0..self.dice.random_range(1..=4) {
            items.push(self.float_vector_statement(&mut vectors));
        }
        for _ in 0..self.dice.random_range(1..=2) {
            items.extend(self.float_lane_taken(&vectors));
        }
        Stmt::Block(items)
    }

    /// A number of the snippet, small whatever it is.
    fn small_lane(&mut self, kind: FloatKind) -> Expr {
        if self.percent(30) {
            let halves = self.dice.random_range(-31..=31);
            return real(kind, f64::from(halves) * 0.5);
        }
        let bits = Expr::binary(BinaryOp::BitAnd, self.leaf(), Expr::int(15));
        bits.cast(kind)
    }

    fn float_lanes(&mut self, vectors: &FloatVectors) -> Expr {
        let lanes = (0..vectors.len).map(|_| self.small_lane(vectors.kind));
        let lanes = lanes.collect();
        let ty = vectors.ty.clone();
        VectorExpr::Literal { ty, lanes }.into()
    }

    fn float_vector_statement(&mut self, vectors: &mut FloatVectors) -> Stmt {
        let at = self.dice.random_range(0..vectors.all.len());
        let name = Expr::Var(vectors.all[at].var.clone());
        let (change, label) = if self.percent(20) {
            let lane = self.float_lane_index(vectors);
            let value = self.small_lane(vectors.kind);
            (Expr::assign(name.index(lane), value), LANE)
        } else {
            let (value, label) = self.float_vector_expr(vectors, 2);
            (Expr::assign(name, value), label)
        };
        // It may keep some of what it held.
        let old = &mut vectors.all[at].label;
        old.bound = old.bound.max(label.bound);
        old.grain = old.grain.max(label.grain);
        let change = Stmt::Expr(change);
        if self.percent(20) {
            let condition = self.condition(1);
            return Stmt::if_then(condition, Stmt::Block(vec![change]));
        }
        change
    }

    fn float_lane_index(&mut self, vectors: &FloatVectors) -> Expr {
        let len = vectors.len as i32;
        if self.percent(70) {
            return Expr::int(self.dice.random_range(0..len));
        }
        let number = self.leaf().cast(IntKind::UInt);
        Expr::binary(BinaryOp::BitAnd, number, Expr::int(len - 1))
    }

    fn float_vector_expr(&mut self, vectors: &FloatVectors, depth: u32) -> (Expr, Label) {
        let leaf = |writer: &mut Self| {
            let at = writer.dice.random_range(0..vectors.all.len());
            let one = &vectors.all[at];
            (Expr::Var(one.var.clone()), one.label)
        };
        if depth == 0 {
            return leaf(self);
        }
        let (left, label) = self.float_vector_expr(vectors, depth - 1);
        let (right, other) = leaf(self);
        let larger = Label {
            bound: label.bound.max(other.bound),
            grain: label.grain.max(other.grain),
        };
        let (expr, label) = match self.dice.random_range(0..10) {
            0 | 1 => {
                let operands = [Arc::new(left), Arc::new(right)];
                let all = 2 * vectors.len;
                let lanes = (0..vectors.len).map(|_| self.dice.random_range(0..all));
                let lanes = lanes.collect();
                (VectorExpr::Shuffle { operands, lanes }.into(), larger)
            }
            2 => {
                let condition = self.condition(1);
                (Expr::conditional(condition, left, right), larger)
            }
            3..=5 => {
                let product = Label {
                    bound: label.bound * other.bound,
                    grain: label.grain + other.grain,
                };
                (Expr::binary(BinaryOp::Mul, left, right), product)
            }
            _ => {
                let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub]);
                let sum = Label {
                    bound: label.bound + other.bound,
                    ..larger
                };
                (Expr::binary(op, left, right), sum)
            }
        };
        if label.fits(vectors.kind) {
            (expr, label)
        } else {
            (self.float_lanes(vectors), LANE)
        }
    }

    /// A number of the snippet takes a lane, all lanes converted, or where one vector is less.
    fn float_lane_taken(&mut self, vectors: &FloatVectors) -> Option<Stmt> {
        let target = self.writable()?;
        let at = self.dice.random_range(0..vectors.all.len());
        let one = Expr::Var(vectors.all[at].var.clone());
        let index = self.float_lane_index(vectors);
        if self.percent(40) {
            let lane = one.index(index).cast(IntKind::LongLong);
            let taken = Expr::compound(BinaryOp::BitXor, target, lane);
            return Some(Stmt::Expr(taken));
        }
        let lanes = match vectors.kind {
            FloatKind::Float => IntKind::Int,
            _ => IntKind::LongLong,
        };
        let ty = self.types.define_vector(lanes, vectors.len);
        let value = if self.percent(50) {
            let (to, value) = (ty.clone(), Arc::new(one));
            VectorExpr::Convert { to, value }.into()
        } else {
            let other = self.dice.random_range(0..vectors.all.len());
            let other = Expr::Var(vectors.all[other].var.clone());
            let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
            Expr::binary(BinaryOp::COMPARISONS[at], one, other).cast(ty.clone())
        };
        let var = self.var("v", ty.clone());
        let lane = Expr::Var(var.clone()).index(index);
        Some(Stmt::Block(vec![
            Stmt::declare(&var.name, ty, Some(value)),
            Stmt::Expr(Expr::compound(BinaryOp::BitXor, target, lane)),
        ]))
    }
}
