//! Commands that are given garbage: seeds that are no programs, records that were tampered
//! with. Each is refused with a line of its own, nothing ends the batch, and the good seed
//! among them gets its variant.

use super::records::{records, seed, tampered};
use super::{any, garble};
use crate::support::corpora;
use mestra::lab::process::{Command, Ending, Limits, Output};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What files of other kinds begin with.
const HEADS: &[&[u8]] = &[
    b"\x7fELF\x02\x01\x01",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xfei\0n\0t\0 \0x\0;\0",
    b"\xef\xbb\xbfint x;",
    b"#!/bin/sh\n",
    b"{\"mutations\": [",
    b"<html><body>",
    b"BC\xc0\xde",
    b"!<arch>\n",
    b"PK\x03\x04",
];

/// Pieces that make parsers go deep or astray, when there are many of them.
const PIECES: &[&str] = &[
    "(",
    "[",
    "{",
    "*",
    "&",
    "-",
    "!",
    "~",
    "\\\n",
    "#if 1\n",
    "#define A A(\n",
    "\"",
    "'",
    "/*",
    "struct {",
    "if (x) ",
    "else ",
    "do ",
    "?:",
    "->x",
    "...",
    "\0",
    "typeof(",
    "({",
    "_Generic(",
    "sizeof ",
];

fn garbage(rng: &mut ChaCha8Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let length = rng.random_range(0..2000);
    match rng.random_range(0..6) {
        0 => (0..length).map(|_| rng.random()).collect(),
        1 => (0..length).map(|_| rng.random_range(32..127)).collect(),
        2 => {
            let mut text = any(rng, HEADS).to_vec();
            text.extend((0..length).map(|_| rng.random::<u8>()));
            text
        }
        3 => {
            let many = rng.random_range(1..3000);
            let text = any(rng, PIECES).repeat(many);
            format!("int main(void) {{ return {text}").into_bytes()
        }
        4 => {
            let text = any(rng, seeds);
            text[..rng.random_range(0..text.len())].to_vec()
        }
        _ => {
            let mut text = any(rng, seeds).clone();
            garble(rng, &mut text);
            text
        }
    }
}

fn mestra(arguments: &[&str], files: &[impl AsRef<Path>]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .args(files.iter().map(AsRef::as_ref))
        .limits(Limits {
            wall: Duration::from_secs(1200),
            memory: None,
            ..Limits::default()
        })
        .run()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let is_ordinary = matches!(output.ending, Ending::Exited(0 | 1 | 3));
    assert!(is_ordinary, "{}: {said}", output.ending);
    output
}

/// Gives `mutate` so many files in batches, with a good seed in each.
fn give_garbage(count: usize, batch: usize) {
    let seeds = corpora().into_iter().map(|path| fs::read(path).unwrap());
    let seeds: Vec<Vec<u8>> = seeds.filter(|text| text.len() < 20_000).collect();
    for first in (0..count).step_by(batch) {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("out");
        let mut files = vec![directory.path().join("good.c")];
        fs::copy(seed(), &files[0]).unwrap();
        for number in first..(first + batch).min(count) {
            let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
            let file = directory.path().join(format!("garbage{number}.c"));
            fs::write(&file, garbage(&mut rng, &seeds)).unwrap();
            files.push(file);
        }
        let options = ["mutate", "-n", "1", "--seed-timeout", "1", "-o"];
        let options = [&options[..], &[out.to_str().unwrap()]].concat();
        let output = mestra(&options, &files);
        assert!(
            out.join("good.v001.c").exists(),
            "in the batch from {first}"
        );
        let said = String::from_utf8_lossy(&output.stderr);
        for line in said.lines() {
            let is_of_file = files
                .iter()
                .any(|file| line.contains(file.to_str().unwrap()));
            assert!(line.starts_with("mestra: ") && is_of_file, "{line}");
        }
    }
}

/// Gives `replay` so many records that were tampered with.
fn give_records(count: u64) {
    let records = records();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("record.json");
    for number in 0..count {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        fs::write(&file, tampered(&mut rng, &records)).unwrap();
        let output = mestra(&["replay"], &[&seed(), &file]);
        let said = String::from_utf8_lossy(&output.stderr);
        let is_clear = output.ending == Ending::Exited(0) || said.lines().count() == 1;
        assert!(is_clear, "record {number}: {said}");
    }
}

#[test]
fn garbage_is_refused_and_the_rest_of_a_batch_is_not() {
    give_garbage(60, 60);
}

#[test]
#[ignore = "long: ten thousand files"]
fn ten_thousand_pieces_of_garbage_are_refused() {
    give_garbage(10_000, 250);
}

#[test]
fn tampered_records_are_replayed_or_refused_in_one_line() {
    give_records(12);
}

#[test]
#[ignore = "long: five hundred records"]
fn five_hundred_tampered_records_are_replayed_or_refused_in_one_line() {
    give_records(500);
}
