//! Exact floating-point numbers in expressions.
//!
//! Every number is a multiple of a power of two, and the magnitudes of all parts of an
//! expression, multiplied out, sum up to less than the type's precision holds. So each way to
//! compute it gives the same bits: in any order, with fused operations, with more precision.
//! Even under `-ffast-math` a program has one output. What bounds a number are masks and the
//! labels of arrays, not the values that it happens to have: it holds for every call.

use super::Author;
use super::expr::Term;
use super::feature::Feature;
use super::names::KnownVariable;
use crate::code::ctype::Type;
use crate::code::eval::operator::Numbers;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::real::{Precision, Real};
use crate::code::scalar::FloatKind;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// A floating-point expression; in a loop that is yet to be run, without values.
#[derive(Clone, Debug)]
pub(super) struct FloatTerm {
    pub(super) expr: Expr,
    pub(super) kind: FloatKind,
    values: Vec<f64>,
    pub(super) label: Label,
}

/// What is known of a number whatever the inputs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label {
    /// The sum of the magnitudes of its parts is no larger.
    pub(super) bound: f64,
    /// It is a multiple of 2 to minus this.
    pub(super) grain: i32,
}

impl Label {
    pub(super) fn fits(self, kind: FloatKind) -> bool {
        let bits = match kind.precision() {
            Some(Precision::Single) => 24,
            _ => 53,
        };
        self.bound * f64::from(self.grain - bits).exp2() < 1.0
    }

    /// Whether a variable with a label may hold it.
    pub(super) fn within(self, other: Label) -> bool {
        self.bound <= other.bound && self.grain <= other.grain
    }
}

/// Arrays that expressions start from, and those that hold results.
const SOURCE: Label = Label {
    bound: 16.0,
    grain: 4,
};
const RESULT: Label = Label {
    bound: 1024.0,
    grain: 8,
};
/// An array of floating-point numbers.
#[derive(Clone, Debug)]
pub(super) struct FloatArray {
    pub(super) named: KnownVariable,
    pub(super) kind: FloatKind,
    pub(super) len: u64,
    pub(super) label: Label,
}

/// What the turns of a loop read.
#[derive(Clone, Debug)]
pub(super) struct TurnLeaves {
    pub(super) counter: Expr,
    pub(super) turns: u64,
}

pub(super) fn real(kind: FloatKind, number: f64) -> Expr {
    let carrier = kind.precision().map_or(0, |known| known.carrier(number));
    Real::from_carrier(kind, carrier).into()
}

impl Author<'_> {
    /// The arrays that a program with floating-point numbers has.
    pub(super) fn make_float_data(&mut self) {
        if !self.policy.features.has(Feature::Float) {
            return;
        }
        for number in 0..self.dice.random_range(3..=6) {
            let kind = self.float_kind();
            let len = self.some_length();
            let label = if number % 3 == 2 { RESULT } else { SOURCE };
            let ty = Type::Float(kind).array(len);
            let named = self.extra_global("f", &ty, label.grain, |author, _| {
                let number = f64::from(author.dice.random_range(-256..=256)) / 16.0;
                kind.precision().map_or(0, |known| known.carrier(number))
            });
            self.float_arrays.extend(named.map(|named| FloatArray {
                named,
                kind,
                len,
                label,
            }));
        }
    }

    fn float_kind(&mut self) -> FloatKind {
        if self.percent(60) {
            FloatKind::Float
        } else {
            FloatKind::Double
        }
    }

    /// An integer computed by way of floating-point numbers.
    pub(super) fn float_node(&mut self, operators: u32, depth: u32) -> Term {
        let share = operators / 2;
        let left = self.float_tree(operators.clamp(1, 4), share, depth, None);
        if self.percent(30) {
            let right = self.float_leaf(share, depth, None);
            let op = *BinaryOp::COMPARISONS
                .choose(&mut self.dice)
                .unwrap_or(&BinaryOp::Lt);
            let both = Label {
                bound: left.label.bound + right.label.bound,
                grain: left.label.grain.max(right.label.grain),
            };
            if both.fits(left.kind.max(right.kind)) {
                let pairs = left.values.iter().zip(&right.values);
                let values = pairs.map(|(left, right)| i64::from(compared(op, *left, *right)));
                let numbers = Numbers {
                    kind: IntKind::Int,
                    values: values.collect(),
                };
                let expr = Expr::binary(op, left.expr, right.expr);
                return Term { expr, numbers };
            }
        }
        let kind = if left.label.bound < 100.0 && self.dice.random() {
            IntKind::SChar
        } else if left.label.bound < 2f64.powi(31) && self.percent(80) {
            IntKind::Int
        } else {
            IntKind::Long
        };
        let values = left.values.iter().map(|number| number.trunc() as i64);
        let values = values.collect();
        Term {
            expr: left.expr.cast(kind),
            numbers: Numbers { kind, values },
        }
    }

    /// A tree with so many floating-point operators over integers with about so many each.
    pub(super) fn float_tree(
        &mut self,
        floats: u32,
        integers: u32,
        depth: u32,
        turns: Option<&TurnLeaves>,
    ) -> FloatTerm {
        if floats == 0 || depth == 0 {
            return self.float_leaf(integers, depth, turns);
        }
        let left = self.dice.random_range(0..floats);
        let one = self.float_tree(left, integers / 2, depth - 1, turns);
        let result = match self.dice.random_range(0..10) {
            0 => Some(self.float_negated(one.clone())),
            1 => self.float_scaled(&one),
            2 => self.float_cast(&one),
            choice => {
                let two = self.float_tree(floats - 1 - left, integers / 2, depth - 1, turns);
                match choice {
                    3 => float_least(&one, &two),
                    4..=6 => float_product(&one, &two),
                    _ => self.float_sum(&one, &two),
                }
            }
        };
        result.unwrap_or(one)
    }

    fn float_leaf(&mut self, integers: u32, depth: u32, turns: Option<&TurnLeaves>) -> FloatTerm {
        let kind = self.float_kind();
        if self.percent(20) {
            let number = f64::from(self.dice.random_range(-32..=32)) / 4.0;
            let label = Label {
                bound: number.abs(),
                grain: 2,
            };
            let values = match turns {
                Some(_) => Vec::new(),
                None => vec![number; self.ledger.len()],
            };
            let expr = real(kind, number);
            return FloatTerm {
                expr,
                kind,
                values,
                label,
            };
        }
        if let Some(leaf) = self.array_leaf(turns) {
            return leaf;
        }
        let masks = [1, 3, 7, 15, 15, 63, 255];
        let mask = masks[self.dice.random_range(0..masks.len())];
        let integer = match turns {
            Some(turns) => Term {
                expr: turns.counter.clone(),
                numbers: Numbers {
                    kind: IntKind::Int,
                    values: Vec::new(),
                },
            },
            None => self.tree(integers, depth.saturating_sub(1)),
        };
        let by = self.literal(integer.numbers.kind.promoted(), mask);
        let masked = match turns {
            Some(_) => Term {
                expr: Expr::binary(BinaryOp::BitAnd, integer.expr, by.expr),
                ..integer
            },
            None => match self.apply(BinaryOp::BitAnd, &integer, &by) {
                Some(masked) => masked,
                None => by,
            },
        };
        let values = masked.numbers.values.iter();
        let values = values.map(|carrier| {
            let value = Value::from_carrier(masked.numbers.kind, *carrier);
            value.math() as f64
        });
        let values = values.collect();
        FloatTerm {
            expr: masked.expr.cast(Type::Float(kind)),
            kind,
            values,
            label: Label {
                bound: mask as f64,
                grain: 0,
            },
        }
    }

    /// An element of an array: of a constant index, or of the counter's.
    pub(super) fn array_leaf(&mut self, turns: Option<&TurnLeaves>) -> Option<FloatTerm> {
        if !self.may_use_globals() || !self.percent(if turns.is_some() { 80 } else { 30 }) {
            return None;
        }
        let array = self.float_arrays.choose(&mut self.dice)?.clone();
        self.usage.note(&Stmt::Expr(array.named.expr()));
        let (index, values) = match turns {
            Some(turns) => {
                let room = array.len.checked_sub(turns.turns)?;
                let ahead = self.dice.random_range(0..=room.min(3)) as i32;
                let counter = turns.counter.clone();
                let index = if ahead == 0 {
                    counter
                } else {
                    Expr::binary(BinaryOp::Add, counter, Expr::int(ahead))
                };
                (index, Vec::new())
            }
            None => {
                let at = self.dice.random_range(0..array.len) as u32;
                let address = super::ledger::Address::Fixed(array.named.object()?, at);
                let precision = array.kind.precision()?;
                let carriers = self.ledger.read(&address)?.into_iter();
                let numbers = carriers.map(|carrier| precision.number(carrier));
                (Expr::int(at as i32), numbers.collect())
            }
        };
        Some(FloatTerm {
            expr: array.named.expr().index(index),
            kind: array.kind,
            values,
            label: array.label,
        })
    }

    fn float_negated(&mut self, term: FloatTerm) -> FloatTerm {
        FloatTerm {
            expr: Expr::unary(UnaryOp::Minus, term.expr),
            values: term.values.iter().map(|number| -number).collect(),
            ..term
        }
    }

    /// Multiplied or divided by a power of two.
    fn float_scaled(&mut self, term: &FloatTerm) -> Option<FloatTerm> {
        let by = [2.0, 4.0, 8.0][self.dice.random_range(0..3)];
        let divides = self.dice.random();
        let (op, factor) = if divides {
            (BinaryOp::Div, 1.0 / by)
        } else {
            (BinaryOp::Mul, by)
        };
        let label = Label {
            bound: term.label.bound * factor,
            grain: term.label.grain + if divides { by.log2() as i32 } else { 0 },
        };
        label.fits(term.kind).then(|| FloatTerm {
            expr: Expr::binary(op, term.expr.clone(), real(term.kind, by)),
            kind: term.kind,
            values: term.values.iter().map(|number| number * factor).collect(),
            label,
        })
    }

    fn float_cast(&mut self, term: &FloatTerm) -> Option<FloatTerm> {
        let kind = self.float_kind();
        let fits = term.label.fits(kind);
        fits.then(|| FloatTerm {
            expr: term.expr.clone().cast(Type::Float(kind)),
            kind,
            ..term.clone()
        })
    }

    fn float_sum(&mut self, one: &FloatTerm, two: &FloatTerm) -> Option<FloatTerm> {
        let label = Label {
            bound: one.label.bound + two.label.bound,
            grain: one.label.grain.max(two.label.grain),
        };
        let op = if self.dice.random() {
            BinaryOp::Add
        } else {
            BinaryOp::Sub
        };
        combined(op, one, two, label, |left, right| match op {
            BinaryOp::Add => left + right,
            _ => left - right,
        })
    }
}

fn compared(op: BinaryOp, left: f64, right: f64) -> bool {
    match op {
        BinaryOp::Lt => left < right,
        BinaryOp::Le => left <= right,
        BinaryOp::Gt => left > right,
        BinaryOp::Ge => left >= right,
        BinaryOp::Eq => left == right,
        _ => left != right,
    }
}

/// Two terms under an operator, if the result stays exact.
fn combined(
    op: BinaryOp,
    one: &FloatTerm,
    two: &FloatTerm,
    label: Label,
    compute: impl Fn(f64, f64) -> f64,
) -> Option<FloatTerm> {
    let kind = one.kind.max(two.kind);
    if !label.fits(kind) {
        return None;
    }
    let pairs = one.values.iter().zip(&two.values);
    Some(FloatTerm {
        expr: Expr::binary(op, one.expr.clone(), two.expr.clone()),
        kind,
        values: pairs.map(|(left, right)| compute(*left, *right)).collect(),
        label,
    })
}

fn float_product(one: &FloatTerm, two: &FloatTerm) -> Option<FloatTerm> {
    let label = Label {
        bound: one.label.bound * two.label.bound,
        grain: one.label.grain + two.label.grain,
    };
    combined(BinaryOp::Mul, one, two, label, |left, right| left * right)
}

/// The smaller of two terms.
fn float_least(one: &FloatTerm, two: &FloatTerm) -> Option<FloatTerm> {
    let label = Label {
        bound: one.label.bound + two.label.bound,
        grain: one.label.grain.max(two.label.grain),
    };
    let term = combined(BinaryOp::Lt, one, two, label, f64::min)?;
    let (yes, no) = (one.expr.clone(), two.expr.clone());
    Some(FloatTerm {
        expr: Expr::conditional(term.expr, yes, no),
        ..term
    })
}
