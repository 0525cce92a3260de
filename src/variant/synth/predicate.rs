//! Conditions that hold in every visit of a point, or in none.

use super::{Spread, Synth, View};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Comparisons tried before the certain one is taken.
const TRIES: u32 = 12;

impl<R: Rng> Synth<'_, R> {
    /// A condition with the wanted truth in every visit.
    pub(crate) fn predicate(&mut self, view: &View, wanted: bool) -> Expr {
        let depth = self.rng.random_range(0..=self.sizes.predicate_depth);
        self.condition(view, wanted, depth)
    }

    fn condition(&mut self, view: &View, wanted: bool, depth: u32) -> Expr {
        if depth == 0 {
            return self.comparison(view, wanted);
        }
        let depth = depth - 1;
        let op = match self.rng.random_range(0..3) {
            0 => {
                let inner = self.condition(view, !wanted, depth);
                return Expr::unary(UnaryOp::Not, inner);
            }
            1 => LogicalOp::And,
            _ => LogicalOp::Or,
        };
        // `&&` is true if both sides are, `||` false if both are; otherwise one
        // side decides and the other may be anything that is defined.
        let needs_both = wanted == (op == LogicalOp::And);
        let deciding = self.condition(view, wanted, depth);
        let other = if needs_both {
            self.condition(view, wanted, depth)
        } else {
            // If an optimiser knew that it decides, too, nothing would be left.
            match self.rng.random_range(0..8) {
                0 => self.condition(view, wanted, depth),
                1 | 2 => self.open_comparison(view),
                _ => self.condition(view, !wanted, depth),
            }
        };
        if self.rng.random() {
            Expr::logical(op, deciding, other)
        } else {
            Expr::logical(op, other, deciding)
        }
    }

    /// A comparison that may hold in some visits and not in others.
    pub(super) fn open_comparison(&mut self, view: &View) -> Expr {
        let op = *BinaryOp::COMPARISONS
            .choose(self.rng)
            .expect("there are six");
        let left = self.expression(view);
        let right = self.near(view, &left);
        Expr::binary(op, left, right)
    }

    /// A comparison with the wanted truth in every visit.
    fn comparison(&mut self, view: &View, wanted: bool) -> Expr {
        if !self.one_in(6)
            && let Some(tight) = self.tight(view, wanted)
        {
            return tight;
        }
        for _ in 0..TRIES {
            let op = *BinaryOp::COMPARISONS
                .choose(self.rng)
                .expect("there are six");
            let (left, right) = match self.rng.random_range(0..4) {
                0 => (self.scalar(view), self.leaf(view)),
                1 => {
                    let left = self.expression(view);
                    let right = self.near(view, &left);
                    (left, right)
                }
                _ => {
                    let left = self.scalar(view);
                    let right = self.near(view, &left);
                    (left, right)
                }
            };
            let candidate = Expr::binary(op, left.clone(), right.clone());
            match view.world.truth(self.types, &candidate) {
                Some(truth) if truth == wanted => return candidate,
                Some(_) => {
                    let op = opposite(op).expect("a comparison has an opposite");
                    return Expr::binary(op, left, right);
                }
                None => {}
            }
        }
        self.certain(view, wanted)
    }

    /// A comparison of what has one value in all visits with that value: any mistake in
    /// computing it decides otherwise.
    pub(super) fn tight(&mut self, view: &View, wanted: bool) -> Option<Expr> {
        let (expr, value) = self.fixed(view)?;
        // No comparison that holds of all numbers.
        let limit = value.kind().max(self.types.target);
        let choices = if (1..limit).contains(&value.math()) {
            0..12
        } else {
            2..12
        };
        let op = match (wanted, self.rng.random_range(choices)) {
            (true, 0) => BinaryOp::Le,
            (true, 1) => BinaryOp::Ge,
            (true, _) => BinaryOp::Eq,
            (false, 0) => BinaryOp::Lt,
            (false, 1) => BinaryOp::Gt,
            (false, _) => BinaryOp::Ne,
        };
        let candidate = Expr::binary(op, expr, value.into());
        (view.world.truth(self.types, &candidate) == Some(wanted)).then_some(candidate)
    }

    /// Bounds hold always: `x <= max` in the type that `x` is promoted to.
    fn certain(&mut self, view: &View, wanted: bool) -> Expr {
        let left = self.scalar(view);
        let Ok(spread) = view.world.spread(self.types, &left) else {
            return Expr::int(wanted.into());
        };
        let op = if wanted { BinaryOp::Le } else { BinaryOp::Gt };
        let bound = Value::new(spread.kind.promoted(), spread.max(), self.types.target);
        let candidate = Expr::binary(op, left, bound.into());
        match view.world.truth(self.types, &candidate) {
            Some(truth) if truth == wanted => candidate,
            _ => Expr::int(wanted.into()),
        }
    }

    /// A constant near the values of an expression.
    fn near(&mut self, view: &View, expr: &Expr) -> Expr {
        let Ok(spread) = view.world.spread(self.types, expr) else {
            return self.constant();
        };
        let math = self.near_math(&spread);
        let target = self.types.target;
        let mut kind = spread.kind.promoted();
        // Plain constants read better and mix the types of operands.
        let is_int = (IntKind::Int.min(target)..=IntKind::Int.max(target)).contains(&math);
        if is_int && self.one_in(3) {
            kind = IntKind::Int;
        }
        Value::new(kind, math, target).into()
    }

    fn near_math(&mut self, spread: &Spread) -> i128 {
        let step = i128::from(self.rng.random_range(1..=3));
        let far = 1 << self.rng.random_range(2..12);
        match self.rng.random_range(0..7) {
            0 => spread.min() - step,
            1 => spread.max() + step,
            2 => spread.min(),
            3 => spread.max(),
            4 => spread.max() + far,
            5 => spread.min() - far,
            _ => spread.values.choose(self.rng).map_or(0, |math| math + 1),
        }
    }
}

/// The comparison that holds exactly where `op` does not.
pub(super) fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::World;
    use super::*;
    use crate::code::ctype::{Type, Types};
    use crate::code::range::{Range, Ranges};
    use crate::code::table::{State, Table};
    use crate::code::types::Target;
    use crate::variant::synth::KnownScalar;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn check(view: &View, types: &Types) {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut kept = 0;
        for round in 0..500 {
            let wanted = round % 2 == 0;
            let predicate = Synth::plain(types, &mut rng).predicate(view, wanted);
            assert_eq!(
                view.world.truth(types, &predicate),
                Some(wanted),
                "{predicate}"
            );
            kept += usize::from(!matches!(predicate, Expr::Const(_)));
        }
        assert_eq!(kept, 500, "a bare constant is no predicate");
    }

    #[test]
    fn predicates_over_rows_have_the_wanted_truth() {
        let types = Types::new(Target::LP64);
        let mut table = Table::new(3);
        table.add_values("x", IntKind::Int, vec![i64::from(i32::MIN), -1, 7]);
        table.add_values("y", IntKind::UChar, vec![0, 255, 3]);
        table.add_values("z", IntKind::ULong, vec![-1, 0, 1]);
        let scalars = vec![
            KnownScalar::local("x", IntKind::Int),
            KnownScalar::local("y", IntKind::UChar),
            KnownScalar::local("z", IntKind::ULong),
        ];
        check(
            &View {
                world: World::from(table),
                scalars,
                floats: vec![],
            },
            &types,
        );
    }

    #[test]
    fn predicates_over_ranges_have_the_wanted_truth() {
        let types = Types::new(Target::LP64);
        let mut ranges = Ranges::new();
        let x = ranges.add(&types, "x", Type::INT, State::Unknown).unwrap();
        ranges.set(x, 0, Range::between(-100, 70_000));
        check(
            &View {
                world: World::from(ranges),
                scalars: vec![KnownScalar::local("x", IntKind::Int)],
                floats: vec![],
            },
            &types,
        );
    }

    #[test]
    fn without_variables_predicates_compare_constants() {
        let types = Types::new(Target::LP64);
        check(
            &View {
                world: World::from(Table::new(1)),
                scalars: vec![],
                floats: vec![],
            },
            &types,
        );
    }
}
