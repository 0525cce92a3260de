//! Statements, their text, and what their expressions do with variables.

use crate::support::{program, statement_at};
use mestra::source::program::{Access, PartRole, Program, StatementKind};

fn text(program: &Program, at: &str) -> String {
    let span = program.statement(statement_at(program, at)).span;
    String::from_utf8(program.text(span).to_vec()).unwrap()
}

/// Name, access, partial, conditional for every use, in order.
fn uses(body: &str) -> Vec<(String, Access, bool, bool)> {
    let source = format!(
        "struct S {{ int f; int a[3]; struct S *n; }};\n\
         void call(int, ...);\n\
         int main(void) {{ int x, y, z, a[3], *p; struct S s, *q; {body} }}"
    );
    let program = program(&source);
    program
        .uses
        .iter()
        .map(|u| {
            let name = program.variable(u.variable).name.clone();
            assert_eq!(program.text(u.span), name.as_bytes());
            (name, u.access, u.is_partial, u.is_conditional)
        })
        .collect()
}

/// The same in short: `name` for a read, `name=` write, `name+=` both, `&name`
/// address, `name?` unknown, `(name)` unevaluated; `.` after a part, `~` when conditional.
fn accesses(body: &str) -> String {
    let all: Vec<String> = uses(body)
        .into_iter()
        .map(|(name, access, partial, conditional)| {
            let name = if partial { format!("{name}.") } else { name };
            let text = match access {
                Access::Read => name,
                Access::Write => format!("{name}="),
                Access::ReadWrite => format!("{name}+="),
                Access::AddressTaken => format!("&{name}"),
                Access::Unevaluated => format!("({name})"),
                Access::Unknown => format!("{name}?"),
            };
            if conditional {
                format!("~{text}")
            } else {
                text
            }
        })
        .collect();
    all.join(" ")
}

#[test]
fn spans_include_the_semicolon() {
    let program = program(
        "int main(void) { int a = 1 , b; a = 2 /* c */ ; do a--; while (a) ; ; \
         if (a) b = 1; else b = 2; L: return b ; }",
    );
    assert_eq!(text(&program, "int a"), "int a = 1 , b;");
    assert_eq!(text(&program, "a = 2"), "a = 2 /* c */ ;");
    assert_eq!(text(&program, "do"), "do a--; while (a) ;");
    assert_eq!(text(&program, "if"), "if (a) b = 1; else b = 2;");
    assert_eq!(text(&program, "L:"), "L: return b ;");
}

#[test]
fn every_statement_kind_is_known() {
    let source = "int main(void) { int i; i = 0; ; if (i) {} switch (i) { case 1: break; default: ; }\n\
        while (i) continue; do ; while (0); for (;;) goto L; L: return 0; }";
    let program = program(source);
    let names: Vec<&str> = program.statements.iter().map(|s| s.kind.name()).collect();
    assert_eq!(
        names,
        [
            "block",
            "declaration",
            "expression",
            "empty",
            "if",
            "block",
            "switch",
            "block",
            "case",
            "break",
            "default",
            "empty",
            "while",
            "continue",
            "do",
            "empty",
            "for",
            "goto",
            "label",
            "return"
        ]
    );
    let goto = statement_at(&program, "goto");
    let label = statement_at(&program, "L:");
    assert!(matches!(&program.statement(goto).kind,
        StatementKind::Goto { target, .. } if *target == Some(label)));
}

#[test]
fn parents_children_and_order_agree() {
    let program = program(
        "int main(void) { for (int i = 0; i < 3; i++) { if (i) continue; else break; } return 0; }",
    );
    for id in program.statement_ids() {
        let statement = program.statement(id);
        for &child in &statement.children {
            assert!(child > id);
            assert_eq!(program.statement(child).parent, Some(id));
            assert!(statement.span.contains(program.statement(child).span));
        }
    }
}

#[test]
fn clauses_of_a_for_are_told_by_their_semicolons() {
    let roles = |header: &str| -> Vec<PartRole> {
        let program = program(&format!("int i; int main(void) {{ for ({header}) ; }}"));
        program
            .statement(statement_at(&program, "for"))
            .parts
            .iter()
            .map(|p| p.role)
            .collect()
    };
    assert_eq!(roles(";;"), []);
    assert_eq!(roles("i = 0;;"), [PartRole::Init]);
    assert_eq!(roles("; i /* ; */ < 1;"), [PartRole::Condition]);
    assert_eq!(roles(";; i++"), [PartRole::Step]);
    assert_eq!(
        roles("i = ';'; i < (1); i++"),
        [PartRole::Init, PartRole::Condition, PartRole::Step]
    );
    assert!(matches!(
        roles("int k = 0, m = 1;;")[..],
        [PartRole::Declarator(_), PartRole::Declarator(_)]
    ));
}

#[test]
fn reads_writes_and_addresses_are_told_apart() {
    assert_eq!(accesses("x = y + z;"), "x= y z");
    assert_eq!(accesses("x += y; x++; --x;"), "x+= y x+= x+=");
    assert_eq!(accesses("p = &x; *p = y; y = -*p;"), "p= &x p y y= p");
    assert_eq!(accesses("call(x, y, a);"), "x y &a");
    assert_eq!(accesses("x = sizeof y + sizeof(int);"), "x= (y)");
    assert_eq!(accesses("x = (y, z);"), "x= y z");
    assert_eq!(accesses("x = y = z;"), "x= y= z");
    assert_eq!(accesses("return (x);"), "x");
    assert_eq!(
        accesses("x = y == z; x = y <= z; x = y != z;"),
        "x= y z x= y z x= y z"
    );
}

#[test]
fn parts_of_aggregates_are_partial() {
    assert_eq!(accesses("a[x] = y; 0[a] = y;"), "a.= x y a.= y");
    assert_eq!(
        accesses("s.f = 1; s.a[x] = y; y = s.a[0];"),
        "s.= s.= x y y= s."
    );
    assert_eq!(accesses("q->f = 1; q->n->f = x; (*q).f++;"), "q q x q");
    assert_eq!(
        accesses("p = a; p = &a[1]; p = s.a; p[1] = 2;"),
        "p= &a p= &a. p= &s. p"
    );
}

#[test]
fn what_may_not_run_is_conditional() {
    assert_eq!(accesses("x && (y = 1);"), "x ~y=");
    assert_eq!(accesses("x || y++;"), "x ~y+=");
    assert_eq!(accesses("x ? (y = 1) : z;"), "x ~y= ~z");
}

#[test]
fn macros_make_accesses_unknown() {
    let source = "#define SET(v) v = 1\n#define INC x++\n#define V x\n\
        int main(void) { int x; SET(x); INC; V = 2; return V; }";
    let program = program(source);
    let seen: Vec<(Access, bool)> = program
        .uses
        .iter()
        .map(|used| (used.access, used.is_in_macro))
        .collect();
    assert_eq!(
        seen,
        [
            (Access::Unknown, true),
            (Access::Unknown, true),
            (Access::Write, true),
            (Access::Read, true)
        ]
    );
}

#[test]
fn calls_are_known_by_their_function() {
    let source = "int f(int); int (*g)(int);\n\
        int main(void) { return f(1) + g(2) + (*g)(3) + (f)(4) + undeclared(f(5)); }";
    let program = program(source);
    let names: Vec<Option<&str>> = program
        .calls
        .iter()
        .map(|call| call.function.map(|f| program.function(f).name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            Some("f"),
            None,
            None,
            Some("f"),
            Some("undeclared"),
            Some("f")
        ]
    );
}

#[test]
fn a_k_and_r_definition_has_its_parameters() {
    let program =
        program("int f(a, b) int a; char *b; { return a; } int main(void) { return f(1, 0); }");
    let (_, f, definition) = program.definitions().next().unwrap();
    assert_eq!(f.name, "f");
    let names: Vec<&str> = definition
        .parameters
        .iter()
        .map(|&p| program.variable(p).name.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn deep_nesting_is_lowered_or_refused_but_never_fatal() {
    let mut chain = String::from("int main(void) { int x = 0;");
    for number in 0..3000 {
        chain.push_str(&format!("if (x == {number}) x++; else "));
    }
    chain.push_str("; return x; }");
    // libclang itself may give up on such a program; we must not crash.
    if let Ok(program) = crate::support::try_program(&chain, &[]) {
        assert_eq!(program.statements.len(), 3 + 2 * 3000 + 1);
    }
    let sum = format!(
        "int main(void) {{ int x = 0; return {}; }}",
        vec!["x"; 4000].join(" + ")
    );
    if let Ok(program) = crate::support::try_program(&sum, &[]) {
        assert_eq!(program.uses.len(), 4000);
    }
}
