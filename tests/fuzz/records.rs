//! Records of variants: trees of JSON with parts exchanged, and bytes garbled.

use super::{SHORT, any, garble, go_on, long};
use crate::support::{clang, repository};
use mestra::lab::process::{Command, Ending};
use mestra::source::program::lower;
use mestra::source::seed::Seed;
use mestra::variant::replay::{VariantRecord, apply};
use rand::Rng;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

pub(super) fn seed() -> PathBuf {
    repository().join("docs/example/rain.c")
}

/// Records of variants of the seed.
pub(super) fn records() -> Vec<Value> {
    let out = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["mutate", "--strategy", "all", "-n", "4", "-o"])
        .arg(out.path())
        .arg(seed())
        .run()
        .unwrap();
    assert_eq!(made.ending, Ending::Exited(0));
    let files = fs::read_dir(out.path()).unwrap().map(|e| e.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap())
        .collect()
}

/// One of the records with some parts exchanged, and now and then bytes garbled.
pub(super) fn tampered(rng: &mut impl Rng, records: &[Value]) -> Vec<u8> {
    let mut value = any(rng, records).clone();
    for _ in 0..rng.random_range(1..6) {
        let whole = any(rng, records);
        let donor = part(rng, whole);
        change(rng, &mut value, donor);
    }
    let mut text = serde_json::to_vec(&value).unwrap();
    if rng.random_ratio(1, 4) {
        garble(rng, &mut text);
    }
    text
}

fn fuzz(time: Duration) {
    let clang = clang();
    let seed = Seed::read(&seed(), &[]).unwrap();
    let program = lower(&clang, &seed.path, seed.source.clone(), &seed.flags).unwrap();
    let records = records();
    let out = tempfile::tempdir().unwrap();
    let scratch = out.path().join("fuzz.json");
    let mut applied = 0;
    go_on(time, |rng| {
        fs::write(&scratch, tampered(rng, &records)).unwrap();
        let Ok(record) = VariantRecord::read(&scratch) else {
            return;
        };
        if let Ok(text) = apply(&program, &record.mutations) {
            applied += 1;
            if rng.random_ratio(1, 20) {
                let _ = lower(&clang, &seed.path, text.into(), &seed.flags);
            }
        }
    });
    println!("{applied} records could be applied");
}

/// Some part of a tree.
fn part(rng: &mut impl Rng, value: &Value) -> Value {
    let inner = match value {
        _ if rng.random_ratio(1, 4) => None,
        Value::Array(list) if !list.is_empty() => Some(any(rng, list)),
        Value::Object(map) if !map.is_empty() => map.values().nth(rng.random_range(0..map.len())),
        _ => None,
    };
    inner.map_or_else(|| value.clone(), |inner| part(rng, inner))
}

/// Puts something else in some place.
fn change(rng: &mut impl Rng, value: &mut Value, donor: Value) {
    let goes_in = !rng.random_ratio(1, 5);
    match value {
        Value::Array(list) if !list.is_empty() && goes_in => {
            let at = rng.random_range(0..list.len());
            match rng.random_range(0..8) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                2 => list.insert(at, donor),
                _ => change(rng, &mut list[at], donor),
            }
        }
        Value::Object(map) if !map.is_empty() && goes_in => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let key = any(rng, &keys);
            if rng.random_ratio(1, 12) {
                map.remove(key);
            } else if let Some(inner) = map.get_mut(key) {
                change(rng, inner, donor);
            }
        }
        other => {
            *other = match rng.random_range(0..8) {
                0 => json!(0),
                1 => json!(-1),
                2 => json!(u64::MAX),
                3 => json!(i64::MIN),
                4 => json!("int"),
                5 => Value::Null,
                6 => json!([other.clone(), other.clone()]),
                _ => donor,
            }
        }
    }
}

#[test]
fn tampered_records_are_replayed_or_refused() {
    fuzz(SHORT);
}

#[test]
#[ignore = "goes on for as long as MESTRA_FUZZ_SECONDS says"]
fn tampered_records_are_replayed_or_refused_for_long() {
    fuzz(long());
}

#[test]
fn a_record_nested_without_end_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("deep.json");
    let text = format!("{}{}", "{\"then\":[".repeat(200_000), "]}".repeat(200_000));
    fs::write(&file, text).unwrap();
    assert!(VariantRecord::read(&file).is_err());
}
