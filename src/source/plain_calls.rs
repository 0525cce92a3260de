//! Calls of the seed's own functions that may be made once more: nothing but their value
//! comes of them, however often they are made.
//!
//! A plain function computes a number of numbers and of variables that it does not write.
//! It calls nothing, so that a call costs at most a multiple of what it did, however many
//! are made again. Its body must be in the seed's own text: one of a header may count its
//! calls.

use super::fit::Unfit;
use super::operand::{self, SeedOperand};
use super::program::{
    Effects, ExprId, ExprKind, FunctionId, Program, SeedType, StatementId, TypeId, VariableId,
};
use super::writes::takes_numbers_only;

/// A function with more statements is not looked at, so that the time for all calls grows
/// with the program.
const MOST_STATEMENTS: usize = 200;

/// The operands of a statement that are such calls.
pub(crate) fn all(program: &Program, at: StatementId) -> Vec<SeedOperand> {
    let operands = operand::all(program, at).into_iter();
    let operands = operands.filter(|operand| check(program, at, *operand).is_ok());
    operands.collect()
}

/// Whether an operand is such a call, and nothing happens in its statement between it and
/// another call beside it.
pub(crate) fn check(program: &Program, at: StatementId, operand: SeedOperand) -> Result<(), Unfit> {
    let no = |why| Err(Unfit::NoOperand(why));
    let ExprKind::Call(Some(function)) = program.expr(operand.id).kind else {
        return no("it is not a call of a function by name");
    };
    if operand.kind.int().is_none() || !is_plain(program, function) {
        return no("the function may do more than give a value");
    }
    let text = program.text(operand.span);
    if text.contains(&b'\n') {
        return Err(Unfit::SeveralLines);
    }
    // A comment to the end of the line would swallow what comes behind the copy.
    if text.windows(2).any(|two| two == b"//") {
        return no("there may be a comment in it");
    }
    let around: Vec<ExprId> =
        std::iter::successors(Some(operand.id), |id| program.expr(*id).parent).collect();
    let parts = program.statement(at).parts.iter();
    let mut others = parts.flat_map(|part| part.exprs.clone()).map(ExprId);
    // What is around the call does what it does when the call has its value.
    let is_quiet = |id: ExprId| match program.expr(id).kind {
        _ if !program.expr(id).is_evaluated => true,
        ExprKind::Call(Some(function)) => around.contains(&id) || is_plain(program, function),
        ExprKind::Call(None) => around.contains(&id),
        // A copy of the text would declare and jump as well.
        ExprKind::StatementExpression(_) => false,
        kind => {
            let own = program.expr(id).own_effects;
            let writes = matches!(
                kind,
                ExprKind::Assign | ExprKind::CompoundAssign(_) | ExprKind::Step(_)
            );
            !own.intersects(Effects::UNKNOWN | Effects::VOLATILE)
                && (!writes || around.contains(&id))
        }
    };
    if !others.all(is_quiet) {
        return no("something else happens in its statement");
    }
    Ok(())
}

/// Whether a call of a function does nothing but give a value.
fn is_plain(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let Some(definition) = &function.definition else {
        return false;
    };
    if !definition.hands_off.is_empty()
        || program.has_cleanups
        || definition.statements.len() > MOST_STATEMENTS
        || !takes_numbers_only(program, id)
    {
        return false;
    }
    let statements = definition.statement_ids();
    let parts = statements.flat_map(|at| &program.statement(at).parts);
    let mut exprs = parts.flat_map(|part| part.exprs.clone()).map(ExprId);
    exprs.all(|expr| computes_only(program, expr))
}

/// Whether an expression computes, and changes nothing but numbers of its function's own.
fn computes_only(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    if expr
        .own_effects
        .intersects(Effects::UNKNOWN | Effects::VOLATILE)
    {
        return false;
    }
    match expr.kind {
        ExprKind::Integer(_)
        | ExprKind::EnumConstant(_)
        | ExprKind::Subscript
        | ExprKind::Member { .. }
        | ExprKind::Unary(_)
        | ExprKind::Binary(_)
        | ExprKind::Logical(_)
        | ExprKind::Comma
        | ExprKind::Conditional
        | ExprKind::Cast => is_value(program, expr.ty.id),
        // What nobody has written cannot be told from what somebody has, but for numbers
        // whose address nobody takes: to read those would be undefined.
        ExprKind::Variable(variable) => {
            let known = program.variable(variable);
            is_value(program, known.ty.id)
                && (!known.storage.is_automatic() || is_own(program, variable))
        }
        ExprKind::Assign | ExprKind::CompoundAssign(_) | ExprKind::Step(_) => {
            let target = program.operands(id).next();
            target.is_some_and(|target| match program.expr(target).kind {
                ExprKind::Variable(variable) => {
                    let is_automatic = program.variable(variable).storage.is_automatic();
                    is_automatic && is_own(program, variable)
                }
                _ => false,
            })
        }
        _ => false,
    }
}

/// Whether it is a number whose address is never taken.
fn is_own(program: &Program, id: VariableId) -> bool {
    let variable = program.variable(id);
    !variable.address_taken && is_integer(program, variable.ty.id)
}

fn is_integer(program: &Program, ty: TypeId) -> bool {
    matches!(
        program.types.get(ty),
        SeedType::Int(_) | SeedType::Enum { .. }
    )
}

/// Whether it is an integer, or an array or struct, of which only integers are computed
/// with.
fn is_value(program: &Program, ty: TypeId) -> bool {
    is_integer(program, ty)
        || matches!(
            program.types.get(ty),
            SeedType::Array { .. } | SeedType::Record(_)
        )
}
