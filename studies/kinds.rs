//! Which kinds of mutations minimal records consist of (the paper's figure 8).
//!
//! Real defects are too few for statistics, so defects are planted, by chance: a
//! compiler is taken to fail whenever gcc makes one certain remark. For each of some
//! variants, one of the remarks that gcc makes of the variant and not of its seed is
//! drawn, and the record is shrunk to the mutations without which it is not made. So
//! it shows which kinds bring an optimiser to do what it does not do on seeds, as far
//! as gcc tells.
//!
//! Records of real findings can be counted too: `MESTRA_FINDINGS` names directories of
//! findings, separated by colons.

use crate::draw;
use crate::plot::{Bars, grouped};
use crate::remarks::{Said, remarks};
use crate::sample::{STRATEGIES, Sample, Subject};
use mestra::dice::{self, Draw};
use mestra::variant::mutate::Variant;
use mestra::variant::mutation::{Kind, Mutation};
use mestra::variant::replay::VariantRecord;
use mestra::variant::shrink::Shrinker;
use rand::seq::IndexedRandom;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;

/// The strategy that makes all kinds, and how many of its variants of a seed are tried.
const ALL: usize = STRATEGIES.len() - 1;
const VARIANTS: usize = 2;

/// A record before and after shrinking, by kinds.
struct Case {
    before: BTreeMap<Kind, usize>,
    after: BTreeMap<Kind, usize>,
    tests: usize,
}

pub fn study(sample: &Sample) -> String {
    let variants = |subject| -> Vec<(&Subject, &Variant)> {
        let subject: &Subject = subject;
        let variants = subject.variants[ALL].iter().take(VARIANTS);
        variants.map(|variant| (subject, variant)).collect()
    };
    let tried: Vec<_> = sample.subjects.iter().flat_map(variants).collect();
    let cases: Vec<Option<Case>> = tried
        .par_iter()
        .map(|(subject, variant)| planted(sample, subject, variant))
        .collect();
    let cases: Vec<Case> = cases.into_iter().flatten().collect();

    let sum = |kind: Kind, of: fn(&Case) -> &BTreeMap<Kind, usize>| -> usize {
        cases.iter().filter_map(|case| of(case).get(&kind)).sum()
    };
    let total = |of: fn(&Case) -> &BTreeMap<Kind, usize>| -> usize {
        Kind::ALL.iter().map(|kind| sum(*kind, of)).sum()
    };
    let (before, after) = (total(|case| &case.before), total(|case| &case.after));
    let alone = cases
        .iter()
        .filter(|case| case.after.values().sum::<usize>() == 1)
        .count();
    let tests: usize = cases.iter().map(|case| case.tests).sum();
    let mut text = format!(
        "{} variants by the strategy \"all\" were tried; of {} of them gcc makes a remark that \
         it does not make of the seed, and there a defect was planted. Their {before} mutations \
         were shrunk to {after} \
         ({:.1} a record, {alone} records have one), with {:.0} tests a record.\n\n\
         | kind | in the variants | in minimal records | records that need it |\n\
         |---|---:|---:|---:|\n",
        tried.len(),
        cases.len(),
        after as f64 / cases.len().max(1) as f64,
        tests as f64 / cases.len().max(1) as f64,
    );
    let share = |part: usize, all: usize| part as f64 * 100.0 / all.max(1) as f64;
    let mut series = [Bars::new("of variants"), Bars::new("of minimal records")];
    for kind in Kind::ALL {
        let (made, left) = (sum(kind, |c| &c.before), sum(kind, |c| &c.after));
        let needed = cases
            .iter()
            .filter(|case| case.after.contains_key(&kind))
            .count();
        let shares = [share(made, before), share(left, after)];
        let _ = writeln!(
            text,
            "| `{}` | {made} ({:.0} %) | {left} ({:.0} %) | {needed} |",
            kind.name(),
            shares[0],
            shares[1]
        );
        for (bars, share) in series.iter_mut().zip(shares) {
            bars.values.push(share);
        }
    }
    let names = Kind::ALL.map(Kind::name);
    draw(
        "kinds",
        &grouped("Kinds of mutations, % of all mutations", &names, &series),
    );
    text.push_str("\n![Kinds of mutations](studies/kinds.svg)\n\n");
    text.push_str(&real());
    text
}

/// Plants a defect in gcc that the variant shows and its seed does not, and shrinks.
fn planted(sample: &Sample, subject: &Subject, variant: &Variant) -> Option<Case> {
    let flags = sample.flags();
    let of_seed = info(&subject.source.seed.source, flags);
    let new: Vec<String> = info(&variant.text, flags)
        .difference(&of_seed)
        .cloned()
        .collect();
    let number = variant.record.variant;
    let mut rng = dice::generator(1, subject.lines as u64, Draw::Variant { number, step: 0 });
    let remark = new.choose(&mut rng)?;
    let shrinker = Shrinker {
        clang: &sample.mutator.clang,
        seed: &subject.source.seed,
        fails: &|text| Ok(info(text, flags).contains(remark)),
        should_stop: &|| false,
    };
    let shrunk = shrinker.drop_mutations(&variant.record);
    let shrunk = shrunk.expect("any part of a record is a variant");
    Some(Case {
        before: kinds(variant.mutations()),
        after: kinds(shrunk.record.all_mutations()),
        tests: shrunk.tests,
    })
}

/// gcc's remarks on what it did, and its statistics.
fn info(text: &[u8], flags: &[OsString]) -> BTreeSet<String> {
    let [info, statistics, _]: Said = remarks(text, flags, false);
    info.into_keys().chain(statistics.into_keys()).collect()
}

fn kinds<'m>(mutations: impl Iterator<Item = &'m Mutation>) -> BTreeMap<Kind, usize> {
    let mut counts = BTreeMap::new();
    for mutation in mutations {
        *counts.entry(mutation.kind()).or_default() += 1;
    }
    counts
}

/// The kinds in minimal records of real findings, if some are named.
fn real() -> String {
    let Some(directories) = env::var_os("MESTRA_FINDINGS") else {
        return "No records of real findings were counted.\n".into();
    };
    let (mut records, mut counts) = (0, BTreeMap::<Kind, usize>::new());
    for directory in env::split_paths(&directories) {
        for entry in std::fs::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path().join("reduced/shrunk.json");
            if let Ok(record) = VariantRecord::read(Path::new(&path)) {
                records += 1;
                for (kind, count) in kinds(record.all_mutations()) {
                    *counts.entry(kind).or_default() += count;
                }
            }
        }
    }
    let counts = counts
        .iter()
        .map(|(kind, count)| format!("{count} `{}`", kind.name()));
    let counts: Vec<String> = counts.collect();
    format!(
        "In {records} minimal records of real findings: {}.\n",
        counts.join(", ")
    )
}
