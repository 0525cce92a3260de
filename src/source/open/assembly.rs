//! Inline assembly whose effect compilers take from its word: what it reads, writes and leaves
//! behind is said by its operands, and nobody checks that they say all of it.
//!
//! Most assembly in tests has no instruction and only keeps an optimiser from knowing a value;
//! that is not open.

use crate::source::program::{Program, StatementKind, Token, TokenKind, Tokens};

/// Where the first such assembly stands.
pub(super) fn first(program: &Program) -> Option<u32> {
    let mut statements = program.statements.iter();
    if !statements.any(|statement| statement.kind == StatementKind::Asm) {
        return None;
    }
    let source = &program.source;
    let tokens = Tokens::new(source, &[]);
    let in_text = open_in(&tokens).map(|token| token.span.start);
    // What a macro stands for is looked at where the macro is defined.
    let mut directives = tokens.directives();
    let in_macro = directives.find(|directive| {
        let text = tokens.text(*directive);
        open_in(&Tokens::within_line(text)).is_some()
    });
    in_text.or(in_macro.map(|directive| directive.span.start))
}

/// The keyword of the first assembly that is open.
fn open_in(tokens: &Tokens<'_>) -> Option<Token> {
    let all = tokens.starting_at(0);
    let is_keyword = |token: Token| {
        let words: [&[u8]; 3] = [b"asm", b"__asm", b"__asm__"];
        words.iter().any(|word| tokens.is_word(token, word))
    };
    let at = (0..all.len()).find(|&at| {
        is_keyword(all[at]) && Assembly::read(tokens, &all[at + 1..]).is_some_and(|a| a.is_open())
    });
    at.map(|at| all[at])
}

/// What stands in the parentheses of `asm`, as the constraints of each section.
struct Assembly<'s> {
    /// Whether a word such as `volatile` says that it is no name of a symbol.
    is_qualified: bool,
    template: Vec<&'s [u8]>,
    /// Outputs, inputs, clobbers, labels.
    sections: Vec<Vec<&'s [u8]>>,
}

impl<'s> Assembly<'s> {
    /// Reads from behind the keyword; `None` if nothing in parentheses follows.
    fn read(tokens: &Tokens<'s>, behind: &[Token]) -> Option<Assembly<'s>> {
        let opens = |token: &Token| token.kind == TokenKind::Punctuation(b'(');
        let begin = behind.iter().position(opens)?;
        // Between them there is nothing but `volatile`, `goto` and the like.
        let are_words = behind[..begin].iter().all(|t| t.kind == TokenKind::Word);
        if !are_words || begin > 3 {
            return None;
        }
        let mut assembly = Assembly {
            is_qualified: begin > 0,
            template: Vec::new(),
            sections: Vec::new(),
        };
        let mut depth = 0;
        for token in &behind[begin..] {
            match token.kind {
                TokenKind::Punctuation(b'(' | b'[') => depth += 1,
                TokenKind::Punctuation(b')' | b']') => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                TokenKind::Punctuation(b':') if depth == 1 => assembly.sections.push(Vec::new()),
                TokenKind::Quoted if depth == 1 => {
                    let text = content(tokens.text(*token));
                    match assembly.sections.last_mut() {
                        Some(section) => section.push(text),
                        None => assembly.template.push(text),
                    }
                }
                _ => {}
            }
        }
        Some(assembly)
    }

    /// Whether it has an instruction, or an output that nothing sets. Without operands it may
    /// also be the name of a symbol.
    fn is_open(&self) -> bool {
        if self.sections.is_empty() && !self.is_qualified {
            return false;
        }
        let outputs = self.sections.first().map_or(&[][..], Vec::as_slice);
        let inputs = self.sections.get(1).map_or(&[][..], Vec::as_slice);
        let is_set = |number: usize| {
            let number = number.to_string();
            inputs.contains(&number.as_bytes())
        };
        let is_empty = |text: &&[u8]| text.trim_ascii().is_empty();
        let unset = |(number, output): (usize, &&[u8])| output.contains(&b'=') && !is_set(number);
        !self.template.iter().all(is_empty) || outputs.iter().enumerate().any(unset)
    }
}

/// A string without its quotes.
fn content(quoted: &[u8]) -> &[u8] {
    let inside = quoted.strip_prefix(b"\"").unwrap_or(quoted);
    inside.strip_suffix(b"\"").unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_open(text: &str) -> bool {
        open_in(&Tokens::new(text.as_bytes(), &[])).is_some()
    }

    #[test]
    fn what_only_hides_a_value_is_not_open() {
        for text in [
            "asm volatile (\"\" ::: \"memory\");",
            "__asm__ (\"\" : \"+r\" (x) : : );",
            "asm (\"\" : \"=r\" (y), \"=r\" (x) : \"0\" (p[1]), \"1\" (x));",
            "asm (\" \" : : \"r\" (&x) : \"memory\");",
            "extern int y asm (\"x\");",
            "int asm_count = f (asm_names);",
        ] {
            assert!(!is_open(text), "{text}");
        }
        for text in [
            "asm (\"\" : \"=r\" (x));",
            "asm (\"\" : \"=r\" (y), \"=r\" (x) : \"0\" (x));",
            "__asm__ __volatile__ (\"mov %%rsp, %0\" : \"=r\" (sp));",
            "asm (\"movl $7, (%0)\" : : \"r\" (p));",
            "asm goto (\"jmp %l0\" : : : : out);",
            "asm volatile (\"cli\");",
        ] {
            assert!(is_open(text), "{text}");
        }
    }
}
