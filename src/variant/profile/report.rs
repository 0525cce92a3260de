//! A profile as text for people and as JSON for programs.

use super::{Difference, LeafColumn, PointProfile, Profile, SampledValues, UNKNOWN_POINTER};
use crate::code::real::Precision;
use crate::lab::process::Ending;
use crate::lab::words::plural;
use crate::source::program::{LeafKind, Lines, Program, StatementId, VariableId};
use serde::Serialize;
use std::io::{self, Write};

/// Shows a profile of a program.
#[derive(Debug)]
pub(crate) struct Report<'p> {
    program: &'p Program,
    profile: &'p Profile,
    lines: Lines,
}

#[derive(Serialize)]
struct ProfileJson<'p> {
    #[serde(flatten)]
    profile: &'p Profile,
    unreadable: Vec<NotRead<'p>>,
}

/// A variable that is visible at a sampled point and may not be read there.
#[derive(Serialize)]
struct NotRead<'p> {
    statement: StatementId,
    variable: VariableId,
    name: &'p str,
    reason: String,
}

/// How many values of a column are shown before the rest is counted.
const SHOWN_VALUES: usize = 6;

impl<'p> Report<'p> {
    pub(crate) fn new(program: &'p Program, profile: &'p Profile) -> Report<'p> {
        Report {
            program,
            profile,
            lines: Lines::new(&program.source),
        }
    }

    pub(crate) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let profile = self.profile;
        let visited = profile
            .points
            .iter()
            .filter(|point| point.visits > 0)
            .count();
        let sampled = profile.sampled().count();
        let sensitive = profile
            .sampled()
            .filter(|(point, _)| point.order_sensitive.is_some())
            .count();
        writeln!(
            out,
            "{}: {}, {visited} visited, {sampled} of these recorded; profiled with {}",
            self.program.path.display(),
            plural(profile.points.len(), "point"),
            profile.compilers.join(", ")
        )?;
        for ending in abnormal(&profile.endings) {
            writeln!(out, "{ending}")?;
        }
        if sampled > 0 {
            writeln!(
                out,
                "order-sensitive: {sensitive} of {sampled} ({:.1} %)",
                100.0 * sensitive as f64 / sampled as f64
            )?;
        }
        for (_, function, definition) in self.program.definitions() {
            writeln!(out, "\nfunction {}", function.name)?;
            for id in definition.statement_ids() {
                if let Some(point) = profile.point(id) {
                    self.write_point(out, point)?;
                }
            }
        }
        Ok(())
    }

    /// The whole profile as one JSON object, with what could not be read and why.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> serde_json::Result<()> {
        let sampled = self
            .profile
            .points
            .iter()
            .filter(|point| point.sample.is_some());
        let unreadable = sampled
            .flat_map(|point| {
                let variables = self.program.readable_at(point.statement).into_iter();
                variables.filter_map(|(variable, readable)| {
                    let reason = readable.err()?.to_string();
                    let name = self.program.variable(variable).name.as_str();
                    Some(NotRead {
                        statement: point.statement,
                        variable,
                        name,
                        reason,
                    })
                })
            })
            .collect();
        serde_json::to_writer(
            out,
            &ProfileJson {
                profile: self.profile,
                unreadable,
            },
        )
    }

    fn write_point(&self, out: &mut dyn Write, point: &PointProfile) -> io::Result<()> {
        let statement = self.program.statement(point.statement);
        let (line, column) = self.lines.locate(statement.span.start);
        write!(
            out,
            "  {} {line}:{column} {}",
            point.statement,
            statement.kind.name()
        )?;
        match point.visits {
            0 => return writeln!(out, ": never reached"),
            1 => write!(out, ": 1 visit")?,
            visits => write!(out, ": {visits} visits")?,
        }
        let Some(sample) = &point.sample else {
            return writeln!(out);
        };
        match &sample.values {
            SampledValues::Rows(rows) if rows.len() == 1 => writeln!(out, ", 1 row")?,
            SampledValues::Rows(rows) => writeln!(out, ", {} rows", rows.len())?,
            SampledValues::Ranges(_) => writeln!(out, ", ranges")?,
        }
        match &point.order_sensitive {
            None => {}
            Some(Difference::Reached) => {
                writeln!(out, "    order-sensitive: not reached with every compiler")?;
            }
            Some(Difference::Values(columns)) => {
                let names: Vec<&str> = columns
                    .iter()
                    .map(|&column| self.profile.columns[column as usize].text.as_str())
                    .collect();
                let what = if names.is_empty() {
                    "combinations".into()
                } else {
                    names.join(", ")
                };
                writeln!(out, "    order-sensitive: {what}")?;
            }
        }
        for (index, &column) in sample.columns.iter().enumerate() {
            let column = &self.profile.columns[column as usize];
            // Globals are the same everywhere and many; the JSON has them.
            if self
                .program
                .variable(column.place.variable)
                .function
                .is_none()
            {
                continue;
            }
            let text = self.describe(column, &sample.values, index);
            writeln!(out, "    {} = {text}", column.text)?;
        }
        for (variable, readable) in self.program.readable_at(point.statement) {
            let held = self.program.variable(variable);
            if let (Err(reason), Some(_)) = (readable, held.function) {
                let is_recorded = sample.columns.iter().any(|&column| {
                    self.profile.columns[column as usize].place.variable == variable
                });
                if !is_recorded {
                    writeln!(out, "    {} not read: {reason}", held.name)?;
                }
            }
        }
        Ok(())
    }

    /// The values of a column of a sample, by its position there.
    pub(crate) fn describe(
        &self,
        column: &LeafColumn,
        values: &SampledValues,
        index: usize,
    ) -> String {
        match values {
            SampledValues::Rows(rows) => {
                let mut distinct: Vec<u64> = rows.iter().map(|row| row[index]).collect();
                distinct.sort_unstable_by_key(|&value| value as i64);
                distinct.dedup();
                let shown: Vec<String> = distinct
                    .iter()
                    .take(SHOWN_VALUES)
                    .map(|&value| self.value(column, value))
                    .collect();
                let mut text = shown.join(", ");
                if distinct.len() > SHOWN_VALUES {
                    text.push_str(&format!(", … ({} values)", distinct.len()));
                }
                text
            }
            SampledValues::Ranges(ranges) => {
                let range = &ranges[index];
                match &range.values {
                    Some(values) => {
                        let all: Vec<String> = values
                            .iter()
                            .map(|&value| self.value(column, value))
                            .collect();
                        all.join(", ")
                    }
                    None if matches!(column.kind, LeafKind::Float { .. }) => "many values".into(),
                    None if range.signed_min < 0 => {
                        format!("{} … {}", range.signed_min, range.signed_max)
                    }
                    None => format!("{} … {}", range.unsigned_min, range.unsigned_max),
                }
            }
        }
    }

    fn value(&self, column: &LeafColumn, value: u64) -> String {
        match column.kind {
            LeafKind::Integer { kind, .. } if kind.signed(self.program.target) => {
                (value as i64).to_string()
            }
            LeafKind::Integer { .. } => value.to_string(),
            LeafKind::Float { kind } => match kind.precision() {
                Some(Precision::Single) => format!("{:?}", f32::from_bits(value as u32)),
                _ => format!("{:?}", f64::from_bits(value)),
            },
            LeafKind::Pointer { .. } => match value {
                0 => "null".into(),
                UNKNOWN_POINTER => "somewhere".into(),
                _ => {
                    let object = self.profile.objects[(value >> 32) as usize - 1];
                    let name = &self.program.variable(object).name;
                    match value as u32 {
                        0 => format!("&{name}"),
                        offset => format!("&{name} + {offset} bytes"),
                    }
                }
            },
        }
    }
}

/// A line for each input on which the program did not end by itself.
fn abnormal(endings: &[Ending]) -> impl Iterator<Item = String> {
    let count = endings.len();
    let endings = endings.iter().enumerate();
    let cut = endings.filter(|(_, ending)| !matches!(ending, Ending::Exited(_)));
    cut.map(move |(at, ending)| match count {
        1 => format!("it ends with {ending}"),
        _ => format!("on input {} it ends with {ending}", at + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_by_a_signal_is_told() {
        let told = |endings: &[Ending]| abnormal(endings).collect::<Vec<_>>();
        let crash = Ending::Signalled(11);
        assert_eq!(told(&[crash]), ["it ends with SIGSEGV"]);
        assert_eq!(
            told(&[Ending::Exited(3), crash]),
            ["on input 2 it ends with SIGSEGV"]
        );
        assert!(told(&[Ending::Exited(3)]).is_empty());
    }
}
