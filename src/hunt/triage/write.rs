//! The directory `reduced/`, written aside and put in place whole.

use super::Case;
use super::cvise;
use super::script::{self, Packed};
use super::small::Small;
use crate::hunt::campaign::judge::Judge;
use crate::hunt::campaign::repro;
use crate::hunt::finding::{
    Finding, REDUCED, Reduced, SeedOrigin, ShrunkSummary, file, reduced_file,
};
use crate::hunt::report::{markdown, tracker};
use crate::lab::Stage;
use crate::lab::files::{place_directory, write_whole};
use crate::source::seed::Seed;
use crate::variant::shrink::Shrunk;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// The finding as if the small program, under its own name, were the seed.
pub(super) fn small_finding(
    case: &Case,
    small: &Small,
    shrunk: Option<&ShrunkSummary>,
) -> Result<Finding> {
    let old = &case.finding;
    let seed = Seed {
        path: case.seed.path.with_file_name(reduced_file::PROGRAM),
        ..case.seed.clone()
    };
    let stage = Stage::new(&seed)?;
    let judge = Judge::of_finding(&case.lab, old, &stage);
    let outcome = judge.trial(&small.text)?;
    Ok(Finding {
        verdict: judge.verdict(&outcome, &small.expected),
        seed: SeedOrigin {
            file_name: reduced_file::PROGRAM.into(),
            ..old.seed.clone()
        },
        variant: None,
        mutations: shrunk.map_or_else(BTreeMap::new, |shrunk| shrunk.kinds.clone()),
        expected: small.expected.behaviours().to_vec(),
        actual: outcome.behaviours().to_vec(),
        message: String::from_utf8_lossy(outcome.message()).into_owned(),
        ..old.clone()
    })
}

/// Writes `reduced/`, in the place of an older one.
pub(super) fn write(
    case: &Case,
    reduced: &Reduced,
    small: &Small,
    shrunk: Option<&Shrunk>,
) -> Result<PathBuf> {
    let text = small.text.as_slice();
    let new = new_directory(case)?;
    let to = |name: &str| new.path().join(name);
    write_whole(&to(reduced_file::PROGRAM), text)?;
    if let Some(shrunk) = shrunk {
        write_whole(&to(reduced_file::SHRUNK), &shrunk.text)?;
        let mut record = serde_json::to_vec(&shrunk.record)?;
        record.push(b'\n');
        write_whole(&to(reduced_file::RECORD), &record)?;
    }
    cvise::write_script(&to(reduced_file::TEST), &small.test_script)?;
    cvise::write_script(&to(reduced_file::REPRO), &packed(case, reduced, text)?)?;
    let units = case.divided(text);
    if let Some(units) = &units {
        write_whole(&to(file::UNITS), units)?;
    }
    let shown = units.as_deref().unwrap_or(text);
    let report = markdown::finding(reduced, &String::from_utf8_lossy(shown));
    write_whole(&to(reduced_file::REPORT), report.as_bytes())?;
    let filing = tracker::text(reduced, &String::from_utf8_lossy(text));
    write_whole(&to(reduced_file::FILING), filing.as_bytes())?;
    write_whole(&to(reduced_file::REDUCTION), &reduced.to_json()?)?;
    let path = case.directory.join(REDUCED);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(new.path(), mode)
        .and_then(|()| place_directory(new.path(), &path))
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// A temporary directory that becomes `reduced/`, or is removed if the work fails.
pub(super) fn new_directory(case: &Case) -> Result<TempDir> {
    tempfile::Builder::new()
        .prefix(".reduced-")
        .tempdir_in(&case.directory)
        .with_context(|| format!("making a directory in {}", case.directory.display()))
}

/// A self-contained script that reproduces the failure of the small program.
fn packed(case: &Case, reduced: &Reduced, text: &[u8]) -> Result<String> {
    let finding = &reduced.finding;
    let inner = repro::script(finding);
    let shown = repro::shown(&finding.expected);
    let mut inputs = Vec::new();
    for name in finding
        .seed
        .inputs
        .iter()
        .filter_map(|input| input.stdin.as_deref())
    {
        let path = case.directory.join(name);
        let content = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        inputs.push((name, content));
    }
    let units = case.divided(text);
    let (name, content) = match &units {
        Some(units) => (file::UNITS, units.as_slice()),
        None => (file::SEED, text),
    };
    let mut files = vec![
        Packed { name, content },
        Packed {
            name: file::EXPECTED,
            content: &shown,
        },
    ];
    files.extend(
        inputs
            .iter()
            .map(|(name, content)| Packed { name, content }),
    );
    files.push(Packed {
        name: file::REPRO,
        content: inner.as_bytes(),
    });
    Ok(script::pack(
        &format!("{}: {}", finding.config.name, finding.verdict),
        &files,
    ))
}
