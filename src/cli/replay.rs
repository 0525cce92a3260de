//! `mestra replay` and `mestra verify`.

use super::{print, signals};
use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{ReplayCommand, VerifyCommand};
use crate::hunt::verify::Verifier;
use crate::lab::Lab;
use crate::lab::files::write_whole;
use crate::lab::printable::printable;
use crate::lab::process;
use crate::lab::toolchain::Compiler;
use crate::source::clang::Clang;
use crate::source::seed::{NO_SEED, Seed, is_seed};
use crate::variant::enumerate::FillingRecord;
use crate::variant::replay::{VariantRecord, hash_text};
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) fn replay(options: &ReplayCommand) -> Result<ExitCode> {
    let clang = Clang::load()?;
    let mut seed = Seed::read(&options.variant.seed, &[])?;
    let text = if let Some(record) = FillingRecord::read(&options.variant.record)? {
        ensure!(
            options.only.is_none(),
            "--only needs the record of a variant; an enumerated program has no mutations"
        );
        // The flags of the record are those of the seed and of the command line.
        seed.flags = record.flags.iter().map(OsString::from).collect();
        record.replay(&clang, &seed)?
    } else {
        let record = VariantRecord::read(&options.variant.record)?;
        record.prepare(&mut seed);
        let only = options.only.as_ref();
        let only: Option<BTreeSet<u32>> = only.map(|ids| ids.iter().copied().collect());
        record.replay(&clang, &seed, only.as_ref())?
    };
    match &options.output {
        Some(file) => write_whole(file, &text)?,
        None => print(|out| out.write_all(&text))?,
    }
    Ok(ExitCode::Done)
}

pub(super) fn verify(options: &VerifyCommand) -> Result<ExitCode> {
    process::confine_programs();
    signals::stop_at_once()?;
    let timeout = Duration::from_secs_f64(options.seed_timeout);
    let witnesses = options.compiler.iter().map(|name| Compiler::find(name));
    let witnesses = witnesses.collect::<Result<Vec<_>, _>>()?;
    let lab = Lab::default();
    let mut count = Count::default();
    let asked: Vec<Compiler> = [Compiler::trusted()?, witnesses.clone()].concat();
    let standard = lab.common_standard(&asked)?;
    for (seed, variants) in groups(options, standard)? {
        let verifier = Verifier::with_witnesses(&lab, &seed, &witnesses, timeout)?;
        for note in verifier.notes() {
            count.undefined += usize::from(note.reason.is_of_seed());
            let note = note.to_string();
            say(&format!("{}: {note}", options.seed.display()));
        }
        compare(options, &verifier, &variants, &mut count)?;
    }
    Ok(count.exit_code())
}

/// The variants by how the seed is to be built and run for them: as the command line
/// says, else as their records do.
fn groups<'o>(
    options: &'o VerifyCommand,
    standard: Option<&str>,
) -> Result<Vec<(Seed, Vec<&'o Path>)>> {
    let mut seed = Seed::read(&options.seed, &options.flags)?;
    seed.set_inputs(&options.arguments, &options.input)?;
    let is_told =
        !(options.flags.is_empty() && options.arguments.is_empty() && options.input.is_empty());
    let mut groups: Vec<(Seed, Vec<&Path>)> = Vec::new();
    // `variants/*` names the records, too.
    let is_record = |path: &&PathBuf| {
        path.extension().is_some_and(|end| end == "json")
            && options.variants.contains(&path.with_extension("c"))
    };
    for path in options.variants.iter().filter(|path| !is_record(path)) {
        let mut own = seed.clone();
        if !is_told
            && let Ok(record) = VariantRecord::read(&path.with_extension("json"))
            && record.source_hash == hash_text(&seed.source)
        {
            record.prepare(&mut own);
        }
        own.set_standard(standard);
        match groups.iter_mut().find(|(other, _)| *other == own) {
            Some((_, paths)) => paths.push(path),
            None => groups.push((own, vec![path])),
        }
    }
    Ok(groups)
}

#[derive(Default)]
struct Count {
    differing: usize,
    unread: usize,
    /// Reports of sanitizers about seeds: nothing is shown by a variant that does the same as a
    /// program without a meaning.
    undefined: usize,
}

impl Count {
    /// A variant that differs matters more than a file that cannot be read or a bad seed.
    fn exit_code(&self) -> ExitCode {
        match (self.differing, self.unread + self.undefined) {
            (0, 0) => ExitCode::Done,
            (0, _) => ExitCode::SeedRefused,
            _ => ExitCode::Findings,
        }
    }
}

fn compare(
    options: &VerifyCommand,
    verifier: &Verifier<'_>,
    variants: &[&Path],
    count: &mut Count,
) -> Result<()> {
    for path in variants {
        // The others can still be checked.
        if !is_seed(path) {
            say(&format!("{}: {NO_SEED}", path.display()));
            count.unread += 1;
            continue;
        }
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) => {
                say(&format!("{}: cannot be read: {error}", path.display()));
                count.unread += 1;
                continue;
            }
        };
        let problems = verifier.check(&text)?;
        count.differing += usize::from(!problems.is_empty());
        print(|out| {
            if problems.is_empty() && !options.quiet {
                writeln!(out, "{}: same", path.display())?;
            }
            for problem in &problems {
                let problem = problem.to_string();
                writeln!(out, "{}: {}", path.display(), printable(&problem))?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_with_undefined_behaviour_is_refused_unless_a_variant_differs() {
        let code = |differing, unread, undefined| {
            let count = Count {
                differing,
                unread,
                undefined,
            };
            count.exit_code()
        };
        assert_eq!(code(0, 0, 0), ExitCode::Done);
        assert_eq!(code(0, 0, 2), ExitCode::SeedRefused);
        assert_eq!(code(0, 1, 0), ExitCode::SeedRefused);
        assert_eq!(code(1, 1, 2), ExitCode::Findings);
    }
}
