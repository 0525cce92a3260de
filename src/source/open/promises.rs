//! What a program promises its compiler, and whether it may break its word: by an
//! attribute, by `const`, by how it declares what it calls. Compilers believe such promises,
//! and no sanitizer checks them.

use crate::source::program::{
    Definition, Effects, ExprId, ExprKind, FunctionId, HandsOff, Program, Qualified, SeedType,
};
use crate::source::writes::{Writes, written};

/// The first expression by which a promise may be broken.
pub(super) fn broken(program: &Program) -> Option<ExprId> {
    effect_of_pure_function(program)
        .or_else(|| write_to_constant(program))
        .or_else(|| call_with_other_arguments(program))
}

/// In a function that calls `setjmp`, a change of an automatic variable that is not volatile:
/// after `longjmp` nobody can say what it holds.
pub(super) fn change_across_jump(program: &Program) -> Option<ExprId> {
    let mut jumping = program
        .definitions()
        .filter(|(_, _, definition)| definition.hands_off.contains(&HandsOff::SetJmp));
    jumping.find_map(|(function, _, definition)| {
        exprs_of(program, definition).find(|&id| {
            target(program, id).is_some_and(|target| {
                let ExprKind::Variable(variable) = program.expr(target).kind else {
                    return false;
                };
                let variable = program.variable(variable);
                variable.function == Some(function)
                    && variable.storage.is_automatic()
                    && !variable.ty.is_volatile
            })
        })
    })
}

/// Calls of a `pure` function may be left out, and those of a `const` one moved across
/// everything: neither may write, and the latter may not even read what others write.
fn effect_of_pure_function(program: &Program) -> Option<ExprId> {
    let promising = program
        .definitions()
        .filter(|(_, function, _)| function.is_pure || function.is_const);
    let mut effects = promising.flat_map(|(_, function, definition)| {
        let must_not_read = function.is_const;
        exprs_of(program, definition).filter(move |&id| {
            writes_elsewhere(program, id) || must_not_read && reads_elsewhere(program, id)
        })
    });
    effects.next()
}

fn writes_elsewhere(program: &Program, id: ExprId) -> bool {
    target(program, id).is_some_and(|target| {
        let writes = written(program, target);
        writes.is_open() || names_lasting(program, &writes)
    })
}

/// Whether variables are among the writes that outlive a call.
fn names_lasting(program: &Program, writes: &Writes) -> bool {
    let is_lasting = |id| !program.variable(id).storage.is_automatic();
    writes.names().any(is_lasting)
}

fn reads_elsewhere(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    if !expr.is_evaluated || !expr.own_effects.intersects(Effects::READS) {
        return false;
    }
    let is_object = matches!(
        expr.kind,
        ExprKind::Variable(_) | ExprKind::Deref | ExprKind::Subscript | ExprKind::Member { .. }
    );
    let of = written(program, id);
    let may_change = |id| {
        let variable = program.variable(id);
        !variable.storage.is_automatic() && !is_constant(program, variable.ty)
    };
    is_object && (of.is_open() || of.names().any(may_change))
}

/// Whether an object of the type, or each element of it, stays what it is.
fn is_constant(program: &Program, ty: Qualified) -> bool {
    match program.types.get(ty.id) {
        SeedType::Array { element, .. } => ty.is_const || is_constant(program, *element),
        _ => ty.is_const,
    }
}

/// A cast by which a constant can be written, in a program that has one with an address.
fn write_to_constant(program: &Program) -> Option<ExprId> {
    let mut variables = program.variables.iter();
    if !variables.any(|variable| variable.ty.is_const && variable.address_taken) {
        return None;
    }
    program.expr_ids().find(|&id| {
        let expr = program.expr(id);
        let from = program.operands(id).last();
        let from = from.and_then(|from| pointee(program, program.expr(from).ty));
        let to = pointee(program, expr.ty);
        expr.kind == ExprKind::Cast
            && expr.is_evaluated
            && from.is_some_and(|from| from.is_const)
            && to.is_some_and(|to| !to.is_const)
    })
}

/// A call with more or fewer arguments than the definition has parameters, which a
/// declaration in the old style allows to be written.
fn call_with_other_arguments(program: &Program) -> Option<ExprId> {
    program.expr_ids().find(|&id| {
        let expr = program.expr(id);
        let ExprKind::Call(Some(function)) = expr.kind else {
            return false;
        };
        let arguments = program.operands(id).count().saturating_sub(1);
        let parameters = number_of_parameters(program, function);
        expr.is_evaluated && parameters.is_some_and(|number| number != arguments)
    })
}

/// How many arguments the definition of a function takes, if it takes a certain number.
fn number_of_parameters(program: &Program, function: FunctionId) -> Option<usize> {
    let function = program.function(function);
    let is_variadic = matches!(
        program.types.get(function.ty.id),
        SeedType::Function { variadic: true, .. }
    );
    let definition = function.definition.as_ref().filter(|_| !is_variadic)?;
    Some(definition.parameters.len())
}

/// What an expression assigns to, if it does.
fn target(program: &Program, id: ExprId) -> Option<ExprId> {
    let expr = program.expr(id);
    let assigns = matches!(
        expr.kind,
        ExprKind::Assign | ExprKind::CompoundAssign(_) | ExprKind::Step(_)
    );
    program
        .operands(id)
        .next()
        .filter(|_| assigns && expr.is_evaluated)
}

fn exprs_of<'p>(
    program: &'p Program,
    definition: &'p Definition,
) -> impl Iterator<Item = ExprId> + use<'p> {
    let statements = definition.statement_ids();
    let parts = statements.flat_map(|at| &program.statement(at).parts);
    parts.flat_map(|part| part.exprs.clone()).map(ExprId)
}

fn pointee(program: &Program, ty: Qualified) -> Option<Qualified> {
    match program.types.get(ty.id) {
        SeedType::Pointer { to } => Some(*to),
        _ => None,
    }
}
