//! What a program does with floating-point numbers, and which flags leave the outcome open.

use super::names::FLOAT_ENVIRONMENT;
use super::pragmas;
use crate::code::op::BinaryOp;
use crate::code::scalar::FloatKind;
use crate::source::program::{ExprId, ExprKind, Lines, Program, SeedType, TypeId};

/// What a program does with floating-point numbers; lines count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FloatUse {
    /// Where it computes with them at all.
    pub(crate) computes: Option<usize>,
    /// Where it adds, if it also multiplies: `a * b + c` can be fused.
    pub(crate) fuses: Option<usize>,
    /// Where it inspects the bits or the sign of what may be a NaN.
    pub(crate) bits_of_nan: Option<usize>,
    /// Where it divides by a complex number. gcc rounds the quotient once if it knows both
    /// numbers, and libgcc rounds every step.
    pub(crate) complex_quotient: Option<usize>,
    /// Where it computes with `_Float16`. Without instructions for that, gcc rounds every result,
    /// and clang only what an expression has come to.
    pub(crate) halves: Option<usize>,
    /// Whether it has such numbers at all.
    pub(crate) has_any: bool,
}

/// What flags let a compiler do with floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatFreedom {
    /// As IEEE 754 says, operation by operation.
    None,
    /// `a * b + c` may be rounded once.
    Contraction,
    /// Anything: `-ffast-math`, or the excess precision of the x87.
    Any,
}

/// Calls that inspect the sign of a number; a NaN has one too.
const SIGNS: &[&str] = &["signbit", "copysign"];

/// Calls that may return a NaN, besides those that take one.
const NANS: &[&str] = &[
    "nan",
    "nans",
    "sqrt",
    "fmod",
    "remainder",
    "log",
    "acos",
    "asin",
    "pow",
];

impl FloatUse {
    pub(super) fn of(program: &Program) -> FloatUse {
        let lines = Lines::new(&program.source);
        let line = |id: ExprId| lines.locate(program.expr(id).span.start).0;
        let mut used = FloatUse::default();
        let (mut multiplies, mut adds, mut makes_nan, mut looks) = (false, None, false, None);
        for id in program.expr_ids() {
            let expr = program.expr(id);
            used.has_any |= expr.is_evaluated && is_floating(program, expr.ty.id);
            if !expr.is_evaluated || expr.is_constant {
                continue;
            }
            if is_complex_quotient(program, id) {
                used.complex_quotient = used.complex_quotient.or(Some(line(id)));
            }
            let is_half = *program.types.get(expr.ty.id) == SeedType::Float(FloatKind::Half);
            if is_half && matches!(expr.kind, ExprKind::Binary(_) | ExprKind::CompoundAssign(_)) {
                used.halves = used.halves.or(Some(line(id)));
            }
            match expr.kind {
                ExprKind::Binary(op) | ExprKind::CompoundAssign(Some(op))
                    if is_floating(program, expr.ty.id) =>
                {
                    used.computes = used.computes.or(Some(line(id)));
                    multiplies |= op == BinaryOp::Mul;
                    makes_nan |= op == BinaryOp::Div;
                    if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
                        adds = adds.or(Some(line(id)));
                    }
                }
                ExprKind::HiddenBinary | ExprKind::CompoundAssign(None)
                    if is_floating(program, expr.ty.id) =>
                {
                    used.computes = used.computes.or(Some(line(id)));
                    (multiplies, makes_nan) = (true, true);
                    adds = adds.or(Some(line(id)));
                }
                ExprKind::Call(Some(function)) => {
                    let name = program.function(function).name.as_str();
                    let name = name.strip_prefix("__builtin_").unwrap_or(name);
                    let bare = name.trim_start_matches('_').trim_end_matches(['f', 'l']);
                    makes_nan |= NANS.contains(&bare);
                    if SIGNS.contains(&bare) {
                        looks = looks.or(Some(line(id)));
                    }
                }
                _ if shows_bits(program, id) => looks = looks.or(Some(line(id))),
                _ => {}
            }
        }
        used.fuses = adds.filter(|_| multiplies);
        used.bits_of_nan = looks.filter(|_| makes_nan);
        used
    }
}

/// Whether every compiler gives the numbers of a program the same bits at every place: its
/// flags and pragmas leave nothing open, and it does not look at the rounding mode.
pub(crate) fn are_settled(program: &Program) -> bool {
    let flags = program.flags.iter().filter_map(|flag| flag.to_str());
    let is_exact = match FloatFreedom::of_flags(flags, true) {
        FloatFreedom::None => true,
        FloatFreedom::Contraction => FloatUse::of(program).fuses.is_none(),
        FloatFreedom::Any => false,
    };
    let looks = |name: &str| FLOAT_ENVIRONMENT.contains(&name);
    is_exact
        && pragmas::Freedoms::of(&program.source).rounding.is_none()
        && !program.functions.iter().any(|one| looks(&one.name))
}

impl FloatFreedom {
    /// What gcc, clang or a compiler with the same options may do; later flags override earlier
    /// ones.
    pub(crate) fn of_flags<'f>(
        flags: impl IntoIterator<Item = &'f str>,
        is_gcc: bool,
    ) -> FloatFreedom {
        let (mut contracts, mut is_fast, mut is_32_bit, mut unit) = (false, false, false, None);
        for flag in flags {
            match flag {
                "-ffp-contract=off" => contracts = false,
                "-Ofast"
                | "-ffast-math"
                | "-funsafe-math-optimizations"
                | "-fassociative-math"
                | "-freciprocal-math"
                | "-fcx-limited-range"
                | "-ffp-model=fast"
                | "-ffp-model=aggressive" => is_fast = true,
                "-fno-fast-math" | "-fno-unsafe-math-optimizations" => is_fast = false,
                "-m32" => is_32_bit = true,
                "-m64" => is_32_bit = false,
                "-msse2" => unit = unit.or(Some("")),
                _ if flag.starts_with("-ffp-contract=") => contracts = true,
                _ => unit = flag.strip_prefix("-mfpmath=").or(unit),
            }
        }
        // gcc computes in the x87 by default where there may be no other unit, clang
        // takes SSE for granted.
        let is_x87 = match unit {
            Some(unit) if unit.contains("sse") => unit != "sse",
            Some(unit) if unit.contains("387") || unit == "both" => true,
            _ => is_32_bit && is_gcc,
        };
        if is_fast || is_x87 {
            FloatFreedom::Any
        } else if contracts {
            FloatFreedom::Contraction
        } else {
            FloatFreedom::None
        }
    }
}

/// Whether a value is, or consists of, floating-point numbers.
pub(super) fn is_floating(program: &Program, id: TypeId) -> bool {
    match program.types.get(id) {
        SeedType::Float(_) | SeedType::Complex => true,
        SeedType::Vector { element, .. } => is_floating(program, element.id),
        _ => false,
    }
}

fn is_complex_quotient(program: &Program, id: ExprId) -> bool {
    let is_complex = |of: ExprId| {
        let ty = program.expr(of).converted;
        *program.types.get(ty) == SeedType::Complex
    };
    let divides = matches!(
        program.expr(id).kind,
        ExprKind::Binary(BinaryOp::Div) | ExprKind::CompoundAssign(Some(BinaryOp::Div))
    );
    divides && program.operands(id).nth(1).is_some_and(is_complex)
}

/// Whether an expression reaches the bytes of a number: an integer member of a union that
/// has a floating one, or a pointer to a number as a pointer to something else.
fn shows_bits(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    let pointee = |ty: TypeId| match program.types.get(ty) {
        SeedType::Pointer { to } => Some(to.id),
        _ => None,
    };
    match expr.kind {
        ExprKind::Member { record, .. } => {
            let record = program.types.record(record);
            let mut fields = record.fields.iter().flatten();
            record.is_union
                && !is_floating(program, expr.ty.id)
                && fields.any(|field| is_floating(program, field.ty.id))
        }
        // Also the silent conversion to `void *` of what `memcpy` is given.
        _ => {
            let (from, to) = match expr.kind {
                ExprKind::Cast => {
                    let operand = program.operands(id).last();
                    (operand.map(|of| program.expr(of).converted), expr.ty.id)
                }
                _ => (Some(expr.ty.id), expr.converted),
            };
            let from = from.and_then(pointee);
            let to = pointee(to);
            from.is_some_and(|from| is_floating(program, from))
                && to.is_some_and(|to| !is_floating(program, to))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_flag_says_what_may_be_done_with_numbers() {
        let freedom = |flags: &str, is_gcc| FloatFreedom::of_flags(flags.split(' '), is_gcc);
        assert_eq!(freedom("-O2 -march=native", true), FloatFreedom::None);
        let fused = "-ffp-contract=off -ffp-contract=fast";
        assert_eq!(freedom(fused, true), FloatFreedom::Contraction);
        let unfused = "-ffp-contract=fast -ffp-contract=off";
        assert_eq!(freedom(unfused, true), FloatFreedom::None);
        assert_eq!(freedom("-Ofast", false), FloatFreedom::Any);
        assert_eq!(freedom("-m32", true), FloatFreedom::Any);
        assert_eq!(freedom("-m32", false), FloatFreedom::None);
        assert_eq!(
            freedom("-m32 -msse2 -mfpmath=sse", true),
            FloatFreedom::None
        );
        assert_eq!(freedom("-mfpmath=387", true), FloatFreedom::Any);
        assert_eq!(freedom("-mfpmath=sse+387", true), FloatFreedom::Any);
    }
}
