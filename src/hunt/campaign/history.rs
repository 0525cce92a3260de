//! How a campaign went, asked of its store, for reports.

use super::store::Store;
use anyhow::Result;
use std::collections::BTreeMap;

impl Store {
    /// After how many seconds of work each variant was done, in order.
    pub fn progress(&self) -> Result<Vec<f64>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT finished FROM variants WHERE finished IS NOT NULL ORDER BY finished",
        )?;
        let seconds = query.query_map([], |row| row.get(0))?;
        Ok(seconds.collect::<Result<_, _>>()?)
    }

    /// How many suspicions were not confirmed, by the reason.
    pub fn dismissals(&self) -> Result<BTreeMap<String, u64>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT dismissed, count(*) FROM runs WHERE dismissed IS NOT NULL GROUP BY dismissed",
        )?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
