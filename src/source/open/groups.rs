//! Parts of a text that are compiled or not depending on macros that the compiler defines
//! itself. A compiler that sees different parts sees a different program, so its results
//! cannot be compared with those of others.

use crate::source::program::{Lines, Tokens};

/// The prefix of a mark; its number follows.
const MARK: &str = "mestra__group_";

/// Macros of compilers whose names are not reserved.
const UNRESERVED: [&[u8]; 3] = [b"linux", b"unix", b"i386"];

/// A text with parts that depend on the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConditionalGroups {
    /// The line of the first condition, from 1.
    pub(crate) line: usize,
    /// The text with a mark in each such part. It need not compile, but can be preprocessed.
    pub(crate) marked: Vec<u8>,
}

impl ConditionalGroups {
    /// `None` if no condition depends on the compiler. The `#else` part needs no mark: it is
    /// seen exactly where the other part is not.
    pub(super) fn of(source: &[u8]) -> Option<ConditionalGroups> {
        let tokens = Tokens::new(source, &[]);
        let begins_part = |name: &[u8]| {
            let names: [&[u8]; 6] = [b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef"];
            names.contains(&name)
        };
        let all = tokens.directives();
        let conditions = all.filter(|directive| {
            let span = directive.span;
            begins_part(tokens.directive_name(*directive))
                && asks_compiler(&source[span.start as usize..span.end as usize])
        });
        let mut marked = Vec::with_capacity(source.len());
        let (mut done, mut line) = (0, None);
        for (number, directive) in conditions.enumerate() {
            let span = directive.span;
            line = line.or_else(|| Some(Lines::new(source).locate(span.start).0));
            marked.extend_from_slice(&source[done..span.end as usize]);
            marked.extend_from_slice(format!("\n{MARK}{number}\n").as_bytes());
            done = span.end as usize;
        }
        marked.extend_from_slice(&source[done..]);
        line.map(|line| ConditionalGroups { line, marked })
    }

    /// The marks that a preprocessor has left.
    pub(crate) fn seen(preprocessed: &[u8]) -> Vec<&[u8]> {
        let lines = preprocessed.split(|byte| *byte == b'\n');
        let lines = lines.map(<[u8]>::trim_ascii);
        lines
            .filter(|line| line.starts_with(MARK.as_bytes()))
            .collect()
    }
}

/// Whether a condition names a macro that a compiler may define by itself. All other names
/// belong to the program and are the same for every compiler.
fn asks_compiler(condition: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    condition
        .split(|byte| !is_name(byte))
        .any(|name| name.starts_with(b"_") || UNRESERVED.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_that_a_compiler_decides_on_has_a_mark() {
        let text = b"int a;\n#if defined WRONG\nint b;\n#elif 1 /* x */ \\\n + __clang__\nint c;\n\
                     # else\nint d;\n#endif\n";
        let groups = ConditionalGroups::of(text).unwrap();
        assert_eq!(groups.line, 4);
        let marked = String::from_utf8(groups.marked).unwrap();
        let lines: Vec<&str> = marked.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines[5], "mestra__group_0", "{marked}");
        assert_eq!(ConditionalGroups::seen(marked.as_bytes()).len(), 1);
        let own = b"#ifndef ADD\n#define ADD(a, b) a\n#endif\n#define if 1\nint a;\n";
        assert_eq!(ConditionalGroups::of(own), None);
    }
}
