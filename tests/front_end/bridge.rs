//! The seed's expressions as trees: printed, they mean the same again.

use crate::support::{compile, corpora, csmith, lower_seed, program, run};
use mestra::code::eval::Evaluator;
use mestra::code::expr::Expr;
use mestra::code::table::Table;
use mestra::source::edit::Edits;
use mestra::source::program::{ExprId, ExprKind, Program, lower};
use mestra::source::seed::{Input, Seed};
use mestra::source::vocabulary::Vocabulary;
use std::sync::Arc;

/// The largest expressions that can be edited and have a tree.
fn bridged(program: &Program) -> Vec<(ExprId, Expr)> {
    let vocabulary = Vocabulary::new(program);
    let mut found = Vec::new();
    let mut next = 0;
    while next < program.exprs.len() {
        let id = ExprId(next as u32);
        let is_editable = program.expr(id).editable().is_some();
        let tree = is_editable.then(|| vocabulary.tree_of(program, id));
        match tree.flatten() {
            Some(tree) => {
                next += program.subtree(id).count();
                found.push((id, tree));
            }
            None => next += 1,
        }
    }
    found
}

fn has_negative(tree: &Expr) -> bool {
    let is_negative = matches!(tree, Expr::Const(value) if value.math() < 0);
    is_negative || tree.children().into_iter().any(has_negative)
}

#[test]
fn printed_trees_are_read_as_the_same_trees() {
    let directory = tempfile::tempdir().unwrap();
    let programs = (1..=10).map(|number| csmith(directory.path(), number));
    for path in corpora().into_iter().chain(programs) {
        let seed = Seed::read(&path, &[]).unwrap();
        let program = lower_seed(&seed).unwrap();
        let trees = bridged(&program);
        let mut edits = Edits::new();
        for (id, tree) in &trees {
            let span = program.expr(*id).editable().unwrap();
            edits.replace(span, format!("({tree})").as_bytes());
        }
        let text: Arc<[u8]> = edits.render(&program.source).unwrap().into();
        let again = lower(&crate::support::clang(), &path, text, &seed.flags)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let others = bridged(&again);
        assert_eq!(trees.len(), others.len(), "{}", path.display());
        for ((id, tree), (other, found)) in trees.iter().zip(&others) {
            // C has no negative constants: that of a character or an enum is read again
            // as an operator.
            if !has_negative(tree) {
                assert_eq!(tree, found, "{} {id}", path.display());
            }
            let [was, is] = [(&program, id), (&again, other)].map(|(program, id)| {
                let expr = program.expr(*id);
                (program.types.describe(expr.ty), expr.effects)
            });
            assert_eq!(was, is, "{} {id} {tree}", path.display());
        }
    }
}

const CONSTANTS: &str = "\
    1 + 2 * 3, (7 - 10) / 2, (7 - 10) % 2, 1 << 31 - 1, -1 >> 1, ~0u, ~0, !5, - -5, 'a' + '\\377',
    0xFFFFFFFFu + 1, 2147483647 + 1l, -1 < 1u, (unsigned char)300, (signed char)200, (_Bool)4,
    (short)70000 * 2, 1 ? -1 : 1u, 5 && 0, 0 || 3, (1, 2), 010 + 0b11, 18446744073709551615ul / 3,
    (long)-1 == -1u, -1 == -1u, (char)128 < 0, RED + BLUE, BLUE << 2, (3 > 2) > 1, (1 == 1) != 0,
    (1 ? 2 : 3l) - 4, (unsigned short)-1, -(unsigned short)1, 1u - 2, 5 / 2u, -5 / 2, -5 % 3, 6 ^ 3 | 8 & 12";

#[test]
fn constants_have_the_values_that_gcc_computes() {
    let source = format!(
        "int printf(const char *, ...);\nenum {{ RED, BLUE = 7 }};\n\
         int main(void) {{ long long v[] = {{ {CONSTANTS} }};\n\
         for (unsigned i = 0; i < sizeof v / sizeof *v; i++) printf(\"%lld\\n\", v[i]);\n\
         return 0; }}\n"
    );
    let program = program(&source);
    let vocabulary = Vocabulary::new(&program);
    let list = program
        .expr_ids()
        .find(|id| program.expr(*id).kind == ExprKind::InitList)
        .unwrap();
    let evaluator = Evaluator::new(&vocabulary.types);
    let values: Vec<i64> = program
        .operands(list)
        .map(|id| {
            let text = || String::from_utf8_lossy(program.text(program.expr(id).outer));
            let tree = vocabulary.tree_of(&program, id);
            let tree = tree.unwrap_or_else(|| panic!("no tree of {}", text()));
            evaluator.value(&tree, &Table::new(1)).unwrap().values[0]
        })
        .collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("constants.c");
    std::fs::write(&path, &source).unwrap();
    let built = directory.path().join("constants");
    compile("gcc", &path, &[], &built).unwrap();
    let outcome = run(&built, &Input::default()).unwrap();
    let printed = String::from_utf8(outcome.stdout).unwrap();
    let printed: Vec<i64> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(values, printed);
}

#[test]
fn what_trees_cannot_say_has_none() {
    let program = program(
        "volatile int v; long double d; union { int a; char b; } u; int old(); int printf(const char *, ...);\n\
         #define g g\nint g;\n\
         int main(void) { int x = v; x = d; x = u.a; x = old(); x = printf(\"\"); x = g; return 0; }",
    );
    let vocabulary = Vocabulary::new(&program);
    for id in program.expr_ids() {
        let expr = program.expr(id);
        if expr.kind == ExprKind::Assign {
            assert_eq!(vocabulary.tree_of(&program, id), None, "{id}");
        }
    }
}
