//! Wanted values: expressions that have a given value in every visit, although no
//! optimiser can see it.
//!
//! The entry points, from the general to the particular:
//! - [`Synth::equal`]: another expression with the type and value of a given one;
//! - [`Synth::equal_float`]: the same for a floating-point number;
//! - [`Synth::worth`]: an expression that is a given constant;
//! - [`Synth::hidden`]: a local whose value no optimiser knows;
//! - [`Synth::fixed`]: an expression with one value in all visits, and that value.
//!
//! What they make reads scalars of the view only, has no effects, is defined in every
//! visit, and depends on what it reads: whoever computes a part of it wrongly gets
//! another value. What cannot be had is `None`, never a weaker promise. Conditions that
//! hold in every visit are made in `predicate`.
//!
//! Everything is computed in unsigned types, where no operation of these is undefined,
//! and converted at the end.

mod entangle;
mod fixed;
mod hidden;
mod mix;
mod real;

use super::{Synth, View};
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;

/// How often another expression is tried.
const TRIES: u32 = 4;

impl<R: Rng> Synth<'_, R> {
    /// Another expression of the same type, with the same value in every visit.
    ///
    /// `original` is any expression of integer type without effects that can be evaluated
    /// over the view:
    /// ```text
    /// g_3       →  (short)((unsigned)g_3 + ((unsigned)g_7 * 5U ^ 35U))
    /// 12        →  (int)(((unsigned)l_2 ^ (unsigned)g_9) - 71U)
    /// i < n     →  (int)((unsigned)(i < n) << (p_1 - 4UL))
    /// ```
    /// The type is that of `original` before any promotion, so the result can stand
    /// wherever the value of `original` stood. A bit-field counts by its declared type,
    /// but promotes by its width: ask for the value of `+s.f` where it is promoted.
    pub(crate) fn equal(&mut self, view: &View, original: &Expr) -> Option<Expr> {
        let ty = self.types.type_of(original).ok()?;
        let only = self.only_value(view, original);
        for _ in 0..TRIES {
            let made = match only {
                Some(value) if self.rng.random() => self.mended(view, value),
                _ => self.entangled(view, original),
            };
            let Some(made) = made else { continue };
            let made = self.as_kind(made, ty.int_kind()?);
            if self.is_equal(view, original, &made) {
                return Some(made);
            }
        }
        None
    }

    /// An expression that is this constant in every visit, of the constant's type.
    pub(crate) fn worth(&mut self, view: &View, value: Value) -> Option<Expr> {
        self.equal(view, &value.into())
    }

    /// Something with one value, mended to have another: `e - c + t` or `e ^ (c ^ t)`.
    fn mended(&mut self, view: &View, wanted: Value) -> Option<Expr> {
        let target = self.types.target;
        let (expr, value) = self.fixed(view)?;
        let own = value.kind();
        let wide = unsigned(wanted.kind());
        let kind = if wide.bits(target) > own.bits(target) {
            wide
        } else {
            own
        };
        let expr = self.as_kind(expr, kind);
        let bits = Value::new(kind, wanted.math(), target).math();
        let constant = |math| Expr::from(Value::new(kind, math, target));
        Some(match self.rng.random_range(0..3) {
            0 => Expr::binary(BinaryOp::BitXor, expr, constant(value.math() ^ bits)),
            1 => Expr::binary(BinaryOp::Add, expr, constant(bits - value.math())),
            _ => Expr::binary(BinaryOp::Sub, constant(value.math() + bits), expr),
        })
    }

    /// The expression in a type, with a cast where it has another.
    pub(crate) fn as_kind(&self, expr: Expr, kind: IntKind) -> Expr {
        match &expr {
            Expr::Const(value) => Value::new(kind, value.math(), self.types.target).into(),
            // A bit-field has its declared type, but promotes by its width.
            Expr::Field { .. } => expr.cast(kind),
            _ => match self.types.type_of(&expr) {
                Ok(found) if found == kind.into() => expr,
                _ => expr.cast(kind),
            },
        }
    }

    /// The value that an expression has in every visit, if it is always the same.
    pub(crate) fn only_value(&self, view: &View, expr: &Expr) -> Option<Value> {
        let spread = view.world.spread(self.types, expr).ok()?;
        let is_one = spread.is_exact && spread.min() == spread.max();
        is_one.then(|| Value::new(spread.kind, spread.min(), self.types.target))
    }

    /// Whether what was made can be shown to be what was wanted. Ranges show only that
    /// it is defined; there, equality rests on what was shown to have one value.
    fn is_equal(&self, view: &View, original: &Expr, made: &Expr) -> bool {
        view.world.may_be_equal(self.types, original, made)
    }
}

/// The unsigned type that values of a type are computed in.
fn unsigned(kind: IntKind) -> IntKind {
    kind.promoted().to_unsigned()
}

#[cfg(test)]
mod tests {
    use super::super::{KnownScalar, World};
    use super::*;
    use crate::code::ctype::{Type, Types};
    use crate::code::range::{Range, Ranges};
    use crate::code::table::{State, Table};
    use crate::code::types::Target;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

    /// A view with a variable of each type, some with one value in all visits.
    fn view(rng: &mut ChaCha8Rng, rows: usize) -> View {
        let target = Target::LP64;
        let mut table = Table::new(rows as u32);
        let mut scalars = Vec::new();
        for (name, kind) in NAMES.into_iter().zip(IntKind::ALL) {
            let is_fixed = rng.random_ratio(1, 3);
            let first = rng.random::<i64>() >> rng.random_range(0..64);
            let values = (0..rows).map(|_| {
                let other = rng.random::<i64>() >> rng.random_range(0..64);
                if is_fixed { first } else { other }
            });
            let carrier = |math: i64| Value::new(kind, math.into(), target).carrier();
            table.add_values(name, kind, values.map(carrier).collect());
            scalars.push(KnownScalar::local(name, kind));
        }
        let world = World::from(table);
        View {
            world,
            scalars,
            floats: vec![],
        }
    }

    #[test]
    fn what_is_made_has_the_type_and_the_value_that_were_wanted() {
        let types = Types::new(Target::LP64);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut made = 0;
        for round in 0..600 {
            let view = view(&mut rng, 1 + round % 5);
            let mut synth = Synth::plain(&types, &mut rng);
            let original = synth.expression(&view);
            let Some(found) = synth.equal(&view, &original) else {
                continue;
            };
            made += 1;
            let ty = |expr| types.type_of(expr).unwrap();
            assert_eq!(ty(&found), ty(&original), "{found} for {original}");
            let values = |expr| view.world.observe(&types, expr).unwrap().values;
            assert_eq!(values(&found), values(&original), "{found} for {original}");
            let (fixed, value) = synth.fixed(&view).expect("some bits never change");
            let spread = view.world.spread(&types, &fixed).unwrap();
            assert_eq!(spread.values, [value.math()], "{fixed}");
        }
        assert!(made > 500, "{made}");
    }

    #[test]
    fn over_ranges_what_is_made_has_one_value_for_all_of_theirs() {
        let types = Types::new(Target::LP64);
        let mut ranges = Ranges::new();
        let mut scalars = Vec::new();
        for (name, lo, hi) in [("x", 16, 23), ("y", -5, 9), ("z", 7, 7), ("w", -64, -33)] {
            let id = ranges.add(&types, name, Type::INT, State::Unknown);
            ranges.set(id.unwrap(), 0, Range::between(lo, hi));
            scalars.push(KnownScalar::local(name, IntKind::Int));
        }
        let world = World::from(ranges);
        let view = View {
            world,
            scalars,
            floats: vec![],
        };
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut made = 0;
        for _ in 0..300 {
            let mut synth = Synth::plain(&types, &mut rng);
            let Some((fixed, value)) = synth.fixed(&view) else {
                continue;
            };
            made += 1;
            let scalar = Expr::var("x", IntKind::Int);
            let equal = synth.equal(&view, &scalar).unwrap_or(scalar.clone());
            // Every single state within the ranges.
            for (x, y) in (16..=23).flat_map(|x| (-5..=9).map(move |y| (x, y))) {
                let mut table = Table::new(32);
                table.add_values("x", IntKind::Int, vec![x; 32]);
                table.add_values("y", IntKind::Int, vec![y; 32]);
                table.add_values("z", IntKind::Int, vec![7; 32]);
                table.add_values("w", IntKind::Int, (-64..-32).collect());
                let world = World::from(table);
                let values = |expr| world.spread(&types, expr).unwrap().values;
                assert_eq!(values(&fixed), [value.math()], "{fixed}");
                assert_eq!(values(&equal), values(&scalar), "{equal}");
            }
        }
        assert!(made > 200, "{made}");
    }
}
