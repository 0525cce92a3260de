//! The parts of a text that conditional compilation may leave out. A compiler for which other
//! parts are left than for others sees another program, and none of its variants.

use crate::source::program::{Lines, Tokens};

/// What a mark begins with; its number follows.
const MARK: &str = "mestra__group_";

/// A text with conditional parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConditionalGroups {
    /// The line of the first condition, from 1.
    pub(crate) line: usize,
    /// The text with a mark in each part. It is no program, but can be preprocessed.
    pub(crate) marked: Vec<u8>,
}

impl ConditionalGroups {
    /// `None` if the text has no conditions.
    pub(super) fn of(source: &[u8]) -> Option<ConditionalGroups> {
        let tokens = Tokens::new(source, &[]);
        let begins_part = |name: &[u8]| {
            let names: [&[u8]; 7] = [
                b"if",
                b"ifdef",
                b"ifndef",
                b"elif",
                b"elifdef",
                b"elifndef",
                b"else",
            ];
            names.contains(&name)
        };
        let all = tokens.directives();
        let conditions = all.filter(|directive| begins_part(tokens.directive_name(*directive)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_a_mark() {
        let text = b"int a;\n#if 1 /* x */ \\\n  + 1\nint b;\n# else\nint c;\n#endif\n";
        let groups = ConditionalGroups::of(text).unwrap();
        assert_eq!(groups.line, 2);
        let marked = String::from_utf8(groups.marked).unwrap();
        let lines: Vec<&str> = marked.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines[3], "mestra__group_0", "{marked}");
        assert_eq!(lines[6], "mestra__group_1", "{marked}");
        assert_eq!(ConditionalGroups::seen(marked.as_bytes()).len(), 2);
        assert_eq!(ConditionalGroups::of(b"#define if 1\nint a;\n"), None);
    }
}
