//! C programs: tokens shuffled, exchanged and spliced from the seeds of `corpora/`.

use super::{SHORT, any, garble, go_on, long};
use crate::support::{clang, corpora};
use mestra::source::program::{Dump, lower};
use rand::Rng;
use std::path::Path;
use std::time::Duration;

/// Things that programs are seldom made of.
const ODD: &[&str] = &[
    "__attribute__((alias(\"x\")))",
    "_Generic(0, int: 1)",
    "({ 1; })",
    "??=",
    "<%",
    "%:",
    "\\\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "#define X X\n",
    "#include __FILE__\n",
    "#pragma weak a = b\n",
    "_Pragma(\"x\")",
    "__COUNTER__",
    "enum { Z }",
    "struct { int :0; }",
    "int [static 3]",
    "_Alignas(16)",
    "_Atomic",
    "_Complex",
    "__int128",
    "_BitInt(7)",
    "typeof(int)",
    "asm(\"\")",
    "goto *p;",
    "&&l",
    "case 1 ... 3:",
    "default:",
    "[[fallthrough]]",
    "[0 ... 3] = 1",
    ".x = 1",
    "0x1p-3",
    "1e999",
    "0777777777777777777777777",
    "'abcde'",
    "L\"x\"",
    "u8\"x\"",
    "$",
    "@",
    "__builtin_setjmp",
    "__builtin_va_arg",
    "sizeof",
    "return",
    "switch (0)",
    "do",
    "else",
    "volatile",
    "restrict",
    "register",
    "static",
    "extern",
    "inline",
    "void",
    "*",
    "&",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "?",
    ":",
    "=",
    "...",
    "->",
    "++",
    "#",
    "##",
];

/// A text as words, numbers, marks and blanks; no more than a rough cut.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            Some(last) if c == ' ' && last.ends_with(' ') => last.push(c),
            _ => pieces.push(c.into()),
        }
    }
    pieces
}

fn fuzz(time: Duration) {
    let clang = clang();
    let texts = corpora()
        .into_iter()
        .map(|path| std::fs::read(path).unwrap());
    let seeds: Vec<Vec<String>> = texts
        .map(|text| pieces(&String::from_utf8_lossy(&text)))
        .filter(|pieces| pieces.len() < 5000)
        .collect();
    let mut lowered = 0;
    go_on(time, |rng| {
        let mut text = any(rng, &seeds).clone();
        for _ in 0..rng.random_range(0..6) {
            mix(rng, &mut text, &seeds);
        }
        let mut source = text.concat().into_bytes();
        if rng.random_ratio(1, 10) {
            garble(rng, &mut source);
        }
        let flags = [any(
            rng,
            &["-std=gnu17", "-std=gnu89", "-m32", "-DX=__COUNTER__"],
        )
        .into()];
        if let Ok(program) = lower(&clang, Path::new("fuzz.c"), source.into(), &flags) {
            lowered += 1;
            let dump = Dump::new(&program);
            dump.write_text(&mut std::io::sink()).unwrap();
            dump.write_json(&mut std::io::sink()).unwrap();
        }
    });
    println!("{lowered} programs compiled");
}

/// One change: small enough that many programs still compile.
fn mix(rng: &mut impl Rng, text: &mut Vec<String>, seeds: &[Vec<String>]) {
    let at = rng.random_range(0..text.len());
    let end = (at + rng.random_range(1..=20)).min(text.len());
    let other = any(rng, seeds);
    match rng.random_range(0..6) {
        0 => text[at] = any(rng, other).clone(),
        1 => text[at] = (*any(rng, ODD)).to_owned(),
        2 => text.insert(at, (*any(rng, ODD)).to_owned()),
        3 => {
            text.drain(at..end);
            if text.is_empty() {
                text.push(" ".into());
            }
        }
        4 => {
            let from = rng.random_range(0..other.len());
            let to = (from + rng.random_range(1..=60)).min(other.len());
            text.splice(at..at, other[from..to].iter().cloned());
        }
        _ => {
            let with = rng.random_range(0..text.len());
            text.swap(at, with);
        }
    }
}

#[test]
fn shuffled_programs_are_read_or_refused() {
    fuzz(SHORT);
}

#[test]
#[ignore = "goes on for as long as MESTRA_FUZZ_SECONDS says"]
fn shuffled_programs_are_read_or_refused_for_long() {
    fuzz(long());
}
