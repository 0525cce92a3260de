//! Floating-point expressions with the bits of another in every visit.

use super::super::float::{is_usable, real};
use super::super::{Synth, View};
use super::TRIES;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

impl<R: Rng> Synth<'_, R> {
    /// Another expression of the same type with the same bits in every visit. Of an
    /// expression that cannot be evaluated over the view, the value is passed on as it is.
    pub(crate) fn equal_float(
        &mut self,
        view: &View,
        original: &Expr,
        kind: FloatKind,
    ) -> Option<Expr> {
        let known = view.world.numbers(self.types, original);
        let known = known.map(|(_, numbers)| numbers);
        for _ in 0..TRIES {
            let (fixed, value) = self.fixed(view)?;
            let forms = if known.is_some() { 8 } else { 3 };
            let made = match (self.rng.random_range(0..forms), &known) {
                (form @ 3.., Some(numbers)) => {
                    self.computed_float(view, (original, kind, numbers), (fixed, value), form)
                }
                _ => Some(self.chosen_float(view, (original, kind), (fixed, value))),
            };
            let Some(made) = made else { continue };
            if known.is_none() || view.world.is_same(self.types, original, &made) {
                return Some(made);
            }
        }
        None
    }

    /// The value, chosen by a condition that has one outcome in all visits.
    fn chosen_float(
        &mut self,
        view: &View,
        (original, kind): (&Expr, FloatKind),
        (fixed, value): (Expr, Value),
    ) -> Expr {
        let others: Vec<&Expr> = view.floats.iter().map(|float| &float.lvalue).collect();
        let other = match others.choose(self.rng) {
            Some(other) if self.rng.random() => (*other).clone(),
            _ => real(kind, f64::from(self.rng.random_range(-9..=9)) * 0.5),
        };
        let original = original.clone();
        if self.rng.random() {
            let holds = Expr::binary(BinaryOp::Eq, fixed, value.into());
            Expr::conditional(holds, original, other)
        } else {
            let fails = Expr::binary(BinaryOp::Ne, fixed, value.into());
            Expr::conditional(fails, other, original)
        }
    }

    /// The value with 0 added, multiplied by 1, or made of an integer, none of which can be
    /// seen. All of that is exact, as long as the value is neither a negative zero nor one
    /// that flags may flush to zero.
    fn computed_float(
        &mut self,
        view: &View,
        (original, kind, numbers): (&Expr, FloatKind, &[f64]),
        (fixed, value): (Expr, Value),
        form: u32,
    ) -> Option<Expr> {
        let precision = kind.precision()?;
        let is_plain = |number: &f64| {
            let is_signed = *number == 0.0 && number.is_sign_negative();
            !is_signed && is_usable(precision, precision.carrier(*number) as u64)
        };
        if !numbers.iter().all(is_plain) {
            return None;
        }
        let own = value.kind();
        let constant = |math| Expr::from(Value::new(own, math, self.types.target));
        let join = Expr::binary;
        Some(match form {
            3 | 4 => {
                let zero = join(BinaryOp::Sub, fixed, constant(value.math()));
                let op = *[BinaryOp::Add, BinaryOp::Sub].choose(self.rng)?;
                join(op, original.clone(), zero.cast(kind))
            }
            5 => {
                let one = join(BinaryOp::Sub, fixed, constant(value.math() - 1));
                join(BinaryOp::Mul, original.clone(), one.cast(kind))
            }
            _ => {
                let first = *numbers.first()?;
                let grain = (0..8).find(|grain| (first * f64::from(1 << grain)).fract() == 0.0)?;
                let scaled = first * f64::from(1 << grain);
                let is_one = numbers.iter().all(|number| *number == first);
                if !is_one || scaled.abs() > f64::from(1 << 20) {
                    return None;
                }
                let whole = Value::new(IntKind::Int, scaled as i128, self.types.target);
                let whole = self.worth(view, whole)?.cast(kind);
                let part = real(kind, f64::from(-grain).exp2());
                join(BinaryOp::Mul, whole, part)
            }
        })
    }
}
