//! Lines inserted near the start of a changed program: macros for what not every compiler
//! has, and functions of mutations. A `#line` after them keeps the numbers of the seed's own
//! lines.
//!
//! They come after the comments at the start, which hold the seed's flags and inputs. When
//! the changed program is read again, the last macro marks the end of these lines and the
//! start of the program's own text.

use super::Program;
use super::tokens::{Token, Tokens};

/// The last macro of the prologue, which only marks that the lines are there.
const MARK: &str = "mestra_prologue";

/// What a compiler may be told. `mestra_unreachable` and `mestra_assume` mean undefined
/// behaviour unless what they say is true; without the builtins they mean nothing.
const MACROS: &str = "\
#ifdef __has_builtin
#if __has_builtin(__builtin_unreachable)
#define mestra_unreachable() __builtin_unreachable()
#endif
#if __has_builtin(__builtin_assume)
#define mestra_assume(fact) __builtin_assume(fact)
#endif
#if __has_builtin(__builtin_expect)
#define mestra_expect(value, usual) __builtin_expect(!!(value), usual)
#endif
#endif
#ifndef mestra_unreachable
#define mestra_unreachable() ((void)0)
#endif
#ifndef mestra_assume
#define mestra_assume(fact) do { if (!(fact)) mestra_unreachable(); } while (0)
#endif
#ifndef mestra_expect
#define mestra_expect(value, usual) (value)
#endif
";

/// Lines to be put into a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prologue {
    /// The byte of the program that they go before: the first of a line.
    pub(crate) at: u32,
    /// The number of that line.
    line: usize,
    /// Whether the program has a prologue already, and whether with the macros.
    is_there: bool,
    has_macros: bool,
    pub(crate) needs_macros: bool,
    /// Functions and what they need, in lines.
    pub(crate) definitions: String,
}

impl Prologue {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if self.needs_macros && !self.has_macros {
            text.push_str(MACROS);
        }
        text.push_str(&self.definitions);
        if !text.is_empty() && !self.is_there {
            text.push_str(&format!("#define {MARK}\n#line {}\n", self.line));
        }
        text
    }
}

impl Program {
    /// A prologue without anything in it yet.
    pub(crate) fn prologue(&self) -> Prologue {
        let at = first_line_of_code(&self.source);
        let lines = self.source[..at].iter().filter(|byte| **byte == b'\n');
        Prologue {
            at: at as u32,
            line: lines.count() + 1,
            is_there: self.macros.contains(MARK),
            has_macros: self.macros.contains("mestra_unreachable"),
            needs_macros: false,
            definitions: String::new(),
        }
    }
}

/// A changed program without the lines that look the same whatever was changed: the macros, and
/// the mark with the `#line` behind it. Functions of mutations stay.
pub(crate) fn without_frame(text: &str) -> String {
    let text = text.replacen(MACROS, "", 1);
    let mark = format!("#define {MARK}\n#line ");
    match text.split_once(&mark) {
        Some((before, after)) => {
            let rest = after.split_once('\n').map_or("", |(_, rest)| rest);
            format!("{before}{rest}")
        }
        None => text,
    }
}

/// Whether a directive is the `#line` that ends the prologue, given the one before it.
pub(super) fn ends_prologue(tokens: &Tokens<'_>, before: Token) -> bool {
    let text = tokens.text(before).trim_ascii();
    text.strip_prefix(b"#define ") == Some(MARK.as_bytes())
}

/// The start of the last line before any code that does not begin inside a comment.
fn first_line_of_code(source: &[u8]) -> usize {
    // A byte order mark must stay first.
    let mark = b"\xef\xbb\xbf";
    let mut at = if source.starts_with(mark) { 3 } else { 0 };
    let mut line = at;
    let find = |from: usize, what: &[u8]| {
        let rest = &source[from..];
        let found = rest.windows(what.len()).position(|bytes| bytes == what);
        found.map(|place| from + place)
    };
    loop {
        match &source[at..] {
            [b'\n', ..] => {
                at += 1;
                line = at;
            }
            [byte, ..] if byte.is_ascii_whitespace() => at += 1,
            [b'/', b'*', ..] => match find(at + 2, b"*/") {
                Some(end) => at = end + 2,
                None => return line,
            },
            // Such a comment may go on behind a backslash; then no line is looked for.
            [b'/', b'/', ..] => match find(at, b"\n") {
                Some(end) if !source[at..end].contains(&b'\\') => at = end,
                _ => return line,
            },
            _ => return line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prologue_goes_behind_comments_and_before_code() {
        let before = |text: &str| text[..first_line_of_code(text.as_bytes())].to_owned();
        for (text, expected) in [
            ("int a;\n", ""),
            (
                "/* mestra-flags: -O */\n\n#include <stdio.h>\n",
                "/* mestra-flags: -O */\n\n",
            ),
            ("// one\n// two\nint a;\n", "// one\n// two\n"),
            ("// one \\\nint a;\nint b;\n", ""),
            ("/* one\n two */ int a;\n", ""),
            ("\n/* one\n two */ int a;\n", "\n"),
            ("\u{feff}int a;\n", "\u{feff}"),
            ("/* never closed", ""),
            ("", ""),
        ] {
            assert_eq!(before(text), expected, "{text:?}");
        }
    }
}
