//! Whole seeds: the corpora, every way out of a program, and sanitizers.

use super::{default_profiler, profiler};
use crate::support::{corpora, csmith, in_parallel, lower_seed, newest_clang, repository};
use mestra::error::SeedRefused;
use mestra::lab::process::{Command, Ending};
use mestra::lab::toolchain::{Compiler, Config};
use mestra::source::program::Program;
use mestra::source::seed::Seed;
use mestra::variant::profile::{Profile, ProfileOptions, Profiler, SampledValues};
use std::path::Path;

fn profile(profiler: &Profiler, path: &Path) -> Result<(Seed, Program, Profile), anyhow::Error> {
    let seed = Seed::read(path, &[])?;
    let program = lower_seed(&seed)?;
    let profile = profiler.profile(&seed, &program)?;
    Ok((seed, program, profile))
}

#[test]
fn all_corpora_are_profiled_with_all_their_inputs() {
    let profiler = default_profiler();
    in_parallel(&corpora(), |path| {
        let (_, _, profile) = profile(&profiler, path).map_err(|error| format!("{error:#}"))?;
        if profile.compilers.len() < 2 {
            return Err(format!("{}: only {:?}", path.display(), profile.compilers));
        }
        Ok(())
    });
}

/// Every recorded variable holds a value: MSan and UBSan find nothing to report
/// when all of them are read and compared.
fn reads_are_clean(profiler: &Profiler, path: &Path) -> Result<(), String> {
    let (seed, program, profile) = match profile(profiler, path) {
        Ok(done) => done,
        // Some of Csmith's programs do not end.
        Err(error) if error.downcast_ref::<SeedRefused>().is_some() => return Ok(()),
        Err(error) => return Err(format!("{error:#}")),
    };
    let clang = Compiler::find(newest_clang()).unwrap();
    for sanitizer in ["-fsanitize=memory", "-fsanitize=undefined"] {
        let flags = [sanitizer, "-fno-sanitize-recover=all"];
        let config = Config::new(clang.clone(), &flags);
        let observed = profiler
            .observe(&seed, &program, &profile, &config)
            .map_err(|error| format!("{}: {sanitizer}: {error:#}", path.display()))?;
        for behaviour in &observed.behaviours {
            let said = String::from_utf8_lossy(&behaviour.stderr);
            if said.contains("Sanitizer") || said.contains("runtime error") {
                return Err(format!("{}: {sanitizer}: {said}", path.display()));
            }
        }
    }
    Ok(())
}

#[test]
fn reading_recorded_variables_of_the_corpora_is_clean_under_sanitizers() {
    let profiler = profiler(&["tcc", "gcc"]);
    // Ten million visits take MSan minutes.
    let seeds: Vec<_> = corpora()
        .into_iter()
        .filter(|path| !path.ends_with("ten_million_visits.c"))
        .collect();
    in_parallel(&seeds, |path| reads_are_clean(&profiler, path));
}

#[test]
fn reading_recorded_variables_of_csmith_programs_is_clean_under_sanitizers() {
    let directory = tempfile::tempdir().unwrap();
    let profiler = profiler(&["tcc"]);
    let numbers: Vec<u32> = (1..=12).collect();
    in_parallel(&numbers, |&number| {
        reads_are_clean(&profiler, &csmith(directory.path(), number))
    });
}

#[test]
#[ignore = "long"]
fn reading_recorded_variables_of_a_hundred_csmith_programs_is_clean_under_sanitizers() {
    let directory = tempfile::tempdir().unwrap();
    let profiler = profiler(&["tcc"]);
    let numbers: Vec<u32> = (1..=100).collect();
    in_parallel(&numbers, |&number| {
        reads_are_clean(&profiler, &csmith(directory.path(), number))
    });
}

#[test]
fn whatever_ends_a_program_its_record_is_there() {
    for (ending, code) in [
        ("return 3;", Ending::Exited(3)),
        ("exit(4);", Ending::Exited(4)),
        ("_exit(5);", Ending::Exited(5)),
        ("abort();", Ending::Signalled(6)),
        ("raise(SIGSEGV);", Ending::Signalled(11)),
        ("raise(SIGKILL);", Ending::Signalled(9)),
    ] {
        let source = format!(
            "#include <stdlib.h>\n#include <unistd.h>\n#include <signal.h>\n\
             static void inner(int depth) {{ if (depth > 3) {{ {} }} inner(depth + 1); }}\n\
             int main(void) {{ int before = 7; if (before) {{ {} }} inner(0); return 0; }}",
            ending.replace("return 3", "exit(3)"),
            if ending.starts_with("return") {
                ending
            } else {
                ";"
            },
        );
        let (_directory, seed, program) = super::seed(&source);
        let profile = super::profiler(&["gcc", "tcc"])
            .profile(&seed, &program)
            .unwrap();
        let visited = profile
            .points
            .iter()
            .filter(|point| point.visits > 0)
            .count();
        assert!(visited >= 3, "{ending}: {visited} points");
        let observed = super::profiler(&["gcc"])
            .observe(
                &seed,
                &program,
                &profile,
                &Config::new(Compiler::find("gcc").unwrap(), &[]),
            )
            .unwrap();
        assert_eq!(observed.behaviours[0].ending, code, "{ending}");
    }
}

#[test]
fn the_command_shows_values_and_reasons() {
    let (directory, seed, _) = super::seed(
        "int main(void) { int x = 5; int late; double d = 1.5; long double l = 1; for (int i = 0; i < 2; i++) { x ^= 3; } \
         late = x; return late - 5; }",
    );
    let run = |more: &[&str]| {
        let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
            .args(["profile", "--profile-probability", "1"])
            .args(more)
            .arg(&seed.path)
            .run()
            .unwrap();
        assert!(
            outcome.ending.is_success(),
            "{}",
            String::from_utf8_lossy(&outcome.stderr)
        );
        String::from_utf8(outcome.stdout).unwrap()
    };
    let text = run(&[]);
    assert!(text.contains("expression: 2 visits, 2 rows"), "{text}");
    assert!(text.contains("x = 5, 6"), "{text}");
    assert!(
        text.contains("late not read: not initialised on every path"),
        "{text}"
    );
    assert!(text.contains("d = 1.5\n"), "{text}");
    assert!(text.contains("l not read: floating point"), "{text}");
    let saved = directory.path().join("saved.json");
    let json: serde_json::Value =
        serde_json::from_str(&run(&["--json", "--save", saved.to_str().unwrap()])).unwrap();
    assert!(
        json["unreadable"]
            .as_array()
            .unwrap()
            .iter()
            .any(|not_read| {
                not_read["name"] == "late" && not_read["reason"] == "not initialised on every path"
            })
    );
    assert!(Profile::load(&saved).unwrap().is_of(&seed.source));
}

#[test]
fn ten_million_visits_need_little_memory() {
    let options = ProfileOptions {
        probability: 1.0,
        seed_memory: 64 << 20,
        ..ProfileOptions::default()
    };
    let profiler = super::profiler_with(&["gcc", newest_clang(), "tcc"], options);
    let path = repository().join("corpora/ten_million_visits.c");
    let (_, _, profile) = profile(&profiler, &path).unwrap();
    let most = profile
        .points
        .iter()
        .map(|point| point.visits)
        .max()
        .unwrap();
    assert!(most >= 10_000_000, "{most} visits");
    assert!(
        profile
            .sampled()
            .any(|(_, sample)| matches!(sample.values, SampledValues::Ranges(_)))
    );
}
