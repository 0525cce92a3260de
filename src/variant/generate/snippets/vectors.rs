//! Vectors of gcc and clang in snippets: made of numbers, computed with, taken apart.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var, VectorExpr};
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::vectors::{LANES, parts};
use crate::variant::generate::weights::PLAIN;
use rand::Rng;
use std::sync::Arc;

/// Lanes of a vector, each of which may be a number in the text.
const MOST_LANES: u32 = 64;

/// The vectors of a block: their names, and the types that its expressions go through.
pub(super) struct VectorBlock {
    pub(super) vars: Vec<Var>,
    types: Vec<Type>,
}

impl VectorBlock {
    /// The types that are as large as another.
    fn as_large(&self, ty: &Type) -> Vec<Type> {
        let bytes = ty.vector_bytes();
        let types = self.types.iter();
        let types = types.filter(|other| other.vector_bytes() == bytes);
        types.cloned().collect()
    }

    /// Other types with as many lanes.
    fn as_long(&self, ty: &Type) -> Vec<Type> {
        let len = parts(ty).1;
        let types = self.types.iter();
        let types = types.filter(|other| parts(other).1 == len && *other != ty);
        types.cloned().collect()
    }
}

impl SnippetWriter {
    /// A block with vectors of its own, of which something is left in numbers of the snippet.
    pub(super) fn vector_block(&mut self) -> Stmt {
        let mut block = self.vector_types();
        let mut items = Vec::new();
        for _ in 0..self.dice.random_range(2..=3) {
            let ty = self.some_type(&block);
            let start = self.vector_of_numbers(&ty);
            let var = self.var("v", ty.clone());
            items.push(Stmt::declare(&var.name, ty, Some(start)));
            block.vars.push(var);
        }
        for _ in 0..self.dice.random_range(1..=4) {
            items.push(self.vector_statement(&block));
        }
        for _ in 0..self.dice.random_range(1..=2) {
            items.push(self.lane_taken(&block));
        }
        Stmt::Block(items)
    }

    /// Types of one size, and perhaps one whose lanes are wider or narrower.
    fn vector_types(&mut self) -> VectorBlock {
        let bytes = self.one_of(&[4, 8, 8, 16, 16, 16, 32, 64, 128]);
        let types = (0..self.one_of(&[1, 1, 2, 3])).map(|_| self.vector_type(bytes));
        let mut types: Vec<Type> = types.collect();
        let (_, len) = parts(&types[0]);
        let (kind, _) = self.one_of(&LANES);
        let other = Type::vector(kind.to_unsigned(), len);
        if other.vector_bytes().is_some() && self.percent(40) {
            types.push(self.types.define_vector(kind.to_unsigned(), len));
        }
        VectorBlock {
            types,
            vars: Vec::new(),
        }
    }

    /// Vectors for a whole function: locals, and globals of the snippet.
    pub(super) fn vectors(&mut self) -> VectorBlock {
        let mut block = self.vector_types();
        for _ in 0..self.one_of(&[1, 1, 2]) {
            let ty = self.some_type(&block);
            let start = self.vector_of_numbers(&ty);
            let var = self.var("v", ty.clone());
            self.declarations
                .push(Stmt::declare(&var.name, ty, Some(start)));
            block.vars.push(var);
        }
        for _ in 0..self.one_of(&[0, 1, 1, 2]) {
            let ty = self.some_type(&block);
            let var = self.global(ty);
            block.vars.push(var);
        }
        block
    }

    /// Something that is done with such vectors.
    pub(super) fn vector_operation(&mut self, block: &VectorBlock, truths: &[Var]) -> Stmt {
        match self.dice.random_range(0..20) {
            0..10 => self.vector_statement(block),
            10 => {
                // A truth is a lane's number, too.
                let var = self.some_vector(block);
                let truth = truths[self.dice.random_range(0..truths.len())].clone();
                let lane = Expr::Var(var).index(Expr::Var(truth));
                let value = self.leaf();
                Stmt::Expr(match self.writable() {
                    Some(target) if self.percent(50) => Expr::assign(target, lane),
                    _ => Expr::assign(lane, value),
                })
            }
            11..16 if self.has(Feature::Bytes) => {
                let var = self.some_vector(block);
                self.seen_as_other(&Expr::Var(var.clone()), &var.ty)
            }
            _ => self.lane_taken(block),
        }
    }

    fn vector_type(&mut self, bytes: u32) -> Type {
        let lens = 1..=MOST_LANES;
        let fitting = LANES.into_iter();
        let fitting = fitting.filter(|(_, each)| lens.contains(&(bytes / each)));
        let fitting: Vec<(IntKind, u32)> = fitting.collect();
        let (kind, each) = self.one_of(&fitting);
        // Two of three have no undefined overflows.
        let kind = if self.percent(65) {
            kind.to_unsigned()
        } else {
            kind
        };
        self.types.define_vector(kind, bytes / each)
    }

    pub(super) fn some_type(&mut self, block: &VectorBlock) -> Type {
        block.types[self.dice.random_range(0..block.types.len())].clone()
    }

    pub(super) fn some_vector(&mut self, block: &VectorBlock) -> Var {
        block.vars[self.dice.random_range(0..block.vars.len())].clone()
    }

    fn one_type(&mut self, types: &[Type], otherwise: &Type) -> Type {
        let at = self.dice.random_range(0..types.len().max(1));
        types.get(at).unwrap_or(otherwise).clone()
    }

    /// A vector of what the snippet has; all lanes alike, each its own, or mostly zeros.
    pub(super) fn vector_of_numbers(&mut self, ty: &Type) -> Expr {
        let (kind, len) = parts(ty);
        let style = self.dice.random_range(0..4);
        let first = self.leaf();
        let lanes = (0..len).map(|_| {
            let lane = match style {
                0 => first.clone(),
                1 => self.constant(),
                2 if self.percent(60) => Expr::int(0),
                _ => self.leaf(),
            };
            match lane {
                Expr::Const(value) => Expr::Const(Value::new(kind, value.math(), self.target())),
                lane => lane.cast(kind),
            }
        });
        let lanes = lanes.collect();
        let ty = ty.clone();
        VectorExpr::Literal { ty, lanes }.into()
    }

    fn vector_statement(&mut self, block: &VectorBlock) -> Stmt {
        let var = self.some_vector(block);
        let ty = var.ty.clone();
        let name = Expr::Var(var);
        let stmt = if self.percent(20) {
            // One lane, at an index that may not be known.
            let lane = self.lane_index(&ty);
            let value = self.expr(1);
            Expr::assign(name.index(lane), value)
        } else {
            let depth = self.dice.random_range(1..=3);
            Expr::assign(name, self.vector_expr(block, &ty, depth))
        };
        let stmt = Stmt::Expr(stmt);
        if self.percent(20) {
            let condition = self.condition(1);
            return Stmt::if_then(condition, Stmt::Block(vec![stmt]));
        }
        stmt
    }

    /// A number of a lane, which may not be known.
    pub(super) fn lane_index(&mut self, ty: &Type) -> Expr {
        let len = parts(ty).1 as i32;
        if self.percent(70) {
            return Expr::int(self.dice.random_range(0..len));
        }
        let number = self.leaf();
        match self.dice.random_range(0..10) {
            // Small enough, or never asked for.
            0..2 => number,
            2 if self.has(Feature::Builtins) => self.builtin_of(number),
            _ => {
                let number = number.cast(IntKind::UInt);
                Expr::binary(BinaryOp::BitAnd, number, Expr::int(len - 1))
            }
        }
    }

    /// A number of the snippet takes a lane.
    pub(super) fn lane_taken(&mut self, block: &VectorBlock) -> Stmt {
        let var = self.some_vector(block);
        let lane = self.lane_index(&var.ty);
        let lane = Expr::Var(var).index(lane);
        match self.writable() {
            Some(target) if self.percent(50) => Stmt::Expr(Expr::assign(target, lane)),
            Some(target) => Stmt::Expr(Expr::compound(BinaryOp::BitXor, target, lane)),
            None => Stmt::Empty,
        }
    }

    pub(super) fn vector_leaf(&mut self, block: &VectorBlock, ty: &Type) -> Expr {
        let known = block.vars.iter().filter(|var| var.ty == *ty);
        let known: Vec<Var> = known.cloned().collect();
        if !known.is_empty() && self.percent(85) {
            return Expr::Var(known[self.dice.random_range(0..known.len())].clone());
        }
        self.vector_of_numbers(ty)
    }

    /// Lanes of two vectors in any order.
    pub(super) fn shuffled(&mut self, ty: &Type, left: Expr, right: Expr) -> Expr {
        let len = parts(ty).1;
        let lanes = (0..len).map(|_| self.dice.random_range(0..2 * len));
        let lanes = lanes.collect();
        let operands = [Arc::new(left), Arc::new(right)];
        VectorExpr::Shuffle { operands, lanes }.into()
    }

    /// A vector with the same number in all lanes.
    pub(super) fn vector_of(&self, ty: &Type, number: i128) -> Expr {
        let (kind, len) = parts(ty);
        let number = Expr::Const(Value::new(kind, number, self.target()));
        let lanes = vec![number; len as usize];
        let ty = ty.clone();
        VectorExpr::Literal { ty, lanes }.into()
    }

    /// A vector of a type.
    pub(super) fn vector_expr(&mut self, block: &VectorBlock, ty: &Type, depth: u32) -> Expr {
        if depth == 0 {
            return self.vector_leaf(block, ty);
        }
        let depth = depth - 1;
        let kind = parts(ty).0;
        match self.dice.random_range(0..17) {
            0 => {
                let op = if kind.signed(self.target()) {
                    UnaryOp::Complement
                } else {
                    UnaryOp::Minus
                };
                Expr::unary(op, self.vector_expr(block, ty, depth))
            }
            1 | 2 => {
                let other = self.one_type(&block.as_large(ty), ty);
                self.vector_expr(block, &other, depth).cast(ty.clone())
            }
            3..=6 => {
                // A truth in each lane, as 0 or -1.
                let other = self.one_type(&block.as_large(ty), ty);
                let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
                let left = self.vector_expr(block, &other, depth);
                let right = self.vector_leaf(block, &other);
                Expr::binary(BinaryOp::COMPARISONS[at], left, right).cast(ty.clone())
            }
            7 | 8 => {
                let left = self.vector_expr(block, ty, depth);
                let right = self.vector_leaf(block, ty);
                self.shuffled(ty, left, right)
            }
            9 | 10 => {
                let op = self.one_of(&[BinaryOp::Shl, BinaryOp::Shr]);
                let left = self.vector_expr(block, ty, depth);
                let bits = kind.bits(self.target());
                let count = self.dice.random_range(0..bits).into();
                Expr::binary(op, left, self.vector_of(ty, count))
            }
            11 => {
                let others = block.as_long(ty);
                let other = self.one_type(&others, ty);
                let value = Arc::new(self.vector_expr(block, &other, depth));
                let to = ty.clone();
                VectorExpr::Convert { to, value }.into()
            }
            12 => {
                let condition = self.condition(1);
                let yes = self.vector_expr(block, ty, depth);
                Expr::conditional(condition, yes, self.vector_leaf(block, ty))
            }
            _ => {
                let op = self.one_of(&PLAIN);
                let left = self.vector_expr(block, ty, depth);
                Expr::binary(op, left, self.vector_expr(block, ty, depth))
            }
        }
    }
}
