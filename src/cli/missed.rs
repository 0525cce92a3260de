//! `mestra missed`.

use super::{print, profiling_compilers, signals};
use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::MissedCommand;
use crate::hunt::missed::{MarkedProgram, MissedOptimisation};
use crate::lab::Lab;
use crate::lab::process;
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::lab::words::plural;
use crate::source::clang::Clang;
use crate::source::program::lower;
use crate::source::seed::Seed;
use crate::variant::profile::{ProfileOptions, Profiler};
use anyhow::Result;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// The levels that are compared.
const LEVELS: [&str; 3] = ["-O1", "-O2", "-O3"];

/// What is missed in a seed, as `--json` prints it.
#[derive(Serialize)]
struct MissedInSeed<'s> {
    seed: &'s Path,
    markers: usize,
    missed: Vec<MissedOptimisation>,
}

pub(super) fn missed(options: &MissedCommand) -> Result<ExitCode> {
    process::confine_programs();
    signals::stop_at_once()?;
    let lab = Lab::default();
    let clang = Clang::load()?;
    let compilers = profiling_compilers(&[])?;
    let profiler = Profiler::new(lab.clone(), compilers, ProfileOptions::default())?;
    let configs = configs(&lab, &options.compiler)?;
    let mut code = ExitCode::Done;
    for path in &options.seeds {
        let seed = Seed::read(path, &options.flags).map_err(anyhow::Error::from);
        let missed = seed.and_then(|seed| missed_in(seed, &lab, &clang, &profiler, &configs));
        match missed {
            Ok((markers, missed)) => show(path, markers, missed, options.json)?,
            // The others are looked at all the same.
            Err(error) if ExitCode::of_error(&error) == ExitCode::SeedRefused => {
                say(&format!("{error:#}"));
                code = ExitCode::SeedRefused;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(code)
}

/// The number of markers in a seed, and what is missed there.
fn missed_in(
    mut seed: Seed,
    lab: &Lab,
    clang: &Clang,
    profiler: &Profiler,
    configs: &[Config],
) -> Result<(usize, Vec<MissedOptimisation>)> {
    seed.set_standard(profiler.standard()?);
    let program = lower(clang, &seed.path, Arc::clone(&seed.source), &seed.flags)?;
    let profile = profiler.profile(&seed, &program)?;
    let marked = MarkedProgram::new(&program, &profile)?;
    let missed = marked.missed(lab, &seed, configs)?;
    Ok((marked.marker_count(), missed))
}

fn show(path: &Path, markers: usize, missed: Vec<MissedOptimisation>, json: bool) -> Result<()> {
    print(|out| {
        if json {
            let line = MissedInSeed {
                seed: path,
                markers,
                missed,
            };
            serde_json::to_writer(&mut *out, &line)?;
            return writeln!(out);
        }
        let (markers, count) = (plural(markers, "marker"), missed.len());
        writeln!(out, "{}: {markers}, {count} missed", path.display())?;
        let mut lines = missed.iter();
        lines.try_for_each(|missed| writeln!(out, "  {missed}"))
    })
}

/// The compilers, at each level: those named, else every gcc and clang.
fn configs(lab: &Lab, named: &[String]) -> Result<Vec<Config>> {
    let installed = || {
        let all = Compiler::installed().into_iter();
        let known = all.filter(|c| matches!(c.family, Family::Gcc | Family::Clang));
        known.map(|compiler| compiler.name).collect()
    };
    let named: Vec<String> = if named.is_empty() {
        installed()
    } else {
        named.to_vec()
    };
    let levels = LEVELS.map(String::from);
    let mut configs = Vec::new();
    for name in named {
        configs.extend(Config::read(lab, &name, &levels)?);
    }
    Ok(configs)
}
