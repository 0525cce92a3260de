//! The chain: what it finds, what it reports, and what it keeps of its settings.

use super::{all, athena, quick};
use crate::hermes::{source, text_source, variants};
use crate::support::{clang, csmith, newest_clang, repository};
use mestra::lab::Lab;
use mestra::lab::toolchain::Compiler;
use mestra::source::program::StatementId;
use mestra::variant::mutate::{Mutator, Source};
use mestra::variant::mutation::{Change, DeleteStmt, Kind, Mutation};
use mestra::variant::replay::VariantRecord;
use mestra::variant::strategy::{Aim, Athena, Distance, Measure};
use std::collections::{BTreeMap, BTreeSet};

fn with(change: impl FnOnce(&mut Athena)) -> Athena {
    let mut athena = athena();
    change(&mut athena);
    athena
}

/// A variant by a chain without aim, which keeps one mutation in two steps.
fn random(source: &Source, count: usize, number: u32) -> Vec<Mutation> {
    let wandering = quick(with(|athena| {
        athena.sigma = 0.0;
        athena.steps = 2 * count as u32;
    }));
    let variant = wandering.variants(source, [number]).next().unwrap();
    variant.unwrap().record.mutations
}

#[test]
fn the_chain_gets_further_from_the_seed_than_as_many_random_mutations() {
    let directory = tempfile::tempdir().unwrap();
    let mutator = quick(athena());
    let (mut found, mut thrown, mut count) = (0.0, 0.0, 0);
    for number in [1, 3, 4] {
        let source = source(&mutator, &csmith(directory.path(), number)).unwrap();
        let mut distance = Distance::new(&source.program, Measure::default());
        for variant in variants(&mutator, &source, 3) {
            let trace = &variant.traces[0];
            assert_eq!(trace.objective.len(), 200);
            assert!(trace.acceptance > 0.1 && trace.acceptance < 0.95);
            let here = distance.of(&variant.record.mutations);
            let other = random(
                &source,
                variant.record.mutations.len(),
                variant.record.variant,
            );
            let there = distance.of(&other);
            println!(
                "csmith {number} v{}: chain {here:.3}, random {there:.3}, {} and {} mutations",
                variant.record.variant,
                variant.record.mutations.len(),
                other.len()
            );
            (found, thrown, count) = (found + here, thrown + there, count + 1);
        }
    }
    let (found, thrown) = (found / f64::from(count), thrown / f64::from(count));
    println!("mean distance: chain {found:.3}, random {thrown:.3}");
    assert!(found > thrown * 1.2, "chain {found}, random {thrown}");
}

fn deletion(id: u32, statement: StatementId) -> Mutation {
    Mutation {
        id,
        outside: vec![],
        change: Change::DeleteStmt(DeleteStmt { statement }),
    }
}

#[test]
fn the_distance_is_that_of_statement_and_edge_sets() {
    let (_directory, source) = text_source(
        &quick(athena()),
        "int g; int main(void) { if (g) { g = 1; g = 2; } return 0; }\n",
    );
    let at = |text: &str| crate::support::statement_at(&source.program, text);
    let measure = |alpha, beta, gamma| Measure { alpha, beta, gamma };
    let of =
        |measure, mutations: &[Mutation]| Distance::new(&source.program, measure).of(mutations);
    // Of main's block, if, block, two assignments and return, one is left out.
    let one = deletion(1, at("g = 1;"));
    let statements = of(measure(1.0, 0.0, 0.0), std::slice::from_ref(&one));
    assert!((statements - 1.0 / 6.0).abs() < 1e-9, "{statements}");
    // A deletion inside another counts once.
    let all = [one, deletion(2, at("{ g = 1;"))];
    let nested = of(measure(1.0, 0.0, 0.0), &all);
    assert!((nested - 3.0 / 6.0).abs() < 1e-9, "{nested}");
    let edges = of(measure(0.0, 1.0, 0.0), &all);
    assert!(edges > 0.3 && edges < 1.0, "{edges}");
    assert_eq!(of(measure(1.0, 1.0, 1.0), &[]), 0.0);
    // Asked again after another question, the answer is the same.
    let mut asked = Distance::new(&source.program, measure(0.0, 1.0, 0.0));
    asked.of(&all[..1]);
    assert_eq!(asked.of(&all), edges);
}

#[test]
fn growth_is_held_against_a_variant() {
    let mutator = quick(with(|athena| {
        athena.weights = "insert_stmt=1".parse().unwrap();
        athena.sigma = 0.0;
    }));
    let directory = tempfile::tempdir().unwrap();
    let source = source(&mutator, &csmith(directory.path(), 1)).unwrap();
    let variant = &variants(&mutator, &source, 1)[0];
    let of = |gamma| {
        let measure = Measure {
            gamma,
            ..Measure::default()
        };
        Distance::new(&source.program, measure).of(&variant.record.mutations)
    };
    assert!(of(0.0) > of(0.5) && of(0.5) > of(2.0));
}

#[test]
fn records_of_chains_replay_to_the_same_bytes_and_repeat_with_the_same_dice() {
    let directory = tempfile::tempdir().unwrap();
    let path = csmith(directory.path(), 3);
    for strategy in [athena(), all()] {
        let mutator = quick(strategy);
        let source = source(&mutator, &path).unwrap();
        let made = variants(&mutator, &source, 2);
        let again = variants(&mutator, &source, 2);
        for (variant, again) in made.iter().zip(&again) {
            assert_eq!(variant.record, again.record);
            let stored = serde_json::to_string(&variant.record).unwrap();
            let record: VariantRecord = serde_json::from_str(&stored).unwrap();
            assert_eq!(record, variant.record);
            let replayed = record.replay(&clang(), &source.seed, None).unwrap();
            assert!(replayed == variant.text);
        }
    }
}

fn kinds(mutator: &Mutator, source: &Source, count: u32) -> Vec<BTreeMap<Kind, usize>> {
    let count_kinds = |variant: &mestra::variant::mutate::Variant| {
        let mut kinds = BTreeMap::new();
        for mutation in variant.mutations() {
            *kinds.entry(mutation.kind()).or_default() += 1;
        }
        kinds
    };
    variants(mutator, source, count)
        .iter()
        .map(count_kinds)
        .collect()
}

#[test]
fn strategies_make_their_kinds_and_a_swarm_makes_variants_unlike() {
    let directory = tempfile::tempdir().unwrap();
    let path = csmith(directory.path(), 1);
    let dead = BTreeSet::from([Kind::DeleteStmt, Kind::InsertStmt]);
    let mutator = quick(athena());
    let source = source(&mutator, &path).unwrap();
    for kinds in kinds(&mutator, &source, 2) {
        assert_eq!(kinds.keys().copied().collect::<BTreeSet<_>>(), dead);
    }
    // Some kinds fit few statements, so that not every chain finds a place for them.
    let mutator = quick(all());
    let made: BTreeSet<Kind> = kinds(&mutator, &source, 4)
        .iter()
        .flat_map(|kinds| kinds.keys().copied())
        .collect();
    // Functions of Csmith's programs call those of its headers, whose bodies are not read.
    let mut expected = BTreeSet::from(Kind::ALL);
    expected.remove(&Kind::CallAgain);
    assert_eq!(made, expected);
    let swarm = quick(Athena {
        swarm: true,
        ..all()
    });
    let sets: BTreeSet<Vec<Kind>> = kinds(&swarm, &source, 8)
        .iter()
        .map(|kinds| kinds.keys().copied().collect())
        .collect();
    assert!(sets.len() >= 4, "{sets:?}");
}

#[test]
fn without_dead_code_athena_makes_nothing_and_all_makes_live_mutations() {
    let text = "int main(void) { int i, s = 0; for (i = 0; i < 4; i++) s += i; return s - 6; }\n";
    let (_directory, source) = text_source(&quick(athena()), text);
    let mutator = quick(athena());
    assert_eq!(mutator.note(&source), Some("no dead code, so no variants"));
    assert!(variants(&mutator, &source, 2).is_empty());
    let mutator = quick(all());
    let note = mutator.note(&source).unwrap();
    assert_eq!(note, "no dead code, so live mutations only");
    for variant in variants(&mutator, &source, 2) {
        let is_live = |mutation: &Mutation| match &mutation.change {
            Change::InsertStmt(insertion) => insertion.guard.is_some(),
            Change::DeleteStmt(_) => false,
            _ => true,
        };
        // Of so small a program few make the most: growth is held against it.
        assert!(variant.mutations().count() > 0);
        assert!(variant.mutations().all(is_live));
    }
}

#[test]
fn remarks_of_gcc_and_clang_are_an_objective() {
    let path = repository().join("corpora/dead_code.c");
    for compiler in ["gcc", newest_clang()] {
        let mutator = quick(with(|athena| {
            athena.steps = 12;
            athena.aim = Aim::Remarks(Lab::default(), Compiler::find(compiler).unwrap());
        }));
        let source = source(&mutator, &path).unwrap();
        let variant = &variants(&mutator, &source, 1)[0];
        let reached = variant.traces[0].objective.last().copied().unwrap();
        println!("{compiler}: {reached:.3} after twelve steps");
        assert!(reached > 0.0 && reached < 1.0, "{compiler}: {reached}");
    }
    // tcc has no remarks.
    let mutator = quick(with(|athena| {
        athena.aim = Aim::Remarks(Lab::default(), Compiler::find("tcc").unwrap());
    }));
    let source = source(&mutator, &path).unwrap();
    let refusal = mutator.variants(&source, [1]).next().unwrap().unwrap_err();
    assert!(
        refusal.to_string().contains("no optimisation remarks"),
        "{refusal}"
    );
}
