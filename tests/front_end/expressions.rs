//! The seed's expressions: a fixture for each case, with what is expected beside it.
//!
//! `MESTRA_BLESS=1` writes the expectations anew; look at the difference before you
//! commit it.

use crate::support::{corpora, csmith, lower_seed, program, repository};
use mestra::source::program::{Dump, ExprId, ExprKind, Program};
use mestra::source::seed::Seed;
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<PathBuf> {
    let directory = repository().join("tests/data/expressions");
    let mut found: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    found.sort();
    found
}

fn listing(path: &Path) -> String {
    let program = lower_seed(&Seed::read(path, &[]).unwrap()).unwrap();
    let mut text = Vec::new();
    Dump::new(&program).write_expressions(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn expressions_are_as_expected() {
    let mut others = Vec::new();
    let fixtures = fixtures();
    assert!(fixtures.len() >= 25, "{} fixtures", fixtures.len());
    for path in fixtures {
        let (found, expected) = (listing(&path), path.with_extension("expected"));
        if std::env::var_os("MESTRA_BLESS").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if let Some((line, (is, was))) = found
            .lines()
            .chain([""])
            .zip(wanted.lines().chain([""]))
            .enumerate()
            .find(|(_, (found, wanted))| found != wanted)
        {
            others.push(format!(
                "{} line {}: expected {was:?}, found {is:?}",
                expected.display(),
                line + 1
            ));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// Operands lie inside what they belong to, in order, and parents know their children.
fn check_shape(program: &Program) {
    for id in program.expr_ids() {
        let expr = program.expr(id);
        let mut before = expr.outer.start;
        for operand in program.operands(id) {
            let inner = program.expr(operand);
            assert_eq!(inner.parent, Some(id));
            if let (Some(outer), Some(span)) = (expr.editable(), inner.editable()) {
                assert!(outer.contains(span), "{id} {outer:?} {operand} {span:?}");
                // The sizes in `sizeof(int[4][2])` come from the inside out.
                let is_ordered = before <= span.start || expr.kind == ExprKind::SizeOf;
                assert!(is_ordered, "{id} {operand}");
                before = span.end;
            }
        }
    }
    for statement in &program.statements {
        for part in &statement.parts {
            let roots: Vec<ExprId> = program.roots(part).collect();
            assert!(roots.len() < 2 || !roots.contains(&ExprId(part.exprs.end)));
        }
    }
    for used in &program.uses {
        let expr = program.expr(used.expr);
        assert_eq!(expr.span, used.span);
    }
}

#[test]
fn expressions_lie_inside_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let programs = (1..=10).map(|number| csmith(directory.path(), number));
    for path in corpora().into_iter().chain(programs).chain(fixtures()) {
        check_shape(&lower_seed(&Seed::read(&path, &[]).unwrap()).unwrap());
    }
}

#[test]
fn nested_records_take_time_in_proportion_to_their_depth() {
    let depth = 60;
    let open: String = (0..depth)
        .map(|level| format!("struct s{level} {{ "))
        .collect();
    let close: String = (0..depth).map(|level| format!("}} f{level}; ")).collect();
    let source =
        format!("{open} int x; {close} int main(void) {{ {open} int x; {close} return 0; }}");
    let start = std::time::Instant::now();
    program(&source);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
