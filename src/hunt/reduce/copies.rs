//! Copy propagation: what a variable was set to, in the place of the variable.

use super::declarators::Declarators;
use super::draft::{Draft, Rewrite};
use crate::source::program::{
    Access, ExprId, ExprKind, Role, Statement, StatementId, StatementKind, Use, VariableId,
};

/// Replaces each variable that is set once by what it is set to, unless the text grows.
/// Refused if its address is taken or a macro hides a use.
pub(super) fn propagate(draft: &Draft) -> Vec<Rewrite> {
    let declarators = Declarators::new(draft);
    let ids = (0..draft.program.variables.len()).map(VariableId::new);
    let found = ids.filter_map(|id| {
        let (value, change) = only_value(draft, id)?;
        let change = declarators.of(id)?.remove(draft, change);
        Some(reads(draft, id)?.fold(change, |change, used| {
            change.replace(used.span, operand(draft, value))
        }))
    });
    draft.without_growth(found.collect())
}

/// The one value that a variable gets, and the change that takes the assignment away.
fn only_value(draft: &Draft, id: VariableId) -> Option<(ExprId, Rewrite)> {
    let program = &draft.program;
    let mut writes = program
        .uses
        .iter()
        .filter(|used| used.variable == id && used.access != Access::Read);
    match (program.variable(id).initial, writes.next(), writes.next()) {
        (Some(initial), None, None) => {
            let is_value = program.expr(initial).kind != ExprKind::InitList;
            is_value.then(|| (initial, Rewrite::new()))
        }
        (None, Some(written), None) => {
            let assignment = assignment(draft, written)?;
            let change = Rewrite::new();
            Some((
                assignment.value,
                without(draft, assignment.statement, change),
            ))
        }
        _ => None,
    }
}

/// `x = value;` as a statement.
struct Assignment {
    value: ExprId,
    statement: StatementId,
}

fn assignment(draft: &Draft, written: &Use) -> Option<Assignment> {
    let program = &draft.program;
    let whole = program.expr(written.expr).parent?;
    let mut operands = program.operands(whole);
    let is_it = program.expr(whole).kind == ExprKind::Assign
        && program.expr(whole).parent.is_none()
        && operands.next() == Some(written.expr);
    let value = operands.next()?;
    let statement = program.statement_ids().find(|&id| {
        let statement = program.statement(id);
        let mut parts = statement.parts.iter();
        statement.kind == StatementKind::Expression
            && statement.end_is_known
            && parts.any(|part| part.exprs.start == whole.0)
    })?;
    is_it.then_some(Assignment { value, statement })
}

/// The change, and the statement is gone.
fn without(draft: &Draft, id: StatementId, change: Rewrite) -> Rewrite {
    let statement = draft.program.statement(id);
    match statement.role {
        Role::Item => change.delete(statement.span),
        _ => change.replace(statement.span, ";"),
    }
}

/// The reads of a variable; `None` if a macro hides one.
fn reads(draft: &Draft, id: VariableId) -> Option<impl Iterator<Item = &Use>> {
    let reads = move || {
        let uses = draft.program.uses.iter();
        uses.filter(move |used| used.variable == id && used.access == Access::Read)
    };
    let is_hidden = reads().any(|used| used.is_in_macro);
    (!is_hidden && reads().next().is_some()).then(reads)
}

/// The text of an expression that may stand anywhere.
fn operand(draft: &Draft, id: ExprId) -> Vec<u8> {
    let expr = draft.program.expr(id);
    let text = draft.text(expr.outer);
    let is_leaf = matches!(
        expr.kind,
        ExprKind::Variable(_) | ExprKind::Integer(_) | ExprKind::Floating | ExprKind::String
    );
    if is_leaf || expr.is_parenthesised() {
        text.to_vec()
    } else {
        [b"(", text, b")"].concat()
    }
}

/// Replaces a variable in the statement that follows its assignment, which goes, unless the
/// text grows. Refused if that statement may write the variable.
pub(super) fn forward(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let found = program.uses.iter().filter_map(|written| {
        if written.access != Access::Write || written.is_partial || written.is_in_macro {
            return None;
        }
        let assignment = assignment(draft, written)?;
        let next = following(draft, program.statement(assignment.statement))?;
        let span = program.statement(next).span;
        let inside: Vec<&Use> = program
            .uses
            .iter()
            .filter(|used| used.variable == written.variable && span.contains(used.span))
            .collect();
        let is_read = |used: &&Use| used.access == Access::Read && !used.is_in_macro;
        if inside.is_empty() || !inside.iter().all(is_read) {
            return None;
        }
        let value = operand(draft, assignment.value);
        let change = without(draft, assignment.statement, Rewrite::new());
        let change = inside.iter().fold(change, |change, used| {
            change.replace(used.span, value.as_slice())
        });
        Some(change)
    });
    draft.without_growth(found.collect())
}

/// The statement right behind another one of its block.
fn following(draft: &Draft, statement: &Statement) -> Option<StatementId> {
    let program = &draft.program;
    let siblings = &program.statement(statement.parent?).children;
    let mut behind = siblings
        .iter()
        .filter(|id| program.statement(**id).span.start >= statement.span.end);
    behind
        .next()
        .copied()
        .filter(|_| statement.role == Role::Item)
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::*;

    #[test]
    fn an_initial_value_takes_the_place_of_its_variable() {
        let text = "int g; int main(void) { int a = g, b = a + 1; return b; }";
        assert_eq!(
            proposed(text, propagate),
            [
                "int g; int main(void) { int b = g + 1; return b; }",
                "int g; int main(void) { int a = g; return (a + 1); }",
            ]
        );
    }

    #[test]
    fn so_does_what_is_assigned_once() {
        let text = "int g, x; int main(void) { int a; if (x) a = g; return a; }";
        let left = "int g, x; int main(void) { if (x); return g; }";
        assert_eq!(proposed(text, propagate), [left]);
    }

    #[test]
    fn variables_that_change_or_have_an_address_are_refused() {
        for text in [
            "int main(void) { int a = 1; a++; return a; }",
            "int main(void) { int a = 1, *p = &a; *p = 2; return a + *p; }",
            "int f(int a) { return a; } int main(void) { return f(1); }",
            "int main(void) { int a[1] = { 2 }; return a[0]; }",
            "int g; int main(void) { int a = g * 3 + 1; return a + a * a; }",
        ] {
            let of_a = |text: &String| !text.contains(" a");
            assert!(!proposed(text, propagate).iter().any(of_a), "{text}");
        }
    }

    #[test]
    fn an_assignment_goes_into_the_next_statement() {
        let text = "int g, a; int main(void) { a = 1; g = a; a = 2; return a; }";
        assert_eq!(
            proposed(text, forward),
            [
                "int g, a; int main(void) { g = 1; a = 2; return a; }",
                "int g, a; int main(void) { a = 1; g = a; return 2; }",
            ]
        );
        let text = "int a; int main(void) { a = 1; a += a; return 0; }";
        assert!(proposed(text, forward).is_empty());
    }
}
