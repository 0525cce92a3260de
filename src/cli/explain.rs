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
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
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
    if let Some(only) = &options.only {
        expect_mutations(&record.ids(), only)?;
    }
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

/// Whether a record has all mutations that were asked for.
fn expect_mutations(there: &BTreeSet<u32>, asked: &[u32]) -> Result<()> {
    let listed = there.iter().map(u32::to_string).collect::<Vec<_>>();
    let listed = listed.join(", ");
    for id in asked {
        ensure!(
            there.contains(id),
            "the record has no mutation {id}; it has {listed}"
        );
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_that_are_not_there_are_refused_with_those_that_are() {
        let there = BTreeSet::from([1, 2, 5]);
        assert!(expect_mutations(&there, &[5, 1]).is_ok());
        let error = expect_mutations(&there, &[1, 99]).unwrap_err().to_string();
        assert_eq!(error, "the record has no mutation 99; it has 1, 2, 5");
    }
}
