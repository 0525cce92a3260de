//! The declarations of variables as they stand in the text: which words all names of a
//! declaration share, and which belong to one name. Passes that drop or exchange a variable
//! ask here; parameters, and what a `for` declares, are not among them.

use super::draft::{Draft, Rewrite, outermost, pieces, span_of};
use super::items::items;
use crate::source::program::{Meaning, NoPoint, Span, StatementKind, Token, TokenKind, VariableId};
use std::collections::HashMap;

/// One name of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Declarator {
    /// The declaration with all of its names and the semicolon.
    pub(super) whole: Span,
    /// What all names share: `static int`, `struct s { … }`.
    pub(super) specifiers: Span,
    /// What belongs to this name: `*a[3] = { 0 }`.
    pub(super) own: Span,
    pub(super) name: Span,
    /// The value behind the `=`.
    pub(super) initial: Option<Span>,
    /// Its own text with the comma next to it; `None` for the only name of a declaration.
    with_comma: Option<Span>,
}

/// The declarators of a text, by variable.
pub(super) struct Declarators(HashMap<VariableId, Declarator>);

impl Declarators {
    pub(super) fn new(draft: &Draft) -> Declarators {
        let program = &draft.program;
        let names: HashMap<u32, VariableId> = program
            .scopes
            .iter()
            .flat_map(|scope| &scope.names)
            .filter_map(|name| match name.meaning {
                Meaning::Variable(id) => Some((name.from, id)),
                _ => None,
            })
            .collect();
        let locals = program.statements.iter().filter(|statement| {
            let is_foreign = matches!(
                statement.insertion,
                Err(NoPoint::InMacro | NoPoint::InInclude | NoPoint::AfterLineDirective)
            );
            let declares = matches!(statement.kind, StatementKind::Declaration { .. });
            declares && statement.end_is_known && !is_foreign
        });
        let locals = locals.map(|statement| statement.span);
        let globals = items(draft)
            .into_iter()
            .filter(|item| item.defines.is_none());
        let mut found = HashMap::new();
        for whole in locals.chain(globals.map(|item| item.span)) {
            found.extend(declarators(draft, whole, &names));
        }
        Declarators(found)
    }

    pub(super) fn of(&self, id: VariableId) -> Option<&Declarator> {
        self.0.get(&id)
    }
}

impl Declarator {
    /// The change, and the variable is not declared any more.
    pub(super) fn remove(&self, draft: &Draft, change: Rewrite) -> Rewrite {
        match self.with_comma {
            Some(span) => change.delete(span),
            // What the declaration says of types is needed elsewhere.
            None if draft.text(self.specifiers).contains(&b'{') => change.delete(self.own),
            None => change.delete(self.whole),
        }
    }

    /// The change, and other declarations stand in the place of the variable's.
    pub(super) fn replace(&self, draft: &Draft, change: Rewrite, text: &str) -> Rewrite {
        let is_alone = self.with_comma.is_none();
        if is_alone && !draft.text(self.specifiers).contains(&b'{') {
            return change.replace(self.whole, text);
        }
        let end = Span::new(self.whole.end - 1, self.whole.end);
        let text = format!("; {text}");
        self.remove(draft, change).replace(end, text)
    }

    /// Whether one of the shared words is this one.
    pub(super) fn says(&self, draft: &Draft, word: &[u8]) -> bool {
        let mut words = draft.tokens_in(self.specifiers).iter();
        words.any(|token| draft.is(*token, word))
    }
}

/// The names of one declaration.
fn declarators(
    draft: &Draft,
    whole: Span,
    names: &HashMap<u32, VariableId>,
) -> Vec<(VariableId, Declarator)> {
    let Some((end, tokens)) = draft.tokens_in(whole).split_last() else {
        return vec![];
    };
    if !draft.is(*end, b";") {
        return vec![];
    }
    let pieces = pieces(tokens);
    let mut found = Vec::new();
    let mut specifiers = None;
    for (index, piece) in pieces.iter().enumerate() {
        let Some(at) = piece
            .iter()
            .position(|token| names.contains_key(&token.span.start))
        else {
            return found;
        };
        let first = beginning(draft, piece, at);
        if index == 0 {
            specifiers = span_of(&piece[..first]);
        }
        let (Some(specifiers), Some(own)) = (specifiers, span_of(&piece[first..])) else {
            return found;
        };
        let with_comma = match (index, pieces.get(index + 1)) {
            (0, None) => None,
            (0, Some(next)) => span_of(next).map(|next| Span::new(own.start, next.start)),
            _ => span_of(pieces[index - 1]).map(|before| Span::new(before.end, own.end)),
        };
        let equals = outermost(piece)
            .into_iter()
            .find(|(_, token)| token.kind == TokenKind::Punctuation(b'='));
        let declarator = Declarator {
            whole,
            specifiers,
            own,
            name: piece[at].span,
            initial: equals.and_then(|(equals, _)| span_of(&piece[equals + 1..])),
            with_comma,
        };
        found.push((names[&piece[at].span.start], declarator));
    }
    found
}

/// Where the declarator of the name at `at` begins: stars, brackets and their qualifiers
/// belong to it.
fn beginning(draft: &Draft, piece: &[Token], at: usize) -> usize {
    let is_mark = |token: &Token| {
        matches!(
            token.kind,
            TokenKind::Punctuation(b'*') | TokenKind::Punctuation(b'(')
        )
    };
    let is_qualifier = |token: &Token| {
        let text = draft.text(token.span);
        [&b"const"[..], b"volatile", b"restrict", b"__restrict"].contains(&text)
    };
    let mut first = at;
    loop {
        let before = &piece[..first];
        let behind_mark = before
            .iter()
            .rposition(|token| !is_qualifier(token))
            .filter(|last| is_mark(&before[*last]));
        match behind_mark {
            Some(mark) => first = mark,
            None => return first,
        }
    }
}

/// Drops each variable that nothing uses, and leaves the other names of its declaration.
pub(super) fn drop_unused(draft: &Draft) -> Vec<Rewrite> {
    let declarators = Declarators::new(draft);
    let mut is_used = vec![false; draft.program.variables.len()];
    for used in &draft.program.uses {
        is_used[used.variable.index()] = true;
    }
    let unused = (0..is_used.len()).filter(|index| !is_used[*index]);
    let found = unused.filter_map(|index| declarators.of(VariableId::new(index)));
    found
        .map(|declarator| declarator.remove(draft, Rewrite::new()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::*;

    #[test]
    fn each_name_of_a_declaration_goes_by_itself() {
        let text = "int a, *b, c[2] = { 1, 2 }; int main(void) { int d = 1, e; return d + *b; }";
        assert_eq!(
            proposed(text, drop_unused),
            [
                "int *b, c[2] = { 1, 2 }; int main(void) { int d = 1, e; return d + *b; }",
                "int a, *b; int main(void) { int d = 1, e; return d + *b; }",
                "int a, *b, c[2] = { 1, 2 }; int main(void) { int d = 1; return d + *b; }",
            ]
        );
    }

    #[test]
    fn a_struct_stays_when_its_only_variable_goes() {
        let text = "struct s { int x; } a; int main(void) { return sizeof(struct s); }";
        let left = "struct s { int x; }; int main(void) { return sizeof(struct s); }";
        assert_eq!(proposed(text, drop_unused), [left]);
    }

    #[test]
    fn parameters_and_counters_of_loops_are_left() {
        let text = "int f(int a) { return 1; } int main(void) { for (int i = 0;;) return f(2); }";
        assert!(proposed(text, drop_unused).is_empty());
    }
}
