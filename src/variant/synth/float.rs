//! Floating-point numbers of the seed in live code.
//!
//! Numbers are looked at as integers (`(int)f`, `f < 2.5`, `(int)(f * 16)`), so that
//! predicates, wanted values and digests need not know that there are others. What is computed
//! with them is exact: multiples of a power of two whose magnitudes sum up to less than the
//! precision holds. So every order, fused operations and more precision give the same bits,
//! and a program in which nothing else is open keeps its meaning under any flags.
//!
//! A number that is no number, infinite or too small to be normal in any visit is not used
//! at all: some flags flush such numbers to zero.

use super::{KnownScalar, Synth, View, World};
use crate::code::builtin::MemoryOp;
use crate::code::ctype::{Type, Types};
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::real::{Precision, Real};
use crate::code::scalar::FloatKind;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::sync::Arc;

/// A floating-point scalar that live code may use.
#[derive(Clone, Debug)]
pub(crate) struct KnownFloat {
    pub lvalue: Expr,
    pub kind: FloatKind,
    pub is_writable: bool,
    pub(super) is_opaque: bool,
    /// Whether its variable may be pointed to.
    pub(super) is_addressable: bool,
    /// Whether its variable lives as long as the program.
    pub(super) is_static: bool,
    pub(super) is_exposed: bool,
    pub(super) root: (String, Type),
}

/// The same at one point.
#[derive(Clone, Debug)]
pub(super) struct SiteFloat {
    /// In the point's sample.
    pub(super) column: u32,
    pub(super) is_writable: bool,
    pub(super) is_opaque: bool,
    /// Whether the code around uses it.
    pub(super) is_near: bool,
    pub(super) form: Arc<KnownFloat>,
}

impl SiteFloat {
    pub(super) fn known(&self) -> KnownFloat {
        KnownFloat {
            is_writable: self.is_writable,
            is_opaque: self.is_opaque,
            ..(*self.form).clone()
        }
    }
}

/// Whether a number means the same to every compiler, whatever its flags.
pub(super) fn is_usable(precision: Precision, word: u64) -> bool {
    let number = precision.number(word as i64);
    match precision {
        Precision::Single => number == 0.0 || (number as f32).is_normal(),
        Precision::Double => number == 0.0 || number.is_normal(),
    }
}

/// What is known of all values of a number: the sum of the magnitudes of its parts, and the
/// power of two that they are multiples of.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Exactness {
    bound: f64,
    /// A multiple of 2 to minus this.
    grain: i32,
}

/// Finer numbers are only compared and copied.
const FINEST: i32 = 12;

impl Exactness {
    fn of(numbers: &[f64]) -> Option<Exactness> {
        let bound = numbers
            .iter()
            .fold(0.0_f64, |most, one| most.max(one.abs()));
        let is_multiple = |grain: i32| {
            let scale = f64::from(grain).exp2();
            numbers.iter().all(|one| (one * scale).fract() == 0.0)
        };
        let grain = (0..=FINEST).find(|grain| is_multiple(*grain))?;
        Some(Exactness { bound, grain })
    }

    fn plus(self, other: Exactness) -> Exactness {
        Exactness {
            bound: self.bound + other.bound,
            grain: self.grain.max(other.grain),
        }
    }

    fn times(self, other: Exactness) -> Exactness {
        Exactness {
            bound: self.bound * other.bound,
            grain: self.grain + other.grain,
        }
    }

    fn fits(self, kind: FloatKind) -> bool {
        let bits = match kind.precision() {
            Some(Precision::Single) => 24,
            _ => 53,
        };
        self.bound * f64::from(self.grain - bits).exp2() < 1.0
    }
}

/// A constant of a type.
pub(super) fn real(kind: FloatKind, number: f64) -> Expr {
    let carrier = kind.precision().map_or(0, |known| known.carrier(number));
    Real::from_carrier(kind, carrier).into()
}

impl World {
    /// The values of a floating-point expression, visit by visit; `None` where they are not
    /// known.
    pub(super) fn numbers(&self, types: &Types, expr: &Expr) -> Option<(FloatKind, Vec<f64>)> {
        let Type::Float(kind) = types.type_of(expr).ok()? else {
            return None;
        };
        let precision = kind.precision()?;
        let found = self.observe(types, expr).ok()?;
        let bits = found.values.into_iter().map(|bits| bits as u64 as i64);
        let numbers = bits.map(|bits| precision.number(bits));
        found.is_exact.then(|| (kind, numbers.collect()))
    }
}

impl View {
    /// Everything that a block which restores what it changes must leave as it was.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &Expr> {
        let floats = self.floats.iter().map(|float| &float.lvalue);
        self.scalars.iter().map(|known| &known.read).chain(floats)
    }

    /// Looks at the floating-point numbers as integers.
    pub(super) fn look_at_floats(&mut self, types: &Types, rng: &mut impl Rng) {
        for at in 0..self.floats.len() {
            for _ in 0..rng.random_range(1..=2) {
                let look = self.look(types, rng, at);
                self.scalars.extend(look);
            }
        }
    }

    /// One of the numbers as an integer, in a way that is defined in every visit.
    pub(super) fn look(&self, types: &Types, rng: &mut impl Rng, at: usize) -> Option<KnownScalar> {
        let float = &self.floats[at];
        let kind = float.kind;
        let (_, numbers) = self.world.numbers(types, &float.lvalue)?;
        let number = || float.lvalue.clone();
        let (read, as_kind) = match rng.random_range(0..8) {
            0 => (number().cast(IntKind::Int), IntKind::Int),
            1 => (number().cast(IntKind::LongLong), IntKind::LongLong),
            2 | 3 => {
                let scale = f64::from(rng.random_range(1..=8)).exp2();
                let scaled = Expr::binary(BinaryOp::Mul, number(), real(kind, scale));
                (scaled.cast(IntKind::Int), IntKind::Int)
            }
            4 if self.floats.len() > 1 => {
                let other = &self.floats[(at + 1) % self.floats.len()];
                let op = *BinaryOp::COMPARISONS.choose(rng)?;
                let compared = Expr::binary(op, number(), other.lvalue.clone());
                (compared, IntKind::Int)
            }
            _ => {
                let op = *BinaryOp::COMPARISONS.choose(rng)?;
                let near = numbers.choose(rng).copied()?;
                let step = f64::from(rng.random_range(-2..=2)) * 0.5;
                let bound = real(kind, near + step);
                (Expr::binary(op, number(), bound), IntKind::Int)
            }
        };
        let is_defined = self.world.is_defined(types, &read);
        is_defined.then(|| KnownScalar::looked_at(read, as_kind, float.is_opaque))
    }
}

impl<R: Rng> Synth<'_, R> {
    /// Numbers that a block may change: writable ones of which enough is known to compute
    /// with them.
    pub(super) fn float_targets(&mut self, view: &View) -> Vec<KnownFloat> {
        let can_be = |float: &&KnownFloat| {
            float.is_writable && self.exactness(view, &float.lvalue).is_some()
        };
        let targets = view.floats.iter().filter(can_be).take(2);
        targets.cloned().collect()
    }

    fn exactness(&self, view: &View, expr: &Expr) -> Option<Exactness> {
        let (_, numbers) = view.world.numbers(self.types, expr)?;
        // The sign of zero is anybody's once something is added to it.
        let is_signed = |one: &f64| *one == 0.0 && one.is_sign_negative();
        (!numbers.iter().any(is_signed)).then(|| Exactness::of(&numbers))?
    }

    /// A statement that changes one of the numbers, or an integer by their bytes. It must
    /// run once: what is exact follows from the values before it.
    pub(super) fn float_step(&mut self, view: &View, floats: &[KnownFloat], int: &Expr) -> Stmt {
        let made = match self.rng.random_range(0..6) {
            0 => self.bytes_of_float(view, int),
            1 => self.float_loop(view, int),
            _ => self.float_change(view, floats),
        };
        made.unwrap_or(Stmt::Block(vec![]))
    }

    /// `f = f * 3 + g`, and the like.
    fn float_change(&mut self, view: &View, floats: &[KnownFloat]) -> Option<Stmt> {
        let target = floats.choose(self.rng)?;
        let (kind, lvalue) = (target.kind, target.lvalue.clone());
        let own = self.exactness(view, &lvalue)?;
        let (other, others) = self.float_operand(view, kind);
        let (factor, factors) = self.small_real(kind);
        let join = Expr::binary;
        let (change, needed) = match self.rng.random_range(0..6) {
            0 => {
                let op = *[BinaryOp::Add, BinaryOp::Sub].choose(self.rng)?;
                (Expr::compound(op, lvalue, other), own.plus(others))
            }
            1 => {
                let change = Expr::compound(BinaryOp::Mul, lvalue, factor);
                (change, own.times(factors))
            }
            2 => {
                let product = join(BinaryOp::Mul, lvalue.clone(), factor);
                let sum = join(BinaryOp::Add, product, other);
                (Expr::assign(lvalue, sum), own.times(factors).plus(others))
            }
            3 => {
                let product = join(BinaryOp::Mul, other, factor);
                let difference = join(BinaryOp::Sub, product, lvalue.clone());
                let needed = others.times(factors).plus(own);
                (Expr::assign(lvalue, difference), needed)
            }
            4 => {
                let is_less = join(BinaryOp::Lt, lvalue.clone(), factor.clone());
                let sum = join(BinaryOp::Add, lvalue.clone(), other);
                let chosen = Expr::conditional(is_less, sum, factor);
                (Expr::assign(lvalue, chosen), own.plus(others).plus(factors))
            }
            _ => {
                let sum = join(BinaryOp::Sub, lvalue.clone(), other);
                (Expr::assign(lvalue, sum), own.plus(others))
            }
        };
        needed.fits(kind).then_some(Stmt::Expr(change))
    }

    /// Another number, or an integer that is small whatever it is computed from.
    fn float_operand(&mut self, view: &View, kind: FloatKind) -> (Expr, Exactness) {
        let others: Vec<&KnownFloat> = view.floats.iter().filter(|one| one.kind <= kind).collect();
        if let Some(other) = others.choose(self.rng)
            && self.rng.random()
            && let Some(exactness) = self.exactness(view, &other.lvalue)
        {
            return (other.lvalue.clone(), exactness);
        }
        let mask = (1 << self.rng.random_range(1..=4)) - 1;
        let value = self.expression(view);
        let masked = Expr::binary(BinaryOp::BitAnd, value, Expr::int(mask));
        let bound = f64::from(mask);
        (masked.cast(kind), Exactness { bound, grain: 0 })
    }

    fn small_real(&mut self, kind: FloatKind) -> (Expr, Exactness) {
        let number = f64::from(self.rng.random_range(-6..=6)) * 0.5;
        let number = if number == 0.0 { 1.5 } else { number };
        let bound = number.abs();
        (real(kind, number), Exactness { bound, grain: 1 })
    }

    /// The bytes of a number, mixed into an integer.
    fn bytes_of_float(&mut self, view: &View, int: &Expr) -> Option<Stmt> {
        let can_be = |float: &&KnownFloat| {
            let is_known = || self.exactness(view, &float.lvalue).is_some();
            float.is_addressable && is_known()
        };
        let floats: Vec<&KnownFloat> = view.floats.iter().filter(can_be).collect();
        let float = *floats.choose(self.rng)?;
        let precision = float.kind.precision()?;
        let size = u64::from(precision.bytes());
        let ty = Type::Int(IntKind::UChar).array(size);
        let name = self.name("y0");
        let bytes = || Expr::var(&name, ty.clone());
        let copy = Expr::memory(
            MemoryOp::Copy,
            bytes(),
            float.lvalue.clone().address_of(),
            float.kind,
            1,
        );
        // The upper bytes tell the sign, the exponent and the upper digits.
        let at = self.rng.random_range(size / 2..size) as i32;
        let byte = bytes().index(Expr::int(at));
        Some(Stmt::Block(vec![
            Stmt::declare(&name, ty.clone(), None),
            Stmt::Expr(copy),
            Stmt::Expr(Expr::compound(BinaryOp::BitXor, int.clone(), byte)),
        ]))
    }

    /// An array of numbers, filled and summed up, into an integer.
    fn float_loop(&mut self, view: &View, int: &Expr) -> Option<Stmt> {
        let float = view.floats.choose(self.rng)?;
        let kind = float.kind;
        let own = self.exactness(view, &float.lvalue)?;
        let len = self.rng.random_range(3..=16_u64);
        let ty = Type::Float(kind).array(len);
        let (array, counter, sum) = (self.name("z0"), self.name("z1"), self.name("z2"));
        let array_of = || Expr::var(&array, ty.clone());
        let i = || Expr::var(&counter, IntKind::Int);
        let total = || Expr::var(&sum, kind);
        let (factor, factors) = self.small_real(kind);
        let turns = Exactness {
            bound: len as f64,
            grain: 0,
        };
        let needed = own.plus(turns.times(factors)).times(turns);
        if !needed.fits(kind) {
            return None;
        }
        let join = Expr::binary;
        let scaled = join(BinaryOp::Mul, i().cast(kind), factor);
        let filled = join(BinaryOp::Add, float.lvalue.clone(), scaled);
        let each = |body: Expr| {
            Stmt::for_loop(
                Expr::assign(i(), Expr::int(0)),
                join(BinaryOp::Lt, i(), Expr::int(len as i32)),
                Expr::step(crate::code::op::StepOp::PreIncrement, i()),
                Stmt::Block(vec![Stmt::Expr(body)]),
            )
        };
        let folded = total().cast(IntKind::LongLong);
        Some(Stmt::Block(vec![
            Stmt::declare(&array, ty.clone(), None),
            Stmt::declare(&counter, IntKind::Int, None),
            Stmt::declare(&sum, kind, Some(real(kind, 0.0))),
            each(Expr::assign(array_of().index(i()), filled)),
            each(Expr::compound(
                BinaryOp::Add,
                total(),
                array_of().index(i()),
            )),
            Stmt::Expr(Expr::compound(BinaryOp::BitXor, int.clone(), folded)),
        ]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_flags_may_flush_or_that_are_none_are_not_used() {
        let double = |number: f64| is_usable(Precision::Double, number.to_bits());
        assert!(double(0.1) && double(0.0) && double(-0.0) && double(f64::MAX));
        assert!(!double(f64::NAN) && !double(f64::INFINITY) && !double(f64::from_bits(1)));
        let single = |number: f32| is_usable(Precision::Single, number.to_bits().into());
        assert!(single(1e-37) && !single(1e-39) && !single(f32::NAN));
    }

    #[test]
    fn what_is_exact_holds_for_every_order_of_operations() {
        let of = |numbers: &[f64]| Exactness::of(numbers);
        assert_eq!(of(&[0.1]), None);
        let (bound, grain) = (3.0, 2);
        let quarters = Exactness { bound, grain };
        assert_eq!(of(&[0.25, -3.0]), Some(quarters));
        let product = quarters.times(quarters);
        assert_eq!((product.bound, product.grain), (9.0, 4));
        let large = Exactness {
            bound: 4_000_000.0,
            grain: 2,
        };
        assert!(large.fits(FloatKind::Float) && large.times(quarters).fits(FloatKind::Double));
        assert!(!large.plus(large).fits(FloatKind::Float));
    }
}
