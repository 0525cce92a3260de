//! Vectors as arguments and results. Where one that is wider than 16 bytes goes depends on the
//! compiler and on the instructions that it may use, as gcc's `-Wpsabi` says, so two files that
//! are compiled in different ways may not understand each other.

use crate::source::program::{ExprId, ExprKind, Program, SeedType, TypeId};

/// The widest vector that all compilers pass alike, in bytes.
const AGREED: u64 = 16;

/// The first call by which such a vector is passed.
pub(super) fn first(program: &Program) -> Option<ExprId> {
    program.expr_ids().find(|&id| {
        let is_call = matches!(program.expr(id).kind, ExprKind::Call(_));
        let is_wide = |of: ExprId| is_wide_vector(program, program.expr(of).ty.id);
        is_call && (is_wide(id) || program.operands(id).any(is_wide))
    })
}

fn is_wide_vector(program: &Program, id: TypeId) -> bool {
    match program.types.get(id) {
        SeedType::Vector { .. } => {
            let size = program.types.info(id).size;
            size.is_some_and(|size| size > AGREED)
        }
        SeedType::Array { element, .. } => is_wide_vector(program, element.id),
        SeedType::Record(record) => {
            let mut fields = program.types.record(*record).fields.iter().flatten();
            fields.any(|field| is_wide_vector(program, field.ty.id))
        }
        _ => false,
    }
}
