//! The directory `reduced/`, written aside and put in place whole.

use super::Case;
use super::cvise;
use super::script::{self, Packed};
use super::small::Small;
use crate::hunt::campaign::judge::Judge;
use crate::hunt::campaign::repro;
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{
    Finding, REDUCED, Reduced, SeedOrigin, ShrunkSummary, file, reduced_file,
};
use crate::hunt::report::{markdown, tracker};
use crate::lab::files::{place_directory, write_whole};
use crate::lab::{Expectation, Outcome, Stage};
use crate::source::seed::Seed;
use crate::variant::shrink::Shrunk;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// How often the small program is tried under its own name.
const LAST_TRIES: usize = 3;

/// The finding as if the small program, under its own name, were the seed.
///
/// # Errors
/// If the failure is not seen in it: whatever else it does there is no finding.
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
    let (outcome, verdict) = seen_again(case, &judge, small)?;
    Ok(Finding {
        verdict,
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

/// What the small program does when it fails as the finding does.
fn seen_again(case: &Case, judge: &Judge<'_>, small: &Small) -> Result<(Outcome, Verdict)> {
    let found = &case.finding.verdict;
    let is_of_a_run = found.kind.is_of_a_run();
    let nothing = Expectation::nothing();
    // Where the compiler fails, what is expected is what a larger program should do.
    let expected = if is_of_a_run {
        &small.expected
    } else {
        &nothing
    };
    for _ in 0..LAST_TRIES {
        let outcome = judge.trial(&small.text)?;
        let verdict = judge.verdict(&outcome, expected);
        // What a compiler says may name the file.
        let is_of_its_kind = !is_of_a_run && verdict.kind == found.kind;
        if case.is_same_failure(&verdict) || is_of_its_kind {
            return Ok((outcome, verdict));
        }
    }
    bail!(
        "the small program does not fail under the name {}; it is not kept",
        reduced_file::PROGRAM
    )
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
        write_whole(&to(reduced_file::RECORD), &shrunk.record.to_json()?)?;
    }
    cvise::write_script(&to(reduced_file::TEST), &small.test_script)?;
    cvise::write_script(&to(reduced_file::REPRO), &packed(case, reduced, text)?)?;
    let units = case.divided(text);
    if let Some(units) = &units {
        write_whole(&to(file::UNITS), units)?;
    }
    // What records accesses is no part of the program.
    let is_program = !case.finding.config.records_accesses();
    let shown = units.as_deref().filter(|_| is_program).unwrap_or(text);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::bucket::planted;
    use crate::hunt::finding::verdict::VerdictKind;
    use crate::lab::Lab;
    use crate::lab::fake::{self, Answer, Moment};
    use crate::source::clang::Clang;

    /// The small program of a compiler's crash.
    fn seen(lab: Lab) -> Result<Finding> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("seed.c");
        fs::write(&path, "int main(void) { }").unwrap();
        let mut finding = planted::finding("1");
        finding.verdict = Verdict::new(VerdictKind::CompilerCrash, "in f, at g.cc:12");
        let case = Case {
            lab,
            directory: directory.path().to_owned(),
            program: vec![],
            seed: Seed::read(&path, &[]).unwrap(),
            record: None,
            clang: Clang::load().unwrap(),
            finding,
        };
        let small = Small {
            text: b"int main() {}".to_vec(),
            expected: Expectation::measured(vec![]),
            tests: 0,
            is_finished: true,
            by_cvise: false,
            test_script: String::new(),
        };
        small_finding(&case, &small, None)
    }

    fn crashes(moment: &Moment) -> Answer {
        let name = moment.flags.iter().rfind(|word| word.ends_with(".c"));
        let name = name.map_or("", String::as_str);
        Answer::fails(&format!(
            "{name}:1:2: internal compiler error: in f, at g.cc:12"
        ))
    }

    #[test]
    fn a_small_program_that_fails_only_under_another_name_is_no_finding() {
        let elsewhere = fake::lab(|moment| {
            if moment.has("reduced.c") {
                Answer::good("45\n")
            } else {
                crashes(moment)
            }
        });
        let error = seen(elsewhere).unwrap_err().to_string();
        assert!(
            error.contains("does not fail under the name reduced.c"),
            "{error}"
        );
        let small = seen(fake::lab(crashes)).unwrap();
        assert_eq!(small.verdict.kind, VerdictKind::CompilerCrash);
        assert_eq!(small.seed.file_name, "reduced.c");
    }

    #[test]
    fn a_failure_that_is_seen_now_and_then_is_waited_for() {
        let small = seen(fake::lab(|moment| match moment.number {
            0..3 => Answer::good(""),
            _ => crashes(moment),
        }));
        assert!(small.is_ok());
    }
}
