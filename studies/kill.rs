//! How many planted defects an approach finds with so much CPU time.
//!
//! A defect is a wrong instruction that gcc would write wherever it writes some right ones
//! (see [`crate::defects`]). Every approach gets the same CPU time to make programs, to compile
//! them with optimisation, and to run them; a defect is found once a program of the approach
//! behaves differently with it. What the planting costs is not counted. So the question is
//! only how many different instructions the programs of an approach bring about, and whether
//! it shows when these are wrong.

use crate::defects::{self, Assembly, Defect, Shown, behaviour};
use crate::sample::strategy;
use crate::support::{cpu, csmith, mutator, seed};
use mestra::lab::process::{Command, Ending};
use mestra::lab::toolchain::Compiler;
use mestra::source::seed::Seed;
use mestra::variant::generate::{GenerateRequest, ProgramMode, generate};
use mestra::variant::mutate::Mutator;
use mestra::variant::strategy::Name;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LEVELS: [&str; 2] = ["-O2", "-O3"];

/// Variants of each seed.
const VARIANTS: u32 = 10;

/// Seconds of CPU for each approach, for every seed that the other studies take.
const SECONDS_PER_SEED: f64 = 5.0;

/// Where programs come from.
#[derive(Clone, Copy)]
enum Makers {
    Csmith,
    Own(ProgramMode),
}

/// What an approach compiles: seeds alone, or seeds and their variants.
struct Approach {
    name: &'static str,
    makers: Makers,
    strategy: Option<Name>,
}

const MIXED: Makers = Makers::Own(ProgramMode::Mixed);
const SNIPPETS: Makers = Makers::Own(ProgramMode::Snippets);

const APPROACHES: [Approach; 9] = [
    approach("Csmith alone", Makers::Csmith, None),
    approach("our own programs alone", MIXED, None),
    approach("our own snippets alone", SNIPPETS, None),
    approach("Csmith, Orion", Makers::Csmith, Some(Name::Orion)),
    approach("Csmith, Athena", Makers::Csmith, Some(Name::Athena)),
    approach("Csmith, Hermes", Makers::Csmith, Some(Name::Hermes)),
    approach("Csmith, all", Makers::Csmith, Some(Name::All)),
    approach("our own programs, Hermes", MIXED, Some(Name::Hermes)),
    approach("our own programs, all", MIXED, Some(Name::All)),
];

const fn approach(name: &'static str, makers: Makers, strategy: Option<Name>) -> Approach {
    Approach {
        name,
        makers,
        strategy,
    }
}

/// What came of an approach.
#[derive(Default)]
struct Score {
    programs: usize,
    /// The defects found, each with the CPU seconds that it took.
    found: BTreeMap<usize, f64>,
    /// In how many programs a defect would show in the assembly.
    present: BTreeMap<usize, usize>,
}

pub fn study(seeds: usize) -> String {
    let budget = env::var("MESTRA_KILL_SECONDS").ok();
    let budget = budget.and_then(|seconds| seconds.parse().ok());
    let budget = budget.unwrap_or(seeds as f64 * SECONDS_PER_SEED);
    let defects = defects::all();
    let scores: Vec<Score> = APPROACHES
        .iter()
        .map(|approach| {
            let score = Bench::new(approach).score(&defects, budget);
            eprintln!("kill: {}: {} found", approach.name, score.found.len());
            score
        })
        .collect();
    table(&defects, &scores, budget)
}

/// An approach at work.
struct Bench<'a> {
    approach: &'a Approach,
    mutator: Mutator,
    directory: TempDir,
}

impl<'a> Bench<'a> {
    fn new(approach: &'a Approach) -> Bench<'a> {
        let trusted = Compiler::trusted().expect("gcc and clang are installed");
        Bench {
            mutator: mutator(trusted, strategy(approach.strategy.unwrap_or(Name::All))),
            directory: tempfile::tempdir().expect("a temporary directory can be made"),
            approach,
        }
    }

    fn score(&self, defects: &[Defect], budget: f64) -> Score {
        let mut score = Score::default();
        let mut spent = 0.0;
        for number in 1.. {
            if spent >= budget {
                break;
            }
            let (made, cost) = cpu(|| self.seed(number));
            spent += cost.as_secs_f64();
            let Some((seed, expected)) = made else {
                continue;
            };
            let (source, cost) = cpu(|| {
                let strategy = self.approach.strategy;
                strategy.and_then(|_| self.mutator.source(seed.clone(), None).ok())
            });
            spent += cost.as_secs_f64();
            let (mut variant, mut text) = (0, Some(seed.source.to_vec()));
            while let Some(program) = text.take().filter(|_| spent < budget) {
                let (built, cost) = cpu(|| self.optimised(&seed, &program, &expected));
                spent += cost.as_secs_f64();
                score.programs += 1;
                for assembly in &built {
                    score.add(self.killed(assembly, &expected, defects, &score), spent);
                }
                variant += 1;
                let (next, cost) = cpu(|| {
                    let source = source.as_ref().filter(|_| variant <= VARIANTS)?;
                    let mut made = self.mutator.variants(source, variant..=variant);
                    made.next()?.ok().map(|variant| variant.text)
                });
                spent += cost.as_secs_f64();
                text = next;
            }
        }
        score
    }

    /// A seed and what it does; `None` if it does not end.
    fn seed(&self, number: u32) -> Option<(Seed, Shown)> {
        let directory = self.directory.path();
        match self.approach.makers {
            Makers::Own(mode) => {
                let request = GenerateRequest {
                    mode,
                    ..GenerateRequest::default()
                };
                let program = generate(&request, number.into());
                let name = format!("own{number}.c");
                let expected = (Ending::Exited(0), program.output.into_bytes());
                Some((seed(directory, &name, program.text.as_bytes()), expected))
            }
            Makers::Csmith => {
                let seed = csmith(directory, number);
                let assembly = compiled(directory, &seed, &seed.source, "-O0")?;
                let shown = behaviour(directory, &assembly)?;
                let is_good = shown.0 == Ending::Exited(0);
                is_good.then_some((seed, shown))
            }
        }
    }

    /// The assembly of a program at each level, once it was run and is right.
    fn optimised(&self, seed: &Seed, program: &[u8], expected: &Shown) -> Vec<String> {
        let directory = self.directory.path();
        let compiled = LEVELS.iter().filter_map(|level| {
            let assembly = compiled(directory, seed, program, level)?;
            (behaviour(directory, &assembly)? == *expected).then_some(assembly)
        });
        compiled.collect()
    }

    /// The defects that are present in an assembly, and whether they show.
    fn killed(
        &self,
        assembly: &str,
        expected: &Shown,
        defects: &[Defect],
        score: &Score,
    ) -> Vec<(usize, bool)> {
        let right = Assembly::read(assembly);
        let open: Vec<usize> = (0..defects.len())
            .filter(|number| !score.found.contains_key(number))
            .collect();
        let tried = open.par_iter().filter_map(|&number| {
            let wrong = right.with(&defects[number])?;
            let directory = tempfile::tempdir().expect("a temporary directory can be made");
            let shown = behaviour(directory.path(), &wrong)?;
            Some((number, shown != *expected))
        });
        tried.collect()
    }
}

impl Score {
    fn add(&mut self, tried: Vec<(usize, bool)>, spent: f64) {
        for (number, is_found) in tried {
            *self.present.entry(number).or_default() += 1;
            if is_found {
                self.found.entry(number).or_insert(spent);
            }
        }
    }
}

fn compiled(directory: &Path, seed: &Seed, program: &[u8], level: &str) -> Option<String> {
    fs::write(directory.join("a.c"), program).expect("the directory is writable");
    let compiled = Command::new("gcc")
        .args(["-w", level, "-S", "-o", "a.s", "a.c"])
        .args(&seed.flags)
        .directory(directory)
        .run()
        .expect("gcc is installed");
    let text = fs::read_to_string(directory.join("a.s")).ok();
    text.filter(|_| compiled.ending.is_success())
}

fn table(defects: &[Defect], scores: &[Score], budget: f64) -> String {
    let mut text = format!(
        "{} defects planted in gcc's assembly at -O2 and -O3; {budget:.0} s of CPU for each \
         approach, at most {VARIANTS} variants of a seed. A defect is *present* in an approach \
         if one of its programs has the instructions at all, and its *own* if no other \
         approach has found it.\n\n\
         | approach | programs | present | found | own | half of them after |\n\
         |---|---:|---:|---:|---:|---:|\n",
        defects.len()
    );
    for (index, (approach, score)) in APPROACHES.iter().zip(scores).enumerate() {
        let others = || {
            scores
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
        };
        let is_own = |number: &&usize| others().all(|(_, other)| !other.found.contains_key(number));
        let mut times: Vec<f64> = score.found.values().copied().collect();
        times.sort_by(f64::total_cmp);
        let half = times.get(times.len() / 2).copied().unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {half:.0} s |",
            approach.name,
            score.programs,
            score.present.len(),
            score.found.len(),
            score.found.keys().filter(is_own).count(),
        );
    }
    let missed = |number: &usize| scores.iter().all(|score| !score.found.contains_key(number));
    let missed: Vec<usize> = (0..defects.len()).filter(missed).collect();
    let _ = writeln!(text, "\nFound by nobody: {}.", missed.len());
    for number in missed {
        let present: usize = scores
            .iter()
            .filter_map(|score| score.present.get(&number))
            .sum();
        let _ = writeln!(
            text,
            "- `{}`, present {present} times",
            defects[number].name
        );
    }
    text
}
