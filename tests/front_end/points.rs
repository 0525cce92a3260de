//! Where code may be put, and why not elsewhere.

use crate::support::{clang, program, statement_at};
use mestra::source::edit::Edits;
use mestra::source::program::{HandsOff, Insertion, NoPoint, Program, lower};
use std::path::Path;

fn insertion(source: &str, at: &str) -> Result<Insertion, NoPoint> {
    let program = program(source);
    program.statement(statement_at(&program, at)).insertion
}

fn hands_off(source: &str) -> Vec<HandsOff> {
    let program = program(source);
    let (_, _, main) = program
        .definitions()
        .find(|(_, function, _)| function.name == "main")
        .unwrap();
    assert_eq!(program.points().count() == 0, !main.hands_off.is_empty());
    main.hands_off.clone()
}

/// The source with `@` before every statement that code may be put before.
fn marked(program: &Program) -> String {
    let mut edits = Edits::new();
    for id in program.points() {
        edits.insert_at_point(program.statement(id), "@");
    }
    String::from_utf8(edits.render(&program.source).unwrap()).unwrap()
}

#[test]
fn statements_of_a_block_take_code_as_they_are() {
    let program = program("int main(void) { int a = 1; a++; { ; } return a; }");
    assert_eq!(
        marked(&program),
        "int main(void) { @int a = 1; @a++; @{ @; } @return a; }"
    );
}

#[test]
fn unbraced_bodies_get_braces_that_nest() {
    let program = program(
        "int main(void) { int a = 0; if (a) a++; else if (!a) while (a) a--; else ; \
         for (;;) do break; while (0); }",
    );
    assert_eq!(
        marked(&program),
        "int main(void) { @int a = 0; @if (a) { @a++; } else { @if (!a) { @while (a) { @a--; } } \
         else { @; } } @for (;;) { @do { @break; } while (0); } }"
    );
}

#[test]
fn labels_take_code_before_and_behind_them() {
    let program = program("int main(void) { L: M: a(); switch (1) { case 1: default: b(); } }");
    assert_eq!(
        marked(&program),
        "int main(void) { @L: @M: @a(); @switch (1) { @case 1: @default: @b(); } }"
    );
}

#[test]
fn labels_in_an_unbraced_body_get_braces() {
    let program = program("int main(void) { if (1) L: a(); switch (1) case 1: b(); }");
    assert_eq!(
        marked(&program),
        "int main(void) { @if (1) { @L: { @a(); } } @switch (1) { @case 1: { @b(); } } }"
    );
}

#[test]
fn text_from_macros_is_left_alone() {
    let source = "#define CALL a()\n#define TWO a(); b()\n#define IF if (1)\n\
        #define ELSE else\n#define ARG(s) s\n\
        int main(void) { CALL; TWO; IF c(); ARG(d(); e();) if (1) f(); ELSE g(); h(CALL); }";
    let program = program(source);
    let marks = marked(&program);
    let body = marks.lines().last().unwrap();
    assert_eq!(
        body,
        "int main(void) { CALL; TWO; IF c(); ARG(d(); e();) if (1) { @f(); } ELSE g(); @h(CALL); }"
    );
}

#[test]
fn a_statement_that_ends_inside_a_macro_is_not_trusted() {
    let source = "#define TAIL 1; b()\nint main(void) { int a; a = TAIL; if (a) a = TAIL; }";
    let program = program(source);
    let marks = marked(&program);
    assert_eq!(
        marks.lines().last().unwrap(),
        "int main(void) { @int a; @a = TAIL; @if (a) a = TAIL; }"
    );
    for text in ["a = TAIL; i", "a = TAIL; }", "if (a)"] {
        assert!(
            !program.statement(statement_at(&program, text)).end_is_known,
            "{text}"
        );
    }
}

#[test]
fn text_of_an_include_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("part.inc"),
        "inside(); if (1) inside();\n",
    )
    .unwrap();
    let path = directory.path().join("seed.c");
    let source =
        "void inside(void);\nint main(void) {\n  before();\n#include \"part.inc\"\n  after();\n}\n";
    std::fs::write(&path, source).unwrap();
    let seed = mestra::source::seed::Seed::read(&path, &[]).unwrap();
    let program = crate::support::lower_seed(&seed).unwrap();
    assert_eq!(
        marked(&program),
        source
            .replace("  before", "  @before")
            .replace("  after", "  @after")
    );
    let included = program
        .statements
        .iter()
        .filter(|statement| statement.insertion == Err(NoPoint::InInclude))
        .count();
    assert_eq!(included, 3);
}

#[test]
fn text_after_a_line_directive_is_left_alone() {
    for directive in ["#line 7", "# 7 \"x.c\""] {
        let source = format!("int main(void) {{ a();\n{directive}\n b(); }}");
        assert_eq!(insertion(&source, "a()"), Ok(Insertion::Plain));
        assert_eq!(insertion(&source, "b()"), Err(NoPoint::AfterLineDirective));
    }
}

#[test]
fn a_pragma_stays_with_its_statement() {
    let source = "int main(void) {\n#pragma GCC unroll 4\n/* c */ for (;;) ; }";
    assert_eq!(insertion(source, "for"), Err(NoPoint::AfterPragma));
    let source = "int main(void) { _Pragma(\"GCC unroll 4\") for (;;) ; }";
    assert_eq!(insertion(source, "for"), Err(NoPoint::AfterPragma));
    let source = "#define UNROLL _Pragma(\"GCC unroll 4\")\nint main(void) { UNROLL for (;;) ; }";
    assert_eq!(insertion(source, "for"), Err(NoPoint::Unclear));
    let source = "int main(void) {\n#pragma GCC unroll 4\n\n#if 1\n for (;;) ;\n#endif\n }";
    assert_eq!(insertion(source, "for"), Err(NoPoint::AfterPragma));
}

#[test]
fn other_directives_between_statements_do_no_harm() {
    let source = "int main(void) { a();\n#if 1\n b();\n#else\n c();\n#endif\n if (1)\n\
                  #ifdef X\n d();\n#else\n e();\n#endif\n}";
    assert_eq!(insertion(source, "b()"), Ok(Insertion::Plain));
    assert_eq!(insertion(source, "e()"), Ok(Insertion::Braced));
}

#[test]
fn attributes_and_extension_stay_with_their_statement() {
    let source = "int main(void) { switch (1) { case 1: a(); __attribute__((fallthrough)); \
                  case 2: b(); } __extension__ int c = 1; }";
    let program = program(source);
    let marks = marked(&program);
    assert!(!marks.contains("@;"), "{marks}");
    assert!(
        marks.contains("__extension__ int") && !marks.contains("__extension__ @"),
        "{marks}"
    );
}

#[test]
fn local_labels_stay_first() {
    let source = "int main(void) { { __label__ L; goto L; L: ; } }";
    assert_eq!(insertion(source, "__label__"), Err(NoPoint::LocalLabels));
}

#[test]
fn statement_expressions_are_left_alone() {
    let source = "int main(void) { int a = ({ int b = 1; b + 1; }); return a; }";
    assert_eq!(
        insertion(source, "b + 1"),
        Err(NoPoint::InStatementExpression)
    );
    assert_eq!(insertion(source, "return"), Ok(Insertion::Plain));
}

#[test]
fn comments_and_continuations_between_tokens_do_not_confuse() {
    let source = "int main(void) { if /* ( */ (1) // ) {\n a() /* ; */ ; el\\\nse b() \\\n ; }";
    let program = program(source);
    assert_eq!(
        marked(&program),
        "int main(void) { @if /* ( */ (1) // ) {\n { @a() /* ; */ ; } el\\\nse { @b() \\\n ; } }"
    );
}

#[test]
fn functions_that_code_could_break_are_left_alone() {
    assert_eq!(hands_off("int main(void) { return 0; }"), []);
    assert_eq!(
        hands_off("int main(void) { __asm__ volatile(\"\" ::: \"memory\"); }"),
        [HandsOff::InlineAsm]
    );
    assert_eq!(
        hands_off("int main(void) { void *p = &&L; goto *p; L: return 0; }"),
        [HandsOff::ComputedGoto]
    );
    assert_eq!(
        hands_off("#include <setjmp.h>\njmp_buf b; int main(void) { return setjmp(b); }"),
        [HandsOff::SetJmp]
    );
    assert_eq!(
        hands_off("int main(void) { int a = ({ if (1) return 1; 2; }); return a; }"),
        [HandsOff::JumpInExpression]
    );
    assert_eq!(
        hands_off("int main(void) __attribute__((pure)); int main(void) { return 0; }"),
        [HandsOff::PureOrConst]
    );
    assert_eq!(
        hands_off("__attribute__((const)) int main(void) { return 0; }"),
        [HandsOff::PureOrConst]
    );
    assert_eq!(
        hands_off("int main(void) { { __label__ L; goto L; L: ; } { __label__ L; goto L; L: ; } }"),
        [HandsOff::AmbiguousLabel]
    );
    assert_eq!(
        hands_off(
            "void __cyg_profile_func_enter(void *f, void *s) { } int main(void) { return 0; }"
        ),
        [HandsOff::WatchedCalls]
    );
}

#[test]
fn what_handles_signals_is_left_alone_and_what_it_uses_is_not_read() {
    let program = program(
        "#include <signal.h>\nstatic int a, b, c;\nstatic void deep(void) { a++; }\n\
         static void handle(int n) { deep(); b = n; }\nstatic int other(int n) { return c + n; }\n\
         int main(void) { signal(SIGINT, handle); return other(a); }\n",
    );
    let left: Vec<&str> = program
        .functions
        .iter()
        .filter(|function| {
            let definition = function.definition.as_ref();
            definition.is_some_and(|d| d.hands_off == [HandsOff::SignalHandler])
        })
        .map(|function| function.name.as_str())
        .collect();
    assert_eq!(left, ["deep", "handle"]);
    let variables = program.variables.iter();
    let used = variables.filter(|variable| variable.is_used_by_handler);
    let used: Vec<&str> = used.map(|variable| variable.name.as_str()).collect();
    assert_eq!(used, ["a", "b"]);
}

#[test]
fn a_statement_that_may_go_on_from_code_left_out_is_no_point() {
    let program = program(
        "int x;\nint main(void)\n{\n    x = 1;\n#ifdef OTHER\n    if (x)\n#endif\n    x = 2;\n\
         #ifdef OTHER\n    x = 4;\n#else\n    x = 5;\n#endif\n    x = 3;\n    return 0;\n}\n",
    );
    let refused: Vec<&[u8]> = program
        .statements
        .iter()
        .filter(|statement| statement.insertion == Err(NoPoint::Conditional))
        .map(|statement| program.text(statement.span))
        .collect();
    assert_eq!(refused, [b"x = 2;"]);
}

#[test]
fn a_mark_inside_a_number_of_c23_hides_no_statement_from_clang() {
    // To us, a character constant goes on to the next mark or the end of the line.
    let text = b"int main(void) { int t = 1'000; return t; }";
    let flags = ["-std=gnu2x".into()];
    let program = lower(&clang(), Path::new("a.c"), text[..].into(), &flags).unwrap();
    assert_eq!(program.points().count(), 1);
}
