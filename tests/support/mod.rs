//! What the tests share: seeds, compilers, and running what they make.

use mestra::error::SeedRefused;
use mestra::lab::process::{Command, Ending, Limits, Output};
use mestra::source::clang::Clang;
use mestra::source::program::{Program, StatementId, VariableId, lower};
use mestra::source::seed::{Input, Seed};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

pub(crate) fn clang() -> Clang {
    Clang::load().expect("libclang is installed by scripts/setup.sh")
}

/// A C program given as text, lowered.
pub(crate) fn program(source: &str) -> Program {
    try_program(source, &[]).unwrap_or_else(|refused| panic!("{refused}\n{source}"))
}

pub(crate) fn try_program(source: &str, flags: &[&str]) -> Result<Program, SeedRefused> {
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    lower(
        &clang(),
        Path::new("test.c"),
        source.as_bytes().into(),
        &flags,
    )
}

pub(crate) fn lower_seed(seed: &Seed) -> Result<Program, SeedRefused> {
    lower(&clang(), &seed.path, seed.source.clone(), &seed.flags)
}

/// The statement whose text starts with `text`, which must be at one place only.
pub(crate) fn statement_at(program: &Program, text: &str) -> StatementId {
    let found: Vec<StatementId> = program
        .statement_ids()
        .filter(|&id| {
            program.source[program.statement(id).span.start as usize..].starts_with(text.as_bytes())
        })
        .collect();
    assert_eq!(found.len(), 1, "{text:?} starts {} statements", found.len());
    found[0]
}

/// The variable of this name, which must be declared once only.
pub(crate) fn variable(program: &Program, name: &str) -> VariableId {
    let mut found = (0..program.variables.len()).filter(|&i| program.variables[i].name == name);
    let first = found.next().unwrap_or_else(|| panic!("no variable {name}"));
    assert!(found.next().is_none(), "two variables {name}");
    VariableId(first as u32)
}

pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All seeds of corpora/.
pub(crate) fn corpora() -> Vec<PathBuf> {
    let mut seeds: Vec<PathBuf> = std::fs::read_dir(repository().join("corpora"))
        .expect("corpora/ is in the repository")
        .map(|entry| entry.expect("corpora/ can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    seeds.sort();
    assert!(seeds.len() >= 40, "corpora/ holds {} seeds", seeds.len());
    seeds
}

/// The program that Csmith makes of a seed number, written into `directory`.
pub(crate) fn csmith(directory: &Path, number: u32) -> PathBuf {
    // Csmith leaves a file `platform.info` where it runs, and fails where another is about
    // to write its own.
    let own = tempfile::tempdir().expect("a directory for csmith");
    let outcome = Command::new("csmith")
        .args(["--no-packed-struct", "--seed", &number.to_string()])
        .directory(own.path())
        .run()
        .expect("csmith is installed by scripts/setup.sh");
    assert!(outcome.ending.is_success(), "csmith --seed {number} failed");
    let path = directory.join(format!("csmith{number}.c"));
    std::fs::write(&path, outcome.stdout).expect("the test directory can be written");
    path
}

/// Whether there is a program of this name on `PATH`.
pub(crate) fn is_installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").expect("PATH is set");
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

/// The clangs on `PATH` that have a version in their name, the oldest first.
fn clangs() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let names = (14..40).map(|version| format!("clang-{version}"));
        names.filter(|name| is_installed(name)).collect()
    })
}

pub(crate) fn newest_clang() -> &'static str {
    clangs().last().expect("scripts/setup.sh installs two")
}

pub(crate) fn oldest_clang() -> &'static str {
    clangs().first().expect("scripts/setup.sh installs two")
}

/// Compiles a file without optimisation; on failure what the compiler said.
pub(crate) fn compile(
    compiler: &str,
    source: &Path,
    flags: &[OsString],
    output: &Path,
) -> Result<(), String> {
    let outcome = Command::new(compiler)
        .args(["-w", "-O0", "-o"])
        .arg(output)
        .arg(source)
        .args(flags)
        .arg("-lm")
        .run()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    if outcome.ending.is_success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&outcome.stderr).into_owned())
    }
}

/// Runs a compiled program; `None` if it does not end in time, as some of
/// Csmith's do not.
pub(crate) fn run(executable: &Path, input: &Input) -> Option<Output> {
    let mut command = Command::new(executable)
        .args(&input.arguments)
        .limits(Limits {
            wall: Duration::from_secs(5),
            ..Limits::default()
        });
    if let Some(stdin) = &input.stdin {
        command = command.stdin(stdin);
    }
    let outcome = command.run().expect("a compiled program starts");
    (outcome.ending != Ending::TimedOut).then_some(outcome)
}

/// Calls `check` for every item on as many threads as there are cores, and
/// panics with everything that went wrong.
pub(crate) fn in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let problems = std::sync::Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(item) =
                    items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    if let Err(problem) = check(item) {
                        problems.lock().unwrap().push(problem);
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

/// Says on the screen that a case is not tested, and why; once for each. What is printed
/// by macros would be kept back by the test harness.
pub(crate) fn skipped(case: &str, why: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = format!("skipped: {case}: {why}\n");
    if TOLD.lock().unwrap().insert(line.clone()) {
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// Waits until a directory is gone and nobody works in it.
pub(crate) fn is_gone_soon(directory: &Path) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        let works_there = |process: &std::fs::DirEntry| {
            std::fs::read_link(process.path().join("cwd"))
                .is_ok_and(|cwd| cwd.starts_with(directory))
        };
        let processes = std::fs::read_dir("/proc").unwrap();
        if !directory.exists() && !processes.flatten().any(|p| works_there(&p)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Writes a program.
pub(crate) fn executable(path: &Path, text: &str) -> PathBuf {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_owned()
}

/// Sends a signal, named as `kill` does: `-INT`.
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = std::process::Command::new("kill")
        .arg(name)
        .arg(child.id().to_string())
        .status();
    assert!(sent.unwrap().success());
}
