//! Vectors to arrays: the attribute goes, and the elements are counted in brackets.

use super::draft::{Draft, Rewrite, closing};
use crate::source::program::{SeedType, Span, Token, TokenKind};
use std::collections::BTreeSet;

/// Makes an array of each type or variable that is declared with `vector_size`. The name must
/// stand right before or behind the attribute, and the size must be that of a vector of the
/// program, which tells how many elements there are.
pub(super) fn to_arrays(draft: &Draft) -> Vec<Rewrite> {
    let attributes = draft.tokens.iter().enumerate().filter(|(_, token)| {
        let text = draft.text(token.span);
        text == b"__attribute__" || text == b"__attribute"
    });
    let found = attributes.filter_map(|(at, _)| to_array(draft, at));
    found.flatten().collect()
}

/// One change for each number of elements that vectors of this size have.
fn to_array(draft: &Draft, at: usize) -> Option<Vec<Rewrite>> {
    let tokens = &draft.tokens;
    let close = closing(tokens, at + 1)?;
    let inside = &tokens[at + 1..close];
    let says = |token: &Token| {
        let text = draft.text(token.span);
        text == b"vector_size" || text == b"__vector_size__"
    };
    let word = inside.iter().position(says)?;
    let size = std::str::from_utf8(draft.text(inside.get(word + 2)?.span)).ok()?;
    let size: u64 = size.parse().ok()?;
    let attribute = Span::new(tokens[at].span.start, tokens[close].span.end);
    let is_name = |token: &Token| token.kind == TokenKind::Word;
    // `typedef int v __attribute__((…));` or `typedef int __attribute__((…)) v;`
    let behind = tokens.get(close + 1).filter(|token| is_name(token));
    let name = behind.or(tokens
        .get(at.checked_sub(1)?)
        .filter(|token| is_name(token)))?;
    let lengths: BTreeSet<u64> = draft
        .program
        .types
        .types
        .iter()
        .filter_map(|info| match info.ty {
            SeedType::Vector { length, .. } if info.size == Some(size) => Some(length),
            _ => None,
        })
        .collect();
    let text = String::from_utf8_lossy(draft.text(name.span));
    let changes = lengths.iter().map(|length| {
        let array = format!("{text}[{length}]");
        Rewrite::new().delete(attribute).replace(name.span, array)
    });
    Some(changes.collect())
}

#[cfg(test)]
mod tests {
    use super::super::draft::{proposed, refuses};
    use super::to_arrays;

    #[test]
    fn a_vector_type_becomes_an_array_type() {
        let text = "typedef int v __attribute__((vector_size(16)));
            v a; int main(void) { return a[1]; }";
        let array = "typedef int v[4]; v a; int main(void) { return a[1]; }";
        assert_eq!(proposed(text, to_arrays), [array]);
        let text = "typedef short __attribute__((__vector_size__(8))) v;
            v a; int main(void) { return a[1]; }";
        let array = "typedef short v[4]; v a; int main(void) { return a[1]; }";
        assert_eq!(proposed(text, to_arrays), [array]);
    }

    #[test]
    fn other_attributes_and_sizes_are_refused() {
        let texts = [
            "int a __attribute__((aligned(16))); int main(void) { return a; }",
            "typedef int v __attribute__((vector_size(2 * 8))); v a; int main(void) { return 0; }",
        ];
        refuses(to_arrays, &texts);
    }
}
