//! Expressions of vectors: operators lane by lane, shuffles, conversions, blends.

use super::Author;
use super::feature::Feature;
use super::vectors::{VectorScope, parts};
use super::weights::OF_VECTORS;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, VectorExpr};
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::wide::{WideKind, WideNumber};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::sync::Arc;

fn type_of(expr: &Expr) -> Option<&Type> {
    match expr {
        Expr::Var(var) => Some(&var.ty),
        _ => None,
    }
}

impl Author<'_> {
    /// A type of so many bytes, perhaps the same.
    pub(super) fn vector_of_size(&mut self, ty: &Type) -> Option<Type> {
        let same = self.vectors.types.iter();
        let same = same.filter(|other| other.vector_bytes() == ty.vector_bytes());
        let same: Vec<&Type> = same.collect();
        same.choose(&mut self.dice).map(|other| (*other).clone())
    }

    pub(super) fn vector_op(&mut self) -> BinaryOp {
        OF_VECTORS[self.dice.random_range(0..OF_VECTORS.len())]
    }

    /// A constant in all lanes.
    fn splat(&mut self, ty: &Type, number: i128) -> Expr {
        let (kind, len) = parts(ty);
        let lane = self.literal(kind, number).expr;
        let lanes = vec![lane; len as usize];
        let ty = ty.clone();
        VectorExpr::Literal { ty, lanes }.into()
    }

    /// Counts of shifts: constants, or a vector that is masked to fit.
    pub(super) fn shift_counts(&mut self, ty: &Type, scope: &VectorScope) -> Expr {
        let (kind, len) = parts(ty);
        let bits = kind.bits(self.target());
        if self.percent(35)
            && let Some(leaf) = self.vector_leaf(ty, scope)
        {
            let mask = self.splat(ty, i128::from(bits) - 1);
            return Expr::binary(BinaryOp::BitAnd, leaf, mask);
        }
        let one = self.dice.random_range(0..bits);
        let all = self.dice.random();
        let lanes = (0..len).map(|_| {
            let count = if all {
                one
            } else {
                self.dice.random_range(0..bits)
            };
            self.literal(kind, count.into()).expr
        });
        let lanes = lanes.collect();
        let ty = ty.clone();
        VectorExpr::Literal { ty, lanes }.into()
    }

    /// A vector of a type.
    pub(super) fn vector_tree(
        &mut self,
        ty: &Type,
        depth: u32,
        scope: &VectorScope,
    ) -> Option<Expr> {
        if depth == 0 {
            return self.vector_leaf(ty, scope);
        }
        let depth = depth - 1;
        let (kind, len) = parts(ty);
        Some(match self.dice.random_range(0..18) {
            14 => {
                // One of two vectors in each lane, by a mask.
                let other = self.vector_of_size(ty)?;
                let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
                let one = self.vector_leaf(&other, scope)?;
                let two = self.vector_leaf(&other, scope)?;
                let mask = Expr::binary(BinaryOp::COMPARISONS[at], one, two).cast(ty.clone());
                let yes = self.vector_tree(ty, depth, scope)?;
                let no = self.vector_leaf(ty, scope)?;
                let inverse = Expr::unary(UnaryOp::Complement, mask.clone());
                let yes = Expr::binary(BinaryOp::BitAnd, mask, yes);
                let no = Expr::binary(BinaryOp::BitAnd, inverse, no);
                Expr::binary(BinaryOp::BitOr, yes, no)
            }
            15 => {
                let condition = scope.scalars.choose(&mut self.dice)?.clone();
                let yes = self.vector_tree(ty, depth, scope)?;
                let no = self.vector_leaf(ty, scope)?;
                Expr::conditional(condition, yes, no)
            }
            16 => {
                // Lanes of a shorter or longer vector.
                let others = self.vectors.types.iter();
                let others = others.filter(|other| parts(other).0 == kind);
                let others: Vec<Type> = others.cloned().collect();
                let from = others.choose(&mut self.dice)?.clone();
                let each = parts(&from).1;
                let one = self.vector_tree(&from, depth, scope)?;
                let two = self.vector_leaf(&from, scope)?;
                let lanes = (0..len).map(|_| self.dice.random_range(0..2 * each));
                let lanes = lanes.collect();
                let operands = [Arc::new(one), Arc::new(two)];
                VectorExpr::Shuffle { operands, lanes }.into()
            }
            17 => self.vector_by_128_bits(ty, depth, scope)?,
            0 => {
                let op = if kind.signed(self.target()) {
                    UnaryOp::Complement
                } else {
                    UnaryOp::Minus
                };
                Expr::unary(op, self.vector_tree(ty, depth, scope)?)
            }
            1 => {
                let other = self.vector_of_size(ty)?;
                let value = self.vector_tree(&other, depth, scope)?;
                value.cast(ty.clone())
            }
            2 | 3 => {
                let one = self.vector_tree(ty, depth, scope)?;
                let two = self.vector_leaf(ty, scope)?;
                let lanes = (0..len).map(|_| self.dice.random_range(0..2 * len));
                let lanes = lanes.collect();
                let operands = [Arc::new(one), Arc::new(two)];
                VectorExpr::Shuffle { operands, lanes }.into()
            }
            4 => {
                let others = self.vectors.types.iter();
                let others = others.filter(|other| parts(other).1 == len);
                let others: Vec<Type> = others.cloned().collect();
                let from = others.choose(&mut self.dice)?.clone();
                let value = Arc::new(self.vector_tree(&from, depth, scope)?);
                let to = ty.clone();
                VectorExpr::Convert { to, value }.into()
            }
            5 | 6 => {
                let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
                let other = self.vector_of_size(ty)?;
                let one = self.vector_tree(&other, depth, scope)?;
                let two = self.vector_leaf(&other, scope)?;
                Expr::binary(BinaryOp::COMPARISONS[at], one, two).cast(ty.clone())
            }
            _ => {
                let op = self.vector_op();
                let left = self.vector_tree(ty, depth, scope)?;
                let right = if op.is_shift() {
                    self.shift_counts(ty, scope)
                } else {
                    self.vector_tree(ty, depth, scope)?
                };
                Expr::binary(op, left, right)
            }
        })
    }

    /// An operator on lanes of 128 bits.
    fn vector_by_128_bits(&mut self, ty: &Type, depth: u32, scope: &VectorScope) -> Option<Expr> {
        let left = self.vector_tree(ty, depth, scope)?;
        let bytes = ty.vector_bytes()?;
        if bytes < 16 || !self.policy.features.has(Feature::Int128) {
            return Some(left);
        }
        let of = WideKind::UInt128;
        let wide = self.ledger.session.define_vector(of, bytes / 16);
        let ops = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Shl,
            BinaryOp::Shr,
        ];
        let op = *ops.choose(&mut self.dice)?;
        let right = if op.is_shift() {
            let lanes = (0..bytes / 16).map(|_| {
                let count = self.dice.random_range(0..128);
                WideNumber::new(of, count).into()
            });
            let (ty, lanes) = (wide.clone(), lanes.collect());
            VectorExpr::Literal { ty, lanes }.into()
        } else {
            self.vector_leaf(ty, scope)?.cast(wide.clone())
        };
        Some(Expr::binary(op, left.cast(wide), right).cast(ty.clone()))
    }

    pub(super) fn vector_leaf(&mut self, ty: &Type, scope: &VectorScope) -> Option<Expr> {
        let same = scope.variables.iter();
        let same = same.filter(|variable| type_of(variable) == Some(ty));
        let same: Vec<&Expr> = same.collect();
        if !same.is_empty() && self.percent(75) {
            return same.choose(&mut self.dice).map(|one| (*one).clone());
        }
        let (kind, len) = parts(ty);
        let lanes = (0..len).map(|_| {
            if self.percent(15)
                && let Some(vector) = scope.variables.choose(&mut self.dice)
                && let Some(Type::Vector { len, .. }) = type_of(vector)
            {
                // A lane of another vector, put back somewhere else.
                let lane = Expr::int(self.dice.random_range(0..*len as i32));
                return vector.clone().index(lane).cast(kind);
            }
            match scope.scalars.choose(&mut self.dice) {
                Some(scalar) if self.percent(25) => scalar.clone().cast(kind),
                _ => self.constant(kind).expr,
            }
        });
        let lanes = lanes.collect();
        let ty = ty.clone();
        Some(VectorExpr::Literal { ty, lanes }.into())
    }
}
