//! Statements: deleting them level by level, and replacing them by their bodies.

use super::draft::{Draft, Rewrite, closing};
use crate::source::program::{
    NoPoint, PartRole, Role, Span, Statement, StatementId, StatementKind, TokenKind,
};

/// The depth of the deepest statement; function bodies have depth 0.
pub(super) fn depth(draft: &Draft) -> usize {
    let ids = draft.program.statement_ids();
    ids.map(|id| depth_of(draft, id)).max().unwrap_or(0)
}

fn depth_of(draft: &Draft, id: StatementId) -> usize {
    let parents = std::iter::successors(draft.program.statement(id).parent, |id| {
        draft.program.statement(*id).parent
    });
    parents.count()
}

/// Whether the text of a statement is all there and its own.
fn is_plain(statement: &Statement) -> bool {
    let is_foreign = matches!(
        statement.insertion,
        Err(NoPoint::InMacro | NoPoint::InInclude | NoPoint::AfterLineDirective)
    );
    statement.end_is_known && !is_foreign && statement.role != Role::FunctionBody
}

/// Deletes each statement of one level.
pub(super) fn delete_level(draft: &Draft, level: usize) -> Vec<Rewrite> {
    let ids = draft.program.statement_ids();
    ids.filter(|&id| depth_of(draft, id) == level)
        .filter_map(|id| delete(draft, draft.program.statement(id)))
        .collect()
}

fn delete(draft: &Draft, statement: &Statement) -> Option<Rewrite> {
    // Some places need a statement, if only an empty one.
    let is_needed = statement.kind == StatementKind::Null && statement.role != Role::Item;
    if !is_plain(statement) || is_needed {
        return None;
    }
    Some(match statement.role {
        Role::Item => Rewrite::new().delete(statement.span),
        Role::Else => {
            let parent = draft.program.statement(statement.parent?);
            let tokens = draft.tokens_in(Span::new(parent.span.start, statement.span.start));
            let word = tokens.last().filter(|token| draft.is(**token, b"else"))?;
            Rewrite::new().delete(Span::new(word.span.start, statement.span.end))
        }
        Role::InExpression | Role::FunctionBody => return None,
        Role::Then | Role::LoopBody | Role::SwitchBody | Role::Labelled => {
            if draft.text(statement.span) == b"{}" {
                return None;
            }
            Rewrite::new().replace(statement.span, ";")
        }
    })
}

/// Which part of a statement is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// The `then` of an `if`, the body of a loop or `switch`, what a label marks,
    /// the statements of a block.
    Body,
    /// The `else` of an `if`.
    Else,
    /// What an `if`, loop or `switch` tests.
    Condition,
}

/// Replaces each statement of one level by a part of itself.
pub(super) fn unwrap_level(draft: &Draft, level: usize, rest: Rest) -> Vec<Rewrite> {
    let ids = draft.program.statement_ids();
    ids.filter(|&id| depth_of(draft, id) == level)
        .map(|id| draft.program.statement(id))
        .filter(|statement| is_plain(statement))
        .filter_map(|statement| unwrap(draft, statement, rest))
        .collect()
}

fn unwrap(draft: &Draft, statement: &Statement, rest: Rest) -> Option<Rewrite> {
    let inner = |id: StatementId| draft.program.statement(id);
    if rest == Rest::Condition {
        let mut parts = statement.parts.iter();
        let condition = parts.find(|part| part.role == PartRole::Condition)?;
        let mut text = draft.text(condition.span).to_vec();
        text.push(b';');
        return Some(Rewrite::new().replace(statement.span, text));
    }
    let kept = match (&statement.kind, rest) {
        (StatementKind::If { then, .. }, Rest::Body) => inner(*then).span,
        (StatementKind::If { otherwise, .. }, Rest::Else) => inner((*otherwise)?).span,
        (_, Rest::Else) => return None,
        (
            StatementKind::While { body }
            | StatementKind::Do { body }
            | StatementKind::For { body, .. }
            | StatementKind::Switch { body },
            _,
        ) => inner(*body).span,
        (
            StatementKind::Label {
                inner: Some(id), ..
            }
            | StatementKind::Case { inner: Some(id) }
            | StatementKind::Default { inner: Some(id) }
            | StatementKind::Attributed { inner: id },
            _,
        ) => inner(*id).span,
        (StatementKind::Compound, _) if statement.role == Role::Item => {
            Span::new(statement.span.start + 1, statement.span.end - 1)
        }
        _ => return None,
    };
    let before = Span::new(statement.span.start, kept.start);
    let after = Span::new(kept.end, statement.span.end);
    Some(Rewrite::new().delete(before).delete(after))
}

/// Each function body that is more than its result, with nothing before it, and
/// each `for` whose clauses are more than its condition.
pub(super) fn clauses(draft: &Draft) -> Vec<Rewrite> {
    let mut changes = Vec::new();
    for statement in draft.program.statements.iter().filter(|s| is_plain(s)) {
        if !matches!(statement.kind, StatementKind::For { .. }) {
            continue;
        }
        let tokens = draft.tokens_in(statement.span);
        let Some(close) = closing(tokens, 1) else {
            continue;
        };
        let marks: Vec<usize> = (1..close)
            .filter(|&at| tokens[at].kind == TokenKind::Punctuation(b';'))
            .collect();
        let [first, second] = marks[..] else { continue };
        for (from, to) in [(1, first), (second, close)] {
            let span = Span::new(tokens[from].span.end, tokens[to].span.start);
            if from + 1 < to {
                changes.push(Rewrite::new().delete(span));
            }
        }
    }
    changes
}
