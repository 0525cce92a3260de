//! Operands of which either may be evaluated first.

use crate::source::program::{Effects, ExprId, ExprKind, Program, VariableId};
use std::collections::BTreeSet;

/// Whether two operands of an expression have effects and either may come first.
pub(super) fn is_open(program: &Program, id: ExprId) -> bool {
    let has_effect = |operand: &ExprId| {
        let effects = Effects::CALLS | Effects::WRITES;
        program.expr(*operand).effects.intersects(effects)
    };
    program.expr(id).is_evaluated
        && !is_ordered(program, id)
        && program.operands(id).filter(has_effect).count() > 1
}

/// Whether one operand of an expression changes a variable that another reads, as in
/// `a[i] = i++`. C gives such a program no meaning, and no sanitizer tells.
pub(super) fn is_broken(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    // An initialiser's list has an order, though nobody knows which.
    if !expr.is_evaluated
        || expr.kind == ExprKind::InitList
        || is_ordered(program, id)
        || !expr.effects.intersects(Effects::WRITES)
    {
        return false;
    }
    let operands: Vec<ExprId> = program.operands(id).collect();
    let changed: Vec<BTreeSet<VariableId>> = operands
        .iter()
        .map(|operand| changed(program, *operand))
        .collect();
    changed.iter().enumerate().any(|(at, changed)| {
        let mut others = operands
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        !changed.is_empty() && others.any(|(_, other)| reads(program, *other, changed))
    })
}

fn is_ordered(program: &Program, id: ExprId) -> bool {
    matches!(
        program.expr(id).kind,
        ExprKind::Logical(_)
            | ExprKind::Comma
            | ExprKind::Conditional
            | ExprKind::StatementExpression(_)
            | ExprKind::Generic
    )
}

/// The variables that an expression changes by name, whatever else it does.
fn changed(program: &Program, id: ExprId) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        let expr = program.expr(id);
        // Where calls of other statements are involved, an order may be forced.
        if !expr.is_evaluated || matches!(expr.kind, ExprKind::StatementExpression(_)) {
            continue;
        }
        if matches!(
            expr.kind,
            ExprKind::Assign | ExprKind::CompoundAssign(_) | ExprKind::Step(_)
        ) && let Some(target) = program.operands(id).next()
            && let ExprKind::Variable(variable) = program.expr(target).kind
        {
            found.insert(variable);
        }
        waiting.extend(program.operands(id));
    }
    found
}

/// Whether an expression reads one of the variables by name.
fn reads(program: &Program, id: ExprId, variables: &BTreeSet<VariableId>) -> bool {
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        let expr = program.expr(id);
        if !expr.is_evaluated || matches!(expr.kind, ExprKind::StatementExpression(_)) {
            continue;
        }
        if let ExprKind::Variable(variable) = expr.kind
            && expr.own_effects.intersects(Effects::READS)
            && variables.contains(&variable)
        {
            return true;
        }
        waiting.extend(program.operands(id));
    }
    false
}
