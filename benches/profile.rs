//! Cost of a profile, as a ratio to one `gcc -O0` compile of the same seed in the
//! same run; and how much slower an instrumented seed runs.

mod support;

use mestra::clang::Clang;
use mestra::process::Command;
use mestra::profile::{ProfileOptions, Profiler};
use mestra::program::{Program, lower};
use mestra::seed::Seed;
use mestra::toolchain::{Compiler, Config};
use std::path::Path;
use std::time::Duration;
use support::{compile, csmith, lines, median, timed};

const PROGRAMS: u32 = 14;
const ROUNDS: usize = 3;

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let clang = Clang::load().expect("libclang is installed");
    let with = |compilers: Vec<Compiler>| {
        Profiler::new(compilers, ProfileOptions::default()).expect("a profiler can be made")
    };
    let tcc = with(vec![Compiler::find("tcc").expect("tcc is installed")]);
    let all = with(Compiler::trusted().expect("gcc and clang are installed"));
    println!(
        "{:>6} {:>7} {:>10} {:>10} {:>10} {:>10}",
        "seed", "lines", "gcc -O0 ms", "tcc alone", "default", "run"
    );
    let gcc = Compiler::find("gcc").expect("gcc is installed");
    let gcc = Config::new(gcc, &[]);
    let (mut alone, mut merged, mut slower) = (Vec::new(), Vec::new(), Vec::new());
    for number in 1..=PROGRAMS {
        let seed = csmith(directory.path(), number);
        let program =
            lower(&clang, &seed.path, seed.source.clone(), &seed.flags).expect("it lowers");
        let (mut plain, mut quick, mut full) = (Duration::MAX, Duration::MAX, Duration::MAX);
        let mut is_refused = false;
        // All take turns, so that a slow moment of the machine meets each.
        for _ in 0..ROUNDS {
            plain = plain.min(timed(|| compile(&seed, directory.path())));
            quick = quick.min(timed(|| is_refused |= !profiles(&tcc, &seed, &program)));
            if is_refused {
                break;
            }
            full = full.min(timed(|| is_refused |= !profiles(&all, &seed, &program)));
        }
        if is_refused {
            continue;
        }
        let ratio = |cost: Duration| cost.as_secs_f64() / plain.as_secs_f64();
        let profile = tcc
            .profile(&seed, &program)
            .expect("it was profiled before");
        let (mut plain_run, mut observed_run) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            plain_run = plain_run.min(timed(|| run(directory.path())));
            let observed = tcc.observe(&seed, &program, &profile, &gcc);
            observed_run = observed_run.min(observed.expect("gcc takes it").run_time);
        }
        let run_ratio = observed_run.as_secs_f64() / plain_run.as_secs_f64();
        println!(
            "{number:>6} {:>7} {:>10.0} {:>10.2} {:>10.2} {run_ratio:>10.2}",
            lines(&seed),
            plain.as_secs_f64() * 1e3,
            ratio(quick),
            ratio(full)
        );
        alone.push(ratio(quick));
        merged.push(ratio(full));
        slower.push(run_ratio);
    }
    println!(
        "profile / gcc -O0 compile, tcc alone, median: {:.2}",
        median(alone)
    );
    println!(
        "profile / gcc -O0 compile, default, median: {:.2}",
        median(merged)
    );
    println!(
        "run of the instrumented / of the plain program, median: {:.2}",
        median(slower)
    );
}

fn run(directory: &Path) {
    Command::new(directory.join("plain"))
        .run()
        .expect("a compiled program runs");
}

/// Whether the seed can be profiled; some of Csmith's do not end.
fn profiles(profiler: &Profiler, seed: &Seed, program: &Program) -> bool {
    profiler.profile(seed, program).is_ok()
}
