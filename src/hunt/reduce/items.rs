//! Items at file level: dropping unneeded declarations, then any that can go.

use super::draft::{Draft, Rewrite, closing, outermost};
use crate::source::program::{FunctionId, Span, Token, TokenKind};
use std::collections::{BTreeSet, HashMap};

/// A declaration, definition or directive at file level.
#[derive(Clone, Debug)]
pub(super) struct TopLevelItem {
    pub(super) span: Span,
    /// The function it defines.
    pub(super) defines: Option<FunctionId>,
    /// The names it declares.
    names: BTreeSet<Vec<u8>>,
}

/// Cuts the text into items.
pub(super) fn items(draft: &Draft) -> Vec<TopLevelItem> {
    let mut bodies: HashMap<u32, FunctionId> = HashMap::new();
    for (id, _, definition) in draft.program.definitions() {
        let body = draft.program.statement(definition.body());
        bodies.insert(body.span.start, id);
    }
    let mut items = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < draft.tokens.len() {
        let token = draft.tokens[at];
        let mut defines = None;
        let ends = match token.kind {
            TokenKind::Directive => start == at,
            TokenKind::Punctuation(b';') => true,
            TokenKind::Punctuation(b'(' | b'[' | b'{') => {
                defines = bodies.get(&token.span.start).copied();
                at = closing(&draft.tokens, at).unwrap_or(draft.tokens.len() - 1);
                defines.is_some()
            }
            _ => false,
        };
        if ends {
            items.push(item(draft, &draft.tokens[start..=at], defines));
            start = at + 1;
        }
        at += 1;
    }
    items
}

fn item(draft: &Draft, tokens: &[Token], defines: Option<FunctionId>) -> TopLevelItem {
    let span = Span::new(tokens[0].span.start, tokens[tokens.len() - 1].span.end);
    let file_scope = &draft.program.scopes[0].names;
    let mut names: BTreeSet<Vec<u8>> = file_scope
        .iter()
        .filter(|name| span.start < name.from && name.from <= span.end)
        .map(|name| name.text.clone().into_bytes())
        .collect();
    match defines {
        Some(id) => {
            names.insert(draft.program.function(id).name.clone().into_bytes());
        }
        // A prototype that is not the first of its function.
        None => {
            let outer = outermost(tokens);
            let calls = outer.windows(2).find(|pair| {
                let opens = pair[1].1.kind == TokenKind::Punctuation(b'(');
                opens && pair[0].1.kind == TokenKind::Word && !is_keyword(draft, pair[0].1)
            });
            names.extend(calls.map(|pair| draft.text(pair[0].1.span).to_vec()));
        }
    }
    TopLevelItem {
        span,
        defines,
        names,
    }
}

fn is_keyword(draft: &Draft, token: Token) -> bool {
    let text = draft.text(token.span);
    text.starts_with(b"__") && !text.starts_with(b"__builtin") || text == b"typeof"
}

/// One change that deletes everything not reachable from `main` by names.
pub(super) fn sweep(draft: &Draft) -> Vec<Rewrite> {
    let items = items(draft);
    let mut declaring: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        for name in &item.names {
            declaring.entry(name).or_default().push(index);
        }
    }
    let mut is_needed = vec![false; items.len()];
    let mut next: Vec<usize> = declaring.get(&b"main"[..]).cloned().unwrap_or_default();
    // Directives, attributes and `asm` at file level declare no names.
    next.extend(
        (0..items.len()).filter(|&at| items[at].names.is_empty() && is_odd(draft, &items[at])),
    );
    while let Some(index) = next.pop() {
        if std::mem::replace(&mut is_needed[index], true) {
            continue;
        }
        for token in draft.tokens_in(items[index].span) {
            if token.kind == TokenKind::Word
                && let Some(needed) = declaring.get(draft.text(token.span))
            {
                next.extend(needed);
            }
        }
    }
    let unneeded = items.iter().zip(is_needed).filter(|(_, needed)| !needed);
    let change = unneeded.fold(Rewrite::new(), |change, (item, _)| change.delete(item.span));
    if change.is_empty() {
        vec![]
    } else {
        vec![change]
    }
}

/// Whether an item is not a plain declaration.
fn is_odd(draft: &Draft, item: &TopLevelItem) -> bool {
    let tokens = draft.tokens_in(item.span);
    tokens[0].kind == TokenKind::Directive
        || draft.is(tokens[0], b"__asm__")
        || draft.is(tokens[0], b"asm")
}

/// Each item but `main` by itself.
pub(super) fn drop_each(draft: &Draft) -> Vec<Rewrite> {
    items(draft)
        .iter()
        .filter(|item| !item.names.contains(&b"main"[..]))
        .map(|item| Rewrite::new().delete(item.span))
        .collect()
}
