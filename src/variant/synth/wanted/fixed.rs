//! Expressions with one value in all visits, over values that may differ.

use super::super::{KnownScalar, Synth, View};
use super::{TRIES, unsigned};
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::synth::knowledge::ValueSummary;
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// The most cases by which one scalar tells what another expression is.
const MOST_CASES: usize = 6;

impl<R: Rng> Synth<'_, R> {
    /// An expression of an unsigned type that has one value in all visits, and the value.
    pub(crate) fn fixed(&mut self, view: &View) -> Option<(Expr, Value)> {
        (0..TRIES).find_map(|_| {
            let expr = self.expression(view);
            let mut reads = false;
            expr.for_each_var(&mut |_| reads = true);
            let has_outside = view.scalars.iter().any(|known| known.is_outside);
            let expr = if reads && !has_outside && self.one_in(5) {
                expr
            } else {
                self.some_mixed(view)?
            };
            self.fixed_from(view, &expr)
        })
    }

    /// The same made of a given expression, as much of it as can be. If its value is not
    /// the same in all visits, then
    /// - what a scalar tells of it is taken off: `e - (i == 0 ? 7 : i == 1 ? 9 : 4)`;
    /// - or something that differs alike is taken off: `e - f`;
    /// - or the bits that differ are masked out: `e & 240`.
    pub(crate) fn fixed_from(&mut self, view: &View, expr: &Expr) -> Option<(Expr, Value)> {
        let summary = view.world.observe(self.types, expr).ok()?;
        let kind = unsigned(summary.kind);
        let bits = self.fixed_bits(kind, &summary);
        let expr = self.as_kind(expr.clone(), kind);
        let made = if bits.all() {
            expr
        } else {
            let told = summary.is_exact.then(|| self.told(view, kind, &summary));
            match told.flatten() {
                Some(other) => Expr::binary(BinaryOp::Sub, expr, other),
                None if bits.mask != 0 => {
                    let mask = Value::new(kind, bits.mask.into(), self.types.target);
                    Expr::binary(BinaryOp::BitAnd, expr, mask.into())
                }
                None => return None,
            }
        };
        let value = self.only_value(view, &made)?;
        Some((made, value))
    }

    /// Which bits are the same in all visits.
    fn fixed_bits(&self, kind: IntKind, summary: &ValueSummary) -> FixedBits {
        let width = kind.bits(self.types.target);
        let all = u64::MAX >> (64 - width);
        let pattern = |math: &i128| *math as u64 & all;
        let patterns = summary.values.iter().map(pattern);
        let differing = if summary.is_exact {
            let ones = patterns.clone().fold(u64::MAX, |ones, bits| ones & bits);
            patterns.fold(0, |some, bits| some | bits) & !ones
        } else {
            // Of bounds, what they begin with is common to all between them, unless
            // these go through zero.
            match summary.values[..] {
                [lo, hi] if (lo < 0) == (hi < 0) => {
                    let differing = (lo ^ hi) as u64 & all;
                    u64::MAX.checked_shr(differing.leading_zeros()).unwrap_or(0)
                }
                _ => u64::MAX,
            }
        };
        FixedBits {
            mask: all & !differing,
            width: all,
        }
    }

    /// An expression of the given type with the values of the summary in every visit,
    /// over other scalars: one that differs alike, or one whose value tells the other's.
    fn told(&mut self, view: &View, kind: IntKind, summary: &ValueSummary) -> Option<Expr> {
        let target = self.types.target;
        let mut scalars: Vec<&KnownScalar> = view.scalars.iter().collect();
        scalars.shuffle(self.rng);
        for known in scalars {
            let Ok(other) = view.world.observe(self.types, &known.read) else {
                continue;
            };
            let Some(cases) = cases(&other.values, &summary.values) else {
                continue;
            };
            // A scalar that tells itself tells nothing new.
            if other.values == summary.values {
                continue;
            }
            let compared = other.kind.promoted();
            let mut cases = cases.into_iter().rev();
            let constant = |kind, math| Expr::from(Value::new(kind, math, target));
            let (_, last) = cases.next()?;
            return Some(cases.fold(constant(kind, last), |rest, (when, then)| {
                let is_it =
                    Expr::binary(BinaryOp::Eq, known.read.clone(), constant(compared, when));
                Expr::conditional(is_it, constant(kind, then), rest)
            }));
        }
        None
    }
}

/// Bits that are the same in all visits.
struct FixedBits {
    mask: u64,
    /// All bits of the type.
    width: u64,
}

impl FixedBits {
    fn all(&self) -> bool {
        self.mask == self.width
    }
}

/// What the second is for each value of the first; `None` if that is not a function, or
/// one of too many cases.
fn cases(first: &[i128], second: &[i128]) -> Option<BTreeMap<i128, i128>> {
    let mut cases = BTreeMap::new();
    for (when, then) in first.iter().zip(second) {
        if *cases.entry(*when).or_insert(*then) != *then || cases.len() > MOST_CASES {
            return None;
        }
    }
    Some(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_stands_for_two_others_tells_neither() {
        assert_eq!(cases(&[1, 2, 1], &[5, 6, 7]), None);
        let told = cases(&[1, 2, 1], &[5, 6, 5]);
        assert_eq!(told, Some(BTreeMap::from([(1, 5), (2, 6)])));
    }
}
