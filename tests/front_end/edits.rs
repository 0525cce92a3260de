//! Whole programs survive edits everywhere: empty statements before every
//! statement, braces around every body.

use crate::support::{
    compile, corpora, csmith, in_parallel, lower_seed, newest_clang, run, skipped,
};
use mestra::lab::toolchain::Compiler;
use mestra::lab::{Lab, Patience, Stage, Way};
use mestra::source::edit::Edits;
use mestra::source::program::{Program, Role, StatementKind};
use mestra::source::seed::Seed;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Who compiles a seed and its disturbed form, which must do the same.
#[derive(Clone, Copy)]
enum Thoroughness {
    /// gcc and clang accept both; tcc builds them in a tenth of the time, or gcc
    /// what tcc does not take.
    Quick,
    /// gcc and clang build both.
    Full,
}

/// The seed and its disturbed form must compile and do the same.
fn survives(path: &Path, directory: &Path, how: Thoroughness) -> Result<(), String> {
    let seed = Seed::read(path, &[]).map_err(|refused| refused.to_string())?;
    let program = lower_seed(&seed).map_err(|refused| refused.to_string())?;
    if let Thoroughness::Full = how {
        return seed_survives(&seed, &program, directory, &["gcc", newest_clang()]);
    }
    is_accepted(&seed, &program)?;
    let scratch = directory.join(format!("{}.tcc", path.file_stem().unwrap().display()));
    // tcc puts the directory before a name that `#line` gives.
    let tells_name = seed.source.windows(8).any(|word| word == b"__FILE__");
    let is_for_tcc = !tells_name && compile("tcc", path, &seed.flags, &scratch).is_ok();
    let builder = if is_for_tcc { "tcc" } else { "gcc" };
    seed_survives(&seed, &program, directory, &[builder])
}

/// gcc and clang take the disturbed form.
fn is_accepted(seed: &Seed, program: &Program) -> Result<(), String> {
    let lab = Lab::default();
    let stage = Stage::new(seed).unwrap();
    for name in ["gcc", newest_clang()] {
        let way = Way::plain(Compiler::find(name).unwrap(), Patience::default());
        let checked = lab.check_syntax(&stage, &disturbed(program), &way).unwrap();
        checked.map_err(|failure| format!("{}: {name}: {failure:?}", seed.path.display()))?;
    }
    Ok(())
}

fn seed_survives(
    seed: &Seed,
    program: &Program,
    directory: &Path,
    compilers: &[&str],
) -> Result<(), String> {
    let path = &seed.path;
    let problem = |what: String| format!("{}: {what}", path.display());
    if Edits::new().render(&program.source).as_deref() != Ok(&*seed.source) {
        return Err(problem("no edits, other text".into()));
    }
    let name = path.file_stem().unwrap().to_string_lossy();
    // Under its own name, which the program may print; its includes stay behind.
    let directory = directory.join(&*name);
    std::fs::create_dir(&directory).unwrap();
    let mut flags = seed.flags.clone();
    let mut include = OsString::from("-I");
    include.push(path.parent().unwrap());
    flags.push(include);
    let disturbed_path = directory.join(path.file_name().unwrap());
    std::fs::write(&disturbed_path, disturbed(program)).unwrap();
    for compiler in compilers {
        let original = directory.join(format!("{compiler}.original"));
        let changed = directory.join(format!("{compiler}.changed"));
        compile(compiler, path, &flags, &original)
            .map_err(|e| problem(format!("{compiler}: {e}")))?;
        compile(compiler, &disturbed_path, &flags, &changed)
            .map_err(|e| problem(format!("disturbed, {compiler}: {e}")))?;
        for input in &seed.inputs {
            let Some(expected) = run(&original, input) else {
                skipped(&format!("running {name} with edits"), "it does not end");
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
    let how = Thoroughness::Quick;
    in_parallel(&corpora(), |path| survives(path, directory.path(), how));
}

#[test]
fn csmith_programs_survive_edits_before_every_statement() {
    survive(1..=20, Thoroughness::Quick);
}

#[test]
#[ignore = "long"]
fn corpora_survive_edits_before_every_statement_in_builds_by_gcc_and_clang() {
    let directory = tempfile::tempdir().unwrap();
    let how = Thoroughness::Full;
    in_parallel(&corpora(), |path| survives(path, directory.path(), how));
}

#[test]
#[ignore = "long"]
fn a_hundred_csmith_programs_survive_edits_before_every_statement() {
    survive(1..=100, Thoroughness::Full);
}

fn survive(numbers: RangeInclusive<u32>, how: Thoroughness) {
    let directory = tempfile::tempdir().unwrap();
    let numbers: Vec<u32> = numbers.collect();
    in_parallel(&numbers, |&number| {
        survives(&csmith(directory.path(), number), directory.path(), how)
    });
}

/// For programs that are not in the repository: `MESTRA_SEEDS` names a directory,
/// `MESTRA_SEED_FLAGS` the flags to compile them with. Programs that gcc or we
/// refuse are counted; none of the others may change.
#[test]
#[ignore = "needs a directory of programs in MESTRA_SEEDS"]
fn programs_of_a_directory_survive_edits_before_every_statement() {
    let Some(root) = std::env::var_os("MESTRA_SEEDS") else {
        println!("MESTRA_SEEDS is not set: nothing to do");
        return;
    };
    let flags = std::env::var("MESTRA_SEED_FLAGS").unwrap_or_default();
    let flags: Vec<OsString> = flags.split_whitespace().map(OsString::from).collect();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("MESTRA_SEEDS can be listed")
        .map(|entry| entry.expect("MESTRA_SEEDS can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    let directory = tempfile::tempdir().unwrap();
    let (lowered, refused, not_c): (AtomicUsize, AtomicUsize, AtomicUsize) = Default::default();
    let count = |counter: &AtomicUsize| counter.fetch_add(1, Ordering::Relaxed);
    in_parallel(&paths, |path| {
        let scratch = directory.path().join("accepted");
        if compile(
            "gcc",
            path,
            &flags,
            &scratch.with_extension(path.file_name().unwrap()),
        )
        .is_err()
        {
            count(&not_c);
            return Ok(());
        }
        let seed = Seed::read(path, &flags).map_err(|refused| refused.to_string())?;
        match lower_seed(&seed) {
            Ok(program) => {
                count(&lowered);
                seed_survives(&seed, &program, directory.path(), &["gcc"])
            }
            Err(reason) => {
                println!("refused: {reason}");
                count(&refused);
                Ok(())
            }
        }
    });
    println!("{lowered:?} lowered, {refused:?} refused, {not_c:?} not taken by gcc");
}
