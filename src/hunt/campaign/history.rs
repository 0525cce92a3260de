//! The history of a campaign, read from its store for reports.

use super::store::Store;
use crate::hunt::finding::{Doubt, DoubtKind, Finding};
use anyhow::Result;
use rusqlite::OptionalExtension;
use serde::Serialize;
use std::collections::BTreeMap;

/// A failure that was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoubtedRun {
    pub seed: u64,
    /// 0 is the seed itself.
    pub variant: u32,
    pub config: String,
    pub verdict: String,
    pub reason: String,
}

impl Store {
    /// Notes the command that began the campaign.
    pub(crate) fn note_command(&self, command: &str) -> Result<()> {
        let note = "INSERT OR REPLACE INTO meta VALUES ('command', ?)";
        self.connection().execute(note, [command])?;
        Ok(())
    }

    /// The command that began the campaign; older ones did not note it.
    pub(crate) fn command(&self) -> Result<Option<String>> {
        let query = "SELECT value FROM meta WHERE key = 'command'";
        let connection = self.connection();
        Ok(connection
            .query_row(query, [], |row| row.get(0))
            .optional()?)
    }

    /// After how many seconds of work each finding was there. Seeds have no times of their own:
    /// that of a seed without variants is taken from the next variant that was done.
    pub(crate) fn finding_seconds(&self) -> Result<BTreeMap<String, f64>> {
        let worked = self.worked()?.as_secs_f64();
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT id, coalesce(
                 (SELECT min(finished) FROM variants WHERE variants.seed = findings.seed
                      AND (number = findings.variant OR findings.variant = 0)),
                 (SELECT min(finished) FROM variants WHERE variants.seed > findings.seed),
                 ?)
             FROM findings",
        )?;
        let rows = query.query_map([worked], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The first suspicions that were not confirmed.
    pub(crate) fn doubted_runs(&self, most: u32) -> Result<Vec<DoubtedRun>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT seed, variant, config, verdict, dismissed FROM runs
             WHERE dismissed IS NOT NULL ORDER BY seed, variant, config LIMIT ?",
        )?;
        let rows = query.query_map([most], |row| {
            let dismissed: String = row.get(4)?;
            Ok(DoubtedRun {
                seed: row.get(0)?,
                variant: row.get(1)?,
                config: row.get(2)?,
                verdict: row.get(3)?,
                reason: Doubt::from_stored(dismissed).to_string(),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// After how many seconds each variant was done, in order.
    pub(crate) fn progress(&self) -> Result<Vec<f64>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT finished FROM variants WHERE finished IS NOT NULL ORDER BY finished",
        )?;
        let seconds = query.query_map([], |row| row.get(0))?;
        Ok(seconds.collect::<Result<_, _>>()?)
    }

    /// The failures that are kept and are no findings, in the order of their ids.
    pub(crate) fn suspicions(&self) -> Result<Vec<Finding>> {
        let connection = self.connection();
        let mut query = connection.prepare("SELECT json FROM suspicions ORDER BY id")?;
        let mut kept = Vec::new();
        for json in query.query_map([], |row| row.get::<_, String>(0))? {
            kept.push(serde_json::from_str(&json?)?);
        }
        Ok(kept)
    }

    /// How many suspicions were not confirmed, by the kind of doubt.
    pub(crate) fn dismissals(&self) -> Result<BTreeMap<DoubtKind, u64>> {
        let connection = self.connection();
        let mut query =
            connection.prepare("SELECT dismissed FROM runs WHERE dismissed IS NOT NULL")?;
        let mut counts = BTreeMap::new();
        for stored in query.query_map([], |row| row.get(0))? {
            *counts
                .entry(Doubt::from_stored(stored?).kind())
                .or_default() += 1;
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::campaign::Shard;
    use crate::hunt::campaign::store::{Header, Run};
    use crate::hunt::finding::verdict::{Verdict, VerdictKind};

    #[test]
    fn doubts_are_counted_by_kind_and_texts_of_earlier_versions_together() {
        let directory = tempfile::tempdir().unwrap();
        let header = Header {
            mestra: "0.1.0".into(),
            ..Header::default()
        };
        let store = Store::create(directory.path(), &header, Shard::default()).unwrap();
        let not_reproduced = |kind| Doubt::NotReproduced {
            verdict: Verdict::new(kind, "output"),
        };
        let doubts = [
            not_reproduced(VerdictKind::WrongOutput),
            not_reproduced(VerdictKind::RunCrash),
            Doubt::OnlyInProcess,
            Doubt::Untyped("not the same again: same".into()),
            Doubt::Untyped("now the seed fails, too: same".into()),
        ];
        for (variant, doubt) in (1..).zip(doubts) {
            let run = Run {
                config: "gcc -O2".into(),
                verdict: Verdict::new(VerdictKind::WrongOutput, "output"),
                dismissed: Some(doubt),
                made: None,
            };
            store.add_run(1, variant, &run, None).unwrap();
        }
        let counts = store.dismissals().unwrap();
        let expected = [
            (DoubtKind::NotReproduced, 2),
            (DoubtKind::OnlyInProcess, 1),
            (DoubtKind::Untyped, 2),
        ];
        assert_eq!(counts, BTreeMap::from(expected));
    }
}
