//! What the code of an object is made of: its blocks between jumps and calls, each as its
//! instructions without registers, numbers and addresses. Two programs with the same shapes
//! have asked the same of a compiler, more or less.
//!
//! Objects for other machines than x86-64 are one shape each.

mod instruction;

use crate::source::seed::hash_source;
use instruction::Instruction;
use std::collections::BTreeSet;

/// One in so many shapes is kept; which ones, their hashes decide, so they are the same
/// everywhere.
const KEPT: u64 = 8;

/// Longer blocks are divided, or a single instruction would make a long one new.
const LONGEST: usize = 16;

const HEADER: usize = 64;
const SECTION: usize = 64;
const MACHINE_X86_64: u64 = 62;
const EXECUTABLE: u64 = 4;

/// Some of the shapes of an object, as hashes.
pub(super) fn shapes(object: &[u8]) -> BTreeSet<u32> {
    let Some(sections) = code_of(object) else {
        return BTreeSet::from([hash_source(object) as u32]);
    };
    let mut found = BTreeSet::new();
    for code in sections {
        for block in blocks(code) {
            let hash = hash_source(&block);
            if hash.is_multiple_of(KEPT) {
                found.insert((hash / KEPT) as u32);
            }
        }
    }
    found
}

/// The blocks of some code, each as the forms of its instructions.
fn blocks(code: &[u8]) -> Vec<Vec<u8>> {
    let (mut blocks, mut block, mut length, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(instruction) = Instruction::at(&code[at..]) {
        at += instruction.length;
        if instruction.is_padding {
            continue;
        }
        block.extend(instruction.form);
        length += 1;
        if instruction.ends_block || length == LONGEST {
            blocks.push(std::mem::take(&mut block));
            length = 0;
        }
    }
    if !block.is_empty() {
        blocks.push(block);
    }
    blocks
}

/// The executable sections of an object for x86-64.
fn code_of(object: &[u8]) -> Option<Vec<&[u8]>> {
    let number = |at: usize, bytes: usize| -> Option<u64> {
        let field = object.get(at..at.checked_add(bytes)?)?;
        let digits = field.iter().rev();
        Some(digits.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let is_ours = object.len() > HEADER
        && object.starts_with(b"\x7fELF\x02\x01")
        && number(18, 2)? == MACHINE_X86_64;
    if !is_ours {
        return None;
    }
    let (table, count) = (usize::try_from(number(40, 8)?).ok()?, number(60, 2)?);
    let mut found = Vec::new();
    for index in 0..usize::try_from(count).ok()? {
        let section = table.checked_add(index * SECTION)?;
        if number(section + 8, 8)? & EXECUTABLE != 0 {
            let start = usize::try_from(number(section + 24, 8)?).ok()?;
            let size = usize::try_from(number(section + 32, 8)?).ok()?;
            found.push(object.get(start..start.checked_add(size)?)?);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::toolchain::{Compiler, Config};
    use crate::lab::{Lab, Patience, Stage, Way};
    use crate::source::seed::Seed;
    use std::fs;

    /// The blocks that gcc makes of a program, none left out.
    fn blocks_of(text: &str, level: &str) -> BTreeSet<Vec<u8>> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.c");
        fs::write(&path, text).unwrap();
        let seed = Seed::read(&path, &[]).unwrap();
        let stage = Stage::new(&seed).unwrap();
        let config = Config::new(Compiler::find("gcc").unwrap(), &[level]);
        let way = Way::of(&config, Patience::default());
        let lab = Lab::default();
        let space = lab.workspace(&stage, text.as_bytes()).unwrap();
        let object = lab.compile(&space, &way).unwrap().unwrap().bytes;
        let code = code_of(&object).unwrap();
        code.into_iter().flat_map(blocks).collect()
    }

    const PROGRAM: &str = "int f(int *a, int n) { int s = 0;\n\
        for (int i = 0; i < n; i++) if (a[i] > 3) s += a[i] * 5; return s; }\n\
        double g(double x) { return x > 1.5 ? x * x : f(0, 0); }\n";

    #[test]
    fn names_numbers_and_registers_do_not_matter_but_levels_do() {
        let plain = blocks_of(PROGRAM, "-O1");
        let other = PROGRAM.replace("> 3", "> 4").replace("f(", "another(");
        assert_eq!(plain, blocks_of(&other, "-O1"));
        assert_ne!(plain, blocks_of(PROGRAM, "-O0"));
        let more = blocks_of(&PROGRAM.replace("a[i] * 5", "a[i] / 5"), "-O1");
        assert!(more.difference(&plain).count() > 0);
        assert!(more.intersection(&plain).count() > 0);
    }

    #[test]
    fn what_is_no_object_of_this_machine_is_one_shape() {
        for bytes in [&b""[..], b"\x7fELF\x02\x01", &[0x7f; 200]] {
            assert_eq!(shapes(bytes).len(), 1);
        }
    }
}
