//! The history of a campaign, read from its store for reports.

use super::store::Store;
use crate::hunt::finding::{Doubt, DoubtKind};
use anyhow::Result;
use std::collections::BTreeMap;

impl Store {
    /// After how many seconds each variant was done, in order.
    pub fn progress(&self) -> Result<Vec<f64>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT finished FROM variants WHERE finished IS NOT NULL ORDER BY finished",
        )?;
        let seconds = query.query_map([], |row| row.get(0))?;
        Ok(seconds.collect::<Result<_, _>>()?)
    }

    /// How many suspicions were not confirmed, by the kind of doubt.
    pub fn dismissals(&self) -> Result<BTreeMap<DoubtKind, u64>> {
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
