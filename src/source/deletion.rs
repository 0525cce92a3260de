//! Deleting a statement from the text of a program: whether that is possible, and
//! what must stay behind.
//!
//! A statement can be deleted if
//! - the text shows where it begins and ends, and it is a point, or the braced body
//!   of something, outside statement expressions;
//! - its kind is not one of those that are left alone, and it is not already empty;
//! - no preprocessor line or pragma is in it, and the program has no `__COUNTER__`,
//!   whose later values would change;
//! - it declares, if it is a declaration, automatic variables that nothing else
//!   mentions;
//! - outside its own scope, it declares no struct, union or enum;
//! - the `switch` around a `case` or `default` that goes with it has no fallthrough
//!   attribute, which would lose its label.
//!
//! Where C demands a statement, an empty one is left; where it demands a body, an empty
//! block. Named labels stay, since a `goto` elsewhere may need them, and so do line breaks,
//! since `__LINE__` counts them.

use crate::source::edit::Edits;
use crate::source::fit::{self, Unfit};
use crate::source::program::{
    NoPoint, PartRole, Program, Role, Span, Statement, StatementId, StatementKind, Storage, Tokens,
    VariableId, mentions,
};

/// Whether a statement can be deleted.
pub(crate) fn check(program: &Program, id: StatementId) -> Result<(), Unfit> {
    let found = program.statements.get(id.index());
    let statement = found.ok_or(Unfit::NoStatement(id))?;
    check_place(program, statement)?;
    fit::kind(statement)?;
    if let StatementKind::Declaration { variables } = &statement.kind {
        check_declaration(program, statement, variables)?;
    }
    check_text(program, statement)?;
    check_cases(program, id)
}

/// Deletes a statement; `instead`, which may be empty, takes its place behind its
/// labels.
pub(crate) fn delete(program: &Program, id: StatementId, instead: &str, edits: &mut Edits) {
    let statement = program.statement(id);
    edits.replace(statement.span, replacement(program, id, instead));
}

fn check_place(program: &Program, statement: &Statement) -> Result<(), Unfit> {
    match statement.insertion {
        Ok(_) => {}
        // Where a macro opens the block, its text does not start with a brace.
        Err(NoPoint::Body) if matches!(program.text(statement.span)[0], b'{' | b'<') => {}
        Err(reason) => return Err(Unfit::NoPoint(reason)),
    }
    if statement.end_is_known {
        Ok(())
    } else {
        Err(Unfit::EndUnknown)
    }
}

fn check_declaration(
    program: &Program,
    statement: &Statement,
    variables: &[VariableId],
) -> Result<(), Unfit> {
    let is_variable = |role| matches!(role, PartRole::Declarator(_));
    if !statement.parts.iter().all(|part| is_variable(part.role)) {
        return Err(Unfit::Declaration);
    }
    let function = program.function(statement.function);
    let definition = function.definition.as_ref();
    let body = definition.map_or(statement.span, |definition| definition.span);
    for &id in variables {
        let variable = program.variable(id);
        let is_mentioned = || {
            let name = variable.name.as_bytes();
            let before = Span::new(body.start, statement.span.start);
            let after = Span::new(statement.span.end, body.end);
            // Types can contain names too, as in `typeof(x)`, and are not searched.
            mentions(program.text(before), name) || mentions(program.text(after), name)
        };
        if variable.storage != Storage::Automatic {
            return Err(Unfit::Declaration);
        }
        if variable.is_used_elsewhere || is_mentioned() {
            return Err(Unfit::StillUsed(variable.name.clone()));
        }
    }
    Ok(())
}

fn check_text(program: &Program, statement: &Statement) -> Result<(), Unfit> {
    let text = program.text(statement.span);
    // A comment may precede the `#`, which may also be a trigraph.
    let has_directive = Tokens::within_line(text).directives().next().is_some();
    let has_trigraph = || text.windows(3).any(|three| three == b"??=");
    if has_directive || has_trigraph() || mentions(text, b"_Pragma") {
        return Err(Unfit::Directive);
    }
    if program.has_counter {
        return Err(Unfit::Counter);
    }
    if fit::declares_type(program, statement) {
        Err(Unfit::Declaration)
    } else {
        Ok(())
    }
}

/// Whether the enclosing switch would lose a label that a fallthrough attribute needs.
fn check_cases(program: &Program, id: StatementId) -> Result<(), Unfit> {
    if !program.has_case(id) {
        return Ok(());
    }
    let mut switch = program.statement(id);
    while let Some(parent) = switch.parent {
        switch = program.statement(parent);
        if matches!(switch.kind, StatementKind::Switch { .. }) {
            break;
        }
    }
    let says_so = program.text(switch.span).to_ascii_lowercase();
    let is_attributed = |inner: &Statement| {
        switch.span.contains(inner.span) && matches!(inner.kind, StatementKind::Attributed { .. })
    };
    let has_attribute = says_so.windows(11).any(|word| word == b"fallthrough")
        || program.statements.iter().any(is_attributed);
    if has_attribute {
        Err(Unfit::Fallthrough)
    } else {
        Ok(())
    }
}

/// What replaces a deleted statement: its labels, then `instead`.
fn replacement(program: &Program, id: StatementId, instead: &str) -> Vec<u8> {
    let statement = program.statement(id);
    let mut rest = String::new();
    labels(program, id, &mut rest);
    let is_body = statement.insertion.is_err();
    if !instead.is_empty() {
        rest.push_str(instead);
    } else if !rest.is_empty() || !(statement.role == Role::Item || is_body) {
        rest.push(';');
    }
    if is_body {
        rest = format!("{{ {rest} }}");
    }
    let lines = program.text(statement.span).iter();
    rest.extend(lines.filter(|byte| **byte == b'\n').map(|_| '\n'));
    rest.into_bytes()
}

fn labels(program: &Program, id: StatementId, text: &mut String) {
    let statement = program.statement(id);
    if let StatementKind::Label { name, .. } = &statement.kind {
        text.push_str(name);
        text.push_str(": ");
    }
    for child in &statement.children {
        labels(program, *child, text);
    }
}
