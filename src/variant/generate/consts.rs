//! Constants: those at which optimisers change their minds, and those used before.

use super::Author;
use super::expr::Term;
use super::weights::CONSTANTS;
use crate::code::eval::operator::Numbers;
use crate::code::expr::Expr;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// How many constants are remembered.
const RING: usize = 8;

/// Where a new constant comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstantSource {
    /// A small number.
    Small,
    /// The width of a type, or one less.
    Width,
    /// The smallest or largest number of the type, or one near it.
    Extreme,
    /// A power of two, or one less.
    Power,
    /// A block of ones.
    Mask,
    /// A number that a variable holds in some row, or one beside it.
    Seen,
    /// Any number.
    Any,
}

/// The constants that a program has used lately.
#[derive(Debug, Default)]
pub(super) struct ConstantRing {
    numbers: Vec<i128>,
    next: usize,
}

impl ConstantRing {
    fn keep(&mut self, number: i128) {
        if self.numbers.len() < RING {
            self.numbers.push(number);
        } else {
            self.numbers[self.next % RING] = number;
            self.next += 1;
        }
    }
}

impl Author<'_> {
    /// A constant of a type.
    pub(super) fn constant(&mut self, kind: IntKind) -> Term {
        let math = self.number(kind);
        self.literal(kind, math)
    }

    /// The constant of a type that is congruent to a number.
    pub(super) fn literal(&self, kind: IntKind, math: i128) -> Term {
        let value = Value::new(kind, math, self.target());
        Term {
            expr: Expr::Const(value),
            numbers: Numbers {
                kind,
                values: vec![value.carrier(); self.ledger.len()],
            },
        }
    }

    fn number(&mut self, kind: IntKind) -> i128 {
        if !self.percent(50)
            && let Some(old) = self.ring.numbers.choose(&mut self.dice).copied()
        {
            return match self.dice.random_range(0..6) {
                0 | 1 => old,
                2 => -old,
                3 => !old,
                4 => old + self.dice.random_range(-32..=32),
                _ => (old << self.dice.random_range(0..4)) as i64 as i128,
            };
        }
        let fresh = self.fresh_number(kind);
        self.ring.keep(fresh);
        fresh
    }

    fn fresh_number(&mut self, kind: IntKind) -> i128 {
        let target = self.target();
        let bits = kind.bits(target);
        match self.draw(&CONSTANTS) {
            ConstantSource::Small => {
                const SMALL: [i128; 14] = [0, 1, -1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 100, 255];
                SMALL[self.dice.random_range(0..SMALL.len())]
            }
            ConstantSource::Width => {
                i128::from([7, 8, 15, 16, 31, 32, 63, 64][self.dice.random_range(0..8)])
            }
            ConstantSource::Extreme => {
                let near = self.dice.random_range(0..3);
                if self.dice.random() {
                    kind.max(target) - near
                } else {
                    kind.min(target) + near
                }
            }
            ConstantSource::Power => {
                (1 << self.dice.random_range(0..bits)) - self.dice.random_range(0..2)
            }
            ConstantSource::Mask => {
                let (low, high) = (
                    self.dice.random_range(0..bits),
                    self.dice.random_range(0..bits),
                );
                let ones = (1 << (low.abs_diff(high) + 1)) - 1;
                let mask: i128 = ones << low.min(high);
                if self.percent(30) { !mask } else { mask }
            }
            ConstantSource::Seen => {
                let seen = self.seen_number().unwrap_or(0);
                seen + self.dice.random_range(-1..=1)
            }
            ConstantSource::Any => i128::from(self.dice.random::<i64>() >> (64 - bits)),
        }
    }

    /// A number that some variable holds at some active position.
    fn seen_number(&mut self) -> Option<i128> {
        let term = self.scalar_leaf()?;
        let kind = term.numbers.kind;
        let carrier = *term.numbers.values.choose(&mut self.dice)?;
        Some(Value::from_carrier(kind, carrier).math())
    }
}
