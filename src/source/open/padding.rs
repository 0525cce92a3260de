//! Bytes of objects that belong to no member. A store to a member or to the whole object may
//! change them or not, and sanitizers take them for set once anything was written there. So it is
//! with the rest of a union whose initialiser sets a small member.

use super::names::BYTE_READERS;
use super::punning::{element, pointee};
use crate::code::scalar::FloatKind;
use crate::source::program::{
    Effects, ExprId, ExprKind, Program, Qualified, SeedRecord, SeedType, TypeId, VariableId,
};

/// The first expression by which the bytes of an object with padding can be read: its address
/// as one of bytes, in a program that reads bytes by pointers, or handed to `memcmp`.
pub(super) fn first(program: &Program) -> Option<ExprId> {
    let mut exprs = program.expr_ids();
    let reads_bytes = exprs.any(|id| is_byte_by_pointer(program, id));
    program.expr_ids().find(|&id| {
        let expr = program.expr(id);
        let from = pointee(program, expr.ty.id).or_else(|| element(program, expr.ty.id));
        if !expr.is_evaluated || !from.is_some_and(|from| is_padded(program, from.id)) {
            return false;
        }
        let (user, to) = shown_as(program, id);
        match to.map(|to| program.types.get(to.id)) {
            Some(SeedType::Void) => match callee(program, user) {
                Some(name) if BYTE_READERS.contains(&name) => true,
                Some(name) => reads_bytes && is_defined(program, name),
                None => false,
            },
            Some(_) => reads_bytes && to.is_some_and(|to| is_byte(program, to.id)),
            None => false,
        }
    })
}

/// The first read of a member of a local union that reaches beyond what its initialiser sets,
/// where nothing else ever writes that union. gcc before 15 set the rest to zero, clang may not.
pub(super) fn first_rest_of_union(program: &Program) -> Option<ExprId> {
    program.expr_ids().find(|&id| {
        let ExprKind::Member { record, field } = program.expr(id).kind else {
            return false;
        };
        let record = program.types.record(record);
        let Some(fields) = record.fields.as_ref().filter(|_| record.is_union) else {
            return false;
        };
        let size = |at: usize| {
            let field = fields.get(at)?;
            program.types.info(field.ty.id).size
        };
        let base = program.operands(id).next();
        let Some(ExprKind::Variable(variable)) = base.map(|base| program.expr(base).kind) else {
            return false;
        };
        program.expr(id).is_evaluated
            && size(field as usize) > size(0)
            && is_set_at_its_start(program, variable)
            && !is_set_later(program, variable)
    })
}

/// Whether an initialiser sets the first member of a local variable.
fn is_set_at_its_start(program: &Program, variable: VariableId) -> bool {
    let variable = program.variable(variable);
    variable.storage.is_automatic()
        && variable.initial.is_some_and(|initial| {
            let initial = program.expr(initial);
            // `{ .member = 1 }` may set another one.
            initial.kind == ExprKind::InitList && !program.text(initial.span).contains(&b'.')
        })
}

/// Whether anything but its initialiser may write a variable or a part of it.
fn is_set_later(program: &Program, variable: VariableId) -> bool {
    program.expr_ids().any(|mut id| {
        if program.expr(id).kind != ExprKind::Variable(variable) {
            return false;
        }
        let is_part = |of: ExprId, whole: ExprId| {
            let is_access = matches!(
                program.expr(of).kind,
                ExprKind::Member { .. } | ExprKind::Subscript
            );
            is_access && program.operands(of).next() == Some(whole)
        };
        while let Some(parent) = program.expr(id).parent.filter(|of| is_part(*of, id)) {
            id = parent;
        }
        let is_array = program.types.is_array(program.expr(id).ty.id);
        let user = program.expr(id).parent;
        is_array
            || user.is_some_and(|user| match program.expr(user).kind {
                ExprKind::AddressOf | ExprKind::Step(_) => true,
                ExprKind::Assign | ExprKind::CompoundAssign(_) => {
                    program.operands(user).next() == Some(id)
                }
                _ => false,
            })
    })
}

/// The outermost cast of a pointer, and what the result points to where it is used.
fn shown_as(program: &Program, mut id: ExprId) -> (ExprId, Option<Qualified>) {
    while let Some(parent) = program.expr(id).parent
        && program.expr(parent).kind == ExprKind::Cast
    {
        id = parent;
    }
    (id, pointee(program, program.expr(id).converted))
}

/// The name of the function that an expression is an argument of.
fn callee(program: &Program, argument: ExprId) -> Option<&str> {
    let parent = program.expr(argument).parent?;
    match program.expr(parent).kind {
        ExprKind::Call(Some(function)) => {
            let name = program.function(function).name.as_str();
            Some(name.strip_prefix("__builtin_").unwrap_or(name))
        }
        _ => None,
    }
}

fn is_defined(program: &Program, name: &str) -> bool {
    let mut definitions = program.definitions();
    definitions.any(|(_, function, _)| function.name == name)
}

fn is_byte_by_pointer(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    let is_access = matches!(expr.kind, ExprKind::Deref | ExprKind::Subscript);
    let is_pointer = |of: ExprId| pointee(program, program.expr(of).ty.id).is_some();
    is_access
        && expr.is_evaluated
        && expr.own_effects.intersects(Effects::READS)
        && is_byte(program, expr.ty.id)
        && program.operands(id).any(is_pointer)
}

fn is_byte(program: &Program, id: TypeId) -> bool {
    let kind = program.types.integer(id);
    kind.is_some_and(|kind| kind.bits(program.target) == 8)
}

/// Whether an object of the type has bits that no member holds.
fn is_padded(program: &Program, id: TypeId) -> bool {
    match program.types.get(id) {
        // Ten of its sixteen bytes hold the number.
        SeedType::Float(kind) => *kind == FloatKind::LongDouble,
        SeedType::Array { element, .. } | SeedType::VariableArray { element } => {
            is_padded(program, element.id)
        }
        SeedType::Record(record) => has_gap(program, program.types.record(*record), id),
        _ => false,
    }
}

fn has_gap(program: &Program, record: &SeedRecord, id: TypeId) -> bool {
    let Some(fields) = &record.fields else {
        return false;
    };
    if fields.iter().any(|field| is_padded(program, field.ty.id)) {
        return true;
    }
    let bits = |ty: TypeId| program.types.info(ty).size.map_or(0, |bytes| 8 * bytes);
    let held: u64 = fields
        .iter()
        // Unnamed bit-fields hold nothing.
        .filter(|field| field.bit_width.is_none() || field.name.is_some())
        .map(|field| field.bit_width.map_or_else(|| bits(field.ty.id), u64::from))
        .sum();
    !record.is_union && held < bits(id)
}
