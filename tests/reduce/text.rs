//! The built-in reducer on its own.

use super::fake::wrong_output;
use crate::support::{clang, csmith, newest_clang};
use mestra::mutate::Mutator;
use mestra::process::Limits;
use mestra::profile::{ProfileOptions, Profiler};
use mestra::reduce::{Reducer, lines};
use mestra::seed::Seed;
use mestra::strategy::Hermes;
use mestra::toolchain::{Behaviour, Compiler, Stage};
use mestra::verify::Soundness;
use std::time::{Duration, Instant};

#[test]
#[ignore = "long"]
fn a_csmith_variant_of_2000_lines_becomes_small() {
    let directory = tempfile::tempdir().unwrap();
    let number: u32 = std::env::var("CS").map_or(8, |n| n.parse().unwrap());
    let path = csmith(directory.path(), number);
    let seed = Seed::read(&path, &[]).unwrap();
    let clang = clang();
    let compilers = ["gcc", newest_clang(), "tcc"].map(|name| Compiler::find(name).unwrap());
    let mutator = Mutator {
        clang: clang.clone(),
        profiler: Profiler::new(compilers.to_vec(), ProfileOptions::default()).unwrap(),
        hermes: Hermes::default(),
        dice: 0,
        chain: 1,
    };
    let source = mutator.source(seed.clone(), None).unwrap();
    let variant = mutator.variants(&source, [1]).next().unwrap().unwrap();
    let middle = &variant.record.mutations[variant.record.mutations.len() / 2];
    let block = variant
        .record
        .mutations
        .iter()
        .filter(|m| m.text().contains("mestra_"))
        .nth(3)
        .unwrap();
    eprintln!(
        "{} lines, {} mutations; {} {}",
        lines(&variant.text),
        variant.record.mutations.len(),
        middle.id,
        block.text()
    );
    let fake = wrong_output(directory.path(), "gcc", &[&format!("mestra_{}_", block.id)]);
    let compiler = Compiler::find(fake.to_str().unwrap()).unwrap();
    let stage = Stage::new(&seed).unwrap();
    let timeout = Duration::from_millis(500);
    let run = |compiler: &Compiler, text: &[u8]| -> anyhow::Result<Option<Vec<Behaviour>>> {
        let place = mestra::scratch::directory()?;
        if stage
            .build(compiler, place.path(), &[], text, &[])?
            .is_err()
        {
            return Ok(None);
        }
        let limits = Limits {
            wall: timeout,
            ..Limits::default()
        };
        Ok(Some(vec![
            stage
                .command(place.path(), &seed.inputs[0])
                .limits(limits)
                .run()?
                .into(),
        ]))
    };
    let expected = run(&compilers[0], &variant.text).unwrap().unwrap();
    let sound = Soundness::new(&clang, &seed, &variant.text, &expected, timeout).unwrap();
    eprintln!("{} witnesses", sound.witnesses());
    let stages = [const { std::sync::atomic::AtomicUsize::new(0) }; 4];
    let count = |n: usize| {
        stages[n].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let test = |text: &[u8]| -> anyhow::Result<bool> {
        count(0);
        let Some(seen) = sound.glance(text)? else {
            return Ok(false);
        };
        count(1);
        let Some(wrong) = run(&compiler, text)? else {
            return Ok(false);
        };
        if wrong == seen {
            return Ok(false);
        }
        count(2);
        let ok = sound.confirms(text, &seen)?;
        if ok {
            count(3);
        }
        Ok(ok)
    };
    let start = Instant::now();
    let preprocessed = mestra::process::Command::new("gcc")
        .args(["-E", "-P"])
        .args(&seed.flags)
        .arg("v.c")
        .directory(directory.path());
    std::fs::write(directory.path().join("v.c"), &variant.text).unwrap();
    let preprocessed = preprocessed.run().unwrap().stdout;
    eprintln!("{} lines preprocessed", lines(&preprocessed));
    let reducer = Reducer {
        clang: &clang,
        path: &path,
        flags: &seed.flags,
        test: &test,
        should_stop: &|| start.elapsed() > Duration::from_secs(400),
        progress: &|p| {
            eprintln!(
                "{:6.1} {} {} lines {} tokens {} tests",
                start.elapsed().as_secs_f64(),
                p.pass,
                p.lines,
                p.tokens,
                p.tests
            )
        },
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let result = pool
        .install(|| reducer.reduce(&variant.text, Some(&preprocessed)))
        .unwrap();
    eprintln!(
        "{:?} {} tests {:?}\n{}",
        start.elapsed(),
        result.tests,
        stages,
        String::from_utf8_lossy(&result.text)
    );
    assert!(lines(&result.text) < 30);
}
