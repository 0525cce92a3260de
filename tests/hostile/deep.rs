//! Programs that are nested so deeply, or become so large, that parsers give up: each
//! is read or refused, and the next one gets its turn.

use mestra::lab::process::{Command, Ending, Limits, Output};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn main_of(body: &str) -> String {
    format!("int main(int argc, char **argv) {{ {body} return 0; }}\n")
}

fn repeated(before: &str, inside: &str, after: &str, times: usize) -> String {
    format!("{}{inside}{}", before.repeat(times), after.repeat(times))
}

/// A macro that becomes 10 to the `levels` of `word`.
fn bomb(word: &str, levels: usize) -> String {
    let mut text = format!("#define M0 {word}\n");
    for level in 1..=levels {
        let body = format!(" M{}", level - 1).repeat(10);
        text.push_str(&format!("#define M{level}{body}\n"));
    }
    text
}

/// Each with a name.
fn programs() -> Vec<(&'static str, String)> {
    let value = |text: String| main_of(&format!("argc = {text};"));
    vec![
        ("parentheses", value(repeated("(", "0", ")", 1500))),
        (
            "too_many_parentheses",
            value(repeated("(", "0", ")", 50_000)),
        ),
        ("braces", main_of(&repeated("{", "", "}", 2000))),
        ("calls", value(repeated("main(", "0, 0", ", 0)", 1000))),
        ("casts", value(repeated("(int)", "0", "", 3000))),
        ("nots", value(repeated("!", "0", "", 1_000_000))),
        ("minuses", value(repeated("- ", "0", "", 30_000))),
        ("sums", value(repeated("1 + ", "0", "", 15_000))),
        ("too_many_sums", value(repeated("1 + ", "0", "", 100_000))),
        (
            "conditions",
            value(repeated("argc ? 1 : ", "0", "", 15_000)),
        ),
        ("assignments", value(repeated("argc = ", "0", "", 15_000))),
        (
            "else_ifs",
            main_of(&repeated("if (argc == 9) return 1; else ", ";", "", 1500)),
        ),
        ("ifs", main_of(&repeated("if (argc) ", ";", "", 1000))),
        ("whiles", main_of(&repeated("while (0) ", ";", "", 1000))),
        (
            "initialisers",
            format!("int x = {}; {}", repeated("{", "0", "}", 1500), main_of("")),
        ),
        (
            "pointers",
            format!("int {}; {}", repeated("*", "p", "", 500_000), main_of("")),
        ),
        (
            "declarators",
            format!("int {}; {}", repeated("(", "p", ")", 1500), main_of("")),
        ),
        (
            "structs",
            format!(
                "{}; {}",
                repeated("struct { ", "int x; ", "} m;", 500),
                main_of("")
            ),
        ),
        (
            "if_of_the_preprocessor",
            format!("#if {}1\n#endif\n{}", "!".repeat(300_000), main_of("")),
        ),
        (
            "macro_bomb",
            format!("{}{}", bomb("!", 9), value("M9 0".into())),
        ),
        (
            "macro_too_deep",
            format!("{}{}", bomb("!", 6), value("M6 0".into())),
        ),
        ("itself", format!("#include __FILE__\n{}", main_of(""))),
    ]
}

/// What `mestra dump` says of a program, in so many bytes of memory.
fn dump(path: &Path, memory: u64) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg("dump")
        .arg(path)
        .limits(Limits {
            wall: Duration::from_secs(60),
            memory: Some(memory),
            output: 64 << 20,
            ..Limits::default()
        })
        .run()
        .unwrap()
}

#[test]
fn many_blocks_do_not_take_the_square_of_their_memory() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("blocks.c");
    fs::write(
        &path,
        main_of(&"{ int i = argc; argc = i; }\n".repeat(60_000)),
    )
    .unwrap();
    let outcome = dump(&path, 2 << 30);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.ending, Ending::Exited(0), "{said}");
}

#[test]
fn nothing_is_too_deep_to_be_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, text) in programs() {
        let path = directory.path().join(format!("{name}.c"));
        fs::write(&path, text).unwrap();
        files.push(path);
    }
    for path in &files {
        let outcome = dump(path, 8 << 30);
        let said = String::from_utf8_lossy(&outcome.stderr);
        let is_refused = outcome.ending == Ending::Exited(3) && said.lines().count() == 1;
        assert!(
            is_refused || outcome.ending == Ending::Exited(0),
            "{}: {}: {said}",
            path.display(),
            outcome.ending
        );
    }
}
