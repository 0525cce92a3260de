//! A program together with what records how its volatile variables are accessed, as two units
//! of one text.
//!
//! Variables at file level whose type is a volatile integer or pointer, or an array of those,
//! are put into a section of their own, which `runtime/mestra_volatile.c` watches. Others are
//! left alone: how a bit-field or a whole struct is accessed is up to the compiler, as is the
//! number of accesses to what no register holds. So are constants, which lie elsewhere.

use super::UNIT;
use super::items::{FileItem, FileItems};
use crate::source::program::{TokenKind, Tokens};

/// What watches the variables.
const RECORDER: &str = include_str!("../../../runtime/mestra_volatile.c");

/// What puts a variable where it is watched.
const WATCHED: &[u8] = b"__attribute__((section(\"mestra_volatile\"))) ";

const VOLATILE: [&[u8]; 3] = [b"volatile", b"__volatile__", b"__volatile"];

/// Words of integer types that a register holds; those of `<stdint.h>` are read off their form.
const INTEGERS: [&[u8]; 8] = [
    b"char",
    b"short",
    b"int",
    b"long",
    b"signed",
    b"unsigned",
    b"_Bool",
    b"size_t",
];

/// Words with which a variable is not one that can be put elsewhere, or not one of its own.
const PECULIAR: [&[u8]; 10] = [
    b"extern",
    b"register",
    b"_Thread_local",
    b"__thread",
    b"_Atomic",
    b"_Alignas",
    b"__attribute__",
    b"__attribute",
    b"asm",
    b"__asm__",
];

/// The text that is both units: the program, and what watches its volatile variables. `None`
/// if it has none that can be watched.
pub(crate) fn recorded(text: &[u8]) -> Option<Vec<u8>> {
    let lexed = Tokens::new(text, &[]);
    let items = FileItems {
        text,
        tokens: lexed.starting_at(0),
    };
    let mut made = format!("#if !defined({UNIT}) || {UNIT} == 1\n").into_bytes();
    let (mut first, mut copied, mut is_watched) = (0, 0, false);
    while first < items.tokens.len() {
        let (last, body) = items.end_of_item(first)?;
        if is_volatile(&items, first, last, body) {
            let start = items.span(first, last).start;
            made.extend_from_slice(&text[copied..start]);
            made.extend_from_slice(WATCHED);
            copied = start;
            is_watched = true;
        }
        first = last + 1;
    }
    made.extend_from_slice(&text[copied..]);
    made.extend_from_slice(format!("\n#else\n{RECORDER}#endif\n").as_bytes());
    is_watched.then_some(made)
}

/// Whether an item declares nothing but variables that can be watched.
fn is_volatile(items: &FileItems<'_>, first: usize, last: usize, body: Option<usize>) -> bool {
    let FileItem::Variables { specifiers } = items.kind(first, last, body) else {
        return false;
    };
    let is_peculiar = |word: &&[u8]| items.has_word(first, last, word);
    if PECULIAR.iter().any(is_peculiar) {
        return false;
    }
    let words: Vec<&[u8]> = (first..specifiers).map(|at| items.word(at)).collect();
    let mut declarators = items.declarators(specifiers, last).into_iter();
    declarators.all(|(from, end)| is_volatile_object(items, &words, from, end))
}

/// Whether a declarator behind these specifiers declares a volatile integer or pointer, or an
/// array of them.
fn is_volatile_object(items: &FileItems<'_>, words: &[&[u8]], from: usize, end: usize) -> bool {
    let is_pointer = |at: &usize| items.tokens[*at].kind == TokenKind::Punctuation(b'*');
    let Some(name) = (from..end).find(|at| is_name(items, *at)) else {
        return false;
    };
    let is_plain = (from..name).all(|at| is_pointer(&at) || is_qualifier(items.word(at)));
    let is_array = items.is_array_from(name + 1, end);
    let last_star = (from..name).rfind(is_pointer);
    let own: Vec<&[u8]> = match last_star {
        Some(star) => (star + 1..name).map(|at| items.word(at)).collect(),
        None => words.to_vec(),
    };
    let is_volatile = own.iter().any(|word| VOLATILE.contains(word));
    let is_constant = own.iter().any(|word| is_const(word));
    let is_scalar = last_star.is_some() || words.iter().all(|word| is_of_integer(word));
    is_plain && is_array && is_volatile && !is_constant && is_scalar
}

fn is_name(items: &FileItems<'_>, at: usize) -> bool {
    items.tokens[at].kind == TokenKind::Word && !is_qualifier(items.word(at))
}

fn is_const(word: &[u8]) -> bool {
    matches!(word, b"const" | b"__const" | b"__const__")
}

fn is_qualifier(word: &[u8]) -> bool {
    let is_restrict = matches!(word, b"restrict" | b"__restrict" | b"__restrict__");
    VOLATILE.contains(&word) || is_const(word) || is_restrict
}

/// Whether a word can stand in the specifiers of an integer.
fn is_of_integer(word: &[u8]) -> bool {
    let is_fixed = {
        let bits = word.strip_prefix(b"u").unwrap_or(word);
        let bits = bits.strip_prefix(b"int").unwrap_or_default();
        matches!(bits, b"8_t" | b"16_t" | b"32_t" | b"64_t")
    };
    is_fixed || INTEGERS.contains(&word) || VOLATILE.contains(&word) || word == b"static"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text that are watched, without what says so.
    fn watched(text: &str) -> Vec<String> {
        let made = recorded(text.as_bytes()).unwrap_or_default();
        let made = String::from_utf8(made).unwrap();
        let (own, _) = made.split_once("\n#else\n").unwrap_or_default();
        let mark = String::from_utf8_lossy(WATCHED);
        let lines = own.lines().filter_map(|line| line.strip_prefix(&*mark));
        lines.map(str::to_owned).collect()
    }

    #[test]
    fn volatile_integers_and_pointers_are_watched() {
        let good = [
            "static volatile int a = 3, b[2][3] = { { 1 } };",
            "volatile uint32_t c;",
            "unsigned long volatile d = sizeof(int *);",
            "struct s * volatile e = 0;",
            "static volatile int *volatile *restrict volatile f[2];",
            "static const int *volatile g;",
        ];
        let text = good.join("\n") + "\nint main(void) { static volatile int x; return x; }\n";
        assert_eq!(watched(&text), good);
    }

    #[test]
    fn what_is_not_accessed_as_a_whole_is_not_watched() {
        for text in [
            "int a;",
            "volatile struct s b;",
            "volatile int *c;",
            "volatile int d, *e;",
            "const volatile int f = 1;",
            "int *const volatile g = 0;",
            "volatile double h;",
            "volatile __int128 i;",
            "volatile word j;",
            "extern volatile int k;",
            "static _Thread_local volatile int l;",
            "volatile int m __attribute__((aligned(1)));",
            "volatile int (*n)(void);",
            "volatile int o(void);",
            "typedef volatile int p;",
            "struct { volatile int x; } q;",
        ] {
            assert_eq!(recorded(text.as_bytes()), None, "{text}");
        }
    }
}
