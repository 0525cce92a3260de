//! Programs of a wanted size: several of Csmith's in one file.
//!
//! Everything that Csmith gives a name at file level (globals, functions, structs,
//! unions and `main`) gets the number of its program, the headers are included once,
//! and a new `main` calls the old ones in turn. So a program of twenty parts has
//! twenty times the functions, the globals and the work at run time of one part.

use super::{csmith_with, lines, seed};
use mestra::source::seed::Seed;
use mestra::variant::mutate::Mutator;
use std::path::Path;

/// Csmith's options for parts, and which sizes are taken: about 500 lines.
const OPTIONS: [&str; 2] = ["--max-funcs", "3"];
const PART_LINES: std::ops::RangeInclusive<usize> = 400..=600;

/// The first programs of Csmith that are of the right size, can be profiled and
/// together have so many lines.
pub fn parts(mutator: &Mutator, directory: &Path, wanted: usize) -> Vec<Seed> {
    let mut parts = Vec::new();
    let mut sum = 0;
    for number in 1.. {
        if sum >= wanted {
            break;
        }
        let part = csmith_with(directory, number, &OPTIONS);
        let size = lines(&part.source);
        // Some of Csmith's programs do not end.
        if PART_LINES.contains(&size) && mutator.source(part.clone(), None).is_ok() {
            sum += size;
            parts.push(part);
        }
    }
    parts
}

/// One program of as many parts as make up a number of lines.
pub fn join(parts: &[Seed], directory: &Path, wanted: usize) -> Seed {
    let mut text = b"#include \"csmith.h\"\n".to_vec();
    let mut calls = String::new();
    for (number, part) in parts.iter().enumerate() {
        // As near to the number as whole parts come.
        if lines(&text) + lines(&part.source) / 2 > wanted {
            break;
        }
        renamed(&part.source, number, &mut text);
        calls.push_str(&format!("    main_{number}(argc, argv);\n"));
    }
    text.extend(
        format!("\nint main(int argc, char *argv[])\n{{\n{calls}    return 0;\n}}\n").bytes(),
    );
    seed(directory, &format!("joined{wanted}.c"), &text)
}

fn renamed(source: &[u8], number: usize, text: &mut Vec<u8>) {
    for line in source.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"#include") {
            text.push(b'\n');
            continue;
        }
        let mut rest = line;
        while let Some(&first) = rest.first() {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let length = rest.iter().take_while(|&&byte| is_word(byte)).count();
            let (word, after) = rest.split_at(length.max(1));
            text.extend_from_slice(word);
            if is_word(first) && is_of_file_level(word) {
                text.extend(format!("_{number}").bytes());
            }
            rest = after;
        }
    }
}

/// Csmith's names: `g_12`, `func_3`, `S0`, `U1`.
fn is_of_file_level(word: &[u8]) -> bool {
    let numbered = [&b"g_"[..], b"func_", b"S", b"U"].iter().any(|prefix| {
        word.strip_prefix(*prefix)
            .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
    });
    numbered || word == b"main" || word == b"__undefined"
}
