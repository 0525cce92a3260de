//! Whether a program accesses memory as another type. Compilers may assume that this does not
//! happen, and it is the one undefined behaviour that no sanitizer reports.

use crate::source::program::{ExprId, ExprKind, Program, Qualified, SeedType, TypeId};

/// The first expression that makes a pointer by which memory of another type may be reached:
/// a cast, by way of `void *` or not, a `void *` that becomes another pointer without one, or
/// the address of a union's member.
pub(super) fn first(program: &Program) -> Option<ExprId> {
    program.expr_ids().find(|&id| {
        let expr = program.expr(id);
        let is_punning = match expr.kind {
            ExprKind::Cast => is_punning_cast(program, id),
            ExprKind::AddressOf => program.operands(id).any(|of| is_in_union(program, of)),
            _ => false,
        };
        expr.is_evaluated && (is_punning || is_silent_conversion(program, id))
    })
}

fn is_punning_cast(program: &Program, id: ExprId) -> bool {
    let to = pointee(program, program.expr(id).ty.id);
    let Some(to) = to.filter(|to| is_typed(program, to.id)) else {
        return false;
    };
    // `(int *)(void *)&f`: what was there before all casts counts.
    let mut operand = program.operands(id).last();
    let mut from = None;
    while let Some(inner) = operand {
        let expr = program.expr(inner);
        let ty = pointee(program, expr.ty.id).or_else(|| element(program, expr.ty.id));
        from = ty.or(from);
        let is_untyped = ty.is_some_and(|ty| *program.types.get(ty.id) == SeedType::Void);
        operand = (expr.kind == ExprKind::Cast && is_untyped)
            .then(|| program.operands(inner).last())
            .flatten();
    }
    from.is_some_and(|from| {
        let is_known = !matches!(
            program.types.get(from.id),
            SeedType::Void | SeedType::Function { .. } | SeedType::Other(_)
        );
        is_known && !are_alike(program, from.id, to.id)
    })
}

/// Whether a `void *` becomes a pointer to something, without a cast. What a function returns
/// is mostly new memory, which has no type yet.
fn is_silent_conversion(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    let is_untyped = pointee(program, expr.ty.id)
        .is_some_and(|from| *program.types.get(from.id) == SeedType::Void);
    let to = pointee(program, expr.converted);
    let is_new = matches!(expr.kind, ExprKind::Call(_));
    is_untyped && !is_new && to.is_some_and(|to| is_typed(program, to.id))
}

/// Whether an access by this type restricts the type of the memory: all types do but `void`,
/// functions, and characters, which may access everything.
fn is_typed(program: &Program, id: TypeId) -> bool {
    match program.types.get(id) {
        SeedType::Void | SeedType::Function { .. } | SeedType::Other(_) => false,
        SeedType::Int(kind) => kind.bits(program.target) > 8,
        _ => true,
    }
}

/// Whether memory of one type may be reached by the other: signs and qualifiers do not
/// matter, nor does what cannot be told, such as how structs begin.
fn are_alike(program: &Program, one: TypeId, other: TypeId) -> bool {
    let types = &program.types;
    let is_composite = |id: TypeId| {
        matches!(types.get(id), SeedType::Record(_) | SeedType::Vector { .. }) || types.is_array(id)
    };
    if one == other || (is_composite(one) && holds(program, one, other)) {
        return true;
    }
    match (types.integer(one), types.integer(other)) {
        (Some(a), Some(b)) => a.to_unsigned() == b.to_unsigned(),
        _ => match (types.get(one), types.get(other)) {
            (SeedType::Pointer { to: a }, SeedType::Pointer { to: b }) => {
                are_alike(program, a.id, b.id)
            }
            _ => false,
        },
    }
}

/// Whether a record or array begins with an object of a type.
fn holds(program: &Program, whole: TypeId, part: TypeId) -> bool {
    if whole == part {
        return true;
    }
    match program.types.get(whole) {
        SeedType::Array { element, .. }
        | SeedType::VariableArray { element }
        | SeedType::Vector { element, .. } => holds(program, element.id, part),
        SeedType::Record(record) => {
            let record = program.types.record(*record);
            let mut fields = record.fields.iter().flatten();
            if record.is_union {
                fields.any(|field| holds(program, field.ty.id, part))
            } else {
                fields
                    .next()
                    .is_some_and(|field| holds(program, field.ty.id, part))
            }
        }
        _ => false,
    }
}

fn is_in_union(program: &Program, mut id: ExprId) -> bool {
    loop {
        match program.expr(id).kind {
            ExprKind::Member { record, .. } if program.types.record(record).is_union => {
                return true;
            }
            ExprKind::Member { .. } | ExprKind::Subscript => match program.operands(id).next() {
                Some(inner) => id = inner,
                None => return false,
            },
            _ => return false,
        }
    }
}

/// What a pointer of the type points to.
pub(super) fn pointee(program: &Program, id: TypeId) -> Option<Qualified> {
    match program.types.get(id) {
        SeedType::Pointer { to } => Some(*to),
        _ => None,
    }
}

/// What an array of the type consists of.
pub(super) fn element(program: &Program, id: TypeId) -> Option<Qualified> {
    match program.types.get(id) {
        SeedType::Array { element, .. } | SeedType::VariableArray { element } => Some(*element),
        _ => None,
    }
}
