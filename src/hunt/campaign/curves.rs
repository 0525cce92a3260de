//! A campaign over time, strategy by strategy and kind by kind, read from its store for
//! reports. Seeds that were compacted have no times any more.

use super::kinds::BY;
use super::store::Store;
use anyhow::Result;
use std::collections::BTreeMap;

/// Seconds of work, and how much there was by then; both only grow.
pub(crate) type Steps = Vec<(f64, u64)>;

/// More points than this are not worth drawing.
const MOST_STEPS: usize = 400;

impl Store {
    /// How many variants each strategy had made by when.
    pub(crate) fn strategies_over_time(&self) -> Result<BTreeMap<String, Steps>> {
        let made = self.made_over_time(true)?.into_iter();
        Ok(made
            .map(|(kind, steps)| (kind[BY.len()..].to_owned(), steps))
            .collect())
    }

    /// How many mutations of each kind there were by when.
    pub(crate) fn kinds_over_time(&self) -> Result<BTreeMap<String, Steps>> {
        self.made_over_time(false)
    }

    fn made_over_time(&self, by_strategy: bool) -> Result<BTreeMap<String, Steps>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT kinds.kind, finished, made FROM kinds
             JOIN variants ON variants.seed = kinds.seed AND variants.number = kinds.variant
             WHERE finished IS NOT NULL AND made > 0 AND (kind GLOB ?1) = ?2 ORDER BY finished",
        )?;
        let rows = query.query_map((format!("{BY}*"), by_strategy), |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?, row.get::<_, u64>(2)?))
        })?;
        let mut found: BTreeMap<String, Steps> = BTreeMap::new();
        for row in rows {
            let (kind, second, made) = row?;
            let steps = found.entry(kind).or_default();
            let before = steps.last().map_or(0, |(_, count)| *count);
            steps.push((second, before + made));
        }
        Ok(found
            .into_iter()
            .map(|(kind, steps)| (kind, thinned(steps)))
            .collect())
    }

    /// Which strategy has made a variant; `None` for a seed, and in old campaigns.
    pub(crate) fn strategy_of(&self, seed: u64, variant: u32) -> Result<Option<String>> {
        let connection = self.connection();
        let mut query = connection
            .prepare("SELECT kind FROM kinds WHERE seed = ?1 AND variant = ?2 AND kind GLOB ?3")?;
        let mut rows = query.query((seed, variant, format!("{BY}*")))?;
        let row = rows.next()?;
        let kind = row.map(|row| row.get::<_, String>(0)).transpose()?;
        Ok(kind.map(|kind| kind[BY.len()..].to_owned()))
    }
}

/// Fewer points of the same curve, the last one included.
fn thinned(steps: Steps) -> Steps {
    let every = steps.len().div_ceil(MOST_STEPS).max(1);
    let last = steps.len().saturating_sub(1);
    let kept = steps
        .into_iter()
        .enumerate()
        .filter(|(index, _)| index % every == 0 || *index == last);
    kept.map(|(_, step)| step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_curve_ends_where_it_did() {
        let steps: Steps = (0..1001).map(|n| (f64::from(n), n as u64)).collect();
        let thin = thinned(steps);
        assert!(thin.len() <= MOST_STEPS + 1, "{}", thin.len());
        assert_eq!(thin.last(), Some(&(1000.0, 1000)));
        assert_eq!(thinned(vec![]), vec![]);
    }
}
