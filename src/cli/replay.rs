//! `mestra replay` and `mestra verify`.

use super::{print, signals};
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{ReplayCommand, VerifyCommand};
use crate::hunt::verify::Verifier;
use crate::lab::Lab;
use crate::lab::files::write_whole;
use crate::lab::toolchain::Compiler;
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::enumerate::FillingRecord;
use crate::variant::replay::VariantRecord;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::time::Duration;

pub(super) fn replay(options: &ReplayCommand) -> Result<ExitCode> {
    let clang = Clang::load()?;
    let mut seed = Seed::read(&options.seed, &[])?;
    // The flags of the record are those of the seed and of the command line.
    let set_flags = |seed: &mut Seed, flags: &[String]| {
        seed.flags = flags.iter().map(OsString::from).collect();
    };
    let text = if let Some(record) = FillingRecord::read(&options.record)? {
        ensure!(
            options.only.is_none(),
            "--only needs the record of a variant; an enumerated program has no mutations"
        );
        set_flags(&mut seed, &record.flags);
        record.replay(&clang, &seed)?
    } else {
        let record = VariantRecord::read(&options.record)?;
        set_flags(&mut seed, &record.flags);
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
    signals::stop_at_once()?;
    let mut seed = Seed::read(&options.seed, &options.flags)?;
    seed.set_inputs(&options.arguments, &options.input)?;
    let timeout = Duration::from_secs_f64(options.seed_timeout);
    let witnesses = options.compiler.iter().map(|name| Compiler::find(name));
    let witnesses = witnesses.collect::<Result<Vec<_>, _>>()?;
    let verifier = Verifier::with_witnesses(&Lab::default(), &seed, &witnesses, timeout)?;
    for note in verifier.notes() {
        eprintln!("mestra: {}: {note}", options.seed.display());
    }
    let (mut differing, mut unread) = (0, 0);
    for path in &options.variants {
        let text = match fs::read(path) {
            Ok(text) => text,
            // The others can still be checked.
            Err(error) => {
                eprintln!("mestra: {}: cannot be read: {error}", path.display());
                unread += 1;
                continue;
            }
        };
        let problems = verifier.check(&text)?;
        differing += usize::from(!problems.is_empty());
        print(|out| {
            if problems.is_empty() && !options.quiet {
                writeln!(out, "{}: same", path.display())?;
            }
            for problem in &problems {
                writeln!(out, "{}: {problem}", path.display())?;
            }
            Ok(())
        })?;
    }
    // A variant that differs matters more than a file that cannot be read.
    Ok(match (differing, unread) {
        (0, 0) => ExitCode::Done,
        (0, _) => ExitCode::SeedRefused,
        _ => ExitCode::Findings,
    })
}
