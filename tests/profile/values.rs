//! Rows, ranges, pointers, and which points are recorded.

use super::{default_profiler, profiled, profiler_with, seed};
use crate::support::statement_at;
use mestra::source::program::Program;
use mestra::variant::profile::{Caps, Profile, ProfileOptions, SampledValues, UNKNOWN_POINTER};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The rows of some columns at the point before the statement that starts with `at`.
fn rows(program: &Program, profile: &Profile, at: &str, names: &[&str]) -> BTreeSet<Vec<i64>> {
    let point = profile.point(statement_at(program, at)).unwrap();
    let sample = point.sample.as_ref().unwrap();
    let indices: Vec<usize> = names
        .iter()
        .map(|name| {
            let is_it = |&column: &u32| profile.columns[column as usize].text == *name;
            sample
                .columns
                .iter()
                .position(is_it)
                .unwrap_or_else(|| panic!("no column {name}"))
        })
        .collect();
    match &sample.values {
        SampledValues::Rows(rows) => rows
            .iter()
            .map(|row| indices.iter().map(|&i| row[i] as i64).collect())
            .collect(),
        SampledValues::Ranges(_) => panic!("ranges at {at}"),
    }
}

#[test]
fn rows_keep_relations_between_variables() {
    let (program, profile) = profiled(
        "int g = 10; int main(void) { for (int i = 0; i < 3; i++) { int twice = 2 * i; g++; } \
         return 0; }",
    );
    let expected: BTreeSet<Vec<i64>> = [vec![0, 0, 10], vec![1, 2, 11], vec![2, 4, 12]]
        .into_iter()
        .collect();
    assert_eq!(
        rows(&program, &profile, "g++", &["i", "twice", "g"]),
        expected
    );
}

#[test]
fn every_integer_type_is_recorded_with_its_sign() {
    let (program, profile) = profiled(
        "struct S { signed a : 3; unsigned b : 3; _Bool c : 1; } st = { -4, 7, 1 };\n\
         enum E { LOW = -5 };\n\
         int main(void) { _Bool t = 1; char c = -1; signed char sc = -128; unsigned char uc = 255;\n\
         short s = -32768; unsigned short us = 65535; int i = -2147483647 - 1; unsigned u = 4294967295u;\n\
         long l = -1L; unsigned long ul = -1UL; long long ll = -2LL; unsigned long long ull = -2ULL;\n\
         long long d[2] = { -9, 9 }; enum E e = LOW; return 0; }",
    );
    let names = [
        "t", "c", "sc", "uc", "s", "us", "i", "u", "l", "ul", "ll", "ull", "st.a", "st.b", "st.c",
        "d[0]", "d[1]", "e",
    ];
    let expected = vec![
        1,
        -1,
        -128,
        255,
        -32768,
        65535,
        -2147483648,
        4294967295,
        -1,
        -1,
        -2,
        -2,
        -4,
        7,
        1,
        -9,
        9,
        -5,
    ];
    assert_eq!(
        rows(&program, &profile, "return", &names),
        BTreeSet::from([expected])
    );
}

#[test]
fn pointers_are_null_known_or_somewhere() {
    let (program, profile) = profiled(
        "int a[4], b; struct { int *p; } s; int *none;\n\
         int main(void) { int local = 1; int *here = &local, *there = &a[2]; s.p = &b; return 0; }",
    );
    let point = profile.point(statement_at(&program, "return")).unwrap();
    let sample = point.sample.as_ref().unwrap();
    let SampledValues::Rows(rows) = &sample.values else {
        panic!("few rows")
    };
    let value = |name: &str| {
        let is_it = |&column: &u32| profile.columns[column as usize].text == name;
        rows[0][sample.columns.iter().position(is_it).unwrap()]
    };
    let object = |word: u64| {
        let variable = profile.objects[(word >> 32) as usize - 1];
        (program.variable(variable).name.as_str(), word as u32)
    };
    assert_eq!(value("none"), 0);
    assert_eq!(value("here"), UNKNOWN_POINTER);
    assert_eq!(object(value("there")), ("a", 8));
    assert_eq!(object(value("s.p")), ("b", 0));
}

#[test]
fn past_the_cap_ranges_cover_every_value() {
    let (program, profile) = profiled(
        "int main(void) { unsigned char low = 0; int sum = 0; \
         for (int i = -500; i < 500; i++) { low = i & 7 | 64; sum += low; } return sum & 1; }",
    );
    let point = profile.point(statement_at(&program, "sum +=")).unwrap();
    assert_eq!(point.visits, 1000);
    assert_eq!(point.order_sensitive, None);
    let sample = point.sample.as_ref().unwrap();
    let SampledValues::Ranges(ranges) = &sample.values else {
        panic!("too many rows to keep")
    };
    let range = |name: &str| {
        let is_it = |&column: &u32| profile.columns[column as usize].text == name;
        &ranges[sample.columns.iter().position(is_it).unwrap()]
    };
    let i = range("i");
    assert_eq!((i.signed_min, i.signed_max, &i.values), (-500, 499, &None));
    assert!(i.allows(-500_i64 as u64) && i.allows(0) && !i.allows(500));
    let low = range("low");
    assert_eq!(
        low.values.as_deref(),
        Some(&[64, 65, 66, 67, 68, 69, 70, 71][..])
    );
    assert_eq!((low.known_ones, low.known_zeros), (64, !71));
    assert!(low.allows(70) && !low.allows(72) && !low.allows(6));
}

#[test]
fn the_caps_are_options() {
    let (_directory, seed, program) =
        seed("int main(void) { for (int i = 0; i < 9; i++) { ; } return 0; }");
    let kept = |rows: usize| {
        let options = ProfileOptions {
            probability: 1.0,
            caps: Caps {
                rows,
                ..Caps::default()
            },
            ..ProfileOptions::default()
        };
        let profile = profiler_with(&["tcc"], options)
            .profile(&seed, &program)
            .unwrap();
        let point = profile.point(statement_at(&program, "; }")).unwrap();
        matches!(&point.sample.as_ref().unwrap().values, SampledValues::Rows(rows) if rows.len() == 9)
    };
    assert!(kept(9));
    assert!(!kept(8));
}

#[test]
fn when_the_arena_is_used_up_ranges_take_over() {
    let (_directory, seed, program) = seed(
        "int main(void) { for (int i = 0; i < 200; i++) { ; } for (int i = 0; i < 200; i++) ; \
         return 0; }",
    );
    let options = ProfileOptions {
        probability: 1.0,
        caps: Caps {
            arena: 5000,
            ..Caps::default()
        },
        ..ProfileOptions::default()
    };
    let profile = profiler_with(&["gcc", "tcc"], options)
        .profile(&seed, &program)
        .unwrap();
    for (point, sample) in profile.sampled() {
        if let SampledValues::Ranges(ranges) = &sample.values {
            assert!(point.visits >= 1 && ranges.iter().all(|range| range.signed_max <= 200));
        }
    }
    assert!(
        profile
            .sampled()
            .any(|(_, sample)| matches!(sample.values, SampledValues::Ranges(_)))
    );
    assert!(
        profile
            .points
            .iter()
            .all(|point| point.order_sensitive.is_none())
    );
}

#[test]
fn only_chosen_points_record_and_all_count() {
    let (_directory, seed, program) = seed(&format!(
        "int main(void) {{ int x = 1; {} return 0; }}",
        "x ^= 3; ".repeat(400)
    ));
    let sampled = |probability: f64, dice: u64| -> Vec<bool> {
        let options = ProfileOptions {
            probability,
            dice,
            ..ProfileOptions::default()
        };
        let profile = profiler_with(&["tcc"], options)
            .profile(&seed, &program)
            .unwrap();
        assert!(profile.points.iter().all(|point| point.visits == 1));
        profile
            .points
            .iter()
            .map(|point| point.sample.is_some())
            .collect()
    };
    let count = |points: &[bool]| points.iter().filter(|&&sampled| sampled).count();
    assert_eq!(count(&sampled(0.0, 0)), 0);
    assert_eq!(count(&sampled(1.0, 0)), 402);
    let tenth = sampled(0.1, 0);
    assert!((20..70).contains(&count(&tenth)), "{}", count(&tenth));
    assert_eq!(sampled(0.1, 0), tenth);
    assert_ne!(sampled(0.1, 1), tenth);
}

#[test]
fn inputs_merge_into_one_profile() {
    let (_directory, mut seed, program) = seed(
        "#include <stdlib.h>\nint main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 0; \
         if (n == 2) n++; return 0; }",
    );
    seed.set_inputs(&["1".into(), "2".into(), String::new()], &[])
        .unwrap();
    let profile = default_profiler().profile(&seed, &program).unwrap();
    let expected: BTreeSet<Vec<i64>> = [vec![1, 2], vec![2, 2], vec![0, 1]].into_iter().collect();
    assert_eq!(rows(&program, &profile, "if (n", &["n", "argc"]), expected);
    assert_eq!(
        profile.point(statement_at(&program, "n++")).unwrap().visits,
        1
    );
}

#[test]
fn a_saved_profile_is_for_its_seed_only() {
    let (directory, seed, program) = seed("int main(void) { int x = 1; return x - 1; }");
    let profile = default_profiler().profile(&seed, &program).unwrap();
    let file = directory.path().join("saved.json");
    profile.save(&file).unwrap();
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644, "others may use it, too");
    let loaded = Profile::load(&file).unwrap();
    assert_eq!(loaded, profile);
    assert!(loaded.is_of(&seed.source));
    assert!(!loaded.is_of(b"int main(void) { return 0; }"));
    assert!(
        profile
            .save(&directory.path().join("no/such/place"))
            .is_err()
    );
}
