//! How each config of a campaign is doing, computed in one pass over its runs.
//!
//! Runs are read in the order of the store's key, in which a seed's own runs come right
//! before those of its variants. So memory does not grow with the number of runs.

use super::store::Store;
use anyhow::{Context, Result};
use rusqlite::types::ValueRef;
use serde::Serialize;
use std::collections::BTreeMap;

/// How a config is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Health {
    pub runs: u64,
    pub findings: u64,
    pub dismissed: u64,
    /// The median over variants of how much longer they take to compile than their
    /// seeds, and the most.
    pub compile_time: Option<(f64, f64)>,
    /// The same for the size of objects.
    pub code_size: Option<(f64, f64)>,
}

/// Ratios by size, so finely that a median is right to a thousandth.
#[derive(Clone, Debug, Default)]
struct RatioSpread {
    /// How many ratios there are by their logarithm in units of [`UNIT`].
    counts: BTreeMap<i64, u64>,
    most: f64,
}

const UNIT: f64 = 0.001;

/// What is known of one config so far.
#[derive(Clone, Debug, Default)]
struct Gathered {
    health: Health,
    times: RatioSpread,
    sizes: RatioSpread,
    /// The seed that was compiled last, with its time and size.
    seed: Option<(i64, TimeAndSize)>,
}

/// Microseconds to compile and bytes of the object.
type TimeAndSize = (i64, i64);

impl RatioSpread {
    fn add(&mut self, ratio: f64, times: u64) {
        *self
            .counts
            .entry((ratio.ln() / UNIT).round() as i64)
            .or_default() += times;
        self.most = self.most.max(ratio);
    }

    /// The median and the most.
    fn summary(&self) -> Option<(f64, f64)> {
        let half = self.counts.values().sum::<u64>() / 2;
        let mut below = 0;
        let middle = self.counts.iter().find(|(_, count)| {
            below += *count;
            below > half
        });
        let (middle, _) = middle?;
        Some(((*middle as f64 * UNIT).exp().min(self.most), self.most))
    }
}

/// How much longer a variant takes to compile than its seed, and how much larger it is.
pub(super) fn ratios(variant: TimeAndSize, seed: TimeAndSize) -> Option<(f64, f64)> {
    let is_positive = |figures: TimeAndSize| figures.0 > 0 && figures.1 > 0;
    let ratio = |variant: i64, seed: i64| variant as f64 / seed as f64;
    (is_positive(variant) && is_positive(seed))
        .then(|| (ratio(variant.0, seed.0), ratio(variant.1, seed.1)))
}

impl Store {
    /// Every config that has run anything, without its findings.
    pub(super) fn healths(&self) -> Result<BTreeMap<String, Health>> {
        let connection = self.connection();
        let mut configs: BTreeMap<String, Gathered> = BTreeMap::new();
        let mut query = connection.prepare(
            "SELECT config, seed, variant, dismissed IS NOT NULL, compile_micros, object_bytes
             FROM runs ORDER BY seed, variant, config",
        )?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let gathered = of_config(&mut configs, row.get_ref(0)?)?;
            gathered.health.runs += 1;
            gathered.health.dismissed += u64::from(row.get::<_, bool>(3)?);
            let seed = row.get(1)?;
            let made = row.get::<_, Option<i64>>(4)?.zip(row.get(5)?);
            if row.get::<_, u32>(2)? == 0 {
                gathered.seed = made.map(|figures| (seed, figures));
            } else if let (Some(made), Some((of, figures))) = (made, gathered.seed)
                && of == seed
                && let Some((time, size)) = ratios(made, figures)
            {
                gathered.times.add(time, 1);
                gathered.sizes.add(size, 1);
            }
        }
        let mut query = connection.prepare(
            "SELECT config, runs, measured, time_median, time_most, size_median, size_most
             FROM thinned",
        )?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let gathered = of_config(&mut configs, row.get_ref(0)?)?;
            gathered.health.runs += row.get::<_, u64>(1)?;
            let measured = row.get(2)?;
            for (spread, column) in [(&mut gathered.times, 3), (&mut gathered.sizes, 5)] {
                let median = row.get::<_, Option<f64>>(column)?;
                if let Some((median, most)) = median.zip(row.get(column + 1)?) {
                    spread.add(median, measured);
                    spread.most = spread.most.max(most);
                }
            }
        }
        let known = configs.into_iter().map(|(config, gathered)| {
            let health = Health {
                compile_time: gathered.times.summary(),
                code_size: gathered.sizes.summary(),
                ..gathered.health
            };
            (config, health)
        });
        Ok(known.collect())
    }
}

fn of_config<'c>(
    configs: &'c mut BTreeMap<String, Gathered>,
    name: ValueRef<'_>,
) -> Result<&'c mut Gathered> {
    let name = name.as_str()?;
    // Most rows are of a config that is known and need no copy of its name.
    if !configs.contains_key(name) {
        configs.insert(name.to_owned(), Gathered::default());
    }
    configs.get_mut(name).context("a config was just added")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_ratios_is_right_to_a_thousandth() {
        let mut spread = RatioSpread::default();
        assert_eq!(spread.summary(), None);
        for ratio in [1.0, 0.5, 3.25, 1.0, 7.5] {
            spread.add(ratio, 1);
        }
        assert_eq!(spread.summary(), Some((1.0, 7.5)));
        spread.add(2.345, 10);
        let (median, most) = spread.summary().unwrap();
        assert!((median / 2.345 - 1.0).abs() < 0.001, "{median}");
        assert_eq!(most, 7.5);
    }

    #[test]
    fn nothing_is_compared_with_an_object_of_no_size() {
        assert_eq!(ratios((30, 8), (10, 4)), Some((3.0, 2.0)));
        assert_eq!(ratios((30, 8), (0, 4)), None);
    }
}
