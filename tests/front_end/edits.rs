//! Whole programs survive edits everywhere: empty statements before every
//! statement, braces around every body.

use crate::support::{compile, corpora, csmith, in_parallel, lower_seed, newest_clang, run};
use mestra::edit::Edits;
use mestra::program::{Program, Role, StatementKind};
use mestra::seed::Seed;
use std::path::Path;

/// The program with `;` put before every statement that takes it, and every
/// unbraced body braced.
fn disturbed(program: &Program) -> Vec<u8> {
    let mut edits = Edits::new();
    for statement in program.points().map(|id| program.statement(id)) {
        let is_body = matches!(
            statement.role,
            Role::Then | Role::Else | Role::LoopBody | Role::SwitchBody
        );
        if is_body && statement.kind != StatementKind::Compound {
            edits.brace(statement.span);
        }
        edits.insert_at_point(statement, "; ");
    }
    edits
        .render(&program.source)
        .expect("points do not conflict")
}

/// The seed and its disturbed form must compile and do the same.
fn survives(path: &Path, directory: &Path) -> Result<(), String> {
    let problem = |what: String| format!("{}: {what}", path.display());
    let seed = Seed::read(path, &[]).map_err(|refused| refused.to_string())?;
    let program = lower_seed(&seed).map_err(|refused| refused.to_string())?;
    if Edits::new().render(&program.source).as_deref() != Ok(&*seed.source) {
        return Err(problem("no edits, other text".into()));
    }
    let name = path.file_stem().unwrap().to_string_lossy();
    // Under its own name, which the program may print; its includes stay behind.
    let directory = directory.join(&*name);
    std::fs::create_dir(&directory).unwrap();
    let mut flags = seed.flags.clone();
    let mut include = std::ffi::OsString::from("-I");
    include.push(path.parent().unwrap());
    flags.push(include);
    let disturbed_path = directory.join(path.file_name().unwrap());
    std::fs::write(&disturbed_path, disturbed(&program)).unwrap();
    for compiler in ["gcc", newest_clang()] {
        let original = directory.join(format!("{compiler}.original"));
        let changed = directory.join(format!("{compiler}.changed"));
        compile(compiler, path, &flags, &original)
            .map_err(|e| problem(format!("{compiler}: {e}")))?;
        compile(compiler, &disturbed_path, &flags, &changed)
            .map_err(|e| problem(format!("disturbed, {compiler}: {e}")))?;
        for input in &seed.inputs {
            let Some(expected) = run(&original, input) else {
                continue;
            };
            let actual = run(&changed, input)
                .ok_or_else(|| problem(format!("disturbed, {compiler}: does not end")))?;
            if (expected.ending, &expected.stdout) != (actual.ending, &actual.stdout) {
                return Err(problem(format!(
                    "disturbed, {compiler}: behaves differently"
                )));
            }
        }
    }
    std::fs::remove_dir_all(directory).unwrap();
    Ok(())
}

#[test]
fn corpora_survive_edits_before_every_statement() {
    let directory = tempfile::tempdir().unwrap();
    in_parallel(&corpora(), |path| survives(path, directory.path()));
}

#[test]
fn a_hundred_csmith_programs_survive_edits_before_every_statement() {
    let directory = tempfile::tempdir().unwrap();
    let numbers: Vec<u32> = (1..=100).collect();
    in_parallel(&numbers, |&number| {
        survives(&csmith(directory.path(), number), directory.path())
    });
}
