//! Operations on an open value whose results are not open.

use super::flow::{OpenExpr, Taming};
use super::punning::pointee;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::source::program::{Effects, ExprId, ExprKind, Program, SeedField, SeedType, TypeId};

/// No operation: whatever is done with the value can matter.
pub(super) struct Untamed;

impl Taming for Untamed {}

/// The sign of a comparison's result is no more open than what it compares.
pub(super) struct ComparisonTaming;

impl Taming for ComparisonTaming {
    fn truth_is_open(&self) -> bool {
        false
    }

    fn tames(&self, program: &Program, user: ExprId, value: OpenExpr) -> bool {
        let mut others = program.operands(user).filter(|other| *other != value.id);
        !value.is_derived
            && is_comparison(program, user)
            && others.any(|other| is_zero(program, other))
    }
}

/// Which of two numbers is greater rarely depends on the last digit, and a program where it
/// does is unsuitable for comparing compilers.
pub(super) struct LibmTaming;

impl Taming for LibmTaming {
    fn tames(&self, program: &Program, user: ExprId, _: OpenExpr) -> bool {
        let ordered = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
        matches!(program.expr(user).kind, ExprKind::Binary(op) if ordered.contains(&op))
    }
}

/// An integer that was a pointer may become one again; two of them may be subtracted or
/// compared; and whether it is null is not open.
pub(super) struct AddressTaming;

impl Taming for AddressTaming {
    fn truth_is_open(&self) -> bool {
        false
    }

    fn tames(&self, program: &Program, user: ExprId, value: OpenExpr) -> bool {
        let expr = program.expr(user);
        let mut others = program.operands(user).filter(|other| *other != value.id);
        match expr.kind {
            ExprKind::Cast => matches!(program.types.get(expr.ty.id), SeedType::Pointer { .. }),
            ExprKind::Binary(BinaryOp::Sub | BinaryOp::Eq | BinaryOp::Ne) => {
                let is_known =
                    |other| is_address_as_integer(program, other) || is_zero(program, other);
                !value.is_derived && others.all(is_known)
            }
            _ => false,
        }
    }
}

fn is_zero(program: &Program, id: ExprId) -> bool {
    program.expr(id).kind == ExprKind::Integer(0)
}

fn is_comparison(program: &Program, id: ExprId) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(
        program.expr(id).kind,
        ExprKind::Binary(Lt | Le | Gt | Ge | Eq | Ne)
    )
}

/// A pointer that becomes an integer: by a cast, silently, or as the member of a union that
/// also has a pointer.
pub(super) fn is_address_as_integer(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    let is_integer = |ty: TypeId| {
        program
            .types
            .integer(ty)
            .is_some_and(|k| k != IntKind::Bool)
    };
    match expr.kind {
        ExprKind::Cast => {
            let operand = program.operands(id).last();
            is_integer(expr.ty.id) && operand.is_some_and(|of| is_address(program, of))
        }
        ExprKind::Member { record, .. } => {
            let record = program.types.record(record);
            let is_pointer = |field: &SeedField| {
                matches!(program.types.get(field.ty.id), SeedType::Pointer { .. })
            };
            record.is_union
                && expr.own_effects.intersects(Effects::READS)
                && is_integer(expr.ty.id)
                && record.fields.iter().flatten().any(is_pointer)
                || is_address(program, id) && is_integer(expr.converted)
        }
        _ => is_address(program, id) && is_integer(expr.converted),
    }
}

/// Whether a call copies the bytes of a pointer to an integer: `memcpy(&number, &pointer, 8)`.
pub(super) fn copies_address(program: &Program, call: ExprId, name: &str) -> bool {
    let to = |argument: Option<ExprId>| {
        let ty = program.expr(argument?).ty.id;
        let to = pointee(program, ty)?;
        Some(program.types.get(to.id))
    };
    let mut arguments = program.operands(call).skip(1);
    let (target, source) = (arguments.next(), arguments.next());
    ["memcpy", "memmove", "mempcpy"].contains(&name)
        && matches!(to(target), Some(SeedType::Int(kind)) if kind.bits(program.target) > 8)
        && matches!(to(source), Some(SeedType::Pointer { .. }))
}

/// Whether the value is a pointer, and not one that was made of a constant.
fn is_address(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    let is_pointer = |ty: TypeId| {
        matches!(program.types.get(ty), SeedType::Pointer { .. }) || program.types.is_array(ty)
    };
    let is_constant = expr.kind == ExprKind::Cast
        && program
            .operands(id)
            .last()
            .is_some_and(|operand| matches!(program.expr(operand).kind, ExprKind::Integer(_)));
    is_pointer(expr.ty.id) && !is_constant
}
