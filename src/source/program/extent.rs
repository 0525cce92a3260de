//! What may take libclang's stack or time, found before parsing by reading the tokens once:
//! above all an upper bound for how deeply a program is nested.
//!
//! Parsers recurse, and so does libclang, whose stack overflow would end our process. Clang
//! itself limits brackets. Everything else nests along a row of tokens (`!!!!x`,
//! `a ? b : c ? d : …`, `if … else if …`), so a tree is never deeper than the total length
//! of the rows that are open at a place. Macros count as what they may expand to.

use super::macros::definition;
use super::tokens::{Token, TokenKind, Tokens};
use std::collections::HashMap;

/// More than anything that is written by hand or made by a generator, but for large
/// tables. Clang needs less than 5 KB of stack for a level.
const USUAL: u64 = 50_000;

/// Fewer numbers with far exponents take no time to speak of.
const FAR: usize = 8;

/// How many levels of macros that name macros are followed.
const DEEPEST_MACRO: usize = 500;

/// Whether a program has to be parsed in another process first, where that can be ended.
pub(super) fn is_risky(source: &[u8]) -> bool {
    has_far_exponents(source) || looks_deep(source)
}

/// Whether there are several numbers such as `1e-4951`: clang computes the power of ten, which
/// took it minutes for a test of GCC with some hundred of them.
fn has_far_exponents(source: &[u8]) -> bool {
    let is_far = |&at: &usize| {
        let is_number = at > 0 && matches!(source[at - 1], b'0'..=b'9' | b'.');
        let exponent = &source[at + 1..];
        let digits = exponent.strip_prefix(b"-").unwrap_or(exponent);
        let digits = digits.iter().take(4).filter(|byte| byte.is_ascii_digit());
        is_number && digits.count() == 4 && !is_in_hexadecimal(source, at)
    };
    let exponents = memchr::memchr2_iter(b'e', b'E', source);
    exponents.filter(is_far).take(FAR).count() == FAR
}

/// Whether the letter at this place is a digit, as in `0x9E3779B9`, of which Csmith's programs
/// are full.
fn is_in_hexadecimal(source: &[u8], at: usize) -> bool {
    let before = source[..at].rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'.');
    let number = before.into_iter().next().unwrap_or_default();
    number.len() > 1 && number[0] == b'0' && matches!(number[1], b'x' | b'X')
}

/// Whether a program may be nested so deeply that libclang overflows its stack, or cannot be
/// judged by its own text.
fn looks_deep(source: &[u8]) -> bool {
    let tokens = Tokens::new(source, &[]);
    let mut macros = Macros::default();
    for directive in tokens.directives() {
        if tokens.directive_name(directive) == b"include" && is_foreign(tokens.text(directive)) {
            return true;
        }
        macros.read(tokens.text(directive));
    }
    is_deep(&tokens, &mut macros)
}

/// Whether it names a file of the seed's own, or macros whose expansions double with
/// each call inside another. Csmith's header is known.
fn is_foreign(include: &[u8]) -> bool {
    let text = String::from_utf8_lossy(include);
    let is_named = text.contains('<') || text.contains("\"csmith.h\"");
    !is_named || text.contains("tgmath.h")
}

fn is_deep(tokens: &Tokens<'_>, macros: &mut Macros<'_>) -> bool {
    let all = tokens.starting_at(0);
    // The lengths of the rows in the brackets that are open here.
    let mut rows: Vec<u64> = vec![0];
    let mut total: u64 = 0;
    let mut calls = Calls::default();
    for (index, token) in all.iter().enumerate() {
        if token.kind == TokenKind::Directive {
            // The condition of an `#if` is a row of its own.
            if u64::from(token.span.end - token.span.start) > USUAL {
                return true;
            }
            continue;
        }
        let text = tokens.text(*token);
        let weight = calls.weigh(token.kind, text, macros);
        let row = rows.last_mut().expect("the outermost row is never closed");
        *row = row.saturating_add(weight);
        total = total.saturating_add(weight);
        if total > USUAL {
            return true;
        }
        let goes_on = || {
            let next = all.get(index + 1);
            next.is_some_and(|&next: &Token| tokens.text(next) == b"else")
        };
        match token.kind {
            TokenKind::Punctuation(b'(' | b'[' | b'{') => rows.push(0),
            TokenKind::Punctuation(b')' | b']') => total -= close(&mut rows),
            TokenKind::Punctuation(b'}') => {
                total -= close(&mut rows);
                if !goes_on() {
                    total -= end(&mut rows);
                }
            }
            TokenKind::Punctuation(b';') if !goes_on() => total -= end(&mut rows),
            _ => {}
        }
    }
    false
}

/// Ends the innermost row and its brackets; returns its length.
fn close(rows: &mut Vec<u64>) -> u64 {
    if rows.len() > 1 {
        rows.pop().unwrap_or(0)
    } else {
        0
    }
}

/// Begins the innermost row again; returns its length so far.
fn end(rows: &mut [u64]) -> u64 {
    rows.last_mut().map_or(0, std::mem::take)
}

/// The macros of a program by name.
#[derive(Default)]
struct Macros<'s> {
    named: HashMap<&'s [u8], Macro<'s>>,
    /// How many of them are being measured, one within the other.
    asked: usize,
}

struct Macro<'s> {
    body: &'s [u8],
    /// How often a call repeats its arguments at most, if it can be called.
    repeats: Option<u64>,
    weight: Weight,
}

#[derive(Clone, Copy)]
enum Weight {
    Unknown,
    /// Being computed: a macro is not expanded within itself.
    Asked,
    Known(u64),
}

impl<'s> Macros<'s> {
    /// Notes what a directive defines. Of several definitions the longest counts.
    fn read(&mut self, directive: &'s [u8]) {
        let Some(found) = definition(directive) else {
            return;
        };
        let body = found.body;
        let known = self.named.get(found.name);
        if known.is_some_and(|known| known.body.len() >= body.len()) {
            return;
        }
        let repeats = found.parameters.map(|parameters| {
            let tokens = Tokens::within_line(body);
            let words = tokens.starting_at(0).iter();
            let uses = words.filter(|word| parameters.contains(&tokens.text(**word)));
            (uses.count() as u64).max(1)
        });
        let entry = Macro {
            body,
            repeats,
            weight: Weight::Unknown,
        };
        self.named.insert(found.name, entry);
    }

    /// How many tokens a word may become, arguments aside.
    fn weight(&mut self, word: &[u8]) -> u64 {
        let Some(found) = self.named.get_mut(word) else {
            return 1;
        };
        match found.weight {
            Weight::Known(weight) => return weight,
            Weight::Asked => return 1,
            // Computing it would itself recurse too deeply.
            Weight::Unknown if self.asked > DEEPEST_MACRO => return u64::MAX,
            Weight::Unknown => found.weight = Weight::Asked,
        }
        self.asked += 1;
        let body = found.body;
        let tokens = Tokens::within_line(body);
        let mut calls = Calls::default();
        let mut weight: u64 = 1;
        for token in tokens.starting_at(0) {
            weight = weight.saturating_add(calls.weigh(token.kind, tokens.text(*token), self));
        }
        self.asked -= 1;
        if let Some(found) = self.named.get_mut(word) {
            found.weight = Weight::Known(weight);
        }
        weight
    }

    /// How often what is in parentheses behind a word is repeated at most.
    fn repeats(&self, word: &[u8]) -> u64 {
        let found = self.named.get(word).and_then(|found| found.repeats);
        found.unwrap_or(1)
    }
}

/// The calls of macros that a place is inside of.
#[derive(Default)]
struct Calls {
    /// How often what is inside each open parenthesis is repeated.
    open: Vec<u64>,
    /// How often what is inside a parenthesis that follows will be.
    next: u64,
}

impl Calls {
    fn weigh(&mut self, kind: TokenKind, text: &[u8], macros: &mut Macros<'_>) -> u64 {
        let around = self.open.last().copied().unwrap_or(1);
        match kind {
            TokenKind::Punctuation(b'(') => self.open.push(around.saturating_mul(self.next.max(1))),
            TokenKind::Punctuation(b')') => _ = self.open.pop(),
            _ => {}
        }
        self.next = match kind {
            TokenKind::Word => macros.repeats(text),
            _ => 1,
        };
        let own = match kind {
            TokenKind::Word => macros.weight(text),
            _ => 1,
        };
        around.saturating_mul(own)
    }
}

#[cfg(test)]
mod tests {
    use super::{is_risky, looks_deep};

    fn main_returns(expression: &str) -> Vec<u8> {
        format!("int main(void) {{ return {expression}; }}\n").into()
    }

    #[test]
    fn long_rows_are_deep() {
        let many = 60_000;
        for row in ["!", "- ", "0 ? 1 : ", "0 + ", "(int)", "x = "] {
            let text = main_returns(&format!("{}0", row.repeat(many)));
            assert!(looks_deep(&text), "{row}");
        }
        let chain = "if (argc == 7) return 1; else ".repeat(many);
        assert!(looks_deep(
            format!("int main() {{ {chain} return 0; }}").as_bytes()
        ));
    }

    #[test]
    fn many_far_exponents_are_risky() {
        let list = |number: &str| format!("long double all[] = {{ {} }};", number.repeat(9));
        assert!(is_risky(list("1.5e-4951L, ").as_bytes()));
        assert!(is_risky(list("1E4000L, ").as_bytes()));
        assert!(!is_risky(list("1.5e-495L, ").as_bytes()));
        assert!(!is_risky(list("0x1.8p-4951L, ").as_bytes()));
        assert!(!is_risky(list("0x9E3779B9L, ").as_bytes()));
        assert!(!is_risky(list("0X1e1234, ").as_bytes()));
        assert!(!is_risky(list("e1234, ").as_bytes()));
        assert!(!is_risky(b"long double one = 1e4000L;"));
    }

    #[test]
    fn many_statements_are_not() {
        let text = format!("int main() {{ {} }}", "if (x) { f(x); }\n".repeat(100_000));
        assert!(!looks_deep(text.as_bytes()));
        let functions = "int f(int x) { return x; }\n".repeat(100_000);
        assert!(!looks_deep(functions.as_bytes()));
    }

    #[test]
    fn macros_count_by_what_they_become() {
        let mut text = String::from("#define M0 !!!!!!!!!!\n");
        for level in 1..6 {
            let body = format!(" M{}", level - 1).repeat(10);
            text.push_str(&format!("#define M{level}{body}\n"));
        }
        let used = |level: u32| format!("{text}int main(void) {{ return M{level} 1; }}\n");
        assert!(!looks_deep(used(3).as_bytes()));
        assert!(looks_deep(used(5).as_bytes()));
        let calls = "#define TWICE(x) x + x\n".to_owned();
        let nested = |depth: usize| {
            let (open, close) = ("TWICE(".repeat(depth), ")".repeat(depth));
            format!("{calls}int main(void) {{ return {open}1{close}; }}\n")
        };
        assert!(!looks_deep(nested(5).as_bytes()));
        assert!(looks_deep(nested(30).as_bytes()));
    }

    #[test]
    fn a_macro_that_names_itself_is_not_endless() {
        let text = "#define f(x) f(x, g)\n#define g g f(h) h\n#define h h g f(g)\nint x = f(g);\n";
        assert!(!looks_deep(text.as_bytes()));
    }

    #[test]
    fn files_of_the_seed_itself_cannot_be_judged() {
        for (include, is_foreign) in [
            ("<stdio.h>", false),
            ("\"csmith.h\"", false),
            ("\"other.h\"", true),
            ("__FILE__", true),
            ("<tgmath.h>", true),
        ] {
            let text = format!("#include {include}\nint main(void) {{ return 0; }}\n");
            assert_eq!(looks_deep(text.as_bytes()), is_foreign, "{include}");
        }
    }
}
