//! Cost of variants: ten from the seed's text to files, each of the next hundred, and
//! what the stages take.

use crate::support::{compile, cpu, csmith, lines, median, mutator, tcc};
use crate::table::{Budget, Table};
use mestra::dice::{self, Draw};
use mestra::lab::files::write_whole;
use mestra::lab::process::Command;
use mestra::lab::toolchain::{Compiler, Config};
use mestra::source::program::{check, lower};
use mestra::source::seed::Seed;
use mestra::source::seed::hash_source;
use mestra::source::vocabulary::Vocabulary;
use mestra::variant::mutate::{Mutator, Source};
use mestra::variant::replay;
use mestra::variant::strategy::{Hermes, Orion, Strategy, Subject, VariantNumbers};
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const PROGRAMS: usize = 8;
/// The budgets are for programs of this many lines.
const LINES: RangeInclusive<usize> = 1000..=3000;
const ROUNDS: u32 = 2;

/// The figures of a program, each a cost divided by that of the compile.
#[derive(Default)]
struct Costs {
    sums: Vec<(&'static str, Duration, f64)>,
}

impl Costs {
    /// Adds the cost of `work`, of which one of `parts` is looked for.
    fn add<T>(&mut self, name: &'static str, parts: f64, work: impl FnOnce() -> T) -> T {
        let (result, cost) = cpu(work);
        match self.sums.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, sum, _)) => *sum += cost,
            None => self.sums.push((name, cost, parts)),
        }
        result
    }
}

const COMPILE: &str = "gcc -O0";

/// Rows in the order of the table, with their budgets.
const ROWS: [(&str, Option<f64>); 12] = [
    ("ten variants, default profile", Some(2.5)),
    ("ten variants, profile by tcc", Some(1.0)),
    ("each of the next hundred variants", Some(0.03)),
    ("libclang's parse alone", None),
    ("parse and lower", None),
    ("profile, default (gcc, clang, tcc)", None),
    ("profile by tcc", None),
    ("prepare a seed for Hermes", None),
    ("choose the mutations of a variant", None),
    ("apply them", None),
    ("write a variant and its record", None),
    ("prepare a seed for Orion", None),
];

pub fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let trusted = Compiler::trusted().expect("gcc and clang are installed");
    let hermes = || Box::new(Hermes::default());
    let (default, quick) = (mutator(trusted, hermes()), mutator(tcc(), hermes()));
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); ROWS.len()];
    let (mut slower, mut measured) = (Vec::new(), 0);
    for number in 1.. {
        if measured == PROGRAMS {
            break;
        }
        let seed = csmith(directory.path(), number);
        // Some of Csmith's programs do not end.
        let is_usable = LINES.contains(&lines(&seed.source))
            && quick.source(seed.clone(), None).is_ok()
            && default.source(seed.clone(), None).is_ok();
        if !is_usable {
            continue;
        }
        measured += 1;
        let mut costs = Costs::default();
        // All take turns, so that a slow moment of the machine meets each.
        for _ in 0..ROUNDS {
            costs.add(COMPILE, 1.0, || compile(&seed, directory.path()));
            whole(&mut costs, [&default, &quick], &seed, directory.path());
            stages(&mut costs, [&default, &quick], &seed, directory.path());
        }
        let cost_of = |name: &str| {
            let found = costs.sums.iter().find(|(known, ..)| *known == name);
            let (_, sum, parts) = found.expect("every row was measured");
            sum.as_secs_f64() / parts
        };
        for ((name, _), ratios) in ROWS.iter().zip(&mut ratios) {
            ratios.push(cost_of(name) / cost_of(COMPILE));
        }
        slower.push(slowdown(&quick, &seed, directory.path()));
    }
    for ((name, budget), ratios) in ROWS.into_iter().zip(ratios) {
        table.row(
            name,
            median(ratios),
            "× gcc -O0",
            budget.map(Budget::AtMost),
        );
    }
    table.row(
        "run of the instrumented program",
        median(slower),
        "× plain run",
        None,
    );
}

fn whole(costs: &mut Costs, [default, quick]: [&Mutator; 2], seed: &Seed, directory: &Path) {
    let source = |mutator: &Mutator| mutator.source(seed.clone(), None).expect("it is profiled");
    costs.add(ROWS[0].0, 1.0, || {
        write(default, &source(default), 1..=10, directory)
    });
    let kept = costs.add(ROWS[1].0, 1.0, || {
        let source = source(quick);
        write(quick, &source, 1..=10, directory);
        source
    });
    costs.add(ROWS[2].0, 100.0, || {
        write(quick, &kept, 11..=110, directory)
    });
}

fn stages(costs: &mut Costs, [default, quick]: [&Mutator; 2], seed: &Seed, directory: &Path) {
    let (clang, path, flags) = (&quick.clang, &seed.path, &seed.flags);
    costs.add(ROWS[3].0, 1.0, || {
        check(clang, path, &seed.source, flags).expect("it compiles")
    });
    let program = costs.add(ROWS[4].0, 1.0, || {
        lower(clang, path, Arc::clone(&seed.source), flags).expect("it lowers")
    });
    let profile = costs.add(ROWS[5].0, 1.0, || default.profiler.profile(seed, &program));
    profile.expect("it is profiled");
    let profile = costs.add(ROWS[6].0, 1.0, || quick.profiler.profile(seed, &program));
    let profile = profile.expect("it is profiled");
    let vocabulary = Vocabulary::new(&program);
    let subject = Subject {
        seed,
        program: &program,
        vocabulary: &vocabulary,
        profile: &profile,
    };
    let prepared = costs.add(ROWS[7].0, 1.0, || {
        black_box(Vocabulary::new(&program));
        quick.strategy.prepare(subject)
    });
    let orion = Orion { most: 400 };
    black_box(costs.add(ROWS[11].0, 1.0, || orion.prepare(subject)));
    let hash = hash_source(&seed.source);
    let rolled = costs.add(ROWS[8].0, 10.0, || {
        let roll = |number| {
            let mut rng = dice::generator(0, hash, Draw::Variant { number, step: 0 });
            let numbers = VariantNumbers {
                variant: number,
                mutation: 1,
            };
            quick.strategy.variant(&prepared, numbers, &mut rng)
        };
        let rolled: Result<Vec<_>, _> = (1..=10).map(roll).collect();
        rolled.expect("mutations are found")
    });
    let texts = costs.add(ROWS[9].0, 10.0, || {
        let texts = rolled
            .iter()
            .map(|one| replay::apply(&program, &one.mutations));
        let texts: Result<Vec<_>, _> = texts.collect();
        texts.expect("they fit")
    });
    costs.add(ROWS[10].0, 10.0, || {
        for (one, text) in rolled.iter().zip(texts) {
            let record = serde_json::to_vec(&one.mutations).expect("mutations are data");
            for (name, bytes) in [("v.json", &record), ("v.c", &text)] {
                write_whole(&directory.join(name), bytes).expect("files can be written");
            }
        }
    });
}

/// How much longer a seed runs when it is observed, built by gcc; the best of some runs.
fn slowdown(quick: &Mutator, seed: &Seed, directory: &Path) -> f64 {
    let gcc = Config::new(Compiler::find("gcc").expect("gcc is installed"), &[]);
    let program = lower(
        &quick.clang,
        &seed.path,
        Arc::clone(&seed.source),
        &seed.flags,
    );
    let program = program.expect("it lowers");
    let profile = quick
        .profiler
        .profile(seed, &program)
        .expect("it is profiled");
    let (mut plain, mut observed) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        let run = Command::new(directory.join("plain")).run();
        plain = plain.min(run.expect("a compiled program runs").wall);
        let seen = quick.profiler.observe(seed, &program, &profile, &gcc);
        observed = observed.min(seen.expect("gcc takes it").run_time);
    }
    observed.as_secs_f64() / plain.as_secs_f64()
}

fn write(mutator: &Mutator, source: &Source, numbers: RangeInclusive<u32>, directory: &Path) {
    for variant in mutator.variants(source, numbers) {
        let variant = variant.expect("variants are made");
        variant
            .write(directory, "variant")
            .expect("the temporary directory can be written");
    }
}
