//! Variants of many seeds, by every strategy: they and parts of them do what their
//! seeds do, sanitizers find nothing in them, and every installed compiler takes them.
//!
//! The long sweeps take programs 1 to 250 of Csmith as campaigns make them, with sizes
//! and features at random; more than 200 of them end. `MESTRA_TEST_SEEDS=40` takes
//! fewer, `MESTRA_TEST_SEEDS=41-80` others, and with `--nocapture` there is a line for
//! each seed. Sweeps of one kind alone take all live kinds, or those that
//! `MESTRA_TEST_KINDS=assert_fact,true_guard` names.

use crate::dead::{all, athena, orion, some_donors};
use crate::hermes::{careful, source, variants};
use crate::support::{corpora, csmith, in_parallel, repository, skipped};
use mestra::error::SeedRefused;
use mestra::hunt::campaign::seeds::Seeds;
use mestra::hunt::campaign::settings::Settings;
use mestra::hunt::verify::{Problem, Verifier};
use mestra::lab::Lab;
use mestra::lab::process::Command;
use mestra::lab::toolchain::{Compiler, Config, Family};
use mestra::source::seed::Seed;
use mestra::variant::mutate::{Mutator, Source, Variant};
use mestra::variant::mutation::Kind;
use mestra::variant::replay::apply;
use mestra::variant::strategy::{Hermes, Strategy};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Hermes with code in its live blocks that aborts if a prediction was wrong, and code
/// under false guards that would be undefined.
fn hermes() -> Hermes {
    Hermes {
        checks: 1.0,
        undefined: true,
        ..Hermes::default()
    }
}

/// What a sweep saw.
#[derive(Debug, Default)]
struct Numbers {
    seeds: usize,
    refused: usize,
    /// Seeds by the compilers other than gcc and clang that could be asked.
    witnessed: BTreeMap<String, usize>,
    variants: usize,
    kinds: BTreeMap<Kind, usize>,
    parts: usize,
    looks: usize,
    /// Variants that a witness made differ which rightly evaluates in another order.
    reordered: Vec<String>,
    /// Variants that a witness made differ or did not compile although its build of the
    /// seed holds the values they were made for, and all others agree: what a campaign
    /// calls a finding. pcc 1.2 makes 4294967295 of `-(unsigned short)6 / 32U`.
    defects: Vec<String>,
}

impl Numbers {
    fn add(&mut self, other: Numbers) {
        self.seeds += other.seeds;
        self.refused += other.refused;
        self.variants += other.variants;
        self.parts += other.parts;
        self.looks += other.looks;
        self.reordered.extend(other.reordered);
        self.defects.extend(other.defects);
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        for (name, count) in other.witnessed {
            *self.witnessed.entry(name).or_default() += count;
        }
    }
}

/// Who looks at variants, and how they are made.
struct Sweep {
    mutator: Mutator,
    /// How many variants of a seed.
    count: u32,
    /// Run variants, beside gcc, the newest clang and tcc.
    witnesses: Vec<Compiler>,
    /// Only compile them.
    onlookers: Vec<Compiler>,
}

impl Sweep {
    fn new(strategy: impl Strategy + 'static, probability: f64, count: u32) -> Sweep {
        let trusted = Compiler::trusted().unwrap();
        let is_asked = |compiler: &Compiler| {
            let file = |compiler: &Compiler| compiler.path.canonicalize().unwrap();
            trusted.iter().any(|other| file(other) == file(compiler))
        };
        let others = Compiler::installed().into_iter().filter(|c| !is_asked(c));
        let (onlookers, witnesses) =
            others.partition(|c| matches!(c.family, Family::Gcc | Family::Clang));
        Sweep {
            mutator: Mutator {
                strategy: Box::new(strategy),
                ..careful(probability, Hermes::default())
            },
            count,
            witnesses,
            onlookers,
        }
    }

    /// Goes through all seeds, prints what there was, and fails with what was wrong.
    fn over(&self, paths: &[PathBuf]) -> Numbers {
        let numbers = Mutex::new(Numbers::default());
        in_parallel(paths, |path| {
            let of_seed = self.seed(path)?;
            println!("{}: {of_seed:?}", path.file_stem().unwrap().display());
            numbers.lock().unwrap().add(of_seed);
            Ok(())
        });
        let numbers = numbers.into_inner().unwrap();
        let names: Vec<&str> = self.onlookers.iter().map(|c| c.name.as_str()).collect();
        let strategy = self.mutator.strategy.name();
        println!(
            "{strategy}: {numbers:?}; also compiled by {}",
            names.join(", ")
        );
        let used = paths.len() - numbers.refused;
        assert!(used > 0, "{strategy} was tried on no seed");
        numbers
    }

    fn seed(&self, path: &Path) -> Result<Numbers, String> {
        let mut numbers = Numbers::default();
        let source = match source(&self.mutator, path) {
            Ok(source) => source,
            // Some of Csmith's programs do not end.
            Err(error) => match error.downcast_ref::<SeedRefused>() {
                Some(SeedRefused { reason, .. }) => {
                    let name = path.file_stem().unwrap().display();
                    skipped(&format!("variants of {name}"), &reason.to_string());
                    numbers.refused = 1;
                    return Ok(numbers);
                }
                None => return Err(format!("{error:#}")),
            },
        };
        let timeout = Duration::from_secs(10);
        let verifier =
            Verifier::with_witnesses(&Lab::default(), &source.seed, &self.witnesses, timeout)
                .map_err(|error| format!("{error:#}"))?;
        numbers.seeds = 1;
        for witness in &self.witnesses {
            let is_of_use = |note: &mestra::hunt::verify::Note| note.way.compiler != *witness;
            if verifier.notes().iter().all(is_of_use) {
                numbers.witnessed.insert(witness.name.clone(), 1);
            }
        }
        for variant in variants(&self.mutator, &source, self.count) {
            let name = format!("{} v{}", path.display(), variant.record.variant);
            let complain = |what: String| format!("{name}: {what}");
            let mut texts = vec![variant.text.clone()];
            if numbers.variants == 0 {
                texts.push(random_part(&source, &variant));
                numbers.parts += 1;
            }
            for text in &texts {
                for problem in verifier.check(text).unwrap() {
                    if !self.witnesses.contains(&problem.way.compiler) {
                        return Err(complain(problem.to_string()));
                    }
                    let excused = if self.has_another_order(&problem, &source, &variant) {
                        &mut numbers.reordered
                    } else {
                        &mut numbers.defects
                    };
                    excused.push(format!("{name}: {problem}"));
                }
                for compiler in &self.onlookers {
                    takes(compiler, &source.seed, text).map_err(complain)?;
                    numbers.looks += 1;
                }
            }
            numbers.variants += 1;
            for mutation in variant.mutations() {
                *numbers.kinds.entry(mutation.kind()).or_default() += 1;
            }
        }
        Ok(numbers)
    }

    /// Whether the accused compiler's build of the seed holds other values where the
    /// variant was changed than those it was made for, as C allows. gcc and clang
    /// have no such excuse: the profile was made with them.
    fn has_another_order(&self, problem: &Problem, source: &Source, variant: &Variant) -> bool {
        let compiler = &problem.way.compiler;
        let sets = ["-O0".to_owned()];
        let config = &Config::read(&Lab::default(), &compiler.name, &sets).unwrap()[0];
        let Source {
            seed,
            program,
            profile,
            ..
        } = source;
        let observed = self
            .mutator
            .profiler
            .observe(seed, program, profile, config);
        observed.is_ok_and(|observed| {
            let outside = observed.outside(profile, &source.rests_on(&variant.record.mutations));
            !outside.is_empty()
        })
    }
}

/// The variant with half of its mutations.
fn random_part(source: &Source, variant: &Variant) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(variant.record.variant.into());
    let some = variant.mutations().filter(|_| rng.random());
    apply(&source.program, some).unwrap()
}

fn takes(compiler: &Compiler, seed: &Seed, text: &[u8]) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("variant.c");
    std::fs::write(&file, text).unwrap();
    let outcome = Command::new(&compiler.path)
        .args(["-w", "-fsyntax-only"])
        .args(&seed.flags)
        .arg("-I")
        .arg(seed.path.parent().unwrap())
        .arg(&file)
        .run()
        .unwrap();
    if outcome.ending.is_success() {
        Ok(())
    } else {
        Err(format!(
            "{} does not take it: {}",
            compiler.name,
            String::from_utf8_lossy(&outcome.stderr)
        ))
    }
}

fn csmith_programs(directory: &Path, numbers: RangeInclusive<u32>) -> Vec<PathBuf> {
    numbers.map(|n| csmith(directory, n)).collect()
}

fn some_corpora(names: &[&str]) -> Vec<PathBuf> {
    let path = |name: &&str| repository().join(format!("corpora/{name}.c"));
    names.iter().map(path).collect()
}

#[test]
fn live_mutations_of_csmith_programs_change_nothing_to_be_seen() {
    let directory = tempfile::tempdir().unwrap();
    let paths = csmith_programs(directory.path(), 1..=3);
    let numbers = Sweep::new(hermes(), 0.3, 4).over(&paths);
    assert_eq!((numbers.seeds, numbers.variants), (3, 12), "{numbers:?}");
    // Nothing is shown of speculation if no block is made.
    assert!(numbers.kinds[&Kind::TrueBlock] >= 20, "{numbers:?}");
}

#[test]
fn live_mutations_of_some_corpora_change_nothing_to_be_seen() {
    let paths = some_corpora(&[
        "bitfields_signed",
        "bitfields_unsigned_bool",
        "dangling_else",
        "do_while_unbraced",
        "enums_values",
        "evaluation_order",
        "forward_declared_struct",
        "goto_into_block",
        "local_types",
        "switch_fallthrough",
        "vla_parameters",
        "attribute_cleanup",
    ]);
    let numbers = Sweep::new(hermes(), 1.0, 1).over(&paths);
    assert_eq!(numbers.refused, 0, "{numbers:?}");
}

#[test]
fn programs_without_what_never_runs_behave_as_before() {
    let directory = tempfile::tempdir().unwrap();
    let mut paths = csmith_programs(directory.path(), 1..=2);
    paths.extend(some_corpora(&[
        "dead_code",
        "goto_into_block",
        "switch_duff_device",
    ]));
    let numbers = Sweep::new(orion(), 0.1, 2).over(&paths);
    assert!(numbers.variants >= 6, "{numbers:?}");
}

#[test]
fn programs_with_more_that_never_runs_behave_as_before() {
    let directory = tempfile::tempdir().unwrap();
    let mut paths = csmith_programs(directory.path(), 3..=3);
    paths.extend(some_corpora(&["dead_code", "switch_fallthrough"]));
    let grafting = Hermes {
        donors: Some(some_donors()),
        swarm: true,
        ..Hermes::default()
    };
    for sweep in [
        Sweep::new(athena(), 0.1, 1),
        Sweep::new(all(), 0.1, 1),
        Sweep::new(grafting, 0.1, 1),
    ] {
        let numbers = sweep.over(&paths);
        assert!(numbers.variants >= 3, "{numbers:?}");
    }
}

/// The numbers of the Csmith programs that long sweeps take.
fn asked() -> RangeInclusive<u32> {
    let Ok(asked) = std::env::var("MESTRA_TEST_SEEDS") else {
        return 1..=250;
    };
    let number = |text: &str| text.parse().expect("MESTRA_TEST_SEEDS is 40 or 41-80");
    match asked.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => 1..=number(&asked),
    }
}

/// Programs of Csmith as campaigns take them.
fn campaign_seeds(directory: &Path, numbers: RangeInclusive<u32>) -> Vec<PathBuf> {
    let settings = Settings {
        seeds: Some(vec!["csmith".into()]),
        ..Settings::default()
    };
    let seeds = Seeds::new(&Lab::default(), &settings).unwrap();
    let path = |number: u32| directory.join(format!("csmith{number}.c"));
    let numbers: Vec<u32> = numbers.collect();
    in_parallel(&numbers, |&number| {
        let made = seeds.get(number.into()).map_err(|e| format!("{e:#}"))?;
        std::fs::write(path(number), &made.seed.source).map_err(|e| e.to_string())
    });
    numbers.into_iter().map(path).collect()
}

fn over_many_csmith_programs(strategy: impl Strategy + 'static) {
    let directory = tempfile::tempdir().unwrap();
    let paths = campaign_seeds(directory.path(), asked());
    let numbers = Sweep::new(strategy, 0.3, 10).over(&paths);
    assert!(numbers.variants > paths.len(), "{numbers:?}");
}

#[test]
#[ignore = "long"]
fn hermes_on_two_hundred_csmith_programs() {
    over_many_csmith_programs(hermes());
}

#[test]
#[ignore = "long"]
fn orion_on_two_hundred_csmith_programs() {
    over_many_csmith_programs(orion());
}

#[test]
#[ignore = "long"]
fn athena_on_two_hundred_csmith_programs() {
    over_many_csmith_programs(athena());
}

#[test]
#[ignore = "long"]
fn all_kinds_on_two_hundred_csmith_programs() {
    over_many_csmith_programs(all());
}

/// The live kinds that sweeps of one kind take: all, or those that are named.
fn asked_kinds() -> Vec<Kind> {
    let named = std::env::var("MESTRA_TEST_KINDS").ok();
    let is_asked = |kind: &Kind| match &named {
        Some(names) => names.split(',').any(|name| name == kind.name()),
        None => !matches!(kind, Kind::DeleteStmt | Kind::InsertStmt),
    };
    Kind::ALL.into_iter().filter(is_asked).collect()
}

/// Hermes with mutations of one kind only.
fn alone(kind: Kind) -> Hermes {
    let weights = format!("{kind}=1").parse();
    Hermes {
        weights: weights.unwrap_or_else(|e| panic!("{e}")),
        ..hermes()
    }
}

#[test]
#[ignore = "long"]
fn every_kind_alone_on_two_hundred_csmith_programs() {
    for kind in asked_kinds() {
        over_many_csmith_programs(alone(kind));
    }
}

#[test]
#[ignore = "long"]
fn every_kind_alone_on_all_corpora() {
    for kind in asked_kinds() {
        Sweep::new(alone(kind), 1.0, 10).over(&corpora());
    }
}

#[test]
#[ignore = "long"]
fn hermes_on_all_corpora() {
    Sweep::new(hermes(), 1.0, 10).over(&corpora());
}

#[test]
#[ignore = "long"]
fn strategies_for_dead_code_on_all_corpora() {
    for sweep in [
        Sweep::new(orion(), 1.0, 10),
        Sweep::new(athena(), 1.0, 10),
        Sweep::new(all(), 1.0, 10),
    ] {
        sweep.over(&corpora());
    }
}
