//! What is installed, and what each missing thing is needed for.

use crate::lab::process::missing_protection;
use crate::lab::toolchain::{Compiler, find_tool, newest_clang};
use crate::lab::{Lab, Outcome, Patience, Stage, Way};
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use anyhow::Result;
use serde::Serialize;
use std::fs;

/// One thing that Mestra can use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checkup {
    pub what: String,
    /// What is there; `None` if it is missing or does not work.
    pub found: Option<String>,
    /// Whether campaigns do not work without it.
    pub is_needed: bool,
    /// What it is used for.
    pub used_for: &'static str,
    /// What to install.
    pub remedy: &'static str,
}

/// Looks at everything that Mestra can use on this machine.
///
/// # Errors
/// If nothing can be written to try a compiler with.
pub fn checkups(lab: &Lab) -> Result<Vec<Checkup>> {
    let version = |compiler: Option<Compiler>| {
        let compiler = compiler?;
        lab.version(&compiler).ok()
    };
    let tool = |names: &[&str]| {
        let mut found = names.iter().filter_map(|name| find_tool(name));
        found.next().map(|path| path.display().to_string())
    };
    let clang = newest_clang();
    let mut all = vec![
        Checkup {
            what: "libclang".into(),
            found: Clang::load().ok().map(|_| "loaded".to_owned()),
            is_needed: true,
            used_for: "reading C programs",
            remedy: "libclang 14 or newer, such as the package libclang1-19; or set LIBCLANG_PATH",
        },
        Checkup {
            what: "gcc".into(),
            found: version(Compiler::find("gcc").ok()),
            is_needed: true,
            used_for: "profiles, and as a witness of what programs do",
            remedy: "the package gcc",
        },
        Checkup {
            what: "clang".into(),
            found: version(clang.clone()),
            is_needed: true,
            used_for: "profiles, and as a witness of what programs do",
            remedy: "a package such as clang-19",
        },
    ];
    for sanitizer in ["address", "undefined", "memory"] {
        let works = match &clang {
            Some(clang) => sanitizer_works(lab, clang, sanitizer)?,
            None => false,
        };
        all.push(Checkup {
            what: format!("clang -fsanitize={sanitizer}"),
            found: works.then(|| "works".to_owned()),
            is_needed: true,
            used_for: "telling undefined behaviour from faults of compilers",
            remedy: "the runtimes of clang, such as the package libclang-rt-19-dev",
        });
    }
    all.extend([
        Checkup {
            what: "tcc".into(),
            found: version(Compiler::find("tcc").ok()),
            is_needed: false,
            used_for: "a third order of evaluation, and reductions in a fraction of the time",
            remedy: "the package tcc",
        },
        Checkup {
            what: "csmith".into(),
            found: tool(&["csmith"]),
            is_needed: false,
            used_for: "random seeds; without it, --seeds own or files of yours",
            remedy: "the packages csmith and libcsmith-dev",
        },
        Checkup {
            what: "C-Vise".into(),
            found: tool(&["cvise", "creduce"]),
            is_needed: false,
            used_for: "reducing further than our own reducer does",
            remedy: "the package cvise",
        },
        Checkup {
            what: "clang-format".into(),
            found: tool(&["clang-format"]).or_else(numbered_format),
            is_needed: false,
            used_for: "the layout of reduced programs",
            remedy: "the package clang-format",
        },
        Checkup {
            what: "Landlock".into(),
            found: match missing_protection() {
                None => Some("programs under test are confined".into()),
                Some(_) => None,
            },
            is_needed: false,
            used_for: "keeping programs under test from your files and processes",
            remedy: "Linux 6.12 or newer",
        },
    ]);
    Ok(all)
}

fn numbered_format() -> Option<String> {
    let mut names = (13..60)
        .rev()
        .map(|version| format!("clang-format-{version}"));
    let path = names.find_map(|name| find_tool(&name))?;
    Some(path.display().to_string())
}

/// Whether a program that is built with a sanitizer runs.
fn sanitizer_works(lab: &Lab, clang: &Compiler, sanitizer: &'static str) -> Result<bool> {
    let directory = crate::lab::scratch::directory()?;
    let path = directory.path().join("try.c");
    fs::write(&path, "int main(void) { return 0; }\n")?;
    let seed = Seed::read(&path, &[])?;
    let way = Way::sanitized(clang.clone(), sanitizer, Patience::default());
    let outcome = lab.trial(&Stage::new(&seed)?, &seed.source, &way)?;
    let runs = match outcome {
        Outcome::Ran(runs) => runs,
        Outcome::Failed(_) => return Ok(false),
    };
    Ok(runs.iter().all(|run| run.ending.is_success()))
}
