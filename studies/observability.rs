//! Whether a compiler that gets live code wrong is found out.
//!
//! In the assembly of a seed with one live block without checks, one instruction of the
//! block is made wrong; then the program should behave differently. Only instructions
//! count that are executed, and only faults that make a difference to the instruction's
//! own result: `or` in place of `xor` is right where the operands have no bit in common.

use crate::corrupt::{Fault, SCRATCH, corrupt};
use crate::defects::behaviour;
use crate::single::{Single, Singles, engines};
use mestra::lab::process::{Command, Ending};
use mestra::source::seed::Seed;
use mestra::variant::mutation::Kind;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// Live blocks of a seed, and instructions of a block at each level.
const BLOCKS: usize = 4;
const INSTRUCTIONS: usize = 5;

const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// The file that inserted code pretends to come from.
const INSERTED: &str = "mestra.inserted";

/// How many wrong instructions there were, and how many were seen.
type Tally = (usize, usize);

pub fn study(seeds: usize) -> String {
    let singles = Singles::take(seeds);
    let mut text = format!(
        "One executed instruction of a live block is made wrong in gcc's assembly; the share \
         that changes what the program does, of {} seeds of Csmith with at most {BLOCKS} \
         blocks each.\n\n| engine | level | blocks or fault | number | seen |\n\
         |---|---|---|---:|---:|\n",
        singles.sources.len()
    );
    for engine in engines() {
        let of_seeds: Vec<Vec<(&str, String, Fault, bool)>> = singles
            .sources
            .par_iter()
            .map(|source| {
                let blocks = singles.of(&engine, source, BLOCKS).into_iter();
                let blocks = blocks.filter(|single| single.kind == Kind::TrueBlock);
                let looks = blocks.flat_map(|single| {
                    let seed = &source.seed;
                    LEVELS
                        .into_iter()
                        .flat_map(move |level| {
                            let seen = faults(seed, &single, level);
                            let label = single.label.clone();
                            seen.into_iter()
                                .map(move |(fault, is_seen)| (level, label.clone(), fault, is_seen))
                                .collect::<Vec<_>>()
                        })
                        .collect::<Vec<_>>()
                });
                looks.collect()
            })
            .collect();
        let mut tallies = BTreeMap::<(&str, String), Tally>::new();
        for (level, label, fault, is_seen) in of_seeds.into_iter().flatten() {
            let fault = format!("wrong {fault:?}").to_lowercase();
            for row in ["all".to_owned(), format!("`{label}`"), fault] {
                let tally = tallies.entry((level, row)).or_default();
                tally.0 += 1;
                tally.1 += usize::from(is_seen);
            }
        }
        for ((level, row), (number, seen)) in tallies {
            let share = seen as f64 * 100.0 / number as f64;
            let _ = writeln!(
                text,
                "| {} | {level} | {row} | {number} | {share:.0} % |",
                engine.name
            );
        }
    }
    text
}

/// Makes some instructions of a block wrong, one at a time, and looks whether it shows.
fn faults(seed: &Seed, single: &Single, level: &str) -> Vec<(Fault, bool)> {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let directory = directory.path();
    fs::write(directory.join("a.c"), marked(single)).expect("the directory is writable");
    let compiled = Command::new("gcc")
        .args(["-w", "-g1", level, "-S", "-o", "right.s", "a.c"])
        .args(&seed.flags)
        .directory(directory)
        .run()
        .expect("gcc is installed");
    assert!(
        compiled.ending.is_success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let right = fs::read_to_string(directory.join("right.s")).expect("gcc has written it");
    let Some(expected) = behaviour(directory, &right) else {
        return vec![];
    };
    let lines: Vec<&str> = right.lines().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(lines.len() as u64);
    let mut candidates = instructions(&lines);
    candidates.shuffle(&mut rng);
    let mut seen = Vec::new();
    for at in candidates {
        if seen.len() == INSTRUCTIONS {
            break;
        }
        let Some(corruption) = corrupt(lines[at], &mut rng) else {
            continue;
        };
        let with = |line: &str| {
            let mut lines = lines.clone();
            lines[at] = line;
            behaviour(directory, &format!("{}\n{SCRATCH}", lines.join("\n")))
        };
        // What is not executed, or gives the same, has computed nothing wrong.
        match with(&corruption.probe) {
            Some((Ending::Signalled(_), _)) => {}
            _ => continue,
        }
        let Some(wrong) = with(&corruption.wrong) else {
            continue;
        };
        seen.push((corruption.fault, wrong != expected));
    }
    seen
}

/// The program with the inserted text as if from a file of its own, so that debug
/// information tells its instructions from the seed's.
fn marked(single: &Single) -> Vec<u8> {
    let text = String::from_utf8_lossy(&single.text);
    let (before, after) = text
        .split_once(&single.inserted)
        .expect("the mutation's text is in the program");
    let inserted = &single.inserted;
    format!("{before}\n# 1 \"{INSERTED}\"\n{inserted}\n# 1 \"a.c\"\n{after}").into_bytes()
}

/// The lines of the inserted code's instructions.
fn instructions(lines: &[&str]) -> Vec<usize> {
    let is_ours = |line: &&&str| line.trim_start().starts_with(".file") && line.contains(INSERTED);
    let file = lines.iter().find(is_ours);
    let number = file.and_then(|line| line.split_whitespace().nth(1));
    let mut is_inside = false;
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(".loc") => is_inside = words.next() == number,
            Some(word) if word.ends_with(':') || word.starts_with('.') => {}
            Some(_) if is_inside => found.push(at),
            _ => {}
        }
    }
    found
}
