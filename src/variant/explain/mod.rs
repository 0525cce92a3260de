//! What each mutation of a variant does, where, and why it changes nothing.
//!
//! The seed is profiled again at the points of the mutations, and each mutation's reason is
//! checked over the values seen there. Later steps of a chain are explained on the
//! program that they change.

mod evidence;
mod readable;

use crate::source::clang::Clang;
use crate::source::program::{Lines, Program, StatementId, lower};
use crate::source::seed::Seed;
use crate::variant::mutation::{Kind, Mutation, Prover};
use crate::variant::profile::{Profile, Profiler, Report, SampledValues};
use crate::variant::replay::{VariantRecord, apply, hash_text};
use anyhow::{Result, ensure};
use serde::Serialize;
use std::sync::Arc;

/// The most columns of values that are shown of a point.
const SHOWN_COLUMNS: usize = 16;

/// A mutation for people.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Explanation {
    pub id: u32,
    pub kind: Kind,
    /// Which step of a chain it belongs to, from 1.
    pub step: usize,
    pub statement: StatementId,
    pub function: String,
    /// In the program that it changes.
    pub line: usize,
    pub column: usize,
    /// The first line of the statement.
    pub text: String,
    pub visits: u64,
    /// How many distinct combinations of values there were; `None` if only ranges are
    /// known, or nothing.
    pub rows: Option<usize>,
    /// What the mutation's variables hold there.
    pub values: Vec<SeenValues>,
    /// Why it changes nothing.
    pub why: String,
    /// Whether the values seen now show it.
    pub is_shown: bool,
    /// What becomes of the text, laid out; lines begin with `+`, `-` or a space.
    pub diff: Vec<String>,
}

/// What a scalar holds at a point.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SeenValues {
    pub name: String,
    pub values: String,
}

/// Explains all mutations of a record, in its order.
///
/// # Errors
/// If the record belongs to another program, or the seed cannot be profiled.
pub(crate) fn explain(
    clang: &Clang,
    profiler: &Profiler,
    seed: &Seed,
    record: &VariantRecord,
) -> Result<Vec<Explanation>> {
    let first = (record.source_hash.as_str(), &record.mutations);
    let later = record.then.iter();
    let later = later.map(|step| (step.source_hash.as_str(), &step.mutations));
    let mut explained = Vec::new();
    let mut source = Arc::clone(&seed.source);
    for (step, (hash, mutations)) in std::iter::once(first).chain(later).enumerate() {
        ensure!(
            hash == hash_text(&source),
            "the record belongs to another program, or the program has changed since"
        );
        let program = lower(clang, &seed.path, Arc::clone(&source), &seed.flags)?;
        let text = apply(&program, mutations)?;
        let points: Vec<StatementId> = mutations.iter().map(Mutation::statement).collect();
        let changed = Seed {
            source,
            ..seed.clone()
        };
        let profile = profiler.profile_at(&changed, &program, &points)?;
        let explainer = Explainer::new(&program, &profile);
        for mutation in mutations {
            explained.push(explainer.explain(mutation, step + 1)?);
        }
        source = text.into();
    }
    Ok(explained)
}

struct Explainer<'e> {
    program: &'e Program,
    profile: &'e Profile,
    prover: Prover<'e>,
    report: Report<'e>,
    lines: Lines,
}

impl<'e> Explainer<'e> {
    fn new(program: &'e Program, profile: &'e Profile) -> Explainer<'e> {
        Explainer {
            program,
            profile,
            prover: Prover::new(program, profile),
            report: Report::new(program, profile),
            lines: Lines::new(&program.source),
        }
    }

    fn explain(&self, mutation: &Mutation, step: usize) -> Result<Explanation> {
        let id = mutation.statement();
        let statement = self.program.statement(id);
        let (line, column) = self.lines.locate(statement.span.start);
        let text = String::from_utf8_lossy(self.program.text(statement.span));
        let point = self.profile.point(id);
        let rows = point.and_then(|point| match &point.sample.as_ref()?.values {
            SampledValues::Rows(rows) => Some(rows.len()),
            SampledValues::Ranges(_) => None,
        });
        let (why, is_shown) = evidence::of(&self.prover, self.program, self.profile, mutation);
        let changed = apply(self.program, [mutation])?;
        let seed = String::from_utf8_lossy(&self.program.source);
        Ok(Explanation {
            id: mutation.id,
            kind: mutation.kind(),
            step,
            statement: id,
            function: self.program.function(statement.function).name.clone(),
            line,
            column,
            text: text.lines().next().unwrap_or_default().to_owned(),
            visits: point.map_or(0, |point| point.visits),
            rows,
            values: self.values(mutation),
            why,
            is_shown,
            diff: readable::diff(&seed, &String::from_utf8_lossy(&changed)),
        })
    }

    /// The values of the scalars that the mutation's code names.
    fn values(&self, mutation: &Mutation) -> Vec<SeenValues> {
        let point = self.profile.point(mutation.statement());
        let Some(sample) = point.and_then(|point| point.sample.as_ref()) else {
            return vec![];
        };
        let code = mutation.text();
        let columns = sample.columns.iter().enumerate();
        let seen = columns.filter_map(|(index, &column)| {
            let column = &self.profile.columns[column as usize];
            names(&code, &column.text).then(|| SeenValues {
                name: column.text.clone(),
                values: self.report.describe(column, &sample.values, index),
            })
        });
        seen.take(SHOWN_COLUMNS).collect()
    }
}

/// Whether code names a scalar: its text stands there, and is not a part of a longer
/// name.
fn names(code: &str, scalar: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    code.match_indices(scalar).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + scalar.len()..].chars().next();
        !is_word(before) && !is_word(after)
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_scalar_is_not_a_part_of_a_longer_name() {
        assert!(names("x + g_3[1]", "g_3[1]") && names("x", "x"));
        assert!(!names("xy + zx + x1", "x"));
    }
}
