//! What benches and studies share: Csmith's programs, a compile to compare with,
//! time, and text between markers in a document.

#![allow(dead_code, reason = "each user needs a part of this")]

pub mod document;
pub mod join;
pub mod machine;

use mestra::lab::Lab;
use mestra::lab::process::{Command, Purpose, meter};
use mestra::lab::toolchain::Compiler;
use mestra::source::clang::Clang;
use mestra::source::seed::Seed;
use mestra::variant::mutate::{Chain, Mutator};
use mestra::variant::profile::{ProfileOptions, Profiler};
use mestra::variant::strategy::Strategy;
use std::path::Path;
use std::time::Duration;

/// The program that Csmith makes of a seed number.
pub fn csmith(directory: &Path, number: u32) -> Seed {
    csmith_with(directory, number, &[])
}

/// The same with further options of Csmith.
pub fn csmith_with(directory: &Path, number: u32, options: &[&str]) -> Seed {
    let made = Command::new("csmith")
        .args(["--no-packed-struct", "--seed", &number.to_string()])
        .args(options)
        .directory(directory)
        .run()
        .expect("csmith is installed");
    seed(directory, &format!("csmith{number}.c"), &made.stdout)
}

/// A seed of a text.
pub fn seed(directory: &Path, name: &str, text: &[u8]) -> Seed {
    let path = directory.join(name);
    std::fs::write(&path, text).expect("the temporary directory can be written");
    Seed::read(&path, &[]).expect("csmith's programs can be read")
}

pub fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

pub fn mutator(compilers: Vec<Compiler>, strategy: Box<dyn Strategy>) -> Mutator {
    Mutator {
        clang: Clang::load().expect("libclang is installed"),
        profiler: Profiler::new(Lab::default(), compilers, ProfileOptions::default())
            .expect("a profiler can be made"),
        strategy,
        dice: 0,
        chain: Chain::ONCE,
    }
}

pub fn tcc() -> Vec<Compiler> {
    vec![Compiler::find("tcc").expect("tcc is installed")]
}

/// One `gcc -O0` compile, which every cost is compared with.
pub fn compile(seed: &Seed, directory: &Path) {
    let outcome = Command::new("gcc")
        .args(["-w", "-O0"])
        .args(&seed.flags)
        .arg("-o")
        .arg(directory.join("plain"))
        .arg(&seed.path)
        .run()
        .expect("gcc is installed");
    assert!(outcome.ending.is_success());
}

/// CPU time of this process, all its threads and the children it has waited for:
/// what the work would take on one core that does nothing else.
pub fn cpu<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = cpu_time();
    let result = work();
    (result, cpu_time() - start)
}

fn cpu_time() -> Duration {
    let children: Duration = Purpose::ALL.into_iter().map(meter::children).sum();
    meter::ourselves() + children
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    assert!(
        !values.is_empty(),
        "there is something to take the median of"
    );
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

/// The exponent b of the curve a·xᵇ that lies nearest to the points, by least
/// squares of the logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let slope = |f: fn(f64, f64) -> f64| -> f64 {
        logs.iter().map(|(x, y)| f(x - mean_x, y - mean_y)).sum()
    };
    slope(|x, y| x * y) / slope(|x, _| x * x)
}
