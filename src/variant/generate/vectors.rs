//! Vectors of gcc and clang: assigned, indexed, shuffled, converted, passed by value.
//!
//! A statement with vectors is made as a whole and run. Most lanes are unsigned, so that few
//! statements are undefined; those that are give way to another statement.

use super::Author;
use super::feature::Feature;
use super::functions::Purity;
use super::names::KnownVariable;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var, VectorExpr};
use crate::code::op::{BinaryOp, StepOp, UnaryOp};
use crate::code::stmt::{Attribute, Function, Stmt};
use crate::code::types::IntKind;
use crate::code::unit::FunctionDefinition;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::sync::Arc;

/// Lanes with their bytes.
const LANES: [(IntKind, u32); 8] = [
    (IntKind::UChar, 1),
    (IntKind::SChar, 1),
    (IntKind::UShort, 2),
    (IntKind::Short, 2),
    (IntKind::UInt, 4),
    (IntKind::Int, 4),
    (IntKind::ULongLong, 8),
    (IntKind::LongLong, 8),
];
/// Statements tried before something else is written.
const TRIES: u32 = 4;

/// What vector code of a program works with.
#[derive(Debug, Default)]
pub(super) struct VectorData {
    /// All of one size.
    types: Vec<Type>,
    variables: Vec<KnownVariable>,
    functions: Vec<Arc<Function>>,
}

/// What an expression of vectors may name.
#[derive(Clone, Debug)]
struct VectorScope {
    variables: Vec<Expr>,
    /// Integers for lanes.
    scalars: Vec<Expr>,
}

fn parts(ty: &Type) -> (IntKind, u32) {
    match ty {
        Type::Vector { of, len } => (of.int_kind().unwrap_or(IntKind::Int), *len),
        _ => (IntKind::Int, 1),
    }
}

fn type_of(expr: &Expr) -> Option<&Type> {
    match expr {
        Expr::Var(var) => Some(&var.ty),
        _ => None,
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

    /// A statement with vectors.
    pub(super) fn vector_statement(&mut self) {
        for _ in 0..TRIES {
            let made = match self.dice.random_range(0..10) {
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
                self.shift_counts(&target.ty)
            } else {
                value
            };
            Expr::compound(op, target.expr(), value)
        } else {
            Expr::assign(target.expr(), value)
        }))
    }

    fn vector_op(&mut self) -> BinaryOp {
        const OPS: [BinaryOp; 10] = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
            BinaryOp::BitXor,
            BinaryOp::Add,
            BinaryOp::Shl,
            BinaryOp::Shr,
        ];
        OPS[self.dice.random_range(0..OPS.len())]
    }

    fn shift_counts(&mut self, ty: &Type) -> Expr {
        let (kind, len) = parts(ty);
        let bits = kind.bits(self.target());
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
    fn vector_tree(&mut self, ty: &Type, depth: u32, scope: &VectorScope) -> Option<Expr> {
        if depth == 0 {
            return self.vector_leaf(ty, scope);
        }
        let depth = depth - 1;
        let (kind, len) = parts(ty);
        Some(match self.dice.random_range(0..14) {
            0 => {
                let op = if kind.signed(self.target()) {
                    UnaryOp::Complement
                } else {
                    UnaryOp::Minus
                };
                Expr::unary(op, self.vector_tree(ty, depth, scope)?)
            }
            1 => {
                let other = self.vectors.types.choose(&mut self.dice)?.clone();
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
                let other = self.vectors.types.choose(&mut self.dice)?.clone();
                let one = self.vector_tree(&other, depth, scope)?;
                let two = self.vector_leaf(&other, scope)?;
                Expr::binary(BinaryOp::COMPARISONS[at], one, two).cast(ty.clone())
            }
            _ => {
                let op = self.vector_op();
                let left = self.vector_tree(ty, depth, scope)?;
                let right = if op.is_shift() {
                    self.shift_counts(ty)
                } else {
                    self.vector_tree(ty, depth, scope)?
                };
                Expr::binary(op, left, right)
            }
        })
    }

    fn vector_leaf(&mut self, ty: &Type, scope: &VectorScope) -> Option<Expr> {
        let same = scope.variables.iter();
        let same = same.filter(|variable| type_of(variable) == Some(ty));
        let same: Vec<&Expr> = same.collect();
        if !same.is_empty() && self.percent(75) {
            return same.choose(&mut self.dice).map(|one| (*one).clone());
        }
        let (kind, len) = parts(ty);
        let lanes = (0..len).map(|_| match scope.scalars.choose(&mut self.dice) {
            Some(scalar) if self.percent(25) => scalar.clone().cast(kind),
            _ => self.constant(kind).expr,
        });
        let lanes = lanes.collect();
        let ty = ty.clone();
        Some(VectorExpr::Literal { ty, lanes }.into())
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
        Some(Stmt::for_loop(
            Expr::assign(counter.clone(), Expr::int(0)),
            Expr::binary(BinaryOp::Lt, counter.clone(), Expr::int(turns)),
            Expr::step(StepOp::PostIncrement, counter),
            Stmt::Block(body),
        ))
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
        let function = Function {
            name: self.fresh("w").as_str().into(),
            result: ty,
            params,
            body: Arc::new(Stmt::Block(body)),
        };
        self.ledger.session.define(&function).ok()?;
        let mut definition = FunctionDefinition::new_static(function.clone());
        if self.dice.random() {
            definition.attributes.push(Attribute::Noinline);
        }
        self.finish(definition, Purity::Const, false);
        let function = Arc::new(function);
        self.vectors.functions.push(function.clone());
        Some(function)
    }
}
