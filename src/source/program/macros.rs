//! The macros that a text defines, for rules that ask what the use of a macro may hide.

use super::tokens::{Token, TokenKind, Tokens, mentions};
use std::collections::HashSet;

/// A `#define`.
pub(super) struct MacroDefinition<'s> {
    pub(super) name: &'s [u8],
    /// `None` if it is used without parentheses.
    pub(super) parameters: Option<Vec<&'s [u8]>>,
    pub(super) body: &'s [u8],
}

/// What a directive defines, if it is a definition.
pub(super) fn definition(directive: &[u8]) -> Option<MacroDefinition<'_>> {
    let text = match directive {
        [b'#', rest @ ..] | [b'%', b':', rest @ ..] => rest,
        _ => return None,
    };
    // Not at the start of a line, so that a second `#` is an operator.
    let tokens = Tokens::within_line(text);
    let [define, name, rest @ ..] = tokens.starting_at(0) else {
        return None;
    };
    if tokens.text(*define) != b"define" {
        return None;
    }
    let mut start = name.span.end as usize;
    let parameters = (text.get(start) == Some(&b'(')).then(|| {
        let is_end = |token: &&Token| token.kind == TokenKind::Punctuation(b')');
        let end = rest.iter().find(is_end);
        start = end.map_or(text.len(), |token| token.span.end as usize);
        let inside = rest
            .iter()
            .take_while(|token| token.span.end as usize <= start);
        let words = inside.filter(|token| token.kind == TokenKind::Word);
        let words = words.map(|token| tokens.text(*token));
        words.chain([&b"__VA_ARGS__"[..]]).collect()
    });
    Some(MacroDefinition {
        name: tokens.text(*name),
        parameters,
        body: &text[start..],
    })
}

/// The macros that may hide a part of the declaration of a struct, union or enum.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeMacros {
    /// Those that may become a brace, and those that may become one of the keywords.
    braces: HashSet<Vec<u8>>,
    keywords: HashSet<Vec<u8>>,
}

const KEYWORDS: [&[u8]; 3] = [b"struct", b"union", b"enum"];

impl TypeMacros {
    /// Those that a text defines anywhere, whether or not they are in force.
    pub(super) fn of(text: &[u8]) -> TypeMacros {
        if !mentions(text, b"define") {
            return TypeMacros::default();
        }
        let tokens = Tokens::new(text, &[]);
        let directives = tokens.directives().map(|token| tokens.text(token));
        let macros: Vec<(Vec<u8>, Tokens<'_>)> = directives
            .filter_map(definition)
            .map(|found| (found.name.to_vec(), Tokens::within_line(found.body)))
            .collect();
        let mut found = TypeMacros::default();
        // A macro may name one that is defined later.
        loop {
            let before = (found.braces.len(), found.keywords.len());
            for (name, body) in &macros {
                if found.has_brace(body) {
                    found.braces.insert(name.clone());
                }
                if found.has_keyword(body) {
                    found.keywords.insert(name.clone());
                }
            }
            if (found.braces.len(), found.keywords.len()) == before {
                return found;
            }
        }
    }

    /// Whether a text may declare a struct, union or enum.
    pub(crate) fn may_declare(&self, text: &[u8]) -> bool {
        let may_have_brace = || text.contains(&b'{') || text.windows(2).any(|two| two == b"<%");
        if self.braces.is_empty() && !may_have_brace() {
            return false;
        }
        let tokens = Tokens::within_line(text);
        self.has_brace(&tokens) && self.has_keyword(&tokens)
    }

    fn has_brace(&self, tokens: &Tokens<'_>) -> bool {
        tokens.starting_at(0).iter().any(|token| match token.kind {
            TokenKind::Punctuation(b'{') => true,
            TokenKind::Word => self.braces.contains(tokens.text(*token)),
            _ => false,
        })
    }

    fn has_keyword(&self, tokens: &Tokens<'_>) -> bool {
        let mut words = tokens.starting_at(0).iter();
        words.any(|token| {
            let text = tokens.text(*token);
            KEYWORDS.iter().any(|word| tokens.is_word(*token, word)) || self.keywords.contains(text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_taken_apart() {
        let found = definition(b"# define F( a, /* b */ c ) a + #c").unwrap();
        assert_eq!(found.name, b"F");
        assert_eq!(found.parameters.unwrap(), [&b"a"[..], b"c", b"__VA_ARGS__"]);
        assert_eq!(found.body, b" a + #c");
        let found = definition(b"%:define X (1)").unwrap();
        assert!(found.parameters.is_none());
        assert_eq!(found.body, b" (1)");
        assert!(definition(b"#undef X").is_none());
    }

    #[test]
    fn a_type_may_be_declared_behind_macros() {
        let text = b"#define E enum BODY\n#define BODY { Q = 3 }\n#define S struct\n#define N 3\n";
        let macros = TypeMacros::of(text);
        for text in ["sizeof(E)", "sizeof(S { int x; })", "sizeof(union BODY)"] {
            assert!(macros.may_declare(text.as_bytes()), "{text}");
        }
        for text in ["sizeof(S t)", "x + N", "sizeof(int)", "({ x; })"] {
            assert!(!macros.may_declare(text.as_bytes()), "{text}");
        }
        assert!(TypeMacros::default().may_declare(b"sizeof(struct { int x; })"));
        assert!(TypeMacros::default().may_declare(b"sizeof(enum <% A %>)"));
    }
}
