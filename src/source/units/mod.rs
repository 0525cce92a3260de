//! A program as two translation units, divided at the borders of its functions.
//!
//! Both units are one text: with [`UNIT`] defined as 1 or 2 it is one of them, without it the
//! whole program as before. Every function is defined in one unit and declared in the other,
//! variables are defined in the first, and what was `static` is renamed so that it cannot
//! clash with a library. Types and inline functions are in both.
//!
//! The division looks at tokens only. Where a program does unusual things at file level, the
//! result may not compile or may mean something else, so the caller has to check that the
//! units together behave like the program.

mod items;
mod recorded;

pub(crate) use recorded::recorded;

use super::program::{TokenKind, Tokens};
use super::seed::hash_source;
use items::{FileItem, FileItems};
use std::collections::BTreeSet;

/// The macro that says which unit is compiled.
pub(crate) const UNIT: &str = "MESTRA_UNIT";

/// Stands for `static` in the whole program and for nothing in units.
const SHARED: &[u8] = b"MESTRA_SHARED";

/// The text that is both units; `cut` decides which functions go where. `None` if it cannot
/// be divided, or no function would be in the second unit.
pub(crate) fn divided(text: &[u8], cut: u32) -> Option<Vec<u8>> {
    let lexed = Tokens::new(text, &[]);
    let items = FileItems {
        text,
        tokens: lexed.starting_at(0),
    };
    let divider = Divider { items, cut };
    divider.divide(&lexed)
}

struct Divider<'t> {
    items: FileItems<'t>,
    cut: u32,
}

impl Divider<'_> {
    fn divide(&self, lexed: &Tokens<'_>) -> Option<Vec<u8>> {
        let mut made = Vec::new();
        // What is between `#if` and `#endif` may be left out, and stays as it is.
        let mut conditions = 0;
        let mut shared: BTreeSet<&[u8]> = BTreeSet::new();
        let mut is_divided = false;
        let (mut first, mut copied) = (0, 0);
        while first < self.items.tokens.len() {
            let (last, body) = self.items.end_of_item(first)?;
            let item = self.items.span(first, last);
            made.extend_from_slice(&self.items.text[copied..item.start]);
            copied = item.end;
            if self.items.tokens[first].kind == TokenKind::Directive {
                match lexed.directive_name(self.items.tokens[first]) {
                    name if name.starts_with(b"if") => conditions += 1,
                    b"endif" => conditions -= 1,
                    _ => {}
                }
            }
            let kind = if conditions > 0 {
                FileItem::Common
            } else {
                self.items.kind(first, last, body)
            };
            let is_shared = kind != FileItem::Common && self.items.has_word(first, last, b"static");
            match kind {
                FileItem::Common => made.extend_from_slice(&self.items.text[item]),
                FileItem::Prototype => self.copy(first, last, &mut made),
                FileItem::Variables { specifiers } => {
                    self.open(1, &mut made);
                    self.copy(first, last, &mut made);
                    self.declare(first, specifiers, last, &mut made)?;
                    made.extend_from_slice(b"\n#endif\n");
                }
                FileItem::Function { body } => {
                    let unit = self.unit_of(self.items.name(first, body)?);
                    is_divided |= unit == 2;
                    self.open(unit, &mut made);
                    self.copy(first, last, &mut made);
                    made.extend_from_slice(b"\n#else\n");
                    self.copy(first, body - 1, &mut made);
                    made.extend_from_slice(b";\n#endif\n");
                }
            }
            if is_shared {
                shared.extend(self.items.names(first, last, body));
            }
            first = last + 1;
        }
        made.extend_from_slice(&self.items.text[copied..]);
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

    /// Declares the same variables for the other unit.
    fn declare(
        &self,
        first: usize,
        specifiers: usize,
        last: usize,
        made: &mut Vec<u8>,
    ) -> Option<()> {
        made.extend_from_slice(b"\n#else\nextern ");
        self.copy_without(first, specifiers.checked_sub(1)?, b"", made);
        let declarators = self.items.declarators(specifiers, last);
        for (number, (from, end)) in declarators.into_iter().enumerate() {
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

    /// Copies an item, with the macro in place of `static`.
    fn copy(&self, first: usize, last: usize, made: &mut Vec<u8>) {
        self.copy_without(first, last, SHARED, made);
    }

    /// Copies tokens and what is between them, with something else for the first `static`:
    /// any other is inside a function.
    fn copy_without(&self, first: usize, last: usize, other: &[u8], made: &mut Vec<u8>) {
        let (text, all) = (self.items.text, self.items.span(first, last));
        let found = (first..=last).find(|at| self.items.is_word(*at, b"static"));
        let found = found.filter(|at| self.items.is_outside(first, *at));
        match found.map(|at| self.items.tokens[at].span.range()) {
            Some(word) => {
                made.extend_from_slice(&text[all.start..word.start]);
                made.extend_from_slice(other);
                made.extend_from_slice(&text[word.end..all.end]);
            }
            None => made.extend_from_slice(&text[all]),
        }
    }

    /// `main` stays in the first unit; of others, the name and the cut decide.
    fn unit_of(&self, name: &[u8]) -> u32 {
        let key = [self.cut.to_string().as_bytes(), b" ", name].concat();
        let is_second = name != b"main" && (hash_source(&key) >> 43) & 1 == 1;
        1 + u32::from(is_second)
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
