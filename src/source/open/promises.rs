//! What a program promises its compiler, and whether it may break its word: by an
//! attribute, by `const`, by how it declares what it calls. Compilers believe such promises,
//! and no sanitizer checks them.

use super::punning;
use crate::code::scalar::FloatKind;
use crate::source::program::{
    Definition, Effects, ExprId, ExprKind, FunctionId, HandsOff, Program, Qualified, SeedType,
    StatementKind, TypeId, VariableId, mentions,
};
use crate::source::writes::{Writes, written};

/// The first expression by which a promise may be broken.
pub(super) fn broken(program: &Program) -> Option<ExprId> {
    effect_of_pure_function(program)
        .or_else(|| write_to_constant(program))
        .or_else(|| call_with_other_arguments(program))
        .or_else(|| memory_that_is_not_new(program))
}

/// Where a program gives one object or function two names by `asm("…")`: compilers take what
/// has two names for two objects. (They know that `alias` makes a second name.)
pub(super) fn second_name(program: &Program) -> Option<u32> {
    let variables = program.variables.iter();
    let names = variables.clone().map(|variable| variable.name.as_bytes());
    let mut labelled = variables.filter(|variable| variable.has_asm_name);
    labelled.find_map(|variable| {
        let span = variable.declaration?;
        // The declaration may end before its label.
        let behind = &program.source[span.start as usize..];
        let end = memchr::memchr(b';', behind).unwrap_or(behind.len());
        let mut parts = behind[..end].split(|byte| *byte == b'"');
        let (before, label) = (parts.next()?, parts.next()?);
        let is_label = ["asm", "__asm", "__asm__"]
            .into_iter()
            .any(|word| mentions(before, word.as_bytes()));
        let is_own = label == variable.name.as_bytes();
        let is_taken = names.clone().any(|name| name == label);
        (is_label && is_taken && !is_own).then_some(span.start)
    })
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

/// In a program that declares functions with the attribute `malloc`, one that returns what a
/// lasting variable holds or where it lies: compilers take that for new memory.
fn memory_that_is_not_new(program: &Program) -> Option<ExprId> {
    let returns = program
        .statement_ids()
        .filter(|_| program.hands_out_memory)
        .map(|id| program.statement(id))
        .filter(|statement| statement.kind == StatementKind::Return);
    let mut values = returns.flat_map(|statement| &statement.parts);
    values.find_map(|part| {
        let mut roots = program.roots(part);
        let value = roots.find(|&id| pointee_of(program, id).is_some())?;
        let mut inside = part.exprs.clone().map(ExprId);
        let names_lasting = |id| match program.expr(id).kind {
            ExprKind::Variable(variable) => !program.variable(variable).storage.is_automatic(),
            _ => false,
        };
        inside.any(names_lasting).then_some(value)
    })
}

fn pointee_of(program: &Program, id: ExprId) -> Option<Qualified> {
    let converted = program.expr(id).converted;
    punning::pointee(program, converted)
}

/// A call with other arguments than the definition has parameters, in number or in type, which
/// a declaration in the old style allows to be written.
fn call_with_other_arguments(program: &Program) -> Option<ExprId> {
    program.expr_ids().find(|&id| {
        let expr = program.expr(id);
        let ExprKind::Call(Some(function)) = expr.kind else {
            return false;
        };
        let arguments = || program.operands(id).skip(1);
        let parameters = parameters(program, function);
        let fits = |(argument, parameter): (ExprId, &VariableId)| {
            let given = passed_as(program, program.expr(argument).converted);
            given.is_none_or(|given| {
                let wanted = program.variable(*parameter).ty.id;
                passed_as(program, wanted).is_none_or(|wanted| wanted == given)
            })
        };
        let differ = |parameters: &[VariableId]| {
            parameters.len() != arguments().count() || !arguments().zip(parameters).all(fits)
        };
        expr.is_evaluated && parameters.is_some_and(differ)
    })
}

/// How a value is handed to a function without a prototype: in which sort of register, and how
/// much of it counts. `None` for what is in memory or cannot be told.
fn passed_as(program: &Program, ty: TypeId) -> Option<(bool, u32)> {
    let int = 32;
    match program.types.get(ty) {
        SeedType::Pointer { .. } => Some((false, program.target.pointer_bits)),
        // A `float` is handed over as a `double`.
        SeedType::Float(FloatKind::Float | FloatKind::Double) => Some((true, 64)),
        _ => {
            let kind = program.types.integer(ty)?;
            Some((false, kind.bits(program.target).max(int)))
        }
    }
}

/// The parameters of a function, if it takes a certain number.
fn parameters(program: &Program, function: FunctionId) -> Option<&[VariableId]> {
    let function = program.function(function);
    let is_variadic = matches!(
        program.types.get(function.ty.id),
        SeedType::Function { variadic: true, .. }
    );
    let definition = function.definition.as_ref().filter(|_| !is_variadic)?;
    Some(&definition.parameters)
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
