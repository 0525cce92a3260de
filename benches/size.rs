//! How costs grow with the size of programs, from 500 to 20,000 lines.
//!
//! Programs are made by joining Csmith's, see [`crate::support::join`].

use crate::support::join::{join, parts};
use crate::support::{compile, cpu, exponent, lines, mutator, tcc};
use crate::table::{Budget, Table};
use mestra::source::program::lower;
use mestra::variant::strategy::Hermes;
use std::sync::Arc;

const SIZES: [usize; 6] = [500, 1000, 2000, 5000, 10_000, 20_000];

/// The exponent that ten variants may have.
const BUDGET: f64 = 1.1;

/// Programs of more lines are large.
const LARGE: f64 = 4500.0;

const STAGES: [&str; 5] = [
    "ten variants, profile by tcc",
    "parse and lower",
    "parse, lower and profile",
    "ten variants of a profiled seed",
    "gcc -O0, for comparison",
];

pub fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let mutator = mutator(tcc(), Box::new(Hermes::default()));
    let parts = parts(&mutator, directory.path(), SIZES[SIZES.len() - 1]);
    let mut curves: [Vec<(f64, f64)>; STAGES.len()] = Default::default();
    for size in SIZES {
        let seed = join(&parts, directory.path(), size);
        // Small programs are quick, so that one measurement says little.
        let rounds = (10_000 / size).clamp(1, 10);
        let mut sums = [0.0; STAGES.len()];
        for _ in 0..rounds {
            let (clang, path, flags) = (&mutator.clang, &seed.path, &seed.flags);
            let (_, lowering) = cpu(|| {
                lower(clang, path, Arc::clone(&seed.source), flags).expect("it lowers");
            });
            let (source, profiled) = cpu(|| mutator.source(seed.clone(), None));
            let source = source.expect("its parts can be profiled");
            let (_, made) = cpu(|| {
                for variant in mutator.variants(&source, 1..=10) {
                    let variant = variant.expect("variants are made");
                    let written = variant.write(directory.path(), "variant");
                    written.expect("the temporary directory can be written");
                }
            });
            let ((), compiled) = cpu(|| compile(&seed, directory.path()));
            let costs = [profiled + made, lowering, profiled, made, compiled];
            for (sum, cost) in sums.iter_mut().zip(costs) {
                *sum += cost.as_secs_f64() / rounds as f64;
            }
        }
        let actual = lines(&seed.source);
        table.row(
            format!("ten variants of {actual} lines, profile by tcc"),
            sums[0] / sums[4],
            "× gcc -O0",
            None,
        );
        for (curve, cost) in curves.iter_mut().zip(sums) {
            curve.push((actual as f64, cost));
        }
    }
    for (index, (name, curve)) in STAGES.into_iter().zip(curves).enumerate() {
        let budget = (index == 0).then_some(Budget::AtMost(BUDGET));
        table.row(
            format!("growth of: {name}"),
            exponent(&curve),
            "exponent",
            budget,
        );
        // What every program costs, such as reading headers, hides growth in small ones.
        let large: Vec<(f64, f64)> = curve.into_iter().filter(|(x, _)| *x > LARGE).collect();
        table.row(
            format!("the same from 5,000 lines on: {name}"),
            exponent(&large),
            "exponent",
            budget,
        );
    }
}
