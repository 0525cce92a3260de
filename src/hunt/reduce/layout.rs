//! Laying out a text for readers: one statement per line, blocks indented.

use crate::source::program::{Token, TokenKind, Tokens};

/// The same tokens with other white space.
pub(super) fn lay_out(text: &[u8]) -> Vec<u8> {
    let tokens = Tokens::new(text, &[]).starting_at(0).to_vec();
    let mut page = Page {
        text,
        out: Vec::with_capacity(text.len()),
        indent: 0,
        nesting: 0,
        open: Vec::new(),
    };
    for (at, token) in tokens.iter().enumerate() {
        page.put(*token, &tokens[..at], tokens.get(at + 1).copied());
    }
    page.newline();
    page.out
}

struct Page<'t> {
    text: &'t [u8],
    out: Vec<u8>,
    indent: usize,
    /// Parentheses and brackets that are open.
    nesting: usize,
    /// The braces that are open.
    open: Vec<Brace>,
}

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    Statements,
    /// The members of a struct, union or enum; a name may follow.
    Members,
    Values,
}

impl Page<'_> {
    fn put(&mut self, token: Token, before: &[Token], next: Option<Token>) {
        let mut closed = None;
        match token.kind {
            TokenKind::Directive => {
                self.newline();
                self.write(token);
                self.newline();
                return;
            }
            TokenKind::Punctuation(b'}') => {
                closed = self.open.pop();
                if closed != Some(Brace::Values) {
                    self.indent = self.indent.saturating_sub(1);
                    self.newline();
                }
            }
            _ => {}
        }
        let starts_line = self.out.last().is_none_or(|byte| *byte == b'\n');
        if starts_line {
            self.out.extend(std::iter::repeat_n(b' ', 2 * self.indent));
        } else if before
            .last()
            .is_some_and(|last| self.is_apart(*last, token))
        {
            self.out.push(b' ');
        }
        self.write(token);
        match token.kind {
            TokenKind::Punctuation(b'(' | b'[') => self.nesting += 1,
            TokenKind::Punctuation(b')' | b']') => self.nesting = self.nesting.saturating_sub(1),
            TokenKind::Punctuation(b'{') => {
                let brace = self.brace(before);
                self.open.push(brace);
                if brace != Brace::Values {
                    self.indent += 1;
                    self.newline();
                }
            }
            TokenKind::Punctuation(b';') if self.nesting == 0 => self.newline(),
            TokenKind::Punctuation(b'}') if closed == Some(Brace::Statements) => {
                let goes_on = next.is_some_and(|next| self.follows_brace(next));
                if !goes_on && self.nesting == 0 {
                    self.newline();
                }
            }
            _ => {}
        }
    }

    /// What a brace after these tokens holds.
    fn brace(&self, before: &[Token]) -> Brace {
        let is_in_values = self.open.last() == Some(&Brace::Values);
        let last = before.last().map(|token| token.kind);
        let is_literal = self.nesting > 0 && last == Some(TokenKind::Punctuation(b')'));
        let is_record = before.iter().rev().take(2).any(|token| {
            let text = &self.text[token.span.range()];
            [&b"struct"[..], b"union", b"enum"].contains(&text)
        });
        if is_in_values || is_literal || last == Some(TokenKind::Punctuation(b'=')) {
            Brace::Values
        } else if is_record {
            Brace::Members
        } else {
            Brace::Statements
        }
    }

    /// Whether a closing brace and this token share a line.
    fn follows_brace(&self, next: Token) -> bool {
        let text = &self.text[next.span.range()];
        match next.kind {
            TokenKind::Punctuation(byte) => byte != b'}' && byte != b'{' && byte != b'*',
            TokenKind::Word => text == b"else" || text == b"while",
            _ => false,
        }
    }

    /// Whether white space stood between the tokens, or should.
    fn is_apart(&self, before: Token, token: Token) -> bool {
        let was_apart = before.span.end < token.span.start;
        match (before.kind, token.kind) {
            (TokenKind::Punctuation(b'(' | b'['), _) => false,
            (_, TokenKind::Punctuation(b')' | b']' | b',' | b';')) => false,
            (TokenKind::Punctuation(b'{' | b'}'), _) | (_, TokenKind::Punctuation(b'{')) => true,
            (TokenKind::Punctuation(b';' | b','), _) => true,
            _ => was_apart,
        }
    }

    fn write(&mut self, token: Token) {
        self.out.extend_from_slice(&self.text[token.span.range()]);
    }

    fn newline(&mut self) {
        if self.out.last().is_some_and(|byte| *byte != b'\n') {
            self.out.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lay_out;

    #[test]
    fn statements_get_lines_and_blocks_are_indented() {
        let text = "struct s { int a; int b : 3; } x = { 1, { 2 } };  int  f( int a )\n{\n\n \
                    if (a){ return 1;}else{for (;;) { a ++ ; break; } } return g((struct s){ 3 }); }";
        let expected = "\
struct s {
  int a;
  int b : 3;
} x = { 1, { 2 } };
int f(int a) {
  if (a) {
    return 1;
  } else {
    for (;;) {
      a ++;
      break;
    }
  }
  return g((struct s) { 3 });
}
";
        assert_eq!(
            String::from_utf8(lay_out(text.as_bytes())).unwrap(),
            expected
        );
    }

    #[test]
    fn directives_keep_their_lines() {
        let text = b"int a;\n#define B 1\n#if B\nint b; int c;\n#endif\n";
        let expected = "int a;\n#define B 1\n#if B\nint b;\nint c;\n#endif\n";
        assert_eq!(String::from_utf8(lay_out(text)).unwrap(), expected);
    }
}
