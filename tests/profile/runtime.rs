//! The runtime that instrumented seeds link with.

use crate::support::{newest_clang, repository};
use mestra::lab::process::Command;

#[test]
fn it_compiles_without_warnings_as_c89_everywhere() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("runtime.o");
    for (compiler, flags) in [
        ("gcc", &[][..]),
        ("gcc", &["-m32"]),
        ("gcc", &["-O2"]),
        (newest_clang(), &[]),
        (newest_clang(), &["-m32"]),
        (newest_clang(), &["-O2"]),
        ("tcc", &[]),
    ] {
        let outcome = Command::new(compiler)
            .args(["-std=c89", "-Wall", "-Wextra", "-pedantic", "-c", "-o"])
            .arg(&output)
            .args(flags)
            .arg(repository().join("runtime/mestra_rt.c"))
            .run()
            .unwrap();
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert!(
            outcome.ending.is_success() && said.is_empty(),
            "{compiler} {flags:?}: {said}"
        );
    }
}
