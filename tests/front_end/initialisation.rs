//! When a local variable certainly holds a value: a test for each rule.

use crate::support::{program, statement_at, variable};
use mestra::source::program::Unreadable;

/// What stands in for the body of `f` in the programs below; `use(x)` is where
/// `x` is asked for.
fn readable(body: &str) -> Result<(), Unreadable> {
    let source = format!(
        "struct S {{ int a, b; }};\n\
         struct S make(void);\n\
         void use(int); int c(void); void fill(int *);\n\
         int f(int p) {{ {body} return 0; }}\n\
         int main(void) {{ return f(1); }}\n\
         struct S make(void) {{ struct S s = {{1, 2}}; return s; }}\n"
    );
    let program = program(&source);
    program.readable(variable(&program, "x"), statement_at(&program, "use(x"))
}

fn is_readable(body: &str) {
    assert_eq!(readable(body), Ok(()), "{body}");
}

fn is_not_initialised(body: &str) {
    assert_eq!(readable(body), Err(Unreadable::NotInitialised), "{body}");
}

#[test]
fn an_initialiser_gives_a_value() {
    is_readable("int x = 1; use(x);");
    is_not_initialised("int x; use(x);");
}

#[test]
fn an_assignment_gives_a_value_from_then_on() {
    is_readable("int x; x = 1; use(x);");
    is_not_initialised("int x; use(x); x = 1;");
    is_readable("int x; (x) = 1; use(x);");
    is_readable("int x, y; y = x = 1; use(x);");
}

#[test]
fn both_branches_of_an_if_must_assign() {
    is_readable("int x; if (p) x = 1; else x = 2; use(x);");
    is_not_initialised("int x; if (p) x = 1; use(x);");
    is_readable("int x; if (p) { return 1; } else x = 2; use(x);");
}

#[test]
fn a_condition_assigns_before_its_branches() {
    is_readable("int x; if ((x = c())) use(x);");
    is_readable("int x; while ((x = c()) > 0) { use(x); }");
}

#[test]
fn what_may_be_skipped_inside_an_expression_gives_no_value() {
    is_not_initialised("int x; p && (x = 1); use(x);");
    is_not_initialised("int x; p || (x = 1); use(x);");
    is_not_initialised("int x; p ? (x = 1) : 0; use(x);");
    is_readable("int x; (x = p) && c(); use(x);");
    is_not_initialised("int x; p = sizeof(x = 1); use(x);");
    is_not_initialised("int x; p = ({ x = 1; 2; }); use(x);");
}

#[test]
fn a_loop_body_may_not_run() {
    is_not_initialised("int x; while (c()) x = 1; use(x);");
    is_not_initialised("int x; for (; c(); ) x = 1; use(x);");
    is_readable("int x; do x = 1; while (c()); use(x);");
}

#[test]
fn a_for_initialises_before_its_condition() {
    is_readable("int x; for (x = 0; x < 3; x++) { use(x); }");
    is_readable("for (int x = 0; x < 3; x++) { use(x); }");
    is_not_initialised("int x; for (;; x = 1) { use(x); break; }");
    is_not_initialised("int x; for (; c() && (x = 1); ) { } use(x);");
    is_readable("int x; for (; (x = c()); ) { } use(x);");
}

#[test]
fn an_endless_loop_is_left_only_by_break() {
    is_readable("int x; for (;;) { x = 1; if (c()) break; } use(x);");
    is_not_initialised("int x; for (;;) { if (c()) break; x = 1; } use(x);");
}

#[test]
fn continue_goes_on_with_the_step() {
    is_not_initialised("int x; do { if (c()) continue; x = 1; } while (c()); use(x);");
    is_readable("int x; do { x = 1; if (c()) continue; } while (c()); use(x);");
}

#[test]
fn every_case_must_assign_and_default_must_be_there() {
    is_readable("int x; switch (p) { case 1: x = 1; break; default: x = 2; } use(x);");
    // Whether a switch has a case for every value is not looked at.
    is_not_initialised("int x; switch (p) { case 1: x = 1; break; case 2: x = 2; } use(x);");
    is_not_initialised("int x; switch (p) { case 1: x = 1; case 2: use(x); }");
}

#[test]
fn a_case_label_jumps_past_an_initialiser() {
    is_not_initialised("switch (p) { int x = 5; case 0: use(x); }");
    is_not_initialised("switch (p) { case 0: ; int x = 5; break; case 1: use(x); }");
    is_readable("switch (p) { case 0: ; int x = 5; use(x); }");
}

#[test]
fn a_goto_jumps_past_an_initialiser() {
    is_not_initialised("if (p) goto L; int x = 1; L: use(x);");
    is_readable("int x = 1; if (p) goto L; c(); L: use(x);");
    is_readable("goto L; L: ; int x = 1; use(x);");
}

#[test]
fn a_goto_into_a_loop_counts_at_its_head() {
    is_not_initialised("int x; goto L; x = 1; while (c()) { use(x); L: c(); }");
}

#[test]
fn a_goto_backwards_keeps_what_was_assigned() {
    is_readable("int x = 1; L: use(x); if (c()) goto L;");
    is_not_initialised("int x; L: if (p) use(x); x = 1; if (c()) goto L;");
}

#[test]
fn a_block_that_is_entered_again_has_new_variables() {
    is_not_initialised("for (;;) { int x; if (c()) use(x); x = 1; }");
    is_not_initialised("int n = 0; { int x; if (n) goto M; x = 1; M: use(x); } if (!n++) goto M;");
}

#[test]
fn variables_of_one_block_are_not_those_of_the_block_beside_it() {
    is_not_initialised("{ int y = 1; if (y) goto M; } { int x; M: use(x); }");
    is_not_initialised("{ int y = 1; c(); } { int x; use(x); }");
    is_not_initialised("switch (({ int y = 1; y; })) { int x; case 1: use(x); }");
    is_not_initialised("for (int y = 0; y < p; y++) goto M; { int x; M: use(x); }");
    is_readable("int x = 1; { int y = 1; if (y) goto M; } { int z; M: use(x); }");
    is_readable("{ int y; c(); } { int x = 1; for (int i = 0; i < p; i++) use(x); }");
}

#[test]
fn a_byte_that_nobody_has_written_may_be_copied() {
    is_not_initialised("unsigned char x, *y = &x; x = *y; use(x);");
    is_not_initialised("char y[2]; char x = y[p]; use(x);");
    is_not_initialised("char y, *z = &y; char x = y; use(x);");
    is_not_initialised("char y[2], x = 1; x = y[p]; use(x);");
    is_not_initialised("char y[2], x = 1; p && (x = y[p]); use(x);");
    is_not_initialised("unsigned char x, *y = &x; x |= 255; use(x);");
    is_readable("char y = 1, *z = &y; char x = *z; use(x);");
    is_readable("char y[2], z = 1; char x = z; use(x);");
    is_readable("int y[2]; int x = y[p]; use(x);");
}

#[test]
fn what_is_overwritten_by_nothing_holds_nothing() {
    is_not_initialised(
        "void *malloc(unsigned long); struct S *y = malloc(8); struct S x = {1, 2}; x = *y; \
         use(x.a);",
    );
}

#[test]
fn taking_the_address_gives_no_value() {
    is_not_initialised("int x; fill(&x); use(x);");
}

#[test]
fn parameters_and_statics_hold_values() {
    is_readable("static int x; use(x);");
    let program = program("void use(int); int main(int argc, char **argv) { use(argc); }");
    assert_eq!(
        program.readable(variable(&program, "argc"), statement_at(&program, "use(")),
        Ok(())
    );
}

#[test]
fn code_that_control_never_reaches_reads_nothing() {
    assert_eq!(
        readable("int x = 1; return 1; use(x);"),
        Err(Unreadable::NeverReached)
    );
}

#[test]
fn an_assignment_in_a_macro_is_not_trusted() {
    let source = "void use(int);\n#define SET x = 1\n\
                  int main(void) { int x; SET; use(x); }";
    let program = program(source);
    assert_eq!(
        program.readable(variable(&program, "x"), statement_at(&program, "use(x)")),
        Err(Unreadable::NotInitialised)
    );
}

#[test]
fn a_for_in_a_macro_is_not_trusted() {
    let source = "void use(int);\n#define LOOP for (x = 0; x < 3; x++)\n\
                  int main(void) { int x; LOOP { use(x); } }";
    let program = program(source);
    assert_eq!(
        program.readable(variable(&program, "x"), statement_at(&program, "use(x)")),
        Err(Unreadable::NotInitialised)
    );
}

#[test]
fn arrays_need_a_list_or_string() {
    is_readable("int x[3] = { 1 }; use(x[0]);");
    is_readable("char x[] = \"abc\"; use(x[0]);");
    is_not_initialised("int x[3]; x[0] = 1; use(x[0]);");
}

#[test]
fn structs_need_a_list_or_a_copy_of_a_whole_one() {
    is_readable("struct S x = { 1 }; use(x.a);");
    is_readable("struct S x = make(); use(x.a);");
    is_not_initialised("struct S x; x.a = 1; use(x.a);");
}

#[test]
fn a_copy_counts_only_if_no_struct_of_its_type_can_be_half_filled() {
    // `y` has a field without a value, and `x` gets it.
    is_not_initialised("struct S y; y.a = 1; struct S x = y; use(x.a);");
    is_not_initialised(
        "void *malloc(unsigned long); struct S *y = malloc(8); struct S x = *y; use(x.a);",
    );
    is_not_initialised("union { int i; struct S s; } u = { 1 }; struct S x = u.s; use(x.a);");
    is_not_initialised("struct T { struct S s; } y; y.s.a = 1; struct S x = y.s; use(x.a);");
}

#[test]
fn a_struct_parameter_is_whole_only_if_its_type_is() {
    let whole = "struct S { int a, b; }; void use(int);\n\
                 int f(struct S s) { use(s.a); return 0; }\n\
                 int main(void) { struct S t = { 1, 2 }; return f(t); }";
    let partial = whole.replace("struct S t = { 1, 2 };", "struct S t; t.a = 1;");
    for (source, expected) in [
        (whole, Ok(())),
        (partial.as_str(), Err(Unreadable::NotInitialised)),
    ] {
        let program = program(source);
        let at = statement_at(&program, "use(s.a)");
        assert_eq!(program.readable(variable(&program, "s"), at), expected);
    }
}
