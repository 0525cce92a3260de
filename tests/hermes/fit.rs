//! Every reason why a mutation does not fit, and what it does where it fits.

use crate::support::{program, statement_at};
use mestra::code::expr::Expr;
use mestra::code::op::BinaryOp;
use mestra::code::stmt::Stmt;
use mestra::code::types::IntKind;
use mestra::source::program::{NoPoint, Program, StatementId};
use mestra::variant::mutation::{Change, FalseBlock, Mutation, TrueBlock, TrueGuard, Unfit};
use mestra::variant::replay::apply;

const PROGRAM: &str = "\
#define DO(s) s
int g;
static int f(int x) {
    int y = 1;
    if (x) g = 1; else g = 2;
    switch (x) { case 1: g = 3; __attribute__((fallthrough)); case 2: g = 4; break; default: ; }
    if (x > 5) { again: g = 5; x--; }
    if (x > 4) goto again;
    DO(g++;)
    { int inner = y; g += inner; }
    while (x > 9) x--;
    return g;
}
int main(void) { return f(0) - 4; }
";

fn below(name: &str) -> Expr {
    Expr::binary(BinaryOp::Lt, Expr::var(name, IntKind::Int), Expr::int(-7))
}

fn guard(around: StatementId) -> Mutation {
    let guard = below("g");
    Mutation {
        id: 3,
        change: Change::TrueGuard(TrueGuard {
            around,
            guard,
            otherwise: None,
        }),
    }
}

fn dead(before: StatementId, name: &str) -> Mutation {
    let assign = Expr::assign(Expr::var(name, IntKind::Int), Expr::int(1));
    let block = Stmt::if_then(below("g"), Stmt::Block(vec![Stmt::Expr(assign)]));
    Mutation {
        id: 3,
        change: Change::FalseBlock(FalseBlock { before, block }),
    }
}

fn live(before: StatementId, local: &str) -> Mutation {
    let (g, copy) = (Expr::var("g", IntKind::Int), Expr::var(local, IntKind::Int));
    let block = Stmt::Block(vec![
        Stmt::declare(local, IntKind::Int, Some(g.clone())),
        Stmt::Expr(Expr::assign(g.clone(), Expr::int(9))),
        Stmt::Expr(Expr::assign(g, copy)),
    ]);
    Mutation {
        id: 3,
        change: Change::TrueBlock(TrueBlock { before, block }),
    }
}

fn at(program: &Program, text: &str) -> StatementId {
    statement_at(program, text)
}

#[test]
fn all_kinds_refuse_what_is_no_statement_or_no_point() {
    let program = program(PROGRAM);
    let none = StatementId(9_999);
    let in_macro = at(&program, "DO(g++;)");
    for mutation in [guard, |s| dead(s, "x"), |s| live(s, "mestra_3_b0")] {
        assert_eq!(
            mutation(none).check(&program),
            Err(Unfit::NoStatement(none))
        );
        let refusal = mutation(in_macro).check(&program);
        assert_eq!(refusal, Err(Unfit::NoPoint(NoPoint::InMacro)));
    }
}

#[test]
fn blocks_refuse_names_that_are_not_visible_or_not_theirs() {
    let program = program(PROGRAM);
    let place = at(&program, "while (x > 9)");
    assert_eq!(dead(place, "x").check(&program), Ok(()));
    let hidden = Err(Unfit::NotVisible("inner".into()));
    assert_eq!(dead(place, "inner").check(&program), hidden);
    assert_eq!(live(place, "mestra_3_b0").check(&program), Ok(()));
    let foreign = Err(Unfit::ForeignName("mestra_4_b0".into()));
    assert_eq!(live(place, "mestra_4_b0").check(&program), foreign);
}

#[test]
fn blocks_do_not_part_a_fallthrough_from_its_label() {
    let program = program(PROGRAM);
    let label = at(&program, "case 2:");
    assert_eq!(dead(label, "x").check(&program), Err(Unfit::Fallthrough));
    let refusal = live(label, "mestra_3_b0").check(&program);
    assert_eq!(refusal, Err(Unfit::Fallthrough));
}

#[test]
fn guards_refuse_declarations_labels_and_empty_statements() {
    let program = program(PROGRAM);
    let refusal = |text: &str| guard(at(&program, text)).check(&program).unwrap_err();
    assert_eq!(refusal("int y = 1;"), Unfit::Declaration);
    assert_eq!(refusal("case 2:"), Unfit::Label);
    assert_eq!(refusal("again:"), Unfit::Label);
    assert_eq!(refusal("if (x > 5)"), Unfit::Label);
    assert!(matches!(refusal("__attribute__"), Unfit::Untouchable(_)));
    for text in [
        "if (x) g",
        "switch (x)",
        "g = 1;",
        "goto again;",
        "while (x > 9)",
        "return g",
    ] {
        assert_eq!(guard(at(&program, text)).check(&program), Ok(()), "{text}");
    }
}

#[test]
fn a_guard_of_an_unbraced_body_keeps_the_else_where_it_was() {
    let program = program(PROGRAM);
    let text = apply(&program, [&guard(at(&program, "g = 1;"))]).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("if (x) { if (g < -7) { g = 1; } } else g = 2;"),
        "{text}"
    );
}

#[test]
fn the_other_branch_of_a_guard_follows_the_statement() {
    let program = program(PROGRAM);
    let place = at(&program, "while (x > 9)");
    let branch = |name: &str| {
        let mut mutation = guard(place);
        if let Change::TrueGuard(change) = &mut mutation.change {
            let assign = Expr::assign(Expr::var(name, IntKind::Int), Expr::int(1));
            change.otherwise = Some(Stmt::Block(vec![Stmt::Expr(assign)]));
        }
        mutation
    };
    let hidden = Err(Unfit::NotVisible("inner".into()));
    assert_eq!(branch("inner").check(&program), hidden);
    assert_eq!(branch("x").check(&program), Ok(()));
    let text = String::from_utf8(apply(&program, [&branch("x")]).unwrap()).unwrap();
    let expected = "if (g < -7) { while (x > 9) x--; } else { x = 1; }";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn blocks_stand_before_their_statement_on_its_line() {
    let program = program(PROGRAM);
    let place = at(&program, "while (x > 9)");
    let text = apply(&program, [&dead(place, "x"), &live(place, "mestra_3_b0")]).unwrap();
    let text = String::from_utf8(text).unwrap();
    let line = "    if (g < -7) { x = 1; } { int mestra_3_b0 = g; g = 9; g = mestra_3_b0; } while";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.lines().count(), PROGRAM.lines().count());
}

#[test]
fn code_that_aborts_needs_the_library_s_abort() {
    let fits = |seed: &str| {
        let program = program(seed);
        let before = statement_at(&program, "return");
        let block = Stmt::if_then(Expr::int(0), Stmt::Abort);
        let mutation = Mutation {
            id: 3,
            change: Change::FalseBlock(FalseBlock { before, block }),
        };
        mutation.check(&program)
    };
    assert_eq!(fits("int main(void) { return 0; }"), Ok(()));
    assert_eq!(
        fits("#include <stdlib.h>\nint main(void) { return 0; }"),
        Ok(())
    );
    for other in [
        "int main(void) { int abort = 0; return abort; }",
        "static void abort(void) { }\nint main(void) { return 0; }",
        "#include <stdlib.h>\n#define abort() 0\nint main(void) { return 0; }",
    ] {
        assert_eq!(
            fits(other),
            Err(Unfit::NotVisible("abort".into())),
            "{other}"
        );
    }
}
