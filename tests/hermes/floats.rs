//! Floating-point numbers of the seed in live code: recorded by their bits, looked at in
//! guards, changed and given back, replaced by others of the same bits.

use super::{careful, everywhere, text_source, variants};
use crate::support::newest_clang;
use mestra::hunt::verify::Verifier;
use mestra::lab::toolchain::{Compiler, Config};
use mestra::lab::{Lab, Outcome, Patience, Stage, Way};
use mestra::source::program::LeafKind;
use mestra::variant::mutate::{Source, Variant};
use mestra::variant::profile::SampledValues;
use std::collections::BTreeSet;
use std::time::Duration;

const SEED: &str = r#"
#include <stdio.h>
#include <string.h>
static float ratio = 1.5f;
static double total = 0.1, minus = -0.0, tiny = 4e-320, none, zero;
static struct pair { double x; float y[3]; } pair = { 2.25, { -8.5f, 3, 0.25f } };
static unsigned sum = 17;
static void add(const void *at, unsigned size)
{
    const unsigned char *bytes = at;
    unsigned i;
    for (i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
}
static double step(double by, float other, int i)
{
    double half = by * 0.5;
    float third = other / 3;
    if (half > 1.0)
        total += half;
    else
        total = total * 0.75 + third;
    ratio = ratio * 2 - i;
    pair.x = -pair.x;
    pair.y[i % 3] += 0.5f;
    return half - other;
}
int main(void)
{
    int i;
    double last = 0.0;
    none = zero / zero;
    for (i = 0; i < 5; i++) {
        last = step(last + i, ratio, i);
        add(&last, sizeof last);
        add(&total, sizeof total);
    }
    minus = -minus;
    minus = -minus;
    add(&minus, sizeof minus);
    add(&tiny, sizeof tiny);
    add(&pair.x, sizeof pair.x);
    add(pair.y, sizeof pair.y);
    printf("%u %g %a %d\n", sum, last, total, none != none);
    return 0;
}
"#;

/// The code of mutations that run, as JSON.
pub(super) fn live_code(variant: &Variant) -> Vec<String> {
    let changes = variant.record.mutations.iter().map(|one| &one.change);
    let texts = changes.map(|change| serde_json::to_string(change).unwrap());
    let is_live = |text: &String| {
        let kinds = ["true_block", "replace_expr", "true_guard", "assert_fact"];
        kinds
            .iter()
            .any(|kind| text.starts_with(&format!("{{\"{kind}\"")))
    };
    texts.filter(is_live).collect()
}

pub(super) fn names(code: &str, name: &str) -> bool {
    code.contains(&format!("\"name\":\"{name}\""))
}

pub(super) fn is_the_same_everywhere(source: &Source, variants: &[Variant]) {
    let lab = Lab::default();
    let verifier = Verifier::new(&lab, &source.seed, Duration::from_secs(5)).unwrap();
    let stage = Stage::new(&source.seed).unwrap();
    let run = |way: &Way, text: &[u8]| match lab.trial(&stage, text, way).unwrap() {
        Outcome::Ran(behaviours) => behaviours,
        Outcome::Failed(failed) => panic!("{failed:?}"),
    };
    let flags = [
        ["gcc", "-O2", "-march=x86-64"],
        ["gcc", "-O3", "-fno-inline"],
        [newest_clang(), "-O2", "-fno-inline"],
        [newest_clang(), "-O3", "-march=x86-64"],
    ];
    for [name, level, more] in flags {
        let config = Config::new(Compiler::find(name).unwrap(), &[level, more]);
        let way = Way::of(&config, Patience::default());
        let expected = run(&way, &source.seed.source);
        for variant in variants {
            let text = String::from_utf8_lossy(&variant.text);
            assert_eq!(run(&way, &variant.text), expected, "{way}\n{text}");
        }
    }
    for variant in variants {
        let found = verifier.check(&variant.text).unwrap();
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn floating_point_numbers_are_recorded_by_their_bits() {
    let (_directory, source) = text_source(&careful(1.0, everywhere()), SEED);
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let column =
        source.profile.columns.iter().position(|column| {
            matches!(column.kind, LeafKind::Float { .. }) && column.text == "ratio"
        });
    let column = column.expect("the number has a column") as u32;
    for (point, sample) in source.profile.sampled() {
        assert!(point.order_sensitive.is_none(), "{point:?}");
        let at = sample.columns.iter().position(|one| *one == column);
        if let (Some(at), SampledValues::Rows(rows)) = (at, &sample.values) {
            seen.extend(rows.iter().map(|row| row[at]));
        }
    }
    let expected = [1.5_f32, 3.0, 5.0, 8.0, 13.0, 22.0].map(|one| u64::from(one.to_bits()));
    assert!(expected.iter().all(|bits| seen.contains(bits)), "{seen:?}");
}

#[test]
fn variants_with_floating_point_numbers_do_what_their_seeds_do() {
    let mutator = careful(1.0, everywhere());
    let (_directory, source) = text_source(&mutator, SEED);
    let variants = variants(&mutator, &source, 30);
    let code: Vec<String> = variants.iter().flat_map(live_code).collect();
    let uses = |name| code.iter().filter(|one| names(one, name)).count();
    for name in ["ratio", "total", "pair", "half", "last"] {
        assert!(uses(name) >= 20, "{name}: {}", uses(name));
    }
    assert!(uses("minus") > 0);
    // Some flags make a zero of it.
    assert_eq!(uses("tiny"), 0);
    let changes = |name: &str| {
        let assigned = format!("\"target\":{{\"var\":{{\"name\":\"{name}\"");
        code.iter().filter(|one| one.contains(&assigned)).count()
    };
    assert!(changes("ratio") >= 3, "{}", changes("ratio"));
    let replaced = code
        .iter()
        .filter(|one| one.starts_with("{\"replace_expr\"") && one.contains("{\"to\":{\"float\":"));
    assert!(replaced.count() >= 10);
    assert!(code.iter().any(|one| one.contains("\"memory\":{")));
    is_the_same_everywhere(&source, &variants);
}

#[test]
fn where_flags_leave_numbers_open_none_is_used() {
    let mutator = careful(1.0, everywhere());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    std::fs::write(&path, SEED.replace("none = zero / zero;", "")).unwrap();
    let flags = ["-ffast-math".into()];
    let seed = mestra::source::seed::Seed::read(&path, &flags).unwrap();
    let source = mutator.source(seed, None).unwrap();
    let variants = variants(&mutator, &source, 5);
    let code: Vec<String> = variants.iter().flat_map(live_code).collect();
    assert!(!code.is_empty());
    let floats = code.iter().filter(|one| one.contains("\"float\":\""));
    let floats: Vec<&String> = floats.collect();
    assert!(floats.is_empty(), "{floats:?}");
}
