//! Unions to structs: whatever the members share then has a place of its own.

use super::draft::{Draft, Rewrite};
use crate::source::program::{Token, TokenKind};

/// Makes a struct of each union, wherever its name stands; those without a name one by one.
pub(super) fn to_structs(draft: &Draft) -> Vec<Rewrite> {
    let mut changes = Vec::new();
    let mut tags: Vec<&[u8]> = Vec::new();
    for (word, name) in unions(draft) {
        match name {
            None => changes.push(Rewrite::new().replace(word.span, "struct")),
            Some(name) if tags.contains(&name) => {}
            Some(name) => {
                tags.push(name);
                let same = unions(draft).filter(|(_, other)| *other == Some(name));
                changes.push(same.fold(Rewrite::new(), |change, (word, _)| {
                    change.replace(word.span, "struct")
                }));
            }
        }
    }
    changes
}

/// The words `union`, each with the tag behind it.
fn unions(draft: &Draft) -> impl Iterator<Item = (Token, Option<&[u8]>)> {
    let all = draft.tokens.iter().enumerate();
    let unions = all.filter(|(_, token)| draft.is(**token, b"union"));
    unions.map(|(at, token)| {
        let next = draft.tokens.get(at + 1);
        let tag = next.filter(|next| next.kind == TokenKind::Word);
        (*token, tag.map(|tag| draft.text(tag.span)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::to_structs;

    #[test]
    fn all_words_of_one_union_change_together() {
        let text = "union u { int a; char b; }; union v { int c; }; union u x;
            int main(void) { union { int d; } y; return sizeof(union u); }";
        assert_eq!(
            proposed(text, to_structs),
            [
                "struct u { int a; char b; }; union v { int c; }; struct u x; \
                 int main(void) { union { int d; } y; return sizeof(struct u); }",
                "union u { int a; char b; }; struct v { int c; }; union u x; \
                 int main(void) { union { int d; } y; return sizeof(union u); }",
                "union u { int a; char b; }; union v { int c; }; union u x; \
                 int main(void) { struct { int d; } y; return sizeof(union u); }",
            ]
        );
    }

    #[test]
    fn structs_are_left() {
        let text = "struct s { int a; } x; int main(void) { return x.a; }";
        assert!(proposed(text, to_structs).is_empty());
    }
}
