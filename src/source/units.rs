//! A program as two translation units, divided at the borders of its functions.
//!
//! Both are one text: with [`UNIT`] defined as 1 or 2 it is one of the units, without it the
//! whole program as before. Every function is defined in one of them and declared in the
//! other, variables are defined in the first, and what was `static` gets a name of ours, which
//! no library has. Types and inline functions are in both.
//!
//! Only tokens are looked at, so the result may not compile, or mean something else, where a
//! program does unusual things at file level. Whoever uses it has to see whether the units
//! together do what the program does.

use super::program::{Token, TokenKind, Tokens};
use super::seed::hash_source;
use std::collections::BTreeSet;

/// The macro that says which unit is compiled.
pub(crate) const UNIT: &str = "MESTRA_UNIT";

/// Stands for `static` in the whole program and for nothing in units.
const SHARED: &[u8] = b"MESTRA_SHARED";

/// Words before a type or behind it that are not a part of it.
const QUALIFIERS: [&[u8]; 14] = [
    b"static",
    b"extern",
    b"register",
    b"const",
    b"volatile",
    b"restrict",
    b"__restrict",
    b"__const",
    b"__volatile__",
    b"_Noreturn",
    b"_Thread_local",
    b"__thread",
    b"__extension__",
    b"inline",
];

/// Words that are followed by something in parentheses and declare nothing.
const ATTRIBUTES: [&[u8]; 5] = [
    b"__attribute__",
    b"__attribute",
    b"_Alignas",
    b"__asm__",
    b"asm",
];

/// Words of which a type without a name consists.
const TYPES: [&[u8]; 13] = [
    b"void",
    b"char",
    b"short",
    b"int",
    b"long",
    b"float",
    b"double",
    b"signed",
    b"unsigned",
    b"__signed__",
    b"_Bool",
    b"__int128",
    b"_Complex",
];

/// Words that make a function one that every unit needs a definition of.
const INLINE: [&[u8]; 5] = [
    b"inline",
    b"__inline",
    b"__inline__",
    b"always_inline",
    b"__always_inline__",
];

/// The text that is both units; `cut` decides which functions go where. `None` if it cannot
/// be divided, or no function would be in the second unit.
pub(crate) fn divided(text: &[u8], cut: u32) -> Option<Vec<u8>> {
    let lexed = Tokens::new(text, &[]);
    let divider = Divider {
        text,
        tokens: lexed.starting_at(0),
        cut,
    };
    divider.divide(&lexed)
}

struct Divider<'t> {
    text: &'t [u8],
    tokens: &'t [Token],
    cut: u32,
}

/// What stands at file level, as far as it matters here; the numbers are those of tokens.
#[derive(Debug, PartialEq)]
enum FileItem {
    /// The same for both units, such as a type.
    Common,
    /// A declaration of a function.
    Prototype,
    /// A definition of variables; where the type that it begins with ends.
    Variables { specifiers: usize },
    /// A definition of a function, with the number of its body's brace.
    Function { body: usize },
}

impl<'t> Divider<'t> {
    fn divide(&self, lexed: &Tokens<'_>) -> Option<Vec<u8>> {
        let mut made = Vec::new();
        // What stands between `#if` and `#endif` may not be there, and is left as it is.
        let mut conditions = 0;
        let mut shared: BTreeSet<&[u8]> = BTreeSet::new();
        let mut is_divided = false;
        let (mut first, mut copied) = (0, 0);
        while first < self.tokens.len() {
            let (last, body) = self.end_of_item(first)?;
            let (start, end) = (self.start(first), self.tokens[last].span.end as usize);
            made.extend_from_slice(&self.text[copied..start]);
            copied = end;
            if self.tokens[first].kind == TokenKind::Directive {
                match lexed.directive_name(self.tokens[first]) {
                    name if name.starts_with(b"if") => conditions += 1,
                    b"endif" => conditions -= 1,
                    _ => {}
                }
            }
            let kind = if conditions > 0 {
                FileItem::Common
            } else {
                self.kind(first, last, body)
            };
            let is_shared = kind != FileItem::Common && self.has_word(first, last, b"static");
            match kind {
                FileItem::Common => made.extend_from_slice(&self.text[start..end]),
                FileItem::Prototype => self.copy(first, last, &mut made),
                FileItem::Variables { specifiers } => {
                    self.open(1, &mut made);
                    self.copy(first, last, &mut made);
                    self.declare(first, specifiers, last, &mut made)?;
                    made.extend_from_slice(b"\n#endif\n");
                }
                FileItem::Function { body } => {
                    let unit = self.unit_of(self.name(first, body)?);
                    is_divided |= unit == 2;
                    self.open(unit, &mut made);
                    self.copy(first, last, &mut made);
                    made.extend_from_slice(b"\n#else\n");
                    self.copy(first, body - 1, &mut made);
                    made.extend_from_slice(b";\n#endif\n");
                }
            }
            if is_shared {
                shared.extend(self.names(first, last, body));
            }
            first = last + 1;
        }
        made.extend_from_slice(&self.text[copied..]);
        is_divided.then(|| [self.prologue(&shared), made].concat())
    }

    fn prologue(&self, shared: &BTreeSet<&[u8]>) -> Vec<u8> {
        let shared_word = String::from_utf8_lossy(SHARED);
        let mut text = format!("#ifdef {UNIT}\n#define {shared_word}\n").into_bytes();
        for name in shared {
            for part in [b"#define ", *name, b" mestra_unit_", name, b"\n"] {
                text.extend_from_slice(part);
            }
        }
        text.extend_from_slice(format!("#else\n#define {shared_word} static\n#endif\n").as_bytes());
        text
    }

    /// The last token of the item that begins at a token, and the brace of its body if it
    /// defines a function.
    fn end_of_item(&self, first: usize) -> Option<(usize, Option<usize>)> {
        if self.tokens[first].kind == TokenKind::Directive {
            return Some((first, None));
        }
        let mut at = first;
        let mut is_initialiser = false;
        loop {
            match self.tokens.get(at)?.kind {
                TokenKind::Punctuation(b';') => return Some((at, None)),
                TokenKind::Punctuation(b'=') => is_initialiser = true,
                TokenKind::Punctuation(b'{') if !is_initialiser => {
                    let close = self.closing(at)?;
                    // What follows a tag is a type.
                    let is_body = at > first && self.is(at - 1, b')');
                    if is_body {
                        return Some((close, Some(at)));
                    }
                    // A definition in the old style has declarations before its body.
                    if at == first {
                        return None;
                    }
                    at = close;
                }
                TokenKind::Punctuation(b'(' | b'[' | b'{') => at = self.closing(at)?,
                _ => {}
            }
            at += 1;
        }
    }

    fn kind(&self, first: usize, last: usize, body: Option<usize>) -> FileItem {
        let has = |word: &[u8]| self.has_word(first, body.unwrap_or(last), word);
        let is_directive = self.tokens[first].kind == TokenKind::Directive;
        if is_directive || has(b"typedef") || INLINE.into_iter().any(has) {
            return FileItem::Common;
        }
        if let Some(body) = body {
            return FileItem::Function { body };
        }
        let specifiers = self.specifiers_end(first, last);
        match self.declarator(specifiers, last) {
            None => FileItem::Common,
            Some((_, true)) => FileItem::Prototype,
            Some((_, false)) if has(b"extern") => FileItem::Common,
            Some((_, false)) => FileItem::Variables { specifiers },
        }
    }

    /// Where the type that a declaration begins with ends.
    fn specifiers_end(&self, first: usize, last: usize) -> usize {
        let mut at = first;
        let mut has_type = false;
        while at < last && self.tokens[at].kind == TokenKind::Word {
            match self.word(at) {
                word if QUALIFIERS.contains(&word) => at += 1,
                word if ATTRIBUTES.contains(&word) => at = self.past_group(at + 1),
                b"struct" | b"union" | b"enum" => {
                    has_type = true;
                    at = self.past_attributes(at + 1);
                    at += usize::from(self.tokens[at].kind == TokenKind::Word);
                    at = self.past_group(at);
                }
                b"typeof" | b"__typeof" | b"__typeof__" => {
                    has_type = true;
                    at = self.past_group(at + 1);
                }
                word if TYPES.contains(&word) || !has_type => {
                    has_type = true;
                    at += 1;
                }
                _ => break,
            }
        }
        at
    }

    /// The name that a declarator declares, and whether that is a function's.
    fn declarator(&self, from: usize, last: usize) -> Option<(&'t [u8], bool)> {
        let mut at = from;
        while at < last {
            at = self.past_attributes(at);
            match self.tokens[at].kind {
                TokenKind::Punctuation(b'*') => at += 1,
                TokenKind::Word if QUALIFIERS.contains(&self.word(at)) => at += 1,
                TokenKind::Word => return Some((self.word(at), self.is(at + 1, b'('))),
                TokenKind::Punctuation(b'(') => {
                    let is_pointer = self.is(at + 1, b'*');
                    let (name, is_function) = self.declarator(at + 1, self.closing(at)?)?;
                    // `int (*f(int))(void)` is a function, `int (*f)(int)` is none.
                    return Some((name, is_function || !is_pointer && !self.is(at + 1, b'(')));
                }
                _ => return None,
            }
        }
        None
    }

    /// All names that an item declares.
    fn names(&self, first: usize, last: usize, body: Option<usize>) -> Vec<&'t [u8]> {
        match body {
            Some(body) => self.name(first, body).into_iter().collect(),
            None => {
                let starts = self.declarators(self.specifiers_end(first, last), last);
                let names = starts.iter().map(|(from, _)| self.declarator(*from, last));
                names.flatten().map(|(name, _)| name).collect()
            }
        }
    }

    /// The name of the function that is defined with this body.
    fn name(&self, first: usize, body: usize) -> Option<&'t [u8]> {
        let from = self.specifiers_end(first, body);
        self.declarator(from, body).map(|(name, _)| name)
    }

    /// Declarators, each with the token behind it where its initialiser is left out.
    fn declarators(&self, from: usize, last: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut start, mut end, mut at) = (from, None, from);
        while at <= last {
            match self.tokens[at].kind {
                TokenKind::Punctuation(b'(' | b'[' | b'{') => {
                    at = self.closing(at).unwrap_or(last);
                }
                TokenKind::Punctuation(b'=') => end = end.or(Some(at)),
                TokenKind::Punctuation(b',' | b';') => {
                    found.push((start, end.unwrap_or(at)));
                    (start, end) = (at + 1, None);
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// The same variables as another unit declares them.
    fn declare(
        &self,
        first: usize,
        specifiers: usize,
        last: usize,
        made: &mut Vec<u8>,
    ) -> Option<()> {
        made.extend_from_slice(b"\n#else\nextern ");
        self.copy_without(first, specifiers.checked_sub(1)?, b"", made);
        for (number, (from, end)) in self.declarators(specifiers, last).into_iter().enumerate() {
            made.extend_from_slice(if number == 0 { b" " } else { b", " });
            self.copy_without(from, end.checked_sub(1)?, b"", made);
        }
        made.push(b';');
        Some(())
    }

    fn open(&self, unit: u32, made: &mut Vec<u8>) {
        let line = format!("\n#if !defined({UNIT}) || {UNIT} == {unit}\n");
        made.extend_from_slice(line.as_bytes());
    }

    /// Copies an item, `static` made a macro.
    fn copy(&self, first: usize, last: usize, made: &mut Vec<u8>) {
        self.copy_without(first, last, SHARED, made);
    }

    /// Copies tokens and what is between them, with something else for the first `static`:
    /// any other is inside a function.
    fn copy_without(&self, first: usize, last: usize, other: &[u8], made: &mut Vec<u8>) {
        let (start, end) = (self.start(first), self.tokens[last].span.end as usize);
        let found = (first..=last).find(|at| self.is_word(*at, b"static"));
        let found = found.filter(|at| self.is_outside(first, *at));
        match found.map(|at| self.tokens[at].span.range()) {
            Some(word) => {
                made.extend_from_slice(&self.text[start..word.start]);
                made.extend_from_slice(other);
                made.extend_from_slice(&self.text[word.end..end]);
            }
            None => made.extend_from_slice(&self.text[start..end]),
        }
    }

    /// Whether a token of an item is in no brackets.
    fn is_outside(&self, first: usize, at: usize) -> bool {
        let depth = self.tokens[first..at].iter().map(|token| match token.kind {
            TokenKind::Punctuation(b'(' | b'[' | b'{') => 1,
            TokenKind::Punctuation(b')' | b']' | b'}') => -1,
            _ => 0,
        });
        depth.sum::<i32>() == 0
    }

    /// Whether a word stands in an item, outside of braces.
    fn has_word(&self, first: usize, last: usize, word: &[u8]) -> bool {
        let mut at = first;
        while at <= last {
            if self.is(at, b'{') {
                at = self.closing(at).unwrap_or(last);
            } else if self.is_word(at, word) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// `main` stays in the first unit; of others, the name and the cut decide.
    fn unit_of(&self, name: &[u8]) -> u32 {
        let key = [self.cut.to_string().as_bytes(), b" ", name].concat();
        let is_second = name != b"main" && (hash_source(&key) >> 43) & 1 == 1;
        1 + u32::from(is_second)
    }

    fn past_attributes(&self, mut at: usize) -> usize {
        while at + 1 < self.tokens.len() && ATTRIBUTES.contains(&self.word(at)) {
            at = self.past_group(at + 1);
        }
        at
    }

    /// Behind the brackets that open at a token, if they do.
    fn past_group(&self, at: usize) -> usize {
        if self.is(at, b'(') || self.is(at, b'{') {
            self.closing(at).map_or(at, |close| close + 1)
        } else {
            at
        }
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Punctuation(b')' | b']' | b'}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn is(&self, at: usize, punctuation: u8) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| token.kind == TokenKind::Punctuation(punctuation))
    }

    fn is_word(&self, at: usize, word: &[u8]) -> bool {
        self.tokens[at].kind == TokenKind::Word && self.word(at) == word
    }

    fn word(&self, at: usize) -> &'t [u8] {
        &self.text[self.tokens[at].span.range()]
    }

    fn start(&self, at: usize) -> usize {
        self.tokens[at].span.start as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a unit of a text is, as the preprocessor would leave it, without blank lines.
    fn unit(text: &str, number: u32) -> String {
        let both = String::from_utf8(divided(text.as_bytes(), 0).unwrap()).unwrap();
        let (_, body) = both.split_once(" static\n#endif\n").unwrap();
        let mut kept = Vec::new();
        let mut is_kept = true;
        for line in body.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line {
                _ if line.starts_with("#if ") => is_kept = line.ends_with(&number.to_string()),
                "#else" => is_kept = !is_kept,
                "#endif" => is_kept = true,
                _ if is_kept => kept.push(line.replace("MESTRA_SHARED ", "")),
                _ => {}
            }
        }
        kept.join("\n")
    }

    const PROGRAM: &str = "#include <stdio.h>\n\
        struct s { int a; } x = { 1 };\n\
        static const unsigned y[2] = { 1, 2 }, *p = y;\n\
        typedef int t;\n\
        static t (*f[2])(t);\n\
        extern int known;\n\
        #ifndef absent\n\
        static int absent(void) { return 0; }\n\
        #endif\n\
        static inline t twice(t a) { return 2 * a; }\n\
        static t one(t a);\n\
        static t one(t a) { static t n; return n += twice(a); }\n\
        t two(void) { return y[1]; }\n\
        static __attribute__((noinline)) struct s *three(int a[static 1]) { return &x; }\n\
        int main(void) { return one(1) + two(); }\n";

    #[test]
    fn what_one_unit_defines_the_other_declares() {
        let both = String::from_utf8(divided(PROGRAM.as_bytes(), 0).unwrap()).unwrap();
        let shared = ["f", "one", "p", "three", "y"];
        let renamed = both.lines().filter(|line| line.contains("mestra_unit_"));
        let renamed: Vec<&str> = renamed.collect();
        assert_eq!(
            renamed,
            shared.map(|name| format!("#define {name} mestra_unit_{name}"))
        );
        let (first, second) = (unit(PROGRAM, 1), unit(PROGRAM, 2));
        for line in PROGRAM.lines().filter(|line| line.ends_with('}')) {
            let plain = line.replacen("static ", "", 1);
            let in_both = line.contains("inline t") || line.contains("absent");
            let found = [&first, &second]
                .map(|unit| unit.contains(if in_both { line } else { plain.as_str() }));
            let times = found.iter().filter(|found| **found).count();
            assert_eq!(times, if in_both { 2 } else { 1 }, "{line}\n{second}");
        }
        assert!(second.contains("extern struct s { int a; } x;"), "{second}");
        assert!(
            second.contains("extern  const unsigned y[2], *p;"),
            "{second}"
        );
        assert!(second.contains("extern  t (*f[2])(t);"), "{second}");
        assert!(!second.contains("int main(void) {"), "{second}");
        assert!(second.contains("int main(void);"), "{second}");
    }

    #[test]
    fn another_cut_divides_otherwise() {
        let cuts: BTreeSet<Vec<u8>> = (0..20)
            .filter_map(|cut| divided(PROGRAM.as_bytes(), cut))
            .collect();
        assert!(cuts.len() > 3, "{}", cuts.len());
    }

    #[test]
    fn what_cannot_be_divided_is_not() {
        for text in [
            "int main(void) { return 0; }\n",
            "int f(a) int a; { return a; }\nint main(void) { return f(1); }\n",
            "int f(void) { return 1;\n",
        ] {
            assert_eq!(divided(text.as_bytes(), 0), None, "{text}");
        }
    }
}
