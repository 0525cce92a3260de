//! Tokens in a row: whatever is left that no other pass knows by name.

use super::draft::{Draft, Rewrite};
use crate::source::program::{Span, Token, TokenKind};

/// Larger texts have too many rows to try them all.
const MOST_TOKENS: usize = 600;

/// Deletes each row of so many tokens, if it closes all brackets that it opens.
pub(super) fn delete(draft: &Draft, length: usize) -> Vec<Rewrite> {
    if draft.tokens.len() > MOST_TOKENS {
        return vec![];
    }
    let rows = draft.tokens.windows(length);
    rows.filter(|row| is_closed(row))
        .map(|row| {
            let span = Span::new(row[0].span.start, row[length - 1].span.end);
            Rewrite::new().delete(span)
        })
        .collect()
}

fn is_closed(row: &[Token]) -> bool {
    let mut open = Vec::new();
    for token in row {
        match token.kind {
            TokenKind::Directive => return false,
            TokenKind::Punctuation(mark @ (b'(' | b'[' | b'{')) => open.push(mark),
            TokenKind::Punctuation(mark @ (b')' | b']' | b'}')) => {
                let opened = open.pop();
                let is_pair = matches!(
                    (opened, mark),
                    (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}')
                );
                if !is_pair {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::delete;

    #[test]
    fn rows_keep_brackets_in_pairs() {
        let text = "int main(void) { return 1; }";
        let rows = proposed(text, |draft| delete(draft, 3));
        assert_eq!(
            rows,
            ["int main { return 1; }", "int main(void) { }"],
            "{rows:?}"
        );
    }

    #[test]
    fn large_texts_and_directives_are_left() {
        let text = "int a;\n".repeat(300) + "int main(void) { return 0; }";
        assert!(proposed(&text, |draft| delete(draft, 1)).is_empty());
        let text = "#define A 1\nint main(void) { return A; }\n";
        // What is left of a row with the directive in it, or of one without its brackets.
        let rows = proposed(text, |draft| delete(draft, 5));
        assert!(
            rows.iter().all(|text| text.contains("#define A 1")),
            "{rows:?}"
        );
    }
}
