//! Functions: dropping whole ones with their calls, and parameters with their
//! arguments.

use super::draft::{Draft, Rewrite, closing, pieces, span_of};
use super::items::{TopLevelItem, items};
use crate::source::program::{FunctionId, Qualified, SeedType, Span, TokenKind};

/// Drops each function, replacing its calls by a constant.
pub(super) fn drop_each(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let items = items(draft);
    let mut changes = Vec::new();
    for (id, function, _) in program.definitions() {
        if function.name == "main" {
            continue;
        }
        let SeedType::Function { result, .. } = program.types.get(function.ty.id) else {
            continue;
        };
        let Some(constant) = constant(draft, *result) else {
            continue;
        };
        let own = items.iter().filter(|item| item.defines == Some(id));
        let mut change = own.fold(Rewrite::new(), |change, item| change.delete(item.span));
        for span in calls(draft, id) {
            change = change.replace(span, constant.as_bytes());
        }
        changes.push(change);
    }
    changes
}

/// The calls of a function that are not inside macros.
pub(super) fn calls(draft: &Draft, id: FunctionId) -> impl Iterator<Item = Span> + '_ {
    let of = move |call: &&crate::source::program::Call| call.function == Some(id);
    draft.program.calls.iter().filter(of).map(|call| call.span)
}

/// A value of the type, as C text.
fn constant(draft: &Draft, ty: Qualified) -> Option<String> {
    Some(match draft.program.types.get(ty.id) {
        SeedType::Void => "(void)0".into(),
        SeedType::Record(id) => {
            let record = draft.program.types.record(*id);
            let keyword = if record.is_union { "union" } else { "struct" };
            match (&record.tag, &record.typedef) {
                (Some(tag), _) => format!("({keyword} {tag}){{0}}"),
                (None, Some(name)) => format!("({name}){{0}}"),
                (None, None) => return None,
            }
        }
        _ => "0".into(),
    })
}

/// Drops each parameter from declarations and calls, replacing its uses by a constant.
pub(super) fn drop_parameters(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let mut changes = Vec::new();
    for (id, function, definition) in program.definitions() {
        for (index, &parameter) in definition.parameters.iter().enumerate() {
            let heads = lists(draft, &function.name, index, definition.parameters.len());
            let mut change = heads.fold(Rewrite::new(), Rewrite::delete);
            for span in calls(draft, id) {
                if let Some(argument) = argument(draft, span, index) {
                    change = change.delete(argument);
                }
            }
            if let Some(constant) = constant(draft, program.variable(parameter).ty) {
                let uses = program
                    .uses
                    .iter()
                    .filter(|used| used.variable == parameter);
                for used in uses.filter(|used| !used.is_in_macro) {
                    change = change.replace(used.span, constant.as_bytes());
                }
            }
            changes.push(change);
        }
    }
    changes
}

/// The definition and the prototypes of a function: the item, and the place of the opening
/// bracket of the parameters among its tokens.
pub(super) fn heads<'d>(
    draft: &'d Draft,
    name: &'d str,
) -> impl Iterator<Item = (TopLevelItem, usize)> + 'd {
    items(draft).into_iter().filter_map(move |item| {
        let tokens = draft.tokens_in(item.span);
        let at = tokens
            .iter()
            .position(|token| draft.is(*token, name.as_bytes()))?;
        let is_head = tokens.get(at + 1)?.kind == TokenKind::Punctuation(b'(');
        let before_body = tokens[..at]
            .iter()
            .all(|token| !matches!(token.kind, TokenKind::Punctuation(b'{' | b'=')));
        (is_head && before_body).then_some((item, at + 1))
    })
}

/// The spans of a parameter in the definition and the prototypes of a function.
pub(super) fn lists<'d>(
    draft: &'d Draft,
    name: &'d str,
    index: usize,
    count: usize,
) -> impl Iterator<Item = Span> + 'd {
    heads(draft, name)
        .filter(move |_| index < count)
        .filter_map(move |(item, open)| element(draft, item.span, open, index))
}

/// An argument of a call with the comma next to it.
pub(super) fn argument(draft: &Draft, call: Span, index: usize) -> Option<Span> {
    let tokens = draft.tokens_in(call);
    let last = tokens.len().checked_sub(1)?;
    let open = (0..last).find(|&at| {
        tokens[at].kind == TokenKind::Punctuation(b'(') && closing(tokens, at) == Some(last)
    })?;
    element(draft, call, open, index)
}

/// The arguments of a call without commas; `None` if its brackets are not found.
pub(super) fn arguments(draft: &Draft, call: Span) -> Option<Vec<Span>> {
    let tokens = draft.tokens_in(call);
    let last = tokens.len().checked_sub(1)?;
    let open = (0..last).find(|&at| {
        tokens[at].kind == TokenKind::Punctuation(b'(') && closing(tokens, at) == Some(last)
    })?;
    let list = &tokens[open + 1..last];
    if list.is_empty() {
        return Some(vec![]);
    }
    pieces(list).into_iter().map(span_of).collect()
}

/// One element of the list in brackets that starts at token `open` of a span,
/// with the comma next to it.
fn element(draft: &Draft, within: Span, open: usize, index: usize) -> Option<Span> {
    let tokens = draft.tokens_in(within);
    let close = closing(tokens, open)?;
    let list = &tokens[open + 1..close];
    let parts = pieces(list);
    let own = span_of(parts.get(index)?)?;
    Some(if index > 0 {
        let before = span_of(parts[index - 1])?;
        Span::new(before.end, own.end)
    } else if let Some(next) = parts.get(1) {
        Span::new(own.start, span_of(next)?.start)
    } else {
        own
    })
}
