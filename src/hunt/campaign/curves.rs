//! A campaign over time, strategy by strategy and kind by kind, read from its store for
//! reports. All that was made of a seed that was compacted counts when its last variant was
//! done.

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
            "SELECT kind, finished, made FROM
                 (SELECT kind, made, (SELECT max(finished) FROM variants
                     WHERE variants.seed = kinds.seed
                         AND (variants.number = kinds.variant OR kinds.variant = 0)) AS finished
                 FROM kinds WHERE made > 0 AND (kind GLOB ?1) = ?2)
             WHERE finished IS NOT NULL ORDER BY finished",
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

    /// Which strategy has made a variant; `None` for a seed, and in old campaigns. Of a seed
    /// that an earlier version has compacted it is known if there was only one.
    pub(crate) fn strategy_of(&self, seed: u64, variant: u32) -> Result<Option<String>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT variant, kind FROM kinds
             WHERE seed = ?1 AND (variant = ?2 OR variant = 0) AND kind GLOB ?3
             ORDER BY variant DESC LIMIT 2",
        )?;
        let rows = query.query_map((seed, variant, format!("{BY}*")), |row| {
            Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?))
        })?;
        let rows: Vec<(u32, String)> = rows.collect::<Result<_, _>>()?;
        let maker = match &rows[..] {
            [(of, maker), ..] if *of == variant => maker,
            [(_, maker)] => maker,
            _ => return Ok(None),
        };
        Ok(Some(maker[BY.len()..].to_owned()))
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
