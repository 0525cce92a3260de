//! Output: of all that a call of `printf` prints, one number, in the plainest form. Generated
//! programs print checksums with long formats and casts, and no pass can change a format and
//! its arguments one by one.

use super::draft::{Draft, Rewrite};
use crate::source::program::{ExprId, ExprKind, Program};

/// Lets each call print one of its arguments by `%d`, with the cast in front of it gone.
/// Refused are arguments that an `int` may not hold, and what macros hide.
pub(super) fn one_number(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let mut changes = Vec::new();
    for call in &program.calls {
        let is_printf = call
            .function
            .is_some_and(|id| program.function(id).name == "printf");
        let expr = program.expr(call.expr);
        if !is_printf || expr.is_in_macro {
            continue;
        }
        // What is called, and the format.
        let printed = program.operands(call.expr).skip(2);
        let numbers = printed.filter_map(|argument| number(program, argument));
        for number in numbers {
            let value = draft.text(program.expr(number).outer);
            let text = [b"printf(\"%d\\n\", ", value, b")"].concat();
            if draft.text(expr.span) != text {
                changes.push(Rewrite::new().replace(expr.span, text));
            }
        }
    }
    draft.without_growth(changes)
}

/// The argument, or what is cast in it, if it fits an `int`.
fn number(program: &Program, argument: ExprId) -> Option<ExprId> {
    let expr = program.expr(argument);
    let inner = match expr.kind {
        ExprKind::Cast => program.operands(argument).last()?,
        _ => argument,
    };
    let ty = program.expr(inner).ty.id;
    let is_small = program.types.info(ty).size.is_some_and(|size| size <= 4);
    let is_plain = !expr.is_in_macro && !program.expr(inner).is_in_macro;
    (program.types.integer(ty).is_some() && is_small && is_plain).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::one_number;

    #[test]
    fn a_call_prints_one_number() {
        let text = "int printf(const char *, ...); short s; long l; char *p;
            int main(void) { printf(\"%s %lld %ld\\n\", p, (long long)s, l); return 0; }";
        let left = "int printf(const char *, ...); short s; long l; char *p; \
            int main(void) { printf(\"%d\\n\", s); return 0; }";
        assert_eq!(proposed(text, one_number), [left]);
    }

    #[test]
    fn large_numbers_and_plain_calls_are_left() {
        for call in [
            "printf(\"%ld\\n\", l)",
            "printf(\"%d\\n\", i)",
            "printf(\"x\")",
            "puts(\"x\")",
        ] {
            let text = format!(
                "int printf(const char *, ...); int puts(const char *); long l; int i;
                 int main(void) {{ {call}; return 0; }}"
            );
            assert!(proposed(&text, one_number).is_empty(), "{call}");
        }
    }
}
