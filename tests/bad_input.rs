//! Whatever a person gives us: one clear line and the right exit code.

use crate::support::{executable, repository};
use mestra::lab::process::{Command, Ending, Output};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

fn mestra(arguments: &[&OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .run()
        .expect("mestra starts")
}

fn dump(path: &Path) -> Output {
    mestra(&["dump".as_ref(), path.as_os_str()])
}

/// One line on standard error that starts with our name and says `what`.
#[track_caller]
fn refuses(outcome: &Output, code: i32, what: &str) {
    let message = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.ending, Ending::Exited(code), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.starts_with("mestra: ") && message.contains(what),
        "{message}"
    );
    assert!(outcome.stdout.is_empty());
}

#[track_caller]
fn file_refused(name: &str, content: &[u8], what: &str) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, content).unwrap();
    refuses(&dump(&path), 3, what);
}

#[test]
fn a_missing_file_is_refused() {
    refuses(
        &dump(Path::new("no/such/file.c")),
        3,
        "no/such/file.c: cannot be read: No such file",
    );
}

#[test]
fn a_directory_is_refused() {
    refuses(&dump(repository()), 3, "is a directory, not a C file");
}

#[test]
fn a_device_is_refused() {
    refuses(&dump(Path::new("/dev/zero")), 3, "is not a regular file");
}

#[test]
fn an_empty_file_is_refused() {
    file_refused("empty.c", b"", "is empty");
}

#[test]
fn a_file_of_another_language_is_refused() {
    let code = b"int main(void) { return 0; }\n";
    for name in ["program.cpp", "program.txt", "program"] {
        file_refused(name, code, "a seed must be a .c or .i file");
    }
}

#[test]
fn binary_garbage_is_refused() {
    let garbage: Vec<u8> = (0..100_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    file_refused("garbage.c", &garbage, "does not compile");
    file_refused("nul.c", &[0; 1000], "");
}

#[test]
fn a_file_of_fifty_megabytes_is_refused_at_once() {
    let line = b"int main(void) { return 0; } /* and so on and on */\n";
    let start = std::time::Instant::now();
    file_refused(
        "big.c",
        &line.repeat((50 << 20) / line.len() + 1),
        "has 50 MB; the limit for a seed is",
    );
    assert!(start.elapsed() < std::time::Duration::from_secs(10));
}

#[test]
fn code_that_does_not_compile_is_refused_with_the_place() {
    let code = b"int main(void) {\n  return x;\n}\n";
    file_refused(
        "wrong.c",
        code,
        "wrong.c:2: use of undeclared identifier 'x'",
    );
}

#[test]
fn many_errors_are_still_one_line() {
    let code = b"int main(void) {\n  return x;\n}\n".repeat(30);
    file_refused("wrong.c", &code, "more errors");
}

#[test]
fn no_main_is_refused() {
    file_refused(
        "library.c",
        b"int f(void) { return 1; }\n",
        "defines no function main",
    );
    file_refused(
        "declared.c",
        b"int main(void);\n",
        "defines no function main",
    );
}

#[test]
fn a_keyword_that_is_a_macro_is_refused() {
    let code = b"#define int long long\nsigned main(void) { int x = 0; return (signed)x; }\n";
    file_refused("keyword.c", code, "defines int as a macro");
}

#[test]
fn an_unreadable_include_is_refused() {
    let code = b"#include \"not_there.h\"\nint main(void) { return 0; }\n";
    file_refused(
        "includes.c",
        code,
        "includes.c:1: 'not_there.h' file not found",
    );
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    let code =
        b"#ifndef ONCE\n#define ONCE\n#include __FILE__\nint main(void) { return 0; }\n#endif\n";
    file_refused("itself.c", code, "includes itself");
}

#[test]
fn control_characters_of_a_compiler_are_shown() {
    let directory = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\nprintf 'error: \\033[31mred\\007\\n' >&2\nexit 1\n";
    let compiler = executable(&directory.path().join("cc"), script);
    let seed = repository().join("corpora/statement_forms.c");
    let words: [&OsStr; 4] = [
        "mutate".as_ref(),
        "--dry-run".as_ref(),
        "--profile-compiler".as_ref(),
        compiler.as_ref(),
    ];
    let outcome = mestra(&[&words[..], &[seed.as_os_str()]].concat());
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.ending, Ending::Exited(3), "{said}");
    assert!(said.contains("error: \\x1b[31mred\\x07\n"), "{said}");
}

#[test]
fn flags_that_clang_does_not_know_are_refused() {
    let seed = repository().join("corpora/statement_forms.c");
    let outcome = mestra(&[
        "dump".as_ref(),
        seed.as_os_str(),
        "--".as_ref(),
        "-std=c1".as_ref(),
    ]);
    refuses(&outcome, 3, "-std=c1");
}

#[test]
fn odd_paths_work() {
    let directory = tempfile::tempdir().unwrap();
    for name in [
        &b"with space.c"[..],
        b"latin\xe9\xff.c",
        b"-dash.c",
        b"quote\"s'.c",
    ] {
        let path = directory.path().join(OsString::from_vec(name.to_vec()));
        std::fs::write(&path, "int main(void) { return 0; }\n").unwrap();
        let outcome = dump(&path);
        let message = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.ending, Ending::Exited(0), "{message}");
        assert!(outcome.stdout.starts_with(b"/"), "the path is shown");
    }
}

#[test]
fn a_variant_that_cannot_be_read_does_not_keep_the_others_from_being_verified() {
    let directory = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let seed = put("seed.c", "int main(void) { return 0; }\n");
    let same = put("same.c", "int main(void) { return 1 - 1; }\n");
    let differing = put("differing.c", "int main(void) { return 1; }\n");
    let missing = directory.path().join("missing.c");
    for (first, code) in [(&differing, 2), (&same, 3)] {
        let words = ["verify".as_ref(), seed.as_os_str()];
        let variants = [first, &missing, &same].map(|path| path.as_os_str());
        let outcome = mestra(&[&words[..], &variants[..]].concat());
        let message = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.ending, Ending::Exited(code), "{message}");
        assert!(message.contains("missing.c: cannot be read: "), "{message}");
        let said = String::from_utf8_lossy(&outcome.stdout);
        assert!(said.ends_with("same.c: same\n"), "{said}");
    }
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    for arguments in [
        &["dump"][..],
        &["no-such-command"],
        &["dump", "a.c", "--no-such-option"],
        &[],
    ] {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        assert_eq!(
            mestra(&arguments).ending,
            Ending::Exited(1),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_missing_libclang_has_its_own_exit_code_and_a_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg("dump")
        .arg(repository().join("corpora/statement_forms.c"))
        .env("LIBCLANG_PATH", directory.path())
        .run()
        .unwrap();
    // An empty directory in LIBCLANG_PATH makes clang-sys look elsewhere too, so
    // the library may be found all the same; a broken one in it is not passed over.
    std::fs::write(directory.path().join("libclang.so"), b"not a library").unwrap();
    assert!(outcome.ending == Ending::Exited(0) || outcome.ending == Ending::Exited(4));
    let broken = directory.path().join("libclang.so");
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg("dump")
        .arg(repository().join("corpora/statement_forms.c"))
        .env("LIBCLANG_PATH", &broken)
        .run()
        .unwrap();
    refuses(&outcome, 4, "apt-get install libclang1-19");
    // Long expressions call no everyday functions, so nobody has to read any.
    let generate = |mode: &str| {
        Command::new(env!("CARGO_BIN_EXE_mestra"))
            .args(["generate", "--size", "2K", "--mode", mode])
            .env("LIBCLANG_PATH", &broken)
            .run()
            .unwrap()
    };
    refuses(&generate("mixed"), 4, "apt-get install libclang1-19");
    assert_eq!(generate("orange").ending, Ending::Exited(0));
}

#[test]
fn a_feature_that_a_mode_never_has_is_told_in_one_line() {
    let generate = |features: &str| {
        Command::new(env!("CARGO_BIN_EXE_mestra"))
            .args(["generate", "--size", "2K", "--mode", "orange"])
            .args(["--features", features])
            .run()
            .unwrap()
    };
    let outcome = generate("shifts,gotos,room");
    assert_eq!(outcome.ending, Ending::Exited(0));
    let said = String::from_utf8(outcome.stderr).unwrap();
    let wanted = "mestra: programs of --mode orange in c never have gotos, room\n";
    assert_eq!(said, wanted);
    assert!(generate("shifts").stderr.is_empty());
}

/// Runs a command on a small seed; `SEED` and `HERE` among its words stand for that and
/// for its directory.
fn on_seed(words: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path().to_str().unwrap();
    let seed = format!("{here}/r.c");
    std::fs::write(&seed, "int main(void) { return 0; }\n").unwrap();
    std::fs::write(format!("{here}/wrong.c"), "int main(void) { return 0 }\n").unwrap();
    std::os::unix::fs::symlink("/usr/bin/gcc", format!("{here}/gcc")).unwrap();
    let words = words
        .iter()
        .map(|word| word.replace("SEED", &seed).replace("HERE", here));
    let words: Vec<String> = words.collect();
    let (setting, arguments) = match words[0].strip_prefix("PATH=") {
        Some(path) => (path.to_owned(), &words[1..]),
        None => (std::env::var("PATH").unwrap(), &words[..]),
    };
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .env("PATH", setting)
        .run()
        .expect("mestra starts")
}

#[test]
fn what_is_no_compiler_is_named_and_has_the_exit_code_of_a_missing_one() {
    let no_compiler = "/bin/true reports success and has made no program";
    let compiler = "--profile-compiler";
    let mutate = ["mutate", "-o", "HERE/out", compiler, "/bin/true", "SEED"];
    refuses(&on_seed(&mutate), 4, no_compiler);
    let profile = ["profile", compiler, "/bin/true", "SEED"];
    refuses(&on_seed(&profile), 4, no_compiler);
    let verify = ["verify", "--compiler", "/bin/true", "SEED", "SEED"];
    refuses(&on_seed(&verify), 4, no_compiler);
}

#[test]
fn a_missing_clang_is_told_with_options_that_exist() {
    let words = ["PATH=HERE", "verify", "SEED", "SEED"];
    let outcome = on_seed(&words);
    refuses(&outcome, 4, "no clang was found; install one");
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(!said.contains("--profile-compiler"), "{said}");
    let outcome = on_seed(&["PATH=HERE", "profile", "SEED"]);
    refuses(&outcome, 4, "or choose with --profile-compiler");
}

#[test]
fn a_file_that_is_no_profile_is_refused_by_name() {
    let words = ["mutate", "-o", "HERE/out", "--profile", "SEED", "SEED"];
    refuses(&on_seed(&words), 1, "r.c is not a profile");
}

#[test]
fn a_fault_of_a_variant_is_not_said_to_be_in_its_seed() {
    let outcome = on_seed(&["verify", "SEED", "HERE/wrong.c"]);
    assert_eq!(outcome.ending, Ending::Exited(2));
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let place = "wrong.c: gcc -O0: does not compile: line 1:26: error: ";
    assert!(said.contains(place) && !said.contains("r.c:"), "{said}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let seed = repository().join("corpora/statement_forms.c");
    let script = format!(
        "{} dump --json '{}' | head -c 10 >/dev/null; echo ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_mestra"),
        seed.display()
    );
    let outcome = Command::new("bash").arg("-c").arg(script).run().unwrap();
    assert_eq!(outcome.stdout, b"0\n");
    assert!(outcome.stderr.is_empty());
}

#[test]
fn donors_of_nothing_replace_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("empty.c"), "int x;").unwrap();
    std::fs::write(path("donors.json"), "precious").unwrap();
    let (seed, out) = (path("empty.c"), path("donors.json"));
    let outcome = mestra(&[
        "donors".as_ref(),
        "-o".as_ref(),
        out.as_ref(),
        seed.as_ref(),
    ]);
    refuses(&outcome, 1, "can be used by other programs");
    assert_eq!(std::fs::read(&out).unwrap(), b"precious");
}

#[test]
fn numbers_end_somewhere() {
    let last = u64::MAX.to_string();
    let arguments = ["generate", "--stats", "--count", "2", "--seed", &last];
    let outcome = mestra(&arguments.map(OsStr::new));
    refuses(&outcome, 1, "so many programs have no numbers");
}
