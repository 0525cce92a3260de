//! The difference that a mutation makes to a text, laid out: what is put in stands on one
//! line, which nobody can read.

use crate::source::program::without_frame;
use similar::{ChangeTag, DiffTag, TextDiff};

const INDENT: &str = "    ";

/// The lines that differ, each with `+`, `-` or a space before it. Lines of both texts are
/// laid out alike, so that a statement that stays shows as one that stays.
pub(super) fn diff(seed: &str, changed: &str) -> Vec<String> {
    let [seed, changed] = [seed, changed].map(without_frame);
    let by_lines = TextDiff::from_lines(&seed, &changed);
    let mut shown = Vec::new();
    let different = by_lines
        .ops()
        .iter()
        .filter(|op| op.tag() != DiffTag::Equal);
    for op in different {
        let joined = |slices: &[&str]| slices.concat();
        let old = laid_out(&joined(&by_lines.old_slices()[op.old_range()]));
        let new = laid_out(&joined(&by_lines.new_slices()[op.new_range()]));
        for change in TextDiff::from_lines(&old, &new).iter_all_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            shown.push(format!("{sign} {}", change.value().trim_end()));
        }
    }
    shown
}

/// C with a line for each statement, indented by braces.
fn laid_out(text: &str) -> String {
    let mut out = LaidOut::default();
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(end) = quote {
            out.line.push(c);
            match c {
                '\\' => out.line.extend(chars.next()),
                _ if c == end => quote = None,
                _ => {}
            }
            continue;
        }
        match c {
            '"' | '\'' => {
                quote = Some(c);
                out.line.push(c);
            }
            '(' | '[' => {
                out.brackets += 1;
                out.line.push(c);
            }
            ')' | ']' => {
                out.brackets = out.brackets.saturating_sub(1);
                out.line.push(c);
            }
            // In brackets they are no block: `(struct s){ 1 }`, `for (;;)`.
            ';' if out.brackets == 0 => {
                out.line.push(c);
                out.end_line();
            }
            '{' if out.brackets == 0 => {
                out.line.push(c);
                out.end_line();
                out.depth += 1;
            }
            '}' if out.brackets == 0 => {
                out.end_line();
                out.depth = out.depth.saturating_sub(1);
                out.line.push(c);
                // What belongs to the brace stays on its line.
                let rest: String = chars.clone().take(8).collect();
                let rest = rest.trim_start_matches(' ');
                let stays = ["else", "while", ";", ","]
                    .iter()
                    .any(|word| rest.starts_with(word));
                if !stays {
                    out.end_line();
                }
            }
            '\n' => out.end_line(),
            c if c.is_whitespace() && out.line.is_empty() => {}
            c => out.line.push(c),
        }
    }
    out.end_line();
    out.text
}

#[derive(Default)]
struct LaidOut {
    text: String,
    line: String,
    depth: usize,
    brackets: usize,
}

impl LaidOut {
    fn end_line(&mut self) {
        let line = self.line.trim_end();
        if !line.is_empty() {
            self.text.push_str(&INDENT.repeat(self.depth));
            self.text.push_str(line);
            self.text.push('\n');
        }
        self.line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_code_is_laid_out_and_the_statement_stays() {
        let seed = "int f(int a)\n{\n    a = \"x;y\"[0];\n    return a;\n}\n";
        let changed = seed.replace(
            "    a = \"",
            "    if (a > 7) { for (;;) { a += 2; } } else { a--; } a = \"",
        );
        let expected = [
            "+ if (a > 7) {",
            "+     for (;;) {",
            "+         a += 2;",
            "+     }",
            "+ } else {",
            "+     a--;",
            "+ }",
            "  a = \"x;y\"[0];",
        ];
        assert_eq!(diff(seed, &changed), expected);
    }

    #[test]
    fn a_function_of_ours_is_shown_and_the_marks_around_it_are_not() {
        let seed = "/* c */\nint a;\nint main(void) { a = 1; }\n";
        let function = "static void mestra_1(void) { a = 1; }\n";
        let changed = seed.replace("{ a = 1; }", "{ mestra_1(); }");
        let changed = changed.replace(
            "int a;\n",
            &format!("int a;\n{function}#define mestra_prologue\n#line 3\n"),
        );
        let shown = diff(seed, &changed);
        assert!(shown.iter().any(|line| line.contains("mestra_1(void)")));
        let is_mark = |line: &String| line.contains("prologue") || line.contains("#line");
        assert!(!shown.iter().any(is_mark), "{shown:?}");
        // A second step finds the marks there.
        let further = changed.replace("mestra_1();", "mestra_1(); a = 1;");
        assert!(!diff(&changed, &further).iter().any(is_mark));
    }

    #[test]
    fn deleted_lines_are_shown_as_such() {
        let seed = "int f(int a)\n{\n    if (a) {\n        a = 2;\n    }\n    return a;\n}\n";
        let changed = seed.replace("if (a) {\n        a = 2;\n    }", "\n\n");
        assert_eq!(diff(seed, &changed), ["- if (a) {", "-     a = 2;", "- }"]);
    }
}
