//! Variants of a C program that is read from a file, or of a small one of its own:
//! `cargo run --example variants -- program.c 3`.

use anyhow::{Context, Result};
use mestra::VariantMaker;
use std::{env, fs};

const PROGRAM: &[u8] = b"#include <stdio.h>
int main(void) {
    int total = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 3 == 0) total += i;
    }
    printf(\"%d\\n\", total);
    return 0;
}
";

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let program = match arguments.next() {
        Some(file) => fs::read(&file).with_context(|| format!("reading {file}"))?,
        None => PROGRAM.to_vec(),
    };
    let count = match arguments.next() {
        Some(count) => count.parse().context("the number of variants")?,
        None => 1,
    };
    print!("{}", shown(&program, count)?);
    Ok(())
}

/// The variants, each below a line that says what was changed.
fn shown(program: &[u8], count: u32) -> Result<String> {
    let variants = VariantMaker::new()?.variants(program, count)?;
    let shown = variants.iter().map(|variant| {
        let (kinds, text) = (
            variant.kinds.join(", "),
            String::from_utf8_lossy(&variant.text),
        );
        format!("/* variant {}: {kinds} */\n{text}\n", variant.number)
    });
    Ok(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_variants_are_shown_with_what_was_changed() {
        let shown = shown(PROGRAM, 2).unwrap();
        assert!(
            shown.contains("/* variant 1: ") && shown.contains("/* variant 2: "),
            "{shown}"
        );
    }

    #[test]
    fn what_is_not_c_is_refused() {
        assert!(shown(b"int main(void) {", 1).is_err());
    }
}
