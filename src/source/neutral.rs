//! Changes to a program's text that do not change its meaning. A program that behaves
//! differently after one of them depends on something that C leaves open, such as where
//! objects lie.

use super::program::{Program, Span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeutralChange {
    /// Every function reads a new `volatile` variable.
    VolatileReads,
    /// Neighbouring functions change places.
    FunctionOrder,
}

/// It moves the other variables of a frame and is never used.
const VOLATILE_READ: &str = " volatile int mestra__unused = 0; (void)mestra__unused;";

impl NeutralChange {
    pub(crate) const ALL: [NeutralChange; 2] =
        [NeutralChange::VolatileReads, NeutralChange::FunctionOrder];

    /// The changed text; `None` if there is nothing to change.
    pub(crate) fn apply(self, program: &Program) -> Option<Vec<u8>> {
        match self {
            NeutralChange::VolatileReads => volatile_reads(program),
            NeutralChange::FunctionOrder => other_order(program),
        }
    }
}

fn volatile_reads(program: &Program) -> Option<Vec<u8>> {
    let bodies = program.definitions().filter_map(|(_, _, definition)| {
        let start = program.statement(definition.body()).span.start;
        let is_open = program.source.get(start as usize) == Some(&b'{');
        (is_open && definition.hands_off.is_empty()).then_some(start as usize + 1)
    });
    let mut text = Vec::new();
    let mut from = 0;
    for at in bodies {
        text.extend_from_slice(program.source.get(from..at)?);
        text.extend_from_slice(VOLATILE_READ.as_bytes());
        from = at;
    }
    text.extend_from_slice(&program.source[from..]);
    (from > 0).then_some(text)
}

/// A definition whose own text up to the body can serve as a declaration.
struct Movable {
    span: Span,
    /// Where the body starts.
    body: u32,
}

fn other_order(program: &Program) -> Option<Vec<u8>> {
    let movable = program.definitions().map(|(_, _, definition)| {
        let span = definition.span;
        let body = program.statement(definition.body()).span.start;
        let head = program.source.get(span.start as usize..body as usize)?;
        // Declarations of parameters in the old style end in a semicolon.
        let is_prototype = head.trim_ascii_end().ends_with(b")");
        is_prototype.then_some(Movable { span, body })
    });
    let movable: Vec<Option<Movable>> = movable.collect();
    let mut text = Vec::new();
    let mut from = 0;
    let mut pairs = movable.windows(2);
    while let Some(pair) = pairs.next() {
        let [Some(one), Some(other)] = pair else {
            continue;
        };
        let between = program
            .source
            .get(one.span.end as usize..other.span.start as usize)?;
        if !between.trim_ascii().is_empty() {
            continue;
        }
        let part = |start: u32, end: u32| &program.source[start as usize..end as usize];
        text.extend_from_slice(part(from, one.span.start));
        text.extend_from_slice(part(one.span.start, one.body).trim_ascii_end());
        text.extend_from_slice(b";\n");
        text.extend_from_slice(program.text(other.span));
        text.extend_from_slice(between);
        text.extend_from_slice(program.text(one.span));
        from = other.span.end;
        // The second of this pair is not the first of another.
        pairs.next();
    }
    text.extend_from_slice(&program.source[from as usize..]);
    (from > 0).then_some(text)
}

impl fmt::Display for NeutralChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NeutralChange::VolatileReads => "a new volatile variable in every function",
            NeutralChange::FunctionOrder => "another order of its functions",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::clang::Clang;
    use crate::source::program::lower;
    use std::path::Path;

    fn changed(change: NeutralChange, source: &str) -> Option<String> {
        let clang = Clang::load().unwrap();
        let program = lower(&clang, Path::new("x.c"), source.as_bytes().into(), &[]).unwrap();
        let text = change.apply(&program)?;
        Some(String::from_utf8(text).unwrap())
    }

    #[test]
    fn every_function_reads_a_variable_of_its_own() {
        let source = "int f(void) { return 1; }\nint main(void)\n{\n    return f();\n}\n";
        let text = changed(NeutralChange::VolatileReads, source).unwrap();
        assert_eq!(text.matches("(void)mestra__unused;").count(), 2);
        // No line moves.
        assert_eq!(text.lines().count(), source.lines().count());
        assert_eq!(text.replace(VOLATILE_READ, ""), source);
    }

    #[test]
    fn neighbours_change_places_and_the_first_is_declared() {
        let source =
            "static int f(int x)\n{\n    return x;\n}\n\nint main(void) { return f(0); }\n";
        let text = changed(NeutralChange::FunctionOrder, source).unwrap();
        let expected = "static int f(int x);\nint main(void) { return f(0); }\n\n\
                        static int f(int x)\n{\n    return x;\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn functions_that_cannot_be_declared_by_their_own_words_stay() {
        for source in [
            "int f(x) int x; { return x; }\nint main(void) { return f(0); }\n",
            "int f(void) { return 0; }\nint y;\nint main(void) { return f() + y; }\n",
            "int main(void) { return 0; }\n",
        ] {
            assert_eq!(
                changed(NeutralChange::FunctionOrder, source),
                None,
                "{source}"
            );
        }
    }
}
