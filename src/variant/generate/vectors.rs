//! Vectors of gcc and clang: assigned, indexed, carried through loops, passed by value.
//!
//! A statement with vectors is made as a whole and run. Most lanes are unsigned, so that few
//! statements are undefined; those that are give way to another statement.

use super::Author;
use super::feature::Feature;
use super::names::KnownVariable;
use crate::code::ctype::{Field, Type};
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Function, Stmt};
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Lanes with their bytes.
pub(super) const LANES: [(IntKind, u32); 8] = [
    (IntKind::UChar, 1),
    (IntKind::SChar, 1),
    (IntKind::UShort, 2),
    (IntKind::Short, 2),
    (IntKind::UInt, 4),
    (IntKind::Int, 4),
    (IntKind::ULongLong, 8),
    (IntKind::LongLong, 8),
];
/// Bytes of vectors that functions take and give.
const PASSED: RangeInclusive<u32> = 8..=64;
/// Statements tried before something else is written.
const TRIES: u32 = 4;

/// What vector code of a program works with.
#[derive(Debug, Default)]
pub(super) struct VectorData {
    pub(super) types: Vec<Type>,
    variables: Vec<KnownVariable>,
    /// Structs with a vector and a number.
    records: Vec<KnownVariable>,
    functions: Vec<Arc<Function>>,
}

/// What an expression of vectors may name.
#[derive(Clone, Debug)]
pub(super) struct VectorScope {
    pub(super) variables: Vec<Expr>,
    /// Integers for lanes.
    pub(super) scalars: Vec<Expr>,
}

/// The type of lanes, and how many there are.
pub(super) fn parts(ty: &Type) -> (IntKind, u32) {
    match ty {
        Type::Vector { of, len } => (of.int_kind().unwrap_or(IntKind::Int), *len),
        _ => (IntKind::Int, 1),
    }
}

impl Author<'_> {
    /// The types and variables that a program with vectors has.
    pub(super) fn make_vector_data(&mut self) {
        if !self.policy.features.has(Feature::Vector) {
            return;
        }
        let bytes = [8, 16, 16, 16, 32, 64][self.dice.random_range(0..6)];
        for _ in 0..self.dice.random_range(1..=3) {
            let (kind, each) = LANES[self.dice.random_range(0..LANES.len())];
            // Two of three have no undefined overflows.
            let kind = if self.percent(65) {
                kind.to_unsigned()
            } else {
                kind
            };
            let ty = self.ledger.session.define_vector(kind, bytes / each);
            if !self.vectors.types.contains(&ty) {
                self.vectors.types.push(ty);
            }
        }
        self.add_companions();
        for ty in self.vectors.types.clone() {
            for _ in 0..self.dice.random_range(2..=3) {
                let named = self.extra_global("v", &ty, 0, |author, of| {
                    let kind = of.int_kind().unwrap_or(IntKind::Int);
                    let small = i64::from(author.dice.random_range(0..32));
                    if author.dice.random() {
                        small
                    } else {
                        author.initial(kind)
                    }
                });
                self.vectors.variables.extend(named);
            }
        }
    }

    /// Types with as many lanes as another but wider or narrower ones, or with half or twice
    /// as many: what conversions and shuffles lead to.
    fn add_companions(&mut self) {
        for ty in self.vectors.types.clone() {
            if !self.percent(50) {
                continue;
            }
            let (kind, len) = parts(&ty);
            let (kind, len) = match self.dice.random_range(0..4) {
                0 => (kind, len / 2),
                1 => (kind, len * 2),
                _ => (LANES[self.dice.random_range(0..LANES.len())].0, len),
            };
            let companion = Type::vector(kind, len);
            let is_passed = companion
                .vector_bytes()
                .is_some_and(|bytes| PASSED.contains(&bytes));
            if is_passed && !self.vectors.types.contains(&companion) {
                self.ledger.session.define_vector(kind, len);
                self.vectors.types.push(companion);
            }
        }
        if self.percent(40)
            && let Some(ty) = self.vectors.types.choose(&mut self.dice).cloned()
        {
            let name = self.fresh("struct s");
            let number = self.kind();
            let fields = vec![Field::new("m0", number), Field::new("m1", ty)];
            let record = self.ledger.session.define_struct(&name, fields);
            let named = self.extra_global("v", &record, 0, |author, of| {
                author.initial(of.int_kind().unwrap_or(IntKind::Int))
            });
            self.vectors.records.extend(named);
        }
    }

    /// A statement with vectors.
    pub(super) fn vector_statement(&mut self) {
        for _ in 0..TRIES {
            let made = match self.dice.random_range(0..12) {
                10 => self.vector_record(),
                0 | 1 => self.vector_lane_written(),
                2 | 3 => self.vector_lane_read(),
                4 => self.vector_call(),
                5 | 6 => self.vector_loop(),
                _ => self.vector_assignment(),
            };
            if let Some(stmt) = made.and_then(|stmt| self.try_run(stmt)) {
                return self.push(stmt);
            }
        }
        self.assign();
    }

    fn vector_scope(&mut self) -> VectorScope {
        let scalars = (0..3).filter_map(|_| self.scalar_leaf());
        VectorScope {
            scalars: scalars.map(|term| term.expr).collect(),
            variables: self
                .vectors
                .variables
                .iter()
                .map(KnownVariable::expr)
                .collect(),
        }
    }

    fn vector_assignment(&mut self) -> Option<Stmt> {
        let scope = self.vector_scope();
        let target = self.vectors.variables.choose(&mut self.dice)?.clone();
        let depth = self.dice.random_range(1..=3);
        let value = self.vector_tree(&target.ty, depth, &scope)?;
        Some(Stmt::Expr(if self.percent(30) {
            let op = self.vector_op();
            let value = if op.is_shift() {
                self.shift_counts(&target.ty, &scope)
            } else {
                value
            };
            Expr::compound(op, target.expr(), value)
        } else {
            Expr::assign(target.expr(), value)
        }))
    }

    /// A vector or lane of a struct, read or written.
    fn vector_record(&mut self) -> Option<Stmt> {
        let record = self.vectors.records.choose(&mut self.dice)?.clone();
        let Type::Record(name) = &record.ty else {
            return None;
        };
        let ty = self.types().get(name)?.fields.get(1)?.ty.clone();
        let member = record.expr().field("m1");
        let scope = self.vector_scope();
        Some(Stmt::Expr(match self.dice.random_range(0..4) {
            0 => {
                let (kind, len) = parts(&ty);
                let index = self.scalar_leaf()?;
                let index = self.bent(index, len.into());
                let value = self.small_expression().expr;
                Expr::assign(member.index(index.expr), value.cast(kind))
            }
            1 => {
                let same = self.vectors.variables.iter();
                let same = same.filter(|named| named.ty == ty);
                let same: Vec<Expr> = same.map(KnownVariable::expr).collect();
                Expr::assign(same.choose(&mut self.dice)?.clone(), member)
            }
            _ => Expr::assign(member, self.vector_tree(&ty, 2, &scope)?),
        }))
    }

    /// A lane of a vector, at a constant or computed index.
    fn vector_lane(&mut self) -> Option<(Expr, IntKind)> {
        let vector = self.vectors.variables.choose(&mut self.dice)?.clone();
        let (kind, len) = parts(&vector.ty);
        let index = if self.percent(50) {
            let term = self.scalar_leaf()?;
            self.bent(term, len.into()).expr
        } else {
            Expr::int(self.dice.random_range(0..len as i32))
        };
        Some((vector.expr().index(index), kind))
    }

    fn vector_lane_written(&mut self) -> Option<Stmt> {
        let (lane, kind) = self.vector_lane()?;
        let value = self.small_expression().expr;
        Some(Stmt::Expr(
            if self.percent(40) && !kind.signed(self.target()) {
                Expr::compound(BinaryOp::BitXor, lane, value)
            } else {
                Expr::assign(lane, value)
            },
        ))
    }

    fn vector_lane_read(&mut self) -> Option<Stmt> {
        let (lane, _) = self.vector_lane()?;
        let holder = self.writable_holder()?;
        Some(Stmt::Expr(Expr::assign(holder.expr, lane)))
    }

    /// Vectors that change from turn to turn.
    fn vector_loop(&mut self) -> Option<Stmt> {
        let counter = self.scratch("i", &Type::INT)?;
        let mut scope = self.vector_scope();
        scope.scalars.push(counter.clone());
        let turns = self.dice.random_range(2..=9);
        let mut body = Vec::new();
        for _ in 0..self.dice.random_range(1..=3) {
            let target = self.vectors.variables.choose(&mut self.dice)?.clone();
            let (kind, len) = parts(&target.ty);
            body.push(Stmt::Expr(match self.dice.random_range(0..4) {
                0 => {
                    let last = Expr::int(len as i32 - 1);
                    let index = Expr::binary(BinaryOp::BitAnd, counter.clone(), last);
                    let scalar = scope.scalars.choose(&mut self.dice)?.clone();
                    Expr::assign(target.expr().index(index), scalar.cast(kind))
                }
                _ => {
                    let depth = self.dice.random_range(1..=2);
                    let value = self.vector_tree(&target.ty, depth, &scope)?;
                    Expr::assign(target.expr(), value)
                }
            }));
        }
        Some(Stmt::counted(counter, turns, Stmt::Block(body)))
    }

    /// A call of a function that takes and gives vectors, a new one or one of before.
    fn vector_call(&mut self) -> Option<Stmt> {
        let known = self.vectors.functions.choose(&mut self.dice).cloned();
        let function = match known {
            Some(function) if self.percent(60) => function,
            _ => self.vector_function()?,
        };
        let ty = &function.result;
        let same = self.vectors.variables.iter();
        let same: Vec<Expr> = same
            .filter(|named| named.ty == *ty)
            .map(KnownVariable::expr)
            .collect();
        let target = same.choose(&mut self.dice)?.clone();
        let args = vec![
            same.choose(&mut self.dice)?.clone(),
            same.choose(&mut self.dice)?.clone(),
            self.small_expression().expr,
        ];
        let call = Expr::call(function.callee(), args);
        Some(Stmt::Expr(Expr::assign(target, call)))
    }

    fn vector_function(&mut self) -> Option<Arc<Function>> {
        let ty = self.vectors.types.choose(&mut self.dice)?.clone();
        let (kind, len) = parts(&ty);
        let param = |name: &str, ty: &Type| Var {
            name: name.into(),
            ty: ty.clone(),
        };
        let params = vec![
            param("a", &ty),
            param("b", &ty),
            param("n", &Type::Int(IntKind::UInt)),
        ];
        let [a, b, n] = [0, 1, 2].map(|at: usize| Expr::Var(params[at].clone()));
        let scope = VectorScope {
            variables: vec![a.clone(), b],
            scalars: vec![n.clone()],
        };
        let mut body = Vec::new();
        for _ in 0..self.dice.random_range(1..=2) {
            let value = self.vector_tree(&ty, 2, &scope)?;
            body.push(Stmt::Expr(Expr::assign(a.clone(), value)));
        }
        if self.dice.random() {
            let last = Expr::int(len as i32 - 1);
            let index = Expr::binary(BinaryOp::BitAnd, n.clone(), last);
            body.push(Stmt::Expr(Expr::assign(
                a.clone().index(index),
                n.cast(kind),
            )));
        }
        body.push(Stmt::Return(Some(a)));
        let function = self.pure_function(ty, params, body)?;
        self.vectors.functions.push(function.clone());
        Some(function)
    }
}
