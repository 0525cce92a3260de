//! Where variants are changed: each at points of its own, mostly where optimisers have
//! something to do, and with the variables of the code around.

use super::{mutator, source, variants};
use crate::support::csmith;
use mestra::source::program::StatementId;
use mestra::variant::mutate::{Source, Variant};
use mestra::variant::strategy::Hermes;
use std::collections::BTreeSet;

fn points(variant: &Variant) -> BTreeSet<StatementId> {
    variant.mutations().map(|one| one.statement()).collect()
}

/// How many of the points are in `main`.
fn in_main(source: &Source, points: &BTreeSet<StatementId>) -> usize {
    let function = |at: &&StatementId| {
        let id = source.program.statement(**at).function;
        source.program.function(id).name == "main"
    };
    points.iter().filter(function).count()
}

#[test]
fn variants_of_a_seed_are_changed_at_points_of_their_own_and_seldom_in_main() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = mutator(&["tcc"], 0.3, Hermes::default());
    let (mut all, mut main, mut shared, mut pairs) = (0, 0, 0.0, 0.0);
    let (mut reached, mut seen) = (0, 0);
    for number in [1, 2, 3, 5, 8, 9] {
        let source = source(&mutator, &csmith(directory.path(), number)).unwrap();
        let made = variants(&mutator, &source, 10);
        let changed: Vec<BTreeSet<StatementId>> = made.iter().map(points).collect();
        for (at, one) in changed.iter().enumerate() {
            all += one.len();
            main += in_main(&source, one);
            for other in &changed[at + 1..] {
                let common = one.intersection(other).count() as f64;
                shared += common / one.len().min(other.len()).max(1) as f64;
                pairs += 1.0;
            }
        }
        let union: BTreeSet<&StatementId> = changed.iter().flatten().collect();
        seen += union.len();
        let visited = source.profile.points.iter().filter(|p| p.visits > 0);
        reached += visited.count();
    }
    let (main, shared) = (main as f64 / all as f64, shared / pairs);
    println!(
        "{all} points in 60 variants, {:.1} % in main; two variants share {:.1} %; \
         ten variants change {seen} of {reached} reached points",
        100.0 * main,
        100.0 * shared,
    );
    assert!(main < 0.2, "{main}");
    assert!(shared < 1.0 / 3.0, "{shared}");
    assert!(all >= 60 * 8, "{all}");
}

/// Of the variables of the seed in inserted code, the share that occurs near: within a
/// few statements of the place.
#[test]
fn inserted_code_uses_the_variables_around_it() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = mutator(&["tcc"], 0.3, Hermes::default());
    let (mut used, mut near) = (0, 0);
    for number in [1, 2, 3, 5] {
        let source = source(&mutator, &csmith(directory.path(), number)).unwrap();
        let program = &source.program;
        let names: BTreeSet<&str> = program.variables.iter().map(|v| v.name.as_str()).collect();
        for variant in variants(&mutator, &source, 5) {
            for mutation in variant.mutations() {
                let at = mutation.statement().index();
                let around = &program.statements[at.saturating_sub(3)..];
                let around: Vec<String> = around
                    .iter()
                    .take(9)
                    .map(|one| String::from_utf8_lossy(program.text(one.span)).into_owned())
                    .collect();
                let text = mutation.text();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                let mine: BTreeSet<&str> = words.filter(|word| names.contains(word)).collect();
                used += mine.len();
                let is_near = |name: &&&str| around.iter().any(|text| text.contains(**name));
                near += mine.iter().filter(is_near).count();
            }
        }
    }
    println!("{near} of {used} variables occur near the place");
    assert!(near * 4 >= used, "{near} of {used}");
}
