//! Integers of up to 128 bits in expressions: `__int128` and `_BitInt(N)`.
//!
//! Such a number is made from the leaves up together with its values, like other terms, so it
//! can stand in every expression, also in the body of a loop whose turns are rows. Where an
//! operation is undefined it is done without a sign, with a divisor that is odd.

use super::Author;
use super::expr::Term;
use super::feature::Feature;
use super::ledger::Address;
use super::names::KnownVariable;
use super::weights::OF_WIDE;
use crate::code::ctype::{Field, Type};
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::stmt::{Function, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::code::wide::{WideKind, WideNumber, joined};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::sync::Arc;

/// What wide code of a program works with.
#[derive(Debug, Default)]
pub(super) struct WideData {
    pub(super) kinds: Vec<WideKind>,
    /// Scalars, arrays, and structs with such members.
    pub(super) variables: Vec<KnownVariable>,
    pub(super) functions: Vec<Arc<Function>>,
}

/// A wide expression with its value at every active position, by its bits.
#[derive(Clone, Debug)]
pub(super) struct WideTerm {
    pub(super) expr: Expr,
    pub(super) kind: WideKind,
    values: Vec<i128>,
}

impl Author<'_> {
    /// Whether the program has such numbers.
    pub(super) fn has_wide(&self) -> bool {
        !self.wide.kinds.is_empty()
    }

    /// The types and variables that a program with such numbers has.
    pub(super) fn make_wide_data(&mut self) {
        let features = self.policy.features;
        if features.has(Feature::Int128) {
            self.wide
                .kinds
                .extend([WideKind::Int128, WideKind::UInt128]);
        }
        if features.has(Feature::BitInt) {
            for _ in 0..self.dice.random_range(2..=3) {
                let kind = self.bit_precise();
                self.wide.kinds.push(kind);
            }
        }
        for number in 0..if self.has_wide() { 6 } else { 0 } {
            let Some(kind) = self.wide.kinds.choose(&mut self.dice).copied() else {
                return;
            };
            let ty = match number {
                4 => Type::Wide(kind).array(self.dice.random_range(2..=6)),
                5 => self.wide_record(kind),
                _ => Type::Wide(kind),
            };
            let named = self.extra_global("q", &ty, 0, |author, of| {
                author.initial(of.int_kind().unwrap_or(IntKind::Int))
            });
            self.wide.variables.extend(named);
        }
    }

    /// A struct with such a member beside a narrow one.
    fn wide_record(&mut self, kind: WideKind) -> Type {
        let name = self.fresh("struct s");
        let (narrow, other) = (self.kind(), self.kind());
        let fields = vec![
            Field::new("m0", narrow),
            Field::new("m1", kind),
            Field::new("m2", other),
        ];
        self.ledger.session.define_struct(&name, fields)
    }

    /// A bit-precise type, often one next to a width that processors have.
    fn bit_precise(&mut self) -> WideKind {
        const NEAR: [u32; 14] = [7, 8, 9, 15, 17, 24, 31, 33, 48, 63, 65, 96, 127, 64];
        let bits = if self.percent(60) {
            NEAR[self.dice.random_range(0..NEAR.len())]
        } else {
            self.dice.random_range(2..=127)
        };
        if self.dice.random() {
            WideKind::UBitInt(bits)
        } else {
            WideKind::BitInt(bits)
        }
    }

    /// What such a number holds at the start of a row, or a constant of its type.
    pub(super) fn wide_initial(&mut self, kind: WideKind) -> i128 {
        let bits = kind.bits();
        let number = match self.dice.random_range(0..8) {
            0 | 1 => self.dice.random_range(-10..=10),
            2 => i128::from(self.dice.random::<i64>()),
            3 => (1 << self.dice.random_range(0..bits.min(127))) - 1,
            4 => -(1 << self.dice.random_range(0..bits.min(127))),
            5 => i128::from(self.dice.random::<u64>()) << 64,
            _ => self.dice.random::<i128>() >> self.dice.random_range(0..bits.min(120)),
        };
        kind.wrap(number)
    }

    /// A constant of such a type.
    pub(super) fn wide_constant(&mut self, kind: WideKind) -> WideTerm {
        let number = self.wide_initial(kind);
        self.wide_literal(kind, number)
    }

    fn wide_literal(&self, kind: WideKind, number: i128) -> WideTerm {
        let wide = WideNumber::new(kind, number);
        WideTerm {
            expr: wide.into(),
            kind,
            values: vec![wide.bits(); self.ledger.len()],
        }
    }

    /// A usual number converted.
    pub(super) fn widened(&self, term: &Term, kind: WideKind) -> WideTerm {
        let values = term.numbers.values.iter();
        let values = values.map(|carrier| {
            let value = Value::from_carrier(term.numbers.kind, *carrier);
            kind.wrap(value.math())
        });
        WideTerm {
            expr: term.expr.clone().cast(kind),
            kind,
            values: values.collect(),
        }
    }

    fn wide_cast(&self, term: WideTerm, kind: WideKind) -> WideTerm {
        if term.kind == kind {
            return term;
        }
        WideTerm {
            expr: term.expr.cast(kind),
            kind,
            values: term.values.iter().map(|bits| kind.wrap(*bits)).collect(),
        }
    }

    /// A usual number computed by way of wide ones.
    pub(super) fn wide_node(&mut self, operators: u32, depth: u32) -> Term {
        let left = self.wide_tree(operators.clamp(1, 5), depth);
        let bits = left.kind.bits();
        match self.dice.random_range(0..10) {
            0..3 => {
                let right = self.wide_leaf(operators / 2, depth);
                let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
                match self.wide_applied(BinaryOp::COMPARISONS[at], &left, &right) {
                    Some(truth) => narrowed(truth, IntKind::Int, self.target(), false),
                    None => narrowed(left, IntKind::Long, self.target(), true),
                }
            }
            3..6 if bits > 8 => {
                let by = if bits > 64 && self.percent(70) {
                    64
                } else {
                    self.dice.random_range(1..bits)
                };
                let count = self.literal(IntKind::Int, by.into());
                let upper = self.wide_shifted(BinaryOp::Shr, left, &count);
                let kind = self.kind();
                narrowed(upper, kind, self.target(), true)
            }
            _ => {
                let kind = self.kind();
                narrowed(left, kind, self.target(), true)
            }
        }
    }

    /// A tree with about so many wide operators.
    pub(super) fn wide_tree(&mut self, operators: u32, depth: u32) -> WideTerm {
        if operators == 0 || depth == 0 {
            return self.wide_leaf(1, depth);
        }
        let share = self.dice.random_range(0..operators);
        let left = self.wide_tree(share, depth - 1);
        match self.dice.random_range(0..12) {
            0 => self.wide_unary(left),
            1 => {
                let kind = self.wide.kinds.choose(&mut self.dice).copied();
                self.wide_cast(left, kind.unwrap_or(WideKind::Int128))
            }
            _ => {
                let op = OF_WIDE[self.dice.random_range(0..OF_WIDE.len())];
                if op.is_shift() {
                    let count = self.wide_count(left.kind.bits(), depth - 1);
                    return self.wide_shifted(op, left, &count);
                }
                let right = self.wide_tree(operators - 1 - share, depth - 1);
                self.wide_combined(op, left, right)
            }
        }
    }

    fn wide_unary(&mut self, term: WideTerm) -> WideTerm {
        let kind = term.kind;
        if self.dice.random() {
            let expr = Expr::unary(UnaryOp::Complement, term.expr);
            let values = term.values.iter().map(|bits| kind.wrap(!bits)).collect();
            return WideTerm { expr, kind, values };
        }
        let negated = |bits: &i128| operator::wide(BinaryOp::Sub, kind, 0, *bits);
        let values: Option<Vec<i128>> = term.values.iter().map(negated).collect();
        match values {
            Some(values) => WideTerm {
                expr: Expr::unary(UnaryOp::Minus, term.expr),
                kind,
                values,
            },
            None => {
                let unsigned = self.wide_cast(term, kind.to_unsigned());
                self.wide_unary(unsigned)
            }
        }
    }

    /// A count of a shift: a constant, or a number that is bent to fit.
    fn wide_count(&mut self, bits: u32, depth: u32) -> Term {
        if self.percent(40) {
            let most = self.dice.random_range(0..bits);
            let count = [most, 64.min(bits - 1), bits - 1, bits / 2];
            let count = count[self.dice.random_range(0..count.len())];
            return self.literal(IntKind::Int, count.into());
        }
        let operators = self.dice.random_range(0..=2);
        let term = self.tree(operators, depth);
        let whole = 1 << bits.ilog2();
        let room = if self.percent(60) { whole } else { bits };
        self.bent(term, room.into())
    }

    fn wide_shifted(&mut self, op: BinaryOp, left: WideTerm, count: &Term) -> WideTerm {
        let kind = left.kind;
        let counts = count.numbers.values.iter();
        let counts = counts.map(|carrier| Value::from_carrier(count.numbers.kind, *carrier).math());
        let pairs = left.values.iter().zip(counts);
        let values: Option<Vec<i128>> = pairs
            .map(|(left, count)| operator::wide(op, kind, *left, count))
            .collect();
        match values {
            Some(values) => WideTerm {
                expr: Expr::binary(op, left.expr, count.expr.clone()),
                kind,
                values,
            },
            None if kind.signed() => {
                let unsigned = self.wide_cast(left, kind.to_unsigned());
                self.wide_shifted(op, unsigned, count)
            }
            // The count is bent to fit, so nothing is left that could be undefined.
            None => left,
        }
    }

    /// Two terms under an operator, in their common type; `None` if that is undefined.
    fn wide_applied(&self, op: BinaryOp, left: &WideTerm, right: &WideTerm) -> Option<WideTerm> {
        let sum = Expr::binary(BinaryOp::Add, left.expr.clone(), right.expr.clone());
        let Ok(Type::Wide(kind)) = self.types().type_of(&sum) else {
            return None;
        };
        let pairs = left.values.iter().zip(&right.values);
        let values: Option<Vec<i128>> = pairs
            .map(|(left, right)| operator::wide(op, kind, kind.wrap(*left), kind.wrap(*right)))
            .collect();
        Some(WideTerm {
            expr: Expr::binary(op, left.expr.clone(), right.expr.clone()),
            kind,
            values: values?,
        })
    }

    /// Two terms under an operator that is repaired if need be.
    fn wide_combined(&mut self, op: BinaryOp, left: WideTerm, right: WideTerm) -> WideTerm {
        if let Some(term) = self.wide_applied(op, &left, &right) {
            return term;
        }
        let unsigned = if left.kind.bits() >= right.kind.bits() {
            left.kind.to_unsigned()
        } else {
            right.kind.to_unsigned()
        };
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let (one, mut two) = (
            self.wide_cast(left.clone(), unsigned),
            self.wide_cast(right, unsigned),
        );
        if divides {
            let odd = self.wide_literal(unsigned, 1);
            two = self
                .wide_applied(BinaryOp::BitOr, &two, &odd)
                .unwrap_or(odd);
        }
        self.wide_applied(op, &one, &two).unwrap_or(left)
    }

    /// A variable, a constant, or a usual number converted.
    pub(super) fn wide_leaf(&mut self, operators: u32, depth: u32) -> WideTerm {
        if self.percent(55)
            && let Some(term) = self.wide_variable()
        {
            return term;
        }
        let kind = self.wide.kinds.choose(&mut self.dice).copied();
        let kind = kind.unwrap_or(WideKind::Int128);
        if self.percent(30) {
            return self.wide_constant(kind);
        }
        let operators = operators.min(3);
        let term = self.tree(operators, depth.saturating_sub(1));
        self.widened(&term, kind)
    }

    /// A wide scalar of some global, with the type and the cell it starts at.
    pub(super) fn wide_place(&mut self) -> Option<(KnownVariable, Expr, WideKind, u32)> {
        let named = self.wide.variables.choose(&mut self.dice)?.clone();
        let (expr, kind, cell) = match &named.ty {
            Type::Wide(kind) => (named.expr(), *kind, 0),
            Type::Array { of, len } => {
                let Type::Wide(kind) = **of else {
                    return None;
                };
                let at = self.dice.random_range(0..*len) as u32;
                (named.expr().index(Expr::int(at as i32)), kind, 2 * at)
            }
            Type::Record(name) => {
                let fields = &self.types().get(name)?.fields;
                let Type::Wide(kind) = fields[1].ty else {
                    return None;
                };
                let cell = self.types().cells(&fields[0].ty)?;
                (named.expr().field("m1"), kind, cell)
            }
            _ => return None,
        };
        Some((named, expr, kind, cell))
    }

    fn wide_variable(&mut self) -> Option<WideTerm> {
        if !self.may_use_globals() || !self.guesses.is_empty() {
            return None;
        }
        let (named, expr, kind, cell) = self.wide_place()?;
        self.usage.note(&Stmt::Expr(named.expr()));
        let object = named.object()?;
        let low = self.ledger.read(&Address::Fixed(object, cell))?;
        let high = self.ledger.read(&Address::Fixed(object, cell + 1))?;
        let values = low.into_iter().zip(high);
        let values = values.map(|(low, high)| joined(low, high)).collect();
        Some(WideTerm { expr, kind, values })
    }
}

/// A wide term as a usual number.
fn narrowed(
    term: WideTerm,
    kind: IntKind,
    target: crate::code::types::Target,
    by_cast: bool,
) -> Term {
    let values = term.values.iter().map(|bits| match kind {
        IntKind::Bool => i64::from(*bits != 0),
        _ => Value::new(kind, *bits, target).carrier(),
    });
    let values = values.collect();
    Term {
        expr: if by_cast {
            term.expr.cast(kind)
        } else {
            term.expr
        },
        numbers: Numbers { kind, values },
    }
}
