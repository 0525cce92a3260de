//! `mestra explain`.

use super::{print, profiling_compilers, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ExplainCommand;
use crate::lab::Lab;
use crate::lab::printable::printable;
use crate::lab::process;
use crate::lab::words::plural;
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::explain::{Explanation, explain};
use crate::variant::profile::{ProfileOptions, Profiler};
use crate::variant::replay::VariantRecord;
use anyhow::Result;
use std::io::{self, Write};
use std::time::Duration;

pub(super) fn explain_record(options: &ExplainCommand) -> Result<ExitCode> {
    process::confine_programs();
    signals::stop_at_once()?;
    let clang = Clang::load()?;
    let compilers = profiling_compilers(&options.profile_compiler)?;
    let settings = ProfileOptions {
        seed_timeout: Duration::from_secs_f64(options.seed_timeout),
        ..ProfileOptions::default()
    };
    let profiler = Profiler::new(Lab::default(), compilers, settings)?;
    let mut seed = Seed::read(&options.variant.seed, &[])?;
    let record = VariantRecord::read(&options.variant.record)?;
    record.prepare(&mut seed);
    seed.set_standard(profiler.standard()?);
    let mut explained = explain(&clang, &profiler, &seed, &record)?;
    if let Some(only) = &options.only {
        explained.retain(|one| only.contains(&one.id));
    }
    print(|out| {
        if options.json {
            serde_json::to_writer(&mut *out, &explained)?;
            return writeln!(out);
        }
        let count = plural(explained.len(), "mutation");
        writeln!(
            out,
            "{}: {count} of {}",
            options.variant.record.display(),
            record.seed
        )?;
        explained.iter().try_for_each(|one| write_text(out, one))
    })?;
    Ok(ExitCode::Done)
}

fn write_text(out: &mut dyn Write, one: &Explanation) -> io::Result<()> {
    let Explanation {
        id,
        kind,
        line,
        column,
        function,
        ..
    } = one;
    write!(out, "\n{id} {kind} at {line}:{column} in {function}")?;
    if one.step > 1 {
        write!(out, " (step {})", one.step)?;
    }
    writeln!(out, ": {}", printable(&one.text))?;
    let visits = plural(one.visits as usize, "visit");
    match one.rows {
        Some(rows) => writeln!(out, "  {visits}, {}", plural(rows, "row"))?,
        None => writeln!(out, "  {visits}")?,
    }
    for seen in &one.values {
        writeln!(out, "    {} = {}", seen.name, seen.values)?;
    }
    let shown = if one.is_shown {
        ""
    } else {
        " (not shown by the values seen now)"
    };
    writeln!(out, "  why: {}{shown}", printable(&one.why))?;
    for line in &one.diff {
        writeln!(out, "  {}", printable(line))?;
    }
    Ok(())
}
