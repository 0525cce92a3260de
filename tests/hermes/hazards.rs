//! Seeds with one rule each that variants once broke: attributes and corners of C
//! that let a compiler do what no run without optimisation shows.

use super::{careful, source, variants};
use crate::campaign::{Place, command, ends_with, rows};
use crate::dead::{all, orion};
use crate::support::{in_parallel, newest_clang, repository};
use mestra::hunt::verify::Verifier;
use mestra::lab::toolchain::{Compiler, Config, Family};
use mestra::lab::{Lab, Outcome, Patience, Stage, Way};
use mestra::source::seed::seeds_in;
use mestra::variant::mutate::Mutator;
use mestra::variant::strategy::{Hermes, Strategy};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn seeds() -> PathBuf {
    repository().join("tests/data/hazards")
}

/// A fault of gcc 12 that variants of a seed can meet (docs/findings.md), and the flag that
/// avoids it.
const KNOWN_FAULT: (&str, &str) = ("attribute_alias.c", "-fno-ipa-reference");

fn meets_known_fault(path: &Path) -> bool {
    path.ends_with(KNOWN_FAULT.0)
}

/// All variants do at -O2 what the seed does, and the first of each strategy under every
/// trusted compiler and sanitizer.
fn is_harmless(path: &Path) -> Result<(), String> {
    let lab = Lab::default();
    let ways = ["gcc", newest_clang()].map(|name| {
        let compiler = Compiler::find(name).unwrap();
        Way::of(&Config::new(compiler, &["-O2"]), Patience::default())
    });
    let strategies: [(Box<dyn Strategy>, u32); 3] = [
        (Box::new(Hermes::default()), 2),
        (Box::new(orion()), 1),
        (Box::new(all()), 1),
    ];
    let mut mutator = careful(1.0, Hermes::default());
    let source = source(&mutator, path).map_err(|error| format!("{error:#}"))?;
    let verifier = Verifier::new(&lab, &source.seed, Duration::from_secs(10))
        .map_err(|error| format!("{error:#}"))?;
    let stage = Stage::new(&source.seed).unwrap();
    let run = |way: &Way, text: &[u8]| match lab.trial(&stage, text, way).unwrap() {
        Outcome::Ran(behaviours) => Ok(behaviours),
        Outcome::Failed(failure) => Err(format!("{}: {way}: {failure:?}", path.display())),
    };
    let expected = ways
        .iter()
        .map(|way| run(way, &source.seed.source))
        .collect::<Result<Vec<_>, _>>()?;
    for (strategy, count) in strategies {
        mutator = Mutator {
            strategy,
            ..mutator
        };
        for variant in variants(&mutator, &source, count) {
            let strategy = &variant.record.strategy;
            let name = format!("{} {strategy} v{}", path.display(), variant.record.variant);
            let mut is_faulty = false;
            for (way, expected) in ways.iter().zip(&expected) {
                if run(way, &variant.text)? == *expected {
                    continue;
                }
                // Then it must be right in every other way.
                is_faulty = meets_known_fault(path) && way.compiler.family == Family::Gcc;
                let mut avoiding = way.clone();
                avoiding.flags.push(KNOWN_FAULT.1.into());
                if !is_faulty || run(&avoiding, &variant.text)? != *expected {
                    return Err(format!("{name}: {way}: behaves differently"));
                }
            }
            if (variant.record.variant == 1 || is_faulty)
                && let [problem, ..] = &verifier.check(&variant.text).unwrap()[..]
            {
                return Err(format!("{name}: {problem}"));
            }
        }
    }
    Ok(())
}

#[test]
fn variants_of_hazards_behave_as_their_seeds_also_when_optimised() {
    in_parallel(&seeds_in(&seeds()).unwrap(), |path| is_harmless(path));
}

/// A campaign over some hazards, with gcc called like this.
fn accuses_nobody(seeds: &[PathBuf], gcc: &str) {
    let place = Place::new();
    let out = place.path("out");
    let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    for seed in seeds {
        arguments.extend(["--seeds", seed.to_str().unwrap()]);
    }
    arguments.extend(["-n", "12", "--profile-probability", "1"]);
    arguments.extend(["--compiler", gcc, "--compiler", newest_clang()]);
    let outcome = command(&arguments).run().unwrap();
    let failed = rows(
        &out,
        "SELECT seeds.name, variant, config, verdict, dismissed FROM runs
         JOIN seeds ON seeds.number = runs.seed WHERE verdict <> 'same'",
    );
    assert!(failed.is_empty(), "{failed:#?}");
    ends_with(&outcome, 0);
    let aside = rows(&out, "SELECT name, reason FROM seeds WHERE state <> 'done'");
    assert!(aside.is_empty(), "{aside:#?}");
}

#[test]
#[ignore = "long"]
fn no_optimiser_is_accused_of_what_a_hazard_allows_it() {
    let all = seeds_in(&seeds()).unwrap();
    let (faulty, others) = all.into_iter().partition(|path| meets_known_fault(path));
    let (faulty, others): (Vec<PathBuf>, Vec<PathBuf>) = (faulty, others);
    accuses_nobody(&others, "gcc");
    accuses_nobody(&faulty, &format!("gcc {}", KNOWN_FAULT.1));
}
