//! What compilers take for granted of vectors, and no sanitizer checks.

use super::floats::is_floating;
use crate::code::op::BinaryOp;
use crate::source::program::{ExprId, ExprKind, Program, SeedType, TypeId, mentions};

/// The lanes of a vector that hold values which C leaves undefined, if a program has such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VectorUse {
    /// Where a lane is shifted by a number that may be too great, or becomes an integer that
    /// may not hold it.
    pub(crate) unchecked: Option<ExprId>,
    /// Where signed lanes may overflow, which `-fwrapv` permits.
    pub(crate) overflows: Option<ExprId>,
}

impl VectorUse {
    pub(super) fn of(program: &Program) -> VectorUse {
        let mut used = VectorUse::default();
        let converts = mentions(&program.source, b"__builtin_convertvector");
        for id in program.expr_ids() {
            let expr = program.expr(id);
            if !expr.is_evaluated || expr.is_constant {
                continue;
            }
            let Some(lane) = lane(program, expr.ty.id) else {
                continue;
            };
            if is_shift(program, id) && !shifts_by_little(program, id, lane)
                || converts && is_floating(program, lane)
            {
                used.unchecked = used.unchecked.or(Some(id));
            }
            let kind = program.types.integer(lane);
            let is_signed = kind.is_some_and(|kind| kind != kind.to_unsigned());
            if is_signed && is_sum(program, id) {
                used.overflows = used.overflows.or(Some(id));
            }
        }
        used
    }
}

/// The type of a vector's lanes.
fn lane(program: &Program, id: TypeId) -> Option<TypeId> {
    match program.types.get(id) {
        SeedType::Vector { element, .. } => Some(element.id),
        _ => None,
    }
}

fn operator(program: &Program, id: ExprId) -> Option<BinaryOp> {
    match program.expr(id).kind {
        ExprKind::Binary(op) | ExprKind::CompoundAssign(Some(op)) => Some(op),
        _ => None,
    }
}

fn is_shift(program: &Program, id: ExprId) -> bool {
    matches!(operator(program, id), Some(BinaryOp::Shl | BinaryOp::Shr))
}

fn is_sum(program: &Program, id: ExprId) -> bool {
    matches!(
        operator(program, id),
        Some(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
    )
}

/// Whether a shift's count, or each lane of it, is a number less than the lane's width.
fn shifts_by_little(program: &Program, id: ExprId, lane: TypeId) -> bool {
    let Some(width) = program
        .types
        .integer(lane)
        .map(|kind| kind.bits(program.target))
    else {
        return false;
    };
    let mut waiting: Vec<ExprId> = program.operands(id).skip(1).collect();
    while let Some(count) = waiting.pop() {
        match program.expr(count).kind {
            ExprKind::Integer(number) if number < u64::from(width) => {}
            ExprKind::Cast | ExprKind::InitList | ExprKind::CompoundLiteral => {
                waiting.extend(program.operands(count));
            }
            _ => return false,
        }
    }
    true
}
