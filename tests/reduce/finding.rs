//! Findings made by hand, as a campaign would leave them.

use crate::hermes::{careful, everywhere};
use mestra::hunt::campaign::judge;
use mestra::hunt::campaign::repro;
use mestra::hunt::finding::{Finding, KeptInput, SeedOrigin, Standing, file};
use mestra::lab::toolchain::{Compiler, Config, Runner};
use mestra::lab::{Expectation, Lab, Outcome, Patience, Stage, Way};
use mestra::source::seed::Seed;
use mestra::variant::mutate::Variant;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A variant of a seed with all points mutated that can be.
pub(crate) fn variant(path: &Path, probability: f64) -> (Seed, Variant) {
    let mutator = careful(probability, everywhere());
    let seed = Seed::read(path, &[]).unwrap();
    let source = mutator.source(seed.clone(), None).unwrap();
    let variant = mutator.variants(&source, [1]).next().unwrap().unwrap();
    (seed, variant)
}

pub(crate) fn config(compiler: &Path, flags: &[&str]) -> Config {
    let compiler = Compiler::find(compiler.to_str().unwrap()).unwrap();
    Config {
        name: format!("{} {}", compiler.name, flags.join(" ")),
        version: Lab::default().version(&compiler).unwrap(),
        compiler,
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        drawn: vec![],
        runner: Runner::Direct,
        second: None,
    }
}

/// Writes the directory of a finding: what a config does with a variant, or with
/// the seed itself.
pub(crate) fn write(
    directory: &Path,
    id: &str,
    seed: &Seed,
    variant: Option<&Variant>,
    config: &Config,
) -> PathBuf {
    write_patiently(directory, id, seed, variant, config, Patience::default())
}

/// The same, with compiler and program waited for so long.
pub(crate) fn write_patiently(
    directory: &Path,
    id: &str,
    seed: &Seed,
    variant: Option<&Variant>,
    config: &Config,
    patience: Patience,
) -> PathBuf {
    let path = directory.join(id);
    fs::create_dir_all(&path).unwrap();
    let program = variant.map_or(&seed.source[..], |variant| &variant.text);
    fs::write(path.join(file::SEED), &seed.source).unwrap();
    if let Some(variant) = variant {
        fs::write(path.join(file::VARIANT), &variant.text).unwrap();
        let record = serde_json::to_vec(&variant.record).unwrap();
        fs::write(path.join(file::RECORD), record).unwrap();
    }
    let trusted = self::config(Path::new("gcc"), &["-O0"]);
    let Outcome::Ran(expected) = trial(seed, &trusted, patience, program) else {
        panic!("gcc does not take the program");
    };
    let outcome = trial(seed, config, patience, program);
    let expectation = Expectation::measured(expected.clone());
    let verdict = judge::verdict(&outcome, &expectation, &config.runner);
    assert!(!verdict.is_same(), "{} does not fail", config.name);
    let message = String::from_utf8_lossy(outcome.message()).into_owned();
    let finding = Finding {
        id: id.into(),
        verdict,
        config: config.clone(),
        seed: SeedOrigin {
            number: 1,
            origin: "a test".into(),
            file_name: seed.path.file_name().unwrap().to_str().unwrap().into(),
            flags: seed
                .flags
                .iter()
                .map(|flag| flag.to_str().unwrap().into())
                .collect(),
            inputs: seed.inputs.iter().map(|_| KeptInput::default()).collect(),
        },
        variant: variant.map(|_| 1),
        mutations: BTreeMap::new(),
        expected,
        actual: outcome.behaviours().to_vec(),
        message,
        standing: Standing::default(),
        confirmations: vec![],
        trusted: vec![],
        mestra: "0".into(),
        patience,
    };
    let json = serde_json::to_vec_pretty(&finding).unwrap();
    fs::write(path.join(file::FINDING), json).unwrap();
    fs::write(path.join(file::REPRO), repro::script(&finding)).unwrap();
    path
}

/// What comes of a text in the place of a seed.
fn trial(seed: &Seed, config: &Config, patience: Patience, text: &[u8]) -> Outcome {
    let stage = Stage::new(seed).unwrap();
    let way = Way::of(config, patience);
    Lab::default().trial(&stage, text, &way).unwrap()
}

/// The mutations of a variant that leave their number in the text.
pub(crate) fn named(variant: &Variant) -> Vec<u32> {
    let is_named = |mutation: &&mestra::variant::mutation::Mutation| {
        let name = format!("mestra_{}_", mutation.id);
        mutation.text().contains(&name)
    };
    let named = variant.mutations().filter(is_named);
    named.map(|mutation| mutation.id).collect()
}
