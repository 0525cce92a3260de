//! The smallest tester of compilers: what a compiler makes of a program and of its variants
//! must do the same. `cargo run --example compiler_test -- gcc -O2`.

use anyhow::{Context, Result, ensure};
use mestra::VariantMaker;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

const PROGRAM: &[u8] = b"#include <stdio.h>
int main(void) {
    unsigned sum = 1;
    for (int i = 0; i < 20; i++) sum = sum * 33 ^ (i & 5 ? sum >> 3 : i);
    printf(\"%u\\n\", sum);
    return 0;
}
";

fn main() -> Result<()> {
    let mut command: Vec<String> = env::args().skip(1).collect();
    if command.is_empty() {
        command = vec!["gcc".into(), "-O2".into()];
    }
    let (wrong, all) = test(&command)?;
    println!("{wrong} of {all} variants differ");
    Ok(())
}

/// How many variants do something else than the program, and how many there are.
fn test(command: &[String]) -> Result<(usize, usize)> {
    let maker = VariantMaker::new()?.strategy("hermes")?.dice(7);
    let variants = maker.variants(PROGRAM, 5)?;
    let directory = tempfile::tempdir()?;
    let expected = output(command, PROGRAM, directory.path())?;
    let mut wrong = 0;
    for variant in &variants {
        if output(command, &variant.text, directory.path())? != expected {
            println!("variant {} differs: {}", variant.number, variant.record);
            wrong += 1;
        }
    }
    Ok((wrong, variants.len()))
}

/// What the program prints if it is built by a command.
fn output(command: &[String], program: &[u8], directory: &Path) -> Result<Vec<u8>> {
    let (source, built) = (directory.join("p.c"), directory.join("p"));
    fs::write(&source, program)?;
    let compiled = Command::new(&command[0])
        .args(&command[1..])
        .arg("-o")
        .args([&built, &source])
        .status()
        .with_context(|| format!("starting {}", command[0]))?;
    ensure!(compiled.success(), "{} fails", command[0]);
    Ok(Command::new(built).output()?.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_that_is_right_makes_no_difference() {
        let (wrong, all) = test(&["gcc".into(), "-O0".into()]).unwrap();
        assert_eq!((wrong, all), (0, 5));
    }

    #[test]
    fn a_compiler_that_cannot_be_started_is_an_error() {
        assert!(test(&["no-such-compiler".into()]).is_err());
    }
}
