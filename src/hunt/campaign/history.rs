//! The history of a campaign, read from its store for reports.

use super::store::Store;
use crate::hunt::finding::{Doubt, DoubtKind, Finding};
use anyhow::Result;
use std::collections::BTreeMap;

impl Store {
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
    use crate::hunt::campaign::settings::Settings;
    use crate::hunt::campaign::store::{Header, Run};
    use crate::hunt::finding::verdict::{Verdict, VerdictKind};

    #[test]
    fn doubts_are_counted_by_kind_and_texts_of_earlier_versions_together() {
        let directory = tempfile::tempdir().unwrap();
        let header = Header {
            mestra: "0.1.0".into(),
            settings: Settings::default(),
            configs: vec![],
            trusted: vec![],
            standard: None,
            flag_pools: vec![],
            two_files: false,
            generator: None,
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
