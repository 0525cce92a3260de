//! A second recorder, as plain as can be: every visit prints every value. What
//! it prints must be what the profile holds.

use super::profiler_with;
use crate::support::{compile, csmith, in_parallel, lower_seed, run, skipped};
use mestra::code::scalar::FloatKind;
use mestra::error::SeedRefused;
use mestra::source::edit::Edits;
use mestra::source::program::{LeafKind, Program, StatementId};
use mestra::source::seed::Seed;
use mestra::variant::profile::{Profile, ProfileOptions, Sample, SampledValues};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

type Rows = BTreeMap<StatementId, BTreeSet<Vec<u64>>>;

fn is_global(program: &Program, profile: &Profile, column: u32) -> bool {
    let variable = profile.columns[column as usize].place.variable;
    program.variable(variable).function.is_none()
}

/// The columns that the reference prints at a point: its locals, then all globals.
fn printed_columns(program: &Program, profile: &Profile, sample: &Sample) -> Vec<u32> {
    let locals = sample
        .columns
        .iter()
        .filter(|&&c| !is_global(program, profile, c));
    let all = 0..profile.columns.len() as u32;
    locals
        .copied()
        .chain(all.filter(|&c| is_global(program, profile, c)))
        .collect()
}

fn print_column(profile: &Profile, column: u32) -> String {
    let column = &profile.columns[column as usize];
    let value = match column.kind {
        LeafKind::Integer { .. } => format!("(unsigned long long)({})", column.text),
        LeafKind::Float { kind } => {
            let (number, bits) = match kind {
                FloatKind::Float => ("float", "unsigned"),
                _ => ("double", "unsigned long long"),
            };
            let value = &column.text;
            format!("(unsigned long long)((union {{ {number} n; {bits} b; }}){{ {value} }}).b")
        }
        // Where a pointer points is for other tests; here whether it is null.
        LeafKind::Pointer { .. } => format!("({} ? 1ULL : 0ULL)", column.text),
    };
    format!("fprintf(ref__file, \" %llx\", {value}); ")
}

/// The seed with a `fprintf` at every point that the profile has values for.
fn printing(program: &Program, profile: &Profile, log: &Path) -> Vec<u8> {
    let mut edits = Edits::new();
    for point in &profile.points {
        let Some(sample) = &point.sample else {
            continue;
        };
        let mut text = format!(
            "{{ ref__log(); fprintf(ref__file, \"{}\"); ",
            point.statement.0
        );
        for &column in sample
            .columns
            .iter()
            .filter(|&&c| !is_global(program, profile, c))
        {
            text.push_str(&print_column(profile, column));
        }
        text.push_str("ref__globals(); } ");
        edits.insert_at_point(program.statement(point.statement), text);
    }
    let mut source = format!(
        "#include <stdio.h>\nstatic FILE *ref__file; static void ref__log(void) \
         {{ if (!ref__file) ref__file = fopen(\"{}\", \"w\"); }}\nstatic void ref__globals(void);\n",
        log.display()
    )
    .into_bytes();
    source.extend(edits.render(&program.source).unwrap());
    source.extend_from_slice(b"\nstatic void ref__globals(void) {\n");
    for column in 0..profile.columns.len() as u32 {
        if is_global(program, profile, column) {
            source.extend_from_slice(print_column(profile, column).as_bytes());
        }
    }
    source.extend_from_slice(b"fprintf(ref__file, \"\\n\"); }\n");
    source
}

fn recorded(log: &Path) -> Rows {
    let mut rows = Rows::new();
    for line in std::fs::read_to_string(log).unwrap_or_default().lines() {
        let mut words = line.split(' ');
        let point = StatementId(words.next().unwrap().parse().unwrap());
        let row = words
            .map(|word| u64::from_str_radix(word, 16).unwrap())
            .collect();
        rows.entry(point).or_default().insert(row);
    }
    rows
}

fn agrees(path: &Path, directory: &Path) -> Result<(), String> {
    let name = path.file_stem().unwrap().to_string_lossy();
    let seed = Seed::read(path, &[]).map_err(|refused| refused.to_string())?;
    let program = lower_seed(&seed).map_err(|refused| refused.to_string())?;
    let options = ProfileOptions {
        probability: 1.0,
        // Nearly all of Csmith's programs end within milliseconds or never.
        seed_timeout: Duration::from_secs(2),
        ..ProfileOptions::default()
    };
    let profile = match profiler_with(&["gcc"], options).profile(&seed, &program) {
        Ok(profile) => profile,
        Err(error) => match error.downcast_ref::<SeedRefused>() {
            Some(refused) => {
                skipped(
                    &format!("a recording of {name}"),
                    &refused.reason.to_string(),
                );
                return Ok(());
            }
            None => return Err(format!("{error:#}")),
        },
    };
    let log = directory.join(format!("{name}.log"));
    let text = directory.join(format!("{name}.printing.c"));
    let executable = directory.join(format!("{name}.printing"));
    std::fs::write(&text, printing(&program, &profile, &log)).unwrap();
    compile("gcc", &text, &seed.flags, &executable)
        .map_err(|error| format!("{}: printing: {error}", path.display()))?;
    if run(&executable, &seed.inputs[0]).is_none() {
        // A seed near the time limit has no reference.
        skipped(&format!("a recording of {name}"), "printing takes too long");
        return Ok(());
    }
    let reference = recorded(&log);
    std::fs::remove_file(&log).ok();
    std::fs::remove_file(&executable).ok();
    for point in &profile.points {
        let Some(sample) = &point.sample else {
            continue;
        };
        let is_pointer: Vec<bool> = sample
            .columns
            .iter()
            .map(|&c| matches!(profile.columns[c as usize].kind, LeafKind::Pointer { .. }))
            .collect();
        // In the order of the sample's columns, globals that are not visible left out.
        let printed = printed_columns(&program, &profile, sample);
        let order: Vec<usize> = sample
            .columns
            .iter()
            .map(|column| printed.iter().position(|other| other == column).unwrap())
            .collect();
        let expected: BTreeSet<Vec<u64>> = reference
            .get(&point.statement)
            .into_iter()
            .flatten()
            .map(|row| order.iter().map(|&index| row[index]).collect())
            .collect();
        let problem = |what: &str| Err(format!("{}: {}: {what}", path.display(), point.statement));
        match &sample.values {
            SampledValues::Rows(rows) => {
                let seen: BTreeSet<Vec<u64>> = rows
                    .iter()
                    .map(|row| {
                        let words = row.iter().zip(&is_pointer);
                        words
                            .map(|(&w, &p)| if p { u64::from(w != 0) } else { w })
                            .collect()
                    })
                    .collect();
                if seen != expected {
                    let differs = |index: &usize| {
                        let values = |rows: &BTreeSet<Vec<u64>>| -> BTreeSet<u64> {
                            rows.iter().map(|row| row[*index]).collect()
                        };
                        values(&seen) != values(&expected)
                    };
                    let names: Vec<&str> = (0..sample.columns.len())
                        .filter(differs)
                        .map(|index| &*profile.columns[sample.columns[index] as usize].text)
                        .collect();
                    return problem(&format!("other rows: {names:?}"));
                }
            }
            SampledValues::Ranges(ranges) => {
                for (index, range) in ranges.iter().enumerate().filter(|(i, _)| !is_pointer[*i]) {
                    let values: BTreeSet<u64> = expected.iter().map(|row| row[index]).collect();
                    let extremes = (values.first().copied(), values.last().copied());
                    if extremes != (Some(range.unsigned_min), Some(range.unsigned_max)) {
                        return problem("other extremes");
                    }
                    if !values.iter().all(|&value| range.allows(value)) {
                        return problem("a range that leaves out a value");
                    }
                    if let Some(kept) = &range.values
                        && !kept.iter().eq(values.iter())
                    {
                        return problem("other values");
                    }
                }
            }
        }
    }
    Ok(())
}

/// With gcc, not the quicker tcc: of Csmith's seed 16, tcc 0.9.27 lets the discarded
/// struct that `func_1()` returns overwrite a local of the caller.
fn all_agree(count: u32) {
    let directory = tempfile::tempdir().unwrap();
    let numbers: Vec<u32> = (1..=count).collect();
    in_parallel(&numbers, |&number| {
        agrees(&csmith(directory.path(), number), directory.path())
    });
}

#[test]
fn profiles_of_csmith_programs_equal_a_plain_recording() {
    all_agree(8);
}

#[test]
#[ignore = "long"]
fn profiles_of_a_hundred_csmith_programs_equal_a_plain_recording() {
    all_agree(100);
}
