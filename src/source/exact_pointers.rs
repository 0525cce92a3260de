//! Whether every pointer of a program is the address of an object or of a part of one.
//!
//! An address that is equal to that of a variable does not show that a pointer may be
//! followed: `a + 4` may be just where `b` begins, and compilers take the two for different.
//! In a program that stores no computed address there are no pointers past the end of
//! anything, and one that is equal to the address of a variable that lives as long as the
//! program points to it.
//!
//! A local pointer that is set by its initialiser and never again points to what that says
//! wherever it can be named, be it a local: what is in scope where the pointer is declared
//! lives as long as the pointer does.

use super::program::{
    Access, ExprId, ExprKind, Program, SeedExpr, SeedType, StatementKind, Storage, TypeId,
    VariableId, mentions,
};
use crate::code::op::BinaryOp;
use std::collections::HashMap;

/// Whether no pointer is the result of arithmetic, of a conversion, or of a function whose
/// body is not known.
pub(crate) fn are_all_exact(program: &Program) -> bool {
    let has_assembly = program
        .statements
        .iter()
        .any(|statement| matches!(statement.kind, StatementKind::Asm));
    !has_assembly
        && !mentions(&program.source, b"asm")
        && !has_unions_of_pointers(program)
        && program.expr_ids().all(|id| is_exact(program, id))
}

/// The local pointers that are set once, by their initialisers, with the variable that each
/// points to and how many bytes into it.
pub(crate) fn fixed(program: &Program) -> HashMap<VariableId, (VariableId, u64)> {
    let mut is_set = vec![false; program.variables.len()];
    for one in &program.uses {
        let changes = one.access.writes() || one.access == Access::AddressTaken;
        is_set[one.variable.index()] |= changes;
    }
    let variables = program.variables.iter().enumerate();
    let found = variables.filter_map(|(at, variable)| {
        let is_fixed = variable.storage == Storage::Automatic
            && !variable.address_taken
            && !variable.ty.is_volatile
            && is_pointer(program, variable.ty.id)
            && !is_set[at];
        let initial = variable.initial.filter(|_| is_fixed)?;
        Some((VariableId::new(at), address(program, initial)?))
    });
    found.collect()
}

/// The variable whose address, or that of a part of it, an expression is.
fn address(program: &Program, id: ExprId) -> Option<(VariableId, u64)> {
    let expr = program.expr(id);
    match expr.kind {
        ExprKind::AddressOf => part(program, program.operands(id).next()?),
        _ if program.types.is_array(expr.ty.id) => part(program, id),
        _ => None,
    }
}

/// A part of a variable, and how many bytes into it that is.
fn part(program: &Program, id: ExprId) -> Option<(VariableId, u64)> {
    let base = || {
        let base = program.operands(id).next()?;
        let is_followed = is_pointer(program, program.expr(base).ty.id);
        part(program, base).filter(|_| !is_followed)
    };
    match program.expr(id).kind {
        ExprKind::Variable(variable) => Some((variable, 0)),
        ExprKind::Member { record, field } => {
            let record = program.types.record(record);
            let field = record.fields.as_ref()?.get(field as usize)?;
            let (variable, offset) = base()?;
            let is_plain = !record.is_union && field.bit_width.is_none();
            is_plain.then_some((variable, offset + field.offset? / 8))
        }
        ExprKind::Subscript if is_within(program, id) => {
            let index = program.operands(id).nth(1)?;
            let ExprKind::Integer(at) = program.expr(index).kind else {
                return None;
            };
            let (variable, offset) = base()?;
            let size = program.types.info(program.expr(id).ty.id).size?;
            Some((variable, offset + at * size))
        }
        _ => None,
    }
}

fn is_pointer(program: &Program, id: TypeId) -> bool {
    matches!(program.types.get(id), SeedType::Pointer { .. })
}

/// Whether bytes of a pointer might be put together from numbers.
fn has_unions_of_pointers(program: &Program) -> bool {
    let mut unions = program.types.records.iter().filter(|one| one.is_union);
    unions.any(|union| {
        let mut fields = union.fields.iter().flatten();
        fields.any(|field| holds_pointer(program, field.ty.id))
    })
}

fn holds_pointer(program: &Program, id: TypeId) -> bool {
    match program.types.get(id) {
        SeedType::Pointer { .. } => true,
        SeedType::Array { element, .. } => holds_pointer(program, element.id),
        SeedType::Record(record) => {
            let mut fields = program.types.record(*record).fields.iter().flatten();
            fields.any(|field| holds_pointer(program, field.ty.id))
        }
        _ => false,
    }
}

fn is_exact(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    if !expr.is_evaluated {
        return true;
    }
    let parent = expr.parent.map(|parent| program.expr(parent).kind);
    let is_followed = matches!(parent, Some(ExprKind::Deref | ExprKind::Subscript));
    // An element that is an array becomes a pointer, which may be one past the last row.
    if program.types.is_array(expr.ty.id) {
        return match expr.kind {
            ExprKind::Subscript => is_followed || is_within(program, id),
            ExprKind::Deref => is_followed || is_exact_operand(program, id),
            _ => true,
        };
    }
    if !is_pointer(program, expr.ty.id) {
        return !passes_pointers_away(program, expr);
    }
    match expr.kind {
        ExprKind::Variable(_)
        | ExprKind::Member { .. }
        | ExprKind::Subscript
        | ExprKind::Deref
        | ExprKind::Comma
        | ExprKind::Assign
        | ExprKind::Conditional
        | ExprKind::Integer(0)
        | ExprKind::CompoundLiteral
        | ExprKind::InitList
        | ExprKind::String => !passes_pointers_away(program, expr),
        ExprKind::AddressOf => {
            let Some(object) = program.operands(id).next() else {
                return false;
            };
            let is_exact = match program.expr(object).kind {
                ExprKind::Subscript => is_within(program, object),
                ExprKind::Deref => is_exact_operand(program, object),
                _ => true,
            };
            is_exact && !passes_pointers_away(program, expr)
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub) => is_followed,
        ExprKind::Call(Some(function)) => program.function(function).definition.is_some(),
        ExprKind::Cast => program.operands(id).last().is_some_and(|of| {
            let of = program.expr(of);
            let is_address = is_pointer(program, of.converted) || is_pointer(program, of.ty.id);
            is_address || program.types.is_array(of.ty.id) || of.kind == ExprKind::Integer(0)
        }),
        _ => false,
    }
}

/// Whether the pointer that is followed is stored somewhere, and not computed here.
fn is_exact_operand(program: &Program, deref: ExprId) -> bool {
    program.operands(deref).next().is_some_and(|pointer| {
        let expr = program.expr(pointer);
        !matches!(expr.kind, ExprKind::Binary(_)) && is_exact(program, pointer)
    })
}

/// Whether an element is one of an array, at a constant index within its bounds.
fn is_within(program: &Program, subscript: ExprId) -> bool {
    let operands: Vec<ExprId> = program.operands(subscript).collect();
    let [base, index] = operands[..] else {
        return false;
    };
    let length = match program.types.get(program.expr(base).ty.id) {
        SeedType::Array { length, .. } => *length,
        _ => None,
    };
    let ExprKind::Integer(at) = program.expr(index).kind else {
        return false;
    };
    let is_whole = match program.expr(base).kind {
        ExprKind::Subscript => is_within(program, base),
        _ => true,
    };
    is_whole && length.is_some_and(|length| at < length)
}

/// Whether an address of pointers is given away as one of anything: whoever gets it may write
/// other bytes there.
fn passes_pointers_away(program: &Program, expr: &SeedExpr) -> bool {
    let target = |ty: TypeId| match program.types.get(ty) {
        SeedType::Pointer { to } => Some(to.id),
        _ => None,
    };
    let (Some(from), Some(to)) = (target(expr.ty.id), target(expr.converted)) else {
        return false;
    };
    holds_pointer(program, from) && !holds_pointer(program, to)
}

#[cfg(test)]
mod tests {
    use super::super::clang::Clang;
    use super::super::program::lower;
    use super::*;
    use std::path::Path;

    fn are_exact(body: &str) -> bool {
        let text = format!(
            "int a[4], b, *p, **pp = &p, m[2][3]; struct s {{ int x, *y; }} s; \
             int *own(int *q) {{ return q; }} char *strchr(const char *, int); \
             int main(void) {{ int i = 0; {body} return i; }}"
        );
        let clang = Clang::load().expect("libclang is installed");
        let lowered = lower(&clang, Path::new("a.c"), text.as_bytes().into(), &[]);
        are_all_exact(&lowered.unwrap_or_else(|refused| panic!("{refused}")))
    }

    #[test]
    fn addresses_of_objects_and_their_parts_are_exact() {
        for body in [
            "p = &b;",
            "p = &a[3]; *pp = p; s.y = *pp;",
            "p = a; i = p[i] + *(p + 1);",
            "p = i ? &s.x : 0; p = own(&b);",
            "p = m[1]; i = m[i][2];",
        ] {
            assert!(are_exact(body), "{body}");
        }
    }

    #[test]
    fn a_pointer_that_is_set_once_points_to_what_its_initialiser_says() {
        let text = "struct s { char c; int x[3]; } g; int main(void) { \
            int i = 0, a[4] = { 0 }, *p = &i, *q = a, *r = &a[2], *s = &g.x[1], *t = &i, *u = &i; \
            int **v = &u; struct s *w = &g, *x; int *y = w->x; t = 0; x = &g; return **v; }";
        let clang = Clang::load().expect("libclang is installed");
        let lowered = lower(&clang, Path::new("a.c"), text.as_bytes().into(), &[]);
        let program = lowered.unwrap_or_else(|refused| panic!("{refused}"));
        let name = |id: VariableId| program.variable(id).name.as_str();
        let mut found: Vec<(&str, &str, u64)> = fixed(&program)
            .into_iter()
            .map(|(pointer, (to, offset))| (name(pointer), name(to), offset))
            .collect();
        found.sort_unstable();
        let expected = [
            ("p", "i", 0),
            ("q", "a", 0),
            ("r", "a", 8),
            ("s", "g", 8),
            ("v", "u", 0),
            ("w", "g", 0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn computed_addresses_are_not() {
        for body in [
            "p = a + 4;",
            "p = &a[4];",
            "p = &a[i];",
            "p = a; p++;",
            "p += 1;",
            "p = &p[1];",
            "p = &*(p + 1);",
            "p = m[i];",
            "p = (int *)8;",
            "strchr(\"a\", 'a');",
        ] {
            assert!(!are_exact(body), "{body}");
        }
    }
}
